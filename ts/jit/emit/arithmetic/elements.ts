// SPDX-License-Identifier: MIT
//
// Op.CountUntil, Op.ReduceElements and Op.MaskOfElements: what is computed from consecutive elements of one work-item. Sixteen elements of n bytes are n
// vectors, and a condition on them is one vector of bytes.
import { invariant } from '../../../base/invariant';
import { ValType } from '../../../wasm/function-builder';
import { Wasm } from '../../../wasm/opcodes';
import { constantOf } from '../../ir/build';
import { rangesOfSteps } from '../../ir/element-ranges';
import { conditionBytes, ELEMENTS } from '../../ir/elements';
import { type ElementStep, type Inst, Op, Type, type Value } from '../../ir/ir';
import { type Range, unsignedRange } from '../../ir/operation-ranges';
import { COMBINE } from '../../ir/reductions';
import { bytesOf } from '../../ir/types';
import type { Context } from '../context';
import { packedInstruction } from '../packed/instructions';
import { VECTOR_BYTES } from '../target';
import { splatOf } from '../value-types';
import { LOWER_WORDS, permute, reversedElements } from './shuffles';
import { vectorInstruction } from './tables';

const SHIFTS: Partial<Record<Op, readonly [words: Wasm, longs: Wasm]>> = {
  [Op.Shl]: [Wasm.i32x4_shl, Wasm.i64x2_shl],
  [Op.LShr]: [Wasm.i32x4_shr_u, Wasm.i64x2_shr_u],
  [Op.AShr]: [Wasm.i32x4_shr_s, Wasm.i64x2_shr_s],
};
/** By the bits of the narrow elements: what widens the lower half of a vector, and the upper one. */
const WIDENING = {
  8: {
    signed: [Wasm.i16x8_extend_low_i8x16_s, Wasm.i16x8_extend_high_i8x16_s],
    unsigned: [Wasm.i16x8_extend_low_i8x16_u, Wasm.i16x8_extend_high_i8x16_u],
  },
  16: {
    signed: [Wasm.i32x4_extend_low_i16x8_s, Wasm.i32x4_extend_high_i16x8_s],
    unsigned: [Wasm.i32x4_extend_low_i16x8_u, Wasm.i32x4_extend_high_i16x8_u],
  },
  32: {
    signed: [Wasm.i64x2_extend_low_i32x4_s, Wasm.i64x2_extend_high_i32x4_s],
    unsigned: [Wasm.i64x2_extend_low_i32x4_u, Wasm.i64x2_extend_high_i32x4_u],
  },
} as const;
/** The same of elements in memory. */
const WIDENING_LOADS = {
  8: { signed: Wasm.v128_load8x8_s, unsigned: Wasm.v128_load8x8_u },
  16: { signed: Wasm.v128_load16x4_s, unsigned: Wasm.v128_load16x4_u },
  32: { signed: Wasm.v128_load32x2_s, unsigned: Wasm.v128_load32x2_u },
} as const;
type Bits = keyof typeof WIDENING;

/** Leaves the number of elements before the first one for which the condition holds; sixteen if there is none. */
export function countUntil(c: Context, inst: Inst): void {
  const { f } = c;
  const steps = new Steps(c, inst);
  steps.condition(inst.facts.elements!.steps.length - 1, 0);
  steps.release();
  f.op(Wasm.i8x16_bitmask);
  f.i32(1 << ELEMENTS);
  f.op(Wasm.i32_or);
  f.op(Wasm.i32_ctz);
}

/** Leaves the reduction of what is computed for all elements. */
export function reduceElements(c: Context, inst: Inst): void {
  const steps = new Steps(c, inst);
  reduce(c, inst, steps);
  steps.release();
}

