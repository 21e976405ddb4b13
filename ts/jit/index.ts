// SPDX-License-Identifier: MIT
//
// The JIT's entry point: a linked, specialized SPIR-V module becomes a program whose kernels are compiled on demand.
import type { AddressBits, KernelBinary } from '../base/kernel-abi';
import { finish, type Steps } from '../base/steps';
import type { Module } from '../spirv/module';
import { specialize } from '../spirv/specialize';
import type { JitOptions, JitProgram, KernelTrace, Library } from './compiled';
import { Program } from './frontend/program';
import { loadSeldom } from './load-seldom';
import { kernelSteps, simplifyBody } from './pipeline';

export { JitError } from './jit-error';

/** Prepares a module for a device whose memory has addresses of this many bits. Throws a `JitError` if it uses a feature that the software device does not have. */
export function loadProgram(module: Module, library: Library, addressBits: AddressBits = 32): JitProgram {
  const program = new Program(specialize(module), library, addressBits);
  return {
    binary: program.binary,
    instructions: instructionsOf(module),
    debugKernel: (name, options) => loadSeldom().debugKernel(program, name, options),
    compileKernel: (...kernel) => finish(stepsOf(program, ...kernel)),
    kernelSteps: (...kernel) => stepsOf(program, ...kernel),
  };
}

function stepsOf(
  program: Program,
  name: string,
  options: JitOptions,
  trace?: KernelTrace,
): Steps<KernelBinary> {
  const constants = program.image;
  const translate = () =>
    program.translate(name, {
      zeroPrivate: options.zeroed?.private === true,
      fusedMultiplyAdd: options.engine.fusedMultiplyAdd,
      checks: options.checks,
      coverage: options.coverage !== undefined,
      simplifyBody: (body, signature) =>
        simplifyBody(body, { signature, constants, fuse: options.engine.relaxedSimd }, trace),
    });
  return kernelSteps({ translate, constants, options, ...(trace ? { trace } : {}) });
}

function instructionsOf(module: Module): number {
  let count = 0;
  for (const { blocks } of module.functions)
    for (const { instructions } of blocks) count += instructions.length;
  return count;
}
