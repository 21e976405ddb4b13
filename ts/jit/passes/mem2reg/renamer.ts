// SPDX-License-Identifier: MIT
//
// Replaces accesses to segments by values: block parameters at iterated dominance frontiers, and a walk of the dominator tree.

import { blankTable } from '../../../base/table';
import { type Leaves, makeInst } from '../../ir/build';
import { type Dominators, dominatorsOf } from '../../ir/cfg';
import {
  type Block,
  BlockParam,
  type Func,
  type Inst,
  type InstFacts,
  Op,
  Type,
  type Value,
} from '../../ir/ir';
import { Replacements } from '../../ir/rewrite';
import { bitsOf, bytesOf, integerLike, integerOfBits, isFloat } from '../../ir/types';
import { type Allocation, promoted, type Root, type Segment } from './allocations';

/** Inserts block parameters at the dominance frontiers, and walks the dominator tree with the current values. */
export class Renamer {
  private readonly dominators: Dominators;
  private readonly current: (Value | undefined)[];
  private readonly replaced: Replacements;
  private readonly types: Type[] = [];
  private readonly undefinedFacts: InstFacts[] = [];
  /** By block: the variables of its new parameters. */
  private readonly phis = new Map<Block, { variable: number; param: BlockParam }[]>();

  constructor(
    private readonly func: Func,
    private readonly roots: (Root | undefined)[],
    allocations: readonly Allocation[],
    private readonly variables: number,
    private readonly leaves: Leaves,
    named = false,
  ) {
    this.dominators = dominatorsOf(func);
    this.replaced = new Replacements(func);
    this.current = blankTable<Value>(variables);
    for (const a of allocations)
      for (const s of a.segments) {
        this.types[s.variable] = s.type;
        this.undefinedFacts[s.variable] = named ? { index: a.inst.id } : {};
      }
  }

  run(): void {
    this.func.blocks = [...this.dominators.order];
    this.placeParams();
    const undo: { variable: number; value: Value | undefined }[] = [];
    const stack: { block: Block; next: number; mark: number }[] = [];
    const enter = (block: Block) => {
      stack.push({ block, next: 0, mark: undo.length });
      const set = (variable: number, value: Value) => {
        undo.push({ variable, value: this.current[variable] });
        this.current[variable] = value;
      };
      for (const { variable, param } of this.phis.get(block) ?? []) set(variable, param);
      this.block(block, set);
    };
    enter(this.func.entry);
    while (stack.length > 0) {
      const top = stack[stack.length - 1]!;
      const child = this.dominators.childrenOf(top.block)[top.next++];
      if (child) enter(child);
      else {
        while (undo.length > top.mark) {
          const { variable, value } = undo.pop()!;
          this.current[variable] = value;
        }
        stack.pop();
      }
    }
    this.replaced.apply(this.func);
  }

  private segments(inst: Inst): { segment: Segment; at: number }[] | undefined {
    if (inst.op !== Op.Load && inst.op !== Op.Store) return undefined;
    const root = promoted(this.roots[inst.operands[0]!.id]);
    if (!root) return undefined;
    const type = inst.op === Op.Load ? inst.type : inst.operands[1]!.type;
    const start = root.offset + (inst.facts.offset ?? 0);
    const end = start + bytesOf(type);
    const result: { segment: Segment; at: number }[] = [];
    const { segments } = root.allocation;
    for (let i = root.allocation.segmentAt(start); i < segments.length && segments[i]!.offset < end; i++)
      result.push({ segment: segments[i]!, at: segments[i]!.offset - start });
    return result;
  }

  /** Iterated dominance frontiers, only where the variable is live. */
  private placeParams(): void {
    const { dominators, variables } = this;
    const { order } = dominators;
    const stores: Block[][] = Array.from({ length: variables }, () => []);
    const reads: Block[][] = Array.from({ length: variables }, () => []);
    const stamp = new Int32Array(variables).fill(-1);
    const readStamp = new Int32Array(variables).fill(-1);
    order.forEach((block, at) => {
      for (const inst of block.insts)
        for (const { segment } of this.segments(inst) ?? []) {
          const v = segment.variable;
          if (inst.op === Op.Load) {
            if (stamp[v] !== at && readStamp[v] !== at) {
              readStamp[v] = at;
              reads[v]!.push(block);
            }
          } else if (stamp[v] !== at) {
            stamp[v] = at;
            stores[v]!.push(block);
          }
        }
    });
    const frontiers = this.frontiers();
    const live = new Int32Array(order.length).fill(-1);
    const defined = new Int32Array(order.length).fill(-1);
    const placed = new Int32Array(order.length).fill(-1);
    for (let v = 0; v < variables; v++) {
      if (reads[v]!.length === 0 || stores[v]!.length === 0) continue;
      for (const block of stores[v]!) defined[dominators.index.get(block)!] = v;
      const work = reads[v]!.map((block) => dominators.index.get(block)!);
      for (const at of work) live[at] = v;
      while (work.length > 0)
        for (const pred of dominators.preds.get(order[work.pop()!]!)!) {
          const at = dominators.index.get(pred)!;
          if (live[at] === v || defined[at] === v) continue;
          live[at] = v;
          work.push(at);
        }
      const spread = stores[v]!.map((block) => dominators.index.get(block)!);
      while (spread.length > 0)
        for (const at of frontiers[spread.pop()!]!) {
          if (placed[at] === v || live[at] !== v) continue;
          placed[at] = v;
          this.addPhi(order[at]!, v);
          spread.push(at);
        }
    }
  }

