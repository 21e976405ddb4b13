// SPDX-License-Identifier: MIT
//
// `fma` on the software device, as the processor's instruction or as the sequence that replaces it: rounded once, against exact
// arithmetic, for values that are near to each other, far apart, below the normal ones and at the middle of two numbers.
import { openSync, type Session } from '../../ts';
import { halfBits, halfValue } from '../../ts/base/half';
import { fusedMultiplyAdd, PRECISION } from '../../ts/jit/ir/fused';

const COUNT = 6000;

function generator(): () => number {
  let state = 12345;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  };
}

const TYPES = {
  half: {
    array: Uint16Array,
    bytes: 2,
    edges: [0x3c00, 0x3c01, 0xbbff, 1, 0x8001, 0x0400, 0x7bff, 0x1400, 0x0c01],
  },
  float: {
    array: Uint32Array,
    bytes: 4,
    edges: [
      0x3f800000, 0x3f800800, 0xbf801000, 1, 0x80000001, 0x00800000, 0x7f7fffff, 0x33800000, 0x39800001,
    ],
  },
  double: {
    array: BigUint64Array,
    bytes: 8,
    edges: [
      0x3ff0000000000000n,
      0x3ff0000002000000n,
      0xbff0000004000000n,
      1n,
      0x8000000000000001n,
      0x10000000000000n,
    ],
  },
} as const;
type Name = keyof typeof TYPES;
type Bits = Uint16Array | Uint32Array | BigUint64Array;

/** Random bits, every fourth an edge, and every third sum almost cancelled. */
function operands(name: Name): { a: Bits; b: Bits; c: Bits } {
  const next = generator();
  const { array, bytes, edges } = TYPES[name];
  const random = () =>
    bytes === 8 ? (BigInt(next()) << 32n) | BigInt(next()) : bytes === 4 ? next() : next() >>> 16;
  const make = () => {
    const list = new array(COUNT);
    for (let k = 0; k < COUNT; k++)
      list[k] = (k % 4 === next() % 5 ? edges[next() % edges.length]! : random()) as never;
    return list as Bits;
  };
  const [a, b, c] = [make(), make(), make()];
  const [x, y] = [valuesOf(name, a), valuesOf(name, b)];
  const near = bitsOf(
    name,
    x.map((value, k) => -(value * y[k]!)),
  );
  for (let k = 0; k < COUNT; k += 3) c[k] = near[k]! as never;
  return { a, b, c };
}

function valuesOf(name: Name, bits: Bits): number[] {
  if (name === 'half') return Array.from(bits as Uint16Array, halfValue);
  return [...(name === 'float' ? new Float32Array(bits.buffer) : new Float64Array(bits.buffer))];
}

function bitsOf(name: Name, values: readonly number[]): Bits {
  if (name === 'half') return Uint16Array.from(values, halfBits);
  return name === 'float'
    ? new Uint32Array(Float32Array.from(values).buffer)
    : new BigUint64Array(Float64Array.from(values).buffer);
}

/** All NaN are one. */
const text = (name: Name, bits: Bits): string[] =>
  valuesOf(name, bits).map((value, k) => (Number.isNaN(value) ? 'NaN' : bits[k]!.toString(16)));

describe('fma', () => {
  let cl: Session;
  beforeAll(() => {
    cl = openSync({ device: 'software' });
  });
  afterAll(() => cl.close());

  test.each(['half', 'float', 'double'] as const)('of %ss, as vectors and as scalars', async (name) => {
    const { a, b, c } = operands(name);
    const { vectors, scalars } = (
      await cl.build(`
        #pragma OPENCL EXTENSION cl_khr_fp16 : enable
        kernel void vectors(global ${name} *out, global const ${name} *a, global const ${name} *b, global const ${name} *c) {
          size_t i = get_global_id(0);
          out[i] = fma(a[i], b[i], c[i]);
        }
        kernel void scalars(global ${name} *out, global const ${name} *a, global const ${name} *b, global const ${name} *c, int n) {
          for (int i = 0; i < n; i++) out[i] = fma(a[i], b[i], c[i]);
        }`)
    ).kernels;
    const [x, y, z] = [valuesOf(name, a), valuesOf(name, b), valuesOf(name, c)];
    const wanted = text(
      name,
      bitsOf(
        name,
        x.map((value, k) => fusedMultiplyAdd(value, y[k]!, z[k]!, PRECISION[name])),
      ),
    );
    const out = cl.buffer(Uint8Array, COUNT * TYPES[name].bytes);
    const bytes = (bits: Bits) => cl.buffer(new Uint8Array(bits.buffer));
    const found = async () => text(name, new TYPES[name].array((await out.read()).buffer) as Bits);
    await vectors!.run({ global: COUNT }, out, bytes(a), bytes(b), bytes(c));
    expect(await found()).toEqual(wanted);
    await scalars!.run({ global: 1 }, out, bytes(a), bytes(b), bytes(c), COUNT);
    expect(await found()).toEqual(wanted);
  });
});
