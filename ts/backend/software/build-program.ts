// SPDX-License-Identifier: MIT
//
// From a program's source or SPIR-V to what its kernels are compiled from: the same on the thread that calls and on the
// compiler's.
import type { JitProgram } from '../../jit/compiled';
import type { Module } from '../../spirv/module';
import { type Compiled, compileCached, type SourceInput } from './compile-cached';
import type { BuildTools, SpecializationValues } from './toolchain';

export type BuildInput =
  | ({ readonly kind: 'source' } & SourceInput)
  | {
      readonly kind: 'spirv';
      readonly bytes: Uint8Array;
      readonly constants: SpecializationValues;
      /** The bytes, if they were decoded. */
      readonly module?: Module;
    };

export interface BuiltProgram {
  readonly jit: JitProgram;
  readonly spirv: Uint8Array;
  readonly log: string;
  /** Whether nothing derived from it can be in the disk cache. */
  readonly isNew: boolean;
}

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

export function buildProgram(tools: BuildTools, input: BuildInput): BuiltProgram {
  const { toolchain } = tools;
  const made = input.kind === 'source' ? compileText(tools, input) : undefined;
  const module = made?.module ?? moduleOf(tools, input);
  const linked = toolchain.link([module], { library: false });
  const spirv = (linked === made?.module && made.spirv) || toolchain.encode(linked);
  return { jit: toolchain.load(linked), spirv, log: made?.log ?? '', isNew: made?.isNew ?? false };
}

/** Links programs; without `library`, into one whose kernels can be compiled. */
export function linkPrograms(
  { toolchain }: Pick<BuildTools, 'toolchain'>,
  inputs: readonly Uint8Array[],
  library: boolean,
): { readonly jit: JitProgram | undefined; readonly spirv: Uint8Array } {
  const module = toolchain.link(
    inputs.map((input) => toolchain.decode(input)),
    { library },
  );
  return { spirv: toolchain.encode(module), jit: library ? undefined : toolchain.load(module) };
}

/** Throws a `BuildFailure`. */
export function compileText(tools: BuildTools, input: SourceInput): Compiled & { readonly module: Module } {
  const compiled = compileCached(tools, input);
  if (compiled.module) return { ...compiled, module: compiled.module };
  throw new BuildFailure(compiled.log, compiled.badOptions === true);
}

function moduleOf({ toolchain }: BuildTools, input: BuildInput): Module {
  if (input.kind === 'source') throw new BuildFailure('the source was not compiled', false);
  const module = input.module ?? toolchain.decode(input.bytes);
  return input.constants.size > 0 ? toolchain.specialize(module, input.constants) : module;
}
