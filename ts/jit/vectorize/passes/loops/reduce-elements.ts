// SPDX-License-Identifier: MIT
//
// Loops in which a work-item only adds up what it computes from consecutive elements, or takes a minimum or the like, in code for one
// work-item at a time: 64 iterations are one vector operation for each few elements, and one sum of their lanes (Op.ReduceElements); of
// what remains, sixteen at a time. Integers only, which may be added in any order.
import { executions } from '../../../analyses/trip-counts';
import { addParam, constantOf, Leaves, makeInst, redirectEntries } from '../../../ir/build';
import { dominatorsOf, type Loop, reversePostorder } from '../../../ir/cfg';
import { ELEMENTS, isElementOperation, isWideProduct } from '../../../ir/elements';
import {
  Block,
  type BlockParam,
  type Func,
  type Inst,
  Op,
  type Reduction,
  type Target,
  Type,
  type Value,
} from '../../../ir/ir';
import { COMBINE } from '../../../ir/reductions';
import { bitsOf, bytesOf } from '../../../ir/types';
import { removeDeadCode } from '../../../passes/dead-code';
import { narrowed, type Part } from '../narrow/narrow-elements';
import { constantStep } from './constant-steps';
import {
  afterDoubling,
  afterMask,
  type ElementMask,
  isMovingBit,
  maskOf,
  widthOfMask,
} from './element-masks';
import { MOST_STEPS, StepList } from './element-steps';
import { connectSteps, endAfter, isShorter, type SteppedLoop, steppedLoopOf } from './stepped-loops';

/** The most elements that are done at once, and the most bytes of one of their values: sixteen vectors. */
const MOST_ELEMENTS = 64;
const MOST_BYTES = 256;
/** The most steps that replace a loop. */
const MOST_WHOLE = 4;
/** The most summands of one sum. */
const DEEPEST = 4;

const REDUCTIONS: ReadonlyMap<Op, Reduction> = new Map(
  (['smin', 'smax', 'umin', 'umax', 'and', 'or', 'xor'] as const).map((name) => [COMBINE[name], name]),
);

/** What becomes of a parameter of the header: a counter's step, what is combined with it, a bit for each element, or a bit that moves. */
type Parameter = number | readonly Part[] | ElementMask | typeof MOVING_BIT;
const MOVING_BIT = 'moving bit';

const isReduction = (parameter: Parameter): parameter is readonly Part[] => Array.isArray(parameter);
const isMask = (parameter: Parameter): parameter is ElementMask =>
  typeof parameter === 'object' && !isReduction(parameter);

interface Parts {
  readonly parameters: readonly Parameter[];
  /** The most iterations that a step can have. */
  readonly most: number;
}

