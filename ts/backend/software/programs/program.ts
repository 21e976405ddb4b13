// SPDX-License-Identifier: MIT
//
// A program on the software device: its source, SPIR-V or binary, and what building, compiling and linking make of it.
import { finish } from '../../../base/steps';
import { BuildStatus, ErrorCode, ProgramBinaryType } from '../../../cl/constants.gen';
import { answerInfo } from '../../../cl/encode-info';
import { programBuildInfo, programInfo } from '../../../cl/info-keys.gen';
import { InternalOpenCLError, OpenCLError } from '../../../cl/opencl-error';
import type { JitProgram } from '../../../jit/compiled';
import type { BackendDevice, BackendProgram } from '../../backend';
import { readBuildOptions, WRONG_OPTIONS } from '../build/build-options';
import {
  BuildFailure,
  type BuildInput,
  type BuiltProgram,
  buildProgram,
  compileText,
  type SpirvInput,
} from '../build/build-program';
import { stepFor } from '../build/compilation-step';
import { attempt } from '../build/internal-errors';
import { decodeProgram, encodeProgram } from '../build/program-binary';
import {
  buildElsewhere,
  compileElsewhere,
  isBuiltElsewhere,
  settled,
} from '../compile-thread/build-elsewhere';
import { RefCounted } from '../ref-counted';
import type { ContextServices } from '../services';
import { Executable } from './executable';
import { buildsElsewhere, GivenSpirv } from './given-spirv';
import { SoftwareKernel } from './kernel';
import { checkLinkOptions, linkObjects } from './link-objects';
import { checkConstant, type Origin, reproductionOf, withLines } from './program-origin';

/** The result of the last build, compilation or link. */
interface Outcome {
  readonly status: BuildStatus;
  readonly options: string;
  readonly log: string;
  readonly type: ProgramBinaryType;
}

/** The input of a build, and its options. */
interface BuildTask {
  readonly input: BuildInput;
  readonly options: string;
  readonly uniformWorkGroups: boolean;
}

const BUILD_CALL = 'clBuildProgram';
const UNBUILT: Outcome = { status: BuildStatus.NONE, options: '', log: '', type: ProgramBinaryType.NONE };

export class SoftwareProgram extends RefCounted implements BackendProgram {
  private outcome = UNBUILT;
  private spirv: Uint8Array | undefined;
  private executable: Executable | undefined;
  private readonly constants = new Map<number, Uint8Array>();
  private kernels = 0;
  /** Set while the program is being built, but for blocking builds. */
  private building: AbortController | undefined;

  private constructor(
    private readonly services: ContextServices,
    private readonly origin: Origin,
  ) {
    super();
  }

  static fromSource(services: ContextServices, text: string): SoftwareProgram {
    return new SoftwareProgram(services, { kind: 'source', text });
  }

  static fromIL(services: ContextServices, il: Uint8Array): SoftwareProgram {
    const bytes = new Uint8Array(il);
    const given = new GivenSpirv(services, bytes, ErrorCode.INVALID_VALUE, 'clCreateProgramWithIL');
    return new SoftwareProgram(services, { kind: 'il', given });
  }

  static fromBinary(services: ContextServices, binary: Uint8Array): SoftwareProgram {
    const functionName = 'clCreateProgramWithBinary';
    const bytes = new Uint8Array(binary);
    const stored = decodeProgram(bytes) ?? {
      type: ProgramBinaryType.EXECUTABLE,
      options: '',
      log: '',
      spirv: bytes,
    };
    const given = new GivenSpirv(services, stored.spirv.slice(), ErrorCode.INVALID_BINARY, functionName);
    const program = new SoftwareProgram(services, { kind: 'binary', given });
    program.spirv = given.bytes;
    program.outcome = { ...stored, status: BuildStatus.NONE };
    return program;
  }

