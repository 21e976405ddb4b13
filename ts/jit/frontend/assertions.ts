// SPDX-License-Identifier: MIT
//
// What a checked run looks at besides memory: arithmetic, the coordinates of images, assertions, formats of printf. Each becomes
// an `Assert`, from which jit/checks makes a call of the device. Only the program's own code has them, not the library's.
import {
  ASSERT_FAIL_FUNCTION,
  ASSERT_FUNCTION,
  type AssertedFault,
  CHECK_OF_FAULT,
  type ShownType,
} from '../../base/checks';
import { IMAGE_DESCRIPTOR, SAMPLER_BITS } from '../../base/kernel-abi';
import { Decoration, Dim, Op } from '../../spirv/grammar.gen';
import type { Id, Instruction } from '../../spirv/module';
import { type InstFacts, Op as Ir, Type, type Value } from '../ir/ir';
import { bitsOf, isFloat } from '../ir/types';
import { constantString } from './constant-strings';
import type { ImageShape } from './library-calls';
import type { Translation } from './translation';

interface Shown {
  readonly type: ShownType;
  readonly value: Value;
}

function isChecked(t: Translation, fault: AssertedFault): boolean {
  const { checks, modules } = t.context;
  return checks?.includes(CHECK_OF_FAULT[fault]) === true && t.index === modules.own;
}

/** The program is at fault where the condition is false. */
function assertThat(
  t: Translation,
  fault: AssertedFault,
  condition: Value,
  shown: readonly Shown[],
  more: Pick<InstFacts, 'text' | 'index'> = {},
): void {
  const values = shown.map(({ type, value }) => wide(t, value, type));
  const facts = { fault, shown: shown.map(({ type }) => type), ...more };
  t.emit(Ir.Assert, Type.Void, [condition, ...values], facts);
}

function wide(t: Translation, value: Value, type: ShownType): Value {
  if (type !== 'float') return t.resize(value, Type.I64, type === 'int');
  return t.emit(Ir.Bitcast, Type.I64, [t.narrow(value, Type.F64)]);
}

const compare = (t: Translation, op: Ir, a: Value, b: Value) => t.emit(op, Type.I1, [a, b]);
const either = (t: Translation, a: Value, b: Value) => t.emit(Ir.Or, Type.I1, [a, b]);
const both = (t: Translation, a: Value, b: Value) => t.emit(Ir.And, Type.I1, [a, b]);
const constant = (t: Translation, type: Type, value: bigint) =>
  t.const(type, type === Type.I64 ? value : Number(value));
const least = (type: Type) => -(1n << BigInt(bitsOf(type) - 1));

// --- arithmetic

type Check = (t: Translation, i: Instruction, operands: readonly Value[], type: Type) => void;

const division =
  (signed: boolean): Check =>
  (t, _, [a, b], type) => {
    const as = signed ? 'int' : 'uint';
    const shown: readonly Shown[] = [a!, b!].map((value) => ({ type: as, value }));
    assertThat(t, 'division-by-zero', compare(t, Ir.Ne, b!, t.zero(type)), shown);
    if (!signed) return;
    const notLeast = compare(t, Ir.Ne, a!, constant(t, type, least(type)));
    const notMinusOne = compare(t, Ir.Ne, b!, constant(t, type, -1n));
    assertThat(t, 'overflow', either(t, notLeast, notMinusOne), shown, { text: '/' });
  };

const shift: Check = (t, _, [value, amount]) => {
  const width = constant(t, amount!.type, BigInt(bitsOf(value!.type)));
  const shown: readonly Shown[] = [{ type: 'int', value: amount! }];
  const text = String(bitsOf(value!.type));
  assertThat(t, 'shift-too-wide', compare(t, Ir.ULt, amount!, width), shown, { text });
};

/** Whether two's complement wraps. Instructions without the decoration may. */
const overflow =
  (sign: string, wraps: (t: Translation, a: Value, b: Value) => Value): Check =>
  (t, i, [a, b], type) => {
    if (t.index.decoration(i.result, Decoration.NoSignedWrap) === undefined || bitsOf(type) < 32) return;
    const shown: readonly Shown[] = [a!, b!].map((value) => ({ type: 'int', value }));
    assertThat(t, 'overflow', compare(t, Ir.SGe, wraps(t, a!, b!), t.zero(type)), shown, { text: sign });
  };
