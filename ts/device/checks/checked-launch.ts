// SPDX-License-Identifier: MIT
//
// Answers a checked kernel's calls while one launch runs.
import {
  CHECK_BLOCK,
  type CheckSite,
  type CheckTable,
  FAULTY_COPY,
  type FaultKind,
  ORIGIN,
} from '../../base/checks';
import type { FaultRecord } from '../../base/faults';
import { type Arrival, BarrierRound, GroupStop } from './barriers';
import { faultOfAccess, faultOutside, where } from './bounds';
import { Contents } from './contents';
import { type Copy, GroupCopies, sidesOf } from './group-copies';
import type { KernelShadow } from './kernel-shadow';
import { LoopBudget } from './loops';
import { MemoryTrace } from './memory-trace';
import { type Arena, type Extent, Objects } from './objects';
import { Origins } from './origins';
import { Pattern } from './pattern';
import { PendingWrite } from './pending-write';
import type { AccessKind, RaceState, Races } from './races';
import { Reports } from './reports';
import { STATE } from './shadow-layout';
import { shownText } from './shown';
import { SubGroupRounds } from './sub-group-rounds';
import { WorkItems } from './work-items';

export class CheckedLaunch {
  private readonly objects: Objects;
  private readonly items: WorkItems;
  private readonly barriers: BarrierRound;
  private readonly subGroups = new SubGroupRounds();
  private readonly loops: LoopBudget;
  private readonly copies = new GroupCopies();
  private pattern: Pattern | undefined;
  private readonly reports: Reports;
  private readonly places: { zeros: number; sink: number; reports: number };
  private readonly pending: PendingWrite;
  private readonly contents: Contents;
  private readonly origins: Origins;
  private readonly races: RaceState | undefined;
  private readonly state: Int32Array;
  private readonly trafficAt: number;
  private readonly trace: MemoryTrace | undefined;
  private readonly has: Readonly<Record<'bounds' | 'uninitialized' | 'barriers', boolean>>;
  /** Whether bytes without contents were copied, or found where that is not a fault by itself. */
  private hasMissing = false;
  /** Whether the first group has run. */
  private hasFirst = false;
  /** The work-items of this group that have executed a fence. */
  private readonly fenced = new Set<number>();

  constructor(
    private memory: Uint8Array,
    private words: Uint32Array,
    dispatch: number,
    private readonly block: number,
    arena: Arena,
    private readonly table: CheckTable,
    private readonly shadow: KernelShadow,
    /** Called for each fault, also for those that were reported before. */
    onFault?: (fault: Omit<FaultRecord, 'count'>) => void,
  ) {
    this.objects = new Objects(words, block, table, arena);
    this.origins = new Origins(this.objects);
    this.places = Objects.safePlaces(words, block);
    this.races = shadow.races;
    this.state = shadow.memory.state;
    this.barriers = new BarrierRound(this.state);
    this.contents = new Contents(shadow, arena, table.granule);
    shadow.tables.beginLaunch(this.objects, memory);
    this.has = {
      bounds: table.checks.includes('bounds'),
      uninitialized: table.checks.includes('uninitialized'),
      barriers: table.checks.includes('barriers'),
    };
    this.items = new WorkItems(words, dispatch);
    // A site's object must be known: races of the two in other objects would be missed.
    const ignore = (site: number, other: number) =>
      !onFault && (table.sites[site]!.region ?? -1) >= 0 && shadow.knownRaces.add(site, other);
    this.reports = new Reports(this.items, ignore, onFault);
    shadow.knownRaces.beginLaunch();
    this.pattern = Pattern.of(words, words[(block + CHECK_BLOCK.pattern) >>> 2]!);
    this.loops = new LoopBudget(words[(block + CHECK_BLOCK.budget) >>> 2]!);
    this.trafficAt = words[(block + CHECK_BLOCK.traffic) >>> 2]!;
    this.trace = this.trafficAt === 0 ? undefined : new MemoryTrace();
    this.state[STATE.begun] = 0;
    this.pending = new PendingWrite(this.state, this.trace !== undefined || this.pattern?.hasWide === true);
    for (const each of this.raceStates()) each.beginLaunch(this.items.mostItems);
  }

  private raceStates(): readonly Races[] {
    return this.races ? [this.races.local, this.races.global] : [];
  }

  /** The memory may have grown since the last call. */
  resume(memory: Uint8Array, words: Uint32Array): void {
    this.memory = memory;
    this.words = words;
  }

