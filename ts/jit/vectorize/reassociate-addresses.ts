// SPDX-License-Identifier: MIT
//
// Reassociation of address arithmetic in loops, and in the loop over a row's tiles, into invariant and varying parts: `a + ((row
// * n + k) << 4)` becomes `(a + (row * n << 4)) + (k << 4)`. The first part is computed before the loop. Where it is divergent,
// each lane's part stays in a register, so that a gather costs one addition per lane. Addresses wrap, so sums may be
// reassociated.
import { constantAmount, constantOf, isPrologueOp, Leaves, makeInst } from '../ir/build';
import { dominatorsOf, type Loop } from '../ir/cfg';
import { type Block, type Func, type Inst, Op, Type, type Value } from '../ir/ir';
import { isPure } from '../ir/rewrite';

interface Term {
  readonly value: Value;
  /** Negative where the value is subtracted. */
  readonly factor: number;
}

/** The loop for which an address is reassociated: one of the kernel, or the loop over the tiles of a row around it. */
interface Scope {
  /** Whether a value varies in the loop. */
  moves(value: Value): boolean;
  /** Whether the terms of a sum are considered separately. */
  opens(value: Inst): boolean;
  /** The block in which invariants are computed; undefined if they stay at their use, from where V8 hoists them. */
  readonly front: Block | undefined;
  readonly known: Map<string, Value>;
}

/** The depth to which the operations of an address are analysed. */
const DEEPEST = 8;
/** Addresses of more terms are not reassociated. */
const MOST_TERMS = 6;

