// SPDX-License-Identifier: MIT
//
// Address arithmetic in loops, sorted by what changes: `a + ((row * n + k) << 4)` becomes `(a + (row * n << 4)) + (k << 4)`.
// The first part is computed in front of the loop, and where it differs from lane to lane each lane's part stays in a
// register of its own, so that a gather costs one addition per lane. Addresses wrap, so sums may be taken in any order.
import { constantOf, Leaves, makeInst } from '../ir/build';
import { Dominators, type Loop, naturalLoops } from '../ir/cfg';
import { type Block, type Func, type Inst, Op, Type, type Value } from '../ir/ir';

interface Term {
  readonly value: Value;
  readonly factor: number;
}

/** How many operations of one address are looked through. */
const DEEPEST = 8;
/** More parts than this are not worth sorting. */
const MOST_TERMS = 6;

export function sortAddresses(func: Func): void {
  const dominators = new Dominators(func);
  const loops = naturalLoops(dominators);
  if (loops.length === 0) return;
  const innermost = new Map<Block, Loop>();
  for (const loop of loops) for (const block of loop.blocks) innermost.set(block, loop);
  const waits = new Set<Loop>(loops.filter(hasBarrier));
  const leaves = new Leaves(func);
  const outer = new Map<Loop, Map<string, Value>>();
  for (const [block, loop] of innermost) {
    if (waits.has(loop)) continue;
    const made = new Map<Value, Value>();
    const within = new Map<string, Value>();
    const insts: Inst[] = [];
    for (const inst of block.insts) {
      const access = inst.op === Op.Load || inst.op === Op.Store;
      if (access && inst.facts.space !== 'private') {
        const address = inst.operands[0]!;
        let sorted = made.get(address);
        if (!sorted) {
          sorted = sort(address, loop, insts) ?? address;
          made.set(address, sorted);
        }
        inst.operands[0] = sorted;
      }
      insts.push(inst);
    }
    block.insts = insts;

    function sort(address: Value, loop: Loop, insts: Inst[]): Value | undefined {
      const terms: Term[] = [];
      flatten(address, 1, loop, terms, DEEPEST);
      if (terms.length < 3 || terms.length > MOST_TERMS) return undefined;
      const fixed = terms.filter((t) => !loop.blocks.has(t.value.block));
      const moving = terms.filter((t) => loop.blocks.has(t.value.block));
      // Only sums that mix both below the outermost addition gain.
      if (moving.length === 0 || fixed.length < 2) return undefined;
      const front = dominators.idomOf(loop.header)!;
      if (!outer.has(loop)) outer.set(loop, new Map());
      const base = sum(fixed, front, front.insts, outer.get(loop)!);
      return add(base, sum(moving, block, insts, within), block, insts, within);
    }
  }

  function sum(terms: readonly Term[], block: Block, insts: Inst[], known: Map<string, Value>): Value {
    const order = [...terms].sort((a, b) => a.value.id - b.value.id);
    let total: Value | undefined;
    for (const { value, factor } of order) {
      let scaled = value;
      if (factor !== 1) {
        const shift = Math.log2(factor);
        scaled = Number.isInteger(shift)
          ? operation(Op.Shl, value, leaves.i32(shift), block, insts, known)
          : operation(Op.Mul, value, leaves.i32(factor), block, insts, known);
      }
      total = total ? add(total, scaled, block, insts, known) : scaled;
    }
    return total!;
  }

  function add(a: Value, b: Value, block: Block, insts: Inst[], known: Map<string, Value>): Value {
    return operation(Op.Add, a, b, block, insts, known);
  }

  function operation(
    op: Op,
    a: Value,
    b: Value,
    block: Block,
    insts: Inst[],
    known: Map<string, Value>,
  ): Value {
    const key = `${op} ${a.id} ${b.id}`;
    let inst = known.get(key);
    if (!inst) {
      inst = makeInst(func, block, op, Type.I32, [a, b]);
      insts.push(inst as Inst);
      known.set(key, inst);
    }
    return inst;
  }
}

/** Takes a sum apart as far as it is computed in the loop. */
function flatten(value: Value, factor: number, loop: Loop, terms: Term[], depth: number): void {
  if (depth > 0 && value.kind === 'inst' && loop.blocks.has(value.block)) {
    const [a, b] = value.operands as [Value, Value];
    if (value.op === Op.Add) {
      flatten(a, factor, loop, terms, depth - 1);
      flatten(b, factor, loop, terms, depth - 1);
      return;
    }
    const by = value.op === Op.Shl || value.op === Op.Mul ? constantOf(b) : undefined;
    if (by !== undefined) {
      const scale = value.op === Op.Shl ? 2 ** (Number(by) & 31) : Number(by);
      if (scale > 0 && factor * scale < 2 ** 24) {
        flatten(a, factor * scale, loop, terms, depth - 1);
        return;
      }
    }
  }
  terms.push({ value, factor });
}

/** Values of such a loop may wait in memory from one iteration to the next. */
export function hasBarrier(loop: Loop): boolean {
  for (const block of loop.blocks)
    if (block.insts.some((i) => i.op >= Op.Barrier && i.op <= Op.SubGroupElect)) return true;
  return false;
}
