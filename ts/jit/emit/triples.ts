// SPDX-License-Identifier: MIT
//
// Pixels of three bytes: the pixels of four lanes are twelve consecutive bytes, which one permutation distributes to the lanes or
// collects from them.
import { ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import type { Inst, Value } from '../ir/ir';
import { TRIPLE } from '../vectorize/plan';
import { type MemoryPlan, withReadableRow, withRowAddress } from './addresses';
import type { Context } from './context';
import { pushPacked } from './packed-values';
import { permute, ZERO } from './shuffles';
import { VECTOR_BYTES } from './target';

/** Moves the byte of each lane to its lowest byte, with zeros above. */
const SPREAD = Uint8Array.from([0, 3, 6, 9].flatMap((at) => [at, ZERO, ZERO, ZERO]));
/** Moves each lane's lowest byte to the position of its component. */
const gathering = (component: number): Uint8Array =>
  Uint8Array.from({ length: 16 }, (_, i) =>
    i < 12 && i % TRIPLE === component ? Math.floor(i / TRIPLE) * 4 : ZERO,
  );

/** Loads one of each lane's three bytes. Reads four bytes beyond the last lane's. */
export function loadOfTriples(
  c: Context,
  plan: MemoryPlan,
  inst: Inst,
  row: number,
  into: readonly number[],
): void {
  withReadableRow(c, plan, inst, row, (address, offset) => {
    into.forEach((local, part) => {
      c.f.get(address);
      c.f.memory(Wasm.v128_load, offset + part * 4 * TRIPLE);
      permute(c, SPREAD);
      c.f.set(local);
    });
  });
}

/** Stores the three bytes of each lane; all lanes are active. */
export function storeTriples(c: Context, plan: MemoryPlan, stores: readonly Inst[]): void {
  const { f } = c;
  const ordered = [...stores].sort((a, b) => (a.facts.offset ?? 0) - (b.facts.offset ?? 0));
  const values = ordered.map((store) => store.operands[1]!);
  if (values.every((v) => c.plan.packed.get(v.id) === 8 || !c.isVectorHere(v))) {
    storePackedTriples(c, plan, ordered[0]!, values);
    return;
  }
  for (let row = 0; row < c.rows; row++)
    withRowAddress(c, plan, ordered[0]!, row, (address, offset) => {
      for (let part = 0; part < c.lanes >> 2; part++)
        c.withLocal(ValType.V128, (pixels) => {
          values.forEach((value, component) => {
            c.vector(value, row, part);
            permute(c, gathering(component));
            if (component > 0) f.op(Wasm.v128_or);
          });
          f.set(pixels);
          storeTwelveBytes(c, address, pixels, offset + part * 4 * TRIPLE);
        });
    });
}

/** Stores the pixels of four lanes: the low twelve bytes of a vector. */
function storeTwelveBytes({ f }: Context, address: number, pixels: number, offset: number): void {
  f.get(address);
  f.get(pixels);
  f.memoryLane(Wasm.v128_store64_lane, offset, 0);
  f.get(address);
  f.get(pixels);
  f.memoryLane(Wasm.v128_store32_lane, offset + 8, 2);
}

/** The same of packed values, sixteen bytes at a time. Eight lanes leave eight bytes over, four lanes have twelve in all. */
function storePackedTriples(c: Context, plan: MemoryPlan, first: Inst, values: readonly Value[]): void {
  const { f } = c;
  const bytes = c.lanes * TRIPLE;
  for (let row = 0; row < c.rows; row++)
    withRowAddress(c, plan, first, row, (address, offset) => {
      const pushBytes = (start: number) =>
        values.forEach((value, component) => {
          // Sixteen pixels are three vectors.
          const inGroup = start % (VECTOR_BYTES * TRIPLE);
          pushPacked(c, value, 8, row, Math.floor(start / (VECTOR_BYTES * TRIPLE)));
          permute(
            c,
            Uint8Array.from({ length: VECTOR_BYTES }, (_, i) =>
              (inGroup + i) % TRIPLE === component ? Math.floor((inGroup + i) / TRIPLE) : ZERO,
            ),
          );
          if (component > 0) f.op(Wasm.v128_or);
        });
      if (bytes < VECTOR_BYTES)
        c.withLocal(ValType.V128, (pixels) => {
          pushBytes(0);
          f.set(pixels);
          storeTwelveBytes(c, address, pixels, offset);
        });
      else
        for (let start = 0; start < bytes; start += VECTOR_BYTES) {
          f.get(address);
          pushBytes(start);
          if (start + VECTOR_BYTES <= bytes) f.memory(Wasm.v128_store, offset + start);
          else f.memoryLane(Wasm.v128_store64_lane, offset + start, 0);
        }
    });
}