const xor = (t: Translation, a: Value, b: Value) => t.emit(Ir.Xor, a.type, [a, b]);

const added = overflow('+', (t, a, b) => {
  const sum = t.emit(Ir.Add, a.type, [a, b]);
  return t.emit(Ir.And, a.type, [xor(t, a, sum), xor(t, b, sum)]);
});
const subtracted = overflow('-', (t, a, b) => {
  const difference = t.emit(Ir.Sub, a.type, [a, b]);
  return t.emit(Ir.And, a.type, [xor(t, a, b), xor(t, a, difference)]);
});

const multiplied: Check = (t, i, [a, b], type) => {
  if (t.index.decoration(i.result, Decoration.NoSignedWrap) === undefined || bitsOf(type) < 32) return;
  const low = t.emit(Ir.Mul, type, [a!, b!]);
  const high = t.emit(Ir.SMulHi, type, [a!, b!]);
  const sign = t.emit(Ir.AShr, type, [low, constant(t, type, BigInt(bitsOf(type) - 1))]);
  const shown: readonly Shown[] = [a!, b!].map((value) => ({ type: 'int', value }));
  assertThat(t, 'overflow', compare(t, Ir.Eq, high, sign), shown, { text: '*' });
};

const negated: Check = (t, i, [a], type) => {
  if (t.index.decoration(i.result, Decoration.NoSignedWrap) === undefined || bitsOf(type) < 32) return;
  const fits = compare(t, Ir.Ne, a!, constant(t, type, least(type)));
  assertThat(t, 'overflow', fits, [{ type: 'int', value: a! }], { text: '-' });
};

/** The truncated number is one of the integer type. Powers of two are exact in every type of float. */
const converted =
  (signed: boolean): Check =>
  (t, i, [value], to) => {
    if (t.index.decoration(i.result, Decoration.SaturatedConversion) !== undefined) return;
    const x = t.narrow(value!, Type.F64);
    const bits = bitsOf(to) - (signed ? 1 : 0);
    const float = (number: number) => t.const(Type.F64, number);
    // A double has no number between -2^63 and -2^63 - 1.
    const above =
      signed && bits === 63
        ? compare(t, Ir.FGe, x, float(-(2 ** 63)))
        : compare(t, Ir.FGt, x, float(signed ? -(2 ** bits) - 1 : -1));
    const inside = both(t, above, compare(t, Ir.FLt, x, float(2 ** bits)));
    const text = `${signed ? '' : 'u'}int of ${bitsOf(to)} bits`;
    assertThat(t, 'conversion', inside, [{ type: 'float', value: value! }], { text });
  };

const ARITHMETIC: Partial<Record<Op, Check>> = {
  [Op.SDiv]: division(true),
  [Op.SRem]: division(true),
  [Op.SMod]: division(true),
  [Op.UDiv]: division(false),
  [Op.UMod]: division(false),
  [Op.ShiftLeftLogical]: shift,
  [Op.ShiftRightLogical]: shift,
  [Op.ShiftRightArithmetic]: shift,
  [Op.IAdd]: added,
  [Op.ISub]: subtracted,
  [Op.IMul]: multiplied,
  [Op.SNegate]: negated,
  [Op.ConvertFToS]: converted(true),
  [Op.ConvertFToU]: converted(false),
};

/** To be called before an instruction is translated. */
export function assertArithmetic(t: Translation, i: Instruction): void {
  const check = ARITHMETIC[i.op];
  if (!check || !isChecked(t, 'overflow')) return;
  const type = t.scalarType(t.type(i));
  const lists = i.operands.map((id) => t.get(id));
  lists[0]!.forEach((_, at) => {
    check(
      t,
      i,
      lists.map((list) => list[at] ?? list[0]!),
      type,
    );
  });
}

// --- images

const SIZES = [IMAGE_DESCRIPTOR.width, IMAGE_DESCRIPTOR.height, IMAGE_DESCRIPTOR.depth] as const;
const DIMENSIONS: Partial<Record<Dim, number>> = { [Dim._2D]: 2, [Dim._3D]: 3 };

