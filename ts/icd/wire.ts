// SPDX-License-Identifier: MIT
//
// How the fields of messages are read and written: this side of native/icd/wire.h.

const decoder = new TextDecoder();

/** Reads a request's fields in order. Throws RangeError if the message is too short. */
export class Reader {
  private at = 0;

  constructor(
    private readonly bytesOfMessage: Uint8Array,
    private readonly view = new DataView(
      bytesOfMessage.buffer,
      bytesOfMessage.byteOffset,
      bytesOfMessage.byteLength,
    ),
  ) {}

  u32(): number {
    const value = this.view.getUint32(this.at, true);
    this.at += 4;
    return value;
  }

  i32(): number {
    return this.u32() | 0;
  }

  u64(): number {
    const low = this.u32();
    return low + this.u32() * 2 ** 32;
  }

  id(): number {
    return this.u32();
  }

  ids(): number[] {
    return this.list(() => this.u32());
  }

  sizes(): number[] {
    return this.list(() => this.u64());
  }

  properties(): bigint[] {
    return this.list(() => {
      const value = this.view.getBigUint64(this.at, true);
      this.at += 8;
      return value;
    });
  }

  /** A view of the message: a caller that keeps the bytes must copy them. */
  bytes(): Uint8Array {
    const size = this.u32();
    const start = this.at;
    this.at += size;
    if (this.at > this.bytesOfMessage.length) throw new RangeError('the message is too short');
    return this.bytesOfMessage.subarray(start, this.at);
  }

  text(): string {
    return decoder.decode(this.bytes());
  }

  texts(): string[] {
    return this.list(() => this.text());
  }

  private list<T>(read: () => T): T[] {
    const count = this.u32();
    const all: T[] = [];
    for (let i = 0; i < count; i++) all.push(read());
    return all;
  }
}

/** Collects messages to be sent. */
export class Writer {
  private buffer = Buffer.allocUnsafe(4096);
  private end = 0;

  get size(): number {
    return this.end;
  }

  u32(value: number): void {
    this.reserve(4);
    this.end = this.buffer.writeUInt32LE(value >>> 0, this.end);
  }

  i32(value: number): void {
    this.u32(value);
  }

  id(value: number): void {
    this.u32(value);
  }

  u64(value: number): void {
    this.u32(value % 2 ** 32);
    this.u32(Math.floor(value / 2 ** 32));
  }

  sizes(values: readonly number[]): void {
    this.u32(values.length);
    for (const value of values) this.u64(value);
  }

  bytes(value: Uint8Array): void {
    this.u32(value.length);
    this.reserve(value.length);
    this.buffer.set(value, this.end);
    this.end += value.length;
  }

  /** Overwrites a word that was written before. */
  patch(at: number, value: number): void {
    this.buffer.writeUInt32LE(value, at);
  }

  /** The bytes written so far. The writer is empty afterwards. */
  take(): Buffer {
    const all = this.buffer.subarray(0, this.end);
    this.buffer = Buffer.allocUnsafe(4096);
    this.end = 0;
    return all;
  }

  private reserve(size: number): void {
    if (this.end + size <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.buffer.length, this.end + size));
    this.buffer.copy(larger, 0, 0, this.end);
    this.buffer = larger;
  }
}