export function reassociateAddresses(func: Func): boolean {
  let changed = false;
  const dominators = dominatorsOf(func);
  const { loops } = dominators;
  const innermost = new Map<Block, Loop>();
  for (const loop of loops) for (const block of loop.blocks) innermost.set(block, loop);
  const scopes = new Map<Loop, Scope | undefined>();
  const leaves = new Leaves(func);
  // Equal addresses stay one value, in dominated blocks too: later passes recognize accesses to one place by that.
  const made = new Map<Value, { readonly sorted: Value; readonly block: Block }>();
  // Values may be kept in memory from one barrier to the next, so short sums are better recomputed.
  const tiles = func.blocks.some((b) => b.insts.some(waits)) ? undefined : tileScope();
  for (const block of func.blocks) {
    const scope = scopeOf(innermost.get(block));
    if (scope) sortBlock(block, scope);
  }
  return changed;

  function scopeOf(loop: Loop | undefined): Scope | undefined {
    if (!loop) return tiles;
    if (!scopes.has(loop)) scopes.set(loop, hasBarrier(loop) ? undefined : loopScope(loop));
    return scopes.get(loop);
  }

  function loopScope(loop: Loop): Scope {
    const moves = (v: Value) => loop.blocks.has(v.block);
    return { moves, opens: moves, front: dominators.idomOf(loop.header)!, known: new Map() };
  }

  function sortBlock(block: Block, scope: Scope): void {
    const within = new Map<string, Value>();
    const insts: Inst[] = [];
    for (const inst of block.insts) {
      const access = inst.op === Op.Load || inst.op === Op.Store;
      if (access && inst.facts.space !== 'private') {
        const address = inst.operands[0]!;
        const before = made.get(address);
        if (before && dominators.dominates(before.block, block))
          inst.operands = inst.operands.with(0, before.sorted);
        else {
          const sorted = sort(address, scope, block, insts, within) ?? address;
          made.set(address, { sorted, block });
          inst.operands = inst.operands.with(0, sorted);
          if (sorted !== address) changed = true;
        }
      }
      insts.push(inst);
    }
    block.insts = insts;
  }

  function sort(
    address: Value,
    scope: Scope,
    block: Block,
    insts: Inst[],
    within: Map<string, Value>,
  ): Value | undefined {
    const terms: Term[] = [];
    flatten(address, 1, scope, terms, DEEPEST);
    if (terms.length < 3 || terms.length > MOST_TERMS) return undefined;
    const fixed = terms.filter((t) => !scope.moves(t.value));
    const moving = terms.filter((t) => scope.moves(t.value));
    // Only sums that mix both kinds below the outermost addition gain.
    if (moving.length === 0 || fixed.length < 2) return undefined;
    if ([fixed, moving].some((part) => part.every((t) => t.factor < 0))) return undefined;
    const { front } = scope;
    const base = front ? sum(fixed, front, front.insts, scope.known) : sum(fixed, block, insts, within);
    return operation(Op.Add, base, sum(moving, block, insts, within), block, insts, within);
  }

  /** At least one term is added; subtracted terms come last. */
  function sum(terms: readonly Term[], block: Block, insts: Inst[], known: Map<string, Value>): Value {
    const order = [...terms].sort(
      (a, b) => Number(a.factor < 0) - Number(b.factor < 0) || a.value.id - b.value.id,
    );
    let total: Value | undefined;
    for (const { value, factor } of order) {
      const times = Math.abs(factor);
      let scaled = value;
      if (times !== 1) {
        const shift = Math.log2(times);
        scaled = Number.isInteger(shift)
          ? operation(Op.Shl, value, leaves.i32(shift), block, insts, known)
          : operation(Op.Mul, value, leaves.i32(times), block, insts, known);
      }
      total = total ? operation(factor < 0 ? Op.Sub : Op.Add, total, scaled, block, insts, known) : scaled;
    }
    return total!;
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

/** The loop over a row's tiles: values that depend on x or on memory vary in it. */
function tileScope(): Scope {
  const known = new Map<Value, boolean>();
  // Not recursive: a chain of operands can be as long as the kernel.
  const moves = (v: Value): boolean => {
    const work = [v];
    for (let next = work.at(-1); next; next = work.at(-1)) {
      const result = known.get(next) ?? movesBy(next, known, work);
      if (result === undefined) continue;
      known.set(next, result);
      work.pop();
    }
    return known.get(v)!;
  };
  return { moves, opens: () => true, front: undefined, known: new Map() };
}

/** Whether a value varies between the tiles of a row; undefined if operands, which are put on `work`, must be known first. */
function movesBy(v: Value, known: ReadonlyMap<Value, boolean>, work: Value[]): boolean | undefined {
  if (v.kind !== 'inst') return true;
  if (isPrologueOp(v.op)) return isAlongX(v);
  if (!isPure(v.op) || v.operands.some((operand) => known.get(operand))) return true;
  const unknown = v.operands.filter((operand) => !known.has(operand));
  work.push(...unknown);
  return unknown.length === 0 ? false : undefined;
}

function isAlongX(inst: Inst): boolean {
  switch (inst.op) {
    case Op.GlobalId:
    case Op.LocalId:
    case Op.GroupId:
      return (inst.facts.dimension ?? 0) === 0;
    case Op.GlobalLinearId:
    case Op.LocalLinearId:
    case Op.SubGroupId:
    case Op.SubGroupLocalId:
    case Op.PrivateAlloca:
      return true;
    default:
      return false;
  }
}

/** Takes a sum apart. */
function flatten(value: Value, factor: number, scope: Scope, terms: Term[], depth: number): void {
  if (depth > 0 && value.kind === 'inst' && scope.opens(value)) {
    const [a, b] = value.operands as [Value, Value];
    if (value.op === Op.Add || value.op === Op.Sub) {
      flatten(a, factor, scope, terms, depth - 1);
      flatten(b, value.op === Op.Add ? factor : -factor, scope, terms, depth - 1);
      return;
    }
    const by = value.op === Op.Shl ? constantAmount(b) : value.op === Op.Mul ? constantOf(b) : undefined;
    if (by !== undefined) {
      const scale = value.op === Op.Shl ? 2 ** Number(by) : Number(by);
      if (scale > 0 && Math.abs(factor) * scale < 2 ** 24) {
        flatten(a, factor * scale, scope, terms, depth - 1);
        return;
      }
    }
  }
  terms.push({ value, factor });
}

/** Values of such a loop may be kept in memory from one iteration to the next. */
export function hasBarrier(loop: Loop): boolean {
  for (const block of loop.blocks) if (block.insts.some(waits)) return true;
  return false;
}

function waits(inst: Inst): boolean {
  return inst.op >= Op.Barrier && inst.op <= Op.SubGroupElect;
}
