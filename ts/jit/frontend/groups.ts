// SPDX-License-Identifier: MIT
//
// Operations of several work-items: barriers, fences, clocks, group and sub-group instructions, async copies.
import { GroupOperation, MemorySemantics, Op, Scope, StorageClass } from '../../spirv/grammar.gen';
import type { Id, Instruction } from '../../spirv/module';
import { type InstFacts, Op as Ir, type Scope as IrScope, type Reduction, Type, type Value } from '../ir/ir';
import { bitsOf, isInteger } from '../ir/types';
import { scopeOf } from './atomics';
import type { Handler, HandlerTable, Translation } from './translation';

export function groupScope(t: Translation, id: number): IrScope {
  const scope = t.index.constants.tryInteger(id as Id) as Scope | undefined;
  if (scope === Scope.Workgroup) return 'work-group';
  if (scope === Scope.Subgroup) return 'sub-group';
  return t.fail('work-items cooperate within a work-group or a sub-group');
}

function barrier(t: Translation, i: Instruction): void {
  const scope = groupScope(t, i.operands[0]!);
  const memoryScope = scopeOf(t, i.operands[1]!);
  if (!t.context.checks) {
    t.emit(Ir.Barrier, Type.Void, [], { scope, memoryScope });
    return;
  }
  const semantics = t.index.constants.tryInteger(i.operands[2]! as Id) ?? 0;
  const orders = {
    local: (semantics & MemorySemantics.WorkgroupMemory) !== 0,
    global: (semantics & MemorySemantics.CrossWorkgroupMemory) !== 0,
  };
  t.emit(Ir.Barrier, Type.Void, [], { scope, memoryScope, orders });
}

function fence(t: Translation, i: Instruction): void {
  t.emit(Ir.Fence, Type.Void, [], { scope: scopeOf(t, i.operands[0]!) });
}

/** One clock serves every scope: 64 bits, or its low and high word. */
function readClock(t: Translation, i: Instruction): void {
  const now = t.emit(Ir.ReadClock, Type.I64, []);
  const [type] = t.leafTypes(t.type(i));
  if (type === Type.I64) t.set(i, [now]);
  else
    t.set(
      i,
      [0n, 32n].map((shift) =>
        t.emit(Ir.Trunc, Type.I32, [t.emit(Ir.LShr, Type.I64, [now, t.const(Type.I64, shift)])]),
      ),
    );
}

/** Who takes part in an operation: all work-items of the group, or those of the sub-group that reach it. */
const NON_UNIFORM: InstFacts = { scope: 'sub-group', byActive: true };

/** All and any. */
const vote =
  (op: Ir, byActive?: true): Handler =>
  (t, i) =>
    t.set(i, [t.emit(op, Type.I1, [t.scalar(i.operands[1]!)], takingPart(t, i, byActive))]);

const takingPart = (t: Translation, i: Instruction, byActive?: true): InstFacts => ({
  scope: groupScope(t, i.operands[0]!),
  ...(byActive ? { byActive } : {}),
});

/** Broadcast from the work-item with a local id (a scalar or a vector). */
const broadcast =
  (byActive?: true): Handler =>
  (t, i) => {
    const facts = takingPart(t, i, byActive);
    const ids = t.get(i.operands[2]!).map((id) => t.resize(id, Type.I32, false));
    t.map(i, [i.operands[1]!], ([value]) => exchange(t, Ir.GroupBroadcast, value!, ids, facts));
  };

/** Moves a value between work-items; truth values as words, since the IR's exchanges take numbers. */
function exchange(t: Translation, op: Ir, value: Value, operands: Value[], facts: InstFacts): Value {
  if (value.type !== Type.I1) return t.emit(op, value.type, [value, ...operands], facts);
  const word = t.emit(Ir.ZExt, Type.I32, [value]);
  return t.emit(Ir.Ne, Type.I1, [t.emit(op, Type.I32, [word, ...operands], facts), t.i32(0)]);
}

/** Narrow integers are combined as words; the identity of an empty scan is the limit of the narrow type. */
const LIMITS: Partial<Record<Reduction, (bits: number) => { op: Ir; limit: number }>> = {
  smin: (bits) => ({ op: Ir.SMin, limit: 2 ** (bits - 1) - 1 }),
  smax: (bits) => ({ op: Ir.SMax, limit: -(2 ** (bits - 1)) }),
  umin: (bits) => ({ op: Ir.UMin, limit: 2 ** bits - 1 }),
};

