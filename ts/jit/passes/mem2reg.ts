// SPDX-License-Identifier: MIT
//
// Promotes private memory to values: scalar replacement of aggregates and mem2reg in one pass. An allocation that is only read
// and written at constant offsets is cut into segments at the boundaries of all accesses to it; each segment becomes an SSA
// variable. Accesses to several segments or of another type (unions, copies by words) are composed from bits.
import { constantOf, Leaves, makeInst } from '../ir/build';
import { type Dominators, dominatorsOf } from '../ir/cfg';
import { type Block, BlockParam, type Func, type Inst, type InstFacts, Op, Type, type Value } from '../ir/ir';
import { Replacements } from '../ir/rewrite';
import { bitsOf, bytesOf, integerLike, integerOfBits, isFloat } from '../ir/types';

/** An allocation of more segments stays in memory. */
const MAX_SEGMENTS = 512;

interface Segment {
  readonly offset: number;
  readonly size: number;
  type: Type;
  /** Number among all variables. */
  variable: number;
}

class Allocation {
  /** Boundaries of accesses, as offsets. */
  readonly cuts = new Set<number>();
  readonly accesses: { offset: number; size: number; type: Type }[] = [];
  escapes = false;
  segments: Segment[] = [];

  constructor(
    readonly inst: Inst,
    readonly size: number,
  ) {}

  cut(offset: number, size: number): void {
    if (offset < 0 || offset + size > this.size) this.escapes = true;
    this.cuts.add(offset);
    this.cuts.add(offset + size);
  }

