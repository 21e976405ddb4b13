// SPDX-License-Identifier: MIT
//
// Streams of data through a device, on the software device and on PoCL.
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Flow, flow, OpenCLError, open, platforms, regroup, type Session, throughFlow } from '../../ts';

const devices = platforms().flatMap((platform) =>
  platform.devices.map((device) => [`${platform.name}: ${device.name}`, device] as const),
);

const SOURCE = `
  kernel void widen(global const int *in, global float *out, float add) { int i = get_global_id(0); out[i] = in[i] + add; }
  kernel void twice(global float *p) { p[get_global_id(0)] *= 2; }
  kernel void pairs(global const float *in, global float *out) { int i = get_global_id(0); out[i] = in[2 * i] + in[2 * i + 1]; }
  kernel void trap(global int *p) { if (p[0] == 40) p[0x20000000] = 1; }`;

/** 0, 1, 2 … in pieces of any size; says how many were taken. */
function counting(total: number, piece: number) {
  const taken = { pieces: 0, returned: false };
  async function* numbers(): AsyncGenerator<Int32Array> {
    try {
      for (let at = 0; at < total; at += piece) {
        taken.pieces++;
        yield Int32Array.from({ length: Math.min(piece, total - at) }, (_, i) => at + i);
      }
    } finally {
      taken.returned = true;
    }
  }
  return { taken, source: numbers() };
}

describe.each(devices)('on %s', (_, device) => {
  let cl: Session;
  let kernels: Awaited<ReturnType<Session['build']>>['kernels'];
  let through: Flow<Float32Array>;

  beforeAll(async () => {
    cl = await open({ device });
    kernels = (await cl.build(SOURCE)).kernels;
    through = flow<Int32Array, Float32Array>(cl, {
      input: Int32Array,
      chunk: 100,
      stages: [
        {
          kernel: kernels.widen!,
          args: ({ input, output }) => [input, output, 0.5],
          output: { type: Float32Array },
        },
        { kernel: kernels.twice! },
        {
          kernel: kernels.pairs!,
          range: (length) => ({ global: length / 2 }),
          output: { type: Float32Array, length: (length) => length / 2 },
        },
      ],
    });
  });
  afterAll(() => cl.close());

  const expected = (total: number): number[] =>
    Array.from({ length: total / 2 }, (_, i) => 2 * (2 * i + 0.5) + 2 * (2 * i + 1 + 0.5));

  test('chunks pass all stages, in order, and the last one may be shorter', async () => {
    const lengths: number[] = [];
    const all: number[] = [];
    for await (const out of through(counting(1234, 77).source)) {
      lengths.push(out.length);
      all.push(...out);
    }
    expect(all).toEqual(expected(1234));
    expect(lengths).toEqual([...new Array(12).fill(50), 17]);
  });

  test('streams of Node.js and of the web, both ways', async () => {
    const bytes = new Uint8Array(Int32Array.from({ length: 400 }, (_, i) => i).buffer);
    const pieces = [bytes.subarray(0, 7), bytes.subarray(7, 1001), bytes.subarray(1001)];
    const got: number[] = [];
    const sink = new Writable({
      objectMode: true,
      write(chunk: Float32Array, _encoding, callback) {
        got.push(...chunk);
        callback();
      },
    });
    await pipeline(Readable.from(pieces), through, sink);
    expect(got).toEqual(expected(400));
    const fromWeb: number[] = [];
    const { readable, writable } = throughFlow(through);
    const web = Readable.toWeb(Readable.from(pieces)) as ReadableStream;
    for await (const chunk of web.pipeThrough({ readable, writable }))
      fromWeb.push(...(chunk as Float32Array));
    expect(fromWeb).toEqual(expected(400));
  });

  test('no more is requested than `depth` chunks and one that is being cut, until results are taken', async () => {
    const { taken, source } = counting(100_000, 100);
    const results = through(source);
    await results.next();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(taken.pieces).toBeLessThanOrEqual(4);
    await results.next();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(taken.pieces).toBeLessThanOrEqual(5);
    await results.return();
    expect((await results.next()).done).toBe(true);
  });

  test('who has enough stops the source', async () => {
    const { taken, source } = counting(100_000, 100);
    for await (const _out of through(source)) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(taken.returned).toBe(true);
  });

  test('lent results are right until the next is requested, and are given back', async () => {
    const lending = flow<Int32Array, Float32Array>(cl, {
      input: Int32Array,
      chunk: 100,
      lend: true,
      stages: [
        {
          kernel: kernels.widen!,
          args: ({ input, output }) => [input, output, 0.5],
          output: { type: Float32Array },
        },
        { kernel: kernels.twice! },
      ],
    });
    const wanted = Array.from({ length: 1234 }, (_, i) => 2 * (i + 0.5));
    const all: number[] = [];
    for await (const out of lending(counting(1234, 77).source)) {
      // The other chunks may be computed meanwhile.
      if (all.length === 300) await new Promise((resolve) => setTimeout(resolve, 20));
      all.push(...out);
    }
    expect(all).toEqual(wanted);
    for await (const out of lending(counting(5000, 100).source)) {
      expect([...out]).toEqual(wanted.slice(0, 100));
      break;
    }
  });

  test('an error of the source comes after the results before it', async () => {
    const failing = async function* () {
      yield Int32Array.from({ length: 200 }, (_, i) => i);
      throw new Error('the disk is gone');
    };
    const got: number[] = [];
    await expect(async () => {
      for await (const out of through(failing())) got.push(...out);
    }).rejects.toThrow('the disk is gone');
    expect(got).toEqual(expected(200));
  });
});

