// SPDX-License-Identifier: MIT
//
// Tests at run time of whether the lanes of a row access consecutive elements (vectorize/contiguity.ts).
import { Wasm } from '../../../wasm/opcodes';
import { type Inst, Op, Type, type Value } from '../../ir/ir';
import { bytesOf } from '../../ir/types';
import type { ClampedIndex, RunTimeTest } from '../../vectorize/plan';
import type { Context } from '../context';
import { isAtHand } from './at-hand';
import { isComputedInBranches, pushFirstAddress } from './first-lane';
import { type RowTest, wrappedTest } from './wrapped-index';

export interface ContiguityTest extends RowTest {
  /** Whether it does without the lanes' addresses. Then they are computed only where it fails. */
  readonly isLate: boolean;
}

export function contiguityTest(c: Context, access: Inst, likely: RunTimeTest): ContiguityTest {
  const address = access.operands[0]!;
  const wrapped = wrappedTest(c, likely, address);
  if (wrapped) return { isLate: true, ...wrapped };
  const clamped = clampedAtHand(c, likely, address);
  const isIndexAtHand = isAtHand(c, likely.index, address);
  const tested = isIndexAtHand ? likely : { index: address, step: bytesOf(elementOf(access)) };
  return {
    isLate: isComputedInBranches(c, address) && (clamped !== undefined || isIndexAtHand),
    test: (row) => (clamped ? testBounds(c, clamped, likely.step, row) : testLanes(c, tested, row)),
    pushAddress: (row) => pushFirstAddress(c, address, row),
  };
}

const elementOf = ({ op, type, operands }: Inst): Type => (op === Op.Store ? operands[1]!.type : type);

/** The clamped index of a test, if what it is made of needs no computation. */
function clampedAtHand(c: Context, { clamped }: RunTimeTest, address: Value): ClampedIndex | undefined {
  const isKnown =
    clamped &&
    isAtHand(c, clamped.inside, address) &&
    clamped.bounds.every(({ limit }) => isAtHand(c, limit, address));
  return isKnown ? clamped : undefined;
}

/** Whether the first and the last lane are within the bounds. */
function testBounds(c: Context, { inside, bounds }: ClampedIndex, step: number, row: number): void {
  const { f } = c;
  bounds.forEach(({ op, limit }, i) => {
    c.scalar(inside, row);
    if (op === Op.SMin) {
      f.i32((c.lanes - 1) * step);
      f.op(Wasm.i32_add);
    }
    c.scalar(limit, row);
    f.op(op === Op.SMin ? Wasm.i32_le_s : Wasm.i32_ge_s);
    if (i > 0) f.op(Wasm.i32_and);
  });
}

/** Whether the index, or the address, rises by the step from lane to lane. */
function testLanes(c: Context, { index, step }: Pick<RunTimeTest, 'index' | 'step'>, row: number): void {
  const { f } = c;
  for (let part = 0; part < c.lanes >> 2; part++) {
    c.vector(index, row, part);
    c.vector(index, row, 0);
    f.lane(Wasm.i32x4_extract_lane, 0);
    f.op(Wasm.i32x4_splat);
    c.constants.lanes(
      Type.I32,
      [0, 1, 2, 3].map((l) => (part * 4 + l) * step),
    );
    f.op(Wasm.i32x4_add);
    f.op(Wasm.i32x4_eq);
    if (part > 0) f.op(Wasm.v128_and);
  }
  f.op(Wasm.i32x4_all_true);
}
