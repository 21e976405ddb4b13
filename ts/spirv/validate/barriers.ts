// SPDX-License-Identifier: MIT
//
// Scopes and memory semantics (3.24 to 3.27).
import { Op } from '../grammar.gen';
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

/** Acquire, Release, AcquireRelease, SequentiallyConsistent: at most one of them. */
const ORDERS = 0x2 | 0x4 | 0x8 | 0x10;

export function checkBarriers(c: Context): void {
  c.eachInstruction((i) => {
    const places = PLACES[i.op];
    if (!places) return;
    for (const at of places.scopes) word(c, i, at, 'scope');
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

function word(c: Context, i: Instruction, at: number, what: string): void {
  const type = c.find(c.typeOf(i.operands[at]!));
  if (type?.op !== Op.TypeInt || type.operands[0] !== 32) c.fail(i, `its ${what} is an integer of 32 bits`);
}
