// SPDX-License-Identifier: MIT

const textEncoder = new TextEncoder();
const scratch = new DataView(new ArrayBuffer(8));

/** The largest size that V8 allocates in its heap; larger arrays have separate memory. */
const LEAST = 64;
const NO_BYTES = new Uint8Array(0);

/** A growable byte buffer with the encodings of WebAssembly's binary format (LEB128, vectors, names). */
export class ByteBuffer {
  private bytes: Uint8Array;
  length = 0;

  constructor(capacity = 256) {
    this.bytes = capacity === 0 ? NO_BYTES : new Uint8Array(capacity);
  }

  private reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(LEAST, this.bytes.length * 2, this.length + count));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
  }

  u8(value: number): void {
    if (this.length === this.bytes.length) this.reserve(1);
    this.bytes[this.length++] = value;
  }

  /** Unsigned LEB128 of a 32-bit value. */
  u32(value: number): void {
    let rest = value >>> 0;
    if (rest < 0x80) {
      // Most values take one byte.
      this.u8(rest);
      return;
    }
    this.reserve(5);
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
  }

  /** Signed LEB128 of a 32-bit value. */
  s32(value: number): void {
    let rest = value | 0;
    this.reserve(5);
    while (rest < -64 || rest > 63) {
      this.bytes[this.length++] = (rest & 0x7f) | 0x80;
      rest >>= 7;
    }
    this.bytes[this.length++] = rest & 0x7f;
  }

  /** Signed LEB128 of a 64-bit value. */
  s64(value: bigint): void {
    let rest = BigInt.asIntN(64, value);
    while (rest < -64n || rest > 63n) {
      this.u8(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    this.u8(Number(rest & 0x7fn));
  }

  f32(value: number): void {
    scratch.setFloat32(0, value, true);
    for (let i = 0; i < 4; i++) this.u8(scratch.getUint8(i));
  }

  f64(value: number): void {
    scratch.setFloat64(0, value, true);
    for (let i = 0; i < 8; i++) this.u8(scratch.getUint8(i));
  }

  append(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Inserts the length of what was written from `start` on, as an unsigned LEB128. */
  insertLength(start: number): void {
    const { length } = this;
    this.u32(length - start);
    const encoded = this.bytes.slice(length, this.length);
    this.bytes.copyWithin(start + encoded.length, start, length);
    this.bytes.set(encoded, start);
  }

  /** A name: its length in bytes, then UTF-8. */
  name(text: string): void {
    const bytes = textEncoder.encode(text);
    this.u32(bytes.length);
    this.append(bytes);
  }

  /** The bytes so far; valid until the next write. */
  view(): Uint8Array {
    return this.bytes.subarray(0, this.length);
  }

  /** A copy of the bytes so far. */
  take(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }
}
