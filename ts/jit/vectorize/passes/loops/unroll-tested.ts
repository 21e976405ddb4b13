// SPDX-License-Identifier: MIT
//
// Unrolls loops by four in code for one work-item at a time, if they read consecutive elements. Each copy follows the loop's
// test:
//
//     while (c(k)) { body(k); k++ }     becomes     while (c(k)) { body(k); if (!c(k + 1)) break; body(k + 1); … k += 4 }
//
// V8 unrolls such loops itself, but computes each address in each iteration. Here loop-carried pointers advance by four elements,
// and loads have constant offsets from them. The trip count differs from work-item to work-item, so the processor mispredicts the
// end of the loop: the code that it then executes should be short. A loop for the last elements would be mispredicted once more.
import { addBlock, addParam, Leaves, makeInst } from '../../../ir/build';
import { type Dominators, dominatorsOf, type Loop, reversePostorder } from '../../../ir/cfg';
import { type Block, type Func, Inst, Op, Target, Type, type Value } from '../../../ir/ir';
import { isPure, mapUses } from '../../../ir/rewrite';
import { bytesOf } from '../../../ir/types';
import { removeDeadCode } from '../../../passes/dead-code';
import { type CountedLoop, constantStep } from './constant-steps';

const COPIES = 4;
/** The most instructions of the header, and of the body. */
const MOST_TESTED = 4;
const MOST_INSTRUCTIONS = 20;
/** The most pointers that a loop carries; each takes a register. */
const MOST_POINTERS = 4;

/** Returns whether it changed the function, which invalidates the analyses. */
export function unrollTested(func: Func): boolean {
  const dominators = dominatorsOf(func);
  let changed = false;
  for (const loop of dominators.loops) {
    const tested = testedLoop(loop, dominators, func.entry);
    if (!tested || streamsOf(tested).length === 0) continue;
    new Unroller(func, tested).run();
    changed = true;
  }
  if (changed) {
    func.blocks = reversePostorder(func);
    removeDeadCode(func);
  }
  return changed;
}

/** A loop of two blocks: a test and a body. */
interface TestedLoop extends CountedLoop {
  readonly body: Block;
  /** The only edge into the loop, and the block it comes from. */
  readonly entry: Target;
  readonly front: Block;
  readonly inside: Target;
  readonly outside: Target;
}

function testedLoop(
  { header, blocks, latches }: Loop,
  { preds }: Dominators,
  prologue: Block,
): TestedLoop | undefined {
  const [body] = latches as [Block];
  const { terminator, targets } = header;
  if (blocks.size !== 2 || latches.length !== 1 || body === header) return undefined;
  if (terminator.op !== Op.Branch || terminator.facts.unroll === 1 || body.terminator.op !== Op.Jump)
    return undefined;
  if (header.insts.length > MOST_TESTED || body.insts.length > MOST_INSTRUCTIONS) return undefined;
  if (!header.insts.every((inst) => isPure(inst.op)) || !body.insts.every(isRepeatable)) return undefined;
  const [inside] = targets.filter((t) => t.block === body);
  const [outside] = targets.filter((t) => t.block !== body);
  const before = preds.get(header)!.filter((b) => !blocks.has(b));
  if (!inside || !outside || before.length !== 1 || before[0] === prologue) return undefined;
  const [front] = before as [Block];
  const entries = front.targets.filter((t) => t.block === header);
  if (entries.length !== 1) return undefined;
  const again = body.targets[0]!.arguments;
  return { header, blocks, body, again, front, entry: entries[0]!, inside, outside };
}

function isRepeatable(inst: Inst): boolean {
  if (inst.op !== Op.Load && inst.op !== Op.Store) return isPure(inst.op);
  return !inst.facts.volatile && inst.facts.space !== 'private' && inst.facts.space !== 'generic';
}

function isAccess(inst: Inst): boolean {
  return inst.op === Op.Load || inst.op === Op.Store;
}

/** Addresses of loads of consecutive elements. */
function streamsOf(loop: TestedLoop): Value[] {
  const loads = loop.body.insts.filter((i) => i.op === Op.Load && i.operands[0]!.block === loop.body);
  return loads.map((i) => i.operands[0]!).filter((a, i) => constantStep(a, loop) === bytesOf(loads[i]!.type));
}

/** A loop-carried pointer that replaces an address. */
interface Pointer {
  readonly pointer: Value;
  readonly step: number;
}

/** Gives a copy of an access a constant offset from the pointer. */
function point(
  inst: Inst,
  { operands, facts }: Inst,
  pointers: ReadonlyMap<Value, Pointer>,
  copy: number,
): void {
  const along = isAccess(inst) ? pointers.get(operands[0]!) : undefined;
  if (!along) return;
  inst.facts = { ...inst.facts, offset: (facts.offset ?? 0) + copy * along.step };
  inst.operands = inst.operands.with(0, along.pointer);
}

