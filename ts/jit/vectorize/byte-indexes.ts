// SPDX-License-Identifier: MIT
//
// Loads from a table whose index is a byte in memory, such as `table[in[i]]`. Neighbours' bytes are at known distances.
import { READABLE_BEYOND } from '../../base/kernel-abi';
import type { Divergence } from '../analyses/divergence';
import { constantAmount, constantOf } from '../ir/build';
import { type Inst, Op, Type, type Value } from '../ir/ir';
import { bitsOf, bytesOf } from '../ir/types';
import { BitMoves } from './moved-bits';
import { type Addend, divergentPart, isPlainLoad } from './repeated';

/** The largest scale: inactive lanes, whose index is any byte, read near an active one. */
const MOST_SHIFT = Math.log2(READABLE_BEYOND / 256);

/** The address of a load: the sum of a byte, times a scale, and of what all lanes share. */
export interface ByteIndexed {
  /** What reads the byte, perhaps with others; `at` bytes after the first. */
  readonly load: Inst;
  readonly at: number;
  /** The bytes from one lane's load to the next one's. */
  readonly stride: number;
  readonly scale: number;
  readonly addends: readonly Addend[];
}

/** The addresses of one function. */
export class ByteIndexes {
  private readonly moves = new BitMoves();

  constructor(private readonly divergence: Divergence) {}

  /** Whether an instruction may be a load from a table. */
  isCandidate(inst: Inst): boolean {
    return isPlainLoad(inst) && Number.isNaN(this.divergence.stride[inst.operands[0]!.id]!);
  }

  of(table: Inst): ByteIndexed | undefined {
    const { divergence } = this;
    const part = this.isCandidate(table) && divergentPart(divergence, table.operands[0]!, table.block);
    if (!part || part.value.type > Type.I32) return undefined;
    const { source, parts, mixed } = this.moves.of(part.value);
    const [bits, ...others] = parts;
    if (!bits || others.length > 0 || mixed !== 0n) return undefined;
    // The byte may have been shifted before and after what all lanes share was added.
    const mask = Number(bits.mask) | 0;
    const low = 31 - Math.clz32(mask & -mask);
    const shift = low + part.by;
    if (mask !== 0xff << low || shift > MOST_SHIFT) return undefined;
    const byte = loadedByte(source, low - bits.by);
    if (!byte) return undefined;
    const stride = divergence.strideAt(byte.load.operands[0]!, table.block);
    if (!(stride >= bytesOf(byte.load.type))) return undefined;
    return { ...byte, stride, scale: 2 ** shift, addends: part.addends };
  }
}

/** What reads the byte from bit `low` on of a number, if it is a byte of memory. */
function loadedByte(number: Value, low: number): { load: Inst; at: number } | undefined {
  let value = number;
  let from = low;
  while (value.kind === 'inst' && from >= 0 && from + 8 <= bitsOf(value.type)) {
    if (isPlainLoad(value)) return from % 8 === 0 ? { load: value, at: from / 8 } : undefined;
    const [a, b] = value.operands as [Value, Value];
    if (value.op === Op.LShr && constantAmount(b) !== undefined) from += constantAmount(b)!;
    else if (value.op === Op.And && ((Number(constantOf(b) ?? 0) >>> from) & 0xff) !== 0xff) return undefined;
    else if (value.op !== Op.And && value.op !== Op.ZExt && value.op !== Op.Trunc) return undefined;
    value = a;
  }
  return undefined;
}
