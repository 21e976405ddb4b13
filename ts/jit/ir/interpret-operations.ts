// SPDX-License-Identifier: MIT
//
// What each operation of the kernel IR does, for the interpreter: from a work-item's operands and its place in the ND-range to
// the result.
import { InvariantError } from '../../base/invariant';
import type { KernelSignature, PrintfFormat } from '../../base/kernel-abi';
import { permuted } from './byte-order';
import { lookedUp } from './byte-table';
import { onBytes } from './bytes';
import { ELEMENTS } from './elements';
import { fold } from './fold';
import { fusedMultiplyAdd, PRECISION } from './fused';
import { type Func, type Inst, Op, type Rmw, Type, type Value } from './ir';
import { componentOf, storesNothing } from './memory-order';
import { COMBINE, identityOf } from './reductions';
import { read, type Scalar, write } from './scalar-memory';
import { bytesOf, canonical } from './types';

/** The launch that the interpreter runs. */
export interface Run {
  readonly memory: DataView;
  /** The dispatch block's arguments, as bytes from offset 0 of the block. */
  readonly dispatch: DataView;
  readonly signature: KernelSignature;
  readonly globalSize: readonly [number, number, number];
  readonly localSize: readonly [number, number, number];
  readonly globalOffset?: readonly [number, number, number];
  readonly programBase: number;
  /** The addresses of the local arena and of the work-items' frames. */
  readonly localBase: number;
  readonly privateBase: number;
  readonly clock?: () => bigint;
  readonly printed?: (format: PrintfFormat, values: readonly Scalar[]) => void;
  /** The most instructions per work-item before the run fails. */
  readonly limit?: number;
}

/** The state of a work-item that operations use. */
export interface ItemState {
  readonly env: Run;
  /** The ids of its group, and its local ids. */
  readonly group: readonly number[];
  readonly local: readonly number[];
  /** The size of its group, which may be a partial one. */
  readonly size: readonly number[];
  /** The arguments of an out-of-line function. */
  readonly args: readonly Scalar[];
  get(value: Value): Scalar;
  call(callee: Func, args: readonly Scalar[]): Scalar;
}

type Operation = (item: ItemState, inst: Inst) => Scalar | undefined;

const dimension = (inst: Inst) => inst.facts.dimension ?? 0;
const offsets = ({ env }: ItemState) => env.globalOffset ?? [0, 0, 0];
const operand = (item: ItemState, inst: Inst, index: number) => item.get(inst.operands[index]!);

function addressOf(item: ItemState, inst: Inst): number {
  const { offset = 0 } = inst.facts;
  return ((Number(operand(item, inst, 0)) + distanceOf(item, inst)) >>> 0) + offset;
}

function distanceOf(item: ItemState, inst: Inst): number {
  const { repeated, byteIndex } = inst.facts;
  if (repeated) {
    const { shift, mask = -1, scale } = repeated;
    return ((Number(operand(item, inst, 1)) >> shift) & mask) * scale;
  }
  if (!byteIndex) return 0;
  const place = (Number(operand(item, inst, 1)) >>> 0) + byteIndex.at;
  return (Number(read(item.env.memory, place, Type.I8)) & 0xff) * byteIndex.scale;
}

// --- values and parameters ---