/** Leaves a bit for each element, whether the condition holds for it. */
export function maskOfElements(c: Context, inst: Inst): void {
  const { f } = c;
  const { elements, reversed } = inst.facts;
  const isLong = inst.type === Type.I64;
  const chunks = inst.facts.size! / ELEMENTS;
  const steps = new Steps(c, inst);
  for (let chunk = 0; chunk < chunks; chunk++) {
    steps.condition(elements!.steps.length - 1, chunk);
    if (reversed) permute(c, reversedElements(1, VECTOR_BYTES));
    f.op(Wasm.i8x16_bitmask);
    if (isLong) f.op(Wasm.i64_extend_i32_u);
    const by = ELEMENTS * (reversed ? chunks - 1 - chunk : chunk);
    if (by > 0) {
      if (isLong) f.i64(BigInt(by));
      else f.i32(by);
      f.op(isLong ? Wasm.i64_shl : Wasm.i32_shl);
    }
    if (chunk > 0) f.op(isLong ? Wasm.i64_or : Wasm.i32_or);
  }
  steps.release();
}

function reduce(c: Context, inst: Inst, steps: Steps): void {
  const { f } = c;
  const { elements, reduction, size } = inst.facts;
  const last = elements!.steps.length - 1;
  const what = elements!.steps[last]!;
  if (what.type !== 'I1') {
    if (what.is === 'computed' && what.op === 'PopCount' && reduction === 'add' && inst.type === Type.I32)
      steps.bitCount(what.of[0]!, size!);
    else if (reduction === 'add' && steps.areHalves(what)) steps.addedInPairs(what, size!);
    else steps.reduced(last, size!, COMBINE[reduction!], inst.type);
    return;
  }
  const bytes = conditionBytes(elements!.steps, last);
  if (bytes === 4 || bytes === 8) {
    // Where a condition holds, its mask is -1.
    f.i32(0);
    steps.reduced(last, size!, Op.Add, bytes === 4 ? Type.I32 : Type.I64);
    if (bytes === 8) f.op(Wasm.i32_wrap_i64);
    f.op(Wasm.i32_sub);
    return;
  }
  for (let chunk = 0; chunk * ELEMENTS < size!; chunk++) {
    steps.condition(last, chunk);
    f.op(Wasm.i8x16_bitmask);
    f.op(Wasm.i32_popcnt);
    if (chunk > 0) f.op(Wasm.i32_add);
  }
}

/** The halves of a vector. */
const HALVES = VECTOR_BYTES / 2;

const isExtension = ({ op }: ElementStep & { is: 'computed' }): boolean => op === 'ZExt' || op === 'SExt';

const fitsHalf = (most: number, isSigned: boolean): boolean => most < 2 ** (isSigned ? 15 : 16);

/** How many vectors of numbers up to `most` can be added in 16 bits, a divisor of `vectors`, which is a power of two. */
function groupOf(most: number, vectors: number, isSigned: boolean): number {
  let group = 1;
  while (group < vectors && fitsHalf(2 * group * most, isSigned)) group *= 2;
  return group;
}

/** What takes the first lane out of a vector. */
const FIRST_LANES: Partial<Record<Type, Wasm>> = {
  [Type.I8]: Wasm.i8x16_extract_lane_u,
  [Type.I16]: Wasm.i16x8_extract_lane_u,
  [Type.I32]: Wasm.i32x4_extract_lane,
  [Type.I64]: Wasm.i64x2_extract_lane,
};

class Steps {
  private readonly steps: readonly ElementStep[];
  private readonly narrow = new Map<string, number>();
  private ranges: readonly (Range | undefined)[] | undefined;

  constructor(
    private readonly c: Context,
    private readonly inst: Inst,
  ) {
    this.steps = inst.facts.elements!.steps;
  }

  /** The reduction of the results of a step for `size` elements, as a scalar of this type. */
  reduced(at: number, size: number, op: Op, type: Type): void {
    const code = instructionFor(op, type);
    this.folded((part) => this.vector(at, part), 0, (size * bytesOf(type)) / VECTOR_BYTES, code);
    this.acrossLanes(code, type);
  }

