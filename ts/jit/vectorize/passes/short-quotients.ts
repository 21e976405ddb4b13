// SPDX-License-Identifier: MIT
//
// A division by a constant is the upper half of a product (passes/divide.ts), which is seven instructions on vectors. Where the number
// is known to be small, such as a sum of pixels, all of the product fits 32 bits: one instruction, and no correction for signs.
import { constantOf, Leaves, makeInst } from '../../ir/build';
import { type Func, type Inst, Op, Type, type Value } from '../../ir/ir';
import { Replacements } from '../../ir/rewrite';
import { removeDeadCode } from '../../passes/dead-code';
import { Ranges } from '../ranges';

const WIDTH = 32n;

/** Returns whether it changed the function. */
export function shortenQuotients(func: Func): boolean {
  if (!func.blocks.some((b) => b.insts.some(({ op }) => op === Op.UMulHi || op === Op.SMulHi))) return false;
  const ranges = new Ranges();
  const leaves = new Leaves(func);
  const replaced = new Replacements(func);
  let changed = false;
  for (const block of func.blocks) {
    const insts: Inst[] = [];
    for (const inst of block.insts) {
      const quotient = quotientOf(inst);
      const range = quotient && ranges.of(quotient.number);
      const short = range && range.low >= 0 ? shortForm(quotient, BigInt(range.high)) : undefined;
      if (short) {
        const emit = (op: Op, a: Value, b: bigint): Inst => {
          const operand = leaves.constant(Type.I32, Number(BigInt.asIntN(32, b)));
          insts.push(makeInst(func, block, op, Type.I32, [a, operand], {}, inst.position));
          return insts.at(-1)!;
        };
        const product = emit(Op.Mul, quotient!.number, short.multiplier);
        replaced.set(inst, emit(Op.LShr, product, short.shift));
        changed = true;
      }
      insts.push(inst);
    }
    block.insts = insts;
  }
  if (!changed) return false;
  replaced.apply(func);
  removeDeadCode(func);
  return true;
}

/** number * multiplier >> shift, for numbers of at most 31 bits. */
interface Quotient {
  readonly number: Value;
  readonly multiplier: bigint;
  readonly shift: bigint;
}

/** What an instruction computes for numbers that are not negative. */
function quotientOf(inst: Inst): Quotient | undefined {
  if (inst.type !== Type.I32) return undefined;
  if (inst.op === Op.Add) {
    // Quotients of signed numbers add one to negative ones.
    const [a, sign] = inst.operands as [Value, Value];
    const isSign = sign.kind === 'inst' && sign.op === Op.LShr && sign.operands[0] === a;
    return isSign && constantOf(sign.operands[1]!) === 31 ? shiftedHigh(a, Op.SMulHi) : undefined;
  }
  return inst.op === Op.LShr ? shiftedHigh(inst, Op.UMulHi) : undefined;
}

/** An upper half, shifted or not. */
function shiftedHigh(value: Value, op: Op.SMulHi | Op.UMulHi): Quotient | undefined {
  if (value.kind !== 'inst') return undefined;
  if (value.op === (op === Op.SMulHi ? Op.AShr : Op.LShr)) {
    const by = constantOf(value.operands[1]!);
    const high = by === undefined ? undefined : highOf(value.operands[0]!, op);
    return high && { ...high, shift: high.shift + (BigInt(by!) & 31n) };
  }
  return highOf(value, op);
}

function highOf(value: Value, op: Op.SMulHi | Op.UMulHi): Quotient | undefined {
  if (value.kind !== 'inst') return undefined;
  // A multiplier of 32 bits is negative as a signed factor; the number is added for it.
  const isAdded = value.op === Op.Add && op === Op.SMulHi;
  const high = isAdded ? addedHigh(value) : value.op === op ? value : undefined;
  const multiplier = high && constantOf(high.operands[1]!);
  if (multiplier === undefined || (op === Op.SMulHi && multiplier < 0 !== isAdded)) return undefined;
  return { number: high!.operands[0]!, multiplier: BigInt.asUintN(32, BigInt(multiplier)), shift: WIDTH };
}

/** The upper half h of a number's product in the sum h + number, or in (h + x) + c if the number is x + c. */
function addedHigh(sum: Inst): Inst | undefined {
  const [a, b] = sum.operands as [Value, Value];
  const high = highIn(sum);
  if (high) return high.operands[0] === otherOf(sum, high) ? high : undefined;
  if (a.kind !== 'inst' || a.op !== Op.Add || constantOf(b) === undefined) return undefined;
  const inner = highIn(a);
  const number = inner?.operands[0];
  if (number?.kind !== 'inst' || number.op !== Op.Add) return undefined;
  const [x, c] = number.operands as [Value, Value];
  return x === otherOf(a, inner!) && constantOf(c) === constantOf(b) ? inner : undefined;
}

/** The upper half among a sum's operands. */
function highIn({ operands }: Inst): Inst | undefined {
  return operands.find((operand): operand is Inst => operand.kind === 'inst' && operand.op === Op.SMulHi);
}

function otherOf({ operands: [a, b] }: Inst, one: Value): Value | undefined {
  return a === one ? b : a;
}

/**
 * A multiplier and a shift with the same results for all numbers from 0 to `most`, where no product needs more than 32 bits. With
 * m * d = 2^s + e, x * m >> s is x / d rounded down as long as x * e is below 2^s.
 */
function shortForm({ multiplier, shift }: Quotient, most: bigint): Omit<Quotient, 'number'> | undefined {
  const divides = (m: bigint, s: bigint, divisor: bigint) => {
    const excess = m * divisor - (1n << s);
    return excess >= 0n && most * excess < 1n << s;
  };
  if (multiplier === 0n) return undefined;
  const divisor = ((1n << shift) + multiplier - 1n) / multiplier;
  if (!divides(multiplier, shift, divisor)) return undefined;
  // A short multiplier may fit sixteen bits.
  for (let by = 1n; by < WIDTH; by++) {
    const short = ((1n << by) + divisor - 1n) / divisor;
    if (most * short < 1n << WIDTH && divides(short, by, divisor)) return { multiplier: short, shift: by };
  }
  return undefined;
}
