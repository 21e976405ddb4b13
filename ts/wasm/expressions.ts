// SPDX-License-Identifier: MIT
//
// Typed expressions over the function builder, by the names of WebAssembly's text format: operands stand inside the operation
// that uses them.
//
//     set(f, mask, i32.sub(i32.shl(i32.const(1), width), i32.const(1)));
//
// An expression is a function that emits its operands from left to right and then its instruction, so it costs nothing beyond
// that. It can be emitted more than once. A number as operand is a local.
import type { FunctionBuilder } from './function-builder';
import { Wasm } from './opcodes';

export type Integer = 'i32' | 'i64';
export type Float = 'f32' | 'f64';
export type ValueType = Integer | Float | 'v128';

declare const TYPE: unique symbol;

/** Emits code that leaves one value of a type on the stack. */
export interface Expr<T extends ValueType = ValueType> {
  (f: FunctionBuilder): void;
  /** Exists only for the type checker. */
  readonly [TYPE]?: T;
}

export type Operand<T extends ValueType = ValueType> = number | Expr<T>;

/** Leaves the value of an expression or a local on the stack. */
export function emit(f: FunctionBuilder, value: Operand): void {
  if (typeof value === 'number') f.get(value);
  else value(f);
}

/** Assigns a value to a local. */
export function set(f: FunctionBuilder, local: number, value: Operand): void {
  emit(f, value);
  f.set(local);
}

/** The value, which is also assigned to a local. */
export function tee<T extends ValueType>(local: number, value: Expr<T>): Expr<T> {
  return (f) => {
    value(f);
    f.tee(local);
  };
}

type Unary<A extends ValueType, R extends ValueType = A> = (a: Operand<A>) => Expr<R>;
type Binary<A extends ValueType, R extends ValueType = A> = (a: Operand<A>, b: Operand<A>) => Expr<R>;
type Ternary<A extends ValueType> = (a: Operand<A>, b: Operand<A>, d: Operand<A>) => Expr<A>;
/** A shift of all lanes by one amount. */
type Shift = (a: Operand<'v128'>, amount: Operand<'i32'>) => Expr<'v128'>;

const unary =
  (code: Wasm) =>
  (a: Operand): Expr<never> =>
  (f) => {
    emit(f, a);
    f.op(code);
  };

const binary =
  (code: Wasm) =>
  (a: Operand, b: Operand): Expr<never> =>
  (f) => {
    emit(f, a);
    emit(f, b);
    f.op(code);
  };

const ternary =
  (code: Wasm) =>
  (a: Operand, b: Operand, d: Operand): Expr<never> =>
  (f) => {
    emit(f, a);
    emit(f, b);
    emit(f, d);
    f.op(code);
  };

/** One column of a table of instructions, as functions that make expressions. */
function column<Rows extends Readonly<Record<string, readonly Wasm[]>>, F>(
  rows: Rows,
  index: number,
  make: (code: Wasm) => F,
): { readonly [K in keyof Rows]: F } {
  const made: Record<string, F> = {};
  for (const [name, codes] of Object.entries(rows)) made[name] = make(codes[index]!);
  return made as { readonly [K in keyof Rows]: F };
}

// --- scalar integers: instructions of i32 and i64 ---

const INTEGER = {
  add: [Wasm.i32_add, Wasm.i64_add],
  sub: [Wasm.i32_sub, Wasm.i64_sub],
  mul: [Wasm.i32_mul, Wasm.i64_mul],
  div_s: [Wasm.i32_div_s, Wasm.i64_div_s],
  div_u: [Wasm.i32_div_u, Wasm.i64_div_u],
  rem_s: [Wasm.i32_rem_s, Wasm.i64_rem_s],
  rem_u: [Wasm.i32_rem_u, Wasm.i64_rem_u],
  and: [Wasm.i32_and, Wasm.i64_and],
  or: [Wasm.i32_or, Wasm.i64_or],
  xor: [Wasm.i32_xor, Wasm.i64_xor],
  shl: [Wasm.i32_shl, Wasm.i64_shl],
  shr_s: [Wasm.i32_shr_s, Wasm.i64_shr_s],
  shr_u: [Wasm.i32_shr_u, Wasm.i64_shr_u],
  rotl: [Wasm.i32_rotl, Wasm.i64_rotl],
} as const;

