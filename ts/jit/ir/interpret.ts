// SPDX-License-Identifier: MIT
//
// An interpreter of kernel IR, which runs one work-item after the other, each up to its next barrier. It defines the meaning of
// the IR: tests compare the passes and the emitted code with it. It is simple and slow.

import { InvariantError } from '../../base/invariant';
import { interchanged } from '../../base/kernel-abi';
import { isGroupWide } from '../regions/split';
import { fold } from './fold';
import { evaluate, type ItemState, type Run } from './interpret-operations';
import { type Block, type Func, type Inst, Op, Type, type Value } from './ir';
import { COMBINE, identityOf } from './reductions';
import type { Scalar } from './scalar-memory';
import { canonical } from './types';

export function interpret(func: Func, launch: Run): void {
  const run = func.interchanged ? interchangedRun(launch) : launch;
  const groups = run.globalSize.map((n, d) => Math.ceil(n / run.localSize[d]!));
  for (let z = 0; z < groups[2]!; z++)
    for (let y = 0; y < groups[1]!; y++) for (let x = 0; x < groups[0]!; x++) runGroup(func, run, [x, y, z]);
}

function interchangedRun({ globalSize, localSize, globalOffset = [0, 0, 0], ...others }: Run): Run {
  return {
    ...others,
    globalSize: interchanged(globalSize),
    localSize: interchanged(localSize),
    globalOffset: interchanged(globalOffset),
  };
}

/** An operation of the whole group that a work-item has reached; undefined is a barrier. */
export interface Collective {
  readonly inst: Inst;
  readonly operands: readonly Scalar[];
}

/** Yields the operation that it waits for; receives its result. */
type Item = Generator<Collective | undefined, Scalar | undefined, Scalar | undefined>;

function runGroup(func: Func, run: Run, group: readonly number[]): void {
  const size = run.localSize.map((n, d) => Math.min(n, run.globalSize[d]! - group[d]! * n));
  let items: Item[] = [];
  let frame = run.privateBase;
  for (let z = 0; z < size[2]!; z++)
    for (let y = 0; y < size[1]!; y++)
      for (let x = 0; x < size[0]!; x++) {
        const item = new WorkItem(func, run, group, [x, y, z], size, frame);
        frame += item.frameBytes;
        items.push(item.run());
      }
  let results: readonly Scalar[] = [];
  while (items.length > 0) {
    const steps = items.map((item, i) => item.next(results[i]));
    items = items.filter((_, i) => !steps[i]!.done);
    const arrived = steps.flatMap((step) => (step.done || !step.value ? [] : [step.value]));
    results = arrived.length > 0 ? runCollective(arrived, size) : [];
  }
}

/** Each work-item's result of an operation of the group; the work-items are in the order of their linear ids. */
export function runCollective(items: readonly Collective[], size: readonly number[]): Scalar[] {
  const { inst } = items[0]!;
  const { type, op, facts } = inst;
  const values = items.map(({ operands }) => operands[0]!);
  switch (op) {
    case Op.GroupAll:
      return values.map(() => (values.every((v) => v !== 0) ? 1 : 0));
    case Op.GroupAny:
      return values.map(() => (values.some((v) => v !== 0) ? 1 : 0));
    case Op.GroupBroadcast: {
      const [x = 0, y = 0, z = 0] = items[0]!.operands.slice(1).map(Number);
      return values.map(() => values[(z * size[1]! + y) * size[0]! + x]!);
    }
    default: {
      const combineTwo = (a: Scalar, b: Scalar) => fold(COMBINE[facts.reduction!]!, type, [a, b], type)!;
      const scanned: Scalar[] = [];
      for (const value of values)
        scanned.push(scanned.length > 0 ? combineTwo(scanned[scanned.length - 1]!, value) : value);
      if (op === Op.GroupScanInclusive) return scanned;
      if (op === Op.GroupReduce) return values.map(() => scanned[scanned.length - 1]!);
      return [canonical(type, identityOf(facts.reduction!, type)), ...scanned.slice(0, -1)];
    }
  }
}

class WorkItem implements ItemState {
  private readonly values = new Map<number, Scalar>();
  readonly frameBytes: number;
  private steps = 0;

  constructor(
    private readonly func: Func,
    readonly env: Run,
    readonly group: readonly number[],
    readonly local: readonly number[],
    readonly size: readonly number[],
    private frame: number,
    /** The arguments of an out-of-line function. */
    readonly args: readonly Scalar[] = [],
  ) {
    const start = frame;
    for (const inst of func.entry.insts)
      if (inst.op === Op.PrivateAlloca) {
        this.frame = Math.ceil(this.frame / inst.facts.align!) * inst.facts.align!;
        this.values.set(inst.id, this.frame);
        this.frame += inst.facts.size!;
      }
    this.frameBytes = this.frame - start + 16;
  }

  get(value: Value): Scalar {
    const known = this.values.get(value.id);
    if (known === undefined) throw new InvariantError(`value ${value.id} has no value yet`);
    return known;
  }

  /** Returns the result of an out-of-line function. */
  *run(): Item {
    let block: Block = this.func.entry;
    for (;;) {
      // The terminator counts: an endless loop may have no other instruction.
      this.steps += block.insts.length + 1;
      if (this.steps > (this.env.limit ?? 1e7)) throw new InvariantError('the kernel does not end');
      for (const inst of block.insts) {
        if (inst.op === Op.Barrier && isGroupWide(inst)) yield undefined;
        else if (isGroupWide(inst)) {
          const operands = inst.operands.map((operand) => this.get(operand));
          this.values.set(inst.id, (yield { inst, operands })!);
        } else if (inst.op !== Op.PrivateAlloca) {
          const result = evaluate(this, inst);
          if (inst.type !== Type.Void) this.values.set(inst.id, result!);
        }
      }
      const end = block.terminator;
      if (end.op === Op.Return) return end.operands[0] && this.get(end.operands[0]);
      if (end.op === Op.Unreachable) throw new InvariantError('reached Unreachable');
      let at = 0;
      if (end.op === Op.Branch) at = this.get(end.operands[0]!) ? 0 : 1;
      else if (end.op === Op.Switch) at = end.facts.cases!.indexOf(BigInt(this.get(end.operands[0]!))) + 1;
      const target = block.targets[at]!;
      const passed = target.arguments.map((arg) => this.get(arg));
      target.block.params.forEach((param, i) => {
        this.values.set(param.id, passed[i]!);
      });
      block = target.block;
    }
  }

  call(callee: Func, args: readonly Scalar[]): Scalar {
    const { env, group, local, size, frame } = this;
    return callFunction(callee, { env, group, local, size, frame, args });
  }
}

/** The place of a call of an out-of-line function. */
export interface CallSite {
  readonly env: Run;
  readonly group: readonly number[];
  readonly local: readonly number[];
  readonly size: readonly number[];
  /** Free private memory. */
  readonly frame: number;
  readonly args: readonly Scalar[];
}

/** The result of an out-of-line function. */
export function callFunction(callee: Func, { env, group, local, size, frame, args }: CallSite): Scalar {
  return new WorkItem(callee, env, group, local, size, frame, args).run().next().value as Scalar;
}
