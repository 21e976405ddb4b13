// SPDX-License-Identifier: MIT
//
// The description of a checked launch in the device's memory, and its faults when it has run.
import {
  CHECK_BLOCK,
  type CheckTable,
  checkBlockLayout,
  PATTERN,
  REGION,
  SAFE_BYTES,
} from '../../../base/checks';
import type { Fault, FaultRecord } from '../../../base/faults';
import type { KernelSignature } from '../../../base/kernel-abi';
import { type MemoryTraffic, TRACE_SITE, trafficOf } from '../../../base/memory-traffic';
import type { CheckedMemory } from '../../../device/checks/checked-memory';
import { LOCAL_ARGUMENT } from '../../../device/checks/objects';
import type { Device } from '../../../device/device';
import type { Block } from '../../../device/memory/allocator';
import { Literal } from '../launch/literal';
import { allocate } from '../memory/allocate';
import { SoftwareMemory } from '../memory/memory';
import { SoftwareSvm } from '../memory/svm';
import type { ArgumentValue } from '../programs/kernel-arguments';
import type { AlikeObjects } from '../proofs/alike-objects';
import type { PatternProof } from '../proofs/prove';
import { faultOf } from './faults';
import { forbiddenOf } from './forbidden';
import { type Described, readableBytes } from './readable';

const REPORT_BYTES = 1 << 20;
/** The size of an object with a known address and unknown size. */
const UNBOUNDED = 0x7fffffff;

const NOTHING: Described = { base: 0, size: 0, written: 0, forbidden: 0 };

export interface LaunchToCheck {
  readonly device: Device;
  readonly memory: CheckedMemory;
  readonly signature: KernelSignature;
  readonly values: readonly (ArgumentValue | undefined)[];
  /** Address of the dispatch block with the arguments. */
  readonly dispatch: number;
  readonly globals: { readonly address: number; readonly size: number };
  readonly source: ((file: string) => string | undefined) | undefined;
  /** Whether the first group's accesses stand for those of all. */
  readonly pattern: PatternProof | undefined;
  /** The objects that all groups access as the first one does. */
  readonly alike?: AlikeObjects | undefined;
}

/** A launch whose faults are collected. */
export class LaunchChecks {
  readonly faults: Fault[] = [];
  readonly address: number;
  /** What the accesses cost, once the launch has run. */
  memoryTraffic: readonly MemoryTraffic[] | undefined;
  private readonly block;
  private readonly pattern: Block | undefined;
  private readonly traffic: Block | undefined;
  private readonly reports: number;

  constructor(
    private readonly launch: LaunchToCheck,
    private readonly table: CheckTable,
  ) {
    const { device, memory, globals } = launch;
    this.prepareCopies();
    const others = [...memory.all].map(({ address, size, bits }) => ({
      base: address,
      size,
      written: bits?.address ?? 0,
      forbidden: 0,
    }));
    const regions = [
      ...launch.signature.arguments.map((_, index) => this.argument(index)),
      { base: globals.address, size: globals.size, written: 0, forbidden: 0 },
      ...others,
    ];
    const layout = checkBlockLayout(regions.length);
    const bytes = layout.reports + REPORT_BYTES;
    this.block = allocate(device, bytes, 64, 'clEnqueueNDRangeKernel');
    this.address = this.block.address;
    this.reports = this.address + layout.reports;
    const { u8, i32 } = device.memory;
    u8.fill(0, this.address, this.address + layout.zeros + SAFE_BYTES);
    const set = (offset: number, value: number) => {
      i32[(this.address + offset) >>> 2] = value;
    };
    set(CHECK_BLOCK.launch, memory.nextLaunch());
    set(CHECK_BLOCK.regions, regions.length);
    set(CHECK_BLOCK.reportCapacity, REPORT_BYTES);
    set(CHECK_BLOCK.budget, memory.loopBudget);
    const { alike } = launch;
    set(CHECK_BLOCK.alike, alike?.regions ?? 0);
    const pattern = launch.pattern ?? (alike && alike.wide.length > 0 ? alike : undefined);
    if (pattern) {
      this.pattern = this.describe(pattern);
      set(CHECK_BLOCK.pattern, this.pattern.address);
    }
    if (table.countsTraffic) {
      const bytes = Math.max(1, table.sites.length) * TRACE_SITE.words * 8;
      this.traffic = allocate(device, bytes, 64, 'clEnqueueNDRangeKernel');
      device.memory.u8.fill(0, this.traffic.address, this.traffic.address + bytes);
      set(CHECK_BLOCK.traffic, this.traffic.address);
    }
    for (const [index, { base, size, written, forbidden }] of regions.entries()) {
      const at = CHECK_BLOCK.header + index * REGION.bytes;
      set(at + REGION.base, base);
      set(at + REGION.size, size);
      set(at + REGION.written, written);
      set(at + REGION.forbidden, forbidden);
    }
    for (const [index, readable] of readableBytes(table, regions, u8).entries())
      set(CHECK_BLOCK.header + index * REGION.bytes + REGION.readable, readable);
  }