const INTEGER_COMPARISON = {
  eq: [Wasm.i32_eq, Wasm.i64_eq],
  ne: [Wasm.i32_ne, Wasm.i64_ne],
  lt_s: [Wasm.i32_lt_s, Wasm.i64_lt_s],
  lt_u: [Wasm.i32_lt_u, Wasm.i64_lt_u],
  gt_s: [Wasm.i32_gt_s, Wasm.i64_gt_s],
  gt_u: [Wasm.i32_gt_u, Wasm.i64_gt_u],
  le_s: [Wasm.i32_le_s, Wasm.i64_le_s],
  le_u: [Wasm.i32_le_u, Wasm.i64_le_u],
  ge_s: [Wasm.i32_ge_s, Wasm.i64_ge_s],
  ge_u: [Wasm.i32_ge_u, Wasm.i64_ge_u],
} as const;

const INTEGER_UNARY = {
  clz: [Wasm.i32_clz, Wasm.i64_clz],
  ctz: [Wasm.i32_ctz, Wasm.i64_ctz],
  popcnt: [Wasm.i32_popcnt, Wasm.i64_popcnt],
} as const;

/** The truncation of floats; numbers out of range give the nearest integer, NaN gives 0. */
const TRUNC_F32 = {
  trunc_sat_f32_s: [Wasm.i32_trunc_sat_f32_s, Wasm.i64_trunc_sat_f32_s],
  trunc_sat_f32_u: [Wasm.i32_trunc_sat_f32_u, Wasm.i64_trunc_sat_f32_u],
} as const;

const TRUNC_F64 = {
  trunc_sat_f64_s: [Wasm.i32_trunc_sat_f64_s, Wasm.i64_trunc_sat_f64_s],
  trunc_sat_f64_u: [Wasm.i32_trunc_sat_f64_u, Wasm.i64_trunc_sat_f64_u],
} as const;

const INTEGER_TEST = {
  eqz: [Wasm.i32_eqz, Wasm.i64_eqz],
} as const;

/** The operations of both integer types. */
export type IntegerOps<T extends Integer> = { const(value: number | bigint): Expr<T> } & {
  readonly [K in keyof typeof INTEGER]: Binary<T>;
} & { readonly [K in keyof typeof INTEGER_COMPARISON]: Binary<T, 'i32'> } & {
  readonly [K in keyof typeof INTEGER_UNARY]: Unary<T>;
} & { readonly [K in keyof typeof INTEGER_TEST]: Unary<T, 'i32'> } & {
  readonly [K in keyof typeof TRUNC_F32]: Unary<'f32', T>;
} & { readonly [K in keyof typeof TRUNC_F64]: Unary<'f64', T> };

function integerOps(index: number) {
  return {
    ...column(INTEGER, index, binary),
    ...column(INTEGER_COMPARISON, index, binary),
    ...column(INTEGER_UNARY, index, unary),
    ...column(INTEGER_TEST, index, unary),
    ...column(TRUNC_F32, index, unary),
    ...column(TRUNC_F64, index, unary),
  };
}

const I32 = {
  ...integerOps(0),
  const:
    (value: number | bigint): Expr<'i32'> =>
    (f) =>
      f.i32(Number(value)),
} satisfies IntegerOps<'i32'>;

const I64 = {
  ...integerOps(1),
  const:
    (value: number | bigint): Expr<'i64'> =>
    (f) =>
      f.i64(BigInt(value)),
} satisfies IntegerOps<'i64'>;

export const i32: IntegerOps<'i32'> & {
  wrap_i64: Unary<'i64', 'i32'>;
  reinterpret_f32: Unary<'f32', 'i32'>;
} = {
  ...I32,
  wrap_i64: unary(Wasm.i32_wrap_i64),
  reinterpret_f32: unary(Wasm.i32_reinterpret_f32),
};

export const i64: IntegerOps<'i64'> & {
  extend_i32_s: Unary<'i32', 'i64'>;
  extend_i32_u: Unary<'i32', 'i64'>;
  reinterpret_f64: Unary<'f64', 'i64'>;
} = {
  ...I64,
  extend_i32_s: unary(Wasm.i64_extend_i32_s),
  extend_i32_u: unary(Wasm.i64_extend_i32_u),
  reinterpret_f64: unary(Wasm.i64_reinterpret_f64),
};

/** The integer type of 64 or 32 bits. */
export function integers(wide: boolean): IntegerOps<Integer> {
  return (wide ? i64 : i32) as IntegerOps<Integer>;
}

