// SPDX-License-Identifier: MIT
//
// Puts commands into the words that the addon reads (native/src/objects/opcodes.gen.h has their operands). The same
// encoding serves to enqueue a command and to record it into a command buffer.
import type { BackendKernel, BackendMemory, BackendSvm } from '../backend';
import type { RectLayout, Triple, WorkSizes } from '../backend-queue';
import { ErrorCode } from '../cl.gen';
import { OpenCLError } from '../opencl-error';
import type { Opcode } from './opcodes.gen';
import { handleOf, Session } from './session';

/** Each method puts operands from word `n` on and returns where they end. */
export class CommandEncoder {
  private readonly words: Float64Array;

  constructor(private readonly session: Session) {
    this.words = session.words;
  }

  /** A command's head; `waits` are event handles or sync points. */
  head(n: number, opcode: Opcode, wantEvent: boolean, waits: readonly number[]): number {
    const { words } = this;
    words[n++] = opcode;
    words[n++] = wantEvent ? 1 : 0;
    words[n++] = waits.length;
    for (let i = 0; i < waits.length; i++) words[n++] = waits[i]!;
    return n;
  }

  kernel(n: number, kernel: BackendKernel, sizes: WorkSizes): number {
    const { words } = this;
    const { global, local, offset } = sizes;
    words[n] = handleOf(kernel);
    words[n + 1] = global.length;
    words[n + 2] = offset ? 1 : 0;
    words[n + 3] = local ? 1 : 0;
    if (global.length !== 1) return this.sizes(n + 4, sizes);
    // Most ranges; loops take three times as long.
    words[n + 4] = global[0]!;
    n += 5;
    if (offset) words[n++] = offset[0]!;
    if (local) words[n++] = local[0]!;
    return n;
  }

  private sizes(n: number, { global, local, offset }: WorkSizes): number {
    n = this.numbers(n, ...global);
    if (offset) n = this.numbers(n, ...offset);
    return local ? this.numbers(n, ...local) : n;
  }

  copyBuffer(
    n: number,
    from: BackendMemory,
    to: BackendMemory,
    fromOffset: number,
    toOffset: number,
    size: number,
  ): number {
    const { words } = this;
    words[n++] = handleOf(from);
    words[n++] = handleOf(to);
    words[n++] = fromOffset;
    words[n++] = toOffset;
    words[n++] = size;
    return n;
  }

  rect(n: number, memory: BackendMemory, rect: RectLayout): number {
    const { words } = this;
    words[n++] = handleOf(memory);
    n = this.triple(n, rect.bufferOrigin);
    n = this.triple(n, rect.hostOrigin);
    n = this.triple(n, rect.region);
    words[n++] = rect.bufferRowPitch;
    words[n++] = rect.bufferSlicePitch;
    words[n++] = rect.hostRowPitch;
    words[n++] = rect.hostSlicePitch;
    return n;
  }

  fillBuffer(
    n: number,
    target: BackendMemory | BackendSvm,
    pattern: Uint8Array,
    offset: number,
    size: number,
  ): number {
    const { words } = this;
    words[n++] = handleOf(target);
    words[n++] = offset;
    words[n++] = size;
    return this.bytes(n, pattern);
  }

  imageRegion(n: number, image: BackendMemory, origin: Triple, region: Triple): number {
    this.words[n] = handleOf(image);
    return this.triple(this.triple(n + 1, origin), region);
  }

  copyImage(
    n: number,
    from: BackendMemory,
    to: BackendMemory,
    fromOrigin: Triple,
    toOrigin: Triple,
    region: Triple,
  ): number {
    this.words[n++] = handleOf(from);
    this.words[n++] = handleOf(to);
    return this.triple(this.triple(this.triple(n, fromOrigin), toOrigin), region);
  }

  copyImageToBuffer(
    n: number,
    from: BackendMemory,
    to: BackendMemory,
    origin: Triple,
    region: Triple,
    toOffset: number,
  ): number {
    this.words[n++] = handleOf(from);
    n = this.imageRegion(n, to, origin, region);
    this.words[n++] = toOffset;
    return n;
  }

  copyBufferToImage(
    n: number,
    from: BackendMemory,
    to: BackendMemory,
    fromOffset: number,
    origin: Triple,
    region: Triple,
  ): number {
    this.words[n++] = handleOf(from);
    this.words[n++] = handleOf(to);
    this.words[n++] = fromOffset;
    return this.triple(this.triple(n, origin), region);
  }

  /** `to` or `from` of 0 is host memory beside the words. */
  svmMemcpy(n: number, to: number, toOffset: number, from: number, fromOffset: number, size: number): number {
    const { words } = this;
    words[n++] = to;
    words[n++] = toOffset;
    words[n++] = from;
    words[n++] = fromOffset;
    words[n++] = size;
    return n;
  }

  numbers(n: number, ...values: readonly number[]): number {
    for (const value of values) this.words[n++] = value;
    return n;
  }

  /** A byte count and the bytes. */
  bytes(n: number, bytes: Uint8Array): number {
    if (bytes.length > 1024) throw tooMuch();
    this.words[n] = bytes.length;
    this.session.wordBytes.set(bytes, (n + 1) * 8);
    return n + 1 + ((bytes.length + 7) >> 3);
  }

  triple(n: number, triple: Triple): number {
    const { words } = this;
    words[n] = triple[0];
    words[n + 1] = triple[1];
    words[n + 2] = triple[2];
    return n + 3;
  }

  /** A count and that many handles. */
  handles(n: number, objects: readonly unknown[]): number {
    return this.list(n, objects.map(handleOf));
  }

  list(n: number, values: readonly number[]): number {
    if (n + 1 + values.length > Session.capacity) throw tooMuch();
    this.words[n++] = values.length;
    for (let i = 0; i < values.length; i++) this.words[n++] = values[i]!;
    return n;
  }
}

const tooMuch = () =>
  new OpenCLError(ErrorCode.INVALID_VALUE, 'clEnqueue', 'more operands than one command can have');
