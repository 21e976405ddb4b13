// SPDX-License-Identifier: MIT
import { digest } from '../../../base/hash';
import type {
  AtomicsKind,
  KernelBinary,
  KernelModule,
  KernelSignature,
  ModuleKind,
} from '../../../base/kernel-abi';
import { finish, SharedSteps, type Stepped, type Steps } from '../../../base/steps';
import type { Turns } from '../../../base/turns';
import { ErrorCode } from '../../../cl/constants.gen';
import { OpenCLError } from '../../../cl/opencl-error';
import type { Device } from '../../../device/device';
import type { LoadedKernel } from '../../../device/workers/job';
import type { DebuggedKernel, JitOptions, JitProgram } from '../../../jit/compiled';
import { type RunStep, stepForKernels } from '../build/compilation-step';
import { attempt, type Reproduction } from '../build/internal-errors';
import { kernelCached } from '../build/kernel-cached';
import { type RemoteKernel, RemoteProgram } from '../compile-thread/remote-program';
import type { CheckedProof } from '../proofs/alike-objects';
import type { Run } from '../proofs/launch-writes';
import { RefCounted } from '../ref-counted';
import { ProgramGlobals } from './program-globals';
import { RecentMap } from './recent-map';
import { WatchHistory } from './watch-history';

/** A kernel's module in the form that workers run. */
export interface RunnableModule {
  readonly loaded: LoadedKernel;
  readonly scratch: KernelModule['scratch'];
}

interface CompiledKernel {
  readonly binary: KernelBinary;
  /** The existing modules for each kind of atomics. */
  readonly modules: Record<AtomicsKind, Map<ModuleKind, RunnableModule>>;
  /** Set if the compiler's thread has compiled it. */
  readonly remote: RemoteKernel | undefined;
}

/** Launches with more different sizes and arguments are proven again. */
const MOST_PROOFS = 256;

/** The engine compiles this many bytes of WebAssembly in a few milliseconds, also if it has compiled little before. */
const SMALL_WASM = 2000;

/**
 * 'guarded': with the checks or clamps of the context. 'plain': without, for launches that need none. 'separate': without, for
 * launches whose buffer arguments do not overlap. 'watched': without, with marks of what it stores to. 'rows': without, and with lanes
 * along x, for launches with few work-items along y of kernels that are interchanged otherwise.
 */
export type CodeKind = 'guarded' | 'plain' | 'separate' | 'watched' | 'rows';

const EXTRA: Readonly<Record<Exclude<CodeKind, 'guarded'>, Partial<JitOptions>>> = {
  plain: {},
  separate: { separate: true },
  watched: { watched: true },
  rows: { interchange: false },
};

/** Thrown instead of compiling what a launch needs, where that can wait for it. */
export class MissingCode {
  constructor(readonly compile: () => Promise<void>) {}
}

/** A built program: its kernels, which are compiled on first use, and its program-scope variables. */
export class Executable extends RefCounted {
  private readonly kernels = new Map<string, CompiledKernel>();
  /** The compilations that launches wait for, by what they compile. */
  private readonly pending = new Map<string, Promise<void>>();
  /** What of them runs on this thread: a blocking call finishes it. */
  private readonly begun = new Map<string, SharedSteps<unknown>>();
  private readonly runStep: RunStep;
  private compilesNow = true;
  /** By kernel, sizes and arguments: whether robust launches run plain code. */
  readonly robustProofs = new RecentMap<boolean>(MOST_PROOFS);
  /** Likewise for checked launches: what is proven of them, if anything is. */
  readonly checkedProofs = new RecentMap<CheckedProof>(MOST_PROOFS);
  /** Likewise for checked launches whose first group had no fault: the bytes that it has written, by object. */
  readonly cleanPatterns = new RecentMap<readonly (readonly Run[])[]>(MOST_PROOFS);
  readonly watches = new WatchHistory();
  private readonly globals: ProgramGlobals;
  private readonly blocks: ReadonlySet<string>;
  private digest: string | undefined;
  private readonly remote: RemoteProgram | undefined;

  constructor(
    readonly device: Device,
    private readonly turns: Turns,
    private readonly jit: JitProgram,
    /** The program as SPIR-V: the key of its compiled kernels in the cache. */
    private readonly spirv: Uint8Array,
    private readonly settings: JitOptions,
    /** Whether this process compiled it first. */
    private readonly isNew: boolean,
    /** Local sizes must divide the global ones. */
    readonly uniformWorkGroups: boolean,
    /** The program's source, if it has one. */
    readonly source: string | undefined = undefined,
  ) {
    super();
    this.runStep = stepForKernels(device.host, jit.instructions);
    this.remote = jit instanceof RemoteProgram ? jit : undefined;
    this.globals = new ProgramGlobals(device, jit.binary);
    this.blocks = new Set(jit.binary.blocks);
  }

