// SPDX-License-Identifier: MIT
//
// Loads from a table at the index that a byte in memory is (vectorize/passes/memory/index-by-bytes.ts). Inactive lanes read their bytes, which are
// close to an active lane's, and any element of the first 256, which are close too: only a row without active lanes needs other addresses.
import { ValType } from '../../../wasm/function-builder';
import { Wasm } from '../../../wasm/opcodes';
import type { ByteIndex, Inst, Value } from '../../ir/ir';
import type { Context } from '../context';
import { avoidIdleRow, type MemoryPlan, mayBeIdle } from './addresses';

/** Leaves the address for one work-item, or for lane 0. */
export function pushAddressByByte(c: Context, { operands, facts }: Inst, row: number): void {
  c.scalar(operands[0]!, row);
  c.scalar(operands[1]!, row);
  pushDistance(c, facts.byteIndex!, 0);
  c.f.op(Wasm.i32_add);
}

/** Has `push` leave the address of any lane of a row. */
export function withAddressesByByte(
  c: Context,
  plan: MemoryPlan,
  load: Inst,
  row: number,
  use: (push: (lane: number) => void) => void,
): void {
  const { f } = c;
  const [base, place] = load.operands as [Value, Value];
  const stride = c.divergence.strideAt(place, c.block);
  const isIdle = mayBeIdle(c, base) || mayBeIdle(c, place);
  c.withLocal(ValType.I32, (table) =>
    c.withLocal(ValType.I32, (bytes) => {
      for (const [value, local] of [
        [base, table],
        [place, bytes],
      ] as const) {
        c.scalar(value, row);
        if (isIdle) avoidIdleRow(c, plan, row, value);
        f.set(local);
      }
      use((lane) => {
        f.get(table);
        f.get(bytes);
        pushDistance(c, load.facts.byteIndex!, lane * stride);
        f.op(Wasm.i32_add);
      });
    }),
  );
}

/** Makes the distance of an element of the address on the stack, which is this many bytes before the index. */
function pushDistance({ f }: Context, { at, scale }: ByteIndex, more: number): void {
  f.memory(Wasm.i32_load8_u, at + more);
  if (scale > 1) {
    f.i32(Math.log2(scale));
    f.op(Wasm.i32_shl);
  }
}
