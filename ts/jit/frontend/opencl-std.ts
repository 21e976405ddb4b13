// SPDX-License-Identifier: MIT
//
// OpenCL.std: instructions with a direct form in the IR are here, the others are calls of the built-in library.
import { OpenCLStd as E, FPRoundingMode, Op } from '../../spirv/grammar.gen';
import type { Instruction } from '../../spirv/module';
import { type InstFacts, Op as Ir, Type, type Value } from '../ir/ir';
import { bitsOf, bytesOf, integerLike, isFloat } from '../ir/types';
import { clamp } from './arithmetic';
import { pick } from './composites';
import { bitcast, toHalf } from './conversions';
import { LIBRARY_MATH, mathFunction } from './library-calls';
import { loadLeaf, type Place, placeOf, scaled, split, storeLeaf } from './memory';
import { printf } from './printf';
import type { Handler, Translation } from './translation';

const args = (i: Instruction) => i.operands.slice(2);

/** A function of scalars, applied to each component. */
const each =
  (f: (t: Translation, a: Value, b: Value, c: Value, facts: InstFacts) => Value): Handler =>
  (t, i) => {
    const facts = t.fastMath(i);
    t.map(i, args(i), ([a, b, c]) => f(t, a!, b!, c!, facts));
  };

/** The same on floats; half is computed as float. */
const eachFloat =
  (f: (t: Translation, a: Value, b: Value, c: Value, facts: InstFacts) => Value): Handler =>
  (t, i) => {
    const facts = t.fastMath(i);
    t.map(i, args(i), (values) => {
      const [a, b, c] = values.map((v) => t.widen(v));
      return t.narrow(f(t, a!, b!, c!, facts), values[0]!.type);
    });
  };

const direct = (op: Ir): Handler =>
  each((t, a, b, c, facts) =>
    t.emit(op, a.type, c ? [a, b, c] : b ? [a, b] : [a], isFloat(a.type) ? { ...facts } : {}),
  );
const directFloat =
  (op: Ir): Handler =>
  (t, i) => {
    const facts = t.fastMath(i);
    t.map(i, args(i), (values) => t.float(op, values[0]!.type, values, { ...facts }));
  };

const number = (t: Translation, like: Value, value: number) => t.const(like.type, value);
const nan = (t: Translation, a: Value) => t.emit(Ir.FUnordered, Type.I1, [a, a]);
const op2 = (op: Ir) => (t: Translation, a: Value, b: Value) => t.emit(op, a.type, [a, b]);
const add = op2(Ir.FAdd);
const sub = op2(Ir.FSub);
const mul = op2(Ir.FMul);
const div = op2(Ir.FDiv);
const less = (t: Translation, a: Value, b: Value) => t.emit(Ir.FLt, Type.I1, [a, b]);
const abs = (t: Translation, a: Value) => t.emit(Ir.FAbs, a.type, [a]);

// --- geometry

interface Norm {
  readonly length: Value;
  /** The length of the vector times `up` times `down`, powers of two that keep the squares in range; one of them is 1. */
  readonly root: Value;
  readonly up: Value;
  readonly down: Value;
}

function norm(t: Translation, vector: readonly Value[]): Norm {
  const type = vector[0]!.type;
  const double = type === Type.F64;
  const [high, low] = double ? [2 ** 500, 2 ** -400] : [2 ** 62, 2 ** -50];
  const [byHigh, byLow] = double ? [2 ** -540, 2 ** 680] : [2 ** -66, 2 ** 88];
  let largest = abs(t, vector[0]!);
  for (const v of vector.slice(1)) largest = t.emit(Ir.FMax, type, [largest, abs(t, v)]);
  const one = t.const(type, 1);
  const isHigh = t.emit(Ir.FGt, Type.I1, [largest, t.const(type, high)]);
  const isLow = less(t, largest, t.const(type, low));
  const down = t.select(isHigh, t.const(type, byHigh), one);
  const up = t.select(isLow, t.const(type, byLow), one);
  const scale = t.select(isHigh, t.const(type, byHigh), up);
  const unscale = t.select(isHigh, t.const(type, 1 / byHigh), t.select(isLow, t.const(type, 1 / byLow), one));
  const scaled = vector.map((v) => mul(t, v, scale));
  const root = t.emit(Ir.FSqrt, type, [dotOf(t, scaled, scaled)]);
  return { length: mul(t, root, unscale), root, up, down };
}

