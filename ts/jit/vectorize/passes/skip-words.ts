// SPDX-License-Identifier: MIT
//
// Loops that only look for a byte: they count, and end at a byte that differs from another one, or is what they look for. In code for
// one work-item at a time, eight bytes are compared at once, as long as none of them ends the loop:
//
//     while (k < n && a[k] == b[k]) k++   becomes   if (n - k >= 8 && a[k] == b[k]) do { if (8 bytes differ) break; k += 8 } while (n - k >= 8)
//                                                   while (k < n && a[k] == b[k]) k++
//
// The bytes after the one that ends the loop are read too: memory beside what is allocated is readable (docs/jit.md). The first byte is
// compared alone before, as most searches end at it.
import { addParam, branchTo, Leaves, makeInst, redirectEntries } from '../../ir/build';
import { dominatorsOf, type Loop, reversePostorder } from '../../ir/cfg';
import { Block, type BlockParam, type Func, type Inst, Op, Target, Type, type Value } from '../../ir/ir';
import { removeDeadCode } from '../../passes/dead-code';
import { ByteWords, isRepeatable, WORD } from './byte-words';
import { type CountedLoop, constantStep, type Limit, limitOf } from './constant-steps';

const WORDS = 2;
const ITERATIONS = WORDS * WORD;
const MOST_BLOCKS = 4;
const MOST_INSTRUCTIONS = 24;

/** Returns whether it changed the function, which invalidates the analyses. */
export function skipWords(func: Func): boolean {
  let changed = false;
  for (const loop of dominatorsOf(func).loops) {
    const search = searchOf(loop);
    if (search && skip(func, search)) changed = true;
  }
  if (changed) {
    func.blocks = reversePostorder(func);
    removeDeadCode(func);
  }
  return changed;
}

/** The loop continues if `value` is what `holds` says. */
interface Condition {
  readonly value: Inst;
  readonly holds: boolean;
}

interface Search {
  readonly counted: CountedLoop & { readonly blocks: ReadonlySet<Block> };
  /** On bytes. */
  readonly conditions: readonly Condition[];
  /** It continues only while a parameter is less than a limit. */
  readonly limits: readonly (Limit & { readonly count: BlockParam })[];
}

function searchOf({ header, blocks }: Loop): Search | undefined {
  if (blocks.size > MOST_BLOCKS) return undefined;
  const tests: Condition[] = [];
  let again: Target | undefined;
  let instructions = 0;
  for (let block = header; !again; ) {
    const { terminator, targets, insts } = block;
    instructions += insts.length;
    if (!insts.every(isRepeatable) || instructions > MOST_INSTRUCTIONS) return undefined;
    const inside = targets.filter((target) => blocks.has(target.block));
    if (inside.length !== 1 || terminator.facts.unroll !== undefined) return undefined;
    if (terminator.op === Op.Branch) {
      const [value] = terminator.operands as [Value];
      if (value.kind !== 'inst') return undefined;
      tests.push({ value, holds: targets[0] === inside[0] });
    } else if (terminator.op !== Op.Jump) return undefined;
    if (inside[0]!.block === header) again = inside[0]!;
    else if (inside[0]!.block.params.length > 0) return undefined;
    block = inside[0]!.block;
  }
  const counted = { header, blocks, again: again.arguments };
  if (!header.params.every((param) => Number.isFinite(constantStep(param, counted)))) return undefined;
  const limits: Search['limits'][number][] = [];
  const conditions: Condition[] = [];
  for (const test of tests) {
    const limit = boundOf(test, counted);
    if (limit) limits.push(limit);
    else conditions.push(test);
  }
  return conditions.length > 0 ? { counted, conditions, limits } : undefined;
}

/** Of a condition that bounds a parameter which counts. */
function boundOf({ value, holds }: Condition, loop: Search['counted']): Search['limits'][number] | undefined {
  const bound = limitOf(value, holds);
  if (!bound) return undefined;
  const { count, limit, less } = bound;
  const isCounted =
    count.kind === 'param' &&
    count.block === loop.header &&
    constantStep(count, loop) === 1 &&
    !loop.blocks.has(limit.block);
  return isCounted ? { count, limit, less } : undefined;
}

