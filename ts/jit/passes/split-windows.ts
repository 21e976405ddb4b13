// SPDX-License-Identifier: MIT
//
// Loops over a window of neighbours that the edge of an image or an array cuts off:
//
//     for (u = max(x - 1, 0); u <= min(x + 1, width - 1); u++) body(u);
//
// Work-items at the edge iterate less often than others, so the loop is divergent and its accesses are scattered. If the whole window
// has a constant size, the loop runs over all of it, and tests each place:
//
//     for (k = 0; k < 3; k++) { u = x - 1 + k; if (u >= 0 && u <= width - 1) body(u); }
//
// All work-items then iterate equally often, accesses are contiguous, the test is a guard on ids, which most tiles pass as a whole, and
// short loops are unrolled. The pass relies on windows that do not wrap: no id is within the size of a window of 2^31.
import { addBlock, addParam, branchTo, constantOf, isPrologueOp, Leaves, makeInst } from '../ir/build';
import { dominatorsOf, type Loop } from '../ir/cfg';
import { type Block, type BlockParam, type Func, type Inst, Op, Target, Type, type Value } from '../ir/ir';
import { isPure } from '../ir/rewrite';

/** The largest window: at the edge, work-items test places that they had not visited. */
const LARGEST = 16;
/** How far from an index the id may be that it is computed from. */
const DEEPEST = 4;

interface Window {
  readonly header: Block;
  readonly latch: Block;
  readonly counter: BlockParam;
  /** The first place of the whole window, and the number of places. */
  readonly first: Value;
  readonly size: number;
  /** The places that exist: from `least` on, and by the loop's own comparison with `most`. */
  readonly least: Value;
  readonly most: Value;
  readonly comparison: Op.SLe | Op.SLt;
  /** The edges into the loop, into its body, and back to its header. */
  readonly entry: Target;
  readonly inside: Target;
  readonly back: Target;
}

/** Returns whether it changed the function. */
export function splitWindows(func: Func): boolean {
  let changed = false;
  for (let window = findWindow(func); window; window = findWindow(func)) {
    split(func, window);
    changed = true;
  }
  return changed;
}

function findWindow(func: Func): Window | undefined {
  const { loops, preds } = dominatorsOf(func);
  for (const loop of loops) {
    const window = windowOf(func, loop, preds);
    if (window) return window;
  }
  return undefined;
}

function windowOf(
  func: Func,
  { header, blocks, latches }: Loop,
  preds: ReadonlyMap<Block, readonly Block[]>,
): Window | undefined {
  const [latch] = latches as [Block];
  if (header.terminator.op !== Op.Branch || latches.length !== 1 || latch === header) return undefined;
  const [inside, outside] = header.targets as [Target, Target];
  if (!blocks.has(inside.block) || blocks.has(outside.block)) return undefined;
  const test = testOf(header);
  if (!test) return undefined;
  const { counter, bound, comparison } = test;
  const edgesTo = (list: readonly Block[]) =>
    list.flatMap(({ targets }) => targets.filter((t) => t.block === header));
  const entries = edgesTo(preds.get(header)!.filter((block) => !blocks.has(block)));
  const backs = edgesTo(latches);
  if (entries.length !== 1 || backs.length !== 1) return undefined;
  const [entry] = entries as [Target];
  const [back] = backs as [Target];
  const at = header.params.indexOf(counter);
  if (!isNext(back.arguments[at]!, counter)) return undefined;
  const start = clampedPlace(entry.arguments[at]!, Op.SMax);
  const end = clampedPlace(bound, Op.SMin);
  if (!start || !end || !isSame(start.base, end.base)) return undefined;
  const size = end.distance - start.distance + (comparison === Op.SLe ? 1 : 0);
  if (size < 1 || size > LARGEST || !isSelfContained(func, header, blocks, counter)) return undefined;
  const { index: first, limit: least } = start;
  return { header, latch, counter, first, size, least, most: end.limit, comparison, entry, inside, back };
}

/** The test of a loop's header: its counter is not beyond a bound. */
function testOf(
  header: Block,
): { counter: BlockParam; bound: Value; comparison: Op.SLe | Op.SLt } | undefined {
  const [condition] = header.terminator.operands as [Value];
  if (condition.kind !== 'inst') return undefined;
  const [a, b] = condition.operands as [Value, Value];
  const isCounter = (value: Value): value is BlockParam => value.kind === 'param' && value.block === header;
  const { op } = condition;
  if ((op === Op.SLe || op === Op.SLt) && isCounter(a)) return { counter: a, bound: b, comparison: op };
  if ((op === Op.SGe || op === Op.SGt) && isCounter(b))
    return { counter: b, bound: a, comparison: op === Op.SGe ? Op.SLe : Op.SLt };
  return undefined;
}

function isNext(value: Value, counter: BlockParam): boolean {
  return value.kind === 'inst' && value.op === Op.Add && value.operands[0] === counter && isOne(value);
}

