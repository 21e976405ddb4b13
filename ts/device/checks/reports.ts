// SPDX-License-Identifier: MIT
//
// The faults of a launch, each once with its number, as records in the launch's description.
import { CHECK_BLOCK, type FaultKind } from '../../base/checks';
import type { FaultRecord } from '../../base/faults';
import { where } from './bounds';
import type { Extent } from './objects';
import type { Earlier } from './races';
import type { WorkItems } from './work-items';

/** The most different faults of one launch. */
const MOST_FAULTS = 1000;
/** From this many races of the same two sites on, more of them are not looked for. */
export const MANY_RACES = 100;

type Fault = Omit<FaultRecord, 'count' | 'hasMore'>;

interface Counted {
  readonly fault: Fault;
  count: number;
  /** There may be more. */
  hasMore: boolean;
}

export class Reports {
  private readonly counts = new Map<string, Counted>();
  /** Of the last race of each site: some kernels have millions of one race. */
  private readonly lastRaces = new Map<
    number,
    { other: number; extent: Extent | undefined; counted: Counted }
  >();
  private readonly encoder = new TextEncoder();
  /** Whether the launch has had no fault. */
  isEmpty = true;

  /**
   * @param ignore called when two sites have raced often enough; returns whether more of their races will not be reported
   * @param onFault called for each fault, also for those that were reported before
   */
  constructor(
    private readonly items: WorkItems,
    private readonly ignore: (site: number, other: number) => boolean,
    private readonly onFault?: (fault: Fault) => void,
  ) {}

  add(kind: FaultKind, site: number, item: number, more: Partial<FaultRecord> = {}): void {
    const { object, other } = more;
    const key = `${kind} ${site} ${object ? `${object.of} ${object.index}` : ''} ${other?.site ?? ''}`;
    this.count(key, () => this.described(kind, site, item, more));
  }

  /** Adds a race of an access with an earlier one. */
  addRace(site: number, item: number, earlier: Earlier, extent: Extent | undefined, start: number): void {
    const last = this.lastRaces.get(site);
    let counted: Counted | undefined;
    if (last && !this.onFault && last.other === earlier.site && last.extent === extent) {
      counted = last.counted;
      counted.count++;
    } else {
      counted = this.countRace(site, item, earlier, extent, start);
      if (counted) this.lastRaces.set(site, { other: earlier.site, extent, counted });
    }
    if (counted?.count === MANY_RACES) counted.hasMore = this.ignore(site, earlier.site);
  }

  private countRace(
    site: number,
    item: number,
    earlier: Earlier,
    extent: Extent | undefined,
    start: number,
  ): Counted | undefined {
    const key = `race ${site} ${extent ? `${extent.of} ${extent.index}` : ''} ${earlier.site}`;
    return this.count(key, () => {
      const other = this.items.item(earlier.item, earlier.group);
      const more = { other: { site: earlier.site, ...(other ? { item: other } : {}) } };
      return this.described('race', site, item, { ...where(extent, start), ...more });
    });
  }

  /** `describe` is called only for the first of equal ones. Returns what counts these, if there was one before. */
  private count(key: string, describe: () => Fault): Counted | undefined {
    this.onFault?.(describe());
    this.isEmpty = false;
    const known = this.counts.get(key);
    if (known) known.count++;
    else if (this.counts.size < MOST_FAULTS)
      this.counts.set(key, { fault: describe(), count: 1, hasMore: false });
    return known;
  }

  private described(kind: FaultKind, site: number, item: number, more: Partial<FaultRecord>): Fault {
    const by = this.items.item(item);
    return { ...more, kind, site, ...(by ? { item: by } : {}) };
  }

  /** Writes the faults that were added since the last call. Equal faults may be written again: readers add up their counts. */
  flush(memory: Uint8Array, words: Uint32Array, block: number, start: number): void {
    const header = block >>> 2;
    for (const { fault, count, hasMore } of this.counts.values()) {
      const counted = { ...fault, count, ...(hasMore ? { hasMore } : {}) };
      const bytes = this.encoder.encode(JSON.stringify(counted));
      const used = words[header + (CHECK_BLOCK.reportBytes >>> 2)]!;
      const room = words[header + (CHECK_BLOCK.reportCapacity >>> 2)]!;
      const length = 4 + Math.ceil(bytes.length / 4) * 4;
      if (used + length > room) {
        words[header + (CHECK_BLOCK.lost >>> 2)]! += count;
        continue;
      }
      words[(start + used) >>> 2] = bytes.length;
      memory.set(bytes, start + used + 4);
      words[header + (CHECK_BLOCK.reportBytes >>> 2)] = used + length;
    }
    this.counts.clear();
    this.lastRaces.clear();
  }
}
