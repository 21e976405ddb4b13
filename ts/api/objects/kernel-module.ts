// SPDX-License-Identifier: MIT
//
// What `import … from './kernels.cl'` gives: kernels that are known before there is a device, and built for each context when
// they are first used there. anycl/bundler and anycl/register write such modules.
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { guard } from '../checks/guard';
import { declareArguments } from '../internals';
import type { Session } from '../open';
import { unlessAborted, type Waiting } from '../options/abort';
import type { Context } from './context';
import type { Kernel, RunOptions } from './kernel';
import type { ArgumentsOf, KernelSignatures } from './kernel-types';
import type { KernelValue } from './kernel-values';
import type { Program } from './program';

/** A source file and what was made of it beforehand. */
export interface KernelModuleContents {
  /** The file, as messages name it. */
  readonly name: string;
  /** OpenCL C with all that it includes, for drivers. */
  readonly source: string;
  /** As for clBuildProgram. */
  readonly options?: string;
  /** For the software device, which then does without the compiler: SPIR-V in base64. */
  readonly spirv?: string;
  /**
   * For each kernel by name the types of its arguments: `float`, `int4`, `float*`. It is an empty string where a type has no
   * name in OpenCL C that all drivers know: structs, images.
   */
  readonly kernels: Readonly<Record<string, readonly string[]>>;
}

/**
 * The kernels of one `.cl` file. `Signatures` are their types by name.
 *
 * @example
 * ```ts
 * const module = new KernelModule({
 *   name: 'twice.cl',
 *   source: 'kernel void twice(global float *x) { x[get_global_id(0)] *= 2; }',
 *   kernels: { twice: ['float*'] },
 * });
 * const x = cl.buffer(Float32Array.of(1, 2));
 * await module.kernel('twice').run(cl, { global: 2 }, x);
 * console.log(await x.read());                     // Float32Array(2) [ 2, 4 ]
 * ```
 */
export class KernelModule<Signatures extends KernelSignatures<Signatures> = Record<string, never>> {
  readonly #contents: KernelModuleContents;
  readonly #programs = new WeakMap<Context, Promise<Program>>();

  constructor(contents: KernelModuleContents) {
    this.#contents = contents;
  }

  /** The file that it was made of. */
  get name(): string {
    return this.#contents.name;
  }

  /** The names of the kernels, in the order of the file. */
  get kernelNames(): readonly string[] {
    return Object.keys(this.#contents.kernels);
  }

  /**
   * A kernel by its name; nothing is built for it yet.
   * @throws OpenCLError INVALID_KERNEL_NAME, with the names that there are
   */
  kernel<Name extends keyof Signatures & string>(name: Name): ModuleKernel<ArgumentsOf<Signatures[Name]>> {
    const { kernels, name: file } = this.#contents;
    if (Object.hasOwn(kernels, name)) return new ModuleKernel(this as never, name, kernels[name]!);
    const detail = `${file} has no kernel '${name}'; it has ${this.kernelNames.join(', ') || 'none'}`;
    throw new OpenCLError(ErrorCode.INVALID_KERNEL_NAME, 'clCreateKernel', detail);
  }

  /**
   * The program for a session's device: built when it is first asked for, and the same one for all who ask later. `signal` ends
   * the waiting, and not the build.
   * @throws OpenCLError BUILD_PROGRAM_FAILURE where a driver's compiler refuses the source
   */
  async build(cl: Session, waiting: Waiting = {}): Promise<Program<Signatures>> {
    const program = await unlessAborted(() => this.#built(cl), waiting.signal);
    return program as unknown as Program<Signatures>;
  }

  async #built(cl: Session): Promise<Program> {
    const known = await this.#programs.get(cl.context);
    if (known && !known.released) return known;
    const building = this.#build(cl);
    this.#programs.set(cl.context, building);
    try {
      return await building;
    } catch (error) {
      this.#programs.delete(cl.context);
      throw error;
    }
  }

  async #build({ device, context }: Session): Promise<Program> {
    const { source, spirv, options = '' } = this.#contents;
    if (spirv !== undefined && device.type === 'software')
      return context.createProgramWithIL(bytesOf(spirv)).build(forSpirv(options));
    return context.createProgram(source).build(options);
  }
}

/** What is left to decide once the source is SPIR-V: its macros, folders and version of the language are not. */
const forSpirv = (options: string): string =>
  options
    .split(/\s+/)
    .filter((option) => option.startsWith('-cl-') && !option.startsWith('-cl-std'))
    .join(' ');

const bytesOf = (base64: string): Uint8Array =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

/**
 * A kernel of a module: for whatever session it is used with.
 *
 * @example
 * ```ts
 * const module = new KernelModule({ name: 'a.cl', source: 'kernel void nothing() {}', kernels: { nothing: [] } });
 * const nothing = module.kernel('nothing');
 * console.log((await nothing.on(cl)).argumentCount); // 0
 * ```
 */
export class ModuleKernel<Arguments extends readonly KernelValue[] = readonly KernelValue[]> {
  readonly #module: KernelModule;
  readonly #types: readonly string[];
  readonly #kernels = new WeakMap<Program, Kernel<Arguments>>();

  /** @internal */
  constructor(
    module: KernelModule,
    /** The name of the kernel. */
    readonly name: string,
    types: readonly string[],
  ) {
    this.#module = module;
    this.#types = types;
  }

  /** The kernel on a session's device: one object for each session's context. */
  async on(cl: Session, waiting: Waiting = {}): Promise<Kernel<Arguments>> {
    const program = (await this.#module.build(cl, waiting)) as unknown as Program;
    const known = this.#kernels.get(program);
    if (known && !known.released) return known;
    const kernel = program.createKernel(this.name) as unknown as Kernel<Arguments>;
    kernel[declareArguments](this.#types);
    this.#kernels.set(program, kernel);
    return kernel;
  }

  /** Runs it over a range, and waits for its end. It is built if it is the first time on this device. */
  async run(cl: Session, options: RunOptions & Waiting, ...values: Arguments): Promise<void> {
    const { signal, ...range } = options;
    await unlessAborted(async () => {
      const kernel = await this.on(cl);
      await kernel.run(range, ...values);
    }, signal);
  }
}

guard('KernelModule', KernelModule);
guard('ModuleKernel', ModuleKernel);
