// SPDX-License-Identifier: MIT
//
// Undefined values: those computed from memory that was never written. Such a value may be copied and used in arithmetic, but must
// not determine a branch, an address or an element of global memory. Each value that may be undefined gets a flag (I32), which is passed
// along with it through arithmetic, selects and block parameters: 0, or the number of an origin (base/checks.ts).
import { addParam } from '../ir/build';
import { type Block, type BlockParam, type Func, type Inst, Op, Type, type Value } from '../ir/ir';
import { isPure } from '../ir/rewrite';
import type { Inserter } from './inserter';

export class UndefinedValues {
  /** Values that may be undefined. */
  private readonly suspects = new Set<Value>();
  private readonly flags = new Map<Value, Value>();
  private readonly flagParams = new Map<Block, BlockParam[]>();

  /**
   * `isRead`: whether a load may read memory that was never written. `isObservable`: whether others see what a store writes, so
   * that an undefined value is a fault.
   */
  constructor(
    private readonly func: Func,
    isRead: (load: Inst) => boolean,
    isObservable: (store: Inst) => boolean,
    /** The origin of a value that is always undefined. */
    private readonly originOf: (undef: Inst) => number,
  ) {
    const carried = carriedValues(func, isObservable);
    for (const block of func.blocks)
      for (const inst of block.insts)
        if (inst.op === Op.Undef || (inst.op === Op.Load && carried.has(inst) && isRead(inst)))
          this.suspects.add(inst);
    if (this.suspects.size > 0) this.spread();
  }

  private spread(): void {
    const { suspects } = this;
    const { blocks } = this.func;
    for (let before = -1; before !== suspects.size; ) {
      before = suspects.size;
      for (const { insts, targets } of blocks) {
        for (const inst of insts)
          if (isPure(inst.op) && inst.operands.some((operand) => suspects.has(operand))) suspects.add(inst);
        for (const target of targets)
          target.arguments.forEach((arg, at) => {
            if (suspects.has(arg)) suspects.add(target.block.params[at]!);
          });
      }
    }
  }

  /** Whether a value has a flag to test. */
  has(value: Value): boolean {
    return this.suspects.has(value);
  }

  flagOf(value: Value): Value | undefined {
    return this.flags.get(value);
  }

  /** Call it before any block is rewritten. */
  addParams(into: Inserter): void {
    for (const block of this.func.blocks) {
      const own = block.params.filter((param) => this.suspects.has(param));
      this.flagParams.set(block, own);
      for (const param of own) this.flags.set(param, addParam(this.func, block, Type.I32));
    }
    for (const inst of this.func.entry.insts)
      if (inst.op === Op.Undef) this.flags.set(inst, into.i32(this.originOf(inst)));
  }

  /** Computes the flag of an instruction that was just passed on; `ofLoad`: its flag if it is a load. */
  follow(inst: Inst, into: Inserter, ofLoad?: Value): void {
    if (!this.suspects.has(inst) || this.flags.has(inst)) return;
    this.flags.set(inst, ofLoad ?? this.combined(inst, into));
  }

  private combined({ op, operands }: Inst, into: Inserter): Value {
    const flag = (value: Value) => this.flags.get(value) ?? into.i32(0);
    if (op === Op.Select) {
      const [condition, then, otherwise] = operands as [Value, Value, Value];
      const chosen = into.emit(Op.Select, Type.I32, [condition, flag(then), flag(otherwise)]);
      return this.has(condition) ? into.emit(Op.UMax, Type.I32, [chosen, flag(condition)]) : chosen;
    }
    const known = operands.filter((operand) => this.has(operand)).map(flag);
    return known.reduce((a, b) => (a === b ? a : into.emit(Op.UMax, Type.I32, [a, b])));
  }

  /** Passes the flags along the edges. Call it after all blocks are rewritten. */
  passArguments(into: Inserter): void {
    for (const { targets } of this.func.blocks)
      for (const target of targets) {
        const flagged = this.flagParams.get(target.block) ?? [];
        if (flagged.length === 0) continue;
        const { params } = target.block;
        const flags = flagged.map((param) => {
          const arg = target.arguments[params.indexOf(param)]!;
          return this.flags.get(arg) ?? into.i32(0);
        });
        target.arguments = [...target.arguments, ...flags];
      }
  }
}

/** Loaded values that are copied to other memory or to a block parameter, or chosen: only their later use may be a fault. */
function carriedValues(func: Func, isObservable: (store: Inst) => boolean): Set<Value> {
  const carried = new Set<Value>();
  for (const { insts, targets } of func.blocks) {
    for (const inst of insts) {
      const { op, operands } = inst;
      if (op === Op.Load && inst.facts.isCopied) carried.add(inst);
      else if (op === Op.Store && !isObservable(inst)) carried.add(operands[1]!);
      else if (op === Op.Select || op === Op.Bitcast) for (const operand of operands) carried.add(operand);
    }
    for (const target of targets) for (const arg of target.arguments) carried.add(arg);
  }
  return carried;
}
