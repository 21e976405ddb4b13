// SPDX-License-Identifier: MIT
//
// Loads and stores of vectors and halves: vload, vstore and their relatives.
import { OpenCLStd as E, FPRoundingMode } from '../../../spirv/grammar.gen';
import type { Instruction } from '../../../spirv/module';
import { Type } from '../../ir/ir';
import { bytesOf } from '../../ir/types';
import { split } from '../addresses';
import { toHalf } from '../conversions';
import { constantIndex, loadLeaf, narrowed, type Place, placeOf, storeLeaf } from '../memory';
import type { Handler, Translation } from '../translation';
import { args, type Handlers } from './componentwise';

/** The place of vector number `offset` of `count` components from a pointer. */
function vectorPlace(t: Translation, offset: number, pointer: number, bytes: number, align: number): Place {
  const base = placeOf(t, pointer);
  const whole = narrowed(t, t.scalar(pointer));
  const constant = constantIndex(t, offset, whole);
  const address =
    constant === undefined
      ? t.element(whole, t.scalar(offset), bytes)
      : t.add(whole, whole.type === Type.I32 ? Math.imul(constant, bytes) : constant * bytes);
  return { ...base, ...split(address), align };
}

export const leaf = (type: Type, at: number) => ({
  type,
  offset: at * bytesOf(type),
  storage: 'plain' as const,
});

function vloadn(t: Translation, i: Instruction): void {
  const [offset, pointer] = args(i);
  const types = t.leafTypes(t.type(i));
  const size = bytesOf(types[0]!);
  const place = vectorPlace(t, offset!, pointer!, size * types.length, size);
  t.set(
    i,
    types.map((type, at) => loadLeaf(t, place, leaf(type, at))),
  );
}

function vstoren(t: Translation, i: Instruction): void {
  const [data, offset, pointer] = args(i);
  const values = t.get(data!);
  const size = bytesOf(values[0]!.type);
  const place = vectorPlace(t, offset!, pointer!, size * values.length, size);
  values.forEach((value, at) => {
    storeLeaf(t, place, leaf(value.type, at), value);
  });
}

const vloadHalf =
  (aligned: boolean): Handler =>
  (t, i) => {
    const [offset, pointer] = args(i);
    const types = t.leafTypes(t.type(i));
    const stride = aligned && types.length === 3 ? 4 : types.length;
    const place = vectorPlace(t, offset!, pointer!, 2 * stride, aligned ? 2 * stride : 2);
    t.set(
      i,
      types.map((type, at) => t.narrow(loadLeaf(t, place, leaf(Type.F16, at)), type)),
    );
  };

const vstoreHalf =
  (aligned: boolean, withMode: boolean): Handler =>
  (t, i) => {
    const [data, offset, pointer, mode] = args(i);
    const values = t.get(data!);
    const rounding: FPRoundingMode = withMode ? mode! : FPRoundingMode.RTE;
    const stride = aligned && values.length === 3 ? 4 : values.length;
    const place = vectorPlace(t, offset!, pointer!, 2 * stride, aligned ? 2 * stride : 2);
    values.forEach((value, at) => {
      storeLeaf(t, place, leaf(Type.F16, at), toHalf(t, value, rounding));
    });
  };

export const VECTOR_MEMORY: Handlers = {
  [E.vloadn]: vloadn,
  [E.vstoren]: vstoren,
  [E.vload_half]: vloadHalf(false),
  [E.vload_halfn]: vloadHalf(false),
  [E.vloada_halfn]: vloadHalf(true),
  [E.vstore_half]: vstoreHalf(false, false),
  [E.vstore_half_r]: vstoreHalf(false, true),
  [E.vstore_halfn]: vstoreHalf(false, false),
  [E.vstore_halfn_r]: vstoreHalf(false, true),
  [E.vstorea_halfn]: vstoreHalf(true, false),
  [E.vstorea_halfn_r]: vstoreHalf(true, true),
};
