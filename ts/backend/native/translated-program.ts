// SPDX-License-Identifier: MIT
//
// A program of SPIR-V on devices whose driver takes none: it is handed over as OpenCL C.

import { DeviceInfo, ErrorCode, ProgramBuildInfo, ProgramInfo } from '../../cl/constants.gen';
import { decodeInfo } from '../../cl/info-values';
import { OpenCLError } from '../../cl/opencl-error';
import { decode } from '../../spirv/decode';
import { AddressingModel } from '../../spirv/grammar.gen';
import type { Module } from '../../spirv/module';
import { specialize } from '../../spirv/specialize';
import { SpirvError } from '../../spirv/spirv-error';
import { DEBUG_INFO } from '../../spirv/strip-debug-info';
import type { BackendDevice, BackendProgram } from '../backend';
import type { BackendKernel } from '../backend-queue';
import type { Handle } from './addon';
import type { NativeProgram } from './program';

const FUNCTION = 'clCreateProgramWithIL';
const NOTE = 'note: the driver does not accept SPIR-V: this program was translated to OpenCL C\n';

/** Whether the device's driver compiles SPIR-V. */
export function takesIL(device: BackendDevice): boolean {
  return stringInfo(device, DeviceInfo.IL_VERSION).includes('SPIR-V');
}

/** Whether the driver claims to support the debug information of `-g`; most do not, and some refuse it. */
export function takesDebugInfo(device: BackendDevice): boolean {
  const sets = told(device, DeviceInfo.SPIRV_EXTENDED_INSTRUCTION_SETS);
  return sets !== undefined && decodeInfo('strings', sets).includes(DEBUG_INFO);
}

function stringInfo(device: BackendDevice, param: number): string {
  const bytes = told(device, param);
  return bytes ? decodeInfo('string', bytes) : '';
}

function told(device: BackendDevice, param: number): Uint8Array | undefined {
  try {
    return device.info(param);
  } catch (error) {
    if (error instanceof OpenCLError) return undefined;
    throw error;
  }
}

export class TranslatedProgram implements BackendProgram {
  private readonly module: Module;
  private readonly constants = new Map<number, Uint8Array>();
  private readonly il: Uint8Array;
  private program: NativeProgram;
  private options = '';

  /** Throws OpenCLError if the module is invalid or cannot run on these devices. */
  constructor(
    il: Uint8Array,
    private readonly devices: readonly BackendDevice[],
    private readonly create: (source: string) => NativeProgram,
  ) {
    // This copies: `slice` of a Buffer does not.
    this.il = new Uint8Array(il);
    this.module = checked(ErrorCode.INVALID_VALUE, () => decode(this.il));
    for (const device of devices) checkAddressing(this.module, device);
    this.program = this.translate();
  }

  get handle(): Handle {
    return this.program.handle;
  }

  info(param: number): Uint8Array {
    return param === ProgramInfo.IL ? this.il.slice() : this.program.info(param);
  }

  buildInfo(device: BackendDevice, param: number): Uint8Array {
    const bytes = this.program.buildInfo(device, param);
    if (param !== ProgramBuildInfo.BUILD_LOG) return bytes;
    return new TextEncoder().encode(`${NOTE}${decodeInfo('string', bytes)}\0`);
  }

  build(devices: readonly BackendDevice[], options: string): Promise<void> {
    return this.program.build(devices, this.withOwn(options));
  }

  buildSync(devices: readonly BackendDevice[], options: string): void {
    this.program.buildSync(devices, this.withOwn(options));
  }

  compile(
    devices: readonly BackendDevice[],
    options: string,
    headers: ReadonlyMap<string, BackendProgram>,
  ): Promise<void> {
    return this.program.compile(devices, this.withOwn(options), headers);
  }

  setSpecializationConstant(id: number, value: Uint8Array): void {
    this.constants.set(id, new Uint8Array(value));
    const previous = this.program;
    this.program = this.translate();
    previous.release();
  }

  createKernel(name: string): BackendKernel {
    return this.program.createKernel(name);
  }

  createKernels(): readonly BackendKernel[] {
    return this.program.createKernels();
  }

  kernelNames(): readonly string[] {
    return this.program.kernelNames();
  }

  binaries(): readonly Uint8Array[] {
    return this.program.binaries();
  }

  release(): void {
    this.program.release();
  }

  private translate(): NativeProgram {
    const { toSource } = require('../../spirv/source') as typeof import('../../spirv/source');
    const { source, options } = checked(ErrorCode.INVALID_OPERATION, () =>
      toSource(specialize(this.module, this.constants)),
    );
    this.options = this.devices.reduce(languageFor, options);
    return this.create(source);
  }

  private withOwn(options: string): string {
    return `${this.options} ${options}`.trim();
  }
}

function checked<T>(code: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof SpirvError) throw new OpenCLError(code, FUNCTION, error.message);
    throw error;
  }
}

function checkAddressing(module: Module, device: BackendDevice): void {
  const bits = decodeInfo('uint', device.info(DeviceInfo.ADDRESS_BITS));
  const model = bits === 64 ? AddressingModel.Physical64 : AddressingModel.Physical32;
  if (module.addressing === model) return;
  const name = stringInfo(device, DeviceInfo.NAME);
  throw new OpenCLError(
    ErrorCode.INVALID_VALUE,
    FUNCTION,
    `the module's addressing is ${AddressingModel[module.addressing]}, and ${name} has addresses of ${bits} bits`,
  );
}

/** Devices of 2.x have another name for the language with generic pointers and C11 atomics. */
function languageFor(options: string, device: BackendDevice): string {
  if (!options.includes('-cl-std=CL3.0')) return options;
  const version = /OpenCL (\d+)\./.exec(stringInfo(device, DeviceInfo.VERSION))?.[1];
  if (version === '1')
    throw new OpenCLError(
      ErrorCode.INVALID_OPERATION,
      FUNCTION,
      `the module needs OpenCL C 2.0 or later, which ${stringInfo(device, DeviceInfo.NAME)} does not have`,
    );
  return version === '2' ? options.replace('CL3.0', 'CL2.0') : options;
}