function dotOf(t: Translation, a: readonly Value[], b: readonly Value[]): Value {
  let sum: Value | undefined;
  a.forEach((x, at) => {
    const product = mul(t, x, b[at]!);
    sum = sum ? add(t, sum, product) : product;
  });
  return sum!;
}

const geometry =
  (f: (t: Translation, a: Value[], b: Value[]) => Value[]): Handler =>
  (t, i) => {
    const lists = args(i).map((id) => t.get(id));
    const type = lists[0]![0]!.type;
    const [a, b] = lists.map((list) => list.map((v) => t.widen(v)));
    t.set(
      i,
      f(t, a!, b ?? []).map((v) => t.narrow(v, type)),
    );
  };

const difference = (t: Translation, a: Value[], b: Value[]) => a.map((x, at) => sub(t, x, b[at]!));

function normalize(t: Translation, a: Value[]): Value[] {
  const { root, up, down } = norm(t, a);
  const one = number(t, root, 1);
  const isZero = t.emit(Ir.FEq, Type.I1, [root, number(t, root, 0)]);
  const factor = t.select(isZero, one, div(t, one, root));
  // A small component of a long vector is scaled down last: it would lose bits that the factor then makes visible.
  return a.map((v) => mul(t, mul(t, mul(t, v, up), factor), down));
}

function fastNormalize(t: Translation, a: Value[]): Value[] {
  const square = dotOf(t, a, a);
  const one = number(t, square, 1);
  const isZero = t.emit(Ir.FEq, Type.I1, [square, number(t, square, 0)]);
  const factor = t.select(isZero, one, div(t, one, t.emit(Ir.FSqrt, square.type, [square])));
  return a.map((v) => mul(t, v, factor));
}

function cross(t: Translation, a: Value[], b: Value[]): Value[] {
  const term = (i: number, j: number) => sub(t, mul(t, a[i]!, b[j]!), mul(t, a[j]!, b[i]!));
  const result = [term(1, 2), term(2, 0), term(0, 1)];
  if (a.length === 4) result.push(number(t, a[0]!, 0));
  return result;
}

// --- integers

const minMax = (least: Ir, most: Ir) => (t: Translation, a: Value, b: Value, c: Value) =>
  t.emit(least, a.type, [t.emit(most, a.type, [a, b]), c]);

const absDiff = (least: Ir, most: Ir) => (t: Translation, a: Value, b: Value) =>
  t.emit(Ir.Sub, a.type, [t.emit(most, a.type, [a, b]), t.emit(least, a.type, [a, b])]);

/** (a + b) >> 1 without overflow. */
const halfAdd = (shift: Ir) => (t: Translation, a: Value, b: Value) =>
  t.emit(Ir.Add, a.type, [
    t.emit(Ir.And, a.type, [a, b]),
    t.emit(shift, a.type, [t.emit(Ir.Xor, a.type, [a, b]), t.const(a.type, a.type === Type.I64 ? 1n : 1)]),
  ]);

const mulAdd = (t: Translation, a: Value, b: Value, c: Value) =>
  t.emit(Ir.Add, a.type, [t.emit(Ir.Mul, a.type, [a, b]), c]);

