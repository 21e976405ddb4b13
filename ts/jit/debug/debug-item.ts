// SPDX-License-Identifier: MIT
//
// A work-item that runs instruction by instruction, as the interpreter of the IR does, and that knows its frames and variables.
import { InvariantError } from '../../base/invariant';
import { type Collective, callFunction, runCollective } from '../ir/interpret';
import { evaluate, type ItemState, type Run } from '../ir/interpret-operations';
import { type Block, type Func, type Inst, Op, type SourcePosition, Type, type Value } from '../ir/ir';
import type { Scalar } from '../ir/scalar-memory';
import { isGroupWide } from '../regions/split';
import type { DebugCode, DebugVariable, Marker } from './types';

/** Where the scalars of a variable are: these, or in memory. */
export type DebugPlace = { readonly values: readonly Scalar[] } | { readonly address: number };

export interface DebugFrame {
  readonly name: string;
  /** Where the function was called; undefined for the kernel. */
  readonly from: SourcePosition | undefined;
  scope: number | undefined;
  readonly variables: Map<DebugVariable, DebugPlace>;
}

/** A launch that is debugged. */
export interface DebugRun extends Run {
  /** Answers a call of a check (base/checks.ts); returns its result. */
  readonly check: (inst: Inst, operands: readonly Scalar[]) => number;
  readonly scratchEnd: number;
  readonly checkBlock: number;
}

/** `waiting`: at a barrier, or another operation of the whole group. */
export type ItemStatus = 'running' | 'waiting' | 'done';

export class DebugItem implements ItemState {
  status: ItemStatus = 'running';
  /** The innermost one is last. */
  readonly frames: DebugFrame[] = [];
  /** The bytes of its private memory. */
  readonly frameBytes: number;
  waitsFor: Collective | undefined;
  private readonly values = new Map<number, Scalar>();
  private readonly func: Func;
  private block: Block;
  private at = 0;
  private frame: number;

  constructor(
    private readonly code: DebugCode,
    readonly env: DebugRun,
    readonly group: readonly number[],
    readonly local: readonly number[],
    readonly size: readonly number[],
    /** Where its private memory begins. */
    private readonly start: number,
  ) {
    this.func = code.func;
    this.block = this.func.entry;
    this.frame = start;
    for (const inst of this.func.entry.insts)
      if (inst.op === Op.PrivateAlloca) {
        this.frame = Math.ceil(this.frame / inst.facts.align!) * inst.facts.align!;
        this.values.set(inst.id, this.frame);
        this.frame += inst.facts.size!;
      }
    this.frameBytes = this.frame - start + 16;
  }

  readonly args: readonly Scalar[] = [];

  /** Whether an address is in its private memory. */
  owns(address: number): boolean {
    return address >= this.start && address < this.start + this.frameBytes;
  }

  get global(): readonly number[] {
    const { localSize, globalOffset = [0, 0, 0] } = this.env;
    return this.local.map((id, d) => this.group[d]! * localSize[d]! + id + globalOffset[d]!);
  }

  get linearId(): number {
    const [x, y, z] = this.local as [number, number, number];
    return (z * this.size[1]! + y) * this.size[0]! + x;
  }

  /** The source position of the next instruction. */
  get position(): SourcePosition | undefined {
    return this.next.position;
  }

  get next(): Inst {
    return this.block.insts[this.at] ?? this.block.terminator;
  }

  get(value: Value): Scalar {
    const known = this.values.get(value.id);
    if (known === undefined) throw new InvariantError(`value ${value.id} has no value yet`);
    return known;
  }

  call(callee: Func, args: readonly Scalar[]): Scalar {
    const { env, group, local, size, frame } = this;
    return callFunction(callee, { env, group, local, size, frame, args });
  }

  /** Executes one instruction. */
  step(): void {
    const inst = this.next;
    if (inst === this.block.terminator) this.jump(inst);
    else {
      this.at++;
      this.execute(inst);
    }
  }