  private describe({ wide }: Pick<PatternProof, 'wide'>): Block {
    const { device } = this.launch;
    const block = allocate(
      device,
      PATTERN.header + wide.length * PATTERN.entry,
      64,
      'clEnqueueNDRangeKernel',
    );
    const words = [0, wide.length, ...wide.flatMap(({ access, first, bytes }) => [access, first, bytes])];
    device.memory.i32.set(words, block.address >>> 2);
    return block;
  }

  /** Whether the groups that have run had a fault, or other groups may have one that these do not show. */
  get hasFault(): boolean {
    const { i32 } = this.launch.device.memory;
    const word = (address: number) => i32[address >>> 2]!;
    return (
      word(this.address + CHECK_BLOCK.reportBytes) !== 0 ||
      word(this.address + CHECK_BLOCK.lost) !== 0 ||
      (this.pattern !== undefined && word(this.pattern.address + PATTERN.broken) !== 0)
    );
  }

  /** Copies take bytes without contents to buffers that were complete. */
  private prepareCopies(): void {
    const { memory, values } = this.launch;
    for (const { action, region = -1 } of this.table.sites) {
      if (action !== 'copy') continue;
      const value = values[region];
      if (region < 0) memory.mayLoseContents();
      else if (value?.kind === 'word' && this.launch.signature.arguments[region]!.kind === 'buffer')
        memory.mayLoseContents(value.word);
    }
  }

  private argument(index: number): Described {
    const { device, memory, signature, values, dispatch } = this.launch;
    const value = values[index];
    if (value?.kind === 'local')
      return {
        base: device.memory.i32[(dispatch + signature.arguments[index]!.offset) >>> 2]!,
        size: value.bytes,
        written: LOCAL_ARGUMENT,
        forbidden: 0,
      };
    if (value?.kind !== 'word' || signature.arguments[index]!.kind !== 'buffer' || value.word === 0)
      return NOTHING;
    const { word, uses } = value;
    const written = memory.bitsOf(word);
    if (uses instanceof SoftwareMemory)
      return { base: word, size: uses.size, written, forbidden: forbiddenOf(uses) };
    if (uses instanceof SoftwareSvm) return { base: word, size: uses.size, written, forbidden: 0 };
    if (uses instanceof Literal) return { base: word, size: uses.size, written: 0, forbidden: 0 };
    const range = [...memory.all].find(({ address, size }) => word >= address && word < address + size);
    if (range) return { base: word, size: range.address + range.size - word, written, forbidden: 0 };
    return { base: word, size: UNBOUNDED, written: 0, forbidden: 0 };
  }

  /** Reads the reports and frees the memory. */
  finish(onFaults: ((faults: readonly Fault[]) => void) | undefined): void {
    const { memory } = this.launch.device;
    const merged = new Map<string, FaultRecord>();
    for (const record of this.records()) {
      const { kind, site, object, other } = record;
      // Which of the two accesses of a race comes first differs between work-items.
      const places = [this.placeOf(site), other && this.placeOf(other.site)].map((place) =>
        JSON.stringify(place),
      );
      const key = JSON.stringify([kind, places.sort(), object]);
      const known = merged.get(key);
      const { hasMore } = record;
      const added = known && { ...known, count: known.count + record.count, ...(hasMore ? { hasMore } : {}) };
      merged.set(key, added ?? record);
    }
    for (const record of merged.values()) this.faults.push(faultOf(record, this.table, this.launch));
    this.memoryTraffic = this.readTraffic();
    memory.free(this.block);
    if (this.pattern) memory.free(this.pattern);
    if (this.faults.length > 0) onFaults?.(this.faults);
  }

  private readTraffic(): readonly MemoryTraffic[] | undefined {
    if (!this.traffic) return undefined;
    const { memory } = this.launch.device;
    const view = new DataView(memory.memory.buffer, this.traffic.address);
    const traffic = trafficOf(this.table, (site, word) =>
      view.getFloat64((site * TRACE_SITE.words + word) * 8, true),
    );
    memory.free(this.traffic);
    return traffic;
  }

  /** Faults of one place are one report: each component of a vector has its own site. */
  private placeOf(site: number): unknown {
    return this.table.sites[site]!.place ?? site;
  }

  private *records(): Generator<FaultRecord> {
    const { u8, i32 } = this.launch.device.memory;
    const used = Math.min(i32[(this.address + CHECK_BLOCK.reportBytes) >>> 2]!, REPORT_BYTES);
    const decoder = new TextDecoder();
    for (let at = 0; at + 4 <= used; ) {
      const length = i32[(this.reports + at) >>> 2]!;
      const start = this.reports + at + 4;
      if (length <= 0 || at + 4 + length > used) return;
      yield JSON.parse(decoder.decode(u8.slice(start, start + length))) as FaultRecord;
      at += 4 + Math.ceil(length / 4) * 4;
    }
  }
}