const isOne = ({ operands }: Inst): boolean => constantOf(operands[1]!) === 1;

interface ClampedPlace {
  /** What is clamped, and to what. */
  readonly index: Value;
  readonly limit: Value;
  /** The index is at a constant distance from this value. */
  readonly base: Value;
  readonly distance: number;
}

/** An index near an id, clamped on one side. */
function clampedPlace(value: Value, op: Op.SMin | Op.SMax): ClampedPlace | undefined {
  if (value.kind !== 'inst' || value.op !== op || value.type !== Type.I32) return undefined;
  const [a, b] = value.operands as [Value, Value];
  for (const [index, limit] of [
    [a, b],
    [b, a],
  ] as const) {
    const distance =
      index.kind === 'inst' && index.op === Op.Add ? constantOf(index.operands[1]!) : undefined;
    const place =
      typeof distance === 'number'
        ? { base: (index as Inst).operands[0]!, distance }
        : { base: index, distance: 0 };
    if (isOfId(place.base, DEEPEST) && !isOfId(limit, DEEPEST)) return { index, limit, ...place };
  }
  return undefined;
}

/** Whether a value is a sum or product of ids, arguments and constants. */
function isOfId(value: Value, depth: number): boolean {
  if (value.kind !== 'inst') return false;
  const { op, operands } = value;
  if (op === Op.GlobalId || op === Op.LocalId) return true;
  if (depth === 0 || (op !== Op.Add && op !== Op.Sub && op !== Op.Mul && op !== Op.Shl)) return false;
  const isKnown = (v: Value) => (v.kind === 'inst' && isPrologueOp(v.op)) || isOfId(v, depth - 1);
  return operands.every(isKnown) && operands.some((v) => isOfId(v, depth - 1));
}

/** Whether two sums or products of ids are the same: common values are found later. */
function isSame(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (a.kind !== 'inst' || b.kind !== 'inst' || a.op !== b.op || a.operands.length === 0) return false;
  return a.operands.every((operand, i) => isSame(operand, b.operands[i]!));
}

/**
 * Whether a loop is left only at its header, the header has no effects, and nothing after the loop uses the counter or what the header
 * computes of it.
 */
function isSelfContained(
  func: Func,
  header: Block,
  blocks: ReadonlySet<Block>,
  counter: BlockParam,
): boolean {
  for (const block of blocks) {
    if (block !== header && block.targets.some((t) => !blocks.has(t.block))) return false;
    if (block.targets.length === 0) return false;
    for (const { op } of block.insts) {
      const isSimple = isPure(op) || (block !== header && (op === Op.Load || op === Op.Store));
      if (!isSimple) return false;
    }
  }
  const isOfCounter = (value: Value) =>
    value === counter || (value.kind === 'inst' && value.block === header);
  if (header.targets[1]!.arguments.some(isOfCounter)) return false;
  return func.blocks.every(
    (block) =>
      blocks.has(block) ||
      (block.insts.every(({ operands }) => !operands.some(isOfCounter)) &&
        !block.terminator.operands.some(isOfCounter) &&
        block.targets.every((t) => !t.arguments.some(isOfCounter))),
  );
}

function split(func: Func, window: Window): void {
  const { header, latch, counter, entry, inside, back } = window;
  const leaves = new Leaves(func);
  const at = header.params.indexOf(counter);
  const others = header.params.filter((param) => param !== counter);
  const visited = addParam(func, header, Type.I32);

  // The header counts to the window's size.
  const goesOn = makeInst(func, header, Op.SLt, Type.I1, [visited, leaves.i32(window.size)]);
  header.insts.push(goesOn);
  header.terminator.operands = [goesOn];
  entry.arguments = [...entry.arguments.with(at, window.first), leaves.i32(0)];

  // The latch is for work-items with and without this place.
  const next = addBlock(func);
  const values = others.map((param) => addParam(func, next, param.type) as Value);
  const sum = (value: Value) => makeInst(func, next, Op.Add, Type.I32, [value, leaves.i32(1)]);
  const [place, count] = [sum(counter), sum(visited)];
  next.insts.push(place, count);
  next.terminator = makeInst(func, next, Op.Jump, Type.Void, [], latch.terminator.facts);
  next.targets = [new Target(header, [...values.toSpliced(at, 0, place), count])];
  back.arguments = back.arguments.toSpliced(at, 1);
  back.block = next;

  // The test of the place.
  const guard = addBlock(func);
  const isThere = makeInst(func, guard, Op.SGe, Type.I1, [counter, window.least]);
  const isNotBeyond = makeInst(func, guard, window.comparison, Type.I1, [counter, window.most]);
  const exists = makeInst(func, guard, Op.And, Type.I1, [isThere, isNotBeyond]);
  guard.insts.push(isThere, isNotBeyond, exists);
  branchTo(func, guard, exists, [new Target(inside.block, inside.arguments), new Target(next, others)]);
  inside.block = guard;
  inside.arguments = [];
}
