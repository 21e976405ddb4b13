// SPDX-License-Identifier: MIT
//
// Loads of built-in variables: the work-item functions.
import { BuiltIn, Decoration } from '../../spirv/grammar.gen';
import type { Id } from '../../spirv/module';
import { Op as Ir, Type, type Value } from '../ir/ir';
import type { Translation } from './translation';
import type { TypeInfo } from './types';

/** Variables with three components, and the value for a dimension beyond the third. */
const VECTORS: Partial<Record<BuiltIn, { op: Ir; beyond: 0 | 1 }>> = {
  [BuiltIn.GlobalInvocationId]: { op: Ir.GlobalId, beyond: 0 },
  [BuiltIn.LocalInvocationId]: { op: Ir.LocalId, beyond: 0 },
  [BuiltIn.WorkgroupId]: { op: Ir.GroupId, beyond: 0 },
  [BuiltIn.GlobalSize]: { op: Ir.GlobalSize, beyond: 1 },
  [BuiltIn.WorkgroupSize]: { op: Ir.LocalSize, beyond: 1 },
  [BuiltIn.EnqueuedWorkgroupSize]: { op: Ir.EnqueuedLocalSize, beyond: 1 },
  [BuiltIn.NumWorkgroups]: { op: Ir.NumGroups, beyond: 1 },
  [BuiltIn.GlobalOffset]: { op: Ir.GlobalOffset, beyond: 0 },
};

const SCALARS: Partial<Record<BuiltIn, Ir>> = {
  [BuiltIn.WorkDim]: Ir.WorkDim,
  [BuiltIn.GlobalLinearId]: Ir.GlobalLinearId,
  [BuiltIn.LocalInvocationIndex]: Ir.LocalLinearId,
  [BuiltIn.SubgroupSize]: Ir.SubGroupSize,
  [BuiltIn.SubgroupMaxSize]: Ir.SubGroupMaxSize,
  [BuiltIn.NumSubgroups]: Ir.NumSubGroups,
  [BuiltIn.NumEnqueuedSubgroups]: Ir.EnqueuedNumSubGroups,
  [BuiltIn.SubgroupId]: Ir.SubGroupId,
  [BuiltIn.SubgroupLocalInvocationId]: Ir.SubGroupLocalId,
};

const MASKS: ReadonlySet<BuiltIn> = new Set([
  BuiltIn.SubgroupEqMask,
  BuiltIn.SubgroupGeMask,
  BuiltIn.SubgroupGtMask,
  BuiltIn.SubgroupLeMask,
  BuiltIn.SubgroupLtMask,
]);

/**
 * Four words with the bits of the places before, at or after this work-item, as the variable's name says: those of the largest sub-group, also
 * where this one is smaller.
 */
function mask(t: Translation, kind: BuiltIn): Value[] {
  const own = t.builder.leaves.leaf(Ir.SubGroupLocalId, Type.I32);
  const size = t.builder.leaves.leaf(Ir.SubGroupMaxSize, Type.I32);
  return [0, 1, 2, 3].map((word) => {
    const base = word * 32;
    const at = t.emit(Ir.Sub, Type.I32, [own, t.i32(base)]);
    const inWord = t.emit(Ir.ULt, Type.I1, [at, t.i32(32)]);
    const one = t.emit(Ir.Shl, Type.I32, [t.i32(1), at]);
    const below = t.select(
      inWord,
      t.emit(Ir.Sub, Type.I32, [one, t.i32(1)]),
      t.select(t.emit(Ir.SLt, Type.I1, [at, t.i32(0)]), t.i32(0), t.i32(-1)),
    );
    const equal = t.select(inWord, one, t.i32(0));
    const members = membersMask(t, size, base);
    const or = (a: Value, b: Value) => t.emit(Ir.Or, Type.I32, [a, b]);
    const and = (a: Value, b: Value) => t.emit(Ir.And, Type.I32, [a, b]);
    switch (kind) {
      case BuiltIn.SubgroupEqMask:
        return equal;
      case BuiltIn.SubgroupLtMask:
        return below;
      case BuiltIn.SubgroupLeMask:
        return or(below, equal);
      case BuiltIn.SubgroupGtMask:
        return and(t.not(or(below, equal)), members);
      default:
        return and(t.not(below), members);
    }
  });
}

function membersMask(t: Translation, size: Value, base: number): Value {
  const left = t.emit(Ir.Sub, Type.I32, [size, t.i32(base)]);
  const some = t.emit(Ir.Sub, Type.I32, [t.emit(Ir.Shl, Type.I32, [t.i32(1), left]), t.i32(1)]);
  return t.select(
    t.emit(Ir.SLe, Type.I1, [left, t.i32(0)]),
    t.i32(0),
    t.select(t.emit(Ir.SGe, Type.I1, [left, t.i32(32)]), t.i32(-1), some),
  );
}

/** All components of a built-in variable, as I32. */
export function builtInValue(t: Translation, kind: BuiltIn): Value[] {
  const vector = VECTORS[kind];
  const { leaves } = t.builder;
  if (vector) return ([0, 1, 2] as const).map((dimension) => leaves.leaf(vector.op, Type.I32, { dimension }));
  const scalar = SCALARS[kind];
  if (scalar !== undefined) return [leaves.leaf(scalar, Type.I32)];
  if (MASKS.has(kind)) return mask(t, kind);
  return t.fail(`the built-in variable ${BuiltIn[kind] ?? kind} is not one of OpenCL's`);
}

export function loadBuiltIn(t: Translation, pointer: Id, info: TypeInfo): Value[] {
  const known = t.builtInPointers.get(pointer);
  const kind: BuiltIn | undefined = known?.builtIn ?? t.index.decoration(pointer, Decoration.BuiltIn)?.[0];
  if (kind === undefined) t.fail('an Input variable that is not a built-in one');
  let values = builtInValue(t, kind);
  const component = known?.component;
  if (typeof component === 'number') values = [values[component] ?? t.i32(VECTORS[kind]?.beyond ?? 0)];
  else if (component) {
    let chosen: Value = t.i32(VECTORS[kind]?.beyond ?? 0);
    for (let at = values.length - 1; at >= 0; at--)
      chosen = t.select(t.emit(Ir.Eq, Type.I1, [component, t.i32(at)]), values[at]!, chosen);
    values = [chosen];
  }
  const type = t.scalarType(info);
  if (values.length < info.width) t.fail(`the built-in variable ${BuiltIn[kind]} has fewer components`);
  return values.slice(0, info.width).map((v) => t.resize(v, type, false));
}