test('a kernel that fails is an error where its result would have come', async () => {
  const cl = await open({ device: 'software' });
  const { trap } = (await cl.build(SOURCE)).kernels;
  const through = flow(cl, { input: Int32Array, chunk: 10, stages: [{ kernel: trap! }] });
  const firsts: number[] = [];
  await expect(async () => {
    for await (const out of through(counting(100, 100).source)) firsts.push(out[0]!);
  }).rejects.toThrow(/CL_OUT_OF_RESOURCES.*kernel 'trap' trapped/);
  expect(firsts).toEqual([0, 10, 20, 30]);
  cl.close();
});

test('options that cannot be are refused', async () => {
  const cl = await open({ device: 'software' });
  const { trap } = (await cl.build(SOURCE)).kernels;
  const stages = [{ kernel: trap! }];
  expect(() => flow(cl, { input: Int32Array, chunk: 0, stages })).toThrow(OpenCLError);
  expect(() => flow(cl, { input: Int32Array, chunk: 1, depth: 0.5, stages })).toThrow('`options.depth`');
  expect(() => flow(cl, { input: Int32Array, chunk: 1, stages: [] })).toThrow('at least one stage');
  cl.close();
});

test('pieces that are whole chunks are passed on without a copy', async () => {
  const piece = Float32Array.from({ length: 9 }, (_, i) => i);
  const bytes = new Uint8Array(piece.slice().buffer, 0, 32);
  const shared = new Float32Array(new SharedArrayBuffer(16));
  const got: Float32Array[] = [];
  for await (const chunk of regroup([piece.subarray(1), shared, bytes], Float32Array, 4)) got.push(chunk);
  expect(got.map(({ buffer }) => buffer)).toEqual(expect.arrayContaining([piece.buffer, bytes.buffer]));
  expect(got.slice(0, 2).map(({ buffer, byteOffset }) => [buffer === piece.buffer, byteOffset])).toEqual([
    [true, 4],
    [true, 20],
  ]);
  expect(got[2]!.buffer).not.toBe(shared.buffer);
  expect([...got[3]!, ...got[4]!]).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(got[4]!.buffer).toBe(bytes.buffer);
});

test('data that ends within an element is refused', async () => {
  const pieces = regroup([new Uint8Array(9)], Float32Array, 2);
  expect((await pieces.next()).value).toEqual(new Float32Array(2));
  await expect(pieces.next()).rejects.toThrow('1 of 4 bytes are left');
});