  static async link(
    services: ContextServices,
    options: string,
    inputs: readonly SoftwareProgram[],
    signal?: AbortSignal,
  ): Promise<SoftwareProgram> {
    const functionName = 'clLinkProgram';
    checkLinkOptions(options, functionName);
    const program = new SoftwareProgram(services, { kind: 'linked' });
    const { createLibrary } = readBuildOptions(options, false);
    const uniform = inputs.some((input) => readBuildOptions(input.outcome.options, true).uniformWorkGroups);
    const objects = inputs.map((input) => input.linkable(functionName));
    await linkObjects(
      services,
      objects,
      { options, createLibrary, mayWait: program.mayWait, signal },
      (linked) => {
        program.spirv = linked.spirv;
        if (linked.jit) program.adopt(linked.jit, linked.spirv, uniform, false);
      },
    );
    const type = createLibrary ? ProgramBinaryType.LIBRARY : ProgramBinaryType.EXECUTABLE;
    program.outcome = { status: BuildStatus.SUCCESS, options, log: '', type };
    return program;
  }

  info(param: number): Uint8Array {
    const answers = {
      REFERENCE_COUNT: this.referenceCount,
      NUM_DEVICES: 1,
      SOURCE: this.origin.kind === 'source' ? this.origin.text : '',
      BINARY_SIZES: () => this.binaries().map((binary) => binary.length),
      NUM_KERNELS: () => this.built('clGetProgramInfo').count,
      KERNEL_NAMES: () => this.built('clGetProgramInfo').names.join(';'),
      IL: this.origin.kind === 'il' ? this.origin.given.bytes : new Uint8Array(0),
      SCOPE_GLOBAL_CTORS_PRESENT: false,
      SCOPE_GLOBAL_DTORS_PRESENT: false,
    };
    return answerInfo(programInfo, answers, 'clGetProgramInfo', param);
  }

  buildInfo(_device: BackendDevice, param: number): Uint8Array {
    const { status, options, log, type } = this.outcome;
    const hasBinary =
      status === BuildStatus.SUCCESS || (status === BuildStatus.NONE && this.origin.kind === 'binary');
    const answers = {
      BUILD_STATUS: status,
      BUILD_OPTIONS: options,
      BUILD_LOG: log,
      BINARY_TYPE: hasBinary ? type : ProgramBinaryType.NONE,
      BUILD_GLOBAL_VARIABLE_TOTAL_SIZE: this.executable?.globalBytes ?? 0,
    };
    return answerInfo(programBuildInfo, answers, 'clGetProgramBuildInfo', param);
  }

  async build(_devices: readonly BackendDevice[], options: string, signal?: AbortSignal): Promise<void> {
    const task = this.startBuild(options);
    const { services } = this;
    const isElsewhere = isBuiltElsewhere(services, task.input);
    const built = await this.later(options, signal, (ending) =>
      isElsewhere
        ? buildElsewhere(services, task.input, ending)
        : services.turns.run(buildProgram(services, task.input), stepFor(services, task.input), ending),
    );
    this.record(options, BUILD_CALL, ErrorCode.BUILD_PROGRAM_FAILURE, () => this.finishBuild(task, built()));
  }

  buildSync(_devices: readonly BackendDevice[], options: string): void {
    const task = this.startBuild(options);
    const { services } = this;
    const step = stepFor(services, task.input);
    this.record(options, BUILD_CALL, ErrorCode.BUILD_PROGRAM_FAILURE, () =>
      this.finishBuild(
        task,
        step(() => finish(buildProgram(services, task.input))),
      ),
    );
  }

  /** Discards the previous build, and returns the input of the next one. */
  private startBuild(options: string): BuildTask {
    this.checkUnused(BUILD_CALL);
    this.checkIdle(BUILD_CALL);
    const { origin, spirv, constants, outcome } = this;
    const fromSource = origin.kind === 'source';
    let { uniformWorkGroups } = readBuildOptions(options, fromSource);
    this.forget();
    if (fromSource) {
      // Reports of checks name source lines, and assertions are evaluated.
      const all = withLines(this.services.device, options);
      return {
        options,
        uniformWorkGroups,
        input: { kind: 'source', text: origin.text, options: all, target: this.services.target },
      };
    }
    if (origin.kind === 'il') {
      const input = { kind: 'spirv', constants, ...origin.given.input } as const;
      return { options, uniformWorkGroups, input };
    }
    if (!spirv)
      throw new OpenCLError(ErrorCode.INVALID_OPERATION, BUILD_CALL, 'a linked program is already built');
    uniformWorkGroups ||= readBuildOptions(outcome.options, origin.kind === 'binary').uniformWorkGroups;
    return { options, uniformWorkGroups, input: { kind: 'spirv', constants, ...this.linkable(BUILD_CALL) } };
  }

