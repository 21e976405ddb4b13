// SPDX-License-Identifier: MIT
//
// Values that are brought into memory order (vectorize/passes/memory-order/memory-order.ts): of n components and l lanes, vectors of component k have the
// k-th l elements.
import { Wasm } from '../../../wasm/opcodes';
import { constantOf } from '../../ir/build';
import { bytesOfOrder } from '../../ir/byte-order';
import { type Inst, Type, type Value } from '../../ir/ir';
import { bytesOf } from '../../ir/types';
import {
  INTERLEAVE_LOWER_WORDS,
  INTERLEAVE_UPPER_WORDS,
  LOWER_HALVES,
  UPPER_HALVES,
} from '../arithmetic/shuffles';
import type { Context } from '../context';
import { VECTOR_BYTES } from '../target';
import { isWide, replaceOf, splatBytes, splatOf } from '../value-types';

/** An element of a vector: of which component, and of which work-item. */
interface Element {
  readonly value: Value;
  readonly lane: number;
}

/** One vector of values in memory order. */
export function vectorInMemoryOrder(c: Context, inst: Inst, row: number, part: number): void {
  const { operands, type, facts } = inst;
  const per = c.perVector(type);
  const count = operands.length;
  const elements = Array.from({ length: per }, (_, i): Element => {
    const at = facts.memoryOrder! * c.lanes + part * per + i;
    return { value: operands[at % count]!, lane: Math.floor(at / count) };
  });
  if (operands.every((v) => isShared(c, v))) pushShared(c, elements, row);
  else if (operands.every((v) => v === operands[0])) pushRepeated(c, elements, row);
  else if (isWide(type)) pushPair(c, elements, row);
  else if (count === 2) pushInterleaved(c, elements, row, (elements[0]!.lane & 3) === 0);
  else pushTransposed(c, elements, row);
}

/** One vector of components that are in memory order, but elsewhere: each vector has whole structures. */
export function vectorOfComponents(
  c: Context,
  { operands, type, facts }: Inst,
  row: number,
  part: number,
): void {
  const places = bytesOfOrder(facts.order!);
  const count = places.length;
  const lists = operands.length / count;
  const per = c.perVector(type);
  const push = (list: number) => c.vector(operands[list * count + facts.memoryOrder!]!, row, part);
  push(0);
  // Each shuffle takes the elements of one more list.
  for (let list = 1; list < Math.max(2, lists); list++) {
    push(Math.min(list, lists - 1));
    const lanes = Array.from({ length: per }, (_, lane) => {
      const place = places[lane % count]!;
      const from = lane - (lane % count) + (place % count);
      const of = Math.floor(place / count);
      if (of === list) return per + from;
      return list > 1 ? lane : from;
    });
    shuffleLanes(c, lanes);
  }
}

const isShared = (c: Context, v: Value): boolean => c.divergence.strideAt(v, c.block) === 0;

function shuffleLanes(c: Context, from: readonly number[]): void {
  const bytes = VECTOR_BYTES / from.length;
  c.f.shuffle(from.flatMap((lane) => Array.from({ length: bytes }, (_, i) => lane * bytes + i)));
}

/** Numbers of work-items, each as often as its structure has components in the vector. */
function pushRepeated(c: Context, elements: readonly Element[], row: number): void {
  const { value, lane: first } = elements[0]!;
  const per = elements.length;
  const push = () => c.vector(value, row, Math.floor(first / per));
  push();
  push();
  shuffleLanes(
    c,
    elements.map(({ lane }) => lane % per),
  );
}

/** Components that are the same for all work-items. */
function pushShared(c: Context, elements: readonly Element[], row: number): void {
  const { type } = elements[0]!.value;
  const constants = elements.map(({ value }) => constantOf(value));
  if (type !== Type.I1 && constants.every((bits) => bits !== undefined)) {
    const size = bytesOf(type);
    const bytes = constants.flatMap((bits) => [...splatBytes(type, bits).subarray(0, size)]);
    c.constants.bytes(Uint8Array.from(bytes));
    return;
  }
  const push = (value: Value) => {
    if (type === Type.I1) c.f.i32(0);
    c.scalar(value, row);
    if (type === Type.I1) c.f.op(Wasm.i32_sub);
  };
  for (const [i, { value }] of elements.entries()) {
    push(value);
    if (i === 0) c.f.op(splatOf(type));
    else c.f.lane(replaceOf(type), i);
  }
}

/** Two components of 64 bits of one work-item. */
function pushPair(c: Context, [a, b]: readonly Element[], row: number): void {
  const part = a!.lane >> 1;
  c.vector(a!.value, row, part);
  c.vector(b!.value, row, part);
  c.f.shuffle(a!.lane % 2 === 0 ? LOWER_HALVES : UPPER_HALVES);
}

/** Two words of each of two neighbouring work-items. */
function pushInterleaved(c: Context, [a, b]: readonly Element[], row: number, low: boolean): void {
  const part = a!.lane >> 2;
  c.vector(a!.value, row, part);
  c.vector(b!.value, row, part);
  c.f.shuffle(low ? INTERLEAVE_LOWER_WORDS : INTERLEAVE_UPPER_WORDS);
}

/** Four words of one work-item. */
function pushTransposed(c: Context, [x, y, z, w]: readonly Element[], row: number): void {
  const { lane } = x!;
  pushInterleaved(c, [x!, y!], row, lane % 4 < 2);
  pushInterleaved(c, [z!, w!], row, lane % 4 < 2);
  c.f.shuffle(lane % 2 === 0 ? LOWER_HALVES : UPPER_HALVES);
}
