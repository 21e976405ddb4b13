// SPDX-License-Identifier: MIT
import type { Host } from '../../base/host';
import { type AddressBits, FIRST_ADDRESS, READABLE_BEYOND } from '../../base/kernel-abi';
import { Allocator, type Block, GRANULE } from './allocator';
import { fillBytes, registerMemory } from './bulk';

const PAGE = 65536;
/**
 * The size limit of a WebAssembly memory: what 32-bit addresses can access, and V8's limit for 64-bit ones. The last
 * `READABLE_BEYOND` bytes below 4 GB and of the memory are never allocated: the end of a block with a 32-bit address must be a 32-bit number, too.
 */
const MAX_PAGES: Readonly<Record<AddressBits, number>> = { 32: 65536, 64: 262144 };
const INITIAL_PAGES = 256;
/** From here on are only buffers, in a memory with 64-bit addresses. */
const HIGH = 2 ** 32;
/** Buffers take so much of the memory below, which images and the device itself need too. Tests set 0, so that all are above. */
export const placement = { mostBelow: 3 * 2 ** 30 };

/** The size in bytes of the largest memory with addresses of this many bits. */
export const largestMemory = (addressBits: AddressBits): number => MAX_PAGES[addressBits] * PAGE;

/** Whether a machine has more memory than 32-bit addresses reach. */
export const exceeds32Bits = ({ memoryBytes }: Pick<Host, 'memoryBytes'>): boolean =>
  memoryBytes > largestMemory(32);

/** What the constructor takes where memories have 64-bit addresses; TypeScript has no types for it yet. */
type Descriptor64 = { readonly [key in 'initial' | 'maximum']: bigint } & {
  readonly shared: true;
  readonly address: 'i64';
};
type Memory64 = new (descriptor: Descriptor64) => WebAssembly.Memory;

function newMemory(initial: number, maximum: number, addressBits: AddressBits): WebAssembly.Memory {
  if (addressBits === 32) return new WebAssembly.Memory({ initial, maximum, shared: true });
  const { Memory } = WebAssembly as unknown as { readonly Memory: Memory64 };
  return new Memory({ initial: BigInt(initial), maximum: BigInt(maximum), shared: true, address: 'i64' });
}

/** Whether WebAssembly memories can have 64-bit addresses, as in Node.js 24. */
export function has64BitMemories(): boolean {
  try {
    newMemory(0, 0, 64);
    return true;
  } catch {
    return false;
  }
}

export interface MemoryOptions {
  readonly addressBits?: AddressBits;
  /** The most bytes to use. */
  readonly limit?: number;
}

/** The memory of a context: it holds its buffers, images, constants and the stacks of its kernels. */
export class DeviceMemory {
  readonly memory: WebAssembly.Memory;
  /** The whole memory. Replaced when it grows: never keep it across an allocation. */
  u8: Uint8Array;
  i32: Int32Array;
  readonly addressBits: AddressBits;
  private readonly limit: number;
  /** Of all addresses below 4 GB that were not chosen. */
  private readonly allocator: Allocator;
  /** Of the addresses from 4 GB on. */
  private readonly high: Allocator | undefined;
  /** The start of the memory from 4 GB on that was never allocated. */
  private freshHigh = HIGH;
  /**
   * The addresses from the first chosen one up. Other blocks are allocated there only if there is no other room, because
   * programs that choose addresses do not know of these blocks.
   */
  private chosen: { readonly from: number; readonly allocator: Allocator } | undefined;
  /** The start of the memory that was never allocated; it is all 0. */
  private fresh = FIRST_ADDRESS;
  /** The most bytes that may be allocated at a time, if the context has a limit of its own. */
  budget = Number.POSITIVE_INFINITY;
  private readonly known = new WeakSet<ArrayBufferLike>();

  constructor({ addressBits = 32, limit = largestMemory(addressBits) }: MemoryOptions = {}) {
    this.addressBits = addressBits;
    this.limit = limit;
    this.memory = newMemory(INITIAL_PAGES, MAX_PAGES[addressBits], addressBits);
    const buffer = this.memory.buffer;
    this.u8 = new Uint8Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.known.add(buffer);
    registerMemory(this.memory, this.addressBits);
    this.allocator = new Allocator(FIRST_ADDRESS, buffer.byteLength - READABLE_BEYOND);
    if (addressBits === 64) this.high = new Allocator(HIGH, HIGH);
  }

  /** The largest size of the memory in bytes. */
  get capacity(): number {
    return Math.min(this.budget, this.limit - FIRST_ADDRESS - READABLE_BEYOND);
  }

  get used(): number {
    return this.allocator.used + (this.chosen?.allocator.used ?? 0) + (this.high?.used ?? 0);
  }

  /** For a buffer, which may be above 4 GB. Returns undefined if the memory is exhausted. */
  allocateAnywhere(bytes: number, align = GRANULE): Block | undefined {
    const { high, allocator } = this;
    if (!high) return this.allocate(bytes, align);
    if (allocator.used + bytes <= placement.mostBelow) {
      const block = this.allocate(bytes, align);
      if (block) return block;
    }
    if (bytes > this.capacity || this.used + bytes > this.budget) return undefined;
    let block = high.allocate(bytes, align);
    if (!block && this.growHigh(bytes + align)) block = high.allocate(bytes, align);
    if (block) this.freshHigh = Math.max(this.freshHigh, block.address + block.size);
    return block;
  }