  /** Whether a step makes 32 bits of 16. */
  areHalves(step: ElementStep): step is ElementStep & { is: 'computed' } {
    return step.is === 'computed' && step.type === 'I32' && this.typeOf(step.of[0]!) === Type.I16;
  }

  /** The sum of products of halves, or of halves that are extended. */
  addedInPairs({ op, of }: ElementStep & { is: 'computed' }, size: number): void {
    const { f } = this.c;
    const [a, b] = of as [number, number];
    if (op === 'Mul') {
      this.folded((part) => this.products(a, b, part), 0, size / HALVES, Wasm.i32x4_add);
    } else {
      const range = this.rangeOf(a, op === 'SExt');
      const most = Math.max(-range.low, range.high);
      const step = this.steps[a]!;
      const areBytes = step.is === 'computed' && this.typeOf(step.of[0]!) === Type.I8 && isExtension(step);
      const vectors = size / (areBytes ? VECTOR_BYTES : HALVES);
      // Without a sign, unless the sum of all has one that is right: the signed form is one instruction less on x64.
      const isSigned = op === 'SExt' || fitsHalf(most * (size / HALVES), true);
      const group = groupOf(areBytes ? 2 * most : most, vectors, isSigned);
      const push = (part: number) => {
        if (!areBytes) return this.vector(a, part);
        this.vector(step.of[0]!, part);
        f.op(step.op === 'SExt' ? Wasm.i16x8_extadd_pairwise_i8x16_s : Wasm.i16x8_extadd_pairwise_i8x16_u);
      };
      const groups = (at: number) => {
        this.folded(push, at * group, group, Wasm.i16x8_add);
        f.op(isSigned ? Wasm.i32x4_extadd_pairwise_i16x8_s : Wasm.i32x4_extadd_pairwise_i16x8_u);
      };
      this.folded(groups, 0, vectors / group, Wasm.i32x4_add);
    }
    this.acrossLanes(Wasm.i32x4_add, Type.I32);
  }

  /** The sums of pairs of products of halves. */
  private products(a: number, b: number, part: number): void {
    const { c } = this;
    this.vector(a, part);
    if (a === b)
      c.withLocal(ValType.V128, (factor) => {
        c.f.tee(factor);
        c.f.get(factor);
      });
    else this.vector(b, part);
    c.f.op(Wasm.i32x4_dot_i16x8_s);
  }

  /** The numbers that a step of 16 bits gives, with a sign or without. */
  private rangeOf(at: number, isSigned: boolean): Range {
    this.ranges ??= rangesOfSteps(this.steps, this.inst.operands);
    const range = this.ranges[at]!;
    return isSigned || range.low >= 0 ? range : unsignedRange(16);
  }

  /** The bits that are set in words, which a step gives: sixteen vectors at most, so that the counts of their bytes fit bytes. */
  bitCount(at: number, size: number): void {
    const { f } = this.c;
    const bytes = (part: number) => {
      this.vector(at, part);
      f.op(Wasm.i8x16_popcnt);
    };
    this.folded(bytes, 0, size / 4, Wasm.i8x16_add);
    f.op(Wasm.i16x8_extadd_pairwise_i8x16_u);
    f.op(Wasm.i32x4_extadd_pairwise_i16x8_u);
    this.acrossLanes(Wasm.i32x4_add, Type.I32);
  }

  /** Combines the lanes of the vector on the stack to a scalar. */
  private acrossLanes(code: Wasm, type: Type): void {
    const { c } = this;
    const bytes = bytesOf(type);
    c.withLocal(ValType.V128, (vector) => {
      for (let half = VECTOR_BYTES / 2; half >= bytes; half /= 2) {
        c.f.tee(vector);
        c.f.get(vector);
        c.f.get(vector);
        c.f.shuffle(Array.from({ length: VECTOR_BYTES }, (_, i) => (i + half) % VECTOR_BYTES));
        c.f.op(code);
      }
    });
    c.f.lane(FIRST_LANES[type]!, 0);
  }