const VALUES: Partial<Record<Op, Operation>> = {
  [Op.Const]: (_, inst) => inst.facts.bits!,
  [Op.Undef]: (_, { type }) => canonical(type, type === Type.I64 ? 0n : 0),
  [Op.Argument]: ({ env }, { type, facts }) => {
    const argument = env.signature.arguments[facts.index!]!;
    const value = read(env.dispatch, argument.offset + (facts.offset ?? 0), type);
    return argument.kind === 'local' ? env.localBase + Number(value) : value;
  },
  [Op.Parameter]: ({ args }, { facts }) => args[facts.index!]!,
  [Op.Bytes]: (item, { operands, facts }) => {
    const [a = 0, b = 0, c = 0] = operands.map((operand) => Number(item.get(operand)));
    return onBytes(facts.bytes!, a, b, c);
  },
  [Op.PermuteBytes]: (item, { type, operands: [a], facts }) => {
    const result = permuted(facts.order!, BigInt(item.get(a!)));
    return canonical(type, type === Type.I64 ? result : Number(result));
  },
  [Op.LookUpBytes]: (item, { type, operands: [a], facts }) => {
    const result = lookedUp(facts.table!, BigInt(item.get(a!)), bytesOf(type));
    return canonical(type, type === Type.I64 ? result : Number(result));
  },
  [Op.InMemoryOrder]: (item, inst) => item.get(componentOf(inst)!),
  [Op.PermuteComponents]: (item, inst) => item.get(componentOf(inst)!),
  // The interpreter runs tiles of one work-item.
  [Op.TileFirst]: (item, { operands: [a] }) => item.get(a!),
  [Op.TileLast]: (item, { operands: [a] }) => item.get(a!),
  [Op.Call]: (item, { facts, operands }) =>
    item.call(
      facts.callee!,
      operands.map((v) => item.get(v)),
    ),
};

// --- the work-item's place ---

const localLinearId: Operation = ({ local, size }) =>
  (local[2]! * size[1]! + local[1]!) * size[0]! + local[0]!;

const PLACES: Partial<Record<Op, Operation>> = {
  [Op.LocalBase]: ({ env }, { facts }) => env.localBase + (facts.offset ?? 0),
  [Op.ScratchBase]: ({ env }) => env.privateBase,
  [Op.ScratchEnd]: ({ env }) => env.memory.byteLength,
  [Op.EnqueueRegion]: () => 0,
  [Op.CheckBlock]: () => 0,
  [Op.Counters]: () => 0,
  [Op.Bounds]: () => 0,
  [Op.ProgramBase]: ({ env }, { facts }) => env.programBase + (facts.offset ?? 0),
  [Op.GlobalId]: (item, inst) => {
    const d = dimension(inst);
    return item.group[d]! * item.env.localSize[d]! + item.local[d]! + offsets(item)[d]!;
  },
  [Op.LocalId]: ({ local }, inst) => local[dimension(inst)]!,
  [Op.GroupId]: ({ group }, inst) => group[dimension(inst)]!,
  [Op.GlobalSize]: ({ env }, inst) => env.globalSize[dimension(inst)]!,
  [Op.LocalSize]: ({ size }, inst) => size[dimension(inst)]!,
  [Op.EnqueuedLocalSize]: ({ env }, inst) => env.localSize[dimension(inst)]!,
  [Op.NumGroups]: ({ env }, inst) => {
    const d = dimension(inst);
    return Math.ceil(env.globalSize[d]! / env.localSize[d]!);
  },
  [Op.GlobalOffset]: (item, inst) => offsets(item)[dimension(inst)]!,
  [Op.WorkDim]: () => 3,
  [Op.GlobalLinearId]: ({ env, local, group }) => {
    const [x, y, z] = local.map((v, k) => group[k]! * env.localSize[k]! + v);
    return (z! * env.globalSize[1] + y!) * env.globalSize[0] + x!;
  },
  [Op.LocalLinearId]: localLinearId,
};

// --- sub-groups: each work-item is one of its own ---

const first: Operation = (item, inst) => operand(item, inst, 0);
const SUB_GROUPS: Partial<Record<Op, Operation>> = {
  [Op.SubGroupId]: localLinearId,
  [Op.NumSubGroups]: ({ size }) => size[0]! * size[1]! * size[2]!,
  [Op.EnqueuedNumSubGroups]: ({ env }) => env.localSize.reduce((a, b) => a * b),
  [Op.SubGroupLocalId]: () => 0,
  [Op.SubGroupSize]: () => 1,
  [Op.SubGroupMaxSize]: () => 1,
  [Op.SubGroupElect]: () => 1,
  [Op.SubGroupBallot]: (item, inst) => (inst.facts.component ? 0 : operand(item, inst, 0)),
  [Op.GroupScanExclusive]: (_, { type, facts }) => canonical(type, identityOf(facts.reduction!, type)),
  [Op.GroupAll]: first,
  [Op.GroupAny]: first,
  [Op.GroupBroadcast]: first,
  [Op.GroupReduce]: first,
  [Op.GroupScanInclusive]: first,
  [Op.SubGroupShuffle]: first,
  [Op.SubGroupShuffleXor]: first,
  [Op.SubGroupShuffleUp]: first,
  [Op.SubGroupShuffleDown]: first,
  [Op.SubGroupRotate]: first,
};