class Unroller {
  private readonly leaves: Leaves;
  private readonly firsts = new Map<Value, Value>();

  constructor(
    private readonly func: Func,
    private readonly loop: TestedLoop,
  ) {
    this.leaves = new Leaves(func);
  }

  run(): void {
    const { func, loop } = this;
    const { header, body, inside } = loop;
    const exit = this.separateExit();
    const steps = header.params.map((p) => constantStep(p, loop));
    const pointers = this.carryPointers();
    for (const { step } of pointers.values()) steps.push(step);
    /** The values of the header's parameters in a copy, from the copy before. */
    const turn = (block: Block, copy: number) =>
      header.params.map((param, i) =>
        steps[i]! > 0 ? this.plus(block, param, copy * steps[i]!) : map(loop.again[i]!),
      );
    let mapped = new Map<Value, Value>();
    const map = (v: Value) => mapped.get(v) ?? v;
    let last = body;
    for (let copy = 1; copy < COPIES; copy++) {
      const test = addBlock(func);
      const next = addBlock(func);
      const values = turn(test, copy);
      mapped = new Map(header.params.map((param, i) => [param, values[i]!]));
      this.copyInto(test, header, mapped);
      for (const [i, param] of body.params.entries()) mapped.set(param, map(inside.arguments[i]!));
      this.copyInto(next, body, mapped);
      for (const [i, inst] of body.insts.entries()) point(next.insts[i]!, inst, pointers, copy);
      const { operands, facts, position } = header.terminator;
      test.terminator = makeInst(func, test, Op.Branch, Type.Void, operands.map(map), facts, position);
      test.targets = header.targets.map((t) =>
        t === inside ? new Target(next) : new Target(exit, t.arguments.map(map)),
      );
      next.terminator = makeInst(func, next, Op.Jump, Type.Void, []);
      last.targets = [new Target(test)];
      last = next;
    }
    for (const inst of body.insts) point(inst, inst, pointers, 0);
    last.targets = [new Target(header, turn(last, COPIES))];
  }

  /** A block through which all copies leave, with the loop's live-outs as parameters. */
  private separateExit(): Block {
    const { func, loop } = this;
    const { header, outside } = loop;
    const exit = addBlock(func);
    const values: Value[] = [...header.params, ...header.insts];
    const afterLoop = new Map(values.map((v) => [v, addParam(func, exit, v.type) as Value]));
    const see = (v: Value) => afterLoop.get(v) ?? v;
    for (const block of func.blocks) {
      if (loop.blocks.has(block)) continue;
      if (block !== exit) mapUses(block, see);
    }
    exit.terminator = makeInst(func, exit, Op.Jump, Type.Void, []);
    exit.targets = [new Target(outside.block, outside.arguments.map(see))];
    outside.block = exit;
    outside.arguments = values;
    return exit;
  }

  /** Adds header parameters for addresses of the body that have a constant step. */
  private carryPointers(): Map<Value, Pointer> {
    const { func, loop } = this;
    const pointers = new Map<Value, Pointer>();
    for (const inst of loop.body.insts) {
      if (!isAccess(inst) || pointers.size >= MOST_POINTERS) continue;
      const [address] = inst.operands as [Value];
      const step = constantStep(address, loop);
      if (!(step > 0) || !loop.blocks.has(address.block) || pointers.has(address)) continue;
      const initial = this.first(address);
      pointers.set(address, { pointer: addParam(func, loop.header, Type.I32), step });
      loop.entry.arguments = [...loop.entry.arguments, initial];
    }
    return pointers;
  }

  /** A value of the loop in the first iteration. */
  private first(v: Value): Value {
    const { loop, func } = this;
    if (!loop.blocks.has(v.block)) return v;
    if (v.kind === 'param') return loop.entry.arguments[v.block.params.indexOf(v)]!;
    let made = this.firsts.get(v);
    if (!made) {
      const operands = v.operands.map((o) => this.first(o));
      made = makeInst(func, loop.front, v.op, v.type, operands, v.facts);
      loop.front.insts.push(made as Inst);
      this.firsts.set(v, made);
    }
    return made;
  }

  private plus(block: Block, value: Value, by: number): Inst {
    const sum = makeInst(this.func, block, Op.Add, Type.I32, [value, this.leaves.i32(by)]);
    block.insts.push(sum);
    return sum;
  }

  private copyInto(block: Block, from: Block, mapped: Map<Value, Value>): void {
    for (const inst of from.insts) {
      const operands = inst.operands.map((v) => mapped.get(v) ?? v);
      const made = new Inst(this.func.freshId(), inst.op, inst.type, operands, inst.facts);
      made.block = block;
      if (inst.position) made.position = inst.position;
      block.insts.push(made);
      mapped.set(inst, made);
    }
  }
}
