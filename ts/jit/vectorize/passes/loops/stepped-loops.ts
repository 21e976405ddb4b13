// SPDX-License-Identifier: MIT
//
// Loops of which a number of iterations are done at a time while as many remain. The original loop does the others, if there are any:
//
//     do { body(k) } while (++k < n)   becomes   if (n - k >= 16) { do { 16 iterations; k += 16 } while (n - k >= 16)
//                                                                   if (k == n) goto end }
//                                                do { body(k) } while (++k < n)
import { addBlock, addParam, branchTo, constantOf, type Leaves, makeInst } from '../../../ir/build';
import type { Loop } from '../../../ir/cfg';
import { type Block, type Func, type Inst, Op, Target, Type, type Value } from '../../../ir/ir';
import { isRepeatable } from '../words/byte-words';
import { type CountedLoop, constantStep, limitOf } from './constant-steps';

const MOST_INSTRUCTIONS = 48;

/** A loop that continues while the parameter `at`, or that plus one, is less than `limit`, or unequal to it. */
export interface SteppedLoop {
  readonly counted: CountedLoop & { readonly blocks: ReadonlySet<Block> };
  readonly insts: readonly Inst[];
  readonly at: number;
  readonly limit: Value;
  readonly less: Op.SLt | Op.ULt | undefined;
  /** Where it goes if it ends after the body; undefined if it tests before. */
  readonly exit: Target | undefined;
}

export function steppedLoopOf({ header, blocks }: Loop): SteppedLoop | undefined {
  const { terminator, targets, params } = header;
  if (blocks.size > 2 || terminator.op !== Op.Branch || terminator.facts.unroll === 1) return undefined;
  const [inside, exit] = targets as [Target, Target];
  if (!blocks.has(inside.block) || blocks.has(exit.block)) return undefined;
  const isOne = blocks.size === 1;
  const body = inside.block;
  if (!isOne && (body === header || body.params.length > 0 || body.terminator.op !== Op.Jump))
    return undefined;
  const insts = isOne ? header.insts : [...header.insts, ...body.insts];
  if (insts.length > MOST_INSTRUCTIONS || !insts.every(isRepeatable)) return undefined;
  const counted = { header, blocks, again: (isOne ? inside : body.targets[0]!).arguments };
  const [test] = terminator.operands as [Value];
  if (test.kind !== 'inst' || test.block !== header) return undefined;
  const less = limitOf(test);
  if (!less && test.op !== Op.Ne) return undefined;
  const [count, limit] = less ? [less.count, less.limit] : (test.operands as [Value, Value]);
  const at = isOne ? counted.again.indexOf(count) : count.kind === 'param' ? params.indexOf(count) : -1;
  if (at < 0 || limit.type !== Type.I32 || blocks.has(limit.block)) return undefined;
  if (constantStep(params[at]!, counted) !== 1) return undefined;
  return { counted, insts, at, limit, less: less?.less, exit: isOne ? exit : undefined };
}

/** Whether a loop is known to have fewer iterations than `least`: steps of this many would never be taken. */
export function isShorter(func: Func, { counted, at, limit }: SteppedLoop, least: number): boolean {
  const end = constantOf(limit);
  if (end === undefined) return false;
  const { header, blocks } = counted;
  return func.blocks.every(
    (block) =>
      blocks.has(block) ||
      block.targets.every((target) => {
        const start = target.block === header ? constantOf(target.arguments[at]!) : end;
        return start !== undefined && Number(end) - Number(start) < least;
      }),
  );
}

/** The blocks for several iterations at a time. */
export interface Steps {
  /** The iterations of a step. */
  readonly iterations: number;
  readonly ahead: Block;
  readonly enter: readonly Value[];
  readonly steps: Block;
  readonly values: readonly Value[];
  readonly next: readonly Value[];
}

