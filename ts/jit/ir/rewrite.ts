// SPDX-License-Identifier: MIT
//
// Helpers of passes: replacing values, and which instructions are pure.
import { blankTable } from '../../base/table';
import { type Block, type Func, type Inst, Op, type Value } from './ir';

/** The replacements of a list's values: the same list if none is replaced. */
export function mapped(values: readonly Value[], map: (value: Value) => Value): readonly Value[] {
  const result = values.map(map);
  return result.every((value, i) => value === values[i]) ? values : result;
}

/** Replaces the operands and the jump arguments of a block. */
export function mapUses(block: Block, map: (value: Value) => Value): void {
  for (const inst of block.insts) inst.operands = mapped(inst.operands, map);
  block.terminator.operands = mapped(block.terminator.operands, map);
  for (const target of block.targets) target.arguments = mapped(target.arguments, map);
}

/** Replacements of values, by id. Collected while a pass visits the function, and applied at its end or operand by operand. */
export class Replacements {
  /** Allocated at the first replacement, with its full length: V8 stores arrays with gaps as slow hash tables. */
  private by: (Value | undefined)[] | undefined;

  constructor(private readonly func: Func) {}

  set(value: Value, replacement: Value): void {
    this.by ??= blankTable<Value>(this.func.idBound);
    this.by[value.id] = replacement;
  }

  has(value: Value): boolean {
    return this.by?.[value.id] !== undefined;
  }

  /** The current replacement of `value`. */
  get(value: Value): Value {
    const { by } = this;
    const first = by?.[value.id];
    if (!by || !first) return value;
    let result = first;
    for (let next = by[result.id]; next; next = by[result.id]) result = next;
    // Path compression: after inlining, a value may pass through a parameter of each of hundreds of blocks.
    if (result !== first) {
      let at = value;
      while (at !== result) {
        const next: Value = by[at.id]!;
        by[at.id] = result;
        at = next;
      }
    }
    return result;
  }

  operandsOf(inst: Inst): void {
    if (this.by) inst.operands = this.within(this.by, inst.operands);
  }

  private within(by: readonly (Value | undefined)[], values: readonly Value[]): readonly Value[] {
    // A loop, because this is called for each instruction after each pass.
    for (let i = 0; i < values.length; i++)
      if (by[values[i]!.id]) return values.map((value) => this.get(value));
    return values;
  }

  apply(func: Func): void {
    const { by } = this;
    if (!by) return;
    for (const block of func.blocks) {
      for (const inst of block.insts) inst.operands = this.within(by, inst.operands);
      const { terminator } = block;
      terminator.operands = this.within(by, terminator.operands);
      for (const target of block.targets) target.arguments = this.within(by, target.arguments);
    }
  }
}

/**
 * What takes the place of an instruction: the value that its users get, of instructions that the rule adds to `before`. Undefined if the instruction
 * stays, behind what was added.
 */
export type ReplacementRule = (inst: Inst, before: Inst[]) => Value | undefined;

/** Asks a rule about each instruction. Returns whether it replaced any. */
export function replaceInsts(func: Func, rule: ReplacementRule): boolean {
  const replaced = new Replacements(func);
  let changed = false;
  for (const block of func.blocks) {
    let out: Inst[] | undefined;
    // By index, because rules add constants at the end of the entry block.
    for (let i = 0; i < block.insts.length; i++) {
      const inst = block.insts[i]!;
      const before: Inst[] = [];
      const value = rule(inst, before);
      if (value || before.length > 0) {
        out ??= block.insts.slice(0, i);
        out.push(...before);
      }
      if (value) {
        replaced.set(inst, value);
        changed = true;
      } else out?.push(inst);
    }
    if (out) block.insts = out;
  }
  if (changed) replaced.apply(func);
  return changed;
}

/**
 * Whether an operation depends only on its operands and facts, has no effect and never traps: it may be moved, repeated, shared
 * and removed.
 */
export function isPure(op: Op): boolean {
  return op <= Op.Bitcast;
}

/** Whether an instruction can be removed if its result is not used. */
export function isRemovable(inst: Inst): boolean {
  if (isPure(inst.op)) return true;
  switch (inst.op) {
    case Op.Load:
      return !inst.facts.volatile;
    case Op.Call:
    case Op.ReadClock:
    // Not synchronizing: these depend only on the lanes' values.
    case Op.SubGroupBallot:
    case Op.SubGroupElect:
      return true;
    default:
      return false;
  }
}

/** Operations on two operands that may be swapped. */
export function isCommutative(op: Op): boolean {
  switch (op) {
    case Op.Add:
    case Op.Mul:
    case Op.And:
    case Op.Or:
    case Op.Xor:
    case Op.SMin:
    case Op.SMax:
    case Op.UMin:
    case Op.UMax:
    case Op.SAddSat:
    case Op.UAddSat:
    case Op.SMulHi:
    case Op.UMulHi:
    case Op.SMulWide:
    case Op.UMulWide:
    case Op.SAvgR:
    case Op.UAvgR:
    case Op.FAdd:
    case Op.FMul:
    case Op.Eq:
    case Op.Ne:
    case Op.FEq:
    case Op.FNe:
    case Op.FUnordered:
      return true;
    default:
      return false;
  }
}

/** The functions that a function reaches by calls, each once. */
export function calleesOf(func: Func): Set<Func> {
  const found = new Set<Func>();
  const visit = (caller: Func) => {
    for (const block of caller.blocks)
      for (const { op, facts } of block.insts)
        if (op === Op.Call && facts.callee && !found.has(facts.callee)) {
          found.add(facts.callee);
          visit(facts.callee);
        }
  };
  visit(func);
  return found;
}