/** Coordinates must be in the image, unless a sampler says what is outside. */
export function assertInImage(
  t: Translation,
  [image, sampler]: readonly [Value, Value?],
  shape: ImageShape,
  at: readonly Value[],
  level: Value | undefined,
): void {
  if (!isChecked(t, 'image-out-of-bounds')) return;
  const word = (offset: number) =>
    t.emit(Ir.Load, Type.I32, [image], { offset, align: 4, space: 'constant', invariant: true });
  const dimensions = DIMENSIONS[shape.dimension] ?? 1;
  const sizes: Value[] = SIZES.slice(0, dimensions).map((offset) => {
    const size = word(offset);
    if (!level) return size;
    return t.emit(Ir.UMax, Type.I32, [t.emit(Ir.LShr, Type.I32, [size, level]), t.i32(1)]);
  });
  // A sampler clamps the layer.
  if (shape.arrayed && !sampler) sizes.push(word(IMAGE_DESCRIPTOR.arraySize));
  const given = at.slice(0, sizes.length);
  const isReal = isFloat(given[0]!.type);
  const inside = given.map((coordinate, d) => {
    if (!isReal) return compare(t, Ir.ULt, coordinate, sizes[d]!);
    return isInside(t, coordinate, sizes[d]!, sampler);
  });
  const all = inside.reduce((a, b) => both(t, a, b));
  const shown: Shown[] = given.map((value) => ({ type: isReal ? 'float' : 'int', value }));
  for (const value of sizes) if (shown.length < 6) shown.push({ type: 'uint', value });
  const index = image.kind === 'inst' && image.op === Ir.Argument ? image.facts.index : undefined;
  const about = { text: String(sizes.length), ...(index === undefined ? {} : { index }) };
  assertThat(
    t,
    'image-out-of-bounds',
    sampler ? either(t, all, hasAddressing(t, sampler)) : all,
    shown,
    about,
  );
}

function isInside(t: Translation, coordinate: Value, size: Value, sampler: Value | undefined): Value {
  const full = t.emit(Ir.UToF, Type.F32, [size]);
  const bit = t.emit(Ir.And, Type.I32, [sampler ?? t.i32(0), t.i32(SAMPLER_BITS.normalized)]);
  const end = t.select(compare(t, Ir.Ne, bit, t.i32(0)), t.const(Type.F32, 1), full);
  return both(t, compare(t, Ir.FGe, coordinate, t.zero(Type.F32)), compare(t, Ir.FLe, coordinate, end));
}

function hasAddressing(t: Translation, sampler: Value): Value {
  const mode = t.emit(Ir.And, Type.I32, [sampler, t.i32(SAMPLER_BITS.addressing)]);
  return compare(t, Ir.Ne, mode, t.i32(0));
}

// --- arrays in structs and rows of arrays

/** Of an access through a pointer: an index beyond its array leads to other parts of the same object, which no other check finds. */
export function assertIndexes(t: Translation, pointer: Id): void {
  if (!isChecked(t, 'index-out-of-bounds')) return;
  for (const { index, count } of t.nestedIndexes.get(pointer) ?? []) {
    const value = t.scalar(index);
    const size = constant(t, value.type, BigInt(count));
    const shown: readonly Shown[] = [value, size].map((each) => ({ type: 'int', value: each }));
    assertThat(t, 'index-out-of-bounds', compare(t, Ir.ULt, value, size), shown);
  }
}

// --- what the program itself asserts

/** Translates a call of a function that the device defines. False: it defines none of this name. */
export function callDeviceFunction(
  t: Translation,
  name: string,
  args: readonly (readonly Value[])[],
): boolean {
  const text = (at: number) => constantString(t, args[at]![0]!) ?? '';
  const checked = isChecked(t, 'assertion');
  if (name === ASSERT_FUNCTION) {
    const outcome = args[0]![0]!;
    const isTrue = compare(t, Ir.Ne, outcome, t.zero(outcome.type));
    if (checked) assertThat(t, 'assertion', isTrue, [], { text: text(1) });
    return true;
  }
  if (name !== ASSERT_FAIL_FUNCTION) return false;
  if (checked) assertThat(t, 'assertion', t.const(Type.I1, 0), [], { text: text(0) });
  return true;
}

export function assertFormat(t: Translation, problem: string | undefined): void {
  if (problem === undefined || !isChecked(t, 'printf-format')) return;
  assertThat(t, 'printf-format', t.const(Type.I1, 0), [], { text: problem });
}