const combine =
  (reduction: Reduction, byActive?: true): Handler =>
  (t, i) => {
    const operation: GroupOperation = i.operands[1]!;
    const operands: Value[] = [];
    if (operation === GroupOperation.ClusteredReduce) operands.push(t.scalar(i.operands[3]!));
    const op =
      operation === GroupOperation.InclusiveScan
        ? Ir.GroupScanInclusive
        : operation === GroupOperation.ExclusiveScan
          ? Ir.GroupScanExclusive
          : operation === GroupOperation.Reduce || operation === GroupOperation.ClusteredReduce
            ? Ir.GroupReduce
            : t.fail(`the group operation ${GroupOperation[operation] ?? operation} is not supported`);
    t.map(i, [i.operands[2]!], ([value]) => {
      const type = value!.type;
      const facts: InstFacts = { ...takingPart(t, i, byActive), reduction };
      if (type === Type.F16)
        return t.narrow(t.emit(op, Type.F32, [t.widen(value!), ...operands], facts), type);
      if (type === Type.I1) {
        // On truth values: mul is and, add is xor.
        const word = t.emit(Ir.ZExt, Type.I32, [value!]);
        const all = t.emit(op, Type.I32, [word, ...operands], facts);
        return t.emit(Ir.Ne, Type.I1, [t.emit(Ir.And, Type.I32, [all, t.i32(1)]), t.i32(0)]);
      }
      if (!isInteger(type) || bitsOf(type) >= 32) return t.emit(op, type, [value!, ...operands], facts);
      const signed = reduction === 'smin' || reduction === 'smax';
      let word: Value = t.emit(op, Type.I32, [t.resize(value!, Type.I32, signed), ...operands], facts);
      const limit = LIMITS[reduction]?.(bitsOf(type));
      if (limit && op === Ir.GroupScanExclusive)
        word = t.emit(limit.op, Type.I32, [word, t.i32(limit.limit)]);
      return t.emit(Ir.Trunc, type, [word]);
    });
  };

const shuffle =
  (op: Ir, scoped = true): Handler =>
  (t, i) => {
    const [value, by] = scoped ? [i.operands[1]!, i.operands[2]!] : [i.operands[0]!, i.operands[1]!];
    const operand = t.resize(t.scalar(by), Type.I32, false);
    // A cluster size, for rotate.
    const cluster = op === Ir.SubGroupRotate && i.operands[3] ? [t.scalar(i.operands[3])] : [];
    t.map(i, [value], ([v]) => exchange(t, op, v!, [operand, ...cluster], { scope: 'sub-group' }));
  };

/** Two-operand shuffles of cl_intel_subgroups: from the concatenation of two values. */
const shuffleTwo =
  (down: boolean): Handler =>
  (t, i) => {
    const delta = t.resize(t.scalar(i.operands[2]!), Type.I32, false);
    const own = t.builder.leaves.leaf(Ir.SubGroupLocalId, Type.I32);
    const size = t.builder.leaves.leaf(Ir.SubGroupMaxSize, Type.I32);
    const facts: InstFacts = { scope: 'sub-group' };
    t.map(i, [i.operands[0]!, i.operands[1]!], ([first, second]) => {
      // Down: (current, next), from own + delta. Up: (previous, current), from own - delta.
      const at = down
        ? t.emit(Ir.Add, Type.I32, [own, delta])
        : t.emit(Ir.Sub, Type.I32, [t.emit(Ir.Add, Type.I32, [own, size]), delta]);
      const inFirst = t.emit(Ir.ULt, Type.I1, [at, size]);
      const from = t.select(inFirst, at, t.emit(Ir.Sub, Type.I32, [at, size]));
      return t.select(
        inFirst,
        exchange(t, Ir.SubGroupShuffle, first!, [from], facts),
        exchange(t, Ir.SubGroupShuffle, second!, [from], facts),
      );
    });
  };

// --- ballots

