// SPDX-License-Identifier: MIT
//
// Loops that compare their counter with an id, such as a rank by counting or a product with a triangular matrix:
//
//     for (j = 0; j < n; j++) r += a[j] < x || (a[j] == x && j < id);
//
// The comparison is the same for all work-items of a tile in all iterations but those of the tile's own ids. So there are three loops, one
// after the other, and only the second one compares:
//
//     do { body(j < id: true) }  while (++j < n && j < first);      the ids of the tile: first to last
//     do { body(j < id) }        while (++j < n && j <= last);
//     do { body(j < id: false) } while (++j < n);
import { type Divergence, X, Y } from '../../../analyses/divergence';
import { addBlock, addParam, branchTo, constantOf, Leaves, makeInst } from '../../../ir/build';
import { type Loop, reversePostorder } from '../../../ir/cfg';
import { SWAPPED } from '../../../ir/comparisons';
import { copyBlocks } from '../../../ir/copy-blocks';
import {
  type Block,
  type BlockParam,
  type Func,
  type Inst,
  Op,
  Target,
  Type,
  type Value,
} from '../../../ir/ir';
import { isPure, mapUses } from '../../../ir/rewrite';
import { constantStep, limitOf } from './constant-steps';

/** There are three copies of the loop. */
const MOST_INSTRUCTIONS = 96;
/** Where a loop has fewer iterations, those of the tile's own ids are most of them. */
const LEAST_ITERATIONS = 48;

/** Signed or unsigned order: its limits, and how `a < b` and `a > b` are written. */
const ORDERS = {
  signed: { less: Op.SLt, greater: Op.SGt, lessOrEqual: Op.SLe, least: -(2 ** 31), most: 2 ** 31 - 1 },
  unsigned: { less: Op.ULt, greater: Op.UGt, lessOrEqual: Op.ULe, least: 0, most: -1 },
} as const;
type Order = (typeof ORDERS)[keyof typeof ORDERS];

/** What a comparison `count ? id` is where the count is less than all ids, and where it is greater; undefined orders suit both. */
const RESULTS: Partial<Record<Op, { below: boolean; above: boolean; order: Order | undefined }>> = {
  [Op.SLt]: { below: true, above: false, order: ORDERS.signed },
  [Op.SLe]: { below: true, above: false, order: ORDERS.signed },
  [Op.SGt]: { below: false, above: true, order: ORDERS.signed },
  [Op.SGe]: { below: false, above: true, order: ORDERS.signed },
  [Op.ULt]: { below: true, above: false, order: ORDERS.unsigned },
  [Op.ULe]: { below: true, above: false, order: ORDERS.unsigned },
  [Op.UGt]: { below: false, above: true, order: ORDERS.unsigned },
  [Op.UGe]: { below: false, above: true, order: ORDERS.unsigned },
  [Op.Eq]: { below: false, above: false, order: undefined },
  [Op.Ne]: { below: true, above: true, order: undefined },
};

/** A comparison of a loop's count with an id, or with another number that grows from lane to lane. */
interface Comparison {
  readonly inst: Inst;
  readonly count: Value;
  readonly id: Value;
  readonly below: boolean;
  readonly above: boolean;
  readonly order: Order;
}

interface Split {
  readonly loop: BottomTested;
  /** The only edge that enters the loop. */
  readonly entry: Target;
  /** All have one count, id and order. */
  readonly comparisons: readonly [Comparison, ...Comparison[]];
}

/** Returns whether it changed the function, which invalidates the analyses. */
export function splitLoopsAtIds(func: Func, divergence: Divergence): boolean {
  const found = divergence.flow.allLoops.flatMap((loop) => splitOf(func, loop, divergence) ?? []);
  for (const split of found) splitLoop(func, split, divergence);
  if (found.length > 0) func.blocks = reversePostorder(func);
  return found.length > 0;
}

/** An innermost loop that is left only by its last block's test. */
interface BottomTested {
  readonly header: Block;
  readonly latch: Block;
  readonly blocks: ReadonlySet<Block>;
  /** The latch's edge back to the header, and the other one. */
  readonly back: Target;
  readonly exit: Target;
}