  /** Without blocks, which are kernels only for the device. */
  get names(): string[] {
    const { kernels } = this.jit.binary;
    const { blocks } = this;
    return [...kernels.keys()].filter((name) => !blocks.has(name));
  }

  get count(): number {
    return this.jit.binary.kernels.size - this.blocks.size;
  }

  has(name: string): boolean {
    return this.jit.binary.kernels.has(name) && !this.blocks.has(name);
  }

  get globalBytes(): number {
    return this.jit.binary.globals.size;
  }

  signature(name: string): KernelSignature | undefined {
    return this.jit.binary.kernels.get(name);
  }

  /** The block with the number by which kernels refer to it. */
  blockSignature(number: number): KernelSignature {
    const { blocks, kernels } = this.jit.binary;
    const signature = kernels.get(blocks[number] ?? '');
    if (!signature)
      throw new OpenCLError(ErrorCode.INVALID_KERNEL, 'enqueue_kernel', `there is no block ${number}`);
    return signature;
  }

  /** The kernel, compiled up to the point where the ND-range matters. */
  kernel(name: string, code: CodeKind = 'guarded'): KernelBinary {
    return this.compiled(name, code).binary;
  }

  /** The kernel for a debugger. */
  debugKernel(name: string): DebuggedKernel {
    return this.compiling(name, 'guarded', () => this.jit.debugKernel(name, this.settings));
  }

  /** A module of the kernel. If one for any ND-range exists, it is used in all cases. */
  module(name: string, kind: ModuleKind, atomics: AtomicsKind, code: CodeKind = 'guarded'): RunnableModule {
    const kernel = this.compiled(name, code);
    const modules = kernel.modules[atomics];
    const known = modules.get('any') ?? modules.get(kind);
    if (known) return known;
    if (!this.compilesNow) throw new MissingCode(() => this.loadLater(name, kind, atomics, code));
    const { host, pool, memory } = this.device;
    pool.threads.prepare();
    const { binary } = kernel;
    const made = this.compiling(name, code, () => {
      const { wasm, scratch } = this.runStep(() =>
        finish(
          this.shared(`${keyOf(name, code)} ${kind} ${atomics}`, () => binary.moduleSteps(kind, atomics)),
        ),
      );
      return { loaded: pool.load(name, host.compileWasm(wasm, binary.wide), memory, binary.checks), scratch };
    });
    modules.set(kind, made);
    return made;
  }

  /** Runs a step that throws a `MissingCode` if it needs code that is not compiled. */
  withoutCompiling<T>(step: () => T): T {
    const before = this.compilesNow;
    this.compilesNow = false;
    try {
      return step();
    } finally {
      this.compilesNow = before;
    }
  }

  private compiled(name: string, code: CodeKind = 'guarded'): CompiledKernel {
    const known = this.kernels.get(keyOf(name, code));
    if (known) return known;
    if (!this.compilesNow) throw new MissingCode(() => this.compileLater(name, code));
    return this.compiling(name, code, () => this.runStep(() => finish(this.kernelSteps(name, code))));
  }

  private kernelSteps(name: string, code: CodeKind): Stepped<CompiledKernel> {
    const key = keyOf(name, code);
    const compile = () => this.compileKernel(name, code);
    const keep = (binary: KernelBinary) => this.keep(key, binary, undefined);
    return this.shared(key, function* () {
      const binary = yield* compile();
      return keep(binary);
    });
  }

  /** A computation that has begun and not ended, or that begins now. */
  private shared<T>(key: string, begin: () => Steps<T>): Stepped<T> {
    const { begun } = this;
    const known = begun.get(key) as SharedSteps<T> | undefined;
    if (known) return known;
    const steps = function* (): Steps<T> {
      try {
        return yield* begin();
      } finally {
        begun.delete(key);
      }
    };
    const made = new SharedSteps(steps());
    begun.set(key, made);
    return made;
  }

  private keep(key: string, binary: KernelBinary, remote: RemoteKernel | undefined): CompiledKernel {
    this.showRemarks(binary);
    const kernel = { binary, modules: { shared: new Map(), privatized: new Map() }, remote };
    this.kernels.set(key, kernel);
    return kernel;
  }

  /** Whether the compiler's thread has the program. */
  get isElsewhere(): boolean {
    return this.remote !== undefined;
  }

  isCompiled(name: string, code: CodeKind): boolean {
    return this.kernels.has(keyOf(name, code));
  }

  /**
   * Of a context without checks or robust access: the kernel's code, if it is right for all arguments; 'either' if it is not; undefined
   * if that is not known because none is compiled.
   */
  onlyCode(name: string): CodeKind | 'either' | undefined {
    const known = (['separate', 'guarded'] as const).find((code) => this.isCompiled(name, code));
    return known && (this.kernel(name, known).dependsOnSeparate ? 'either' : known);
  }

  hasModule(name: string, kind: ModuleKind, atomics: AtomicsKind, code: CodeKind): boolean {
    const modules = this.kernels.get(keyOf(name, code))?.modules[atomics];
    return modules !== undefined && (modules.has('any') || modules.has(kind));
  }

