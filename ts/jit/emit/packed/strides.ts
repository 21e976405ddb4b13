// SPDX-License-Identifier: MIT
//
// Bytes and halves of neighbouring work-items that are a few elements apart, or in reverse order: whole vectors are loaded, and
// permutations bring the elements together.
import { Wasm } from '../../../wasm/opcodes';
import type { Inst } from '../../ir/ir';
import type { PackedWidth } from '../../vectorize/plan';
import { permute, reversedElements, ZERO } from '../arithmetic/shuffles';
import type { Context } from '../context';
import { moveAddress } from '../memory/addresses';
import { VECTOR_BYTES } from '../target';

/** Where lane 0's element is. */
interface Place {
  /** Local with an address. */
  readonly address: number;
  readonly offset: number;
}

/** Loads elements of `width` bits that are the load's stride apart into packed vectors. Reads up to a vector beyond the last one. */
export function loadApart(
  c: Context,
  inst: Inst,
  width: PackedWidth,
  { address, offset }: Place,
  into: readonly number[],
): void {
  const { f } = c;
  const bytes = width / 8;
  const stride = c.divergence.strideAt(inst.operands[0]!, c.block);
  const lanes = Math.min(c.lanes, VECTOR_BYTES / bytes);
  if (stride < 0) {
    loadReversed(c, inst, bytes, lanes, { address, offset }, into);
    return;
  }
  const positionOf = (element: number, byte: number) => element * stride + byte;
  const last = positionOf(lanes - 1, bytes - 1);
  into.forEach((local, group) => {
    for (let start = 0; start <= last; start += VECTOR_BYTES) {
      f.get(address);
      f.memory(Wasm.v128_load, offset + group * lanes * stride + start);
      permute(
        c,
        Uint8Array.from({ length: VECTOR_BYTES }, (_, i) => {
          const at = positionOf(Math.floor(i / bytes), i % bytes) - start;
          return i < lanes * bytes && at >= 0 && at < VECTOR_BYTES ? at : ZERO;
        }),
      );
      if (start > 0) f.op(Wasm.v128_or);
    }
    f.set(local);
  });
}

/** Consecutive elements, of which the last lane has the first one. Reads no others. */
function loadReversed(
  c: Context,
  inst: Inst,
  bytes: number,
  lanes: number,
  { address, offset }: Place,
  into: readonly number[],
): void {
  const { f } = c;
  const size = lanes * bytes;
  into.forEach((local, group) => {
    const at = offset - group * size - (size - bytes);
    f.get(address);
    if (at < 0) moveAddress(c, inst.operands[0]!, at);
    f.memory(size < VECTOR_BYTES ? Wasm.v128_load64_zero : Wasm.v128_load, Math.max(at, 0));
    permute(c, reversedElements(bytes, size));
    f.set(local);
  });
}
