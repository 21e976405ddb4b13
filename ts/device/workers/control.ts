// SPDX-License-Identifier: MIT
//
// The words through which the scheduling thread and the workers communicate. They are in a buffer of their own, not in the
// device's memory, so that no kernel can reach them. All are accessed with Atomics.
//
// A job is an ND-range, or up to MOST_GROUPS work-groups of one. Its slot is filled by the scheduling thread while `state` is
// Free and `users` is 0, and opened by the store to `state`. A worker announces itself in `users`, looks at `state` again, and
// then takes chunks of work-groups by advancing `next`. The thread that completes the last group stores Done. A slot whose `users` is not
// yet 0 is not reused, so a worker that was about to look can never mistake a chunk of one job for a chunk of another.

import { MOST_GROUPS } from '../../base/kernel-abi';
import type { WorkerRange } from './worker-range';

export const SLOTS = 64;

/**
 * Words of a cache line. A line that one thread writes has to be fetched again by all others, which dominates short launches on
 * many threads. So words that are only read while a job runs share no line with words that are written then.
 */
const LINE = 16;

/** Words before the slots. */
export const HEADER = {
  /** Incremented when there is something to do; workers look at it before they sleep. */
  wake: 0,
  /** How many slots a worker has to visit: all open ones have lower numbers. */
  slots: 1,
  /** The number of the worker that shares a processor with the scheduling thread, plus 1; 0 if there is none. */
  neighbour: 2,
  /** Incremented when a job is done or a worker has started; the scheduling thread waits for it, asleep or in its event loop. */
  done: LINE,
  /** The number of workers that have reached their loop. */
  ready: LINE + 1,
  /** The number of workers that sleep, or are about to. */
  sleeping: LINE + 2,
  /** The number of jobs in flight that start when another one is done: only for them the end of a job has to wake workers. */
  followers: LINE + 3,
  words: 2 * LINE,
} as const;

/** Words of a slot: two lines that are only read while the job runs, and three that are written. */
export const SLOT = {
  /** Counts the jobs that this slot has held. */
  generation: 0,
  kernel: 1,
  dispatch: 2,
  /** The job's groups are numbered from 0; their number. */
  groups: 3,
  /** 1 if workers measure how long groups take; the fewest and the most groups that a worker takes. */
  measured: 4,
  leastChunk: 5,
  mostChunk: 6,
  /** Slot and generation of the job that must be done before this one starts; -1 for none. */
  afterSlot: 7,
  afterGeneration: 8,
  /** Worker w has `arena + w * arenaStride` for local memory, and its scratch memory `scratch` bytes after that. */
  arena: 9,
  arenaStride: 10,
  scratch: 11,
  /** The workers that may take groups of it: the first one, and their number. */
  firstWorker: 12,
  workers: 13,
  /** Whether `start` and `end` are recorded. */
  timed: 14,
  /** Ids of group 0, x, y, z; and how many groups the whole ND-range has along each. */
  firstGroup: LINE,
  groupCounts: LINE + 3,
  /** Nanoseconds as 64-bit words; each is written once. */
  start: LINE + 6,
  end: LINE + 8,
  /** How the job failed, a `JobFailure`: the message is in the text area of the slot. */
  failed: LINE + 10,
  textLength: LINE + 11,
  /** 1 if the scheduling thread is to hear when the first group is started. */
  announced: LINE + 12,
  /** 1 if the scheduling thread need not hear of the job's end, unless it failed. */
  quiet: LINE + 13,
  state: 2 * LINE,
  /** Workers that are looking at it or working for it. */
  users: 2 * LINE + 1,
  /** 1 once the first group was started. */
  started: 2 * LINE + 2,
  /** The first group that no worker has taken. */
  next: 3 * LINE,
  /** How many groups are completed. */
  done: 4 * LINE,
  words: 5 * LINE,
} as const;

export enum JobFailure {
  None,
  /** The kernel trapped. */
  OfKernel,
  /** The device has a bug. */
  OfDevice,
  /** It was ended. */
  Stopped,
}

export enum SlotState {
  Free,
  Open,
  Done,
}

/** In place of the index of a spare thread, which waits for one. */
export const UNCLAIMED = -1;

/** Words of one worker: its current work, for the watchdog. */
export const WORKER = {
  /** The slot of its current job, or -1. */
  slot: 0,
  /** Groups of its current chunk. */
  groups: 1,
  /** Counts chunks. */
  beat: 2,
  /**
   * The slot whose chunk it runs (`holding`), 0 between two chunks. Whoever sets it to 0 counts the chunk's groups as done: the
   * worker at the chunk's end, or the scheduling thread, which then ends the worker's thread. A worker that finds 0 stops.
   */
  holds: 3,
  /** The number that the system gives the thread, or 0. */
  thread: 4,
  /** 1 while it sleeps on this word. */
  asleep: 5,
  words: LINE,
} as const;

/** A worker's word `holds` while it runs a chunk of a slot. */
export const holding = (slot: number): number => slot + 1;
/** The slot that the word says. */
export const heldSlot = (word: number): number | undefined => (word === 0 ? undefined : word - 1);

/** The most UTF-16 units of a trap's message. */
const TEXT_LENGTH = 256;
/** The value of `next` that stops a job: no group has this number, and the workers' additions do not overflow it. */
const STOPPED = MOST_GROUPS;

const WASM_PAGE = 65536;

/**
 * Web pages that are not cross-origin isolated have no constructor of shared buffers. They have shared memories, which contain such a
 * buffer.
 */
