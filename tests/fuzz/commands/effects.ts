// SPDX-License-Identifier: MIT
//
// What a command reads and writes, and what it does to contents: the sequential model of all commands.
import { KERNELS } from './kernels';
import { type Bytes, bytesAt, gather, type Memories, runsOfBox, scatter, sizeOf, wholePlace } from './places';
import { bytesOf, type ImageMemory, type Launch, type Memory, type Work } from './program';

export interface Touched {
  readonly reads: readonly Bytes[];
  readonly writes: readonly Bytes[];
}

/** What the host's array contains where a read does not store. */
export const UNTOUCHED = 0xa5;

export function touched(memories: Memories, work: Work): Touched {
  const at = (places: readonly Parameters<typeof bytesAt>[1][]) =>
    places.map((place) => bytesAt(memories, place));
  switch (work.op) {
    case 'write':
    case 'fill':
      return { reads: [], writes: at([work.to]) };
    case 'read':
      return { reads: at([work.from]), writes: [] };
    case 'copy':
      return { reads: at([work.from]), writes: at([work.to]) };
    case 'migrate':
      return { reads: at(work.memories.map((id) => wholePlace(memories.get(id)!))), writes: [] };
    case 'run':
      return touchedBy(memories, work.launch);
  }
}

export function touchedBy(memories: Memories, launch: Launch): Touched {
  const kind = KERNELS[launch.kernel]!;
  const at = (places: ReturnType<typeof kind.reads>) => places.map((place) => bytesAt(memories, place));
  return { reads: at(kind.reads(launch)), writes: at(kind.writes(launch)) };
}

/** Contents of all memories, as they are after the steps so far. */
export class Contents {
  private readonly bytes = new Map<number, Uint8Array>();

  constructor(private readonly memories: Memories) {}

  create(memory: Memory, contents: Uint8Array): void {
    if (memory.kind !== 'sub' && !(memory.kind === 'image' && memory.over !== undefined))
      this.bytes.set(memory.id, contents);
  }

  /** The bytes of a memory that owns its bytes. */
  of(owner: number): Uint8Array {
    const bytes = this.bytes.get(owner);
    if (!bytes) throw new Error(`memory ${owner} has no contents`);
    return bytes;
  }

  get({ owner, runs }: Bytes): Uint8Array {
    return gather(this.of(owner), runs);
  }

  set({ owner, runs }: Bytes, bytes: Uint8Array): void {
    scatter(this.of(owner), runs, bytes);
  }

  /** Does what the command does. Returns the host's array after a read. */
  apply(work: Work): Uint8Array | undefined {
    switch (work.op) {
      case 'write': {
        const to = bytesAt(this.memories, work.to);
        const host = bytesOf(work.seed, hostSize(work, to));
        this.set(to, work.host ? gather(host, runsOfBox(work.host.box)) : host);
        return undefined;
      }
      case 'fill': {
        const to = bytesAt(this.memories, work.to);
        const size = sizeOf(to.runs);
        this.set(
          to,
          Uint8Array.from({ length: size }, (_, i) => work.pattern[i % work.pattern.length]!),
        );
        return undefined;
      }
      case 'copy':
        this.set(bytesAt(this.memories, work.to), this.get(bytesAt(this.memories, work.from)));
        return undefined;
      case 'read': {
        const from = bytesAt(this.memories, work.from);
        const found = this.get(from);
        if (!work.host) return found;
        const host = new Uint8Array(work.host.size).fill(UNTOUCHED);
        scatter(host, runsOfBox(work.host.box), found);
        return host;
      }
      case 'migrate':
        return undefined;
      case 'run':
        this.launch(work.launch);
        return undefined;
    }
  }

  launch(launch: Launch): void {
    KERNELS[launch.kernel]!.apply(
      launch,
      (id) => this.seen(id),
      (id) => this.memories.get(id) as ImageMemory,
    );
  }

  private seen(id: number): Uint8Array {
    const memory = this.memories.get(id)!;
    if (memory.kind === 'image' && memory.over !== undefined)
      return this.of(memory.over).subarray(0, memory.size);
    if (memory.kind !== 'sub') return this.of(id);
    return this.of(memory.parent).subarray(memory.origin, memory.origin + memory.size);
  }
}

/** Bytes of the host's array of a transfer. */
export const hostSize = (work: Extract<Work, { op: 'write' | 'read' }>, device: Bytes): number =>
  work.host?.size ?? sizeOf(device.runs);