  /** Some vectors, combined to one. */
  private folded(push: (part: number) => void, first: number, count: number, code: Wasm): void {
    if (count === 1) {
      push(first);
      return;
    }
    const half = Math.floor(count / 2);
    this.folded(push, first, half, code);
    this.folded(push, first + half, count - half, code);
    this.c.f.op(code);
  }

  /** A vector of sixteen bytes, ones where the condition holds for the elements of this chunk of sixteen. */
  condition(at: number, chunk: number): void {
    const { f } = this.c;
    const step = this.steps[at]!;
    if (step.is !== 'computed') throw new Error('elements of conditions');
    const from = this.typeOf(step.of[0]!);
    if (from !== Type.I1) {
      this.comparison(at, chunk * bytesOf(from), bytesOf(from));
      return;
    }
    for (const operand of step.of) this.condition(operand, chunk);
    f.op(vectorInstruction(Op[step.op], Type.I1)!.code);
  }

  /** The masks of some of a comparison's vectors, as one vector. */
  private comparison(at: number, first: number, count: number): void {
    const { f } = this.c;
    if (count === 1) {
      this.vector(at, first);
      return;
    }
    const half = count / 2;
    this.comparison(at, first, half);
    this.comparison(at, first + half, half);
    const { of } = this.steps[at] as ElementStep & { is: 'computed' };
    const bytes = bytesOf(this.typeOf(of[0]!)) / half;
    if (bytes === 8) f.shuffle(LOWER_WORDS);
    else f.op(bytes === 4 ? Wasm.i16x8_narrow_i32x4_s : Wasm.i8x16_narrow_i16x8_s);
  }

  /** One vector of the result of a step, of a condition in the width of what it compares. */
  private vector(at: number, part: number): void {
    const { c, inst } = this;
    const { f } = c;
    const step = this.steps[at]!;
    const type = Type[step.type];
    if (step.is === 'loaded') {
      this.load(step, part * VECTOR_BYTES, Wasm.v128_load);
      return;
    }
    if (step.is === 'given') {
      this.given(inst.operands[step.operand]!, type);
      return;
    }
    const op = Op[step.op];
    const from = this.typeOf(step.of[0]!);
    if (from === Type.I1 && type !== Type.I1) {
      this.chosen(step.of, part, type);
      return;
    }
    if (op === Op.ZExt || op === Op.SExt) {
      this.extended(step.of[0]!, op === Op.SExt, part, bytesOf(type) / bytesOf(from));
      return;
    }
    for (const operand of step.of) this.vector(operand, part);
    if (step.by !== undefined) f.i32(step.by);
    if (op === Op.PopCount) countBits(c, bytesOf(type));
    else f.op(instructionFor(op, from));
  }

  /** A select by a condition, or, without alternatives, 1 or 0. */
  private chosen([condition, yes, no]: readonly number[], part: number, type: Type): void {
    const { c } = this;
    if (yes === undefined) {
      c.constants.splat(Type.I32, bytesOf(type) < 4 ? repeated(1, bytesOf(type)) : 1);
      if (bytesOf(type) === 8) c.f.op(Wasm.i64x2_extend_low_i32x4_u);
      this.vector(condition!, part);
      c.f.op(Wasm.v128_and);
      return;
    }
    this.vector(yes, part);
    const otherwise = this.steps[no!]!;
    if (otherwise.is === 'computed' && otherwise.op === 'Xor' && otherwise.of[0] === otherwise.of[1]) {
      this.vector(condition!, part);
      c.f.op(Wasm.v128_and);
      return;
    }
    this.vector(no!, part);
    this.vector(condition!, part);
    c.f.op(Wasm.v128_bitselect);
  }

  /** The local for a vector of which both halves are widened. */
  private narrowFor(key: string): number {
    const known = this.narrow.get(key);
    if (known !== undefined) return known;
    const local = this.c.allocate(ValType.V128);
    this.narrow.set(key, local);
    return local;
  }

