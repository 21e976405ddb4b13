// SPDX-License-Identifier: MIT
//
// Launches that have no race unless they store to certain bytes, which depends on contents of memory: those that one work-item may write
// and another one may read (docs/adr/0048-watched-launches.md).
import type { Evaluation } from './evaluate';
import { sameForm } from './intervals';
import type { LaunchToProve } from './objects';
import { columnsOf, haveOwnBytes, isApart, rowSteps, type Span, spanOf } from './own-bytes';
import type { ByArgument, Numbered } from './patterns';
import { writtenStrips } from './written-strips';

/** `count` runs of `bytes` bytes, `step` bytes apart, relative to the object; the outermost ones may be beyond its ends. */
export interface Rows {
  readonly first: number;
  readonly bytes: number;
  readonly step: number;
  readonly count: number;
}

/** An object that the launch writes. */
export interface WatchedObject {
  readonly argument: number;
  /** Relative to the object: all that it may write. */
  readonly writes: Span;
  /** A store to one of these bytes may be a race. */
  readonly rows: readonly Rows[];
}

export interface WatchProof {
  readonly objects: readonly WatchedObject[];
}

/** To copy and to look at this many bytes for each work-item takes a small part of the time of checks. */
const MOST_BYTES_EACH = 64;
const MOST_BYTES = 1 << 26;

/** The accesses of one object, in which each work-item writes bytes of its own. Undefined where no watch helps. */
export function bytesToWatch(
  accesses: readonly Numbered[],
  launch: LaunchToProve,
  evaluation: Evaluation,
): readonly Rows[] | undefined {
  const writes = accesses.filter(({ kind }) => kind === 'write');
  const [first] = writes;
  if (!first || accesses.some(({ kind }) => kind === 'atomic')) return undefined;
  if (writes.some(({ at }) => !sameForm(at, first.at)) || !haveOwnBytes(writes, launch, evaluation))
    return undefined;
  // It is known without a watch what these store to.
  if (writtenStrips(writes, evaluation, launch.numbers, 0)) return undefined;
  const own = [...writes];
  const others: Numbered[] = [];
  for (const access of accesses) {
    if (access.kind === 'write') continue;
    const isOwn = sameForm(access.at, first.at) && haveOwnBytes([...own, access], launch, evaluation);
    (isOwn ? own : others).push(access);
  }
  const written = unionOf(writes);
  return others
    .filter((other) => !isApart(other, writes, launch, evaluation))
    .map((other) => rowsOf(other, rowSteps(first), written, launch, evaluation));
}

/** The bytes of an access that are within those that are written: all in one, or as columns. */
function rowsOf(
  access: Numbered,
  steps: readonly number[],
  written: Span,
  launch: LaunchToProve,
  evaluation: Evaluation,
): Rows {
  const all = spanOf(access);
  const [from, to] = [Math.max(all.first, written.first), Math.min(all.end, written.end)];
  let best: Rows = { first: from, bytes: Math.max(0, to - from), step: 0, count: 1 };
  for (const step of steps) {
    const { first, end } = columnsOf(access, step, launch, evaluation);
    if (end - first >= step) continue;
    const [low, high] = [Math.floor((from - end) / step) + 1, Math.ceil((to - first) / step) - 1];
    const rows = { first: first + low * step, bytes: end - first, step, count: Math.max(0, high - low + 1) };
    if (sizeOf(rows) < sizeOf(best)) best = rows;
  }
  return best;
}

const sizeOf = ({ bytes, count }: Rows): number => bytes * count;

function unionOf(accesses: readonly Numbered[]): Span {
  const spans = accesses.map(spanOf);
  return {
    first: Math.min(...spans.map(({ first }) => first)),
    end: Math.max(...spans.map(({ end }) => end)),
  };
}

/** Undefined where the launch cannot be undone, or where that costs too much. */
export function watchProof(
  byArgument: ByArgument,
  watched: ReadonlyMap<number, readonly Rows[]>,
  { numbers }: LaunchToProve,
): WatchProof | undefined {
  const objects: WatchedObject[] = [];
  let bytes = 0;
  for (const [argument, accesses] of byArgument) {
    if (accesses.some(({ kind }) => kind === 'atomic')) return undefined;
    const own = accesses.filter(({ kind }) => kind === 'write');
    if (own.length === 0) continue;
    const [writes, rows] = [unionOf(own), watched.get(argument) ?? []];
    objects.push({ argument, writes, rows });
    bytes += writes.end - writes.first + rows.reduce((sum, each) => sum + sizeOf(each), 0);
  }
  const items = numbers.global.reduce((all, size) => all * size, 1);
  return bytes <= Math.min(MOST_BYTES, items * MOST_BYTES_EACH) ? { objects } : undefined;
}