// --- scalar floats: instructions of f32 and f64 ---

const FLOAT = {
  add: [Wasm.f32_add, Wasm.f64_add],
  sub: [Wasm.f32_sub, Wasm.f64_sub],
  mul: [Wasm.f32_mul, Wasm.f64_mul],
  div: [Wasm.f32_div, Wasm.f64_div],
  max: [Wasm.f32_max, Wasm.f64_max],
  copysign: [Wasm.f32_copysign, Wasm.f64_copysign],
} as const;

const FLOAT_COMPARISON = {
  eq: [Wasm.f32_eq, Wasm.f64_eq],
  ne: [Wasm.f32_ne, Wasm.f64_ne],
  lt: [Wasm.f32_lt, Wasm.f64_lt],
  gt: [Wasm.f32_gt, Wasm.f64_gt],
  le: [Wasm.f32_le, Wasm.f64_le],
  ge: [Wasm.f32_ge, Wasm.f64_ge],
} as const;

const FLOAT_UNARY = {
  abs: [Wasm.f32_abs, Wasm.f64_abs],
} as const;

const CONVERT_I32 = {
  convert_i32_s: [Wasm.f32_convert_i32_s, Wasm.f64_convert_i32_s],
  convert_i32_u: [Wasm.f32_convert_i32_u, Wasm.f64_convert_i32_u],
} as const;

const CONVERT_I64 = {
  convert_i64_s: [Wasm.f32_convert_i64_s, Wasm.f64_convert_i64_s],
  convert_i64_u: [Wasm.f32_convert_i64_u, Wasm.f64_convert_i64_u],
} as const;

/** The operations of both float types. */
export type FloatOps<T extends Float> = { const(value: number): Expr<T> } & {
  readonly [K in keyof typeof FLOAT]: Binary<T>;
} & { readonly [K in keyof typeof FLOAT_COMPARISON]: Binary<T, 'i32'> } & {
  readonly [K in keyof typeof FLOAT_UNARY]: Unary<T>;
} & { readonly [K in keyof typeof CONVERT_I32]: Unary<'i32', T> } & {
  readonly [K in keyof typeof CONVERT_I64]: Unary<'i64', T>;
};

function floatOps(index: number) {
  return {
    ...column(FLOAT, index, binary),
    ...column(FLOAT_COMPARISON, index, binary),
    ...column(FLOAT_UNARY, index, unary),
    ...column(CONVERT_I32, index, unary),
    ...column(CONVERT_I64, index, unary),
  };
}

export const f32: FloatOps<'f32'> & {
  demote_f64: Unary<'f64', 'f32'>;
  reinterpret_i32: Unary<'i32', 'f32'>;
} = {
  ...floatOps(0),
  const: (value) => (f) => f.f32(value),
  demote_f64: unary(Wasm.f32_demote_f64),
  reinterpret_i32: unary(Wasm.f32_reinterpret_i32),
};

export const f64: FloatOps<'f64'> & {
  promote_f32: Unary<'f32', 'f64'>;
  reinterpret_i64: Unary<'i64', 'f64'>;
} = {
  ...floatOps(1),
  const: (value) => (f) => f.f64(value),
  promote_f32: unary(Wasm.f64_promote_f32),
  reinterpret_i64: unary(Wasm.f64_reinterpret_i64),
};

/** The float type of 64 or 32 bits. */
export function floats(wide: boolean): FloatOps<Float> {
  return (wide ? f64 : f32) as FloatOps<Float>;
}

/** An aligned word of 32 bits in memory, `offset` bytes after an address. */
export function loadWord(address: Operand<'i32'>, offset: number): Expr<'i32'> {
  return (f) => {
    emit(f, address);
    f.memory(Wasm.i32_load, offset, 2);
  };
}

/** `a` where the condition holds, else `b`. */
export function select<T extends ValueType>(
  a: Operand<T>,
  b: Operand<T>,
  condition: Operand<'i32'>,
): Expr<T> {
  return (f) => {
    emit(f, a);
    emit(f, b);
    emit(f, condition);
    f.op(Wasm.select);
  };
}

// --- vectors of integers: instructions of i32x4 and i64x2 ---

