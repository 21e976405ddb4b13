// SPDX-License-Identifier: MIT
import type { PrintfFormat } from '../base/kernel-abi';
import { formatFloat, formatInteger, formatText, type Specification } from './printf-format';

/** Bytes before the first record of a printf ring. */
export const RING_HEADER = 8;

const CONVERSION =
  /%([-+ #0]*)(\d*)(?:\.(\d*))?(?:v(2|3|4|8|16))?(hh|hl|h|ll|l|z|t|j|L)?([diouxXfFeEgGaAcspn%])/g;

/** Bits of an integer by its length modifier; a pointer-sized integer has the device's 32. */
const INTEGER_BITS: Readonly<Record<string, number>> = { hh: 8, h: 16, hl: 32, l: 64, ll: 64, j: 64 };

const decoder = new TextDecoder('utf-8');

/** The text of all records in a ring, in order. */
export function readPrintf(memory: Uint8Array, ring: number, formats: readonly PrintfFormat[]): string {
  const view = new DataView(memory.buffer, memory.byteOffset, memory.byteLength);
  const used = view.getUint32(ring, true);
  const capacity = view.getUint32(ring + 4, true);
  const end = ring + RING_HEADER + Math.min(used, capacity - RING_HEADER);
  let text = '';
  let at = ring + RING_HEADER;
  while (at + 8 <= end) {
    const bytes = view.getUint32(at, true);
    const format = formats[view.getUint32(at + 4, true)];
    if (bytes < 8 || at + bytes > end || !format) break;
    text += formatRecord(memory, view, at + 8, format);
    at += bytes;
  }
  if (used > capacity - RING_HEADER) text += `[printf: the buffer was full, ${used} bytes were printed]\n`;
  return text;
}

function formatRecord(memory: Uint8Array, view: DataView, start: number, format: PrintfFormat): string {
  let at = start;
  let index = 0;
  CONVERSION.lastIndex = 0;
  return format.format.replace(
    CONVERSION,
    (
      whole,
      flags: string,
      width: string,
      precision: string | undefined,
      _vector,
      length,
      conversion: string,
    ) => {
      if (conversion === '%') return '%';
      const slot = format.arguments[index++];
      if (!slot) return whole;
      const spec: Specification = {
        left: flags.includes('-'),
        plus: flags.includes('+'),
        space: flags.includes(' '),
        alternative: flags.includes('#'),
        zero: flags.includes('0'),
        width: Number(width),
        precision: precision === undefined ? undefined : Number(precision),
      };
      const pieces: string[] = [];
      for (let i = 0; i < slot.components; i++) {
        switch (slot.type) {
          case 'f64': {
            const value = view.getFloat64(at, true);
            at += 8;
            pieces.push(formatFloat(value, 'fFeEgGaA'.includes(conversion) ? conversion : 'f', spec));
            break;
          }
          case 'i64':
          case 'i32': {
            const value = slot.type === 'i64' ? view.getBigInt64(at, true) : BigInt(view.getInt32(at, true));
            at += slot.type === 'i64' ? 8 : 4;
            pieces.push(integer(value, length, conversion, spec));
            break;
          }
          case 'pointer': {
            pieces.push(formatText(`0x${view.getUint32(at, true).toString(16)}`, spec));
            at += 4;
            break;
          }
          case 'string': {
            pieces.push(formatText(cString(memory, view.getUint32(at, true)), spec));
            at += 4;
            break;
          }
        }
      }
      return pieces.join(',');
    },
  );
}

function integer(value: bigint, length: string | undefined, conversion: string, spec: Specification): string {
  if (conversion === 'c') return formatText(String.fromCharCode(Number(value & 0xffn)), spec);
  const bits = INTEGER_BITS[length ?? ''] ?? 32;
  const signed = conversion === 'd' || conversion === 'i';
  const narrow = signed ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
  return formatInteger(narrow, 'diouxX'.includes(conversion) ? conversion : 'd', spec);
}

function cString(memory: Uint8Array, address: number): string {
  if (address === 0) return '(null)';
  const end = memory.indexOf(0, address);
  // A copy, as TextDecoder takes no shared memory.
  return decoder.decode(memory.slice(address, end < 0 ? memory.length : end));
}
