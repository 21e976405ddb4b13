// SPDX-License-Identifier: MIT
//
// The tables of sites and objects that the checks in WebAssembly read (fast-checks.ts).
import { type Check, type CheckSite, type CheckTable, FORBIDDEN } from '../../base/checks';
import type { Extent, Objects } from './objects';
import { DOES, IS, KIND, LAYOUT, MAY, REGION_ENTRY, SITE_ENTRY } from './shadow-layout';
import type { ShadowMemory } from './shadow-memory';
import { areAllMarked } from './written';

const regionAt = (index: number) => LAYOUT.regions + index * REGION_ENTRY.bytes;

const KINDS: Partial<Record<CheckSite['action'], number>> = {
  read: KIND.read,
  write: KIND.write,
  atomic: KIND.atomic,
};

export class ShadowTables {
  /** The entry of each site whose pointer has an unknown origin: the object that it was in the last time. */
  private readonly own = new Map<number, number>();
  private readonly has: Readonly<Record<'bounds' | 'uninitialized' | 'races', boolean>>;

  constructor(
    private readonly memory: ShadowMemory,
    private readonly table: CheckTable,
  ) {
    const has = (check: Check) => table.checks.includes(check);
    this.has = { bounds: has('bounds'), uninitialized: has('uninitialized'), races: has('races') };
    let entries = table.regions.length;
    for (const [number, { action, region }] of table.sites.entries())
      if (action in KINDS && (region ?? -1) < 0) this.own.set(number, entries++);
    if (!memory.memory) return;
    for (const [number, site] of table.sites.entries()) this.describe(number, site);
  }

  /** Whether there is room for a kernel's sites and objects. */
  static canHold({ sites, regions }: CheckTable): boolean {
    return sites.length <= LAYOUT.mostSites && regions.length + sites.length <= LAYOUT.mostRegions;
  }

  private describe(number: number, site: CheckSite): void {
    const { memory, table, has, own } = this;
    const { action, region = -1, offset = 0, size = 0, align = 1 } = site;
    const at = LAYOUT.sites + number * SITE_ENTRY.bytes;
    const set = (field: number, value: number) => memory.set(at + field, value);
    const isFast = action in KINDS && !(action === 'atomic' && site.releases);
    set(SITE_ENTRY.kind, isFast ? (site.changes === 'never' ? KIND.atomicRead : KINDS[action]!) : KIND.slow);
    set(SITE_ENTRY.offset, offset);
    set(SITE_ENTRY.size, size);
    set(SITE_ENTRY.mask, has.bounds ? align - 1 : 0);
    const entry = region < 0 ? (own.get(number) ?? 0) : region;
    set(SITE_ENTRY.region, regionAt(entry));
    set(SITE_ENTRY.needs, action === 'read' ? MAY.read : MAY.write);
    const does = [
      [site.mustBeWritten === true, DOES.needsContents],
      [has.uninitialized && action !== 'read', DOES.givesContents],
      [has.races, DOES.races],
      [site.allGroups === true, DOES.orders],
      [site.changes === 'perhaps', DOES.isDecidedLater],
    ] as const;
    set(
      SITE_ENTRY.does,
      does.reduce((all, [is, bit]) => (is ? all | bit : all), 0),
    );
    if (region >= 0 && table.regions[region]!.kind === 'private') {
      memory.set(regionAt(region) + REGION_ENTRY.size, table.regions[region]!.size!);
      memory.set(regionAt(region) + REGION_ENTRY.flags, MAY.read | MAY.write | IS.private);
    }
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
      (may(FORBIDDEN.reads) ? MAY.read : 0) |
        (may(FORBIDDEN.writes) ? MAY.write : 0) |
        (isWritten ? IS.written : 0),
    );
  }
}
