// SPDX-License-Identifier: MIT
//
// Code in the form that V8 pairs to vectors of 256 bits (ADR 39). V8 starts at stores of neighbouring vectors with no other
// effect between them, and goes on to the vectors that they are computed from.
import { ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import { Op, Type, type Value } from '../ir/ir';
import type { Context } from './context';
import { VECTOR_BYTES } from './target';

/** The write sink, at the start of the scratch arena. */
export const SINK_BYTES = 64;
/** The seeds' place, after it. */
const SEEDS = SINK_BYTES;
/** Seeds of one block have different addresses. */
const MOST_SEEDS = 32;
export const SEEDS_END = SEEDS + MOST_SEEDS * 2 * VECTOR_BYTES;

/**
 * Stores vectors to consecutive addresses. All are computed before the first is stored, and of two the upper one is stored first:
 * otherwise V8 keeps a separate store of the lower one, for when the upper one traps.
 * @param push leaves a vector on the stack
 */
export function storeVectors(
  c: Context,
  address: number,
  offset: number,
  count: number,
  push: (part: number) => void,
): void {
  const { f } = c;
  for (let part = 0; part < count; part++) {
    if (!c.wide || part + 1 === count) {
      f.get(address);
      push(part);
      f.memory(Wasm.v128_store, offset + part * VECTOR_BYTES);
      continue;
    }
    c.withLocal(ValType.V128, (low) => {
      push(part);
      f.set(low);
      f.get(address);
      push(part + 1);
      f.memory(Wasm.v128_store, offset + (part + 1) * VECTOR_BYTES);
      f.get(address);
      f.get(low);
      f.memory(Wasm.v128_store, offset + part * VECTOR_BYTES);
    });
    part++;
  }
}

/**
 * Makes V8 pair the code that computes a value: stores it where nobody reads it. For values whose uses V8 does not pair.
 * @param scratch local with the address of the scratch arena
 */
export function seed(c: Context, scratch: number, value: Value): void {
  if (!c.wide || !isWorthPairing(c, value)) return;
  const perRow = c.perRow(value.type);
  for (let row = 0; row < c.rowsOf(value); row++)
    for (let part = 0; part + 1 < perRow; part += 2) {
      const offset = SEEDS + (c.seeds++ % MOST_SEEDS) * 2 * VECTOR_BYTES;
      storeVectors(c, scratch, offset, 2, (half) => c.vector(value, row, part + half));
    }
}

/**
 * Keeps a vector in a local from being paired with another: V8 aborts where it would pair the results of calls, or parameters. It
 * takes vectors whose lanes are replaced as they are. This is done in all code: a module that is compiled while another is may be
 * paired too.
 */
export function notPaired(c: Context, local: number): void {
  if (!c.engine.wide) return;
  const { f } = c;
  f.get(local);
  f.get(local);
  f.lane(Wasm.i32x4_extract_lane, 0);
  f.lane(Wasm.i32x4_replace_lane, 0);
  f.set(local);
}

/** Whether more computes a value than what V8 pairs for nothing. */
function isWorthPairing(c: Context, value: Value): boolean {
  if (!c.isVectorHere(value) || c.plan.packed.has(value.id) || value.type === Type.I1) return false;
  return value.kind === 'param' || (value.kind === 'inst' && value.op !== Op.Load);
}