const ballotOf = (t: Translation, predicate: Value): Value[] =>
  [0, 1, 2, 3].map((component) =>
    t.emit(Ir.SubGroupBallot, Type.I32, [predicate], { component, scope: 'sub-group' }),
  );

/** The number of the lowest or highest bit of four words; undefined if none is set. */
function findBit(t: Translation, words: readonly Value[], lowest: boolean): Value {
  let result: Value = t.i32(0);
  const order = lowest ? [3, 2, 1, 0] : [0, 1, 2, 3];
  for (const at of order) {
    const word = words[at]!;
    const bit = lowest
      ? t.emit(Ir.Ctz, Type.I32, [word])
      : t.emit(Ir.Sub, Type.I32, [t.i32(31), t.emit(Ir.Clz, Type.I32, [word])]);
    const some = t.emit(Ir.Ne, Type.I1, [word, t.i32(0)]);
    result = t.select(some, t.emit(Ir.Add, Type.I32, [bit, t.i32(at * 32)]), result);
  }
  return result;
}

/** Bit `index` of four words. */
function bitAt(t: Translation, words: readonly Value[], index: Value): Value {
  let word = words[0]!;
  const high = t.emit(Ir.LShr, Type.I32, [index, t.i32(5)]);
  for (let at = 1; at < 4; at++) word = t.select(t.emit(Ir.Eq, Type.I1, [high, t.i32(at)]), words[at]!, word);
  const bit = t.emit(Ir.And, Type.I32, [t.emit(Ir.LShr, Type.I32, [word, index]), t.i32(1)]);
  return t.emit(Ir.Ne, Type.I1, [bit, t.i32(0)]);
}

/** The lowest `count` bits of four words. */
function lowBits(t: Translation, words: readonly Value[], count: Value): Value[] {
  return words.map((word, at) => {
    const bits = t.emit(Ir.Sub, Type.I32, [count, t.i32(at * 32)]);
    const some = t.emit(Ir.Sub, Type.I32, [t.emit(Ir.Shl, Type.I32, [t.i32(1), bits]), t.i32(1)]);
    const mask = t.select(
      t.emit(Ir.SLe, Type.I1, [bits, t.i32(0)]),
      t.i32(0),
      t.select(t.emit(Ir.SGe, Type.I1, [bits, t.i32(32)]), t.i32(-1), some),
    );
    return t.emit(Ir.And, Type.I32, [word, mask]);
  });
}

/** A ballot without the bits beyond the largest sub-group; instructions on ballots ignore them. */
const membersOf = (t: Translation, id: number): Value[] =>
  lowBits(t, t.get(id), t.builder.leaves.leaf(Ir.SubGroupMaxSize, Type.I32));

/** The number of bits that a count or scan of a ballot uses. */
function countedBits(t: Translation, operation: GroupOperation): Value {
  if (operation === GroupOperation.Reduce) return t.builder.leaves.leaf(Ir.SubGroupMaxSize, Type.I32);
  const own = t.builder.leaves.leaf(Ir.SubGroupLocalId, Type.I32);
  return operation === GroupOperation.InclusiveScan ? t.emit(Ir.Add, Type.I32, [own, t.i32(1)]) : own;
}

function ballotBitCount(t: Translation, i: Instruction): void {
  const words = lowBits(t, t.get(i.operands[2]!), countedBits(t, i.operands[1]!));
  const sum = words
    .map((word) => t.emit(Ir.PopCount, Type.I32, [word]))
    .reduce((a, b) => t.emit(Ir.Add, Type.I32, [a, b]));
  t.set(i, [t.resize(sum, t.scalarType(t.type(i)), false)]);
}

function firstActive(t: Translation): Value {
  return findBit(t, ballotOf(t, t.const(Type.I1, 1)), true);
}

function broadcastFirst(t: Translation, i: Instruction, value: number): void {
  const from = firstActive(t);
  t.map(i, [value], ([v]) => exchange(t, Ir.SubGroupShuffle, v!, [from], { scope: 'sub-group' }));
}