// --- memory ---

const load: Operation = (item, inst) => read(item.env.memory, addressOf(item, inst), inst.type);
const store: Operation = (item, inst) => {
  if (storesNothing(inst)) return undefined;
  const value = inst.operands[1]!;
  write(item.env.memory, addressOf(item, inst), value.type, item.get(value));
  return undefined;
};

/** The group's first work-item makes the whole copy. */
function groupCopy(item: ItemState, inst: Inst): undefined {
  if (operand(item, inst, 4) !== 0) return;
  const [to, from, count, stride] = [0, 1, 2, 3].map((index) => Number(operand(item, inst, index)) >>> 0);
  const bytes = new Uint8Array(item.env.memory.buffer);
  const { gather, size } = inst.facts;
  for (let i = 0; i < count!; i++) {
    const [target, source] = gather ? [i, i * stride!] : [i * stride!, i];
    const start = from! + source * size!;
    bytes.copyWithin(to! + target * size!, start, start + size!);
  }
}

/** What the steps say of an element. */
function ofElement(item: ItemState, { operands, facts }: Inst, element: number): Scalar {
  const { steps } = facts.elements!;
  const results: Scalar[] = [];
  for (const step of steps) {
    const type = Type[step.type];
    if (step.is === 'given') results.push(canonical(type, item.get(operands[step.operand]!)));
    else if (step.is === 'loaded') {
      const start = Number(item.get(operands[step.operand]!)) >>> 0;
      results.push(read(item.env.memory, start + step.offset + element * bytesOf(type), type));
    } else {
      const from = step.of.map((index) => results[index]!);
      const operandType = Type[steps[step.of[0]!]!.type];
      if (step.by !== undefined)
        from.push(canonical(operandType, operandType === Type.I64 ? BigInt(step.by) : step.by));
      const op = Op[step.op];
      results.push(fold(op, type, from, operandType) ?? signOfNaN(op, ...from)!);
    }
  }
  return results.at(-1)!;
}

/** The number of elements before the first one that fulfils the condition. */
const countUntil: Operation = (item, inst) => {
  for (let element = 0; element < ELEMENTS; element++) if (ofElement(item, inst, element)) return element;
  return ELEMENTS;
};

const reduceElements: Operation = (item, inst) => {
  const { type, facts } = inst;
  const op = COMBINE[facts.reduction!];
  let result = canonical(type, identityOf(facts.reduction!, type));
  for (let element = 0; element < facts.size!; element++)
    result = fold(op, type, [result, ofElement(item, inst, element)], type)!;
  return result;
};

/** A bit for each element that fulfils the condition. */
const maskOfElements: Operation = (item, inst) => {
  const { type, facts } = inst;
  const size = facts.size!;
  let mask = 0n;
  for (let element = 0; element < size; element++)
    if (ofElement(item, inst, element)) mask |= 1n << BigInt(facts.reversed ? size - 1 - element : element);
  return canonical(type, mask);
};

