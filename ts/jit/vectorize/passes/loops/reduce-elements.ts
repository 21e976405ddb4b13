// SPDX-License-Identifier: MIT
//
// Loops in which a work-item only adds up what it computes from consecutive elements, or takes a minimum or the like, in code for one
// work-item at a time: 64 iterations are one vector operation for each few elements, and one sum of their lanes (Op.ReduceElements); of
// what remains, sixteen at a time. Integers only, which may be added in any order.
import { addParam, constantOf, Leaves, makeInst, redirectEntries } from '../../../ir/build';
import { dominatorsOf, type Loop, reversePostorder } from '../../../ir/cfg';
import { ELEMENTS, isElementOperation, isWideProduct } from '../../../ir/elements';
import { Block, type Func, type Inst, Op, type Reduction, Type, type Value } from '../../../ir/ir';
import { COMBINE } from '../../../ir/reductions';
import { bytesOf } from '../../../ir/types';
import { removeDeadCode } from '../../../passes/dead-code';
import { narrowed, type Part } from '../narrow/narrow-elements';
import { constantStep } from './constant-steps';
import { MOST_STEPS, StepList } from './element-steps';
import { connectSteps, isShorter, type SteppedLoop, steppedLoopOf } from './stepped-loops';

/** The most elements that are done at once, and the most bytes of one of their values: sixteen vectors. */
const MOST_ELEMENTS = 64;
const MOST_BYTES = 256;
/** The most summands of one sum. */
const DEEPEST = 4;

const REDUCTIONS: ReadonlyMap<Op, Reduction> = new Map(
  (['smin', 'smax', 'umin', 'umax', 'and', 'or', 'xor'] as const).map((name) => [COMBINE[name], name]),
);

/** By parameter of the header: what is combined with it, or, of a counter, its step. */
type Parts = readonly (readonly Part[] | number)[];

/** Returns whether it changed the function, which invalidates the analyses. */
export function reduceElements(func: Func): boolean {
  let changed = false;
  for (const loop of dominatorsOf(func).loops) {
    const stepped = steppedLoopOf(loop);
    const parts = stepped && !isShorter(func, stepped, ELEMENTS) ? partsOf(stepped) : undefined;
    if (!stepped || !parts) continue;
    const most = Math.min(MOST_ELEMENTS, MOST_BYTES / widestOf(parts));
    for (const size of most > ELEMENTS ? [most, ELEMENTS] : [ELEMENTS])
      insertSteps(func, stepped, parts, size);
    changed = true;
  }
  if (changed) {
    func.blocks = reversePostorder(func);
    removeDeadCode(func);
  }
  return changed;
}

/** Whether a loop does nothing but such reductions. */
export function reducesElements(func: Func, loop: Loop): boolean {
  const stepped = steppedLoopOf(loop);
  return stepped !== undefined && !isShorter(func, stepped, ELEMENTS) && partsOf(stepped) !== undefined;
}

/** Whether a loop does nothing but to add up products of narrow numbers. */
export function addsNarrowProducts(loop: Loop): boolean {
  const stepped = steppedLoopOf(loop);
  const parts = stepped && partsOf(stepped);
  return (
    parts?.every((list) => typeof list === 'number' || list.every((part) => isWideProduct(part.steps))) ??
    false
  );
}

function widestOf(parts: Parts): number {
  const steps = parts.flatMap((list) => (typeof list === 'number' ? [] : list.flatMap((part) => part.steps)));
  return Math.max(...steps.map(({ type }) => (type === 'I1' ? 1 : bytesOf(Type[type]))));
}

function partsOf({ counted }: SteppedLoop): Parts | undefined {
  const { header, again } = counted;
  const parts: (readonly Part[] | number)[] = [];
  for (const [i, param] of header.params.entries()) {
    const step = param.type === Type.I32 ? constantStep(param, counted) : Number.NaN;
    const part = Number.isNaN(step) ? new Reducer(counted, param).parts(again[i]!, DEEPEST) : step;
    if (part === undefined || (typeof part !== 'number' && part.length === 0)) return undefined;
    parts.push(part);
  }
  return parts.some((part) => typeof part !== 'number') ? parts : undefined;
}

/** What a loop combines with one of its parameters. */
class Reducer {
  constructor(
    private readonly loop: SteppedLoop['counted'],
    private readonly param: Value,
  ) {}