  /** The operation of the whole group is done. */
  resume(result: Scalar | undefined): void {
    const { inst } = this.waitsFor!;
    this.waitsFor = undefined;
    this.status = 'running';
    if (inst.type !== Type.Void) this.values.set(inst.id, result!);
    this.pass(inst);
  }

  private execute(inst: Inst): void {
    if (isGroupWide(inst) && inst.op !== Op.AsyncCopy) {
      this.waitsFor = { inst, operands: inst.operands.map((operand) => this.get(operand)) };
      this.status = 'waiting';
      return;
    }
    if (inst.op !== Op.PrivateAlloca) {
      const result = this.result(inst);
      if (inst.type !== Type.Void) this.values.set(inst.id, result!);
    }
    this.pass(inst);
  }

  private result(inst: Inst): Scalar | undefined {
    switch (inst.op) {
      case Op.Check:
        return this.env.check(
          inst,
          inst.operands.map((operand) => this.get(operand)),
        );
      case Op.ScratchEnd:
        return this.env.scratchEnd;
      case Op.CheckBlock:
        return this.env.checkBlock;
      default:
        return evaluate(this, inst);
    }
  }

  private jump(end: Inst): void {
    const { block } = this;
    if (end.op === Op.Return || end.op === Op.Unreachable) {
      this.status = 'done';
      return;
    }
    let way = 0;
    if (end.op === Op.Branch) way = this.get(end.operands[0]!) ? 0 : 1;
    else if (end.op === Op.Switch) way = end.facts.cases!.indexOf(BigInt(this.get(end.operands[0]!))) + 1;
    const target = block.targets[way]!;
    const passed = target.arguments.map((arg) => this.get(arg));
    target.block.params.forEach((param, i) => {
      this.values.set(param.id, passed[i]!);
    });
    this.block = target.block;
    this.at = 0;
    this.pass(target.block);
  }

  private pass(key: Inst | Block): void {
    for (const marker of this.code.table.markers.get(key) ?? []) this.mark(marker);
  }

  private mark(marker: Marker): void {
    if (marker.kind === 'enter') {
      const { name, from } = marker;
      this.frames.push({ name, from, scope: undefined, variables: new Map() });
      return;
    }
    const frame = this.frames[this.frames.length - 1]!;
    switch (marker.kind) {
      case 'leave':
        this.frames.pop();
        return;
      case 'scope':
        frame.scope = marker.scope;
        return;
      case 'value':
        frame.variables.set(marker.variable, { values: marker.values.map((value) => this.get(value)) });
        return;
      case 'address':
        frame.variables.set(marker.variable, { address: Number(this.get(marker.address)) >>> 0 });
    }
  }

  /** The variables of a frame that are visible where it is; of equal names the innermost. None before it begins. */
  visible(
    frame: DebugFrame | undefined,
  ): Map<string, { readonly variable: DebugVariable; readonly place: DebugPlace }> {
    const depths = new Map<number, number>();
    for (let scope = frame?.scope, depth = 0; scope !== undefined; scope = this.code.table.parentOf(scope))
      depths.set(scope, depth++);
    const found = new Map<string, { variable: DebugVariable; place: DebugPlace; depth: number }>();
    for (const [variable, place] of frame?.variables ?? []) {
      const depth = variable.scope === undefined ? Number.MAX_SAFE_INTEGER : depths.get(variable.scope);
      const known = found.get(variable.name);
      if (depth !== undefined && (!known || depth <= known.depth))
        found.set(variable.name, { variable, place, depth });
    }
    return found;
  }
}

/** Lets all work-items of a group go on, which have reached an operation of the whole group or ended. */
export function release(items: readonly DebugItem[]): void {
  const waiting = items.filter(({ status }) => status === 'waiting');
  const [first] = waiting;
  if (!first) return;
  const arrived = waiting.map(({ waitsFor }) => waitsFor!);
  const results = first.waitsFor!.inst.op === Op.Barrier ? [] : runCollective(arrived, first.size);
  for (const [i, item] of waiting.entries()) item.resume(results[i]);
}