/** Returns whether all conditions have a form on words. */
function skip(func: Func, { counted, conditions, limits }: Search): boolean {
  const { header } = counted;
  const { position } = header.terminator;
  const leaves = new Leaves(func);
  const [ahead, probe, quick, more] = [0, 1, 2, 3].map(() => new Block(func.freshId())) as [
    Block,
    Block,
    Block,
    Block,
  ];
  const paramsOf = (block: Block) => header.params.map(({ type }) => addParam(func, block, type));
  const [enter, values, nexts] = [paramsOf(ahead), paramsOf(quick), paramsOf(more)];
  const words = new ByteWords(func, ahead, quick, counted, leaves, values);
  const stops = conditions.flatMap((condition) =>
    Array.from({ length: WORDS }, (_, at) => stopOf(words, condition, at)),
  );
  if (!stops.every((stop) => stop !== undefined)) return false;

  const emit = (
    block: Block,
    op: Op,
    type: Type,
    operands: readonly Value[],
    facts: Inst['facts'] = {},
  ): Inst => {
    const inst = makeInst(func, block, op, type, operands, facts, position);
    block.insts.push(inst);
    return inst;
  };
  const branch = (block: Block, test: Value, then: Target, otherwise: Target): void => {
    branchTo(func, block, test, [then, otherwise], position);
  };
  /** Continues if enough iterations remain. */
  const proceed = (block: Block, params: readonly Value[], then: Target): void => {
    const tests = limits.flatMap(({ count, limit, less }) => {
      const value = params[header.params.indexOf(count)]!;
      const left = emit(block, Op.Sub, Type.I32, [limit, value]);
      return [
        emit(block, less, Type.I1, [value, limit]),
        emit(block, Op.UGe, Type.I1, [left, leaves.i32(ITERATIONS)]),
      ];
    });
    if (tests.length > 0) {
      const enough = tests.reduce((a, b) => emit(block, Op.And, Type.I1, [a, b]));
      branch(block, enough, then, new Target(header, params));
      return;
    }
    block.terminator = makeInst(func, block, Op.Jump, Type.Void, [], {}, position);
    block.targets = [then];
  };
  proceed(ahead, enter, new Target(probe));
  const copies = new Map<Value, Value>(header.params.map((param, i) => [param, enter[i]!]));
  const copy = (value: Value): Value => {
    const known = copies.get(value);
    if (known || value.kind === 'param' || !counted.blocks.has(value.block)) return known ?? value;
    const made = emit(probe, value.op, value.type, value.operands.map(copy), value.facts);
    copies.set(value, made);
    return made;
  };
  const first = conditions
    .map(({ value, holds }) => (holds ? copy(value) : emit(probe, Op.Not, Type.I1, [copy(value)])))
    .reduce((a, b) => emit(probe, Op.And, Type.I1, [a, b]));
  branch(probe, first, new Target(quick, enter), new Target(header, enter));
  const stop = (stops as Value[]).reduce((a, b) => emit(quick, Op.Or, Type.I32, [a, b]));
  const next = values.map((value, i) =>
    emit(quick, Op.Add, Type.I32, [value, leaves.i32(constantStep(header.params[i]!, counted) * ITERATIONS)]),
  );
  const none = emit(quick, Op.Eq, Type.I1, [stop, leaves.i32(0)]);
  branch(quick, none, new Target(more, next), new Target(header, values));
  proceed(more, nexts, new Target(quick, nexts));
  redirectEntries(func, counted, ahead);
  func.blocks.push(ahead, probe, quick, more);
  return true;
}

/** A word that is 0 if none of four bytes ends the loop. */
function stopOf(words: ByteWords, { value, holds }: Condition, at: number): Value | undefined {
  if ((value.op === Op.Eq && holds) || (value.op === Op.Ne && !holds)) {
    const [a, b] = value.operands.map((operand) =>
      operand.type === Type.I8 ? words.word(operand, at) : undefined,
    );
    return a && b && words.emit(Op.Xor, Type.I32, [a, b]);
  }
  const word = words.word(value, at);
  return word && holds ? words.not(word) : word;
}