  /** Index of the segment that starts at `offset`. */
  segmentAt(offset: number): number {
    let low = 0;
    let high = this.segments.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.segments[middle]!.offset < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

interface Root {
  readonly allocation: Allocation;
  readonly offset: number;
}

export function mem2reg(func: Func): boolean {
  const roots = new Array<Root | undefined>(func.idBound).fill(undefined);
  const allocations = collect(func, roots);
  const copies = checkCopies(func, roots);
  let variables = 0;
  const chosen: Allocation[] = [];
  for (const a of allocations) {
    if (a.escapes) continue;
    makeSegments(a);
    if (a.escapes) continue;
    for (const segment of a.segments) segment.variable = variables++;
    chosen.push(a);
  }
  if (chosen.length === 0) return false;
  const leaves = new Leaves(func);
  if (copies) expandCopies(func, roots);
  new Renamer(func, roots, chosen, variables, leaves).run();
  const gone = new Set(chosen.map((a) => a.inst));
  func.entry.insts = func.entry.insts.filter((inst) => !gone.has(inst));
  return true;
}

/** Finds the allocations' addresses and accesses, and the reasons for which an allocation must stay in memory. */
function collect(func: Func, roots: (Root | undefined)[]): Allocation[] {
  const allocations: Allocation[] = [];
  for (const inst of func.entry.insts)
    if (inst.op === Op.PrivateAlloca) {
      const allocation = new Allocation(inst, inst.facts.size!);
      allocations.push(allocation);
      roots[inst.id] = { allocation, offset: 0 };
    }
  if (allocations.length === 0) return allocations;
  const leak = (value: Value) => {
    const root = roots[value.id];
    if (root) root.allocation.escapes = true;
  };
  for (const block of func.blocks) {
    for (const inst of block.insts) {
      const root = inst.operands.length > 0 ? roots[inst.operands[0]!.id] : undefined;
      switch (inst.op) {
        case Op.Add: {
          const by = constantOf(inst.operands[1]!);
          if (root && by !== undefined)
            roots[inst.id] = { allocation: root.allocation, offset: root.offset + Number(by) };
          else for (const operand of inst.operands) leak(operand);
          break;
        }
        case Op.Load:
          if (root) access(root, inst.facts, inst.type);
          break;
        case Op.Store:
          leak(inst.operands[1]!);
          if (root) access(root, inst.facts, inst.operands[1]!.type);
          break;
        case Op.Copy:
          for (const operand of inst.operands) {
            const r = roots[operand.id];
            if (r) r.allocation.cut(r.offset, inst.facts.size!);
          }
          break;
        default:
          for (const operand of inst.operands) leak(operand);
      }
    }
    for (const operand of block.terminator.operands) leak(operand);
    for (const target of block.targets) for (const arg of target.arguments) leak(arg);
  }
  return allocations;
}

function access(root: Root, facts: InstFacts, type: Type): void {
  const offset = root.offset + (facts.offset ?? 0);
  root.allocation.cut(offset, bytesOf(type));
  root.allocation.accesses.push({ offset, size: bytesOf(type), type });
}

/** Propagates cuts over copies between allocations until both sides have the same. Returns whether there are copies. */
function checkCopies(func: Func, roots: (Root | undefined)[]): boolean {
  const copies: { a: Root | undefined; b: Root | undefined; size: number }[] = [];
  for (const block of func.blocks)
    for (const inst of block.insts)
      if (inst.op === Op.Copy) {
        const [a, b] = inst.operands.map((v) => roots[v.id]);
        if (a || b) copies.push({ a, b, size: inst.facts.size! });
      }
  const carry = (from: Root, to: Root, size: number): boolean => {
    let added = false;
    for (const cut of from.allocation.cuts) {
      if (cut < from.offset || cut > from.offset + size) continue;
      const there = cut - from.offset + to.offset;
      if (!to.allocation.cuts.has(there)) {
        to.allocation.cuts.add(there);
        added = true;
      }
    }
    return added;
  };
  for (let again = true; again; ) {
    again = false;
    for (const { a, b, size } of copies) {
      if (!a || !b) continue;
      if (carry(a, b, size)) again = true;
      if (carry(b, a, size)) again = true;
    }
  }
  // Memory that is only copied has no type; it is split into words.
  for (const { a, b, size } of copies)
    for (const root of [a, b]) {
      if (!root || root.allocation.escapes) continue;
      const { cuts } = root.allocation;
      const inside = [...cuts]
        .filter((c) => c >= root.offset && c <= root.offset + size)
        .sort((x, y) => x - y);
      for (let i = 0; i + 1 < inside.length; i++)
        if (!isScalarSize(inside[i + 1]! - inside[i]!))
          for (let at = inside[i]! + 4 - (inside[i]! & 3); at < inside[i + 1]!; at += 4) cuts.add(at);
      const pieces = [...cuts]
        .filter((c) => c >= root.offset && c <= root.offset + size)
        .sort((x, y) => x - y);
      for (let i = 0; i + 1 < pieces.length; i++)
        if (!isScalarSize(pieces[i + 1]! - pieces[i]!)) cuts.add(pieces[i]! + (pieces[i]! & 1 ? 1 : 2));
      if (cuts.size > MAX_SEGMENTS) root.allocation.escapes = true;
    }
  for (let again = true; again; ) {
    again = false;
    for (const { a, b, size } of copies) {
      if (!a || !b) continue;
      if (carry(a, b, size)) again = true;
      if (carry(b, a, size)) again = true;
    }
  }
  return copies.length > 0;
}

const isScalarSize = (size: number) => size === 1 || size === 2 || size === 4 || size === 8;

function makeSegments(a: Allocation): void {
  const cuts = [...a.cuts].sort((x, y) => x - y);
  if (cuts.length > MAX_SEGMENTS) {
    a.escapes = true;
    return;
  }
  const types = new Map<number, Type>();
  for (const { offset, size, type } of a.accesses) types.set(offset * 16 + size, type);
  const covered = [...a.accesses];
  for (let i = 0; i + 1 < cuts.length; i++) {
    const offset = cuts[i]!;
    const size = cuts[i + 1]! - offset;
    if (!isScalarSize(size)) {
      // A gap between accesses belongs to no segment.
      if (covered.some((c) => c.offset < offset + size && c.offset + c.size > offset)) a.escapes = true;
      continue;
    }
    const type = types.get(offset * 16 + size) ?? integerOfBits(size * 8)!;
    a.segments.push({ offset, size, type, variable: 0 });
  }
}

/** Copies from and to promoted allocations become loads and stores of their segments. */
function expandCopies(func: Func, roots: (Root | undefined)[]): void {
  for (const block of func.blocks) {
    if (!block.insts.some((inst) => inst.op === Op.Copy)) continue;
    const insts: Inst[] = [];
    for (const inst of block.insts) {
      const [to, from] = inst.operands;
      const target = inst.op === Op.Copy ? promoted(roots[to!.id]) : undefined;
      const source = inst.op === Op.Copy ? promoted(roots[from!.id]) : undefined;
      const guide = target ?? source;
      if (!guide) {
        insts.push(inst);
        continue;
      }
      const size = inst.facts.size!;
      const loads: { at: number; load: Inst }[] = [];
      for (let i = guide.allocation.segmentAt(guide.offset); i < guide.allocation.segments.length; i++) {
        const segment = guide.allocation.segments[i]!;
        const at = segment.offset - guide.offset;
        if (at >= size) break;
        const load = makeInst(
          func,
          block,
          Op.Load,
          segment.type,
          [from!],
          { offset: at, align: 1, space: 'generic' },
          inst.position,
        );
        insts.push(load);
        loads.push({ at, load });
      }
      for (const { at, load } of loads)
        insts.push(
          makeInst(
            func,
            block,
            Op.Store,
            Type.Void,
            [to!, load],
            { offset: at, align: 1, space: 'generic' },
            inst.position,
          ),
        );
    }
    block.insts = insts;
  }
}

const promoted = (root: Root | undefined): Root | undefined =>
  root && !root.allocation.escapes ? root : undefined;

/** Inserts block parameters at the dominance frontiers, and walks the dominator tree with the current values. */
class Renamer {
  private readonly dominators: Dominators;
  private readonly current: (Value | undefined)[];
  private readonly replaced: Replacements;
  private readonly types: Type[] = [];
  /** By block: the variables of its new parameters. */
  private readonly phis = new Map<Block, { variable: number; param: BlockParam }[]>();

  constructor(
    private readonly func: Func,
    private readonly roots: (Root | undefined)[],
    allocations: readonly Allocation[],
    private readonly variables: number,
    private readonly leaves: Leaves,
  ) {
    this.dominators = dominatorsOf(func);
    this.replaced = new Replacements(func);
    this.current = new Array<Value | undefined>(variables).fill(undefined);
    for (const a of allocations) for (const s of a.segments) this.types[s.variable] = s.type;
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
    return this.current[variable] ?? this.leaves.undef(this.types[variable]!);
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
