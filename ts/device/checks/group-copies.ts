// SPDX-License-Identifier: MIT
//
// The asynchronous copies of a work-group: all of its work-items must make the same ones in the same order, and wait for the same
// events. A copy is over when the group has waited for its event.
import type { CheckSite } from '../../base/checks';
import type { Extent } from './objects';

/** A copy of `count` elements, `stride` elements apart on one side. */
export interface Copy {
  readonly to: number;
  readonly from: number;
  readonly count: number;
  readonly stride: number;
  /** The event that it joins; 0 for a new one. */
  readonly event: number;
}

/** One side of a copy: its first byte, the distance of its elements, how many bytes it spans, the object. */
export interface Side {
  readonly start: number;
  readonly step: number;
  readonly bytes: number;
  readonly extent: Extent | undefined;
}

export function sidesOf(
  { size, region, source, gather }: CheckSite,
  { to, from, count, stride }: Copy,
  extentOf: (region: number, start: number) => Extent | undefined,
): { readonly to: Side; readonly from: Side } {
  const side = (start: number, object: number, isStrided: boolean): Side => {
    const step = size! * (isStrided ? stride : 1);
    return { start, step, bytes: (count - 1) * step + size!, extent: extentOf(object, start) };
  };
  return { to: side(to, region!, gather === false), from: side(from, source!, gather === true) };
}

interface GroupCopy extends Copy {
  readonly site: number;
  readonly ownEvent: number;
  isOver: boolean;
}

export class GroupCopies {
  private readonly copies: GroupCopy[] = [];
  /** By work-item: how many copies it has made. */
  private made = new Map<number, number>();
  private items = 0;
  private events = 0;
  /** The events that the first work-item at a wait has given. */
  private waited: readonly number[] | undefined;
  private isReported = false;

  beginGroup(items: number): void {
    this.items = items;
    // Each group comes here, and each of its barriers below: most have no copies.
    if (this.copies.length > 0) {
      this.copies.length = 0;
      this.made.clear();
    }
    this.events = 0;
    this.waited = undefined;
    this.isReported = false;
  }

  /** The copy's event, and whether this work-item is the first to make it, or others have made another one in its place. */
  make(site: number, copy: Copy, item: number): { event: number; as: 'first' | 'same' | 'other' } {
    const number = this.made.get(item) ?? 0;
    this.made.set(item, number + 1);
    const known = this.copies[number];
    if (!known) {
      const isKnown = copy.event > 0 && copy.event <= this.events;
      const ownEvent = isKnown ? copy.event : ++this.events;
      this.copies.push({ ...copy, site, ownEvent, isOver: false });
      return { event: ownEvent, as: 'first' };
    }
    const { to, from, count, stride } = known;
    const isSame =
      known.site === site &&
      to === copy.to &&
      from === copy.from &&
      count === copy.count &&
      stride === copy.stride;
    return { event: known.ownEvent, as: isSame ? 'same' : 'other' };
  }

  /** Whether an event is one of a copy. */
  isEvent(event: number): boolean {
    return event > 0 && event <= this.events;
  }

  /** Whether a work-item waits for what the others wait for. */
  wait(events: readonly number[]): boolean {
    this.waited ??= events;
    return this.waited.join() === events.join();
  }

  /** All work-items have arrived at a barrier: what they have waited for is over. */
  barrier(): void {
    const over = this.waited;
    this.waited = undefined;
    if (!over) return;
    for (const copy of this.copies) if (over.includes(copy.ownEvent)) copy.isOver = true;
  }

  /** Copies that may still be going on. */
  get open(): readonly (Copy & { readonly site: number })[] {
    return this.copies.length === 0 ? this.copies : this.copies.filter(({ isOver }) => !isOver);
  }

  /** A copy that some work-items have made and others have not, although all have arrived at a barrier or at the end. */
  get divergent(): number | undefined {
    if (this.isReported || this.copies.length === 0) return undefined;
    for (let item = 0; item < this.items; item++) {
      const made = this.made.get(item) ?? 0;
      if (made >= this.copies.length) continue;
      this.isReported = true;
      return this.copies[made]!.site;
    }
    return undefined;
  }
}
