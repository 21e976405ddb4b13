// SPDX-License-Identifier: MIT
//
// Op.PermuteBytes: the bytes of each number in another order, one permutation of a vector. And Op.LookUpBytes, a permutation of the table.
// Scalars are permuted as vectors, too.
import { type Expr, emit, i8x16 } from '../../../wasm/expressions';
import { bytesOfOrder } from '../../ir/byte-order';
import { bytesOfTable } from '../../ir/byte-table';
import type { Inst } from '../../ir/ir';
import type { Context } from '../context';
import { extractOf, splatOf } from '../value-types';
import { permutation, permute, ZERO } from './shuffles';

/** One vector of the result. */
export function vectorPermutation(c: Context, inst: Inst, row: number, part: number): void {
  c.vector(inst.operands[0]!, row, part);
  permuteLanes(c, inst, 16 / c.perVector(inst.type));
}

/** The bytes of each number in the vector on the stack, whose lanes have this many bytes. */
export function permuteLanes(c: Context, { facts }: Inst, laneBytes: number): void {
  const order = bytesOfOrder(facts.order!);
  permute(
    c,
    Uint8Array.from({ length: 16 }, (_, i) => {
      const from = order[i % laneBytes];
      return from === undefined ? ZERO : i - (i % laneBytes) + from;
    }),
  );
}

/** The result for a number; `push` leaves it on the stack. */
export function scalarPermutation(c: Context, inst: Inst, push: () => void): void {
  push();
  c.f.op(splatOf(inst.type));
  permuteLanes(c, inst, 16 / c.perVector(inst.type));
  c.f.lane(extractOf(inst.type), 0);
}

/** The bytes of a table at the places that the bytes of a vector are. */
export function lookedUp(c: Context, { facts }: Inst, places: Expr<'v128'>): Expr<'v128'> {
  const table = bytesOfTable(facts.table!)!;
  return facts.orZero ? i8x16.swizzle(() => c.constants.bytes(table), places) : permutation(c, table, places);
}

/** One vector of the result. */
export function vectorLookUp(c: Context, inst: Inst, row: number, part: number): void {
  emit(
    c.f,
    lookedUp(c, inst, () => c.vector(inst.operands[0]!, row, part)),
  );
}

/** The result for a number; `push` leaves it on the stack. */
export function scalarLookUp(c: Context, inst: Inst, push: () => void): void {
  const places: Expr<'v128'> = () => {
    push();
    c.f.op(splatOf(inst.type));
  };
  emit(c.f, lookedUp(c, inst, places));
  c.f.lane(extractOf(inst.type), 0);
}
