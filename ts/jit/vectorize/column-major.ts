// SPDX-License-Identifier: MIT
//
// Column-major access, as in a transpose: work-items that are neighbours along y access neighbouring elements, those along x do
// not. Run row by row, each access would be to another cache line, which is evicted before the next row returns to it. So such
// kernels run in two-dimensional blocks.
import { type Divergence, X, Y } from '../analyses/divergence';
import { constantAmount, constantOf } from '../ir/build';
import { type Block, type Func, type Inst, Op, type Value } from '../ir/ir';
import { patternOf } from './access';

/** The side of a block: a cache line of 32-bit elements. */
export const BLOCK_SIDE = 16;
/** Bytes from one work-item to the next, so that several share a cache line. */
const NEAR = 16;
/** The depth to which the operations of an address are analysed. */
const DEEPEST = 8;

export function isColumnMajor(func: Func, divergence: Divergence): boolean {
  return func.blocks.some(
    (block) =>
      !divergence.flow.loopOf(block) && block.insts.some((inst) => isAlongColumns(inst, block, divergence)),
  );
}

function isAlongColumns(inst: Inst, block: Block, divergence: Divergence): boolean {
  if (inst.op !== Op.Load && inst.op !== Op.Store) return false;
  if (inst.facts.space === 'private' || inst.facts.space === 'local') return false;
  const [address] = inst.operands as [Value];
  if ((divergence.dims[address.id]! & (X | Y)) !== (X | Y)) return false;
  const along = stepAlongY(address, divergence);
  if (!(along !== 0 && Math.abs(along) <= NEAR)) return false;
  const pattern = patternOf(divergence, inst, block);
  if (pattern === 'strided') return Math.abs(divergence.strideAt(address, block)) > NEAR * 4;
  return pattern === 'scattered' && !throughMemory(address);
}

/** Bytes from one row of work-items to the next if that is a constant, otherwise NaN. */
function stepAlongY(value: Value, divergence: Divergence, depth = DEEPEST): number {
  if ((divergence.dims[value.id]! & Y) === 0) return 0;
  if (value.kind === 'param' || depth === 0) return Number.NaN;
  const { op, operands } = value;
  const step = (i: number) => stepAlongY(operands[i]!, divergence, depth - 1);
  switch (op) {
    case Op.GlobalId:
      return 1;
    case Op.Add:
      return step(0) + step(1);
    case Op.Sub:
      return step(0) - step(1);
    case Op.Shl:
      return step(0) * 2 ** (constantAmount(operands[1]!) ?? Number.NaN);
    case Op.Mul:
      return step(0) * Number(constantOf(operands[1]!) ?? Number.NaN);
    default:
      return Number.NaN;
  }
}

/** Whether an address depends on a loaded value: then its distance to its neighbours is unknown. */
function throughMemory(address: Value): boolean {
  const seen = new Set<Value>();
  const pending = [address];
  for (let value = pending.pop(); value; value = pending.pop()) {
    if (seen.has(value) || value.kind === 'param') continue;
    if (value.op >= Op.Load) return true;
    seen.add(value);
    pending.push(...value.operands);
  }
  return false;
}
