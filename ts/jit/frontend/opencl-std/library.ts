// SPDX-License-Identifier: MIT
//
// Mathematical functions that are calls of the built-in library (kernels/lib).
import { OpenCLStd as E, Op } from '../../../spirv/grammar.gen';
import type { Instruction } from '../../../spirv/module';
import { Type, type Value } from '../../ir/ir';
import { bytesOf } from '../../ir/types';
import { LIBRARY_MATH, mathFunction } from '../library-calls';
import { loadLeaf, type Place, placeOf, storeLeaf } from '../memory';
import type { Translation } from '../translation';
import { args } from './componentwise';
import { leaf } from './vector-memory';

export function library(t: Translation, i: Instruction, inst: E): void {
  const operands = args(i);
  const out = LIBRARY_MATH.get(inst);
  const info = t.type(i);
  const result = t.scalarType(info);
  const lists = operands.map((id) => t.get(id));
  const name = mathFunction(inst, result, lists[0]![0]!.type);
  const results: Value[] = [];
  for (let at = 0; at < info.width; at++) {
    const scalars = lists.map((list, k) => (k === out ? list[0]! : list.length === 1 ? list[0]! : list[at]!));
    if (out === undefined) {
      const inputs = scalars.map((v) => t.widen(v));
      results.push(t.narrow(t.callLibrary(name, inputs, E[inst]!)[0]!, result));
      continue;
    }
    // The second result: the library writes it to a private variable, from which it is copied to its target.
    const pointee = t.index.types.pointee(t.typeOf(operands[out]!));
    const target = t.index.types.leaves(pointee)[at]!;
    const wide = target.type === Type.F16 ? Type.F32 : target.type;
    const temporary = t.builder.leaves.alloca(bytesOf(wide), bytesOf(wide));
    const inputs = scalars.map((v, k) => (k === out ? temporary : t.widen(v)));
    results.push(t.narrow(t.callLibrary(name, inputs, E[inst]!)[0]!, result));
    const place: Place = { address: temporary, offset: 0, space: 'private', align: 0, volatile: false };
    const value = loadLeaf(t, place, leaf(wide, 0));
    storeLeaf(t, placeOf(t, operands[out]!), target, t.narrow(value, target.type));
  }
  t.set(i, results);
}

/** The cosine of an angle whose sine is computed in the same block, or vice versa: they share most of the work. */
export function sineOrCosineOf(block: readonly Instruction[], i: Instruction): Instruction | undefined {
  const inst: E = i.operands[1]!;
  if (inst !== E.sin && inst !== E.cos) return undefined;
  const find = (wanted: E) =>
    block.find(
      (other) =>
        other.op === Op.ExtInst &&
        other.operands[1] === wanted &&
        other.operands[2] === i.operands[2] &&
        other.operands[0] === i.operands[0],
    );
  return find(inst) === i ? find(inst === E.sin ? E.cos : E.sin) : undefined;
}

export function sineAndCosine(t: Translation, sine: Instruction, cosine: Instruction): void {
  const angles = t.get(sine.operands[2]!);
  const sines: Value[] = [];
  const cosines: Value[] = [];
  for (const angle of angles) {
    const wide = t.widen(angle);
    const address = t.builder.leaves.alloca(bytesOf(wide.type), bytesOf(wide.type));
    const name = mathFunction(E.sincos, angle.type, angle.type);
    sines.push(t.narrow(t.callLibrary(name, [wide, address], 'sincos')[0]!, angle.type));
    const place: Place = { address, offset: 0, space: 'private', align: 0, volatile: false };
    cosines.push(t.narrow(loadLeaf(t, place, leaf(wide.type, 0)), angle.type));
  }
  t.set(sine, sines);
  t.set(cosine, cosines);
}
