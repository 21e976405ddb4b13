// SPDX-License-Identifier: MIT
//
// The input of the lowering of a built-in call, and small steps that many lowerings share.

import type { Builder } from '../../../spirv/builder';
import type { BuiltIn, Scope } from '../../../spirv/grammar.gen';
import { Op, type OpenCLStd, StorageClass } from '../../../spirv/grammar.gen';
import { type Id, NO_ID } from '../../../spirv/module';
import { splatVector } from '../../../spirv/vectors';
import type { BuiltinCall, Expr } from '../../frontend/ast/checked';
import type { ResolvedBuiltin } from '../../frontend/builtins/builtin';
import type { LanguageOptions } from '../../frontend/language';
import type { Type } from '../../frontend/types';

/** A block as an operand of device-side enqueue. */
export interface BlockParts {
  /** The function to run: its first parameter is a pointer to the captured variables. */
  readonly invoke: Id;
  /** Pointer to the captured variables. */
  readonly context: Id;
  /** Of the captured variables, in bytes. */
  readonly size: number;
  readonly align: number;
}

/** The services that the lowering of expressions provides for that of built-ins. */
export interface BuiltinHost {
  readonly builder: Builder;
  readonly language: LanguageOptions;
  /** The SPIR-V type of a value of this type. */
  typeOf(type: Type): Id;
  sizeOf(type: Type): number;
  alignOf(type: Type): number;
  /** The value of a built-in variable, of this type, loaded in the current block. */
  builtInValue(builtIn: BuiltIn, type: Id): Id;
  block(argument: Expr): BlockParts;
  /** Decorates a floating-point operation with the build options' fast-math modes. */
  allowFastMath(operation: Id): void;
}

export interface Site {
  readonly host: BuiltinHost;
  readonly builder: Builder;
  readonly call: BuiltinCall;
  readonly builtin: ResolvedBuiltin;
  /** The arguments' values; NO_ID for a block. */
  readonly args: readonly Id[];
  /** SPIR-V type of the result. */
  readonly type: Id;
  /** The lowering's `data`, split at spaces. */
  readonly data: readonly string[];
}

/** Emits a call; returns its value, NO_ID if it has none. */
export type Emitter = (site: Site) => Id;

export const isFloating = (b: Builder, type: Id): boolean =>
  b.definitionOf(b.elementOf(type))?.op === Op.TypeFloat;

export const opcodeOf = (name: string): Op => Op[name.slice(2) as keyof typeof Op];

export const vectorLike = (b: Builder, element: Id, like: Id): Id => {
  const count = b.countOf(like);
  return count === 1 ? element : b.vector(element, count);
};
export const boolLike = (b: Builder, like: Id): Id => vectorLike(b, b.bool(), like);

/** `value` in each component of `type`; a constant if it is one. */
export function splat(b: Builder, value: Id, type: Id): Id {
  const count = b.countOf(type);
  if (count === 1 || b.countOf(b.typeOf(value)) > 1) return value;
  return splatVector(b, type, value);
}

/** An integer constant of scalar or vector type. */
export const integer = (b: Builder, type: Id, value: number): Id =>
  splat(b, b.constantInt(b.elementOf(type), value), type);
export const u32 = (b: Builder, value: number): Id => b.constantInt(b.int(32), value);
export const scope = (b: Builder, value: Scope): Id => u32(b, value);

/** The value of an integer constant of at most 32 bits; undefined for computed values. */
export function constantOf(b: Builder, id: Id): number | undefined {
  const definition = b.definitionOf(id);
  if (definition?.op === Op.ConstantNull) return 0;
  return definition?.op === Op.Constant ? definition.operands[0] : undefined;
}

/** bool to 1 and 0, or component-wise to `ones` and 0, of `type`. */
export function fromBool(b: Builder, condition: Id, type: Id): Id {
  if (b.definitionOf(type)?.op === Op.TypeBool) return condition;
  const set = b.countOf(type) === 1 ? 1 : -1;
  return b.emit(Op.Select, type, [condition, integer(b, type, set), integer(b, type, 0)]);
}

/** value != 0 */
export function toBool(b: Builder, value: Id): Id {
  const type = b.typeOf(value);
  if (b.definitionOf(b.elementOf(type))?.op === Op.TypeBool) return value;
  return b.emit(Op.INotEqual, boolLike(b, type), [value, integer(b, type, 0)]);
}

export const std = (b: Builder, instruction: OpenCLStd, type: Id, ...operands: number[]): Id =>
  b.openClStd(instruction, type, operands);

export function toGeneric(b: Builder, pointer: Id): Id {
  const type = b.typeOf(pointer);
  if (b.storageOf(type) === StorageClass.Generic) return pointer;
  return b.emit(Op.PtrCastToGeneric, b.pointer(StorageClass.Generic, b.pointeeOf(type)), [pointer]);
}

export type { Builder, Id };
export { NO_ID };