  /** As `kernel`, on the compiler's thread if that has the program, or in turns. Rejects with what `kernel` throws. */
  compileLater(name: string, code: CodeKind = 'guarded'): Promise<void> {
    const key = keyOf(name, code);
    return this.later(key, name, code, async () => {
      if (this.kernels.has(key)) return;
      this.device.pool.threads.prepareInTurns();
      const { remote } = this;
      if (!remote) {
        await this.turns.run(this.kernelSteps(name, code), this.runStep);
        return;
      }
      const kernel = await remote.compileElsewhere(name, this.settingsFor(code));
      if (!this.kernels.has(key)) this.keep(key, kernel.binary, kernel);
    });
  }

  /** As `globalsAddress`, in steps between which the event loop continues. Throws nothing. */
  placeGlobals(): Promise<void> {
    return this.globals.place();
  }

  /** As `module` for a compiled kernel, on the threads of the compiler and of the engine, or in turns. */
  loadLater(name: string, kind: ModuleKind, atomics: AtomicsKind, code: CodeKind = 'guarded'): Promise<void> {
    const key = `${keyOf(name, code)} ${kind} ${atomics}`;
    return this.later(key, name, code, async () => {
      const { binary, modules, remote } = this.compiled(name, code);
      const has = () => modules[atomics].has('any') || modules[atomics].has(kind);
      if (has()) return;
      await remote?.fetch(kind, atomics);
      const emission = this.shared(key, () => binary.moduleSteps(kind, atomics));
      const { wasm, scratch } = await this.turns.run(emission, this.runStep);
      const { pool, memory } = this.device;
      const module = await this.machineCode(wasm, binary.wide);
      if (!has())
        modules[atomics].set(kind, { loaded: pool.load(name, module, memory, binary.checks), scratch });
    });
  }

  private async machineCode(wasm: Uint8Array, wide: boolean | undefined): Promise<WebAssembly.Module> {
    const { host } = this.device;
    // The engine's threads do not pair vectors.
    if (wasm.length >= SMALL_WASM && !wide) return host.compileWasmInBackground(wasm);
    await host.nextTurn();
    return host.compileWasm(wasm, wide);
  }

  private later(key: string, name: string, code: CodeKind, step: () => Promise<void>): Promise<void> {
    const { pending } = this;
    const known = pending.get(key);
    if (known) return known;
    const made = step()
      .catch((error) =>
        this.compiling(name, code, () => {
          throw error;
        }),
      )
      .finally(() => pending.delete(key));
    pending.set(key, made);
    return made;
  }

  private showRemarks(binary: KernelBinary): void {
    if (!this.device.host.settings.debug.has('jit')) return;
    for (const remark of binary.remarks()) console.error(`${binary.signature.name}: ${remark}`);
  }

  /** Runs a step of a kernel's compilation; a failure is reported as the program's error or as a bug of anycl. */
  private compiling<T>(name: string, kind: CodeKind, step: () => T): T {
    const functionName = 'clEnqueueNDRangeKernel';
    const code = ErrorCode.INVALID_PROGRAM_EXECUTABLE;
    const reproduction = () => this.reproduction(name, kind);
    try {
      return attempt({ host: this.device.host, code, functionName, reproduction }, step);
    } catch (error) {
      if (error instanceof OpenCLError) throw error;
      throw new OpenCLError(
        ErrorCode.OUT_OF_RESOURCES,
        functionName,
        `kernel '${name}' cannot be compiled for this device: ${(error as Error).message}`,
      );
    }
  }

  /** The data for the report of a bug of anycl that affects one of its kernels. */
  reproduction(kernel: string, code: CodeKind): Reproduction {
    return { files: { 'program.spv': this.spirv }, given: { kernel, settings: this.settingsFor(code) } };
  }

  private compileKernel(name: string, code: CodeKind): Steps<KernelBinary> {
    const program = {
      digest: () => {
        this.digest ??= digest(this.spirv);
        return this.digest;
      },
      isNew: this.isNew,
    };
    return kernelCached(this.device.host, this.jit, program, name, this.settingsFor(code));
  }

  private settingsFor(code: CodeKind): JitOptions {
    if (code === 'guarded') return this.settings;
    const { checks, robust, ...plain } = this.settings;
    return { ...plain, ...EXTRA[code] };
  }

  /** Address of the program-scope variables and constants, allocated on first use. */
  globalsAddress(): number {
    return this.globals.address();
  }

  protected override destroy(): void {
    this.remote?.forget();
    for (const { modules } of this.kernels.values())
      for (const kinds of Object.values(modules))
        for (const { loaded } of kinds.values()) this.device.pool.unload(loaded);
    this.kernels.clear();
    this.globals.release();
  }
}

/** No kernel's name has a space. */
const keyOf = (name: string, code: CodeKind): string => (code === 'guarded' ? name : `${code} ${name}`);