  /** From the parameter to its next value. */
  parts(next: Value, depth: number): readonly Part[] | undefined {
    if (next === this.param) return [];
    if (depth === 0 || next.kind !== 'inst' || !this.loop.blocks.has(next.block)) return undefined;
    const { op, type } = next;
    const [a, b] = next.operands as [Value, Value];
    const reduction = REDUCTIONS.get(op);
    if (reduction) {
      // One operation: others between would have to be the same.
      const other = a === this.param ? b : b === this.param ? a : undefined;
      return (
        other &&
        listOf(
          [],
          this.part(reduction, op, type, (list) => list.stepOf(other)),
        )
      );
    }
    if (op === Op.Select) return this.conditional(next, depth);
    if (op !== Op.Add && op !== Op.Sub) return undefined;
    const orders: (readonly [rest: Value, other: Value])[] = [[a, b]];
    if (op === Op.Add) orders.push([b, a]);
    for (const [rest, other] of orders) {
      const before = this.parts(rest, depth - 1);
      if (!before) continue;
      const truth = type === Type.I32 ? truthOf(other) : undefined;
      const counted = truth && this.part('add', op, type, (list) => list.stepOf(truth));
      return listOf(before, counted ?? this.part('add', op, type, (list) => list.stepOf(other)));
    }
    return undefined;
  }

  /** A sum under a condition. */
  private conditional({ operands, type }: Inst, depth: number): readonly Part[] | undefined {
    const [condition, yes, no] = operands as [Value, Value, Value];
    for (const [grown, same, holds] of [
      [yes, no, true],
      [no, yes, false],
    ] as const) {
      if (grown.kind !== 'inst' || grown.op !== Op.Add || !grown.operands.includes(same)) continue;
      const before = this.parts(same, depth - 1);
      if (!before) continue;
      const other = grown.operands.find((operand) => operand !== same) ?? same;
      const where = (list: StepList) => {
        const at = list.stepOf(condition);
        return at === undefined || holds ? at : list.computed(Op.Not, Type.I1, [at]);
      };
      const by = type === Type.I32 ? constantOf(other) : undefined;
      return listOf(
        before,
        by === undefined
          ? this.part('add', Op.Add, type, (list) => list.chosen(where(list), list.stepOf(other), type))
          : this.part('add', Op.Add, type, where, Number(by)),
      );
    }
    return undefined;
  }

  private part(
    reduction: Reduction,
    op: Op,
    type: Type,
    make: (list: StepList) => number | undefined,
    times = 1,
  ): Part | undefined {
    const list = new StepList(this.loop);
    const last = make(list);
    const { steps, operands } = list;
    if (last === undefined || last !== steps.length - 1 || steps.length > MOST_STEPS) return undefined;
    if (!steps.some(({ is }) => is === 'loaded')) return undefined;
    const of = steps[last]!.type;
    const isCount = of === 'I1' && type === Type.I32 && reduction === 'add';
    const isOfType = of === Type[type] && isElementOperation(COMBINE[reduction], type, type);
    return isCount || isOfType ? narrowed({ reduction, op, type, steps, operands, times }) : undefined;
  }
}

const listOf = (before: readonly Part[], part: Part | undefined): readonly Part[] | undefined =>
  part && [...before, part];

/** The truth value that a number is. */
function truthOf(value: Value): Value | undefined {
  const isTruth = value.kind === 'inst' && value.op === Op.ZExt && value.operands[0]!.type === Type.I1;
  return isTruth ? value.operands[0] : undefined;
}

/** Inserts a loop of `size` iterations at a time before the loop. */
function insertSteps(func: Func, loop: SteppedLoop, parts: Parts, size: number): void {
  const { counted } = loop;
  const { header } = counted;
  const { position } = header.terminator;
  const leaves = new Leaves(func);
  const [ahead, steps] = [new Block(func.freshId()), new Block(func.freshId())];
  const enter = header.params.map(({ type }) => addParam(func, ahead, type));
  const values = header.params.map(({ type }) => addParam(func, steps, type));
  const emit = (op: Op, type: Type, operands: readonly Value[], facts: Inst['facts'] = {}): Inst => {
    const inst = makeInst(func, steps, op, type, operands, facts, position);
    steps.insts.push(inst);
    return inst;
  };
  const copies = new Map<Value, Value>(header.params.map((param, i) => [param, values[i]!]));
  const copy = (value: Value): Value => {
    const known = copies.get(value);
    if (known || !counted.blocks.has(value.block)) return known ?? value;
    const { op, type, operands, facts } = value as Inst;
    const made = emit(op, type, operands.map(copy), facts);
    copies.set(value, made);
    return made;
  };
  const next = parts.map((list, i): Value => {
    const before: Value = values[i]!;
    if (typeof list === 'number') return emit(Op.Add, Type.I32, [before, leaves.i32(list * size)]);
    return list.reduce<Value>((value, { reduction, op, type, steps: of, operands, times, extended }) => {
      const facts = { elements: { steps: of }, reduction, size };
      const reduced = emit(Op.ReduceElements, extended?.from ?? type, operands.map(copy), facts);
      const all = extended ? emit(extended.by, type, [reduced]) : reduced;
      return emit(op, type, [value, times === 1 ? all : emit(Op.Mul, type, [all, leaves.i32(times)])]);
    }, before);
  });
  redirectEntries(func, counted, ahead);
  connectSteps(func, loop, { ahead, enter, steps, values, next, iterations: size }, leaves);
  func.blocks.push(ahead, steps);
}
