// SPDX-License-Identifier: MIT
//
// The results that a program must have: its steps one after the other, in plain JavaScript.
import { Contents } from './effects';
import type { Ordered } from './order';
import { type Bytes, bytesAt, sizeOf } from './places';
import { bytesOf, isFilled, type MapMode, type Memory, type Program, type StepOf } from './program';

/** The initial contents of a memory. What is not made with data is filled with a pattern of 4 bytes. */
export function initialOf(memory: Memory, seed: number): Uint8Array {
  if (!isFilled(memory)) return bytesOf(seed, memory.size);
  const pattern = bytesOf(seed, 4);
  return Uint8Array.from({ length: memory.size }, (_, i) => pattern[i % 4]!);
}

/** What the host writes to mapped bytes, from the first one on. */
export function mappedWrite(mode: MapMode, seed: number, size: number): Uint8Array {
  if (mode === 'read') return new Uint8Array(0);
  return bytesOf(seed, mode === 'read-write' ? size >> 1 : size);
}

/** What is recorded after a change. */
export const updated = (record: StepOf<'record'>, { at, launch }: StepOf<'update'>): StepOf<'record'> => ({
  ...record,
  works: record.works.with(at, { op: 'run', launch }),
});

/** By step: the bytes that a read stores, or that a mapping shows. */
export function expectedResults(
  program: Program,
  { memories, failed }: Pick<Ordered, 'memories' | 'failed'>,
): Map<number, Uint8Array> {
  const contents = new Contents(memories);
  const results = new Map<number, Uint8Array>();
  const maps = new Map<number, { place: Bytes; mode: MapMode }>();
  const records = new Map<number, StepOf<'record'>>();
  for (const step of program.steps) {
    if (failed.has(step.id)) continue;
    if (step.op === 'memory') contents.create(step.memory, initialOf(step.memory, step.seed));
    else if (step.op === 'command') {
      const read = contents.apply(step.work);
      if (read) results.set(step.id, read);
    } else if (step.op === 'batch') for (const launch of step.launches) contents.launch(launch);
    else if (step.op === 'map') {
      const place = bytesAt(memories, step.place);
      maps.set(step.id, { place, mode: step.mode });
      results.set(step.id, contents.get(place));
    } else if (step.op === 'unmap') {
      const { place, mode } = maps.get(step.map)!;
      const bytes = contents.get(place);
      bytes.set(mappedWrite(mode, step.seed, sizeOf(place.runs)));
      contents.set(place, bytes);
    } else if (step.op === 'record') records.set(step.id, step);
    else if (step.op === 'update') records.set(step.record, updated(records.get(step.record)!, step));
    else if (step.op === 'replay') for (const work of records.get(step.record)!.works) contents.apply(work);
  }
  return results;
}
