// SPDX-License-Identifier: MIT
//
// An interpreter of kernel IR, which runs one work-item after the other, each up to its next barrier. It defines the meaning of
// the IR: tests compare the passes and the emitted code with it. It is simple and slow.

import { halfBits, halfValue } from '../../base/half';
import { InvariantError } from '../../base/invariant';
import type { KernelSignature, PrintfFormat } from '../../base/kernel-abi';
import { fold } from '../passes/fold';
import { isGroupWide } from '../regions/split';
import { type Block, type Func, type Inst, Op, type Rmw, Type, type Value } from './ir';
import { COMBINE, identityOf } from './reductions';
import { canonical } from './types';

type Scalar = number | bigint;

export interface Run {
  readonly memory: DataView;
  /** The dispatch block's arguments, as bytes from offset 0 of the block. */
  readonly dispatch: DataView;
  readonly signature: KernelSignature;
  readonly globalSize: readonly [number, number, number];
  readonly localSize: readonly [number, number, number];
  readonly globalOffset?: readonly [number, number, number];
  readonly programBase: number;
  /** Where the local arena and the work-items' frames are. */
  readonly localBase: number;
  readonly privateBase: number;
  readonly clock?: () => bigint;
  readonly printed?: (format: PrintfFormat, values: readonly Scalar[]) => void;
  /** The most instructions per work-item before the run fails. */
  readonly limit?: number;
}

export function interpret(func: Func, run: Run): void {
  const groups = run.globalSize.map((n, d) => Math.ceil(n / run.localSize[d]!));
  for (let z = 0; z < groups[2]!; z++)
    for (let y = 0; y < groups[1]!; y++) for (let x = 0; x < groups[0]!; x++) runGroup(func, run, [x, y, z]);
}

