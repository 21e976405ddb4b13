// SPDX-License-Identifier: MIT
//
// Searches, in code for one work-item at a time: sixteen elements are looked at at once, up to the one at which the search ends.
//
//     while (k < n && a[k] != v) k++   becomes   while (k < n) { f = min(the first of 16 that is v, n - k); k += f; if (f < 16) break }
//
// Where the code that follows depends on the condition by which the search ends, the original loop follows and finds out. It also does
// what remains where a count goes by more than one, which takes sixteen iterations at once only while they are within the limit. The
// elements after the one that ends the search are read too: memory beside what is allocated is readable (docs/jit.md).
import { addParam, branchTo, Leaves, makeInst, redirectEntries } from '../../../ir/build';
import { dominatorsOf, reversePostorder } from '../../../ir/cfg';
import { ELEMENTS } from '../../../ir/elements';
import { Block, type Func, type Inst, Op, Target, Type, type Value } from '../../../ir/ir';
import { mapped, mapUses } from '../../../ir/rewrite';
import { removeDeadCode } from '../../../passes/dead-code';
import { constantStep } from './constant-steps';
import { type Stop, stopOf } from './element-steps';
import { type Bound, type Condition, type Search, searchOf } from './searches';

/** Counts by one are compared with what is left; so the search may end within the sixteen. */
const isExact = ({ step }: Bound): boolean => step === 1;

const usedBy = ({ insts, terminator, targets }: Block): readonly Value[] => [
  ...insts.flatMap(({ operands }) => operands),
  ...terminator.operands,
  ...targets.flatMap((target) => target.arguments),
];

/** Returns whether it changed the function, which invalidates the analyses. */
export function skipElements(func: Func): boolean {
  let changed = false;
  for (const loop of dominatorsOf(func).loops) {
    const search = searchOf(loop);
    const stop = search && stopOf(search);
    if (!stop) continue;
    new Skipper(func, search).run(stop);
    changed = true;
  }
  if (changed) {
    func.blocks = reversePostorder(func);
    removeDeadCode(func);
  }
  return changed;
}

class Skipper {
  private readonly leaves: Leaves;
  private readonly steps: readonly number[];
  /** Where it goes when the search has ended, or where the original loop does the rest. */
  private readonly rest: Block;

  constructor(
    private readonly func: Func,
    private readonly search: Search,
  ) {
    const { counted } = search;
    this.leaves = new Leaves(func);
    this.steps = counted.header.params.map((param) => constantStep(param, counted));
    this.rest = this.end();
  }

  run({ steps, operands, guards }: Stop): void {
    const { func, leaves, search } = this;
    const { header } = search.counted;
    const { position } = header.terminator;
    const [ahead, quick, more, found] = [0, 1, 2, 3].map(() => new Block(func.freshId())) as [
      Block,
      Block,
      Block,
      Block,
    ];
    const paramsOf = (block: Block) => header.params.map(({ type }) => addParam(func, block, type));
    const [enter, values, nexts] = [paramsOf(ahead), paramsOf(quick), paramsOf(more)];
    const probes = this.probes(enter, guards, quick);
    this.proceed(ahead, enter, probes[0] ?? quick);
    const copied = new Map<Value, Value>();
    const given = operands.map((operand) => this.copy(operand, quick, values, copied));
    const all = this.emit(quick, Op.CountUntil, Type.I32, given, { elements: { steps } });
    const count = search.limits.filter(isExact).reduce((least, { count: at, limit }) => {
      const left = this.emit(quick, Op.Sub, Type.I32, [limit, this.copy(at, quick, values, copied)]);
      return this.emit(quick, Op.UMin, Type.I32, [least, left]);
    }, all);
    const none = this.emit(quick, Op.Eq, Type.I1, [count, leaves.i32(ELEMENTS)]);
    const next = values.map((value, i) => this.plus(quick, value, leaves.i32(this.steps[i]! * ELEMENTS)));
    branchTo(func, quick, none, [new Target(more, next), new Target(found)], position);
    this.proceed(more, nexts, quick);
    const reached = values.map((value, i) =>
      this.plus(found, value, this.emit(found, Op.Mul, Type.I32, [count, leaves.i32(this.steps[i]!)])),
    );
    this.jump(found, new Target(this.rest, reached));
    redirectEntries(func, search.counted, ahead);
    func.blocks.push(ahead, ...probes, quick, more, found);
  }

