// SPDX-License-Identifier: MIT
//
// The tables of sites and objects that the checks in WebAssembly read (fast-checks.ts).
import { type Check, type CheckRegion, type CheckSite, type CheckTable, FORBIDS } from '../../base/checks';
import type { Extent, Objects } from './objects';
import { keepsReads } from './races';
import { IS, KIND, LAYOUT, MAY, REGION_ENTRY } from './shadow-layout';
import type { ShadowMemory } from './shadow-memory';
import { areAllMarked } from './written';

const regionAt = (index: number) => LAYOUT.regions + index * REGION_ENTRY.bytes;

const KINDS: Partial<Record<CheckSite['action'], number>> = {
  read: KIND.read,
  write: KIND.write,
  atomic: KIND.atomic,
};

/** What the code of a site's checks depends on. */
export interface SiteShape {
  readonly kind: number;
  /** The memory that it accesses. */
  readonly space: 'private' | 'local' | 'global' | 'unknown';
  /** The address of the object's entry (`REGION_ENTRY`); of private objects, their size. */
  readonly region: number;
  readonly bytes: number;
  readonly offset: number;
  readonly size: number;
  /** The alignment less 1; 0 if it is not checked. */
  readonly mask: number;
  /** `MAY` */
  readonly needs: number;
  /** Bytes that are read must have contents; bytes have contents afterwards. */
  readonly needsContents: boolean;
  readonly givesContents: boolean;
  readonly races: boolean;
  /** `keepsReads` */
  readonly keepsReads: boolean;
  /** Of atomics: whether they order accesses of other groups; whether it is known only afterwards what they were. */
  readonly orders: boolean;
  readonly isDecidedLater: boolean;
}

export class ShadowTables {
  /** The entry of each site whose pointer has an unknown origin: the object that it was in the last time. */
  private readonly own = new Map<number, number>();
  private readonly keepsReads: boolean;
  private readonly has: Readonly<Record<'bounds' | 'uninitialized' | 'races', boolean>>;

  constructor(
    private readonly memory: ShadowMemory,
    private readonly table: CheckTable,
  ) {
    const has = (check: Check) => table.checks.includes(check);
    this.keepsReads = keepsReads(table);
    this.has = { bounds: has('bounds'), uninitialized: has('uninitialized'), races: has('races') };
    let entries = table.regions.length;
    for (const [number, { action, region }] of table.sites.entries())
      if (action in KINDS && (region ?? -1) < 0) this.own.set(number, entries++);
  }

  /** Whether there is room for a kernel's sites and objects. */
  static canHold({ sites, regions }: CheckTable): boolean {
    return regions.length + sites.length <= LAYOUT.mostRegions;
  }

  /** Undefined for sites that TypeScript checks. */
  shapeOf(number: number): SiteShape | undefined {
    const { table, has, own } = this;
    const site = table.sites[number]!;
    const { action, region: index = -1, offset = 0, size = 0, align = 1 } = site;
    const isAtomic = action === 'atomic';
    if (!(action in KINDS) || (isAtomic && site.releases)) return undefined;
    const region = table.regions[index];
    return {
      kind: site.changes === 'never' || site.isVolatile ? KIND.atomicRead : KINDS[action]!,
      space: region ? spaceOf(region) : 'unknown',
      region: regionAt(region ? index : (own.get(number) ?? 0)),
      bytes: region?.size ?? 0,
      offset,
      size,
      mask: has.bounds ? align - 1 : 0,
      needs: action === 'read' ? MAY.read : MAY.write,
      needsContents: site.mustBeWritten === true,
      givesContents: has.uninitialized && action !== 'read',
      races: has.races,
      keepsReads: this.keepsReads,
      orders: site.allGroups === true,
      isDecidedLater: site.changes === 'perhaps',
    };
  }

  /** A launch with these objects begins. */
  beginLaunch(objects: Objects, bytes: Uint8Array): void {
    if (!this.memory.memory) return;
    for (const index of this.table.regions.keys()) {
      const extent = objects.extent(index);
      if (extent) this.setRegion(index, extent, bytes);
    }
    for (const entry of this.own.values()) this.memory.set(regionAt(entry) + REGION_ENTRY.flags, 0);
  }

  /** A pointer of unknown origin was found to point into this object. */
  found(site: number, extent: Extent, bytes: Uint8Array): void {
    const entry = this.own.get(site);
    if (entry !== undefined && this.memory.memory) this.setRegion(entry, extent, bytes);
  }

  /** Bytes of a buffer have no contents any more. */
  forgetContents(): void {
    const { memory } = this;
    if (!memory.memory) return;
    const entries = this.table.regions.length + this.own.size;
    for (let index = 0; index < entries; index++) {
      const at = regionAt(index) + REGION_ENTRY.flags;
      memory.set(at, memory.get(at) & ~IS.written);
    }
  }

  private setRegion(index: number, { base, size, forbidden, written }: Extent, bytes: Uint8Array): void {
    const { memory, has } = this;
    const may = (bit: number) => !has.bounds || (forbidden & bit) === 0;
    const isWritten = !has.uninitialized || written === 0 || areAllMarked(bytes, written, size);
    const at = regionAt(index);
    memory.set(at + REGION_ENTRY.base, base);
    memory.set(at + REGION_ENTRY.size, size);
    memory.set(
      at + REGION_ENTRY.flags,
      (may(FORBIDS.reads) ? MAY.read : 0) |
        (may(FORBIDS.writes) ? MAY.write : 0) |
        (isWritten ? IS.written : 0),
    );
  }
}

function spaceOf({ kind, isLocal }: CheckRegion): SiteShape['space'] {
  if (kind === 'private' || kind === 'local') return kind;
  return isLocal ? 'local' : 'global';
}
