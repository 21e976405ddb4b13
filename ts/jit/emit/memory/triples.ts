// SPDX-License-Identifier: MIT
//
// Pixels of three bytes: the pixels of four lanes are twelve consecutive bytes, which one permutation distributes to the lanes or
// collects from them. Those of sixteen lanes are three vectors. A permutation of each brings the bytes of a component together, six of
// one and five of the others; parts of five bytes then move from vector to vector, until each has the sixteen bytes of one component.
import { ValType } from '../../../wasm/function-builder';
import { Wasm } from '../../../wasm/opcodes';
import type { Inst, Value } from '../../ir/ir';
import { TRIPLE } from '../../vectorize/plan';
import { permute, ZERO } from '../arithmetic/shuffles';
import type { Context } from '../context';
import { pushPacked } from '../packed/values';
import { VECTOR_BYTES } from '../target';
import { type MemoryPlan, withReadableRow, withRowAddress } from './addresses';

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
    const store = areWholeVectors(c.lanes) ? storeWholeVectors : storePackedTriples;
    store(c, plan, ordered[0]!, values);
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

/** The bytes of one vector after another are those of the components 0, 1, 2, 0, …: each component's together. */
const BY_COMPONENT = Uint8Array.from([0, 3, 6, 9, 12, 15, 2, 5, 8, 11, 14, 1, 4, 7, 10, 13]);
const BY_POSITION = Uint8Array.from(BY_COMPONENT, (_, i) => BY_COMPONENT.indexOf(i));
/** The components that have five bytes in a vector, not six. */
const PART = 5;
/** Sixteen bytes of two vectors, one after the other. */
const fromByte = (start: number) => Array.from({ length: VECTOR_BYTES }, (_, i) => start + i);
/** The bytes at which the vectors of components 0 and 1 start, before the last rotation; that of component 2 starts at its first. */
const STARTS = [10, 5, 0] as const;

/** Whether a tile's bytes of one component are whole vectors. */
const areWholeVectors = (lanes: number): boolean => lanes % VECTOR_BYTES === 0;

/** Loads packed bytes of two or three components, in tiles of sixteen lanes or 32. `first` is component 0. */
export function loadPackedTriples(
  c: Context,
  plan: MemoryPlan,
  members: readonly Inst[],
  first: number,
): void {
  const { f } = c;
  const perRow = c.lanes / VECTOR_BYTES;
  const componentOf = (load: Inst) => (load.facts.offset ?? 0) - first;
  const start = members.find((load) => componentOf(load) === 0)!;
  for (const load of members) {
    c.zeroExtended.add(load.id);
    c.registersOf(load);
  }
  const move = (vectors: readonly number[], i: number, other: number) => {
    f.get(vectors[other % TRIPLE]!);
    f.get(vectors[i]!);
    f.shuffle(fromByte(VECTOR_BYTES - PART));
  };
  for (let row = 0; row < c.rowsOf(start); row++)
    withReadableRow(c, plan, start, row, (address, offset) => {
      for (let group = 0; group < perRow; group++)
        withVectors(c, (vectors) =>
          withVectors(c, (moved) => {
            vectors.forEach((vector, i) => {
              f.get(address);
              f.memory(Wasm.v128_load, offset + (group * TRIPLE + i) * VECTOR_BYTES);
              permute(c, BY_COMPONENT);
              f.set(vector);
            });
            moved.forEach((vector, i) => {
              move(vectors, i, i + TRIPLE - 1);
              f.set(vector);
            });
            for (const load of members) {
              const component = componentOf(load);
              const into = c.registers[load.id]![row * perRow + group]!;
              move(moved, component, component + 1);
              f.set(into);
              if (STARTS[component] === 0) continue;
              f.get(into);
              f.get(into);
              f.shuffle(rotation(STARTS[component]!));
              f.set(into);
            }
          }),
        );
    });
}

const rotation = (start: number) => fromByte(start).map((byte) => byte % VECTOR_BYTES);

/** The reverse. */
function storeWholeVectors(c: Context, plan: MemoryPlan, first: Inst, values: readonly Value[]): void {
  const { f } = c;
  for (let row = 0; row < c.rows; row++)
    withRowAddress(c, plan, first, row, (address, offset) => {
      for (let group = 0; group < c.lanes / VECTOR_BYTES; group++)
        withVectors(c, (vectors) =>
          withVectors(c, (moved) => {
            vectors.forEach((vector, component) => {
              pushPacked(c, values[component]!, 8, row, group);
              f.set(vector);
              if (STARTS[component] === 0) return;
              f.get(vector);
              f.get(vector);
              f.shuffle(rotation(VECTOR_BYTES - STARTS[component]!));
              f.set(vector);
            });
            moved.forEach((vector, i) => {
              f.get(vectors[i]!);
              f.get(vectors[(i + TRIPLE - 1) % TRIPLE]!);
              f.shuffle(fromByte(PART));
              f.set(vector);
            });
            for (let i = 0; i < TRIPLE; i++) {
              f.get(address);
              f.get(moved[i]!);
              f.get(moved[(i + 1) % TRIPLE]!);
              f.shuffle(fromByte(PART));
              permute(c, BY_POSITION);
              f.memory(Wasm.v128_store, offset + (group * TRIPLE + i) * VECTOR_BYTES);
            }
          }),
        );
    });
}

function withVectors(c: Context, use: (locals: readonly number[]) => void): void {
  const locals = Array.from({ length: TRIPLE }, () => c.allocate(ValType.V128));
  use(locals);
  for (const local of locals) c.release(local);
}

/** The same of packed values in smaller tiles, sixteen bytes at a time. Eight lanes leave eight bytes over, four lanes have twelve in all. */
function storePackedTriples(c: Context, plan: MemoryPlan, first: Inst, values: readonly Value[]): void {
  const { f } = c;
  const bytes = c.lanes * TRIPLE;
  for (let row = 0; row < c.rows; row++)
    withRowAddress(c, plan, first, row, (address, offset) => {
      const pushBytes = (start: number) =>
        values.forEach((value, component) => {
          pushPacked(c, value, 8, row, 0);
          permute(
            c,
            Uint8Array.from({ length: VECTOR_BYTES }, (_, i) =>
              (start + i) % TRIPLE === component ? Math.floor((start + i) / TRIPLE) : ZERO,
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
