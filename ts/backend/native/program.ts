// SPDX-License-Identifier: MIT

import { ErrorCode, ProgramBuildInfo, ProgramInfo } from '../../cl/constants.gen';
import { decodeInfo } from '../../cl/info-values';
import { OpenCLError } from '../../cl/opencl-error';
import type { BackendDevice, BackendProgram } from '../backend';
import type { Handle, Ticket } from './addon';
import { NativeKernel } from './kernel';
import { NativeObject } from './native-object';
import { ProgramSources, type TranslationUnit } from './program-sources';
import { jobStatus, lossOf } from './remote-device';
import { handleOf, type Session } from './session';

/** No device stands for all of them. */
const orAll = <T>(devices: readonly T[], all: readonly T[]): readonly T[] =>
  devices.length > 0 ? devices : all;

/** What a program was made of, as far as the driver does not tell it. */
export interface ProgramOrigin {
  /** The SPIR-V, if the driver got another form of it. */
  readonly il?: Uint8Array;
  /** The source, which is compiled by `build` or `compile`. */
  readonly text?: string;
  /** What it was linked from. */
  readonly units?: readonly TranslationUnit[];
}

export class NativeProgram extends NativeObject implements BackendProgram {
  private sources: ProgramSources | undefined;

  constructor(
    session: Session,
    handle: Handle,
    /** The context's devices, for builds that name none. */
    private readonly devices: readonly BackendDevice[],
    readonly origin: ProgramOrigin = {},
  ) {
    super(session, handle);
    if (origin.units) this.sources = new ProgramSources(origin.units, devices[0]!);
  }

  override info(param: number): Uint8Array {
    if (param === ProgramInfo.IL && this.origin.il) return this.origin.il.slice();
    return super.info(param);
  }

  buildInfo(device: BackendDevice, param: number): Uint8Array {
    return this.session.addon.buildInfo(this.handle, handleOf(device), param);
  }

  build(devices: readonly BackendDevice[], options: string): Promise<void> {
    this.compiledWith(options);
    return this.job('clBuildProgram', devices, () =>
      this.session.addon.build(this.handle, devices.map(handleOf), options),
    );
  }

  buildSync(devices: readonly BackendDevice[], options: string): void {
    this.compiledWith(options);
    try {
      this.session.addon.buildSync(this.handle, devices.map(handleOf), options);
    } catch (error) {
      if (!(error instanceof OpenCLError)) throw error;
      throw this.withLog(error.code, error.functionName, devices);
    }
  }

  compile(
    devices: readonly BackendDevice[],
    options: string,
    headers: ReadonlyMap<string, BackendProgram>,
  ): Promise<void> {
    this.compiledWith(options, headers);
    return this.job('clCompileProgram', devices, () =>
      this.session.addon.compile(
        this.handle,
        devices.map(handleOf),
        options,
        [...headers.keys()],
        [...headers.values()].map(handleOf),
      ),
    );
  }

  setSpecializationConstant(id: number, value: Uint8Array): void {
    this.session.addon.setSpecializationConstant(this.handle, id, value);
  }

  createKernel(name: string): NativeKernel {
    return new NativeKernel(this.session, this.session.addon.createKernel(this.handle, name), this.sources);
  }

  createKernels(): readonly NativeKernel[] {
    return this.session.addon
      .createKernels(this.handle)
      .map((handle) => new NativeKernel(this.session, handle, this.sources));
  }

  kernelNames(): readonly string[] {
    return decodeInfo('string', this.info(ProgramInfo.KERNEL_NAMES)).split(';').filter(Boolean);
  }

  onRelease(callback: () => void): void {
    this.session.when(this.session.addon.onProgramReleased(this.handle), callback);
  }

  binaries(): readonly Uint8Array[] {
    return this.session.addon.binaries(this.handle);
  }

  /** The translation units that it consists of. */
  get units(): readonly TranslationUnit[] {
    return this.sources?.units ?? [];
  }

  private compiledWith(options: string, programs: ReadonlyMap<string, BackendProgram> = new Map()): void {
    const { text } = this.origin;
    if (text === undefined) return;
    const headers = new Map([...programs].map(([name, program]) => [name, textOf(program)]));
    this.sources = new ProgramSources([{ text, options, headers }], this.devices[0]!);
  }

  private targets(devices: readonly BackendDevice[]): readonly BackendDevice[] {
    return orAll(devices, this.devices);
  }

  /** The build log of each device. */
  log(devices: readonly BackendDevice[]): string {
    const logs = new Set<string>();
    for (const device of this.targets(devices)) {
      try {
        logs.add(decodeInfo('string', this.buildInfo(device, ProgramBuildInfo.BUILD_LOG)).trim());
      } catch {
        // A device that the program was not built for has no log.
      }
    }
    return [...logs].filter(Boolean).join('\n');
  }

  private withLog(code: number, functionName: string, devices: readonly BackendDevice[]): OpenCLError {
    const loss = lossOf(this.targets(devices));
    if (loss) return new OpenCLError(loss.status, functionName, loss.text);
    const log = this.log(devices);
    return new OpenCLError(code, functionName, log ? `the build log says:\n${log}` : undefined, log);
  }

  /** The error is made after an `await`, so that V8 knows which call waits for it. */
  private async job(
    functionName: string,
    devices: readonly BackendDevice[],
    start: () => Ticket,
  ): Promise<void> {
    const ticket = start();
    const status = await jobStatus(this.session, ticket, this.targets(devices), functionName);
    this.session.addon.jobDone(ticket);
    if (status !== ErrorCode.SUCCESS) throw this.withLog(status, functionName, devices);
  }
}

const textOf = (program: BackendProgram): string =>
  (program instanceof NativeProgram && program.origin.text) || '';

/** clLinkProgram, off the main thread. */
export async function linkProgram(
  session: Session,
  context: Handle,
  contextDevices: readonly BackendDevice[],
  devices: readonly BackendDevice[],
  options: string,
  inputs: readonly BackendProgram[],
): Promise<NativeProgram> {
  const ticket = session.addon.link(context, devices.map(handleOf), options, inputs.map(handleOf));
  const status = await jobStatus(session, ticket, orAll(devices, contextDevices), 'clLinkProgram');
  const handle = session.addon.linkedProgram(ticket);
  const units = inputs.flatMap((input) => (input instanceof NativeProgram ? input.units : []));
  const program = handle === 0 ? undefined : new NativeProgram(session, handle, contextDevices, { units });
  if (status === ErrorCode.SUCCESS && program) return program;
  const log = program?.log(devices);
  program?.release();
  throw new OpenCLError(
    status === ErrorCode.SUCCESS ? ErrorCode.LINK_PROGRAM_FAILURE : status,
    'clLinkProgram',
    log ? `the link log says:\n${log}` : undefined,
    log,
  );
}
