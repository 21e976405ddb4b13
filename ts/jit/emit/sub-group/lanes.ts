// SPDX-License-Identifier: MIT
//
// Single lanes of vectors, and the clusters of lanes that sub-group operations work on.

import { constantOf } from '../../ir/build';
import { type Inst, Op, type Type } from '../../ir/ir';
import { JitError } from '../../jit-error';
import type { Context } from '../context';
import { extractOf, replaceOf, splatOf, valTypeOf } from '../value-types';

/** Pushes a lane of vectors in locals. */
export function pushLaneOf(c: Context, vectors: readonly number[], type: Type, lane: number): void {
  const per = c.perVector(type);
  c.f.get(vectors[Math.floor(lane / per)]!);
  c.f.lane(extractOf(type), lane % per);
}

/** Inserts the number on the stack into a lane of a vector; the first lane's into all lanes. */
export function placeLane(c: Context, vector: number, type: Type, lane: number): void {
  const { f } = c;
  if (lane === 0) {
    c.f.op(splatOf(type));
    f.set(vector);
    return;
  }
  c.withTop(valTypeOf(type), (number) => {
    f.get(vector);
    f.get(number);
    f.lane(replaceOf(type), lane);
    f.set(vector);
  });
}

/** The cluster size of an operation, if it is done in clusters. */
export function clusterOf(inst: Inst): number | undefined {
  const operand = inst.operands[inst.op === Op.GroupReduce ? 1 : 2];
  if (!operand) return undefined;
  const constant = constantOf(operand);
  if (constant === undefined) throw new JitError('the size of a cluster of a sub-group must be constant');
  const size = Number(constant) >>> 0;
  if (size === 0 || (size & (size - 1)) !== 0)
    throw new JitError(`the size of a cluster of a sub-group must be a power of two, not ${size}`);
  return size;
}