const VECTOR_INTEGER = {
  add: [Wasm.i32x4_add, Wasm.i64x2_add],
  sub: [Wasm.i32x4_sub, Wasm.i64x2_sub],
  mul: [Wasm.i32x4_mul, Wasm.i64x2_mul],
  eq: [Wasm.i32x4_eq, Wasm.i64x2_eq],
  ne: [Wasm.i32x4_ne, Wasm.i64x2_ne],
  lt_s: [Wasm.i32x4_lt_s, Wasm.i64x2_lt_s],
  gt_s: [Wasm.i32x4_gt_s, Wasm.i64x2_gt_s],
} as const;

const VECTOR_SHIFT = {
  shl: [Wasm.i32x4_shl, Wasm.i64x2_shl],
  shr_s: [Wasm.i32x4_shr_s, Wasm.i64x2_shr_s],
  shr_u: [Wasm.i32x4_shr_u, Wasm.i64x2_shr_u],
} as const;

const VECTOR_UNARY = {
  neg: [Wasm.i32x4_neg, Wasm.i64x2_neg],
} as const;

const LANE_INTEGER = {
  splat: [Wasm.i32x4_splat, Wasm.i64x2_splat],
} as const;

const extractLane =
  (code: Wasm) =>
  (v: Operand, lane: number): Expr<never> =>
  (f) => {
    emit(f, v);
    f.lane(code, lane);
  };

export type VectorIntegerOps<T extends Integer> = {
  readonly [K in keyof typeof VECTOR_INTEGER]: Binary<'v128'>;
} & { readonly [K in keyof typeof VECTOR_SHIFT]: Shift } & {
  readonly [K in keyof typeof VECTOR_UNARY]: Unary<'v128'>;
} & { readonly [K in keyof typeof LANE_INTEGER]: Unary<T, 'v128'> } & {
  extract_lane(v: Operand<'v128'>, lane: number): Expr<T>;
};

function vectorIntegerOps(index: number) {
  return {
    ...column(VECTOR_INTEGER, index, binary),
    ...column(VECTOR_SHIFT, index, binary),
    ...column(VECTOR_UNARY, index, unary),
    ...column(LANE_INTEGER, index, unary),
  };
}

export const i32x4: VectorIntegerOps<'i32'> & {
  readonly [K in
    | `${'min' | 'max'}_${'s' | 'u'}`
    | 'dot_i16x8_s'
    | `extmul_${'low' | 'high'}_i16x8_u`]: Binary<'v128'>;
} & {
  readonly [K in
    | `trunc_sat_f32x4_${'s' | 'u'}`
    | `trunc_sat_f64x2_${'s' | 'u'}_zero`
    | 'relaxed_trunc_f32x4_s'
    | 'extadd_pairwise_i16x8_s']: Unary<'v128'>;
} = {
  ...vectorIntegerOps(0),
  extract_lane: extractLane(Wasm.i32x4_extract_lane),
  min_s: binary(Wasm.i32x4_min_s),
  min_u: binary(Wasm.i32x4_min_u),
  max_s: binary(Wasm.i32x4_max_s),
  max_u: binary(Wasm.i32x4_max_u),
  dot_i16x8_s: binary(Wasm.i32x4_dot_i16x8_s),
  extmul_low_i16x8_u: binary(Wasm.i32x4_extmul_low_i16x8_u),
  extmul_high_i16x8_u: binary(Wasm.i32x4_extmul_high_i16x8_u),
  trunc_sat_f32x4_s: unary(Wasm.i32x4_trunc_sat_f32x4_s),
  trunc_sat_f32x4_u: unary(Wasm.i32x4_trunc_sat_f32x4_u),
  trunc_sat_f64x2_s_zero: unary(Wasm.i32x4_trunc_sat_f64x2_s_zero),
  trunc_sat_f64x2_u_zero: unary(Wasm.i32x4_trunc_sat_f64x2_u_zero),
  relaxed_trunc_f32x4_s: unary(Wasm.i32x4_relaxed_trunc_f32x4_s),
  extadd_pairwise_i16x8_s: unary(Wasm.i32x4_extadd_pairwise_i16x8_s),
};

