// SPDX-License-Identifier: MIT
//
// A SPIR-V module as data: the compiler's intermediate representation and the JIT's input. `builder.ts` builds one, `encode.ts`
// and `decode.ts` convert to and from the binary, `text/` converts to assembly, `validate/` checks it.
import type {
  AddressingModel,
  Capability,
  ExecutionMode,
  ExecutionModel,
  MemoryModel,
  Op,
} from './grammar.gen';

declare const idBrand: unique symbol;
/** A result id. 0 means none. */
export type Id = number & { readonly [idBrand]: never };
export const NO_ID = 0 as Id;

/** One instruction. `operands` are the words after result type and result: literals and ids as in the grammar. */
export interface Instruction {
  op: Op;
  type: Id;
  result: Id;
  operands: number[];
  /** The source position, if known: [file, line, column], from OpLine. */
  line?: SourceLine;
}

export interface SourceLine {
  readonly file: Id;
  readonly line: number;
  readonly column: number;
}

export interface Block {
  readonly label: Id;
  /** The terminator is the last one. */
  instructions: Instruction[];
}

export interface FunctionDefinition {
  /** OpFunction: operands are the function control and the function type. */
  readonly definition: Instruction;
  readonly parameters: Instruction[];
  /** Empty for an import (a declaration with LinkageAttributes Import). */
  blocks: Block[];
}

export interface EntryPoint {
  readonly model: ExecutionModel;
  readonly function: Id;
  readonly name: string;
  readonly interface: Id[];
}

export interface ExecutionModeDeclaration {
  readonly function: Id;
  readonly mode: ExecutionMode;
  readonly operands: number[];
  /** OpExecutionModeId: the operands are ids. */
  readonly ids: boolean;
}

/** The sections of a module in the order that the specification prescribes (2.4, Logical Layout). */
export interface Module {
  /** Major << 16 | minor << 8, as in the header. */
  version: number;
  generator: number;
  /** All ids are below it. */
  bound: number;
  capabilities: Set<Capability>;
  extensions: Set<string>;
  /** Import name (`OpenCL.std`) to id. */
  extInstImports: Map<string, Id>;
  addressing: AddressingModel;
  memoryModel: MemoryModel;
  entryPoints: EntryPoint[];
  executionModes: ExecutionModeDeclaration[];
  /** OpString, OpSource…, then OpName and OpMemberName, then OpModuleProcessed. */
  debug: Instruction[];
  /** OpDecorate…, and the alias scopes that OpDecorateId and memory operands name. */
  annotations: Instruction[];
  /** Types, constants, module-scope variables, OpUndef and debug-info extended instructions, in order. */
  globals: Instruction[];
  functions: FunctionDefinition[];
}

/** A module that declares and defines nothing yet. */
export function emptyModule(
  header: Pick<Module, 'version' | 'generator' | 'bound' | 'addressing' | 'memoryModel'>,
): Module {
  return {
    version: header.version,
    generator: header.generator,
    bound: header.bound,
    capabilities: new Set(),
    extensions: new Set(),
    extInstImports: new Map(),
    addressing: header.addressing,
    memoryModel: header.memoryModel,
    entryPoints: [],
    executionModes: [],
    debug: [],
    annotations: [],
    globals: [],
    functions: [],
  };
}
