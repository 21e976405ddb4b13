// SPDX-License-Identifier: MIT
import { Allocator, type Block, GRANULE } from './allocator';
import { fillBytes, registerMemory } from './bulk';

const PAGE = 65536;
/**
 * The size limit of a WebAssembly memory. Its last granule is never allocated: the end of a block must be a 32-bit number, and
 * texels are read as words, which may extend beyond the image's memory.
 */
const MAX_PAGES = 65536;
const INITIAL_PAGES = 256;
/** Nothing is allocated below this address, so that accesses through a null pointer reach no data. */
const NULL_GUARD = PAGE;

/** The memory of a context: it holds its buffers, images, constants and the stacks of its kernels. */
export class DeviceMemory {
  readonly memory: WebAssembly.Memory;
  /** The whole memory. Replaced when it grows: never keep it across an allocation. */
  u8: Uint8Array;
  i32: Int32Array;
  private readonly allocator: Allocator;
  /**
   * The addresses from the first chosen one up. Blocks at any address come from there only if there is no other room, since who
   * chooses addresses does not know of them.
   */
  private chosen: { readonly from: number; readonly allocator: Allocator } | undefined;
  /** The start of the memory that was never allocated; it is all 0. */
  private fresh = NULL_GUARD;
  /** The most bytes that may be allocated at a time, if the context has a limit of its own. */
  budget = Number.POSITIVE_INFINITY;
  private readonly known = new WeakSet<ArrayBufferLike>();

  /** @param limit the most bytes to use. */
  constructor(private readonly limit = MAX_PAGES * PAGE) {
    this.memory = new WebAssembly.Memory({ initial: INITIAL_PAGES, maximum: MAX_PAGES, shared: true });
    const buffer = this.memory.buffer;
    this.u8 = new Uint8Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.known.add(buffer);
    registerMemory(this.memory);
    this.allocator = new Allocator(NULL_GUARD, buffer.byteLength - GRANULE);
  }

  /** The largest size of the memory in bytes. */
  get capacity(): number {
    return Math.min(this.budget, this.limit - NULL_GUARD - GRANULE);
  }

  get used(): number {
    return this.allocator.used + (this.chosen?.allocator.used ?? 0);
  }

  /** Returns undefined if the memory is exhausted. */
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
    const end = address + bytes + GRANULE;
    const now = this.memory.buffer.byteLength;
    if (end > this.limit || address < NULL_GUARD) return undefined;
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
    this.fresh = NULL_GUARD;
    this.budget = Number.POSITIVE_INFINITY;
  }

  /** A view of a range; it stays valid when the memory grows. */
  bytes(address: number, size: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, address, size);
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
    const { chosen } = this;
    return chosen && address >= chosen.from ? chosen.allocator : this.allocator;
  }

  private grow(bytes: number): boolean {
    const now = this.memory.buffer.byteLength / PAGE;
    const most = Math.min(MAX_PAGES, Math.floor(this.limit / PAGE));
    const needed = Math.ceil(bytes / PAGE) + 1;
    if (now + needed > most) return now < most && this.growBy(most - now);
    return this.growBy(Math.min(most - now, Math.max(needed, now >> 1))) || this.growBy(needed);
  }

  /** @param divideAt where chosen addresses begin from now on. */
  private growBy(pages: number, divideAt?: number): boolean {
    try {
      this.memory.grow(pages);
    } catch {
      return false;
    }
    const buffer = this.memory.buffer;
    this.known.add(buffer);
    registerMemory(this.memory);
    this.u8 = new Uint8Array(buffer);
    this.i32 = new Int32Array(buffer);
    if (divideAt !== undefined) this.divideAt(divideAt);
    (this.chosen?.allocator ?? this.allocator).extend(buffer.byteLength - GRANULE);
    return true;
  }
}
