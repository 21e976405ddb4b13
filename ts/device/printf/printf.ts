// SPDX-License-Identifier: MIT
//
// The bytes of what kernels print, as UTF-8 unless the kernel prints others. A ring is in memory that kernels can write, so nothing in it is trusted: whatever its contents,
// the text comes in pieces of bounded size, and omissions are reported in it.
import { byteString, bytesOfString } from '../../base/byte-string';
import type { PrintfFormat } from '../../base/kernel-abi';
import { formatFloat, formatInteger, formatText, type Specification } from './printf-format';

/** Bytes before the first record of a ring, and after its capacity. */
const RING_HEADER = 8;
const RING_END = 8;
const RECORD_HEADER = 8;

/** The largest width and precision; C requires that 4095 characters are possible. Also the most bytes of a string. */
const MOST_CHARACTERS = 65_536;
/** The most text of one launch. */
const MOST_TEXT = 2 ** 30;
/** The length at which a piece of text is yielded. */
const PIECE = 65_536;

const CONVERSION =
  /%([-+ #0]*)(\d*|\*)(?:\.(\d*|\*))?(?:v(2|3|4|8|16))?(hh|hl|h|ll|l|z|t|j|L)?([diouxXfFeEgGaAcspn%])/g;

/** The lengths of `size_t` and `ptrdiff_t`, whose bits are those of the program's pointers: the argument has them all. */
const POINTER_SIZED = 'zt';
/** The bits of other integers by their length. */
const INTEGER_BITS: Readonly<Record<string, number>> = { hh: 8, h: 16, hl: 32, l: 64, ll: 64, j: 64 };

/** The place of a launch's records. */
export interface Ring {
  readonly memory: Uint8Array;
  readonly address: number;
  /** Bytes of its records. */
  readonly capacity: number;
  /** The memory that strings may be in, if not all. */
  readonly strings?: { readonly base: number; readonly size: number } | undefined;
}

/** Initializes a ring in a block of memory. */
export function makeRing(memory: Uint8Array, address: number, bytes: number): Ring {
  const capacity = bytes - RING_HEADER - RING_END;
  const header = new DataView(memory.buffer, memory.byteOffset + address, RING_HEADER);
  header.setUint32(0, 0, true);
  header.setUint32(4, capacity, true);
  return { memory, address, capacity };
}

type Slot = PrintfFormat['arguments'][number];

interface Conversion {
  /** The text as written. */
  readonly text: string;
  readonly spec: Specification;
  readonly length: string | undefined;
  readonly letter: string;
  readonly isCut: boolean;
  /** Width and precision are arguments (`*`), as in C; OpenCL C leaves them undefined. */
  readonly stars: { readonly width: boolean; readonly precision: boolean };
}

/** The bytes of all records in a ring, in order, in pieces. */
export function* readPrintf(ring: Ring, formats: readonly PrintfFormat[]): Generator<Uint8Array, void> {
  let piece = '';
  let length = 0;
  const reader = new RingReader(ring, formats);
  for (const text of reader.texts()) {
    piece += text;
    length += text.length;
    if (length > MOST_TEXT) {
      reader.notes.add(`more than ${MOST_TEXT} characters were printed, the rest is left out`);
      break;
    }
    if (piece.length < PIECE) continue;
    yield bytesOfString(piece);
    piece = '';
  }
  for (const note of reader.notes) piece += `[printf: ${note}]\n`;
  if (piece !== '') yield bytesOfString(piece);
}

/** Reads records as strings of bytes. */
class RingReader {
  /** Notes on differences between the text and what the kernel printed. */
  readonly notes = new Set<string>();
  private readonly view: DataView;
  private readonly parsed: (readonly (string | Conversion)[] | undefined)[] = [];
  private at = 0;

  constructor(
    private readonly ring: Ring,
    private readonly formats: readonly PrintfFormat[],
  ) {
    const { memory, address, capacity } = ring;
    this.view = new DataView(memory.buffer, memory.byteOffset + address, RING_HEADER + capacity);
  }

  *texts(): Generator<string, void> {
    const { view } = this;
    const room = this.ring.capacity;
    const used = view.getUint32(0, true);
    const end = RING_HEADER + Math.min(used, room);
    for (let at = RING_HEADER; at + RECORD_HEADER <= end; ) {
      const bytes = view.getUint32(at, true);
      const index = view.getUint32(at + 4, true);
      const format = this.formats[index];
      const isFree = bytes === 0 && used > room;
      if (isFree) break;
      if (!format || bytes !== recordBytes(format) || at + bytes > end) {
        this.notes.add('the kernel wrote over what it had printed, the rest is lost');
        break;
      }
      this.at = at + RECORD_HEADER;
      yield* this.record(format, index);
      at += bytes;
    }
    if (used > room) this.notes.add(`the buffer was full, ${used} bytes were printed`);
  }

  private *record(format: PrintfFormat, index: number): Generator<string, void> {
    this.parsed[index] ??= parse(format.format);
    let argument = 0;
    for (const part of this.parsed[index]) {
      if (typeof part === 'string') {
        yield part;
        continue;
      }
      const { width, precision } = part.stars;
      const given = [width, precision].map((isGiven) =>
        isGiven ? this.amount(format.arguments[argument++]) : undefined,
      );
      const conversion = width || precision ? withAmounts(part, given[0], given[1]) : part;
      const slot = format.arguments[argument++];
      if (!slot) {
        yield part.text;
        continue;
      }
      if (conversion.isCut) this.notes.add(`'${part.text}' was cut to ${MOST_CHARACTERS} characters`);
      for (let i = 0; i < slot.components; i++) {
        if (i > 0) yield ',';
        yield this.value(slot.type, conversion);
      }
    }
  }

  /** A width or a precision that is an argument. */
  private amount(slot: Slot | undefined): number | undefined {
    if (!slot) return undefined;
    const { at } = this;
    this.at += SLOT_BYTES[slot.type] * slot.components;
    return this.view.getInt32(at, true);
  }

  private value(type: Slot['type'], conversion: Conversion): string {
    const { view, at } = this;
    const { spec } = conversion;
    this.at += SLOT_BYTES[type];
    switch (type) {
      case 'f64':
        return this.float(at, conversion);
      case 'i64':
        return integer(view.getBigInt64(at, true), conversion, 64);
      case 'i32':
        return integer(BigInt(view.getInt32(at, true)), conversion, 32);
      case 'pointer':
        return formatText(`0x${view.getUint32(at, true).toString(16)}`, spec);
      case 'wide-pointer':
        return formatText(`0x${view.getBigUint64(at, true).toString(16)}`, spec);
      case 'string':
        return this.string(view.getUint32(at, true), spec);
    }
  }

  private float(at: number, { letter, spec }: Conversion): string {
    const negative = this.view.getInt32(at + 4, true) < 0;
    const known = 'fFeEgGaA'.includes(letter) ? letter : 'f';
    return formatFloat(this.view.getFloat64(at, true), known, spec, negative);
  }

  /** Width and precision count bytes. */
  private string(address: number, spec: Specification): string {
    const { precision = MOST_CHARACTERS } = spec;
    if (address === 0) return formatText('(null)'.slice(0, precision), spec);
    const { strings } = this.ring;
    const last = strings ? strings.base + strings.size : Number.POSITIVE_INFINITY;
    if (strings && (address < strings.base || address >= last))
      return formatText('(not a string of the program)', spec);
    const bytes = this.ring.memory.subarray(address, Math.min(address + precision, last));
    const end = bytes.indexOf(0);
    if (end < 0 && bytes.length !== spec.precision)
      this.notes.add(`a string was cut to ${MOST_CHARACTERS} bytes`);
    const shown = end < 0 ? bytes : bytes.subarray(0, end);
    return formatText(byteString(shown), spec);
  }
}

const SLOT_BYTES = { i32: 4, i64: 8, f64: 8, string: 4, pointer: 4, 'wide-pointer': 8 } as const;

function recordBytes({ arguments: slots }: PrintfFormat): number {
  return slots.reduce((bytes, { type, components }) => bytes + SLOT_BYTES[type] * components, RECORD_HEADER);
}

const limited = (amount: number): number => Math.min(amount, MOST_CHARACTERS);

/** A negative width is that of a `-` flag, and a negative precision none. */
function withAmounts(conversion: Conversion, width = 0, precision = -1): Conversion {
  const { spec, stars } = conversion;
  const isNegative = stars.width && width < 0;
  return {
    ...conversion,
    isCut: conversion.isCut || Math.abs(width) > MOST_CHARACTERS || precision > MOST_CHARACTERS,
    spec: {
      ...spec,
      left: spec.left || isNegative,
      width: stars.width ? limited(Math.abs(width)) : spec.width,
      precision: !stars.precision ? spec.precision : precision < 0 ? undefined : limited(precision),
    },
  };
}

/** A format as pieces of text and conversions. */
function parse(format: string): (string | Conversion)[] {
  const parts: (string | Conversion)[] = [];
  let end = 0;
  for (const match of format.matchAll(CONVERSION)) {
    const [text, flags = '', width = '', precision, , length, letter = ''] = match;
    if (match.index > end) parts.push(format.slice(end, match.index));
    end = match.index + text.length;
    if (letter === '%') {
      parts.push('%');
      continue;
    }
    const stars = { width: width === '*', precision: precision === '*' };
    const fixed = { width: stars.width ? 0 : Number(width), precision: stars.precision ? 0 : precision };
    const isCut = fixed.width > MOST_CHARACTERS || Number(fixed.precision ?? 0) > MOST_CHARACTERS;
    const spec: Specification = {
      left: flags.includes('-'),
      plus: flags.includes('+'),
      space: flags.includes(' '),
      alternative: flags.includes('#'),
      zero: flags.includes('0'),
      width: limited(fixed.width),
      precision: fixed.precision === undefined ? undefined : limited(Number(fixed.precision)),
    };
    parts.push({ text, spec, length, letter, isCut, stars });
  }
  if (end < format.length) parts.push(format.slice(end));
  return parts;
}

function integer(value: bigint, { length = '', letter, spec }: Conversion, bitsOfArgument: number): string {
  if (letter === 'c') return formatText(String.fromCharCode(Number(value & 0xffn)), spec);
  const isPointerSized = length !== '' && POINTER_SIZED.includes(length);
  const bits = isPointerSized ? bitsOfArgument : (INTEGER_BITS[length] ?? 32);
  const signed = letter === 'd' || letter === 'i';
  const narrow = signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
  return formatInteger(narrow, 'diouxX'.includes(letter) ? letter : 'd', spec);
}
