// SPDX-License-Identifier: MIT
//
// Conversions in every rounding mode, with saturation, as scalars and vectors; halves in memory.
import type { Case } from './case';
import {
  asHalf,
  halfBits,
  ROUNDINGS,
  type Rounding,
  roundTo,
  roundToFloat,
  roundToInteger,
} from './rounding';

const COUNT = 83;

/** Integer types: bits, and whether they are signed. */
const INTEGERS = { char: [8, true], uchar: [8, false], short: [16, true], ushort: [16, false], int: [32, true], uint: [32, false], long: [64, true], ulong: [64, false] } as const; // biome-ignore format: a table
type IntegerName = keyof typeof INTEGERS;

function saturate(name: IntegerName, value: number, rounding: Rounding): bigint {
  const [bits, signed] = INTEGERS[name];
  if (Number.isNaN(value)) return 0n;
  const [least, most] = signed
    ? [-(1n << BigInt(bits - 1)), (1n << BigInt(bits - 1)) - 1n]
    : [0n, (1n << BigInt(bits)) - 1n];
  if (value === Infinity) return most;
  if (value === -Infinity) return least;
  const whole = roundToInteger(value, rounding);
  return whole < least ? least : whole > most ? most : whole;
}

/** Floating-point types: the value that a kernel makes of words, and the same in JavaScript. */
const REALS = {
  float: {
    kernel: 'as_float((in[i] & 0x807fffff) | (120 + in[i + 1] % 75) << 23)',
    value: (a: number, b: number) => new Float32Array(Uint32Array.of((a & 0x807fffff) | ((120 + (b % 75)) << 23)).buffer)[0]!,
  },
  double: {
    kernel: 'as_double((ulong)((in[i] & 0x800fffff) | (1016 + in[i + 1] % 75) << 20) << 32 | in[i + 2])',
    value: (a: number, b: number, c: number) => new Float64Array(Uint32Array.of(c, (a & 0x800fffff) | ((1016 + (b % 75)) << 20)).buffer)[0]!,
  },
  half: { kernel: 'as_half((ushort)in[i])', value: (a: number) => asHalf(a & 0xffff) },
} as const; // biome-ignore format: lines as the kernel's
type RealName = keyof typeof REALS;

const HASH = 'ulong h = 0;\n#define H(x) h = h * 31 + (ulong)(x);\n';
const STORE = 'o[2 * g] = (uint)h; o[2 * g + 1] = (uint)(h >> 32);';
const hash = (values: Iterable<bigint>): bigint => {
  let h = 0n;
  for (const v of values) h = BigInt.asUintN(64, h * 31n + v);
  return h;
};
function store(o: Uint32Array, g: number, values: Iterable<bigint>): void {
  const h = hash(values);
  o.set([Number(h & 0xffffffffn), Number(h >> 32n)], 2 * g);
}

const EXTENSIONS = '#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n';

function toIntegers(from: RealName, width: number): Case {
  const suffix = width === 1 ? '' : `${width}`;
  const components = Array.from({ length: width }, (_, k) => k);
  const letters = '0123456789abcdef';
  const names = Object.keys(INTEGERS) as IntegerName[];
  const each = names.flatMap((name) => ROUNDINGS.map((rounding) => ({ name, rounding })));
  const makes = components.map(
    (k) => `{ uint i = g + ${k}; x${width > 1 ? `.s${letters[k]}` : ''} = ${REALS[from].kernel}; }`,
  );
  const hashes = each.map(({ name, rounding }) => {
    const call = `convert_${name}${suffix}_sat_${rounding}(x)`;
    return width === 1
      ? `H(${call})`
      : `{ ${name}${suffix} r = ${call}; ${components.map((k) => `H(r.s${letters[k]})`).join(' ')} }`;
  });
  return {
    name: `${from}${suffix}_to_integers`,
    before: EXTENSIONS,
    body: `${HASH} ${from}${suffix} x; ${makes.join('\n')} ${hashes.join('\n')} ${STORE}`,
    global: COUNT,
    words: 2 * COUNT,
    reference(o, input) {
      for (let g = 0; g < COUNT; g++) {
        const values = components.map((k) =>
          REALS[from].value(input[g + k]!, input[g + k + 1]!, input[g + k + 2]!),
        );
        store(
          o,
          g,
          each.flatMap(({ name, rounding }) => values.map((x) => saturate(name, x, rounding))),
        );
      }
    },
  };
}

