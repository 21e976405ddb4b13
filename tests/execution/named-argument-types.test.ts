// SPDX-License-Identifier: MIT
//
// Arguments whose types are typedefs or enumerations take what the types behind them take.
import { type Kernel, local, openSync, type Session } from '../../ts';
import { shutdownAll } from '../conformance/devices';

const SOURCE = `
typedef float real;
typedef real Real;
typedef uint word;
typedef int unit;
typedef uchar4 Pixel;
typedef unsigned long Address;
typedef enum { LOW, HIGH = 9 } Level;
typedef global real *Output;
typedef local int *Scratch;
kernel void scale(const Real k, global Real *x) { x[get_global_id(0)] *= k; }
kernel void store(real value, Output out) { *out = value; }
kernel void words(word a, unit b, Address c, global long *out) { out[0] = a; out[1] = b; out[2] = c >> 60; }
kernel void pixel(Pixel p, global Pixel *out) { *out = p.wzyx; }
kernel void level(Level l, enum { NO, YES } e, global Level *out) { *out = l + e; }
kernel void scratch(Scratch t, global unit *out) {
  t[get_local_id(0)] = get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_local_id(0)] = t[get_local_size(0) - 1 - get_local_id(0)];
}
`;

let cl: Session;
let kernels: Readonly<Record<string, Kernel>>;
beforeAll(async () => {
  cl = openSync({ device: 'software' });
  ({ kernels } = await cl.build(SOURCE));
});
afterAll(() => {
  cl.close();
  return shutdownAll();
});

test('numbers and vectors by their typedefs', async () => {
  const x = cl.buffer(Float32Array.of(1, 2));
  await kernels['scale']!.run({ global: 2 }, 2.5, x);
  expect([...(await x.read())]).toEqual([2.5, 5]);
  await kernels['store']!.run({ global: 1 }, 0.5, x);
  expect((await x.read())[0]).toBe(0.5);

  const out = cl.buffer(BigInt64Array, 3);
  await kernels['words']!.run({ global: 1 }, 2 ** 32 - 1, -1, 2n ** 63n, out);
  expect([...(await out.read())]).toEqual([2n ** 32n - 1n, -1n, 8n]);

  const pixel = cl.buffer(Uint8Array, 4);
  await kernels['pixel']!.run({ global: 1 }, [1, 2, 3, 255], pixel);
  expect([...(await pixel.read())]).toEqual([255, 3, 2, 1]);

  const level = cl.buffer(Uint32Array, 1);
  await kernels['level']!.run({ global: 1 }, 9, 1, level);
  expect([...(await level.read())]).toEqual([10]);
});

test('local memory behind a typedef', async () => {
  const out = cl.buffer(Int32Array, 4);
  await kernels['scratch']!.run({ global: 4, local: 4 }, local(Int32Array, 4), out);
  expect([...(await out.read())]).toEqual([3, 2, 1, 0]);
});

test('the types keep their names, and wrong values are refused', () => {
  const names = (kernel: string) => kernels[kernel]!.arguments.map(({ typeName }) => typeName);
  expect(names('scale')).toEqual(['Real', 'Real*']);
  expect(names('words')).toEqual(['word', 'unit', 'Address', 'long*']);
  const { words, scale, store } = kernels as Record<string, Kernel>;
  expect(() => words!.setArg(0, -1)).toThrow(
    /argument 0 \('a'\) of kernel 'words' is a word, whole numbers from 0/,
  );
  expect(() => words!.setArg(1, 2 ** 31)).toThrow(/ unit, whole numbers from -2147483648/);
  expect(() => scale!.setArg(1, cl.buffer(new Float64Array(1)))).toThrow(/points to float/);
  expect(() => store!.setArg(1, 1)).toThrow(/takes a buffer/);
});