/** An operation of the whole group that a work-item has reached; undefined is a barrier. */
interface Collective {
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
function runCollective(items: readonly Collective[], size: readonly number[]): Scalar[] {
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

class WorkItem {
  private readonly values = new Map<number, Scalar>();
  readonly frameBytes: number;
  private steps = 0;

  constructor(
    private readonly func: Func,
    private readonly env: Run,
    private readonly group: readonly number[],
    private readonly local: readonly number[],
    private readonly size: readonly number[],
    private frame: number,
    /** Of a function that is kept out of line. */
    private readonly args: readonly Scalar[] = [],
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

  private get(value: Value): Scalar {
    const known = this.values.get(value.id);
    if (known === undefined) throw new InvariantError(`value ${value.id} has no value yet`);
    return known;
  }

  /** Returns the result of an out-of-line function. */
  *run(): Item {
    let block: Block = this.func.entry;
    for (;;) {
      for (const inst of block.insts) {
        if (++this.steps > (this.env.limit ?? 1e7)) throw new InvariantError('the kernel does not end');
        if (inst.op === Op.Barrier && isGroupWide(inst)) yield undefined;
        else if (isGroupWide(inst)) {
          const operands = inst.operands.map((operand) => this.get(operand));
          this.values.set(inst.id, (yield { inst, operands })!);
        } else if (inst.op !== Op.PrivateAlloca) {
          const result = this.evaluate(inst);
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

  private call(callee: Func, operands: readonly Value[]): Scalar {
    const args = operands.map((operand) => this.get(operand));
    const { env, group, local, size, frame } = this;
    return new WorkItem(callee, env, group, local, size, frame, args).run().next().value as Scalar;
  }

  private evaluate(inst: Inst): Scalar | undefined {
    const { facts, op, type } = inst;
    const { env } = this;
    const d = facts.dimension ?? 0;
    const offset = env.globalOffset ?? [0, 0, 0];
    switch (op) {
      case Op.Const:
        return facts.bits!;
      case Op.Undef:
        return canonical(type, type === Type.I64 ? 0n : 0);
      case Op.Argument: {
        const argument = env.signature.arguments[facts.index!]!;
        const at = argument.offset + (facts.offset ?? 0);
        const value = read(env.dispatch, at, type);
        return argument.kind === 'local' ? env.localBase + Number(value) : value;
      }
      case Op.Parameter:
        return this.args[facts.index!]!;
      case Op.Call:
        return this.call(facts.callee!, inst.operands);
      case Op.LocalBase:
        return env.localBase + (facts.offset ?? 0);
      case Op.ScratchBase:
        return env.privateBase;
      case Op.ScratchEnd:
        return env.memory.byteLength;
      case Op.EnqueueRegion:
        return 0;
      case Op.ProgramBase:
        return env.programBase + (facts.offset ?? 0);
      case Op.GlobalId:
        return this.group[d]! * env.localSize[d]! + this.local[d]! + offset[d]!;
      case Op.LocalId:
        return this.local[d]!;
      case Op.GroupId:
        return this.group[d]!;
      case Op.GlobalSize:
        return env.globalSize[d]!;
      case Op.LocalSize:
        return this.size[d]!;
      case Op.EnqueuedLocalSize:
        return env.localSize[d]!;
      case Op.NumGroups:
        return Math.ceil(env.globalSize[d]! / env.localSize[d]!);
      case Op.GlobalOffset:
        return offset[d]!;
      case Op.WorkDim:
        return 3;
      case Op.GlobalLinearId: {
        const [x, y, z] = this.local.map((v, k) => this.group[k]! * env.localSize[k]! + v);
        return (z! * env.globalSize[1] + y!) * env.globalSize[0] + x!;
      }
      case Op.LocalLinearId:
        return (this.local[2]! * this.size[1]! + this.local[1]!) * this.size[0]! + this.local[0]!;
      // Each work-item is a sub-group of its own.
      case Op.SubGroupLocalId:
        return 0;
      case Op.SubGroupSize:
      case Op.SubGroupMaxSize:
        return 1;
      case Op.Load:
        return read(env.memory, this.address(inst), type);
      case Op.Store:
        write(env.memory, this.address(inst), inst.operands[1]!.type, this.get(inst.operands[1]!));
        return undefined;
      case Op.AtomicLoad:
        return read(env.memory, this.address(inst), type);
      case Op.AtomicStore:
        write(env.memory, this.address(inst), inst.operands[1]!.type, this.get(inst.operands[1]!));
        return undefined;
      case Op.AtomicRmw: {
        const at = this.address(inst);
        const old = read(env.memory, at, type);
        write(env.memory, at, type, combine(facts.rmw!, type, old, this.get(inst.operands[1]!)));
        return old;
      }
      case Op.AtomicCmpXchg: {
        const at = this.address(inst);
        const old = read(env.memory, at, type);
        if (old === this.get(inst.operands[1]!)) write(env.memory, at, type, this.get(inst.operands[2]!));
        return old;
      }
      case Op.ReadClock:
        return env.clock?.() ?? 0n;
      case Op.Fence:
      case Op.Barrier:
        return undefined;
      case Op.Copy: {
        const [to, from] = [this.get(inst.operands[0]!), this.get(inst.operands[1]!)].map(
          (v) => Number(v) >>> 0,
        );
        const bytes = new Uint8Array(env.memory.buffer);
        bytes.copyWithin(to!, from!, from! + facts.size!);
        return undefined;
      }
      case Op.Printf:
        env.printed?.(
          facts.format!,
          inst.operands.map((v) => this.get(v)),
        );
        return undefined;
      case Op.Fma:
      case Op.MulAdd: {
        const [a, b, c] = inst.operands.map((v) => Number(this.get(v)));
        return canonical(type, a! * b! + c!);
      }
      case Op.GroupScanExclusive:
        return canonical(type, identityOf(facts.reduction!, type));
      case Op.SubGroupBallot:
        return facts.component ? 0 : this.get(inst.operands[0]!);
      case Op.SubGroupElect:
        return 1;
      case Op.GroupAll:
      case Op.GroupAny:
      case Op.GroupBroadcast:
      case Op.GroupReduce:
      case Op.GroupScanInclusive:
      case Op.SubGroupShuffle:
      case Op.SubGroupShuffleXor:
      case Op.SubGroupShuffleUp:
      case Op.SubGroupShuffleDown:
      case Op.SubGroupRotate:
        return this.get(inst.operands[0]!);
      default: {
        const operands = inst.operands.map((v) => this.get(v));
        const result =
          type === Type.F16 && op === Op.FConvert
            ? roundToHalf(Number(operands[0]))
            : inst.facts.byComparison
              ? extremeByComparison(op, operands[0]!, operands[1]!)
              : (bitcast(inst, operands[0]!) ?? fold(op, type, operands, inst.operands[0]?.type ?? type));
        if (result === undefined) {
          throw new InvariantError(
            `the interpreter does not know ${Op[op]} of ${Type[type]} (${operands.join(', ')})`,
          );
        }
        return result;
      }
    }
  }

  private address(inst: Inst): number {
    return (Number(this.get(inst.operands[0]!)) >>> 0) + (inst.facts.offset ?? 0);
  }
}

const view = new DataView(new ArrayBuffer(8));

function extremeByComparison(op: Op, a: Scalar, b: Scalar): Scalar {
  return (op === Op.FMin ? b < a : a < b) ? b : a;
}

function bitcast(inst: Inst, value: Scalar): Scalar | undefined {
  if (inst.op !== Op.Bitcast) return undefined;
  write(view, 0, inst.operands[0]!.type, value);
  return read(view, 0, inst.type);
}

function roundToHalf(value: number): number {
  write(view, 0, Type.F16, value);
  return Number(read(view, 0, Type.F16));
}

export function read(memory: DataView, at: number, type: Type): Scalar {
  switch (type) {
    case Type.I8:
      return memory.getInt8(at);
    case Type.I16:
      return memory.getInt16(at, true);
    case Type.I64:
      return memory.getBigInt64(at, true);
    case Type.F16:
      return halfValue(memory.getUint16(at, true));
    case Type.F32:
      return memory.getFloat32(at, true);
    case Type.F64:
      return memory.getFloat64(at, true);
    default:
      return memory.getInt32(at, true);
  }
}

export function write(memory: DataView, at: number, type: Type, value: Scalar): void {
  switch (type) {
    case Type.I8:
      memory.setInt8(at, Number(value));
      return;
    case Type.I16:
      memory.setInt16(at, Number(value), true);
      return;
    case Type.I64:
      memory.setBigInt64(at, BigInt(value), true);
      return;
    case Type.F16:
      memory.setUint16(at, halfBits(Number(value)), true);
      return;
    case Type.F32:
      memory.setFloat32(at, Number(value), true);
      return;
    case Type.F64:
      memory.setFloat64(at, Number(value), true);
      return;
    default:
      memory.setInt32(at, Number(value), true);
  }
}

function combine(rmw: Rmw, type: Type, old: Scalar, value: Scalar): Scalar {
  if (rmw === 'xchg') return value;
  return fold(rmw === 'sub' ? Op.Sub : COMBINE[rmw], type, [old, value], type)!;
}
