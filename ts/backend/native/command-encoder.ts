// SPDX-License-Identifier: MIT
//
// Puts commands into the words that the addon reads (native/src/objects/opcodes.gen.h has their operands). The same
// encoding serves to enqueue a command and to record it into a command buffer.
import type { NDRange } from '../../base/nd-range';
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import type { BackendKernel } from '../backend-queue';
import type { Command, ImageOrigin, RectLayout, Triple } from '../command';
import { OPERANDS, type Opcode } from './opcodes.gen';
import type { OperandKind } from './operands';
import { handleOf, Session } from './session';

const WRITE = {
  number: (to: CommandEncoder, n: number, value: number) => to.number(n, value),
  numbers: (to: CommandEncoder, n: number, values: readonly number[]) => to.list(n, values),
  handle: (to: CommandEncoder, n: number, object: unknown) => to.number(n, handleOf(object)),
  handles: (to: CommandEncoder, n: number, objects: readonly unknown[]) => to.handles(n, objects),
  triple: (to: CommandEncoder, n: number, triple: Triple) => to.triple(n, triple),
  origin: (to: CommandEncoder, n: number, origin: ImageOrigin) => to.origin(n, origin),
  rect: (to: CommandEncoder, n: number, rect: RectLayout) => to.rect(n, rect),
  bytes: (to: CommandEncoder, n: number, bytes: Uint8Array) => to.bytes(n, bytes),
  svm: (to: CommandEncoder, n: number, memory: unknown) =>
    to.number(n, ArrayBuffer.isView(memory) ? 0 : handleOf(memory)),
} satisfies Readonly<Record<OperandKind, unknown>>;

/** Each method writes operands from word `n` on and returns their end. */
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

  kernel(n: number, kernel: BackendKernel, sizes: NDRange): number {
    const { words } = this;
    const { global, local, offset } = sizes;
    words[n] = handleOf(kernel);
    words[n + 1] = global.length;
    words[n + 2] = offset ? 1 : 0;
    words[n + 3] = local ? 1 : 0;
    if (global.length !== 1) return this.sizes(n + 4, sizes);
    // The usual ranges are written out: loops take three times as long.
    words[n + 4] = global[0]!;
    n += 5;
    if (offset) words[n++] = offset[0]!;
    if (local) words[n++] = local[0]!;
    return n;
  }

  private sizes(n: number, { global, local, offset }: NDRange): number {
    n = this.numbers(n, ...global);
    if (offset) n = this.numbers(n, ...offset);
    return local ? this.numbers(n, ...local) : n;
  }

  /** The operands of a command, by the generated table. */
  operands(n: number, command: Command): number {
    const values = command as unknown as Readonly<Record<string, never>>;
    const operands: readonly (readonly [OperandKind, string])[] = OPERANDS[command.op];
    // By index: programs that copy seldom run this interpreted, where destructuring takes several times as long.
    for (let i = 0; i < operands.length; i++) {
      const operand = operands[i]!;
      n = WRITE[operand[0]](this, n, values[operand[1]]!);
    }
    return n;
  }

  rect(n: number, rect: RectLayout): number {
    const { words } = this;
    n = this.triple(n, rect.bufferOrigin);
    n = this.triple(n, rect.hostOrigin);
    n = this.triple(n, rect.region);
    words[n++] = rect.bufferRowPitch;
    words[n++] = rect.bufferSlicePitch;
    words[n++] = rect.hostRowPitch;
    words[n++] = rect.hostSlicePitch;
    return n;
  }

  number(n: number, value: number): number {
    this.words[n] = value;
    return n + 1;
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

  origin(n: number, origin: ImageOrigin): number {
    return this.numbers(n, ...origin);
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