function madSat(t: Translation, a: Value, b: Value, c: Value, signed: boolean): Value {
  const type = a.type;
  if (type !== Type.I64) {
    // The product of two 32-bit numbers and a third fit into 64 bits.
    const wide = [a, b, c].map((v) => t.resize(v, Type.I64, signed));
    return t.resize(clamp(t, mulAdd(t, wide[0]!, wide[1]!, wide[2]!), type, signed, signed), type, signed);
  }
  const low = t.emit(Ir.Mul, type, [a, b]);
  if (!signed) {
    const high = t.emit(Ir.UMulHi, type, [a, b]);
    const fits = t.emit(Ir.Eq, Type.I1, [high, t.const(type, 0n)]);
    return t.select(fits, t.emit(Ir.UAddSat, type, [low, c]), t.const(type, -1n));
  }
  // 128 bits: (high, low) + sign-extended c.
  const high = t.emit(Ir.SMulHi, type, [a, b]);
  const sum = t.emit(Ir.Add, type, [low, c]);
  const carry = t.resize(t.emit(Ir.ULt, Type.I1, [sum, low]), type, false);
  const signOfC = t.emit(Ir.AShr, type, [c, t.const(type, 63n)]);
  const top = t.emit(Ir.Add, type, [t.emit(Ir.Add, type, [high, signOfC]), carry]);
  const fits = t.emit(Ir.Eq, Type.I1, [top, t.emit(Ir.AShr, type, [sum, t.const(type, 63n)])]);
  const limit = t.emit(Ir.Xor, type, [
    t.emit(Ir.AShr, type, [top, t.const(type, 63n)]),
    t.const(type, (1n << 63n) - 1n),
  ]);
  return t.select(fits, sum, limit);
}

function upsample(t: Translation, i: Instruction): void {
  const type = t.scalarType(t.type(i));
  const half = bitsOf(type) / 2;
  t.map(i, args(i), ([high, low]) =>
    t.emit(Ir.Or, type, [
      t.emit(Ir.Shl, type, [
        t.resize(high!, type, false),
        t.const(type, type === Type.I64 ? BigInt(half) : half),
      ]),
      t.resize(low!, type, false),
    ]),
  );
}

// --- bits

function bitselect(t: Translation, i: Instruction): void {
  t.map(i, args(i), ([a, b, c]) => {
    const type = integerLike(a!.type);
    const raw = [a!, b!, c!].map((v) => (isFloat(v.type) ? t.emit(Ir.Bitcast, type, [v]) : v));
    const mixed = t.emit(Ir.Or, type, [
      t.emit(Ir.And, type, [raw[0]!, t.not(raw[2]!)]),
      t.emit(Ir.And, type, [raw[1]!, raw[2]!]),
    ]);
    return mixed.type === a!.type ? mixed : t.emit(Ir.Bitcast, a!.type, [mixed]);
  });
}

/** Scalars: c ? b : a. Vectors: by the most significant bit of each component. */
function select(t: Translation, i: Instruction): void {
  const vector = t.type(i).kind === 'vector';
  t.map(i, args(i), ([a, b, c]) => {
    const condition = isFloat(c!.type) ? t.emit(Ir.Bitcast, integerLike(c!.type), [c!]) : c!;
    const chosen =
      condition.type === Type.I1
        ? condition
        : t.emit(vector ? Ir.SLt : Ir.Ne, Type.I1, [condition, t.zero(condition.type)]);
    return t.select(chosen, b!, a!);
  });
}

function shuffle(t: Translation, i: Instruction): void {
  const operands = args(i);
  const mask = t.get(operands[operands.length - 1]!);
  const values = operands.slice(0, -1).flatMap((id) => padded(t, t.get(id)));
  const log = Math.round(Math.log2(values.length));
  t.set(
    i,
    mask.map((m) => {
      // Only the lowest bits of the mask are used.
      const bits = t.emit(Ir.And, m.type, [
        m,
        t.const(m.type, m.type === Type.I64 ? BigInt((1 << log) - 1) : (1 << log) - 1),
      ]);
      return pick(t, values, bits);
    }),
  );
}

const padded = (t: Translation, values: Value[]) =>
  values.length === 3 ? [...values, t.builder.leaves.undef(values[0]!.type)] : values;