  /** Makes the locals available to others. */
  release(): void {
    for (const local of this.narrow.values()) this.c.release(local);
  }

  private load(step: ElementStep & { is: 'loaded' }, bytes: number, code: Wasm): void {
    const { c, inst } = this;
    const offset = step.offset + bytes;
    c.scalar(inst.operands[step.operand]!, 0);
    if (offset < 0) {
      c.f.i32(offset);
      c.f.op(Wasm.i32_add);
    }
    c.f.memory(code, Math.max(0, offset));
  }

  /** A part of elements in a multiple of their width. */
  private extended(at: number, signed: boolean, part: number, times: number): void {
    const step = this.steps[at]!;
    const how = signed ? 'signed' : 'unsigned';
    const bits = (bytesOf(this.typeOf(at)) * times * 4) as Bits;
    if (times === 2 && step.is === 'loaded') {
      this.load(step, (part * VECTOR_BYTES) / 2, WIDENING_LOADS[bits][how]);
      return;
    }
    const isHigh = (part & 1) === 1;
    const narrow = this.narrowFor(`${at} ${how} ${times}`);
    // The upper half follows the lower one, of the same vector.
    if (isHigh) this.c.f.get(narrow);
    else {
      if (times === 2) this.vector(at, part >> 1);
      else this.extended(at, signed, part >> 1, times / 2);
      this.c.f.tee(narrow);
    }
    const [low, high] = WIDENING[bits][how];
    this.c.f.op(isHigh ? high : low);
  }

  private given(value: Value, type: Type): void {
    const { c } = this;
    const bytes = bytesOf(type);
    const bits = constantOf(value);
    // Of a value that grows from one work-item to the next, a vector has the work-items' values.
    if (bytes >= 4 && (bits !== undefined || c.divergence.stride[value.id] === 0)) {
      c.vector(value, 0, 0);
      return;
    }
    if (bits !== undefined) {
      c.constants.splat(Type.I32, repeated(Number(bits), bytes));
      return;
    }
    c.invariants.push(`elements ${value.id} ${bytes}`, ValType.V128, value, () => {
      c.scalar(value, 0);
      c.f.op(bytes >= 4 ? splatOf(type) : bytes === 1 ? Wasm.i8x16_splat : Wasm.i16x8_splat);
    });
  }

  private typeOf(at: number): Type {
    return Type[this.steps[at]!.type];
  }
}

/** What computes a step from operands of this type. */
export function instructionFor(op: Op, type: Type): Wasm {
  if (op === Op.SToF) return Wasm.f32x4_convert_i32x4_s;
  if (op === Op.UToF) return Wasm.f32x4_convert_i32x4_u;
  const code =
    type === Type.I8 || type === Type.I16
      ? narrowInstruction(op, type)
      : (SHIFTS[op]?.[type === Type.I64 ? 1 : 0] ?? vectorInstruction(op, type)?.code);
  invariant(code !== undefined, 'an operation on elements has no instruction', Op[op]);
  return code;
}

function narrowInstruction(op: Op, type: Type.I8 | Type.I16): Wasm | undefined {
  // The packed product has a form of its own for bytes.
  if (op === Op.Mul && type === Type.I16) return Wasm.i16x8_mul;
  return packedInstruction(op, type === Type.I8 ? 8 : 16);
}

/** The population counts of elements of one byte or four, from the vector on the stack. */
function countBits({ f }: Context, bytes: number): void {
  f.op(Wasm.i8x16_popcnt);
  if (bytes === 1) return;
  f.op(Wasm.i16x8_extadd_pairwise_i8x16_u);
  f.op(Wasm.i32x4_extadd_pairwise_i16x8_u);
}

/** A number of 8 or 16 bits in all places of 32. */
function repeated(bits: number, bytes: number): number {
  return bytes === 1 ? Math.imul(bits & 0xff, 0x01010101) : Math.imul(bits & 0xffff, 0x00010001);
}
