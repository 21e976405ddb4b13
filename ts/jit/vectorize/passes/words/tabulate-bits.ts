// SPDX-License-Identifier: MIT
//
// Bits of a number in other places, such as its bits in reverse or with gaps between them (Morton codes): shifts, masks and ors become
// look-ups in tables of sixteen bytes, each one instruction for sixteen groups of four bits.
import type { Divergence } from '../../../analyses/divergence';
import type { Uses } from '../../../analyses/uses';
import { constantOf, Leaves, makeInst } from '../../../ir/build';
import { orderOf } from '../../../ir/byte-order';
import { textOfTable } from '../../../ir/byte-table';
import { type Block, type Func, type Inst, Op, Type, type Value } from '../../../ir/ir';
import { bytesOf } from '../../../ir/types';
import { removeDeadCode } from '../../../passes/dead-code';
import { BitMoves, type MovedBits } from '../../moved-bits';
import { keyOf, type LookUps, lookUpsFor } from '../../nibble-tables';

/** How many instructions look-ups save at least. */
const LEAST_SAVED = 3;
/** A product of vectors is two micro-operations on most processors. */
const PRODUCT = 2;
/** How many masks a block has at least whose bits are moved in this way. */
const LEAST_MASKS = 2;

const ROOTS = new Set([Op.Or, Op.Xor, Op.Add, Op.And, Op.Shl, Op.LShr, Op.Rotl]);

/** Returns whether it changed the function. Numbers that all work-items share are left as they are. */
export function tabulateBits(func: Func, divergence: Divergence, uses: Uses): boolean {
  const blocks = func.blocks.filter(hasMasks);
  if (blocks.length === 0) return false;
  const moves = new BitMoves();
  let leaves: Leaves | undefined;
  for (const block of blocks) {
    // In order, so that no operand is far away from what is known.
    for (const inst of block.insts) moves.of(inst);
    const inside = new Set<Value>();
    for (const root of [...block.insts].reverse()) {
      if (!ROOTS.has(root.op) || inside.has(root) || !Number.isNaN(divergence.stride[root.id]!)) continue;
      const bits = moves.of(root);
      if (!isCandidate(root, bits)) continue;
      const replaced = operationsOf(root, bits.source, uses);
      const cost = costOf(replaced);
      const lookUps = cost > LEAST_SAVED ? lookUpsFor(bits, bytesOf(root.type)) : undefined;
      if (!lookUps || cost - lookUps.cost < LEAST_SAVED) continue;
      for (const inst of replaced) inside.add(inst);
      leaves ??= new Leaves(func);
      new LookUpBuilder(func, leaves, root).replace(bits.source, lookUps);
    }
  }
  if (leaves) removeDeadCode(func);
  return leaves !== undefined;
}

/** Whether a block has masks that take some bits of a byte: most have not, which this tells at once. */
function hasMasks({ insts }: Block): boolean {
  let masks = 0;
  for (const { op, type, operands } of insts) {
    if (op !== Op.And || type > Type.I64) continue;
    const mask = constantOf(operands[1]!);
    if (mask !== undefined && takesBits(BigInt(mask), bytesOf(type)) && ++masks === LEAST_MASKS) return true;
  }
  return false;
}

function takesBits(mask: bigint, bytes: number): boolean {
  for (let byte = 0; byte < bytes; byte++) {
    const part = Number((mask >> BigInt(8 * byte)) & 0xffn);
    if (part !== 0 && part !== 0xff) return true;
  }
  return false;
}

/** Whether a number consists of bits of another one that move by different amounts, not only by whole bytes. */
function isCandidate(root: Inst, { source, parts, mixed }: MovedBits): boolean {
  return (
    source !== root &&
    source.type === root.type &&
    mixed === 0n &&
    parts.length > 1 &&
    parts.some(({ by }) => by % 8 !== 0) &&
    constantOf(source) === undefined
  );
}

/** The operations between the source and the result that nothing else uses. */
function operationsOf(root: Inst, source: Value, uses: Uses): Set<Inst> {
  const found = new Set<Inst>([root]);
  const { insts } = root.block;
  for (let at = insts.indexOf(root) - 1; at >= 0; at--) {
    const inst = insts[at]!;
    if (inst === source) break;
    const users = uses.usersOf(inst);
    if (users.length === 0 || uses.paramsGiven(inst).length > 0) continue;
    if (users.every((user) => found.has(user))) found.add(inst);
  }
  return found;
}

function costOf(operations: Iterable<Inst>): number {
  let cost = 0;
  for (const { op } of operations) cost += op === Op.Mul ? PRODUCT : 1;
  return cost;
}

/** Builds the instructions before a number, which becomes the last one of them. */
class LookUpBuilder {
  private readonly made: Inst[] = [];
  private readonly shared = new Map<string, Value>();
  private readonly type: Type;

  constructor(
    private readonly func: Func,
    private readonly leaves: Leaves,
    private readonly root: Inst,
  ) {
    this.type = root.type;
  }

  replace(source: Value, { shift, lookUps }: LookUps): void {
    const { root } = this;
    const number = this.shift(source, shift);
    const results = lookUps.map(({ order, lower, upper, table }) => {
      const bytes = this.permuted(number, order);
      const parts = [
        ...(lower ? [this.mask(bytes, lower)] : []),
        ...(upper ? [this.mask(this.movedDown(bytes, keyOf(order)), upper)] : []),
      ];
      const places = parts.reduce((a, b) => this.make(Op.Or, [a, b]));
      return this.make(Op.LookUpBytes, [places], { table: textOfTable(table) });
    });
    results.reduce((a, b) => this.make(Op.Or, [a, b]));
    // The last one is the number itself.
    const last = this.made.pop()!;
    root.op = last.op;
    root.operands = last.operands;
    root.facts = last.facts;
    root.block.insts.splice(root.block.insts.indexOf(root), 0, ...this.made);
  }

  private make(op: Op, operands: readonly Value[], facts: Inst['facts'] = {}): Inst {
    const { func, root, type } = this;
    const inst = makeInst(func, root.block, op, type, operands, facts, root.position);
    this.made.push(inst);
    return inst;
  }

  private constant(value: number | bigint): Value {
    return this.leaves.constant(this.type, this.type === Type.I64 ? BigInt(value) : Number(value));
  }

  private shift(number: Value, by: number): Value {
    if (by === 0) return number;
    return this.make(by < 0 ? Op.LShr : Op.Shl, [number, this.constant(Math.abs(by))]);
  }

  private mask(number: Value, mask: bigint): Value {
    return this.make(Op.And, [number, this.constant(mask)]);
  }

  private permuted(number: Value, order: readonly (number | undefined)[]): Value {
    const key = keyOf(order);
    if (key === '') return number;
    return this.once(`bytes ${key}`, () => this.make(Op.PermuteBytes, [number], { order: orderOf(order) }));
  }

  private movedDown(number: Value, key: string): Value {
    return this.once(`down ${key}`, () => this.shift(number, -4));
  }

  private once(key: string, make: () => Value): Value {
    const known = this.shared.get(key) ?? make();
    this.shared.set(key, known);
    return known;
  }
}