function fromIntegers(name: IntegerName): Case {
  const [bits, signed] = INTEGERS[name];
  const hashes = ROUNDINGS.flatMap((rounding) => [
    `H(as_uint(convert_float_${rounding}(x)))`,
    `H(as_ulong(convert_double_${rounding}(x)))`,
    `H(as_ushort(convert_half_${rounding}(x)))`,
  ]);
  return {
    name: `${name}_to_reals`,
    before: EXTENSIONS,
    body: `${HASH} ${name} x = (${name})(((ulong)in[g] << 32 | in[g + 1]) >> (in[g + 2] % 49)); ${hashes.join('\n')} ${STORE}`,
    global: COUNT,
    words: 2 * COUNT,
    reference(o, input) {
      for (let g = 0; g < COUNT; g++) {
        const whole = ((BigInt(input[g]!) << 32n) | BigInt(input[g + 1]!)) >> BigInt(input[g + 2]! % 49);
        const x = signed ? BigInt.asIntN(bits, whole) : BigInt.asUintN(bits, whole);
        store(o, g, ROUNDINGS.flatMap((rounding) => [
          BigInt(new Uint32Array(Float32Array.of(roundToFloat(x, rounding)).buffer)[0]!),
          new BigUint64Array(Float64Array.of(roundTo(x, rounding, 53)).buffer)[0]!,
          BigInt(halfBits(x, rounding)),
        ])); // biome-ignore format: as the kernel
      }
    },
  };
}

const SMALL_HALVES = 'as_float((in[g] & 0x807fffff) | (98 + in[g + 1] % 47) << 23)';
const smallHalf = (input: Uint32Array, g: number) =>
  new Float32Array(Uint32Array.of((input[g]! & 0x807fffff) | ((98 + (input[g + 1]! % 47)) << 23)).buffer)[0]!;
const DOUBLE_HALVES =
  'as_double((ulong)((in[g] & 0x800fffff) | (994 + in[g + 1] % 47) << 20) << 32 | in[g + 2])';
const doubleHalf = (input: Uint32Array, g: number) =>
  new Float64Array(
    Uint32Array.of(input[g + 2]!, (input[g]! & 0x800fffff) | ((994 + (input[g + 1]! % 47)) << 20)).buffer,
  )[0]!;

/** Stores a number as a half in all roundings. */
const halvesOf = (
  type: 'float' | 'double',
  source: string,
  numberOf: (input: Uint32Array, g: number) => number,
): Case => ({
  name: `halves_of_${type}s`,
  body: `${type} x = ${source}; global half *p = (global half *)o; ${ROUNDINGS.map((r, k) => `vstore_half_${r}(x, 5 * g + ${k}, p);`).join(' ')} vstore_half(x, 5 * g + 4, p);`,
  global: 90,
  words: 225,
  reference(o, input) {
    const p = new Uint16Array(o.buffer);
    for (let g = 0; g < 90; g++)
      [...ROUNDINGS, 'rte' as const].forEach((rounding, k) => {
        p[5 * g + k] = halfBits(numberOf(input, g), rounding);
      });
  },
});