function nanOf(t: Translation, i: Instruction): void {
  const to = t.leafTypes(t.type(i));
  const raw = t.get(args(i)[0]!);
  const bits = raw[0]!.type;
  const quiet = bits === Type.I64 ? 0x7ff8n << 48n : bits === Type.I32 ? 0x7fc00000 : 0x7e00;
  t.set(
    i,
    bitcast(
      t,
      raw.map((v) => t.emit(Ir.Or, bits, [v, t.const(bits, quiet)])),
      to,
    ),
  );
}

// --- vector loads and stores

/** The place of vector number `offset` of `count` components from a pointer. */
function vectorPlace(t: Translation, offset: number, pointer: number, bytes: number, align: number): Place {
  const base = placeOf(t, pointer);
  const whole = t.scalar(pointer);
  const index = t.resize(t.scalar(offset), Type.I32, true);
  const constant = t.index.constants.low(offset as Parameters<typeof t.index.constants.low>[0]);
  const address =
    constant === undefined
      ? t.emit(Ir.Add, Type.I32, [whole, scaled(t, index, bytes)])
      : t.add(whole, Math.imul(constant, bytes));
  return { ...base, ...split(address), align };
}

const leaf = (type: Type, at: number) => ({ type, offset: at * bytesOf(type), storage: 'plain' as const });

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

// --- the library

