// SPDX-License-Identifier: MIT
import type {
  AtomicsKind,
  KernelBinary,
  KernelModule,
  ModuleKind,
  PrintfFormat,
} from '../../../base/kernel-abi';
import type { Steps } from '../../../base/steps';
import type { DebuggedKernel, JitOptions, JitProgram, KernelTrace } from '../../../jit/compiled';
import type { ContextServices } from '../services';
import { ask } from './ask-compiler';
import type { Answers, KernelReference } from './compile-request';

interface Made {
  readonly id: number;
  readonly binary: JitProgram['binary'];
  readonly instructions: number;
  readonly spirv: Uint8Array;
  readonly isNew: boolean;
}

/**
 * A program that the compiler's thread has. The thread compiles its kernels for launches that may wait. For blocking calls
 * they are compiled here, from the same SPIR-V.
 */
export class RemoteProgram implements JitProgram {
  readonly binary: JitProgram['binary'];
  readonly instructions: number;
  private local: JitProgram | undefined;

  constructor(
    private readonly services: ContextServices,
    private readonly made: Made,
  ) {
    this.binary = made.binary;
    this.instructions = made.instructions;
  }

  compileKernel(name: string, options: JitOptions, trace?: KernelTrace): KernelBinary {
    return this.loaded().compileKernel(name, options, trace);
  }

  kernelSteps(name: string, options: JitOptions, trace?: KernelTrace): Steps<KernelBinary> {
    return this.loaded().kernelSteps(name, options, trace);
  }

  debugKernel(name: string, options: JitOptions): DebuggedKernel {
    return this.loaded().debugKernel(name, options);
  }

  private loaded(): JitProgram {
    const { toolchain, addressBits } = this.services;
    this.local ??= toolchain.load(toolchain.decode(this.made.spirv), addressBits);
    return this.local;
  }

  /** A kernel whose modules come from `moduleElsewhere`, or are compiled here. */
  async compileElsewhere(name: string, settings: JitOptions): Promise<RemoteKernel> {
    const { facts, remarks } = await this.asked({ name, settings }, (kernel) => ({ kind: 'kernel', kernel }));
    return new RemoteKernel(this, name, settings, facts, remarks);
  }

  moduleElsewhere(
    kernel: Omit<KernelReference, 'program'>,
    variant: ModuleKind,
    atomics: AtomicsKind,
  ): Promise<Answers['module']> {
    return this.asked(kernel, (asked) => ({ kind: 'module', kernel: asked, variant, atomics }));
  }

  /** Tells the thread to free its memory. */
  forget(): void {
    this.services.compiler.forget(this.made.id);
  }

  /** The thread may have been replaced: then it gets the SPIR-V again. */
  private async asked<K extends 'kernel' | 'module'>(
    kernel: Omit<KernelReference, 'program'>,
    request: (kernel: KernelReference) => Parameters<typeof ask<K>>[2],
  ): Promise<Answers[K]> {
    const { compiler, device, addressBits } = this.services;
    const { id, isNew, instructions, spirv } = this.made;
    const program = { id, isNew, instructions, addressBits };
    const reply = await ask<K>(compiler, device, request({ ...kernel, program }));
    if (reply.kind !== 'unknown program') return reply as Answers[K];
    return (await ask<K>(
      compiler,
      device,
      request({ ...kernel, program: { ...program, spirv } }),
    )) as Answers[K];
  }
}

/** A kernel that the compiler's thread has. */
export class RemoteKernel {
  readonly binary: KernelBinary;
  private readonly modules = new Map<string, KernelModule>();
  private printfFormats: readonly PrintfFormat[] = [];
  private local: KernelBinary | undefined;

  constructor(
    private readonly program: RemoteProgram,
    private readonly name: string,
    private readonly settings: JitOptions,
    facts: Answers['kernel']['facts'],
    remarks: readonly string[] | undefined,
  ) {
    const self = this;
    this.binary = {
      ...facts,
      signature: program.binary.kernels.get(name)!,
      get printfFormats() {
        return self.local?.printfFormats ?? self.printfFormats;
      },
      remarks: () => remarks ?? this.compiledHere().remarks(),
      module: (kind, atomics = 'shared') =>
        this.modules.get(`${kind} ${atomics}`) ?? this.compiledHere().module(kind, atomics),
      *moduleSteps(kind, atomics = 'shared') {
        return (
          self.modules.get(`${kind} ${atomics}`) ?? (yield* self.compiledHere().moduleSteps(kind, atomics))
        );
      },
    };
  }

  /** Gets a module from the thread. */
  async fetch(kind: ModuleKind, atomics: AtomicsKind): Promise<void> {
    const { program, name, settings } = this;
    const { module, printfFormats } = await program.moduleElsewhere({ name, settings }, kind, atomics);
    // The numbers of formats are valid only within one compilation.
    if (this.local) return;
    this.modules.set(`${kind} ${atomics}`, module);
    this.printfFormats = printfFormats;
  }

  private compiledHere(): KernelBinary {
    this.local ??= this.program.compileKernel(this.name, this.settings);
    return this.local;
  }
}