  /** What follows the end of a search that leads to the same place in any case; otherwise the original loop. */
  private end(): Block {
    const { func, search } = this;
    const { header, blocks } = search.counted;
    const exits = [...blocks].flatMap(({ targets }) => targets.filter((t) => !blocks.has(t.block)));
    const outside = func.blocks.filter((block) => !blocks.has(block));
    const [exit] = exits as [Target];
    const isOwn = (value: Value) =>
      blocks.has(value.block) && !header.params.some((param) => param === value);
    const isSame = (other: Target) =>
      other.block === exit.block && other.arguments.every((value, i) => value === exit.arguments[i]);
    if (!search.limits.every(isExact) || !exits.every(isSame) || exit.arguments.some(isOwn)) return header;
    if (outside.some((block) => usedBy(block).some(isOwn))) return header;
    const end = new Block(func.freshId());
    const params = header.params.map(({ type }) => addParam(func, end, type));
    const at = new Map<Value, Value>(header.params.map((param, i) => [param, params[i]!]));
    const atEnd = (value: Value) => at.get(value) ?? value;
    for (const block of outside) mapUses(block, atEnd);
    this.jump(end, new Target(exit.block, mapped(exit.arguments, atEnd)));
    func.blocks.push(end);
    return end;
  }

  private emit(
    block: Block,
    op: Op,
    type: Type,
    operands: readonly Value[],
    facts: Inst['facts'] = {},
  ): Inst {
    const { position } = this.search.counted.header.terminator;
    const inst = makeInst(this.func, block, op, type, operands, facts, position);
    block.insts.push(inst);
    return inst;
  }

  private plus(block: Block, value: Value, by: Value): Inst {
    return this.emit(block, Op.Add, Type.I32, [value, by]);
  }

  private jump(block: Block, to: Target): void {
    block.terminator = makeInst(this.func, block, Op.Jump, Type.Void, []);
    block.targets = [to];
  }

  /** Leads a block to another one if the limits allow an iteration or, of counts by more than one, sixteen; otherwise to the loop. */
  private proceed(block: Block, params: readonly Value[], to: Block): void {
    const { func, search } = this;
    const { header } = search.counted;
    const copied = new Map<Value, Value>();
    const tests = search.limits.flatMap((limit) => this.allows(limit, block, params, copied));
    const then = new Target(to, to.params.length > 0 ? params : []);
    if (tests.length === 0) {
      this.jump(block, then);
      return;
    }
    const enough = tests.reduce((a, b) => this.emit(block, Op.And, Type.I1, [a, b]));
    branchTo(func, block, enough, [then, new Target(this.rest, params)], header.terminator.position);
  }

  /** Blocks that test conditions on the first element, one after the other, before the last one goes to `to`. */
  private probes(params: readonly Value[], conditions: readonly Condition[], to: Block): Block[] {
    const { func, search } = this;
    const { header } = search.counted;
    const copied = new Map<Value, Value>();
    const blocks = conditions.map(() => new Block(func.freshId()));
    for (const [i, { value, holds }] of conditions.entries()) {
      const block = blocks[i]!;
      const next = blocks[i + 1];
      const on = next ? new Target(next) : new Target(to, params);
      const off = new Target(this.rest, params);
      const test = this.copy(value, block, params, copied);
      branchTo(func, block, test, holds ? [on, off] : [off, on], header.terminator.position);
    }
    return blocks;
  }

  /** The tests that an iteration is within a limit; if `step` is more than one, that sixteen are. */
  private allows(bound: Bound, block: Block, params: readonly Value[], copied: Map<Value, Value>): Inst[] {
    const { count, limit, less, step } = bound;
    const value = this.copy(count, block, params, copied);
    if (isExact(bound)) return [this.emit(block, less ?? Op.Ne, Type.I1, [value, limit])];
    const left = this.emit(block, Op.Sub, Type.I32, [limit, value]);
    const last = this.leaves.i32(step * (ELEMENTS - 1));
    const isFar = this.emit(block, Op.UGt, Type.I1, [left, last]);
    return less === undefined ? [isFar] : [this.emit(block, less, Type.I1, [value, limit]), isFar];
  }

  /** A value of the loop in the iteration that starts with `params`. */
  private copy(value: Value, block: Block, params: readonly Value[], copied: Map<Value, Value>): Value {
    const { header, blocks } = this.search.counted;
    if (!blocks.has(value.block)) return value;
    if (value.kind === 'param') return params[header.params.indexOf(value)]!;
    const known = copied.get(value);
    if (known) return known;
    const operands = value.operands.map((operand) => this.copy(operand, block, params, copied));
    const made = this.emit(block, value.op, value.type, operands, value.facts);
    copied.set(value, made);
    return made;
  }
}