function library(t: Translation, i: Instruction, inst: E): void {
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
function sineOrCosineOf(block: readonly Instruction[], i: Instruction): Instruction | undefined {
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

function sineAndCosine(t: Translation, sine: Instruction, cosine: Instruction): void {
  const angles = t.get(sine.operands[2]!);
  const sines: Value[] = [];
  const cosines: Value[] = [];
  for (const angle of angles) {
    const wide = t.widen(angle);
    const address = t.builder.leaves.alloca(bytesOf(wide.type), bytesOf(wide.type));
    const name = mathFunction(E.sincos, wide.type, wide.type);
    sines.push(t.narrow(t.callLibrary(name, [wide, address], 'sincos')[0]!, angle.type));
    const place: Place = { address, offset: 0, space: 'private', align: 0, volatile: false };
    cosines.push(t.narrow(loadLeaf(t, place, leaf(wide.type, 0)), angle.type));
  }
  t.set(sine, sines);
  t.set(cosine, cosines);
}

const scale = (factor: number) => eachFloat((t, a) => mul(t, a, number(t, a, factor)));

const clampFloat = eachFloat((t, a, b, c) => t.emit(Ir.FMin, a.type, [t.emit(Ir.FMax, a.type, [a, b]), c]));

const fract: Handler = (t, i) => {
  const [x, pointer] = args(i);
  const values = t.get(x!);
  const info = t.typeOf(x!);
  const leaves = t.index.types.leaves(info);
  const place = placeOf(t, pointer!);
  const results = values.map((value, at) => {
    const a = t.widen(value);
    const most = a.type === Type.F64 ? 1 - 2 ** -53 : value.type === Type.F16 ? 1 - 2 ** -11 : 1 - 2 ** -24;
    const floor = t.emit(Ir.FFloor, a.type, [a]);
    storeLeaf(t, place, leaves[at]!, t.narrow(floor, value.type));
    const part = t.emit(Ir.FMin, a.type, [sub(t, a, floor), number(t, a, most)]);
    const infinite = t.emit(Ir.FEq, Type.I1, [abs(t, a), number(t, a, Number.POSITIVE_INFINITY)]);
    const finite = t.select(infinite, number(t, a, 0), part);
    const signed = t.emit(Ir.FCopySign, a.type, [finite, a]);
    // The result is zero or positive, but keeps the sign of zero and infinity.
    const zero = t.emit(Ir.FEq, Type.I1, [finite, number(t, a, 0)]);
    return t.narrow(t.select(nan(t, a), a, t.select(zero, signed, finite)), value.type);
  });
  t.set(i, results);
};

const smoothstep = eachFloat((t, low, high, x) => {
  const ratio = div(t, sub(t, x, low), sub(t, high, low));
  const limited = t.emit(Ir.FMin, x.type, [
    t.emit(Ir.FMax, x.type, [ratio, number(t, x, 0)]),
    number(t, x, 1),
  ]);
  const poly = sub(t, number(t, x, 3), mul(t, number(t, x, 2), limited));
  return t.select(nan(t, x), x, mul(t, mul(t, limited, limited), poly));
});

const sign = eachFloat((t, a) => {
  const one = number(t, a, 1);
  const signed = t.emit(Ir.FCopySign, a.type, [one, a]);
  const zero = t.emit(Ir.FEq, Type.I1, [a, number(t, a, 0)]);
  return t.select(nan(t, a), number(t, a, 0), t.select(zero, a, signed));
});

const magnitude = (larger: boolean) =>
  eachFloat((t, a, b) => {
    const [x, y] = [abs(t, a), abs(t, b)];
    const first = t.emit(larger ? Ir.FGt : Ir.FLt, Type.I1, [x, y]);
    const second = t.emit(larger ? Ir.FLt : Ir.FGt, Type.I1, [x, y]);
    const equal = t.emit(larger ? Ir.FMax : Ir.FMin, a.type, [a, b]);
    return t.select(first, a, t.select(second, b, equal));
  });

const reciprocal = eachFloat((t, a, _b, _c, facts) =>
  t.emit(Ir.FDiv, a.type, [number(t, a, 1), a], { ...facts }),
);
const rsqrt = eachFloat((t, a) => div(t, number(t, a, 1), t.emit(Ir.FSqrt, a.type, [a])));

const HANDLERS: Partial<Record<E, Handler>> = {
  [E.ceil]: directFloat(Ir.FCeil),
  [E.floor]: directFloat(Ir.FFloor),
  [E.trunc]: directFloat(Ir.FTrunc),
  [E.rint]: directFloat(Ir.FRint),
  [E.fabs]: directFloat(Ir.FAbs),
  [E.copysign]: directFloat(Ir.FCopySign),
  [E.fmin]: directFloat(Ir.FMin),
  [E.fmax]: directFloat(Ir.FMax),
  [E.fmin_common]: directFloat(Ir.FMin),
  [E.fmax_common]: directFloat(Ir.FMax),
  [E.fma]: directFloat(Ir.Fma),
  [E.mad]: directFloat(Ir.MulAdd),
  [E.fmod]: directFloat(Ir.FRem),
  [E.sqrt]: directFloat(Ir.FSqrt),
  [E.half_sqrt]: directFloat(Ir.FSqrt),
  [E.native_sqrt]: directFloat(Ir.FSqrt),
  [E.rsqrt]: rsqrt,
  [E.half_rsqrt]: rsqrt,
  [E.native_rsqrt]: rsqrt,
  [E.half_divide]: directFloat(Ir.FDiv),
  [E.native_divide]: directFloat(Ir.FDiv),
  [E.half_recip]: reciprocal,
  [E.native_recip]: reciprocal,
  [E.fdim]: eachFloat((t, a, b) => t.select(t.emit(Ir.FLe, Type.I1, [a, b]), number(t, a, 0), sub(t, a, b))),
  [E.fract]: fract,
  [E.maxmag]: magnitude(true),
  [E.minmag]: magnitude(false),
  [E.nan]: nanOf,
  [E.fclamp]: clampFloat,
  [E.degrees]: scale(180 / Math.PI),
  [E.radians]: scale(Math.PI / 180),
  [E.mix]: eachFloat((t, a, b, c) => add(t, a, mul(t, sub(t, b, a), c))),
  [E.step]: eachFloat((t, edge, x) => t.select(less(t, x, edge), number(t, x, 0), number(t, x, 1))),
  [E.smoothstep]: smoothstep,
  [E.sign]: sign,
  [E.cross]: geometry(cross),
  [E.distance]: geometry((t, a, b) => [norm(t, difference(t, a, b)).length]),
  [E.length]: geometry((t, a) => [norm(t, a).length]),
  [E.normalize]: geometry(normalize),
  [E.fast_distance]: geometry((t, a, b) => {
    const d = difference(t, a, b);
    return [t.emit(Ir.FSqrt, d[0]!.type, [dotOf(t, d, d)])];
  }),
  [E.fast_length]: geometry((t, a) => [t.emit(Ir.FSqrt, a[0]!.type, [dotOf(t, a, a)])]),
  [E.fast_normalize]: geometry(fastNormalize),

  [E.s_abs]: direct(Ir.Abs),
  [E.u_abs]: each((_, a) => a),
  [E.s_abs_diff]: each(absDiff(Ir.SMin, Ir.SMax)),
  [E.u_abs_diff]: each(absDiff(Ir.UMin, Ir.UMax)),
  [E.s_add_sat]: direct(Ir.SAddSat),
  [E.u_add_sat]: direct(Ir.UAddSat),
  [E.s_sub_sat]: direct(Ir.SSubSat),
  [E.u_sub_sat]: direct(Ir.USubSat),
  [E.s_hadd]: each(halfAdd(Ir.AShr)),
  [E.u_hadd]: each(halfAdd(Ir.LShr)),
  [E.s_rhadd]: direct(Ir.SAvgR),
  [E.u_rhadd]: direct(Ir.UAvgR),
  [E.s_clamp]: each(minMax(Ir.SMin, Ir.SMax)),
  [E.u_clamp]: each(minMax(Ir.UMin, Ir.UMax)),
  [E.clz]: direct(Ir.Clz),
  [E.ctz]: direct(Ir.Ctz),
  [E.popcount]: direct(Ir.PopCount),
  [E.rotate]: direct(Ir.Rotl),
  [E.s_min]: direct(Ir.SMin),
  [E.u_min]: direct(Ir.UMin),
  [E.s_max]: direct(Ir.SMax),
  [E.u_max]: direct(Ir.UMax),
  [E.s_mul_hi]: direct(Ir.SMulHi),
  [E.u_mul_hi]: direct(Ir.UMulHi),
  [E.s_mad_hi]: each((t, a, b, c) => t.emit(Ir.Add, a.type, [t.emit(Ir.SMulHi, a.type, [a, b]), c])),
  [E.u_mad_hi]: each((t, a, b, c) => t.emit(Ir.Add, a.type, [t.emit(Ir.UMulHi, a.type, [a, b]), c])),
  [E.s_mad_sat]: each((t, a, b, c) => madSat(t, a, b, c, true)),
  [E.u_mad_sat]: each((t, a, b, c) => madSat(t, a, b, c, false)),
  [E.s_mad24]: each(mulAdd),
  [E.u_mad24]: each(mulAdd),
  [E.s_mul24]: direct(Ir.Mul),
  [E.u_mul24]: direct(Ir.Mul),
  [E.u_upsample]: upsample,
  [E.s_upsample]: upsample,

  [E.bitselect]: bitselect,
  [E.select]: select,
  [E.shuffle]: shuffle,
  [E.shuffle2]: shuffle,
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
  [E.prefetch]: () => {},
  [E.printf]: printf,
};

/** @param block the instructions of the block of `i`. */
export function openclStd(t: Translation, block: readonly Instruction[], i: Instruction): void {
  const inst: E = i.operands[1]!;
  const other = sineOrCosineOf(block, i);
  if (other) {
    // The first of the two computes both.
    if (block.indexOf(i) > block.indexOf(other)) return;
    if (inst === E.sin) sineAndCosine(t, i, other);
    else sineAndCosine(t, other, i);
    return;
  }
  const handler = HANDLERS[inst];
  if (handler) handler(t, i);
  else if (LIBRARY_MATH.has(inst)) library(t, i, inst);
  else t.fail(`the OpenCL.std instruction ${E[inst] ?? inst} is not supported by the software device`);
}
