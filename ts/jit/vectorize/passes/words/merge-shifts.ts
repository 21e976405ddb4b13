// SPDX-License-Identifier: MIT
//
// Fields of words that are moved: `(p >> 10 & 31) << 19` is `p << 9 & 31 << 19`. A chain of shifts by constants and masks leaves some bits of a
// number, all moved as far, so that one shift and one mask do. The sign that `x / 2` adds, `x >> 31 >>> 31`, is `x >>> 31`.
//
// Parts of addresses stay as they are: by their digits, other code recognizes accesses that neighbours share.
import type { Divergence } from '../../../analyses/divergence';
import type { Uses } from '../../../analyses/uses';
import { constantAmount, constantOf, Leaves, makeInst } from '../../../ir/build';
import { type Func, type Inst, Op, Type, type Value } from '../../../ir/ir';
import { replaceInsts } from '../../../ir/rewrite';
import { bitsOf } from '../../../ir/types';
import { removeDeadCode } from '../../../passes/dead-code';

/** The bits of `number` that a chain leaves: those of `bits`, after a shift to the left by `by`, or to the right. */
interface Field {
  readonly number: Value;
  readonly by: number;
  readonly bits: bigint;
  /** How many instructions the chain has. */
  readonly length: number;
}

/** Returns whether it changed the function. */
export function mergeShifts(func: Func, divergence: Divergence, uses: Uses): boolean {
  const addresses = partsOfAddresses(func);
  const leaves = new Leaves(func);
  const isCandidate = (inst: Inst) =>
    inst.type >= Type.I8 &&
    inst.type <= Type.I64 &&
    Number.isNaN(divergence.stride[inst.id]!) &&
    !addresses.has(inst);
  const changed = replaceInsts(func, (inst, before) => {
    const made = isCandidate(inst) ? merged(func, inst, uses, leaves) : [];
    before.push(...made);
    return made.at(-1);
  });
  if (changed) removeDeadCode(func);
  return changed;
}

/** All that addresses are computed from, up to what is loaded. */
function partsOfAddresses(func: Func): ReadonlySet<Value> {
  const parts = new Set<Value>();
  const waiting: Value[] = [];
  for (const { insts } of func.blocks)
    for (const { op, operands } of insts)
      if (op === Op.Load || op === Op.Store || (op >= Op.AtomicLoad && op <= Op.AtomicCmpXchg))
        waiting.push(operands[0]!);
  for (let v = waiting.pop(); v; v = waiting.pop()) {
    if (v.kind !== 'inst' || v.op === Op.Load || parts.has(v)) continue;
    parts.add(v);
    waiting.push(...v.operands);
  }
  return parts;
}

/** Fewer instructions that give the same as the chain that ends with `inst`; none if there are no fewer. */
function merged(func: Func, inst: Inst, uses: Uses, leaves: Leaves): readonly Inst[] {
  const { type, block, position } = inst;
  const width = bitsOf(type);
  const make = (op: Op, number: Value, by: number | bigint) => {
    const constant = leaves.constant(
      type,
      type === Type.I64 ? BigInt.asIntN(64, BigInt(by)) : Number(BigInt.asIntN(width, BigInt(by))),
    );
    return makeInst(func, block, op, type, [number, constant], {}, position);
  };
  const [number] = inst.operands as [Value];
  // The sign of a number is that of what an arithmetic shift leaves of it.
  if (inst.op === Op.LShr && number.kind === 'inst' && number.op === Op.AShr) {
    const isSign = constantAmount(inst.operands[1]!) === width - 1;
    return isSign && constantAmount(number.operands[1]!) !== undefined
      ? [make(Op.LShr, number.operands[0]!, width - 1)]
      : [];
  }
  const field = fieldOf(inst, width, uses);
  if (!field) return [];
  const isWhole = field.bits === shifted((1n << BigInt(width)) - 1n, field.by, width);
  const length = (field.by === 0 ? 0 : 1) + (isWhole ? 0 : 1);
  if (length === 0 || length >= field.length) return [];
  const made: Inst[] = [];
  if (field.by !== 0) made.push(make(field.by > 0 ? Op.Shl : Op.LShr, field.number, Math.abs(field.by)));
  if (!isWhole) made.push(make(Op.And, made[0] ?? field.number, field.bits));
  return made;
}

/** The chain that ends with an instruction, as far back as nothing else uses what is between. */
function fieldOf(end: Inst, width: number, uses: Uses): Field | undefined {
  const chain: Inst[] = [];
  let number: Value = end;
  while (
    number.kind === 'inst' &&
    isLink(number) &&
    (number === end || uses.onlyUser(number) === chain.at(-1))
  ) {
    chain.push(number);
    number = number.operands[0]!;
  }
  if (chain.length === 0) return undefined;
  let by = 0;
  let bits = (1n << BigInt(width)) - 1n;
  for (const { op, operands } of chain.reverse()) {
    const constant = operands[1]!;
    if (op === Op.And) bits &= BigInt.asUintN(width, BigInt(constantOf(constant)!));
    else {
      const step = (op === Op.Shl ? 1 : -1) * constantAmount(constant)!;
      by += step;
      bits = shifted(bits, step, width);
    }
  }
  return bits === 0n || Math.abs(by) >= width ? undefined : { number, by, bits, length: chain.length };
}

const shifted = (bits: bigint, by: number, width: number): bigint =>
  by >= 0 ? BigInt.asUintN(width, bits << BigInt(by)) : bits >> BigInt(-by);

/** Whether an instruction is a mask or a shift by a constant less than the width. */
function isLink({ op, operands, type }: Inst): boolean {
  if (op === Op.And) return constantOf(operands[1]!) !== undefined;
  const by = op === Op.Shl || op === Op.LShr ? constantAmount(operands[1]!) : undefined;
  return by !== undefined && by < bitsOf(type);
}