function allEqual(t: Translation, i: Instruction): void {
  const from = firstActive(t);
  let equal: Value = t.const(Type.I1, 1);
  for (const value of t.get(i.operands[1]!)) {
    const first = exchange(t, Ir.SubGroupShuffle, value, [from], { scope: 'sub-group' });
    const same = t.isFloatValue(value)
      ? t.emit(Ir.FEq, Type.I1, [t.widen(value), t.widen(first)])
      : value.type === Type.I1
        ? t.not(t.emit(Ir.Xor, Type.I1, [value, first]))
        : t.emit(Ir.Eq, Type.I1, [value, first]);
    equal = t.emit(Ir.And, Type.I1, [equal, same]);
  }
  t.set(i, [t.emit(Ir.GroupAll, Type.I1, [equal], NON_UNIFORM)]);
}

// --- async copies

function asyncCopy(t: Translation, i: Instruction): void {
  const [to, from] = [i.operands[1]!, i.operands[2]!];
  const element = t.index.types.pointee(t.typeOf(to));
  const count = t.resize(t.scalar(i.operands[3]!), Type.I32, false);
  const stride = t.resize(t.scalar(i.operands[4]!), Type.I32, false);
  // The stride belongs to the side in global memory.
  const gather = t.typeOf(from).storage === StorageClass.CrossWorkgroup;
  const own = t.builder.leaves.leaf(Ir.LocalLinearId, Type.I32);
  const facts = { size: element.size, gather, scope: 'work-group' } as const;
  const operands = [t.scalar(to), t.scalar(from), count, stride];
  const joined = () => t.resize(t.scalar(i.operands[5]!), Type.I32, false);
  const event = followsEvents(t) ? t.emit(Ir.AsyncEvent, Type.I32, [...operands, joined()], facts) : t.i32(0);
  t.emit(Ir.AsyncCopy, Type.Void, [...operands, own], facts);
  t.set(i, [event]);
}

function waitForCopies(t: Translation, i: Instruction): void {
  if (followsEvents(t)) {
    const count = t.resize(t.scalar(i.operands[1]!), Type.I32, false);
    t.emit(Ir.WaitEvents, Type.Void, [count, t.scalar(i.operands[2]!)]);
  }
  t.emit(Ir.Barrier, Type.Void, [], { scope: 'work-group' });
}

/** Whether a checked run looks at which work-items make which copies and wait for them. */
const followsEvents = ({ context, index }: Translation): boolean =>
  context.checks?.includes('barriers') === true && index === context.modules.own;

const scoped =
  (f: (t: Translation, i: Instruction) => Value[]): Handler =>
  (t, i) =>
    t.set(i, f(t, i));

/** Each operation in all its forms: uniform over a group, non-uniform, and the KHR products and logic. */
function combinations(): HandlerTable {
  const spellings: [Reduction, [uniform: Op, nonUniform: Op]][] = [
    ['add', [Op.GroupIAdd, Op.GroupNonUniformIAdd]],
    ['fadd', [Op.GroupFAdd, Op.GroupNonUniformFAdd]],
    ['fmin', [Op.GroupFMin, Op.GroupNonUniformFMin]],
    ['fmax', [Op.GroupFMax, Op.GroupNonUniformFMax]],
    ['umin', [Op.GroupUMin, Op.GroupNonUniformUMin]],
    ['umax', [Op.GroupUMax, Op.GroupNonUniformUMax]],
    ['smin', [Op.GroupSMin, Op.GroupNonUniformSMin]],
    ['smax', [Op.GroupSMax, Op.GroupNonUniformSMax]],
    ['mul', [Op.GroupIMulKHR, Op.GroupNonUniformIMul]],
    ['fmul', [Op.GroupFMulKHR, Op.GroupNonUniformFMul]],
    ['and', [Op.GroupBitwiseAndKHR, Op.GroupNonUniformBitwiseAnd]],
    ['or', [Op.GroupBitwiseOrKHR, Op.GroupNonUniformBitwiseOr]],
    ['xor', [Op.GroupBitwiseXorKHR, Op.GroupNonUniformBitwiseXor]],
    ['and', [Op.GroupLogicalAndKHR, Op.GroupNonUniformLogicalAnd]],
    ['or', [Op.GroupLogicalOrKHR, Op.GroupNonUniformLogicalOr]],
    ['xor', [Op.GroupLogicalXorKHR, Op.GroupNonUniformLogicalXor]],
  ];
  const table: HandlerTable = {};
  for (const [reduction, [uniform, nonUniform]] of spellings) {
    table[uniform] = combine(reduction);
    table[nonUniform] = combine(reduction, true);
  }
  return table;
}