function splitOf(func: Func, found: Loop, divergence: Divergence): Split | undefined {
  const loop = bottomTested(found, divergence);
  if (!loop) return undefined;
  const { header, blocks } = loop;
  const entries = func.blocks.flatMap((b) =>
    blocks.has(b) ? [] : b.targets.filter((t) => t.block === header),
  );
  const [entry] = entries;
  if (!entry || entries.length > 1) return undefined;
  const counter = counterOf(loop, divergence, entry);
  if (!counter) return undefined;
  const comparisons = [...blocks].flatMap(({ insts }) =>
    insts.flatMap((inst) => comparisonOf(inst, loop, counter, divergence) ?? []),
  );
  const [first, ...others] = comparisons;
  if (!first) return undefined;
  const same = ({ count, id, order }: Comparison) =>
    count === first.count && id === first.id && order === first.order;
  return { loop, entry, comparisons: [first, ...others.filter(same)] };
}

function bottomTested({ header, blocks, latches }: Loop, divergence: Divergence): BottomTested | undefined {
  const [latch] = latches as [Block];
  if (latches.length > 1 || latch.terminator.op !== Op.Branch) return undefined;
  const [back, exit] = latch.targets as [Target, Target];
  if (back.block !== header || blocks.has(exit.block)) return undefined;
  let size = 0;
  for (const block of blocks) {
    size += block.insts.length;
    if (divergence.flow.loopOf(block)!.header !== header) return undefined;
    if (block !== latch && !(block.targets.length > 0 && block.targets.every((t) => blocks.has(t.block))))
      return undefined;
    for (const { op } of block.insts) if (!isPure(op) && op !== Op.Load && op !== Op.Store) return undefined;
  }
  return size <= MOST_INSTRUCTIONS ? { header, latch, blocks, back, exit } : undefined;
}

/** The counts of a loop whose test compares them before they could wrap, and the orders in which they grow. */
interface Counter {
  readonly counts: readonly [param: BlockParam, next: Value];
  readonly orders: readonly Order[];
}

function counterOf(
  { header, latch, blocks, back }: BottomTested,
  divergence: Divergence,
  entry: Target,
): Counter | undefined {
  const [test] = latch.terminator.operands as [Value];
  if (test.kind !== 'inst' || !blocks.has(test.block) || divergence.dims[test.id]! & (X | Y))
    return undefined;
  const found = limitOf(test);
  if (!found) return undefined;
  const { count: next, limit, less } = found;
  const again = back.arguments;
  const at = again.indexOf(next);
  const param = header.params[at];
  if (!param || divergence.dims[param.id]! & (X | Y) || divergence.dims[next.id]! & (X | Y)) return undefined;
  const step = constantStep(param, { header, blocks, again });
  if (!(step > 0) || next.kind !== 'inst' || (step !== 1 && !next.facts.noWrap)) return undefined;
  const [start, end] = [constantOf(entry.arguments[at]!), constantOf(limit)];
  if (start !== undefined && end !== undefined && (Number(end) - Number(start)) / step < LEAST_ITERATIONS)
    return undefined;
  // Counts that are never negative grow in both orders.
  const both = less === Op.SLt && start !== undefined && Number(start) >= 0;
  const own = less === Op.SLt ? ORDERS.signed : ORDERS.unsigned;
  return { counts: [param, next], orders: both ? [ORDERS.signed, ORDERS.unsigned] : [own] };
}

function comparisonOf(
  inst: Inst,
  { blocks }: BottomTested,
  { counts, orders }: Counter,
  divergence: Divergence,
): Comparison | undefined {
  if (!RESULTS[inst.op]) return undefined;
  const [a, b] = inst.operands as [Value, Value];
  const isSwapped = counts.includes(b as BlockParam);
  const [count, id] = isSwapped ? [b, a] : [a, b];
  if (!counts.includes(count as BlockParam) || id.type !== Type.I32 || blocks.has(id.block)) return undefined;
  const stride = divergence.strideAt(id, inst.block);
  if (!stride || Number.isNaN(stride) || divergence.dimsAt(id, inst.block) & Y) return undefined;
  const { below, above, order } = RESULTS[isSwapped ? (SWAPPED[inst.op] ?? inst.op) : inst.op]!;
  if (order && !orders.includes(order)) return undefined;
  return { inst, count, id, below, above, order: order ?? orders[0]! };
}

