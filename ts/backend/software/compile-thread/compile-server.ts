// SPDX-License-Identifier: MIT
import { digest } from '../../../base/hash';
import type { Host } from '../../../base/host';
import type { KernelBinary } from '../../../base/kernel-abi';
import { finish } from '../../../base/steps';
import type { JitProgram } from '../../../jit/compiled';
import {
  BuildFailure,
  type BuiltProgram,
  buildProgram,
  compileText,
  linkPrograms,
} from '../build/build-program';
import { stepFor } from '../build/compilation-step';
import { defaultToolchain } from '../build/default-toolchain';
import { isForTheUser } from '../build/internal-errors';
import { factsOf, kernelCached } from '../build/kernel-cached';
import type { BuildTools, Toolchain } from '../build/toolchain';
import type {
  BuildReply,
  CompileReply,
  CompileRequest,
  FailureReply,
  KernelReference,
  Posted,
  ProgramReference,
  ReadyNotice,
} from './compile-request';
import { postSignatures } from './posted-signatures';
import { withText } from './posted-text';

/** A program that requests refer to. */
class KeptProgram {
  /** By kernel name and settings. */
  readonly kernels = new Map<string, KernelBinary>();
  private computed: string | undefined;

  constructor(
    readonly jit: JitProgram,
    private readonly spirv: Uint8Array,
  ) {}

  /** Of its SPIR-V, which each kernel asks for several times. */
  digest(): string {
    this.computed ??= digest(this.spirv);
    return this.computed;
  }
}

/**
 * The loop of the compiler's thread: answers requests one after the other, and keeps the programs that it has
 * built.
 */
export class CompileServer {
  /** Posted when the server can answer. */
  readonly ready: ReadyNotice = { kind: 'ready' };
  readonly toolchain: Toolchain;
  /** Of the next request's text. */
  private readonly parts: string[] = [];
  private readonly programs = new Map<number, KeptProgram>();

  constructor(readonly host: Host) {
    this.toolchain = defaultToolchain(host);
  }

  answer(request: Posted): CompileReply | undefined {
    if (request.kind === 'forget') {
      this.programs.delete(request.program);
      return undefined;
    }
    if (request.kind === 'text') {
      this.parts.push(request.text);
      return undefined;
    }
    try {
      return this.reply(this.parts.length > 0 ? withText(request, this.parts.splice(0).join('')) : request);
    } catch (error) {
      return failure(error);
    }
  }

  private reply(request: CompileRequest): CompileReply {
    switch (request.kind) {
      case 'build':
        return this.keep(
          stepFor(this, request.input)(() => finish(buildProgram(this.tools(request), request.input))),
          request.keepAs,
        );
      case 'compile': {
        const { spirv, module, log } = stepFor(
          this,
          request.input,
        )(() => finish(compileText(this, request.input)));
        return { kind: 'compiled', spirv: spirv?.slice() ?? this.toolchain.encode(module), log };
      }
      case 'link': {
        const { jit, spirv } = linkPrograms(this.tools(request), request.inputs, request.library);
        if (!jit) return { kind: 'compiled', spirv, log: '' };
        return this.keep({ jit, spirv, log: '', isNew: false }, request.keepAs);
      }
      case 'kernel': {
        const kernel = this.kernel(request.kernel);
        if (!kernel) return { kind: 'unknown program' };
        const wantsRemarks = this.host.settings.debug.has('jit');
        const remarks = wantsRemarks ? kernel.remarks() : undefined;
        return { kind: 'kernel', facts: factsOf(kernel), remarks };
      }
      case 'module': {
        const kernel = this.kernel(request.kernel);
        if (!kernel) return { kind: 'unknown program' };
        const { wasm, scratch } = kernel.module(request.variant, request.atomics);
        return {
          kind: 'module',
          module: { wasm: wasm.slice(), scratch },
          printfFormats: kernel.printfFormats,
        };
      }
    }
  }

  private keep({ jit, spirv, log, isNew }: BuiltProgram, id: number): BuildReply {
    this.programs.set(id, new KeptProgram(jit, spirv));
    const { globals, kernels, relocations } = jit.binary;
    const binary = {
      ...jit.binary,
      globals: globals.parts(),
      kernels: postSignatures(kernels),
      relocations: Uint32Array.from(relocations),
    };
    return { kind: 'built', binary, instructions: jit.instructions, spirv: spirv.slice(), log, isNew };
  }

  private kernel({ program, name, settings }: KernelReference): KernelBinary | undefined {
    const kept = this.program(program);
    if (!kept) return undefined;
    const key = `${name} ${JSON.stringify(settings)}`;
    const stored = { digest: () => kept.digest(), isNew: program.isNew };
    const kernel = kept.kernels.get(key) ?? finish(kernelCached(this.host, kept.jit, stored, name, settings));
    kept.kernels.set(key, kernel);
    return kernel;
  }

  private tools({ addressBits }: Pick<ProgramReference, 'addressBits'>): BuildTools {
    return { host: this.host, toolchain: this.toolchain, addressBits };
  }

  private program({ id, spirv, addressBits }: ProgramReference): KeptProgram | undefined {
    const known = this.programs.get(id);
    if (known || !spirv) return known;
    const jit = this.toolchain.load(this.toolchain.decode(spirv), addressBits);
    const made = new KeptProgram(jit, spirv);
    this.programs.set(id, made);
    return made;
  }
}

/** The buffers of an answer. They are transferred: a copy of megabytes would block the thread that reads the answer. */
export function buffersOf(reply: CompileReply): ArrayBuffer[] {
  switch (reply.kind) {
    case 'built': {
      const { globals, kernels, relocations } = reply.binary;
      const parts = [
        globals.numbers,
        globals.bytes,
        kernels.text,
        kernels.starts,
        kernels.table,
        relocations,
      ];
      return [...parts.map(({ buffer }) => buffer), whole(reply.spirv)];
    }
    case 'compiled':
      return [whole(reply.spirv)];
    case 'module':
      return [whole(reply.module.wasm)];
    default:
      return [];
  }
}

/** The buffer of a copy. */
const whole = (bytes: Uint8Array): ArrayBuffer => bytes.buffer as ArrayBuffer;

function failure(thrown: unknown): FailureReply {
  const { message, stack = message } = thrown instanceof Error ? thrown : new Error(String(thrown));
  const badOptions = thrown instanceof BuildFailure && thrown.badOptions;
  return { kind: 'failure', message, stack, forTheUser: isForTheUser(thrown), badOptions };
}
