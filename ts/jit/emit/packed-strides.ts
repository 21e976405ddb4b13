// SPDX-License-Identifier: MIT
//
// Bytes and halves of neighbouring work-items that are a few elements apart: whole vectors are loaded or stored, and permutations bring
// the elements together or spread them.
import { Wasm } from '../../wasm/opcodes';
import type { Inst } from '../ir/ir';
import type { PackedWidth } from '../vectorize/plan';
import type { Context } from './context';
import { permute, ZERO } from './shuffles';
import { VECTOR_BYTES } from './target';

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