/** Ends the block before the steps, and the step's own. */
export function connectSteps(
  func: Func,
  loop: SteppedLoop,
  { ahead, enter, steps, values, next, iterations }: Steps,
  leaves: Leaves,
): void {
  const { at, limit, less, exit } = loop;
  const { header } = loop.counted;
  const { position } = header.terminator;
  const emit = (block: Block, op: Op, type: Type, operands: Value[]): Inst => {
    const inst = makeInst(func, block, op, type, operands, {}, position);
    block.insts.push(inst);
    return inst;
  };
  const branch = (block: Block, test: Value, then: Target, otherwise: Target): void => {
    branchTo(func, block, test, [then, otherwise], position);
  };
  /** Where the loop ends if no iteration remains after the steps; a loop that tests before its body does that itself. */
  const end = exit && endAfter(func, loop, exit, next);
  const least = leaves.i32(exit && !end ? iterations + 1 : iterations);
  const suffice = (block: Block, count: Value): Value =>
    emit(block, Op.UGe, Type.I1, [emit(block, Op.Sub, Type.I32, [limit, count]), least]);
  const first = enter[at]!;
  const enough = suffice(ahead, first);
  const both = less && emit(ahead, Op.And, Type.I1, [emit(ahead, less, Type.I1, [first, limit]), enough]);
  // A single entry to what remains, so that it can be unrolled, too.
  const rest = addBlock(func);
  const params = values.map(({ type }) => addParam(func, rest, type));
  rest.terminator = makeInst(func, rest, Op.Jump, Type.Void, [], {}, position);
  rest.targets = [new Target(header, params)];
  branch(ahead, both ?? enough, new Target(steps, enter), new Target(rest, enter));
  // The count is not beyond the limit any more.
  const again = suffice(steps, next[at]!);
  if (!end) {
    branch(steps, again, new Target(steps, next), new Target(rest, next));
    return;
  }
  const tail = addBlock(func);
  branch(steps, again, new Target(steps, next), new Target(tail));
  const none = emit(tail, Op.Eq, Type.I1, [next[at]!, limit]);
  branch(tail, none, end, new Target(rest, next));
}

/** The exit with the values after the last step; undefined if other values of the loop are used after it. */
export function endAfter(
  func: Func,
  { counted }: SteppedLoop,
  exit: Target,
  next: readonly Value[],
): Target | undefined {
  const { blocks, again } = counted;
  if (!passOut(func, counted, exit)) return undefined;
  const mapped = exit.arguments.map((value) =>
    blocks.has(value.block) ? next[again.indexOf(value)] : value,
  );
  return mapped.every((value) => value !== undefined) ? new Target(exit.block, mapped) : undefined;
}

/**
 * Makes values of the loop's last iteration that are used after it parameters of the block after it, which then has them from the steps
 * as well. Returns whether no value is used there in another way.
 */
function passOut(func: Func, { blocks, again }: SteppedLoop['counted'], exit: Target): boolean {
  const outside = func.blocks.filter((block) => !blocks.has(block));
  const used = new Set<Value>();
  for (const { insts, terminator, targets } of outside) {
    for (const { operands } of [...insts, terminator]) for (const value of operands) used.add(value);
    for (const target of targets) for (const value of target.arguments) used.add(value);
  }
  const values = [...used].filter((value) => blocks.has(value.block));
  if (values.length === 0) return true;
  const entries = func.blocks.flatMap(({ targets }) => targets.filter(({ block }) => block === exit.block));
  if (entries.length > 1 || !values.every((value) => again.includes(value))) return false;
  const params = new Map<Value, Value>(
    values.map((value) => [value, addParam(func, exit.block, value.type)]),
  );
  const rename = (list: readonly Value[]) => list.map((value) => params.get(value) ?? value);
  for (const { insts, terminator, targets } of outside) {
    for (const inst of [...insts, terminator]) inst.operands = rename(inst.operands);
    for (const target of targets) target.arguments = rename(target.arguments);
  }
  exit.arguments = [...exit.arguments, ...values];
  return true;
}
