// SPDX-License-Identifier: MIT
//
// Loops that clear the lowest bit until there is none, `while (x) { x &= x - 1; n++; }`, count bits: n += popcount(x).
import { constantOf, Leaves, makeInst } from '../ir/build';
import { dominatorsOf, type Loop } from '../ir/cfg';
import { type BlockParam, type Func, type Inst, Op, Type, type Value } from '../ir/ir';
import { mapUses } from '../ir/rewrite';
import { bitsOf } from '../ir/types';
import { isOneLess } from './simplify-counts';

interface CountingLoop {
  readonly loop: Loop;
  readonly number: BlockParam;
  /** By each other parameter of the header, what an iteration adds to it. */
  readonly counters: ReadonlyMap<BlockParam, Value>;
}

/** Returns whether it changed the function. */
export function countBits(func: Func): boolean {
  const found = dominatorsOf(func).loops.flatMap((loop) => countingLoopOf(loop) ?? []);
  if (found.length === 0) return false;
  const leaves = new Leaves(func);
  for (const each of found) replace(func, leaves, each);
  return true;
}

/** A header that only tests whether the number is 0, and a body that only clears a bit and counts. */
function countingLoopOf(loop: Loop): CountingLoop | undefined {
  const { header, blocks, latches } = loop;
  const [body] = latches;
  const [test] = header.insts;
  if (latches.length !== 1 || blocks.size !== 2 || !body || body === header || body.params.length > 0)
    return undefined;
  const { terminator, targets } = header;
  if (terminator.op !== Op.Branch || header.insts.length !== 1 || terminator.operands[0] !== test)
    return undefined;
  if ((test?.op !== Op.Ne && test?.op !== Op.Eq) || targets[test.op === Op.Ne ? 0 : 1]!.block !== body)
    return undefined;
  const [number, zero] = test.operands as [Value, Value];
  if (number.kind !== 'param' || number.block !== header || Number(constantOf(zero) ?? 1) !== 0)
    return undefined;
  if (body.terminator.op !== Op.Jump || body.targets[0]!.block !== header) return undefined;
  const next = body.targets[0]!.arguments;
  const inLoop = new Set<Value>(body.insts);
  const cleared = next[header.params.indexOf(number)]!;
  const used = new Set<Value>([cleared]);
  if (!inLoop.has(cleared) || !clearsLowest(cleared as Inst, number, used)) return undefined;
  const counters = new Map<BlockParam, Value>();
  for (const [i, param] of header.params.entries()) {
    const sum = next[i]!;
    if (param === number || sum === param) continue;
    if (!inLoop.has(sum) || sum.kind !== 'inst' || sum.op !== Op.Add || sum.operands[0] !== param)
      return undefined;
    if (constantOf(sum.operands[1]!) === undefined) return undefined;
    used.add(sum);
    counters.set(param, sum.operands[1]!);
  }
  return body.insts.every((inst) => used.has(inst)) ? { loop, number, counters } : undefined;
}

/** Whether a value is x & (x - 1); adds the difference to what is used. */
function clearsLowest(value: Inst, x: Value, used: Set<Value>): boolean {
  if (value.op !== Op.And) return false;
  const less = value.operands[value.operands[0] === x ? 1 : 0]!;
  if (!value.operands.includes(x) || !isOneLess(less, x)) return false;
  used.add(less);
  return true;
}

/** The header becomes what follows the loop. */
function replace(
  func: Func,
  leaves: Leaves,
  { loop: { header, latches }, number, counters }: CountingLoop,
): void {
  const { position } = header.terminator;
  const out = header.targets.find(({ block }) => block !== latches[0])!;
  const made: Inst[] = [];
  const make = (op: Op, type: Type, operands: readonly Value[]): Inst => {
    const inst = makeInst(func, header, op, type, operands, {}, position);
    made.push(inst);
    return inst;
  };
  const results = new Map<Value, Value>([
    [number, leaves.constant(number.type, number.type === Type.I64 ? 0n : 0)],
  ]);
  const count = make(Op.PopCount, number.type, [number]);
  for (const [counter, step] of counters) {
    const { type } = counter;
    const [from, to] = [bitsOf(number.type), bitsOf(type)];
    const bits = from === to ? count : make(from < to ? Op.ZExt : Op.Trunc, type, [count]);
    const isOne = Number(constantOf(step)) === 1;
    results.set(counter, make(Op.Add, type, [counter, isOne ? bits : make(Op.Mul, type, [bits, step])]));
  }
  header.terminator.op = Op.Jump;
  header.terminator.operands = [];
  header.targets = [out];
  func.blocks = func.blocks.filter((block) => block !== latches[0]);
  header.insts = [];
  for (const block of func.blocks) mapUses(block, (value) => results.get(value) ?? value);
  header.insts = made;
}
