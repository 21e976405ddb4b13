// SPDX-License-Identifier: MIT
//
// Constructs vectors with instructions that every consumer of Kernel modules accepts: older ones know neither
// OpCompositeConstruct of a vector nor OpVectorShuffle of vectors of two sizes.
import type { Builder } from './builder';
import { Op } from './grammar.gen';
import type { Id } from './module';
import { fold } from './optimize/fold';

const UNDEFINED_COMPONENT = 0xffffffff;

function emit(b: Builder, op: Op, type: Id, operands: number[]): Id {
  return fold(b, op, type, operands) ?? b.emit(op, type, operands);
}

/** A vector with all components equal; for a scalar type the scalar itself. */
export function splatVector(b: Builder, type: Id, scalar: Id): Id {
  const count = b.countOf(type);
  if (count === 1) return scalar;
  if (b.isConstant(scalar)) return b.constantComposite(type, new Array<Id>(count).fill(scalar));
  const first = b.emit(Op.CompositeInsert, type, [scalar, b.undef(type), 0]);
  return b.emit(Op.VectorShuffle, type, [first, first, ...new Array<number>(count).fill(0)]);
}

/** A vector of scalars and vectors, from left to right: what OpCompositeConstruct would construct. */
export function constructVector(b: Builder, type: Id, parts: readonly Id[]): Id {
  const constant = fold(b, Op.CompositeConstruct, type, parts);
  if (constant !== undefined) return constant;
  if (parts.length === 1) return parts[0]!;
  const count = b.countOf(type);
  if (parts.every((part) => part === parts[0]) && parts.length === count)
    return splatVector(b, type, parts[0]!);
  if (parts.length === 2 && b.typeOf(parts[0]!) === b.typeOf(parts[1]!) && count > 2)
    return emit(b, Op.VectorShuffle, type, [parts[0]!, parts[1]!, ...range(0, count)]);
  let result = constantParts(b, type, parts);
  let at = 0;
  for (const part of parts) {
    const partCount = b.countOf(b.typeOf(part));
    if (!b.isConstant(part))
      result =
        partCount === 1
          ? emit(b, Op.CompositeInsert, type, [part, result, at])
          : insertVector(b, type, result, part, range(at, partCount));
    at += partCount;
  }
  return result;
}

/** The vector with components `at[i]` replaced by component i of another; targets beyond its end are dropped. */
export function insertVector(b: Builder, type: Id, into: Id, part: Id, at: readonly number[]): Id {
  const count = b.countOf(type);
  const sources = range(0, count);
  at.forEach((target, i) => {
    if (target < count) sources[target] = count + i;
  });
  return emit(b, Op.VectorShuffle, type, [into, resizeVector(b, type, part), ...sources]);
}

/** A vector resized to another number of components; additional components are undefined. */
function resizeVector(b: Builder, type: Id, vector: Id): Id {
  const from = b.countOf(b.typeOf(vector));
  const count = b.countOf(type);
  if (from === count) return vector;
  const sources = range(0, count).map((i) => (i < from ? i : UNDEFINED_COMPONENT));
  return emit(b, Op.VectorShuffle, type, [vector, vector, ...sources]);
}

/** The vector with the constant parts in place and the others undefined. */
function constantParts(b: Builder, type: Id, parts: readonly Id[]): Id {
  const element = b.elementOf(type);
  const undefined_ = b.undef(element);
  const components: Id[] = [];
  let known = false;
  for (const part of parts) {
    const count = b.countOf(b.typeOf(part));
    const isConstant = b.isConstant(part);
    known ||= isConstant;
    for (let i = 0; i < count; i++) {
      if (!isConstant) components.push(undefined_);
      else
        components.push(
          count === 1 ? part : (fold(b, Op.CompositeExtract, element, [part, i]) ?? undefined_),
        );
    }
  }
  return known ? b.constantComposite(type, components) : b.undef(type);
}

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, i) => from + i);