  /** After the first group: objects that the others access as it did need no checks, if it had no fault. */
  endGroup(): void {
    const { words, block, items, state, pattern } = this;
    const alike = words[(block + CHECK_BLOCK.alike) >>> 2]!;
    if (alike === 0) return;
    const known = (block + CHECK_BLOCK.known) >>> 2;
    if (this.hasFirst) {
      // By the proof, it cannot be so where an object is not followed any more.
      if (this.hasMissing) words[known] = 0;
      return;
    }
    this.hasFirst = true;
    this.pending.settle(this.memory);
    const isShown = !pattern || pattern.isWhole(words);
    this.pattern = undefined;
    this.pending.speedUp();
    if (state[STATE.begun] === 0 || !items.isCurrent(0, 0, 0)) return;
    if (isShown && this.reports.isEmpty && !this.hasMissing) words[known] = alike;
  }

  /** A debugger has written the bytes; in private memory, those of this work-item. */
  give(address: number, size: number, item: number): void {
    this.contents.mark(this.memory, this.objects.find(address), address, size, item, true);
  }

  flush(): void {
    this.pending.settle(this.memory);
    this.trace?.flush(this.memory, this.trafficAt);
    this.reports.flush(this.memory, this.words, this.block, this.places.reports);
  }

  // --- the calls

  begin(_site: number, x: number, y: number, z: number, _item: number): undefined {
    this.pending.settle(this.memory);
    if (this.items.isCurrent(x, y, z)) return undefined;
    this.trace?.finish();
    const count = this.items.begin(x, y, z);
    // Each group comes here, so there are no objects.
    this.state[STATE.begun] = 1;
    this.state[STATE.group] = x;
    this.state[STATE.group + 1] = y;
    this.state[STATE.group + 2] = z;
    this.shadow.written.beginGroup(count);
    this.barriers.beginGroup(count);
    this.subGroups.beginGroup();
    this.loops.beginGroup(count);
    this.copies.beginGroup(count);
    this.pattern?.beginGroup();
    this.origins.beginGroup();
    if (this.fenced.size > 0) this.fenced.clear();
    this.state[STATE.fenced] = 0;
    this.races?.local.beginGroup();
    this.races?.global.beginGroup();
    return undefined;
  }

  access(number: number, address: number, base: number, item: number): number {
    this.pending.settle(this.memory, number, item);
    const site = this.table.sites[number]!;
    const start = (address >>> 0) + site.offset!;
    const extent = this.extentOf(site, start, base >>> 0);
    if (site.action === 'copy') {
      if (extent) this.contents.mark(this.memory, extent, extent.base, extent.size, item, true);
      return address;
    }
    const size = site.size!;
    if (this.trace && !this.objects.isPrivate(start))
      this.trace.access(number, this.objects.isInArena(start), start, size, item);
    if (!this.isInside(number, extent, start, size, item)) {
      const safe = site.action === 'read' ? this.places.zeros : this.places.sink;
      return (safe - site.offset!) | 0;
    }
    if (this.has.bounds) {
      if (start % site.align! !== 0) this.fault('misaligned', number, item, where(extent, start));
      const forbidden = faultOfAccess(extent, site.action);
      if (forbidden) this.fault(forbidden, number, item, where(extent, start));
    }
    if (this.pattern && extent && this.objects.isInArena(start))
      this.checkPattern(number, site, extent, item);
    this.checkWritten(number, site, extent, start, item);
    if (this.races && !this.objects.isPrivate(start)) this.checkRace(number, site, extent, start, item);
    if (extent && site.region! < 0) this.shadow.tables.found(number, extent, this.memory);
    return address;
  }

  isUnwritten(number: number, address: number, item: number): number {
    const site = this.table.sites[number]!;
    const start = (address >>> 0) + site.offset!;
    const extent = this.objects.find(start);
    if (extent && site.region! < 0) this.shadow.tables.found(number, extent, this.memory);
    const first = this.contents.firstMissing(this.memory, extent, start, site.size!, item);
    if (first < 0) return 0;
    this.findMissing();
    return this.origins.ofByte(number, extent, start + first, item);
  }

  stored(number: number, origin: number, address: number, item: number): undefined {
    const site = this.table.sites[number]!;
    const start = (address >>> 0) + site.offset!;
    if (site.action !== 'use') this.findMissing();
    this.contents.mark(this.memory, this.objects.find(start), start, site.size!, item, false);
    this.origins.store(start, site.size!, item, site.action === 'use' ? ORIGIN.ofSite(number) : origin);
    return undefined;
  }

  copied(number: number, to: number, from: number, item: number): undefined {
    const side = (start: number) => ({ extent: this.objects.find(start), start, step: 0 });
    const size = this.table.sites[number]!.size!;
    const [target, source] = [side(to >>> 0), side(from >>> 0)];
    if (this.contents.copy(this.memory, target, source, 1, size, item)) return undefined;
    this.findMissing();
    const { extent, start } = source;
    for (let byte = 0; byte < size; byte++)
      if (this.contents.firstMissing(this.memory, extent, start + byte, 1, item) === 0)
        this.origins.copy(number, extent, start + byte, target.start + byte, item);
    return undefined;
  }