function sharedBuffer(bytes: number): SharedArrayBuffer {
  if (typeof SharedArrayBuffer === 'function') return new SharedArrayBuffer(bytes);
  const pages = Math.ceil(bytes / WASM_PAGE);
  const { buffer } = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  return buffer as unknown as SharedArrayBuffer;
}

interface Clock {
  now(): bigint;
}

export class Control {
  readonly words: Int32Array;
  readonly times: BigInt64Array;
  private readonly text: Uint16Array;

  constructor(
    readonly buffer: SharedArrayBuffer,
    readonly workers: number,
  ) {
    this.words = new Int32Array(buffer);
    this.times = new BigInt64Array(buffer, 0, Math.floor(buffer.byteLength / 8));
    this.text = new Uint16Array(buffer, textOffset(workers), SLOTS * TEXT_LENGTH);
  }

  static create(workers: number): Control {
    return new Control(sharedBuffer(textOffset(workers) + SLOTS * TEXT_LENGTH * 2), workers);
  }

  /** Index of a slot's first word. */
  slot(index: number): number {
    return HEADER.words + index * SLOT.words;
  }

  /** Index of a worker's first word. */
  worker(index: number): number {
    return HEADER.words + SLOTS * SLOT.words + index * WORKER.words;
  }

  /** Wakes `count` of the sleeping workers of a range, but not the one with the number `except`; returns how many are left of `count`. */
  wake(count = this.workers, range: WorkerRange = { first: 0, count: this.workers }, except = -1): number {
    Atomics.add(this.words, HEADER.wake, 1);
    let left = count;
    if (Atomics.load(this.words, HEADER.sleeping) === 0) return left;
    const end = range.first + range.count;
    for (let worker = range.first; worker < end && left > 0; worker++)
      if (worker !== except && this.wakeWorker(worker)) left--;
    return left;
  }

  /** Wakes a worker if it is asleep; returns whether it was. */
  wakeWorker(worker: number): boolean {
    const asleep = this.worker(worker) + WORKER.asleep;
    if (Atomics.load(this.words, asleep) === 0 || Atomics.exchange(this.words, asleep, 0) === 0) return false;
    Atomics.notify(this.words, asleep, 1);
    return true;
  }

  /** Lets a worker sleep until it is woken, unless `wake` is no longer what it was when the worker last looked for work. */
  sleep(worker: number, seen: number): void {
    const { words } = this;
    const asleep = this.worker(worker) + WORKER.asleep;
    Atomics.add(words, HEADER.sleeping, 1);
    Atomics.store(words, asleep, 1);
    // Who wakes workers first changes `wake`, and then looks who is asleep.
    if (Atomics.load(words, HEADER.wake) === seen) Atomics.wait(words, asleep, 1);
    Atomics.store(words, asleep, 0);
    Atomics.sub(words, HEADER.sleeping, 1);
  }

  private writeText(slot: number, text: string): void {
    const length = Math.min(text.length, TEXT_LENGTH);
    for (let i = 0; i < length; i++) this.text[slot * TEXT_LENGTH + i] = text.charCodeAt(i);
    this.words[this.slot(slot) + SLOT.textLength] = length;
  }

  readText(slot: number): string {
    const length = this.words[this.slot(slot) + SLOT.textLength]!;
    const start = slot * TEXT_LENGTH;
    return String.fromCharCode(...this.text.subarray(start, start + length));
  }

  /** Notes that groups of a job start now; returns whether they are the first ones. */
  begin(slot: number, clock: Clock): boolean {
    const { words } = this;
    const base = this.slot(slot);
    const started = base + SLOT.started;
    if (Atomics.load(words, started) !== 0 || Atomics.exchange(words, started, 1) !== 0) return false;
    if (words[base + SLOT.timed] === 1) this.times[(base + SLOT.start) >> 1] = clock.now();
    return true;
  }

  /** Ends a job early, which fails for the first reason that was given; returns what `stop` does. */
  fail(slot: number, kind: JobFailure, text: string): boolean {
    const failed = this.slot(slot) + SLOT.failed;
    if (Atomics.compareExchange(this.words, failed, JobFailure.None, kind) === JobFailure.None)
      this.writeText(slot, text);
    return this.stop(slot);
  }

  /**
   * Ends a job early: workers take no more of its groups, and the groups that were not taken count as done. Returns whether they were the
   * last ones.
   */
  private stop(slot: number): boolean {
    const base = this.slot(slot);
    const groups = this.words[base + SLOT.groups]!;
    const next = Atomics.exchange(this.words, base + SLOT.next, STOPPED);
    return next < groups && this.countGroups(base, groups - next);
  }

  /** Counts groups as done, and completes their job if they were its last ones; returns whether they were. */
  finishGroups(slot: number, count: number, clock: Clock): boolean {
    const base = this.slot(slot);
    if (!this.countGroups(base, count)) return false;
    if (this.words[base + SLOT.timed] === 1) this.times[(base + SLOT.end) >> 1] = clock.now();
    this.complete(slot);
    return true;
  }

  private countGroups(base: number, count: number): boolean {
    return Atomics.add(this.words, base + SLOT.done, count) + count === this.words[base + SLOT.groups];
  }

  /** Completes a job, so that those that wait for it may start. One that is submitted from here on wakes workers by itself. */
  complete(slot: number): void {
    Atomics.store(this.words, this.slot(slot) + SLOT.state, SlotState.Done);
    if (Atomics.load(this.words, HEADER.followers) > 0) this.wake();
  }
}

function textOffset(workers: number): number {
  return (HEADER.words + SLOTS * SLOT.words + workers * WORKER.words) * 4;
}