const MEMORY: Partial<Record<Op, Operation>> = {
  [Op.CountUntil]: countUntil,
  [Op.ReduceElements]: reduceElements,
  [Op.MaskOfElements]: maskOfElements,
  [Op.Load]: load,
  [Op.Store]: store,
  [Op.AtomicLoad]: load,
  [Op.AtomicStore]: store,
  [Op.AtomicRmw]: (item, inst) => {
    const { memory } = item.env;
    const at = addressOf(item, inst);
    const old = read(memory, at, inst.type);
    write(memory, at, inst.type, combine(inst.facts.rmw!, inst.type, old, operand(item, inst, 1)));
    return old;
  },
  [Op.AtomicCmpXchg]: (item, inst) => {
    const { memory } = item.env;
    const at = addressOf(item, inst);
    const old = read(memory, at, inst.type);
    if (old === operand(item, inst, 1)) write(memory, at, inst.type, operand(item, inst, 2));
    return old;
  },
  [Op.Copy]: (item, inst) => {
    const [to, from] = [0, 1].map((index) => Number(operand(item, inst, index)) >>> 0);
    const bytes = new Uint8Array(item.env.memory.buffer);
    bytes.copyWithin(to!, from!, from! + inst.facts.size!);
    return undefined;
  },
  [Op.AsyncCopy]: groupCopy,
  [Op.Fence]: () => undefined,
  [Op.Barrier]: () => undefined,
};

// --- the rest ---

const multiplyAdd: Operation = (item, inst) => {
  const [a, b, c] = inst.operands.map((v) => Number(item.get(v)));
  return canonical(inst.type, a! * b! + c!);
};

const OTHERS: Partial<Record<Op, Operation>> = {
  [Op.ReadClock]: ({ env }) => env.clock?.() ?? 0n,
  [Op.Printf]: (item, inst) => {
    item.env.printed?.(
      inst.facts.format!,
      inst.operands.map((v) => item.get(v)),
    );
    return 0;
  },
  [Op.Fma]: (item, inst) => {
    const [a, b, c] = inst.operands.map((v) => Number(item.get(v)));
    const precision = inst.type === Type.F64 ? PRECISION.double : PRECISION.float;
    return canonical(inst.type, fusedMultiplyAdd(a!, b!, c!, precision));
  },
  [Op.MulAdd]: multiplyAdd,
  [Op.Bitcast]: (item, inst) => {
    write(view, 0, inst.operands[0]!.type, operand(item, inst, 0));
    return read(view, 0, inst.type);
  },
};

const OPERATIONS: Partial<Record<Op, Operation>> = {
  ...VALUES,
  ...PLACES,
  ...SUB_GROUPS,
  ...MEMORY,
  ...OTHERS,
};

/** Executes an instruction that is not an operation of the whole group. */
export function evaluate(item: ItemState, inst: Inst): Scalar | undefined {
  const operation = OPERATIONS[inst.op] ?? arithmetic;
  return operation(item, inst);
}

const view = new DataView(new ArrayBuffer(8));

/** Folding leaves the signs of NaNs alone. Here NaNs are numbers, and all of them count as positive. */
function signOfNaN(op: Op, a?: Scalar, b?: Scalar): Scalar | undefined {
  if (!Number.isNaN(a) && !Number.isNaN(b)) return undefined;
  if (op === Op.FNeg) return Number.NaN;
  return op === Op.FAbs || op === Op.FCopySign ? Math.abs(Number(a)) : undefined;
}

/** Pure operations are computed by the optimizer's folding. */
function arithmetic(item: ItemState, { op, type, facts, operands }: Inst): Scalar {
  const values = operands.map((v) => item.get(v));
  const [a, b] = values;
  if (type === Type.F16 && op === Op.FConvert) return roundToHalf(Number(a));
  const result = facts.byComparison
    ? extremeByComparison(op, a!, b!)
    : (fold(op, type, values, operands[0]?.type ?? type) ?? signOfNaN(op, a, b));
  if (result === undefined)
    throw new InvariantError(
      `the interpreter does not know ${Op[op]} of ${Type[type]} (${values.join(', ')})`,
    );
  return result;
}

function extremeByComparison(op: Op, a: Scalar, b: Scalar): Scalar {
  return (op === Op.FMin ? b < a : a < b) ? b : a;
}

function roundToHalf(value: number): number {
  write(view, 0, Type.F16, value);
  return Number(read(view, 0, Type.F16));
}

function combine(rmw: Rmw, type: Type, old: Scalar, value: Scalar): Scalar {
  if (rmw === 'xchg') return value;
  return fold(rmw === 'sub' ? Op.Sub : COMBINE[rmw], type, [old, value], type)!;
}