  exchanged(number: number, address: number, item: number, isDone: number): undefined {
    const site = this.table.sites[number]!;
    const start = (address >>> 0) + site.offset!;
    if (!this.races || this.objects.isPrivate(start)) return undefined;
    const kind = isDone ? 'atomic' : 'atomic-read';
    const earlier = this.racesOf(start).access(kind, start, site.size!, item, number);
    if (earlier) this.reports.addRace(number, item, earlier, this.extentOf(site, start, 0), start);
    return undefined;
  }

  fence(_site: number, item: number): undefined {
    this.fenced.add(item);
    this.state[STATE.fenced] = this.fenced.size;
    return undefined;
  }

  subGroup(number: number, item: number, subGroup: number, size: number): undefined {
    this.pending.settle(this.memory);
    const { action, isOfSubGroup, orders } = this.table.sites[number]!;
    if (this.has.barriers) {
      const own = { site: number, item, isEnd: action === 'end' };
      const other = this.subGroups.arrive(own, subGroup, size);
      if (other) this.diverge(own, other);
    }
    if (!isOfSubGroup) return undefined;
    if (orders?.local) this.races?.local.subGroupBarrier(number, item, subGroup);
    if (orders?.global) this.races?.global.subGroupBarrier(number, item, subGroup);
    return undefined;
  }

  report(number: number, item: number, values: readonly bigint[], flag = 0): undefined {
    const { action, shown } = this.table.sites[number]!;
    const origin = action === 'uninitialized' ? this.origins.get(flag) : undefined;
    const more = origin
      ? { origin }
      : shown
        ? { values: shown.map((type, i) => shownText(type, values[i]!)) }
        : {};
    this.fault(action as FaultKind, number, item, more);
    return undefined;
  }

  step(number: number, item: number): undefined {
    if (this.loops.step(item)) return undefined;
    this.fault('endless-loop', number, item);
    throw new GroupStop();
  }

  arrive(number: number, item: number): undefined {
    this.pending.settle(this.memory);
    const isEnd = this.table.sites[number]!.action === 'end';
    const result = this.barriers.arrive(number, item, isEnd);
    if (result === false) return undefined;
    if (result === true) {
      const { orders } = this.table.sites[number]!;
      if (orders?.local) this.races?.local.barrier();
      if (orders?.global) this.races?.global.barrier();
      if (orders?.local) this.pattern?.barrier();
      this.afterBarrier(isEnd);
      return undefined;
    }
    this.diverge({ site: number, item, isEnd }, result);
  }

  /** Reports what two work-items have reached, at the barrier where one of them has ended, and ends the group. */
  private diverge(one: Arrival, another: Arrival | 'nothing'): never {
    if (this.has.barriers) {
      const [at, other] = one.isEnd && another !== 'nothing' ? [another, one] : [one, another];
      const more =
        other === 'nothing' ? {} : { other: { site: other.site, item: this.items.item(other.item)! } };
      this.fault('divergent-barrier', at.site, at.item, more);
    }
    throw new GroupStop();
  }

  asyncCopy(number: number, copy: Copy, item: number): number {
    this.pending.settle(this.memory);
    const made = this.copies.make(number, { ...copy, event: copy.event & (FAULTY_COPY - 1) }, item);
    if (made.as === 'other') this.fault('divergent-copy', number, item);
    if (made.as !== 'first') return made.event;
    const { to, from } = this.sidesOf(number, copy);
    for (const { extent, start, bytes } of [from, to])
      if (copy.count > 0 && !this.isInside(number, extent, start, bytes, item)) {
        // Reads of what it would have copied are no other faults.
        if (to.extent) this.contents.mark(this.memory, to.extent, to.extent.base, to.extent.size, 0, true);
        return FAULTY_COPY | made.event;
      }
    if (this.has.uninitialized)
      this.contents.copy(this.memory, to, from, copy.count, this.table.sites[number]!.size!, 0);
    this.recordCopy(number, copy);
    return made.event;
  }

  waitEvents(number: number, count: number, list: number, item: number): undefined {
    const events: number[] = [];
    for (let i = 0; i < count; i++) events.push(this.words[(list >>> 2) + i]! & (FAULTY_COPY - 1));
    if (!events.every((event) => this.copies.isEvent(event))) this.fault('invalid-event', number, item);
    else if (!this.copies.wait(events) && this.has.barriers) this.fault('divergent-barrier', number, item);
    return undefined;
  }

