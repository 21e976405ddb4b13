// SPDX-License-Identifier: MIT
//
// The JIT's entrance: a linked, specialized SPIR-V module becomes a program whose kernels are compiled when they are
// asked for.
import type { Module } from '../spirv/module';
import { specialize } from '../spirv/specialize';
import { collectedArguments } from './analyses/collected-atomics';
import { costPerItem, launchFacts } from './analyses/launch-facts';
import type { JitProgram, Library } from './compiled';
import { Program } from './frontend/program';
import { optimize } from './passes/pipeline';
import { generateKernel } from './pipeline';

export { JitError } from './jit-error';

/** Prepares a module. Throws a `JitError` where it uses something that the software device does not have. */
export function loadProgram(module: Module, library: Library): JitProgram {
  const program = new Program(specialize(module), library);
  return {
    binary: program.binary,
    instructions: instructionsOf(module),
    compileKernel(name, options) {
      const { func, signature } = program.translate(name);
      optimize(func, { signature, constants: program.image, fuse: options.engine.relaxedSimd });
      const facts = launchFacts(func);
      const binary = generateKernel(func, signature, options, collectedArguments(func, signature));
      const { bounded, groupsUnobservable } = facts;
      return { ...binary, bounded, groupsUnobservable, costPerItem: costPerItem(facts, binary.lanes) };
    },
  };
}

function instructionsOf(module: Module): number {
  let count = 0;
  for (const { blocks } of module.functions)
    for (const { instructions } of blocks) count += instructions.length;
  return count;
}