  /**
   * Runs a step on the compiler's thread or in turns until the signal or the program's release aborts it. The result throws the step's
   * error.
   */
  private async later<T>(
    options: string,
    signal: AbortSignal | undefined,
    step: (ending: AbortSignal) => Promise<T>,
  ): Promise<() => T> {
    const ending = new AbortController();
    const abort = (): void => ending.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    this.building = ending;
    this.outcome = { ...UNBUILT, status: BuildStatus.IN_PROGRESS, options };
    const result = await settled(step(ending.signal));
    signal?.removeEventListener('abort', abort);
    this.building = undefined;
    this.outcome = { ...UNBUILT, status: BuildStatus.ERROR, options };
    // An abort's reason is the caller's, and is not reported as a build failure.
    if (ending.signal.aborted) result();
    return result;
  }

  private finishBuild({ options, uniformWorkGroups }: BuildTask, built: BuiltProgram): void {
    const { jit, spirv, log, isNew } = built;
    this.spirv ??= spirv;
    if (this.origin.kind === 'il' || this.origin.kind === 'binary') this.origin.given.wasBuilt();
    this.adopt(jit, this.spirv, uniformWorkGroups, isNew);
    this.outcome = { status: BuildStatus.SUCCESS, options, log, type: ProgramBinaryType.EXECUTABLE };
  }

  async compile(
    _devices: readonly BackendDevice[],
    options: string,
    headers: ReadonlyMap<string, BackendProgram>,
    signal?: AbortSignal,
  ): Promise<void> {
    const functionName = 'clCompileProgram';
    this.checkUnused(functionName);
    this.checkIdle(functionName);
    this.forget();
    const { origin, services } = this;
    let log = '';
    const texts = new Map<string, string>();
    for (const [name, program] of headers) texts.set(name, (program as SoftwareProgram).sourceText());
    const text = origin.kind === 'source' ? origin.text : '';
    const { target } = this.services;
    const input = {
      text,
      options: withLines(this.services.device, options),
      target,
      headers: texts,
    };
    const isElsewhere = isBuiltElsewhere(services, { kind: 'source', ...input });
    const compiling = (ending: AbortSignal): Promise<{ spirv: Uint8Array | undefined; log: string }> =>
      isElsewhere
        ? compileElsewhere(services, input, ending)
        : services.turns.run(compileText(services, input), stepFor(services, input), ending);
    const fromText = origin.kind === 'source' ? await this.later(options, signal, compiling) : undefined;
    this.record(options, functionName, ErrorCode.COMPILE_PROGRAM_FAILURE, () => {
      if (fromText) {
        const compiled = fromText();
        log = compiled.log;
        this.spirv = compiled.spirv;
      } else if (origin.kind === 'il') {
        const { toolchain } = this.services;
        const module = origin.given.module();
        this.spirv = toolchain.encode(
          this.constants.size > 0 ? toolchain.specialize(module, this.constants) : module,
        );
      } else {
        throw new OpenCLError(ErrorCode.INVALID_OPERATION, functionName, 'the program has no source');
      }
    });
    this.outcome = { status: BuildStatus.SUCCESS, options, log, type: ProgramBinaryType.COMPILED_OBJECT };
  }

  setSpecializationConstant(id: number, value: Uint8Array): void {
    if (this.origin.kind !== 'il') {
      throw new OpenCLError(
        ErrorCode.INVALID_PROGRAM,
        'clSetProgramSpecializationConstant',
        'only programs made from SPIR-V have specialization constants',
      );
    }
    checkConstant(this.services, this.origin, id, value);
    this.constants.set(id, new Uint8Array(value));
  }

