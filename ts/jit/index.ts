// SPDX-License-Identifier: MIT
//
// The JIT's entry point: a linked, specialized SPIR-V module becomes a program whose kernels are compiled on demand.
import type { AddressBits, KernelBinary } from '../base/kernel-abi';
import { finish, LONG, type Steps } from '../base/steps';
import type { Module } from '../spirv/module';
import { specialize } from '../spirv/specialize';
import type { JitOptions, JitProgram, KernelTrace, Library } from './compiled';
import { Program } from './frontend/program';
import { kernelSteps, simplifyBody } from './pipeline';

export { JitError } from './jit-error';

/** Prepares a module for a device whose memory has addresses of so many bits. Throws a `JitError` if it uses a feature that the software device does not have. */
export function loadProgram(module: Module, library: Library, addressBits: AddressBits = 32): JitProgram {
  const program = new Program(specialize(module), library, addressBits);
  return {
    binary: program.binary,
    instructions: instructionsOf(module),
    debugKernel: (name, options) =>
      (require('./seldom') as typeof import('./seldom')).debugKernel(program, name, options),
    compileKernel: (...kernel) => finish(stepsOf(program, ...kernel)),
    kernelSteps: (...kernel) => stepsOf(program, ...kernel),
  };
}

function* stepsOf(
  program: Program,
  name: string,
  options: JitOptions,
  trace?: KernelTrace,
): Steps<KernelBinary> {
  yield LONG;
  const translated = program.translate(name, {
    zeroPrivate: options.zeroed?.private === true,
    fusedMultiplyAdd: options.engine.fusedMultiplyAdd,
    checks: options.checks,
    coverage: options.coverage !== undefined,
    simplifyBody: (body, signature) =>
      simplifyBody(body, { signature, constants: program.image, fuse: options.engine.relaxedSimd }, trace),
  });
  yield;
  return yield* kernelSteps({
    ...translated,
    constants: program.image,
    options,
    ...(trace ? { trace } : {}),
  });
}

function instructionsOf(module: Module): number {
  let count = 0;
  for (const { blocks } of module.functions)
    for (const { instructions } of blocks) count += instructions.length;
  return count;
}