export const i64x2: VectorIntegerOps<'i64'> & {
  readonly [K in `extmul_${'low' | 'high'}_i32x4_${'s' | 'u'}`]: Binary<'v128'>;
} & { readonly [K in `extend_${'low' | 'high'}_i32x4_${'s' | 'u'}`]: Unary<'v128'> } = {
  ...vectorIntegerOps(1),
  extract_lane: extractLane(Wasm.i64x2_extract_lane),
  extmul_low_i32x4_s: binary(Wasm.i64x2_extmul_low_i32x4_s),
  extmul_low_i32x4_u: binary(Wasm.i64x2_extmul_low_i32x4_u),
  extmul_high_i32x4_s: binary(Wasm.i64x2_extmul_high_i32x4_s),
  extmul_high_i32x4_u: binary(Wasm.i64x2_extmul_high_i32x4_u),
  extend_low_i32x4_s: unary(Wasm.i64x2_extend_low_i32x4_s),
  extend_low_i32x4_u: unary(Wasm.i64x2_extend_low_i32x4_u),
  extend_high_i32x4_s: unary(Wasm.i64x2_extend_high_i32x4_s),
  extend_high_i32x4_u: unary(Wasm.i64x2_extend_high_i32x4_u),
};

/** The vectors of 64-bit or 32-bit integers. */
export function integerVectors(wide: boolean): VectorIntegerOps<Integer> {
  return (wide ? i64x2 : i32x4) as VectorIntegerOps<Integer>;
}

// --- vectors of shorter integers ---

export const i8x16: {
  readonly [K in
    | 'add'
    | 'sub'
    | 'min_u'
    | 'gt_s'
    | 'swizzle'
    | 'relaxed_swizzle'
    | 'narrow_i16x8_u']: Binary<'v128'>;
} & { readonly [K in 'shl' | 'shr_s' | 'shr_u']: Shift } & { readonly popcnt: Unary<'v128'> } = {
  add: binary(Wasm.i8x16_add),
  sub: binary(Wasm.i8x16_sub),
  min_u: binary(Wasm.i8x16_min_u),
  gt_s: binary(Wasm.i8x16_gt_s),
  swizzle: binary(Wasm.i8x16_swizzle),
  relaxed_swizzle: binary(Wasm.i8x16_relaxed_swizzle),
  narrow_i16x8_u: binary(Wasm.i8x16_narrow_i16x8_u),
  shl: binary(Wasm.i8x16_shl),
  shr_s: binary(Wasm.i8x16_shr_s),
  shr_u: binary(Wasm.i8x16_shr_u),
  popcnt: unary(Wasm.i8x16_popcnt),
};

export const i16x8: {
  readonly [K in
    | 'add'
    | 'eq'
    | 'mul'
    | 'min_s'
    | 'min_u'
    | 'sub_sat_u'
    | `narrow_i32x4_${'s' | 'u'}`
    | `extmul_${'low' | 'high'}_i8x16_u`]: Binary<'v128'>;
} & { readonly [K in 'shl' | 'shr_s' | 'shr_u']: Shift } & {
  readonly extadd_pairwise_i8x16_u: Unary<'v128'>;
} = {
  add: binary(Wasm.i16x8_add),
  eq: binary(Wasm.i16x8_eq),
  mul: binary(Wasm.i16x8_mul),
  min_s: binary(Wasm.i16x8_min_s),
  min_u: binary(Wasm.i16x8_min_u),
  sub_sat_u: binary(Wasm.i16x8_sub_sat_u),
  narrow_i32x4_s: binary(Wasm.i16x8_narrow_i32x4_s),
  narrow_i32x4_u: binary(Wasm.i16x8_narrow_i32x4_u),
  extmul_low_i8x16_u: binary(Wasm.i16x8_extmul_low_i8x16_u),
  extmul_high_i8x16_u: binary(Wasm.i16x8_extmul_high_i8x16_u),
  shl: binary(Wasm.i16x8_shl),
  shr_s: binary(Wasm.i16x8_shr_s),
  shr_u: binary(Wasm.i16x8_shr_u),
  extadd_pairwise_i8x16_u: unary(Wasm.i16x8_extadd_pairwise_i8x16_u),
};

// --- vectors of floats: instructions of f32x4 and f64x2 ---

const VECTOR_FLOAT = {
  add: [Wasm.f32x4_add, Wasm.f64x2_add],
  sub: [Wasm.f32x4_sub, Wasm.f64x2_sub],
  mul: [Wasm.f32x4_mul, Wasm.f64x2_mul],
  div: [Wasm.f32x4_div, Wasm.f64x2_div],
  eq: [Wasm.f32x4_eq, Wasm.f64x2_eq],
  ne: [Wasm.f32x4_ne, Wasm.f64x2_ne],
  pmin: [Wasm.f32x4_pmin, Wasm.f64x2_pmin],
  pmax: [Wasm.f32x4_pmax, Wasm.f64x2_pmax],
} as const;

