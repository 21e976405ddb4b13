// SPDX-License-Identifier: MIT
//
// A work-item writes through one pointer what it reads through another one. Where two pointers are arguments, both are one buffer.
import type { Case } from './case';

const bytes = (words: Uint32Array) => new Uint8Array(words.buffer);

export const OVERLAPS: readonly Case[] = [
  {
    name: 'vector_shifted_by_one',
    body: 'vstore4(vload4(g, o) * 2, g, in + 1);',
    global: 1,
    words: 16,
    same: true,
    reference(o) {
      o.set(
        o.slice(0, 4).map((v) => v * 2),
        1,
      );
    },
  },
  {
    name: 'every_other_work_item_shifts',
    body: 'if ((g & 1) == 0) { vstore4(vload4(g, in) * 3 + 1, g, o + 2); }',
    global: 32,
    words: 160,
    same: true,
    reference(o) {
      for (let g = 0; g < 32; g += 2)
        o.set(
          o.slice(4 * g, 4 * g + 4).map((v) => v * 3 + 1),
          4 * g + 2,
        );
    },
  },
  {
    name: 'shifts_one_after_the_other',
    body: 'vstore8(vload8(0, o), 0, in + 1); vstore4(vload4(0, in + 2) ^ 5, 0, o + 3); vstore2(vload2(1, o), 0, in + 1);',
    global: 1,
    words: 32,
    same: true,
    reference(o) {
      o.copyWithin(1, 0, 8);
      o.set(
        o.slice(2, 6).map((v) => v ^ 5),
        3,
      );
      o.copyWithin(1, 2, 4);
    },
  },
  {
    name: 'members_of_a_structure_one_word_on',
    before: 'typedef struct { uint x, y, z; } T;',
    body: 'global T *p = (global T *)o + g, *q = (global T *)(in + 1) + g; q->x = p->x + 3; q->y = p->y + 3; q->z = p->z + 3;',
    global: 1,
    words: 8,
    same: true,
    reference(o) {
      for (let i = 0; i < 3; i++) o[i + 1] = o[i]! + 3;
    },
  },
  {
    name: 'load_after_a_store_on_one_side',
    body: 'uint q = in[g], t; if (q & 1) { o[g] = q + 1; t = in[g]; } else { o[g] = q * 2; t = 7; } o[64 + g] = t;',
    global: 64,
    words: 128,
    same: true,
    reference(o) {
      for (let g = 0; g < 64; g++) {
        const odd = o[g]! & 1;
        o[g] = odd ? o[g]! + 1 : o[g]! * 2;
        o[64 + g] = odd ? o[g]! : 7;
      }
    },
  },
  {
    name: 'stores_that_may_be_written_back',
    body: 'uint v = o[g], w = in[g + 64]; if (v & 1) o[g] = v + 1; if (w & 2) o[g] = v + 2; if ((w & 4) && v > 5) o[g] = v * 3;',
    global: 64,
    words: 128,
    same: true,
    reference(o) {
      for (let g = 0; g < 64; g++) {
        const [v, w] = [o[g]!, o[g + 64]!];
        if (v & 1) o[g] = v + 1;
        if (w & 2) o[g] = v + 2;
        if (w & 4 && v > 5) o[g] = v * 3;
      }
    },
  },
  {
    name: 'sum_into_what_is_summed',
    body: 'for (uint i = 0; i < 64; i++) o[20] += in[i]; global uint *sum = &o[in[7] % 64]; for (uint i = 0; i < 60; i++) { *sum += in[i]; o[i + 1] ^= *sum; }',
    global: 1,
    words: 64,
    same: true,
    reference(o) {
      for (let i = 0; i < 64; i++) o[20]! += o[i]!;
      const at = o[7]! % 64;
      for (let i = 0; i < 60; i++) {
        o[at]! += o[i]!;
        o[i + 1]! ^= o[at]!;
      }
    },
  },
  {
    name: 'bytes_three_on',
    body: 'global uchar *a = (global uchar *)(o + 64 * g), *b = (global uchar *)(in + 64 * g) + g; for (uint i = 0; i < 240; i++) b[i] = a[i] + i; for (uint i = 0; i < 240; i++) a[i] = b[i + 3] - a[i];',
    global: 5,
    words: 384,
    same: true,
    reference(o) {
      for (let g = 0; g < 5; g++) {
        const a = bytes(o).subarray(256 * g);
        for (let i = 0; i < 240; i++) a[i + g] = a[i]! + i;
        for (let i = 0; i < 240; i++) a[i] = a[i + g + 3]! - a[i]!;
      }
    },
  },
  {
    name: 'bytes_halves_and_words',
    body: 'global uchar *a = (global uchar *)o; global ushort *b = (global ushort *)in; uint i = g * 32; for (uint k = 0; k < 20; k++) { a[i + k] += 3; b[i / 2 + (k >> 1)] ^= 0x101; if ((k & 7) == 3) o[i / 4 + (k >> 2)] += a[i + k]; }',
    global: 16,
    words: 128,
    same: true,
    reference(o) {
      const [a, b] = [bytes(o), new Uint16Array(o.buffer)];
      for (let i = 0; i < 16 * 32; i += 32)
        for (let k = 0; k < 20; k++) {
          a[i + k]! += 3;
          b[i / 2 + (k >> 1)]! ^= 0x101;
          if ((k & 7) === 3) o[i / 4 + (k >> 2)]! += a[i + k]!;
        }
    },
  },
  {
    name: 'stencil_in_place',
    body: 'for (uint t = 0; t < 3; t++) for (uint i = 1; i < 127; i++) o[i] = ((in[i - 1] >> 2) + 2 * (in[i] >> 2) + (in[i + 1] >> 2)) >> 1; for (uint i = 4; i < 128; i++) o[i] += in[i - 4]; for (uint i = 126; i >= 3; i--) o[i - 3] = in[i] ^ in[i - 1];',
    global: 1,
    words: 128,
    same: true,
    reference(o) {
      for (let t = 0; t < 3; t++)
        for (let i = 1; i < 127; i++)
          o[i] = (((o[i - 1]! >>> 2) + 2 * (o[i]! >>> 2) + (o[i + 1]! >>> 2)) >>> 0) >>> 1;
      for (let i = 4; i < 128; i++) o[i]! += o[i - 4]!;
      for (let i = 126; i >= 3; i--) o[i - 3] = o[i]! ^ o[i - 1]!;
    },
  },
];