  /** All work-items have arrived. Copies that go on may race with what comes next. */
  private afterBarrier(isEnd: boolean): void {
    this.trace?.finish();
    const { copies } = this;
    const divergent = copies.divergent;
    if (divergent !== undefined) this.fault('divergent-copy', divergent, this.items.mostItems);
    copies.barrier();
    for (const copy of copies.open) {
      if (isEnd) this.fault('unwaited-copy', copy.site, this.items.mostItems);
      else this.recordCopy(copy.site, copy);
    }
  }

  // --- copies by the whole group

  private sidesOf(number: number, copy: Copy) {
    return sidesOf(this.table.sites[number]!, copy, (region, start) =>
      this.extentOf({ action: 'copy', region }, start, 0),
    );
  }

  /** Its accesses are those of a work-item that the group does not have. */
  private recordCopy(number: number, copy: Copy): void {
    if (!this.races) return;
    const { size } = this.table.sites[number]!;
    const { to, from } = this.sidesOf(number, copy);
    const item = this.items.mostItems;
    for (let i = 0; i < copy.count; i++)
      for (const [kind, { start, step, extent }] of [['read', from] as const, ['write', to] as const]) {
        const at = start + i * step;
        const earlier = this.racesOf(at).access(kind, at, size!, item, number);
        if (earlier) this.reports.addRace(number, item, earlier, extent, at);
      }
  }

  // --- accesses

  private checkPattern(number: number, site: CheckSite, extent: Extent, item: number): void {
    const isShared = !this.objects.isPrivate(extent.base);
    const isWritten = (address: number, bytes: number) =>
      !this.has.uninitialized || this.contents.firstMissing(this.memory, extent, address, bytes, item) < 0;
    if (!this.pattern!.access(number, site, extent, item, isShared, isWritten))
      this.pattern!.break(this.words);
  }

  private extentOf(site: CheckSite, start: number, base: number): Extent | undefined {
    const region = site.region!;
    if (region < 0) return this.objects.find(start);
    const known = this.objects.extent(region);
    if (known) return known;
    const size = this.table.regions[region]!.size!;
    return { base, size, written: 0, forbidden: 0, of: 'kernel', index: region };
  }

  /** Whether an access stays in its object; reports it otherwise. */
  private isInside(
    number: number,
    extent: Extent | undefined,
    start: number,
    size: number,
    item: number,
  ): boolean {
    // Private objects are found only by their origin.
    if (!extent && this.objects.isPrivate(start)) return true;
    const fault = faultOutside(extent, start, size);
    if (!fault) return true;
    if (this.has.bounds) this.fault(fault.kind, number, item, fault.more);
    return false;
  }

  private checkWritten(
    number: number,
    site: CheckSite,
    extent: Extent | undefined,
    start: number,
    item: number,
  ): void {
    if (!this.has.uninitialized) return;
    const { action } = site;
    const size = site.size!;
    if (site.mustBeWritten) {
      const first = this.contents.firstMissing(this.memory, extent, start, size, item);
      if (first >= 0) {
        const origin = this.origins.get(this.origins.at(start + first, item));
        const more = origin ? { origin } : {};
        this.fault('uninitialized', number, item, { ...where(extent, start + first), ...more });
      }
    }
    if (action !== 'read') this.contents.mark(this.memory, extent, start, size, item, true);
  }

  private racesOf(address: number): Races {
    return this.objects.isInArena(address) ? this.races!.local : this.races!.global;
  }

  private checkRace(
    number: number,
    site: CheckSite,
    extent: Extent | undefined,
    start: number,
    item: number,
  ): void {
    const races = this.racesOf(start);
    let kind = site.action as AccessKind;
    if (kind === 'atomic') {
      const releases = site.releases === true || this.fenced.has(item);
      races.synchronize(item, site.allGroups === true, releases);
      if (site.changes === 'perhaps') return;
      if (site.changes === 'never') kind = 'atomic-read';
    } else if (site.isVolatile) kind = 'atomic-read';
    const earlier = races.access(kind, start, site.size!, item, number);
    if (!earlier) return;
    const report = () => this.reports.addRace(number, item, earlier, extent, start);
    if (kind !== 'write' || earlier.kind !== 'write') report();
    else this.pending.begin(this.memory, { site: number, item, address: start, size: site.size!, report });
  }

  /** Another group may have a fault that this one does not show. */
  private findMissing(): void {
    this.hasMissing = true;
    this.pattern?.break(this.words);
  }

  private fault(kind: FaultKind, site: number, item: number, more: Partial<FaultRecord> = {}): void {
    this.reports.add(kind, site, item, more);
  }
}
