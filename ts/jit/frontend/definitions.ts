// SPDX-License-Identifier: MIT
import type { Decoration } from '../../spirv/grammar.gen';
import type { Id, Instruction, Module } from '../../spirv/module';

/** The source of a module's types and constants: its instructions and decorations by id. */
export interface Definitions {
  readonly module: Module;
  definition(id: Id): Instruction;
  find(id: Id): Instruction | undefined;
  /** The operands of a decoration of an id; undefined if it does not have that decoration. */
  decoration(id: Id, kind: Decoration): readonly number[] | undefined;
  /** Whether a member of a struct is padding (`PADDING_NAME`). */
  isPadding(struct: Id, member: number): boolean;
}