/** Returns whether it changed the function, which invalidates the analyses. */
export function reduceElements(func: Func): boolean {
  let changed = false;
  const dominators = dominatorsOf(func);
  for (const loop of dominators.loops) {
    const stepped = steppedLoopOf(loop);
    const parts = stepped && !isShorter(func, stepped, ELEMENTS) ? partsOf(func, stepped) : undefined;
    if (!stepped || !parts) continue;
    const count = executions(loop, dominators, parts.most * MOST_WHOLE);
    if (!count || !replaceLoop(func, stepped, parts, count)) {
      for (const size of parts.most > ELEMENTS ? [parts.most, ELEMENTS] : [ELEMENTS])
        insertSteps(func, stepped, parts, size);
    }
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
  return stepped !== undefined && !isShorter(func, stepped, ELEMENTS) && partsOf(func, stepped) !== undefined;
}

/** Whether a loop does so, and makes a number of conditions on elements. */
export function makesMask(func: Func, loop: Loop): boolean {
  const stepped = steppedLoopOf(loop);
  if (!stepped || isShorter(func, stepped, ELEMENTS)) return false;
  return partsOf(func, stepped)?.parameters.some(isMask) ?? false;
}

/** Whether a loop does nothing but to add up products of narrow numbers. */
export function addsNarrowProducts(func: Func, loop: Loop): boolean {
  const stepped = steppedLoopOf(loop);
  const parts = stepped && partsOf(func, stepped);
  const isOfProducts = (parameter: Parameter) =>
    typeof parameter === 'number' ||
    (isReduction(parameter) && parameter.every((part) => isWideProduct(part.steps)));
  return parts?.parameters.every(isOfProducts) ?? false;
}

/** The bytes of the widest results of steps. */
function widestOf(parts: readonly Part[]): number {
  const steps = parts.flatMap((part) => part.steps);
  return Math.max(...steps.map(({ type }) => (type === 'I1' ? 1 : bytesOf(Type[type]))));
}

function partsOf(func: Func, { counted }: SteppedLoop): Parts | undefined {
  const { header, again } = counted;
  const parameters: Parameter[] = [];
  let most = MOST_ELEMENTS;
  for (const [i, param] of header.params.entries()) {
    const parameter = parameterOf(func, counted, param, again[i]!);
    if (parameter === undefined) return undefined;
    parameters.push(parameter);
    if (isReduction(parameter)) most = Math.min(most, MOST_BYTES / widestOf(parameter));
    else if (typeof parameter === 'object')
      most = Math.min(most, bitsOf(param.type), MOST_BYTES / widthOfMask(parameter));
    else if (parameter === MOVING_BIT) most = Math.min(most, bitsOf(param.type));
  }
  return parameters.some((parameter) => typeof parameter === 'object') ? { parameters, most } : undefined;
}

function parameterOf(
  func: Func,
  counted: SteppedLoop['counted'],
  param: BlockParam,
  next: Value,
): Parameter | undefined {
  const step = param.type === Type.I32 ? constantStep(param, counted) : Number.NaN;
  if (!Number.isNaN(step)) return step;
  const parts = new Reducer(counted, param).parts(next, DEEPEST);
  if (parts !== undefined && parts.length > 0) return parts;
  return maskOf(func, counted, param, next) ?? (isMovingBit(func, counted, param) ? MOVING_BIT : undefined);
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
  const leaves = new Leaves(func);
  const [ahead, steps] = [new Block(func.freshId()), new Block(func.freshId())];
  const enter = header.params.map(({ type }) => addParam(func, ahead, type));
  const values = header.params.map(({ type }) => addParam(func, steps, type));
  const next = afterIterations(func, loop, parts, { block: steps, values, size, leaves });
  redirectEntries(func, counted, ahead);
  connectSteps(func, loop, { ahead, enter, steps, values, next, iterations: size }, leaves);
  func.blocks.push(ahead, steps);
}

const isBackEdge = ({ arguments: given }: Target, { again }: SteppedLoop['counted']): boolean =>
  given === again;

/** Replaces a loop of `count` iterations by steps one after the other. Returns whether it could. */
function replaceLoop(func: Func, loop: SteppedLoop, parts: Parts, count: number): boolean {
  const { counted, exit } = loop;
  const entries = func.blocks
    .flatMap(({ targets }) => targets)
    .filter(({ block }) => block === counted.header);
  const entry = entries.find((target) => !isBackEdge(target, counted));
  if (count % ELEMENTS !== 0 || !exit || !entry || entries.length !== 2) return false;
  if (!endAfter(func, loop, exit, counted.again)) return false;
  const leaves = new Leaves(func);
  const block = new Block(func.freshId());
  let values: readonly Value[] = entry.arguments;
  for (let done = 0; done < count; ) {
    const size = done + parts.most <= count ? parts.most : ELEMENTS;
    values = afterIterations(func, loop, parts, { block, values, size, leaves });
    done += size;
  }
  entry.block = block;
  entry.arguments = [];
  block.terminator = makeInst(func, block, Op.Jump, Type.Void, [], {}, counted.header.terminator.position);
  block.targets = [endAfter(func, loop, exit, values)!];
  func.blocks.push(block);
  return true;
}

interface Iterations {
  /** Where they are done. */
  readonly block: Block;
  /** The header's parameters before. */
  readonly values: readonly Value[];
  readonly size: number;
  readonly leaves: Leaves;
}

/** The header's parameters after some iterations. */
function afterIterations(
  func: Func,
  { counted }: SteppedLoop,
  { parameters }: Parts,
  { block, values, size, leaves }: Iterations,
): readonly Value[] {
  const { header } = counted;
  const { position } = header.terminator;
  const emit = (op: Op, type: Type, operands: readonly Value[], facts: Inst['facts'] = {}): Inst => {
    const inst = makeInst(func, block, op, type, operands, facts, position);
    block.insts.push(inst);
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
  const builder = { emit, copy, constant: (type: Type, bits: number) => leaves.constant(type, bits) };
  return parameters.map((parameter, i): Value => {
    const before: Value = values[i]!;
    if (typeof parameter === 'number') return emit(Op.Add, Type.I32, [before, leaves.i32(parameter * size)]);
    if (parameter === MOVING_BIT) return afterDoubling(builder, before, size);
    if (isMask(parameter)) return afterMask(builder, parameter, before, size);
    return parameter.reduce<Value>((value, { reduction, op, type, steps, operands, times, extended }) => {
      const facts = { elements: { steps }, reduction, size };
      const reduced = emit(Op.ReduceElements, extended?.from ?? type, operands.map(copy), facts);
      const all = extended ? emit(extended.by, type, [reduced]) : reduced;
      return emit(op, type, [value, times === 1 ? all : emit(Op.Mul, type, [all, leaves.i32(times)])]);
    }, before);
  });
}
