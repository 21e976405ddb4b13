// SPDX-License-Identifier: MIT
import type { ErrorCode } from '../../../cl/constants.gen';
import { OpenCLError } from '../../../cl/opencl-error';
import type { Module } from '../../../spirv/module';
import { decodeGiven, notValid, type SpirvInput } from '../build/build-program';
import { isLongSpirv } from '../build/input-size';
import { attempt } from '../build/internal-errors';
import type { ContextServices } from '../services';

type CreatingCode = typeof ErrorCode.INVALID_VALUE | typeof ErrorCode.INVALID_BINARY;

/** Whether long builds run on the compiler's thread. It does not transfer the tables of checks and counters. */
export function buildsElsewhere({ device, compiler }: ContextServices): boolean {
  return device.checked === undefined && device.coverage === undefined && compiler.available();
}

/**
 * SPIR-V that a program is created from. It is decoded and validated at once, except for a long module: decoding it would block
 * the event loop, so that only its words are checked, and its build does the rest.
 */
export class GivenSpirv {
  private decoded: Module | undefined;
  private unchecked: boolean;

  /** Throws an OpenCLError with `code`. */
  constructor(
    private readonly services: ContextServices,
    readonly bytes: Uint8Array,
    private readonly code: CreatingCode,
    private readonly functionName: string,
  ) {
    this.unchecked = isLongSpirv([bytes]) && buildsElsewhere(services);
    const wrong = this.unchecked ? wrongWords(bytes) : undefined;
    if (wrong !== undefined) throw new OpenCLError(code, functionName, notValid(wrong));
    if (!this.unchecked) this.decoded = readModule(services, bytes, code, functionName);
  }

  /** The decoded module. Throws an OpenCLError if it is not valid. */
  module(): Module {
    this.decoded ??= readModule(this.services, this.bytes, this.code, this.functionName);
    this.unchecked = false;
    return this.decoded;
  }

  /** As the input of a build or link. */
  get input(): SpirvInput {
    const { bytes, unchecked, decoded } = this;
    return { bytes, unchecked, ...(decoded && { module: decoded }) };
  }

  /** A build has decoded and validated it. The decoded module is larger than the bytes, and seldom needed again. */
  wasBuilt(): void {
    this.unchecked = false;
    this.decoded = undefined;
  }
}

/** Decodes and validates SPIR-V. Throws OpenCLError with `code`. */
function readModule(
  services: ContextServices,
  bytes: Uint8Array,
  code: CreatingCode,
  functionName: string,
): Module {
  const { host, toolchain } = services;
  const reproduction = () => ({ files: { 'program.spv': bytes }, given: {} });
  let problem: string | undefined;
  try {
    const module = attempt({ host, code, functionName, reproduction }, () => {
      const decoded = decodeGiven(toolchain, bytes);
      problem = toolchain.validate(decoded);
      return decoded;
    });
    if (problem === undefined) return module;
  } catch (error) {
    if (error instanceof OpenCLError) throw error;
    problem = (error as Error).message;
  }
  throw new OpenCLError(code, functionName, notValid(problem));
}

const MAGIC = 0x07230203;
const HEADER_BYTES = 20;

/** What is wrong with a module's magic number, its size or its word counts. */
function wrongWords(bytes: Uint8Array): string | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const little = view.getUint32(0, true) === MAGIC;
  if (!little && view.getUint32(0, false) !== MAGIC)
    return 'a module starts with the magic number 0x07230203';
  let at = HEADER_BYTES;
  while (at + 4 <= bytes.length) {
    const count = view.getUint32(at, little) >>> 16;
    if (count === 0) return `word ${at / 4}: an instruction has at least one word`;
    at += 4 * count;
  }
  return at === bytes.length ? undefined : 'its last instruction is incomplete';
}
