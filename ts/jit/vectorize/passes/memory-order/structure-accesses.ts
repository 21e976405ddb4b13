// SPDX-License-Identifier: MIT
//
// Accesses that cover a structure: one for each component, without gaps and without other accesses between them.

import type { Divergence } from '../../../analyses/divergence';
import { accessedBytes, accessedType, offsetOf } from '../../../ir/accesses';
import { type Block, type Inst, Op, type Value } from '../../../ir/ir';
import type { MissingComponents } from './missing-components';

/** The largest structure, in bytes: sixteen of them span the distance within which inactive lanes may read. */
const LARGEST = 64;
/** Structures at any addresses are those of one vector. */
const VECTOR_BYTES = 16;
/** The components of these structures, in bytes. */
const LEAST_AT_ANY_ADDRESS = 4;

/** Whether structures of neighbouring work-items are near each other, not at any addresses. */
const isNear = (stride: number): boolean => stride > 0 && stride <= LARGEST;

/** Accesses that cover a structure, one for each component. */
export type RecordAccess = readonly Inst[];

export interface Records {
  /** By each load of a structure. */
  readonly loads: ReadonlyMap<Inst, RecordAccess>;
  readonly stores: readonly RecordAccess[];
}

/** Accesses to whole structures without other accesses between them. */
export function recordsOf(
  block: Block,
  divergence: Divergence,
  isElsewhere: (access: Inst) => boolean,
  missing: MissingComponents,
): Records {
  const loads = new Map<Inst, RecordAccess>();
  const stores: RecordAccess[] = [];
  let reading = new Map<Value, Inst[]>();
  let writing: Inst[] = [];
  const strideOf = (access: Inst) => divergence.strideAt(access.operands[0]!, block);
  const endReading = () => {
    for (const list of reading.values())
      for (const record of recordsAmong(list, strideOf(list[0]!), missing))
        for (const load of record) loads.set(load, record);
    if (reading.size > 0) reading = new Map();
  };
  const endWriting = () => {
    if (writing.length === 0) return;
    const records = recordsAmong(writing, strideOf(writing[0]!), missing);
    const stored = records.flat().filter((store) => !missing.has(store));
    // The second of two stores to one address takes effect.
    if (stored.length === writing.length && areDisjoint(records)) stores.push(...records);
    writing = [];
  };
  for (const inst of block.insts) {
    if (inst.op < Op.Load) continue;
    if (inst.op === Op.Load) {
      endWriting();
      if (!isCandidate(inst)) continue;
      const list = reading.get(inst.operands[0]!);
      if (list) list.push(inst);
      else reading.set(inst.operands[0]!, [inst]);
    } else if (inst.op === Op.Store) {
      endReading();
      if (writing.length > 0 && writing[0]!.operands[0] !== inst.operands[0]) endWriting();
      if (isCandidate(inst)) writing.push(inst);
      else endWriting();
    } else {
      endReading();
      endWriting();
    }
  }
  endReading();
  endWriting();
  return { loads, stores };

  function isCandidate(access: Inst): boolean {
    const stride = strideOf(access);
    return (
      !access.facts.volatile &&
      stride !== 0 &&
      (isNear(stride) || accessedBytes(access) >= LEAST_AT_ANY_ADDRESS) &&
      !isElsewhere(access)
    );
  }
}

/** Whether each of structures in ascending order ends before the next one. */
function areDisjoint(records: readonly RecordAccess[]): boolean {
  return records.every((record, i) => {
    const last = record.at(-1)!;
    const next = records[i + 1]?.[0];
    return !next || offsetOf(last) + accessedBytes(last) <= offsetOf(next);
  });
}

/**
 * Splits accesses from one address into structures without gaps, whose size is the distance between neighbouring work-items, or that of a
 * vector where the distance is several of these. `missing` adds accesses to vectors that are accessed in part.
 */
function recordsAmong(accesses: readonly Inst[], stride: number, missing: MissingComponents): RecordAccess[] {
  const sorted = [...accesses].sort((a, b) => offsetOf(a) - offsetOf(b));
  const records: RecordAccess[] = [];
  for (let i = 0; i < sorted.length; ) {
    const first = sorted[i]!;
    const size = accessedBytes(first);
    const isOfVectors = stride > VECTOR_BYTES && stride % VECTOR_BYTES === 0 && size >= LEAST_AT_ANY_ADDRESS;
    const whole = !isNear(stride) || isOfVectors ? VECTOR_BYTES : stride;
    const record = sorted.slice(i, i + whole / size);
    const isWhole =
      record.length > 1 &&
      record.length * size === whole &&
      record.every(
        (r, k) => accessedType(r) === accessedType(first) && offsetOf(r) === offsetOf(first) + k * size,
      );
    const filled = isWhole || whole !== VECTOR_BYTES ? undefined : missing.fillRecord(sorted, i);
    if (isWhole) records.push(record);
    else if (filled) records.push(filled.record);
    i += isWhole ? record.length : (filled?.of ?? 1);
  }
  return records;
}