function splitLoop(func: Func, { loop, entry, comparisons }: Split, divergence: Divergence): void {
  const leaves = new Leaves(func);
  const { header, latch, back } = loop;
  const { position } = latch.terminator;
  const [test] = latch.terminator.operands as [Value];
  const [{ count, id, order }] = comparisons;
  const emit = (into: Block, op: Op, type: Type, operands: readonly Value[]): Inst => {
    const inst = makeInst(func, into, op, type, operands, {}, position);
    into.insts.push(inst);
    return inst;
  };
  const leave = separateExit(func, loop);

  // Before the loop: the least and the greatest of the tile's ids. Where they wrap, all iterations compare.
  const before = addBlock(func);
  const ends = [Op.TileFirst, Op.TileLast].map((op) => emit(before, op, Type.I32, [id])) as [Inst, Inst];
  const [first, last] = divergence.stride[id.id]! > 0 ? ends : (ends.toReversed() as [Inst, Inst]);
  const grows = emit(before, order.lessOrEqual, Type.I1, [first, last]);
  const least = emit(before, Op.Select, Type.I32, [grows, first, leaves.i32(order.least)]);
  const most = emit(before, Op.Select, Type.I32, [grows, last, leaves.i32(order.most)]);
  const given = entry.arguments;
  entry.block = before;
  entry.arguments = [];

  // The count with which an iteration compares, from the values of the header's parameters.
  const place = header.params.indexOf(count as BlockParam);
  const countFrom = (into: Block, values: readonly Value[]): Value => {
    if (place >= 0) return values[place]!;
    const { op, type, operands } = count as Inst;
    const atEntry = (v: Value) =>
      v.kind === 'param' && v.block === header ? values[header.params.indexOf(v)]! : v;
    return emit(into, op, type, operands.map(atEntry));
  };

  const copyWhere = (side: 'below' | 'above'): Copy =>
    copyOf(func, loop, new Map(comparisons.map((c) => [c.inst, leaves.constant(Type.I1, c[side] ? 1 : 0)])));
  const below = copyWhere('below');
  const above = copyWhere('above');
  const within: Copy = { header, latch, map: (v) => v };

  // Where an iteration goes that is not below the ids: into one of the other loops.
  const rest = addBlock(func);
  const values = header.params.map(({ type }) => addParam(func, rest, type) as Value);
  const isWithin = emit(rest, order.lessOrEqual, Type.I1, [countFrom(rest, values), most]);
  branchTo(func, rest, isWithin, [new Target(header, values), new Target(above.header, values)], position);
  const isBelow = emit(before, order.less, Type.I1, [countFrom(before, given), least]);
  branchTo(func, before, isBelow, [new Target(below.header, given), new Target(rest, given)], position);

  // How they end: the first two also where the ids say so.
  const again = back.arguments;
  const endAt = (copy: Copy, op: Op, bound: Value, to: Block): void => {
    const next = again.map(copy.map);
    const [continues, after] = [copy.map(test), addBlock(func)];
    const stays = emit(copy.latch, op, Type.I1, [countFrom(copy.latch, next), bound]);
    const both = emit(copy.latch, Op.And, Type.I1, [continues, stays]);
    branchTo(func, copy.latch, both, [new Target(copy.header, next), new Target(after)], position);
    branchTo(func, after, continues, [new Target(to, next), leave(copy.map)], position);
  };
  const toItself = new Target(above.header, again.map(above.map));
  branchTo(func, above.latch, above.map(test), [toItself, leave(above.map)], position);
  endAt(below, order.less, least, rest);
  endAt(within, order.lessOrEqual, most, above.header);
}

interface Copy {
  readonly header: Block;
  readonly latch: Block;
  /** A value of the original loop in this one. */
  readonly map: (value: Value) => Value;
}

/** A copy of a loop in which some values are known. */
function copyOf(func: Func, { blocks, header, latch }: BottomTested, known: ReadonlyMap<Value, Value>): Copy {
  const copies = copyBlocks(func, blocks, known);
  return { header: copies.blocks.get(header)!, latch: copies.blocks.get(latch)!, map: copies.copyOf };
}

/**
 * Gives a loop's exit a block with the loop's values as parameters, where other code uses them. Returns the edge to it for the values of a
 * copy.
 */
function separateExit(func: Func, loop: BottomTested): (map: (value: Value) => Value) => Target {
  const { blocks } = loop;
  const exit = addBlock(func);
  const own = new Map<Value, Value>();
  const see = (v: Value): Value => {
    if (!blocks.has(v.block)) return v;
    let param = own.get(v);
    if (!param) {
      param = addParam(func, exit, v.type);
      own.set(v, param);
    }
    return param;
  };
  const edge = new Target(loop.exit.block, loop.exit.arguments.map(see));
  for (const block of func.blocks) if (!blocks.has(block) && block !== exit) mapUses(block, see);
  exit.terminator = makeInst(func, exit, Op.Jump, Type.Void, []);
  exit.targets = [edge];
  return (map) => new Target(exit, [...own.keys()].map(map));
}
