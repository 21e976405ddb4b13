// SPDX-License-Identifier: MIT
//
// From a program's source or SPIR-V to what its kernels are compiled from: the same on the thread that calls and on the
// compiler's.
import { LONG, type Steps } from '../../../base/steps';
import type { JitProgram } from '../../../jit/compiled';
import type { Module } from '../../../spirv/module';
import { type Compiled, compileCached, type SourceInput } from './compile-cached';
import { isForTheUser } from './internal-errors';
import type { BuildTools, SpecializationValues, Toolchain } from './toolchain';

export interface SpirvInput {
  readonly bytes: Uint8Array;
  /** Set if they were not validated. */
  readonly unchecked?: boolean;
  /** The bytes, if they were decoded. */
  readonly module?: Module;
}

export type BuildInput =
  | ({ readonly kind: 'source' } & SourceInput)
  | ({ readonly kind: 'spirv'; readonly constants: SpecializationValues } & SpirvInput);

export interface BuiltProgram {
  readonly jit: JitProgram;
  readonly spirv: Uint8Array;
  readonly log: string;
  /** Whether nothing derived from it can be in the disk cache. */
  readonly isNew: boolean;
}

export const notValid = (problem: string) => `this is not a valid SPIR-V module: ${problem}`;

/** A failed compilation: the message is the log. */
export class BuildFailure extends Error {
  override readonly name = 'BuildFailure';

  constructor(
    log: string,
    readonly badOptions: boolean,
  ) {
    super(log);
  }
}

export function* buildProgram(tools: BuildTools, input: BuildInput): Steps<BuiltProgram> {
  const { toolchain, addressBits } = tools;
  const made = input.kind === 'source' ? yield* compileText(tools, input) : undefined;
  yield;
  const module = made?.module ?? moduleOf(tools, input);
  yield;
  const linked = toolchain.link([module], { library: false });
  const spirv = (linked === made?.module && made.spirv) || toolchain.encode(linked);
  // Decodes what the program calls of the built-in library.
  yield LONG;
  return {
    jit: toolchain.load(linked, addressBits),
    spirv,
    log: made?.log ?? '',
    isNew: made?.isNew ?? false,
  };
}

/** Links programs; without `library`, into one whose kernels can be compiled. */
export function linkPrograms(
  { toolchain, addressBits }: Pick<BuildTools, 'toolchain' | 'addressBits'>,
  inputs: readonly SpirvInput[],
  library: boolean,
): { readonly jit: JitProgram | undefined; readonly spirv: Uint8Array } {
  const module = toolchain.link(
    inputs.map((input) => decoded(toolchain, input)),
    { library },
  );
  return { spirv: toolchain.encode(module), jit: library ? undefined : toolchain.load(module, addressBits) };
}

/** Throws a `BuildFailure`. */
export function* compileText(
  tools: Pick<BuildTools, 'host' | 'toolchain'>,
  input: SourceInput,
): Steps<Compiled & { readonly module: Module }> {
  const compiled = yield* compileCached(tools, input);
  if (compiled.module) return { ...compiled, module: compiled.module };
  throw new BuildFailure(compiled.log, compiled.badOptions === true);
}

/** Decodes SPIR-V of any origin, which need not be valid. */
export function decodeGiven(toolchain: Toolchain, bytes: Uint8Array): Module {
  const module = toolchain.decode(bytes);
  toolchain.repair(module);
  return toolchain.copyArguments(module);
}

/** Throws a `BuildFailure` for a module that is not valid. */
function decoded(toolchain: Toolchain, { bytes, unchecked, module }: SpirvInput): Module {
  if (module) return module;
  if (!unchecked) return decodeGiven(toolchain, bytes);
  let problem: string | undefined;
  try {
    const read = decodeGiven(toolchain, bytes);
    problem = toolchain.validate(read);
    if (problem === undefined) return read;
  } catch (error) {
    if (!isForTheUser(error)) throw error;
    problem = error.message;
  }
  throw new BuildFailure(notValid(problem), false);
}

function moduleOf({ toolchain }: Pick<BuildTools, 'toolchain'>, input: BuildInput): Module {
  if (input.kind === 'source') throw new BuildFailure('the source was not compiled', false);
  const module = decoded(toolchain, input);
  return input.constants.size > 0 ? toolchain.specialize(module, input.constants) : module;
}
