// SPDX-License-Identifier: MIT
//
// Which worker ran which work-groups, and when: a ring of records for each worker in shared memory, of which the scheduling
// thread makes a trace. There is none unless a trace is recorded.
import type { DeviceTrace } from '../../base/trace';

/** Records that a worker keeps until the scheduling thread has read them. */
const RECORDS = 4096;
/** Of those, as many are given up that the worker may be overwriting while they are read. */
const MARGIN = 64;
/** start, end, kernel, first, count */
const FIELDS = 5;

export class ChunkLog {
  /** Records written so far, of each worker. */
  private readonly heads: Int32Array;
  private readonly records: Float64Array;
  private readonly read: number[];
  /** Records that were overwritten before they were read. */
  lost = 0;

  constructor(
    readonly buffer: SharedArrayBuffer,
    private readonly workers: number,
  ) {
    const heads = headBytes(workers);
    this.heads = new Int32Array(buffer, 0, workers);
    this.records = new Float64Array(buffer, heads, workers * RECORDS * FIELDS);
    this.read = new Array<number>(workers).fill(0);
  }

  static create(workers: number): ChunkLog {
    return new ChunkLog(new SharedArrayBuffer(headBytes(workers) + workers * RECORDS * FIELDS * 8), workers);
  }

  /** On the worker's thread. */
  note(worker: number, start: bigint, end: bigint, kernel: number, first: number, count: number): void {
    const head = this.heads[worker]!;
    const at = this.place(worker, head);
    const { records } = this;
    records[at] = Number(start);
    records[at + 1] = Number(end);
    records[at + 2] = kernel;
    records[at + 3] = first;
    records[at + 4] = count;
    Atomics.store(this.heads, worker, (head + 1) | 0);
  }

  /** On the scheduling thread. @param nameOf of a kernel, by its number */
  drain(trace: DeviceTrace, nameOf: (kernel: number) => string): void {
    for (let worker = 0; worker < this.workers; worker++) {
      const head = Atomics.load(this.heads, worker);
      let unread = (head - this.read[worker]!) >>> 0;
      if (unread > RECORDS) {
        this.lost += unread - (RECORDS - MARGIN);
        unread = RECORDS - MARGIN;
      }
      for (let i = unread; i > 0; i--) {
        const at = this.place(worker, head - i);
        const [start, end, kernel, first, count] = this.records.subarray(at, at + FIELDS);
        trace.chunk({
          worker,
          kernel: nameOf(kernel!),
          start: start!,
          end: end!,
          first: first!,
          count: count!,
        });
      }
      this.read[worker] = head;
    }
  }

  private place(worker: number, record: number): number {
    return (worker * RECORDS + ((record >>> 0) % RECORDS)) * FIELDS;
  }
}

/** The records begin at a multiple of eight bytes. */
function headBytes(workers: number): number {
  return Math.ceil(workers / 2) * 8;
}