export const GROUPS: HandlerTable = {
  ...combinations(),
  [Op.ControlBarrier]: barrier,
  // Split barriers: the wait performs the whole barrier.
  [Op.ControlBarrierArriveEXT]: () => {},
  [Op.ControlBarrierWaitEXT]: barrier,
  [Op.MemoryBarrier]: fence,
  [Op.ReadClockKHR]: readClock,
  [Op.GroupAll]: vote(Ir.GroupAll),
  [Op.GroupAny]: vote(Ir.GroupAny),
  [Op.GroupBroadcast]: broadcast(),
  [Op.GroupNonUniformAll]: vote(Ir.GroupAll, true),
  [Op.GroupNonUniformAny]: vote(Ir.GroupAny, true),
  [Op.GroupNonUniformAllEqual]: allEqual,
  [Op.GroupNonUniformBroadcast]: broadcast(true),
  [Op.GroupNonUniformBroadcastFirst]: (t, i) => broadcastFirst(t, i, i.operands[1]!),
  [Op.GroupNonUniformElect]: (t, i) =>
    t.set(i, [t.emit(Ir.SubGroupElect, Type.I1, [], { scope: 'sub-group' })]),
  [Op.GroupNonUniformBallot]: scoped((t, i) => ballotOf(t, t.scalar(i.operands[1]!))),
  [Op.GroupNonUniformInverseBallot]: scoped((t, i) => [
    bitAt(t, t.get(i.operands[1]!), t.builder.leaves.leaf(Ir.SubGroupLocalId, Type.I32)),
  ]),
  [Op.GroupNonUniformBallotBitExtract]: scoped((t, i) => [
    bitAt(t, t.get(i.operands[1]!), t.resize(t.scalar(i.operands[2]!), Type.I32, false)),
  ]),
  [Op.GroupNonUniformBallotBitCount]: ballotBitCount,
  [Op.GroupNonUniformBallotFindLSB]: scoped((t, i) => [findBit(t, membersOf(t, i.operands[1]!), true)]),
  [Op.GroupNonUniformBallotFindMSB]: scoped((t, i) => [findBit(t, membersOf(t, i.operands[1]!), false)]),
  [Op.GroupNonUniformShuffle]: shuffle(Ir.SubGroupShuffle),
  [Op.GroupNonUniformShuffleXor]: shuffle(Ir.SubGroupShuffleXor),
  [Op.GroupNonUniformShuffleUp]: shuffle(Ir.SubGroupShuffleUp),
  [Op.GroupNonUniformShuffleDown]: shuffle(Ir.SubGroupShuffleDown),
  [Op.GroupNonUniformRotateKHR]: shuffle(Ir.SubGroupRotate),
  [Op.SubgroupBallotKHR]: scoped((t, i) => ballotOf(t, t.scalar(i.operands[0]!))),
  [Op.SubgroupFirstInvocationKHR]: (t, i) => broadcastFirst(t, i, i.operands[0]!),
  [Op.SubgroupAllKHR]: (t, i) =>
    t.set(i, [t.emit(Ir.GroupAll, Type.I1, [t.scalar(i.operands[0]!)], NON_UNIFORM)]),
  [Op.SubgroupAnyKHR]: (t, i) =>
    t.set(i, [t.emit(Ir.GroupAny, Type.I1, [t.scalar(i.operands[0]!)], NON_UNIFORM)]),
  [Op.SubgroupReadInvocationKHR]: shuffle(Ir.SubGroupShuffle, false),
  [Op.SubgroupShuffleINTEL]: shuffle(Ir.SubGroupShuffle, false),
  [Op.SubgroupShuffleXorINTEL]: shuffle(Ir.SubGroupShuffleXor, false),
  [Op.SubgroupShuffleDownINTEL]: shuffleTwo(true),
  [Op.SubgroupShuffleUpINTEL]: shuffleTwo(false),
  [Op.GroupAsyncCopy]: asyncCopy,
  [Op.GroupWaitEvents]: waitForCopies,
};
