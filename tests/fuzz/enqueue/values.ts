// SPDX-License-Identifier: MIT
//
// The variables that blocks capture, of all types, and the places of an ND-range.

/** Numbers of the input buffer. */
export const INPUT = Uint32Array.from({ length: 64 }, (_, i) => Math.imul(i + 3, 0x9e3779b1) >>> 0);
const TABLE = [3, 1, 4, 1, 5, 9, 2, 6];

/** A type of variables: one made from the number `E`, and the number that a variable `V` of it gives, also in JavaScript. */
export interface Captured {
  readonly type: string;
  readonly make: string;
  readonly read: string;
  of(e: number): number;
}

const low = (bits: number) => (e: number) => e & (2 ** bits - 1);
const signed = (e: number, bits: number) => (e << (32 - bits)) >> (32 - bits);
const row = (type: string, make: string, read: string, of: Captured['of']): Captured => ({
  type,
  make,
  read,
  of: (e) => of(e) >>> 0,
});

export const CAPTURED: readonly Captured[] = [
  row('uint', 'E', 'V', (e) => e),
  row('char', '(char)(E)', '(uint)V', (e) => signed(e, 8)),
  row('ushort', '(ushort)(E)', '(uint)V', low(16)),
  row('bool', '(((E) >> 3) & 1)', '(uint)V', (e) => (e >>> 3) & 1),
  row('long', '(((long)(E) << 29) - 3)', '(uint)((V + 3) >> 29)', (e) => e),
  row('float', '(float)((E) & 0xffff)', '(uint)V', low(16)),
  row('double', '((E) + 0.25)', '(uint)V', (e) => e),
  row('half', '(half)((E) & 1023)', '(uint)V', low(10)),
  row('size_t', '(size_t)((E) ^ 9)', '(uint)V', (e) => e ^ 9),
  row('char2', '(char2)((char)(E), (char)((E) >> 8))', '(uint)(V.x - V.y)', (e) => signed(e, 8) - signed(e >> 8, 8)),
  row('short3', '(short3)((short)(E), (short)((E) >> 16), 7)', '(uint)(V.x * 3 + V.y - V.z)', (e) => signed(e, 16) * 3 + (e >> 16) - 7),
  row('uint3', '(uint3)(E, ~(E), 5)', '(V.x + V.z)', (e) => e + 5),
  row('ulong4', '((ulong4)(E) << (ulong4)(0, 8, 16, 24))', '(uint)(V.y + (V.w >> 24))', (e) => (e << 8) + e),
  row('float16', '((float16)((E) & 255) + (float16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))', '(uint)(V.s3 * V.sf)', (e) => ((e & 255) + 3) * ((e & 255) + 15)),
  row('double3', '(double3)((E) & 0xffff, 1, 0.5)', '(uint)((V.x + V.y) * V.z * 2)', (e) => (e & 0xffff) + 1),
  row('Odd', '(Odd){ (uchar)(E), { (short)((E) >> 8), 2, 3 }, (ulong)(E) << 7, (char3)(1, 2, (char)(E)) }', '(V.a + (uint)V.b[0] + (uint)(V.c >> 7) - (uint)V.d.z)', (e) => (e & 255) + signed(e >> 8, 16) + e - signed(e, 8)),
  row('Two', '(Two){ .odd = { .a = 9, .c = (E) }, .f = { 1.5f, (E) & 63 } }', '((uint)V.odd.c * 3 + V.odd.a + (uint)V.f[1])', (e) => Math.imul(e, 3) + 9 + (e & 63)),
  row('Either', '(Either){ .wide = (ulong)(E) << 16 }', '((uint)V.parts[1] + ((uint)V.parts[2] << 16))', (e) => e),
  row('global const uint *', '(in + ((E) & 31))', '(*V + V[7])', (e) => INPUT[e & 31]! + INPUT[(e & 31) + 7]!),
  row('const uint *', '(const uint *)(in + ((E) & 31))', 'V[1]', (e) => INPUT[(e & 31) + 1]!),
  row('constant uint *', '(table + ((E) & 3))', '(V[0] * 16 + V[4])', (e) => TABLE[e & 3]! * 16 + TABLE[(e & 3) + 4]!),
]; // biome-ignore format: a table

/** What precedes the kernels. */
export const DECLARATIONS = `#pragma OPENCL EXTENSION cl_khr_fp16 : enable
typedef struct { uchar a; short b[3]; ulong c; char3 d; } Odd;
typedef struct { Odd odd; float f[2]; } Two;
typedef union { ulong wide; ushort parts[4]; } Either;
constant uint table[] = { ${TABLE.join(', ')} };
global uint total = 0;
`;

/** An ND-range; `local` undefined if the device chooses. */
export interface Range {
  readonly global: readonly number[];
  readonly local: readonly number[] | undefined;
  readonly offset: readonly number[];
}

/** A work-item's place, as its built-in functions say. */
export interface Place {
  readonly dimensions: number;
  /** Global numbers, with the offset. */
  readonly global: readonly number[];
  readonly offset: readonly number[];
  readonly size: readonly number[];
  readonly linear: number;
  readonly local: readonly number[];
  readonly localSize: readonly number[];
  readonly enqueuedLocalSize: readonly number[];
  readonly localLinear: number;
  readonly group: readonly number[];
  readonly groups: readonly number[];
}

const product = (sizes: readonly number[]) => sizes.reduce((a, b) => a * b, 1);
export const itemsOf = ({ global }: Range): number => product(global);

/** The work-items of an ND-range, where the device chooses the local size without local places. */
export function placesOf({ global, local, offset }: Range): Place[] {
  const three = (sizes: readonly number[], filler: number) => [0, 1, 2].map((d) => sizes[d] ?? filler);
  const [size, step, from] = [three(global, 1), three(local ?? global, 1), three(offset, 0)];
  return Array.from({ length: product(size) }, (_, linear) => {
    const at = [linear % size[0]!, Math.floor(linear / size[0]!) % size[1]!, Math.floor(linear / (size[0]! * size[1]!))];
    const group = at.map((a, d) => Math.floor(a / step[d]!));
    const inGroup = at.map((a, d) => a % step[d]!);
    const localSize = group.map((g, d) => Math.min(step[d]!, size[d]! - g * step[d]!));
    return {
      dimensions: global.length,
      global: at.map((a, d) => a + from[d]!),
      offset: from,
      size,
      linear,
      local: inGroup,
      localSize,
      enqueuedLocalSize: step,
      localLinear: (inGroup[2]! * localSize[1]! + inGroup[1]!) * localSize[0]! + inGroup[0]!,
      group,
      groups: size.map((s, d) => Math.ceil(s / step[d]!)),
    };
  });
} // biome-ignore format: long