  /** Below 4 GB. Returns undefined if the memory is exhausted. */
  allocate(bytes: number, align = GRANULE): Block | undefined {
    if (bytes > this.capacity || this.used + bytes > this.budget) return undefined;
    const more = this.chosen?.allocator;
    let block = this.allocator.allocate(bytes, align) ?? more?.allocate(bytes, align);
    if (!block && this.grow(bytes + align)) block = (more ?? this.allocator).allocate(bytes, align);
    if (block) this.fresh = Math.max(this.fresh, block.address + block.size);
    return block;
  }

  /** Allocates bytes that are all 0; memory that was never allocated is not touched. */
  allocateCleared(bytes: number, align = GRANULE): Block | undefined {
    const { fresh } = this;
    const block = this.allocate(bytes, align);
    if (block && block.address < fresh)
      fillBytes(this.u8.subarray(block.address, Math.min(block.address + block.size, fresh)), 0);
    return block;
  }

  /**
   * The block at an address that the caller chooses, for memory that another process maps at the same address; undefined if the
   * range is not free. Whoever frees it leaves zeros there: `wipe` does not reach it.
   */
  allocateAt(address: number, bytes: number): Block | undefined {
    const end = address + bytes + READABLE_BEYOND;
    const now = this.memory.buffer.byteLength;
    if (end > this.limit || address < FIRST_ADDRESS || this.high) return undefined;
    // Others choose from the upper half, where everything above what the memory has now can be kept for them.
    const from = Math.min(address, Math.max(now, Math.floor(this.limit / 2 / PAGE - 1) * PAGE));
    const divides = !this.chosen && address >= now;
    if (end > now && !this.growBy(Math.ceil((end - now) / PAGE), divides ? from : undefined))
      return undefined;
    return this.allocatorOf(address).allocateAt(address, bytes);
  }

  /** Frees the part of a block after its first `bytes`. */
  shrink(block: Block, bytes: number): void {
    this.allocatorOf(block.address).shrink(block, bytes);
  }

  free(block: Block): void {
    this.allocatorOf(block.address).free(block);
  }

  /** Clears the contents for another context. Nothing may be allocated. */
  wipe(): void {
    fillBytes(this.u8.subarray(0, this.fresh), 0);
    if (this.freshHigh > HIGH) fillBytes(this.u8.subarray(HIGH, this.freshHigh), 0);
    this.freshHigh = HIGH;
    this.fresh = FIRST_ADDRESS;
    this.budget = Number.POSITIVE_INFINITY;
  }

  /** A view of a range; it stays valid when the memory grows. */
  bytes(address: number, size: number): Uint8Array {
    // V8 replaces the `buffer` of every shared memory when any of them grows: only that of `u8` is known.
    return new Uint8Array(this.u8.buffer, address, size);
  }

  /** The address of host memory that is part of the device's memory, such as mapped buffers and shared virtual memory. */
  addressOf(view: ArrayBufferView): number | undefined {
    return this.known.has(view.buffer) ? view.byteOffset : undefined;
  }

  /** Divides the addresses at one that is beyond what the memory has now. */
  private divideAt(address: number): void {
    this.allocator.extend(address);
    this.chosen = { from: address, allocator: new Allocator(address, address) };
  }

  private allocatorOf(address: number): Allocator {
    const { chosen, high } = this;
    if (high && address >= HIGH) return high;
    return chosen && address >= chosen.from ? chosen.allocator : this.allocator;
  }

  private grow(bytes: number): boolean {
    const now = this.memory.buffer.byteLength / PAGE;
    const most = Math.min(MAX_PAGES[32], Math.floor(this.limit / PAGE));
    const needed = Math.ceil(bytes / PAGE) + 1;
    if (now + needed > most) return now < most && this.growBy(most - now);
    return this.growBy(Math.min(most - now, Math.max(needed, now >> 1))) || this.growBy(needed);
  }

  /** The memory below 4 GB becomes complete by that, but its pages take no room before they are used. */
  private growHigh(bytes: number): boolean {
    const now = this.memory.buffer.byteLength / PAGE;
    const most = Math.floor(this.limit / PAGE);
    const needed = Math.max(now, MAX_PAGES[32]) + Math.ceil(bytes / PAGE) + 1;
    return now < most && this.growBy(Math.min(most, needed) - now);
  }

  /** @param divideAt where chosen addresses begin from now on. */
  private growBy(pages: number, divideAt?: number): boolean {
    try {
      const { memory } = this;
      if (this.addressBits === 32) memory.grow(pages);
      else (memory as unknown as { grow(pages: bigint): bigint }).grow(BigInt(pages));
    } catch {
      return false;
    }
    const buffer = this.memory.buffer;
    this.known.add(buffer);
    registerMemory(this.memory, this.addressBits);
    this.u8 = new Uint8Array(buffer);
    this.i32 = new Int32Array(buffer);
    if (divideAt !== undefined) this.divideAt(divideAt);
    const end = buffer.byteLength;
    (this.chosen?.allocator ?? this.allocator).extend(Math.min(end, HIGH) - READABLE_BEYOND);
    if (end > HIGH) this.high?.extend(end - READABLE_BEYOND);
    return true;
  }
}