const VECTOR_FLOAT_UNARY = {
  floor: [Wasm.f32x4_floor, Wasm.f64x2_floor],
  trunc: [Wasm.f32x4_trunc, Wasm.f64x2_trunc],
} as const;

/** `a * b + d`, rounded once or twice, whichever the processor does. */
const VECTOR_FLOAT_TERNARY = {
  relaxed_madd: [Wasm.f32x4_relaxed_madd, Wasm.f64x2_relaxed_madd],
} as const;

const LANE_FLOAT = {
  splat: [Wasm.f32x4_splat, Wasm.f64x2_splat],
} as const;

export type VectorFloatOps<T extends Float> = {
  readonly [K in keyof typeof VECTOR_FLOAT]: Binary<'v128'>;
} & { readonly [K in keyof typeof VECTOR_FLOAT_TERNARY]: Ternary<'v128'> } & {
  readonly [K in keyof typeof VECTOR_FLOAT_UNARY]: Unary<'v128'>;
} & {
  readonly [K in keyof typeof LANE_FLOAT]: Unary<T, 'v128'>;
} & { extract_lane(v: Operand<'v128'>, lane: number): Expr<T> };

function vectorFloatOps(index: number) {
  return {
    ...column(VECTOR_FLOAT, index, binary),
    ...column(VECTOR_FLOAT_TERNARY, index, ternary),
    ...column(VECTOR_FLOAT_UNARY, index, unary),
    ...column(LANE_FLOAT, index, unary),
  };
}

export const f32x4: VectorFloatOps<'f32'> & {
  readonly [K in 'demote_f64x2_zero' | `convert_i32x4_${'s' | 'u'}`]: Unary<'v128'>;
} = {
  ...vectorFloatOps(0),
  extract_lane: extractLane(Wasm.f32x4_extract_lane),
  demote_f64x2_zero: unary(Wasm.f32x4_demote_f64x2_zero),
  convert_i32x4_s: unary(Wasm.f32x4_convert_i32x4_s),
  convert_i32x4_u: unary(Wasm.f32x4_convert_i32x4_u),
};

export const f64x2: VectorFloatOps<'f64'> & {
  readonly [K in 'promote_low_f32x4' | 'convert_low_i32x4_s' | 'convert_low_i32x4_u']: Unary<'v128'>;
} = {
  ...vectorFloatOps(1),
  extract_lane: extractLane(Wasm.f64x2_extract_lane),
  promote_low_f32x4: unary(Wasm.f64x2_promote_low_f32x4),
  convert_low_i32x4_s: unary(Wasm.f64x2_convert_low_i32x4_s),
  convert_low_i32x4_u: unary(Wasm.f64x2_convert_low_i32x4_u),
};

/** The vectors of doubles or floats. */
export function floatVectors(wide: boolean): VectorFloatOps<Float> {
  return (wide ? f64x2 : f32x4) as VectorFloatOps<Float>;
}

// --- vectors as bits ---

export const v128: {
  readonly [K in 'and' | 'andnot' | 'or' | 'xor']: Binary<'v128'>;
} & { readonly not: Unary<'v128'>; readonly any_true: Unary<'v128', 'i32'> } & {
  /** The bits of `a` where `mask` has ones, else those of `b`. */
  bitselect(a: Operand<'v128'>, b: Operand<'v128'>, mask: Operand<'v128'>): Expr<'v128'>;
  /** Selects sixteen bytes of the two operands by index. */
  shuffle(a: Operand<'v128'>, b: Operand<'v128'>, bytes: readonly number[]): Expr<'v128'>;
} = {
  and: binary(Wasm.v128_and),
  andnot: binary(Wasm.v128_andnot),
  or: binary(Wasm.v128_or),
  xor: binary(Wasm.v128_xor),
  not: unary(Wasm.v128_not),
  any_true: unary(Wasm.v128_any_true),
  bitselect: (a, b, mask) => (f) => {
    emit(f, a);
    emit(f, b);
    emit(f, mask);
    f.op(Wasm.v128_bitselect);
  },
  shuffle: (a, b, bytes) => (f) => {
    emit(f, a);
    emit(f, b);
    f.shuffle(bytes);
  },
};
