// SPDX-License-Identifier: MIT
//
// Vectors, arrays and structs as values: they are lists of scalars, so most instructions only select from these.
import { Op } from '../../spirv/grammar.gen';
import type { Instruction } from '../../spirv/module';
import { constantOf } from '../ir/build';
import { Op as Ir, Type, type Value } from '../ir/ir';
import type { HandlerTable, Translation } from './translation';
import { firstLeaf, memberOf, type TypeInfo, withGaps } from './types';

/** Sets the result of an instruction that makes a composite of its parts. Its padding has no contents. */
export function setComposed(t: Translation, i: Instruction, parts: readonly (readonly Value[])[]): void {
  t.set(
    i,
    withGaps(t.type(i), parts, ({ type }) => t.undef(type)),
  );
}

/** The range of leaves that a path of literal indices names. */
function leavesAt(t: Translation, info: TypeInfo, path: readonly number[]): { first: number; width: number } {
  let first = 0;
  let at = info;
  for (const index of path) {
    if (at.kind !== 'struct' && index >= at.count) t.fail(`index ${index} is outside of a composite`);
    first += firstLeaf(at, index);
    at = memberOf(at, index);
  }
  return { first, width: at.width };
}

function extract(t: Translation, i: Instruction): void {
  const values = t.get(i.operands[0]!);
  const { first, width } = leavesAt(t, t.typeOf(i.operands[0]!), i.operands.slice(1));
  t.set(i, values.slice(first, first + width));
}

function insert(t: Translation, i: Instruction): void {
  const result = [...t.get(i.operands[1]!)];
  const { first } = leavesAt(t, t.type(i), i.operands.slice(2));
  t.get(i.operands[0]!).forEach((value, at) => {
    result[first + at] = value;
  });
  t.set(i, result);
}

function shuffle(t: Translation, i: Instruction): void {
  const both = [...t.get(i.operands[0]!), ...t.get(i.operands[1]!)];
  const undef = () => t.builder.leaves.undef(t.scalarType(t.type(i)));
  t.set(
    i,
    i.operands.slice(2).map((at) => (at === 0xffffffff ? undef() : both[at]!)),
  );
}

/**
 * The component of `values` at an index that is known only at run time; an index that is too large wraps if
 * `wrap` is set.
 */
export function pick(t: Translation, values: readonly Value[], index: Value, wrap = false): Value {
  const known = constantOf(index);
  if (known !== undefined) {
    const at = Number(BigInt.asUintN(32, BigInt(known)));
    return values[wrap ? at % values.length : at] ?? t.builder.leaves.undef(values[0]!.type);
  }
  // A binary tree of selects on the bits of the index.
  const bit = (level: number) => {
    const mask = t.emit(Ir.And, index.type, [
      index,
      t.const(index.type, index.type === Type.I64 ? BigInt(1 << level) : 1 << level),
    ]);
    return t.emit(Ir.Ne, Type.I1, [mask, t.zero(index.type)]);
  };
  let list = values;
  for (let level = 0; list.length > 1; level++) {
    const odd = bit(level);
    const next: Value[] = [];
    for (let at = 0; at < list.length; at += 2)
      next.push(at + 1 < list.length ? t.select(odd, list[at + 1]!, list[at]!) : list[at]!);
    list = next;
  }
  return list[0]!;
}

function extractDynamic(t: Translation, i: Instruction): void {
  t.set(i, [pick(t, t.get(i.operands[0]!), t.scalar(i.operands[1]!))]);
}

function insertDynamic(t: Translation, i: Instruction): void {
  const [vector, component, index] = [
    t.get(i.operands[0]!),
    t.scalar(i.operands[1]!),
    t.scalar(i.operands[2]!),
  ];
  t.set(
    i,
    vector.map((value, at) => {
      const number = t.const(index.type, index.type === Type.I64 ? BigInt(at) : at);
      return t.select(t.emit(Ir.Eq, Type.I1, [index, number]), component, value);
    }),
  );
}

const same = (t: Translation, i: Instruction) => t.set(i, t.get(i.operands[0]!));

export const COMPOSITES: HandlerTable = {
  [Op.CompositeConstruct]: (t, i) =>
    setComposed(
      t,
      i,
      i.operands.map((id) => t.get(id)),
    ),
  [Op.CompositeExtract]: extract,
  [Op.CompositeInsert]: insert,
  [Op.VectorShuffle]: shuffle,
  [Op.VectorExtractDynamic]: extractDynamic,
  [Op.VectorInsertDynamic]: insertDynamic,
  [Op.CopyObject]: same,
  [Op.CopyLogical]: same,
  [Op.ExpectKHR]: same,
  [Op.AssumeTrueKHR]: () => {},
  [Op.Undef]: (t, i) =>
    t.set(
      i,
      t.leafTypes(t.type(i)).map((type) => t.undef(type)),
    ),
};
