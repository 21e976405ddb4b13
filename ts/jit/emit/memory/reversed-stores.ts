// SPDX-License-Identifier: MIT
//
// Stores of neighbouring lanes to neighbouring elements in reverse order.
import { ValType } from '../../../wasm/function-builder';
import { Wasm } from '../../../wasm/opcodes';
import type { Inst, Value } from '../../ir/ir';
import { bytesOf } from '../../ir/types';
import type { PackedWidth } from '../../vectorize/plan';
import { permute, REVERSED_LONGS, REVERSED_WORDS, reversedElements } from '../arithmetic/shuffles';
import type { Context } from '../context';
import { pushPacked } from '../packed/values';
import { VECTOR_BYTES } from '../target';
import { holdVector, type MemoryPlan, moveAddress, withRowAddress } from './addresses';

/** Stores lanes whose elements are next to each other, the last lane first: vectors in the order of the memory. */
export function storeReversed(c: Context, plan: MemoryPlan, inst: Inst): void {
  const { f } = c;
  const value = inst.operands[1]!;
  const width = c.plan.packed.get(value.id);
  if (width) {
    storePackedReversed(c, plan, inst, width);
    return;
  }
  const wide = bytesOf(value.type) === 8;
  const held = holdVector(c, value);
  const last = (c.perVector(value.type) - 1) * (wide ? 8 : 4);
  for (let row = 0; row < c.rows; row++)
    withRowAddress(c, plan, inst, row, (address, offset) => {
      for (let part = 0; part < c.perRow(value.type); part++)
        c.withLocal(ValType.V128, (vector) => {
          const at = offset - part * VECTOR_BYTES - last;
          c.vector(value, row, part);
          f.set(vector);
          f.get(address);
          if (at < 0) moveAddress(c, inst.operands[0]!, at);
          f.get(vector);
          f.get(vector);
          f.shuffle(wide ? REVERSED_LONGS : REVERSED_WORDS);
          f.memory(Wasm.v128_store, Math.max(at, 0));
        });
    });
  held();
}

function storePackedReversed(c: Context, plan: MemoryPlan, inst: Inst, width: PackedWidth): void {
  const { f } = c;
  const [address, value] = inst.operands as [Value, Value];
  const held = holdVector(c, value);
  const bytes = width / 8;
  const half = c.plan.isHalfVector(width);
  const size = half ? VECTOR_BYTES / 2 : VECTOR_BYTES;
  const reversed = reversedElements(bytes, size);
  for (let row = 0; row < c.rows; row++)
    withRowAddress(c, plan, inst, row, (first, offset) => {
      for (let group = 0; group < c.plan.packedVectors(width); group++) {
        // The last lane's element comes first.
        const at = offset - group * VECTOR_BYTES - (size - bytes);
        f.get(first);
        if (at < 0) moveAddress(c, address, at);
        pushPacked(c, value, width, row, group);
        permute(c, reversed);
        if (half) f.memoryLane(Wasm.v128_store64_lane, Math.max(at, 0), 0);
        else f.memory(Wasm.v128_store, Math.max(at, 0));
      }
    });
  held();
}
