// SPDX-License-Identifier: MIT
//
// Scopes and memory semantics (3.24 to 3.27).
import { GroupOperation, Op, Scope } from '../grammar.gen';
import type { Instruction } from '../module';
import type { Context } from './context';

/** Which operands are scopes and which are semantics. */
const PLACES: Partial<Record<Op, { scopes: readonly number[]; semantics: readonly number[] }>> = {
  [Op.ControlBarrier]: { scopes: [0, 1], semantics: [2] },
  [Op.MemoryBarrier]: { scopes: [0], semantics: [1] },
  [Op.AtomicLoad]: { scopes: [1], semantics: [2] },
  [Op.AtomicStore]: { scopes: [1], semantics: [2] },
  [Op.AtomicExchange]: { scopes: [1], semantics: [2] },
  [Op.AtomicCompareExchange]: { scopes: [1], semantics: [2, 3] },
  [Op.AtomicIIncrement]: { scopes: [1], semantics: [2] },
  [Op.AtomicIDecrement]: { scopes: [1], semantics: [2] },
  [Op.AtomicIAdd]: { scopes: [1], semantics: [2] },
  [Op.AtomicISub]: { scopes: [1], semantics: [2] },
};

/** Reductions, which may have a cluster size. */
const CLUSTERED: ReadonlySet<Op> = new Set([
  Op.GroupNonUniformIAdd,
  Op.GroupNonUniformFAdd,
  Op.GroupNonUniformIMul,
  Op.GroupNonUniformFMul,
  Op.GroupNonUniformSMin,
  Op.GroupNonUniformUMin,
  Op.GroupNonUniformFMin,
  Op.GroupNonUniformSMax,
  Op.GroupNonUniformUMax,
  Op.GroupNonUniformFMax,
  Op.GroupNonUniformBitwiseAnd,
  Op.GroupNonUniformBitwiseOr,
  Op.GroupNonUniformBitwiseXor,
  Op.GroupNonUniformLogicalAnd,
  Op.GroupNonUniformLogicalOr,
  Op.GroupNonUniformLogicalXor,
]);

/** Acquire, Release, AcquireRelease, SequentiallyConsistent: at most one of them. */
const ORDERS = 0x2 | 0x4 | 0x8 | 0x10;

export function checkBarriers(c: Context): void {
  c.eachInstruction((i) => {
    const isClustered = CLUSTERED.has(i.op) && i.operands[1] === GroupOperation.ClusteredReduce;
    if ((isClustered || i.op === Op.GroupNonUniformRotateKHR) && i.operands.length > 3) clusterSize(c, i, 3);
    const places = PLACES[i.op];
    if (!places) return;
    for (const at of places.scopes) scope(c, i, at);
    for (const at of places.semantics) {
      word(c, i, at, 'memory semantics');
      const value = c.integer(i.operands[at]!);
      const order = value === undefined ? 0 : value & ORDERS;
      if ((order & (order - 1)) !== 0)
        c.fail(
          i,
          'memory semantics are at most one of Acquire, Release, AcquireRelease, SequentiallyConsistent',
        );
    }
  });
}

function clusterSize(c: Context, i: Instruction, at: number): void {
  const size = c.integer(i.operands[at]!);
  if (size !== undefined && (size === 0 || Number.isInteger(Math.log2(size)) === false))
    c.fail(i, `its cluster size is a power of two, not ${size}`);
}

function scope(c: Context, i: Instruction, at: number): void {
  word(c, i, at, 'scope');
  const value = c.integer(i.operands[at]!);
  if (value !== undefined && Scope[value] === undefined) c.fail(i, `${value} is not a scope`);
}

function word(c: Context, i: Instruction, at: number, what: string): void {
  const type = c.find(c.typeOf(i.operands[at]!));
  if (type?.op !== Op.TypeInt || type.operands[0] !== 32) c.fail(i, `its ${what} is an integer of 32 bits`);
}