  private frontiers(): number[][] {
    const { dominators } = this;
    const { order, index, preds } = dominators;
    const result: number[][] = order.map(() => []);
    order.forEach((block, at) => {
      const list = preds.get(block)!;
      if (list.length < 2) return;
      const idom = dominators.idomOf(block);
      for (const pred of list)
        for (
          let runner: Block | undefined = pred;
          runner && runner !== idom;
          runner = dominators.idomOf(runner)
        ) {
          const frontier = result[index.get(runner)!]!;
          if (frontier[frontier.length - 1] !== at) frontier.push(at);
        }
    });
    return result;
  }

  private addPhi(block: Block, variable: number): void {
    const param = new BlockParam(this.func.freshId(), this.types[variable]!);
    param.block = block;
    const list = this.phis.get(block);
    if (list) list.push({ variable, param });
    else this.phis.set(block, [{ variable, param }]);
    block.params.push(param);
  }

  private block(block: Block, set: (variable: number, value: Value) => void): void {
    let insts: Inst[] | undefined;
    block.insts.forEach((inst, at) => {
      const parts = this.segments(inst);
      if (inst.op === Op.Add && promoted(this.roots[inst.id])) {
        insts ??= block.insts.slice(0, at);
        return;
      }
      if (!parts) {
        insts?.push(inst);
        return;
      }
      insts ??= block.insts.slice(0, at);
      const out = insts;
      const emit = (op: Op, type: Type, operands: Value[]): Value => {
        const made = makeInst(this.func, block, op, type, operands, {}, inst.position);
        out.push(made);
        return made;
      };
      if (inst.op === Op.Load) this.replaced.set(inst, this.read(parts, inst.type, emit));
      else this.write(parts, this.replaced.get(inst.operands[1]!), emit, set);
    });
    if (insts) block.insts = insts;
    for (const target of block.targets) {
      const added = this.phis.get(target.block);
      if (!added) continue;
      const values = added.map(({ variable }) => this.value(variable));
      target.arguments = [...target.arguments, ...values];
    }
  }

  private value(variable: number): Value {
    return (
      this.current[variable] ??
      this.leaves.leaf(Op.Undef, this.types[variable]!, this.undefinedFacts[variable])
    );
  }

  private read(
    parts: readonly { segment: Segment; at: number }[],
    type: Type,
    emit: (op: Op, type: Type, operands: Value[]) => Value,
  ): Value {
    const cast = (value: Value, to: Type) => (value.type === to ? value : emit(Op.Bitcast, to, [value]));
    if (parts.length === 1) return cast(this.value(parts[0]!.segment.variable), type);
    const integer = integerLike(type);
    let whole: Value | undefined;
    for (const { segment, at } of parts) {
      const piece = emit(Op.ZExt, integer, [cast(this.value(segment.variable), integerLike(segment.type))]);
      const moved = at === 0 ? piece : emit(Op.Shl, integer, [piece, this.shift(integer, at * 8)]);
      whole = whole ? emit(Op.Or, integer, [whole, moved]) : moved;
    }
    return cast(whole!, type);
  }

  private write(
    parts: readonly { segment: Segment; at: number }[],
    value: Value,
    emit: (op: Op, type: Type, operands: Value[]) => Value,
    set: (variable: number, value: Value) => void,
  ): void {
    const cast = (v: Value, to: Type) => (v.type === to ? v : emit(Op.Bitcast, to, [v]));
    if (parts.length === 1) {
      set(parts[0]!.segment.variable, cast(value, parts[0]!.segment.type));
      return;
    }
    const raw = isFloat(value.type) ? cast(value, integerLike(value.type)) : value;
    for (const { segment, at } of parts) {
      const moved = at === 0 ? raw : emit(Op.LShr, raw.type, [raw, this.shift(raw.type, at * 8)]);
      set(
        segment.variable,
        cast(emit(Op.Trunc, integerOfBits(bitsOf(segment.type))!, [moved]), segment.type),
      );
    }
  }

  private shift(type: Type, by: number): Value {
    return this.leaves.constant(type, type === Type.I64 ? BigInt(by) : by);
  }
}
