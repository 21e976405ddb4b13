// SPDX-License-Identifier: MIT
//
// Strength reduction of addresses: an addend of an address that grows by the same amount in each iteration, such as `k * n << 2`,
// becomes a loop-carried value with an addition. Integers wrap, so both are the same number.
import { addParam, constantOf, isZero, Leaves, makeInst } from '../../../ir/build';
import { dominatorsOf, type Loop } from '../../../ir/cfg';
import {
  type Block,
  type BlockParam,
  type Func,
  type Inst,
  Op,
  type Target,
  Type,
  type Value,
} from '../../../ir/ir';
import { isPure } from '../../../ir/rewrite';
import { hasBarrier } from '../memory/address-scopes';

/** The most loop-carried values that are added to a loop; each takes a scalar register. */
const MOST_STEPPED = 4;
const DEEPEST = 6;

export function reduceStrength(func: Func): boolean {
  let changed = false;
  const dominators = dominatorsOf(func);
  const { loops } = dominators;
  const outer = new Set(loops.map((loop) => loop.parent));
  for (const loop of loops) {
    if (outer.has(loop) || loop.latches.length !== 1 || hasBarrier(loop)) continue;
    const outside = dominators.preds.get(loop.header)!.filter((b) => !loop.blocks.has(b));
    if (outside.length !== 1 || outside[0] === func.entry) continue;
    const entries = outside[0]!.targets.filter((t) => t.block === loop.header);
    const again = loop.latches[0]!.targets.filter((t) => t.block === loop.header);
    if (entries.length !== 1 || again.length !== 1) continue;
    if (new Stepper(func, loop, outside[0]!, entries[0]!, again[0]!).run()) changed = true;
  }
  return changed;
}

class Stepper {
  private readonly leaves: Leaves;
  private readonly steps = new Map<Value, Value | undefined>();
  private readonly firsts = new Map<Value, Value>();
  /** Whether any value was made before the loop, even if nothing uses it. */
  private hasMade = false;

  constructor(
    private readonly func: Func,
    private readonly loop: Loop,
    private readonly front: Block,
    /** The edges with the initial arguments of the header's parameters, and with those of the back edge. */
    private readonly initial: Target,
    private readonly next: Target,
  ) {
    this.leaves = new Leaves(func);
  }

  run(): boolean {
    const stepped = new Map<Value, BlockParam>();
    for (const block of this.loop.blocks)
      for (const inst of block.insts) {
        if ((inst.op !== Op.Load && inst.op !== Op.Store) || inst.facts.space === 'private') continue;
        for (const part of this.movingParts(inst.operands[0]!)) {
          if (stepped.has(part) || stepped.size >= MOST_STEPPED || !this.pays(part)) continue;
          const step = this.stepOf(part, DEEPEST);
          if (!step) continue;
          stepped.set(part, this.carry(part, step));
        }
      }
    if (stepped.size === 0) return this.hasMade;
    for (const block of this.loop.blocks)
      for (const inst of block.insts) inst.operands = inst.operands.map((o) => stepped.get(o) ?? o);
    return true;
  }

  private isInside(v: Value): boolean {
    return this.loop.blocks.has(v.block);
  }

  /** The address itself, or the varying addends of a sum with an invariant. */
  private movingParts(address: Value): Value[] {
    if (address.kind !== 'inst' || !this.isInside(address)) return [];
    if (address.op !== Op.Add) return [address];
    const [a, b] = address.operands as [Value, Value];
    if (!this.isInside(a)) return [b];
    return this.isInside(b) ? [address] : [a];
  }

  /** Whether this saves more than the processor's addressing modes do for free. */
  private pays(part: Value): boolean {
    if (part.kind !== 'inst' || !this.isInside(part)) return false;
    const by = part.op === Op.Shl ? constantOf(part.operands[1]!) : undefined;
    const scaled = by !== undefined && Number(by) <= 3 && part.operands[0]!.kind === 'param';
    return !scaled;
  }

  /** The step per iteration, computed before the loop; undefined if it varies or is unknown. */
  private stepOf(v: Value, depth: number): Value | undefined {
    if (this.steps.has(v)) return this.steps.get(v);
    const step = this.findStep(v, depth);
    this.steps.set(v, step);
    return step;
  }

  private findStep(v: Value, depth: number): Value | undefined {
    if ((v.type !== Type.I32 && v.type !== Type.I64) || depth === 0) return undefined;
    if (!this.isInside(v)) return this.leaves.constant(v.type, 0);
    if (v.kind === 'param') {
      const at = v.block === this.loop.header ? v.block.params.indexOf(v) : -1;
      const next = at < 0 ? undefined : this.next.arguments[at]!;
      if (next?.kind !== 'inst' || next.op !== Op.Add) return undefined;
      const [a, b] = next.operands as [Value, Value];
      const by = a === v ? b : b === v ? a : undefined;
      return by && !this.isInside(by) ? by : undefined;
    }
    if (!isPure(v.op) || v.operands.length !== 2) return undefined;
    const [x, y] = v.operands as [Value, Value];
    const a = this.stepOf(x, depth - 1);
    const b = this.stepOf(y, depth - 1);
    if (!a || !b) return undefined;
    switch (v.op) {
      case Op.Add:
        return isZero(a) ? b : isZero(b) ? a : this.inFront(Op.Add, a, b);
      case Op.Sub:
        return isZero(b) ? a : this.inFront(Op.Sub, a, b);
      case Op.Shl:
        return isZero(b) ? this.inFront(Op.Shl, a, y) : undefined;
      case Op.Mul:
        return isZero(b) ? this.inFront(Op.Mul, a, y) : isZero(a) ? this.inFront(Op.Mul, b, x) : undefined;
      default:
        return undefined;
    }
  }

  /** A value of the loop in its first iteration. */
  private first(v: Value): Value {
    if (!this.isInside(v)) return v;
    if (v.kind === 'param') return this.initial.arguments[v.block.params.indexOf(v)]!;
    let made = this.firsts.get(v);
    if (!made) {
      made = this.inFront(v.op, this.first(v.operands[0]!), this.first(v.operands[1]!));
      this.firsts.set(v, made);
    }
    return made;
  }

  private inFront(op: Op, a: Value, b: Value): Value {
    const inst = makeInst(this.func, this.front, op, a.type, [a, b]);
    this.front.insts.push(inst);
    this.hasMade = true;
    return inst;
  }

  private carry(part: Value, step: Value): BlockParam {
    const { func, loop } = this;
    const latch = loop.latches[0]!;
    const initial = this.first(part);
    const param = addParam(func, loop.header, part.type);
    const next: Inst = makeInst(func, latch, Op.Add, part.type, [param, step]);
    latch.insts.push(next);
    this.initial.arguments = [...this.initial.arguments, initial];
    this.next.arguments = [...this.next.arguments, next];
    return param;
  }
}