  createKernel(name: string, { holdsArguments = true } = {}): SoftwareKernel {
    const functionName = 'clCreateKernel';
    const executable = this.built(functionName);
    const signature = executable.signature(name);
    if (!signature) {
      throw new OpenCLError(
        ErrorCode.INVALID_KERNEL_NAME,
        functionName,
        `there is no kernel '${name}'; the program has ${executable.names.map((n) => `'${n}'`).join(', ') || 'none'}`,
      );
    }
    this.kernels++;
    this.retain();
    const onRelease = (): void => {
      this.kernels--;
      this.release();
    };
    return new SoftwareKernel(this.services.device, executable, signature, onRelease, holdsArguments);
  }

  kernelNames(): readonly string[] {
    return this.built('clCreateKernelsInProgram').names;
  }

  hasKernel(name: string): boolean {
    return this.built('clGetProgramInfo').has(name);
  }

  binaries(): readonly Uint8Array[] {
    if (!this.spirv) return [new Uint8Array(0)];
    const { type, options, log } = this.outcome;
    return [encodeProgram({ type, options, log, spirv: this.spirv })];
  }

  protected override destroy(): void {
    const message = 'the program was released while it was being built';
    this.building?.abort(new OpenCLError(ErrorCode.INVALID_PROGRAM, BUILD_CALL, message));
    this.executable?.release();
  }

  private sourceText(): string {
    if (this.origin.kind === 'source') return this.origin.text;
    throw new OpenCLError(ErrorCode.INVALID_PROGRAM, 'clCompileProgram', 'a header must be made from source');
  }

  private get mayWait(): boolean {
    return buildsElsewhere(this.services);
  }

  /** Runs a build step and records how it failed. */
  private record(options: string, functionName: string, code: ErrorCode, step: () => void): void {
    const { host } = this.services;
    try {
      const reproduction = () => reproductionOf(this.origin, this.spirv, this.constants, options);
      attempt({ host, code, functionName, reproduction }, step);
    } catch (error) {
      const answered = error instanceof OpenCLError;
      if (answered && !(error instanceof InternalOpenCLError)) throw error;
      const log = answered ? '' : (error as Error).message;
      this.outcome = { ...UNBUILT, status: BuildStatus.ERROR, options, log };
      if (answered) throw error;
      const wrongOptions = error instanceof BuildFailure && error.badOptions;
      throw new OpenCLError(wrongOptions ? WRONG_OPTIONS[code]! : code, functionName, log.trimEnd(), log);
    }
  }

  private adopt(jit: JitProgram, spirv: Uint8Array, uniformWorkGroups: boolean, isNew: boolean): void {
    const { device, turns } = this.services;
    const settings = this.services.settings();
    this.executable = new Executable(
      device,
      turns,
      jit,
      spirv,
      settings,
      isNew,
      uniformWorkGroups,
      this.origin.kind === 'source' ? this.origin.text : undefined,
    );
  }

  private forget(): void {
    this.executable?.release();
    this.executable = undefined;
    if (this.origin.kind === 'source' || this.origin.kind === 'il') this.spirv = undefined;
  }

  private checkUnused(functionName: string): void {
    if (this.kernels === 0) return;
    throw new OpenCLError(
      ErrorCode.INVALID_OPERATION,
      functionName,
      'the program has kernels; release them before it is built again',
    );
  }

  private checkIdle(functionName: string): void {
    if (!this.building) return;
    throw new OpenCLError(ErrorCode.INVALID_OPERATION, functionName, 'the program is still being built');
  }

  private built(functionName: string): Executable {
    if (this.executable) return this.executable;
    throw new OpenCLError(
      ErrorCode.INVALID_PROGRAM_EXECUTABLE,
      functionName,
      'the program has not been built successfully',
    );
  }

  /** The module of a compiled program or library. */
  private linkable(functionName: string): SpirvInput {
    if (this.origin.kind === 'binary') return this.origin.given.input;
    if (this.spirv) return { bytes: this.spirv };
    throw new OpenCLError(
      ErrorCode.INVALID_OPERATION,
      functionName,
      'an input program has not been compiled successfully',
    );
  }
}