const HALVES: readonly Case[] = [
  halvesOf('float', SMALL_HALVES, smallHalf),
  halvesOf('double', DOUBLE_HALVES, doubleHalf),
  {
    name: 'doubles_to_floats_and_halves',
    before: EXTENSIONS,
    body: `${HASH} double x = ${DOUBLE_HALVES}; float y = ${SMALL_HALVES}; ${ROUNDINGS.map((r) => `H(as_uint(convert_float_${r}(x))) H(as_ushort(convert_half_${r}(x))) H(as_ushort(convert_half_${r}(y)))`).join('\n')} ${STORE}`,
    global: COUNT,
    words: 2 * COUNT,
    reference(o, input) {
      for (let g = 0; g < COUNT; g++) {
        const [x, y] = [doubleHalf(input, g), smallHalf(input, g)];
        store(o, g, ROUNDINGS.flatMap((rounding) => [
          BigInt(new Uint32Array(Float32Array.of(roundToFloat(x, rounding)).buffer)[0]!), BigInt(halfBits(x, rounding)), BigInt(halfBits(y, rounding)),
        ])); // biome-ignore format: as the kernel
      }
    },
  },
  {
    name: 'vectors_of_halves_in_memory',
    body: `global half *p = (global half *)in, *q = (global half *)o; float3 v = vload_half3(g, p); v = select(v, (float3)0, isnan(v)); vstore_half3_rtz(v * 1.0009765625f, g, q);`,
    global: 80,
    words: 120,
    reference(o, input) {
      const [p, q] = [new Uint16Array(input.buffer), new Uint16Array(o.buffer)];
      for (let k = 0; k < 240; k++) {
        const x = asHalf(p[k]!);
        q[k] = Number.isNaN(x) ? 0 : halfBits(Math.fround(x * 1.0009765625), 'rtz');
      }
    },
  },
  {
    name: 'aligned_vectors_of_halves',
    body: `global half *p = (global half *)in, *q = (global half *)o; float3 v = vloada_half3(g, p); float8 w = vloada_half8(g, p); vstorea_half3_rtp(v.zxy, 5 * g, q); vstorea_half4_rtn(w.s7531, 5 * g + 1, q); vstorea_half2(w.hi.yx, 10 * g + 4, q); vstorea_half8_rte(w, 100 + g, q);`,
    global: 30,
    words: 640,
    reference(o, input) {
      const [p, q] = [new Uint16Array(input.buffer), new Uint16Array(o.buffer)];
      for (let g = 0; g < 30; g++) {
        const v = Array.from(p.subarray(4 * g, 4 * g + 3));
        const w = Array.from(p.subarray(8 * g, 8 * g + 8));
        q.set([v[2]!, v[0]!, v[1]!], 20 * g);
        q.set([w[7]!, w[5]!, w[3]!, w[1]!], 20 * g + 4);
        q.set([w[5]!, w[4]!], 20 * g + 8);
        q.set(w, 800 + 8 * g);
      }
    },
  },
  {
    name: 'arithmetic_of_halves',
    before: EXTENSIONS,
    body: `half a = as_half((ushort)(in[g] & 0xbfff | 0x2000)), b = as_half((ushort)(in[g + 1] & 0xbfff | 0x2000)); global ushort *q = (global ushort *)o;
      q[8 * g] = as_ushort(a + b); q[8 * g + 1] = as_ushort(a - b); q[8 * g + 2] = as_ushort(a * b); q[8 * g + 3] = as_ushort(a / b); q[8 * g + 4] = as_ushort(a > b ? -a : (half)(b * 2)); q[8 * g + 5] = as_ushort(fmax(a, b)); q[8 * g + 6] = (a < b) + (a == b) * 2 + (a != b) * 4; q[8 * g + 7] = as_ushort((half)((float)a + (float)b * 0.125f));`,
    global: 91,
    words: 364,
    reference(o, input) {
      const q = new Uint16Array(o.buffer);
      for (let g = 0; g < 91; g++) {
        const [a, b] = [asHalf((input[g]! & 0xbfff) | 0x2000), asHalf((input[g + 1]! & 0xbfff) | 0x2000)];
        const bits = (x: number) => halfBits(x, 'rte');
        q.set([bits(a + b), bits(a - b), bits(a * b), bits(a / b), bits(a > b ? -a : b * 2), bits(Math.max(a, b)), Number(a < b) + (a === b ? 2 : 4), bits(Math.fround(a + b * 0.125))], 8 * g); // biome-ignore format: as the kernel
      }
    },
  },
];

/** Few widths each: a wide case has hundreds of conversions. */
const WIDTHS = { float: [1, 2, 8], double: [1, 3], half: [1, 16] } as const;

export const CONVERSIONS: readonly Case[] = [
  ...(Object.keys(REALS) as RealName[]).flatMap((name) =>
    WIDTHS[name].map((width) => toIntegers(name, width)),
  ),
  ...(Object.keys(INTEGERS) as IntegerName[]).map(fromIntegers),
  ...HALVES,
];
