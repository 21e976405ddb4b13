// SPDX-License-Identifier: MIT
//
// What the accesses of a launch cost a memory system: the n-th accesses of one instruction by 32 neighbouring work-items are one
// request, as on hardware that runs them together. A request to global memory takes as many cache lines as it touches. One to local
// memory takes a cycle for each different word that one bank must deliver.
import { TRACE, TRACE_SITE } from '../../base/memory-traffic';

const PAGE = 1 << 20;

/** Of a site: by the work-item's place among the 32, the addresses in the order of its accesses. */
type Lanes = number[][];

interface Site {
  readonly isLocal: boolean;
  readonly size: number;
  readonly lanes: Lanes;
}

export class MemoryTrace {
  /** The requests that are being collected: of one set of 32 work-items. */
  private readonly sites = new Map<number, Site>();
  private current = -1;
  /** The lines of global memory that the launch has touched: a byte for each, by page. */
  private readonly touched = new Map<number, Uint8Array>();
  /** What was added since the last `flush`, by the number of the site. */
  private readonly added = new Map<number, number[]>();
  private readonly banks = new Uint8Array(TRACE.banks);
  /** The addresses of a request, in ascending order. */
  private readonly starts = new Float64Array(TRACE.items);

  access(site: number, isLocal: boolean, start: number, size: number, item: number): void {
    const set = Math.floor(item / TRACE.items);
    if (set !== this.current) {
      this.finish();
      this.current = set;
    }
    let known = this.sites.get(site);
    if (!known) {
      known = { isLocal, size, lanes: Array.from({ length: TRACE.items }, () => []) };
      this.sites.set(site, known);
    }
    known.lanes[item % TRACE.items]!.push(start);
  }

  /** The work-items go on with other instructions: after a barrier, or in another group. */
  finish(): void {
    for (const [number, site] of this.sites) {
      const added = this.added.get(number) ?? new Array<number>(TRACE_SITE.words).fill(0);
      this.added.set(number, added);
      const most = Math.max(...site.lanes.map(({ length }) => length));
      for (let n = 0; n < most; n++) this.request(site, n, added);
    }
    this.sites.clear();
  }

  private request({ isLocal, size, lanes }: Site, n: number, added: number[]): void {
    let count = 0;
    let isSorted = true;
    for (const list of lanes) {
      if (n >= list.length) continue;
      if (count > 0 && list[n]! < this.starts[count - 1]!) isSorted = false;
      this.starts[count++] = list[n]!;
    }
    const starts = this.starts.subarray(0, count);
    if (!isSorted) starts.sort();
    added[TRACE_SITE.requests]!++;
    added[TRACE_SITE.accesses]! += count;
    if (isLocal) this.fromBanks(starts, size, added);
    else this.fromLines(starts, size, added);
  }

  /** A bank delivers one word in a cycle, to all who ask for it. */
  private fromBanks(starts: Float64Array, size: number, added: number[]): void {
    const { banks } = this;
    banks.fill(0);
    let last = -1;
    let words = 0;
    let most = 0;
    for (const start of starts) {
      const end = Math.floor((start + size - 1) / TRACE.bankBytes);
      for (let word = Math.max(last + 1, Math.floor(start / TRACE.bankBytes)); word <= end; word++) {
        words++;
        most = Math.max(most, ++banks[word % TRACE.banks]!);
      }
      last = Math.max(last, end);
    }
    added[TRACE_SITE.localRequests]!++;
    added[TRACE_SITE.cycles]! += most;
    added[TRACE_SITE.leastCycles]! += Math.ceil(words / TRACE.banks);
  }

  private fromLines(starts: Float64Array, size: number, added: number[]): void {
    let last = -1;
    let lines = 0;
    let bytes = 0;
    let previous = -1;
    for (const start of starts) {
      if (start !== previous) bytes += size;
      previous = start;
      const end = Math.floor((start + size - 1) / TRACE.lineBytes);
      for (let line = Math.max(last + 1, Math.floor(start / TRACE.lineBytes)); line <= end; line++) {
        lines++;
        if (this.touch(line)) added[TRACE_SITE.newLines]!++;
      }
      last = Math.max(last, end);
    }
    added[TRACE_SITE.lines]! += lines;
    added[TRACE_SITE.leastLines]! += Math.ceil(bytes / TRACE.lineBytes);
  }

  /** Whether the launch touches a line for the first time. */
  private touch(line: number): boolean {
    const page = Math.floor((line * TRACE.lineBytes) / PAGE);
    let lines = this.touched.get(page);
    if (!lines) {
      lines = new Uint8Array(PAGE / TRACE.lineBytes);
      this.touched.set(page, lines);
    }
    const at = line % lines.length;
    if (lines[at]) return false;
    lines[at] = 1;
    return true;
  }

  /** Adds what is new to the launch's description. */
  flush(memory: Uint8Array, address: number): void {
    this.finish();
    this.current = -1;
    const view = new DataView(memory.buffer);
    for (const [site, added] of this.added)
      added.forEach((value, word) => {
        const at = address + (site * TRACE_SITE.words + word) * 8;
        view.setFloat64(at, view.getFloat64(at, true) + value, true);
      });
    this.added.clear();
  }
}
