// SPDX-License-Identifier: MIT
//
// Arrays where memory is full, the session ends, or a kernel takes too long, in the middle: an error of OpenCL, the caller's array as
// it was, and nothing left behind.
import { OpenCLError, openSync } from '../../ts';
import { type Arrays, arrays, type NDArray } from '../../ts/array';

const LENGTH = 40_000;
const source = Float32Array.from({ length: LENGTH }, (_, k) => (k * 7919) % 1000);

/** What several kernels, temporary memory and reads in between make. The results are read to `into`. */
async function compute(nd: Arrays, into: Float32Array): Promise<void> {
  const x = nd.array(source);
  const made: NDArray[] = [x];
  try {
    const sorted = x.mul(2).sort();
    made.push(sorted, x.cumsum(), await x.compact(x.gt(500)), x.histogram({ bins: 1000 }));
    for (const each of made.slice(2)) await each.evaluate();
    await sorted.read({ into });
  } finally {
    for (const each of made) each.release();
  }
}

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

test('memory that is full at any step', async () => {
  let failures = 0;
  // From what kernels need themselves.
  for (let kilobytes = 320; ; kilobytes += 160) {
    const cl = openSync({ device: 'software', maxMemory: kilobytes * 1024 });
    const nd = arrays(cl);
    const into = new Float32Array(LENGTH).fill(7);
    const error = await failure(compute(nd, into));
    // A launch that failed without an event fails this, too.
    await failure(cl.queue.finish());
    expect(nd.pool.used).toBe(0);
    nd.release();
    // What fits does so again.
    const few = nd.array(source.slice(0, 100));
    expect(await few.max().item()).toBe(Math.max(...source.slice(0, 100)));
    nd.release();
    cl.close();
    if (error === undefined) {
      expect(into).toEqual(source.map((value) => 2 * value).sort());
      break;
    }
    failures++;
    expect(error).toBeInstanceOf(OpenCLError);
    expect((error as OpenCLError).codeName).toMatch(/MEM_OBJECT_ALLOCATION_FAILURE|OUT_OF_RESOURCES/);
    expect(into.every((value) => value === 7)).toBe(true);
  }
  expect(failures).toBeGreaterThan(3);
});

test('the error is that of the computation, and not of one before', async () => {
  const cl = openSync({ device: 'software', timeout: 300 });
  const nd = arrays(cl);
  const endless = (name: string): NDArray =>
    nd.elementwise(`float ${name} = x; while (${name} >= 0) ${name} = ${name} * 0.5f + 1; y = ${name}`)({
      x: nd.ones(1000),
    }) as NDArray;
  const first = await failure(endless('v').add(1).sort().read());
  const second = await failure(endless('w').cumsum().copy().read());
  for (const error of [first, second]) expect(String(error)).toMatch(/TIMED_OUT/);
  expect(second).not.toBe(first);
  cl.close();
});

test.each([{}, { terminate: true }])('a session that is closed with %j at any turn', async (options) => {
  for (let turns = 0; turns < 12; turns++) {
    const cl = openSync({ device: 'software' });
    const nd = arrays(cl);
    const into = new Float32Array(LENGTH).fill(7);
    const work = failure(compute(nd, into));
    for (let turn = 0; turn < turns; turn++) await new Promise((done) => setImmediate(done));
    cl.close(options);
    const error = await work;
    if (error === undefined) expect(into).toEqual(source.map((value) => 2 * value).sort());
    else {
      expect(error).toBeInstanceOf(OpenCLError);
      expect(into.every((value) => value === 7)).toBe(true);
    }
    expect(() => nd.zeros(3).readSync()).toThrow(OpenCLError);
  }
});

test('a kernel that takes too long is named, and what needs its results fails', async () => {
  const cl = openSync({ device: 'software', timeout: 300 });
  const nd = arrays(cl);
  const endless = nd.elementwise('float v = x; while (v >= 0) v = v * 0.5f + 1; y = v');
  const slow = endless({ x: nd.ones(1000) });
  const into = new Float32Array(1000).fill(7);
  const error = await failure(slow.add(1).read({ into }));
  expect(error).toBeInstanceOf(OpenCLError);
  expect((error as OpenCLError).message).toMatch(/TIMED_OUT/);
  expect(into.every((value) => value === 7)).toBe(true);
  expect(await nd.ones(10).sum().item()).toBe(10);
  cl.close();
});

test('arrays of two sessions, and released ones, are refused by every operation', () => {
  const [one, two] = [openSync({ device: 'software' }), openSync({ device: 'software' })];
  const [x, other] = [arrays(one).arange(4), arrays(two).arange(4)];
  const gone = arrays(one).arange(4);
  gone.release();
  const operations: readonly ((array: NDArray<'int32'>) => unknown)[] = [
    (y) => x.add(y),
    (y) => x.sortBy(y),
    (y) => x.compactSync(y),
    (y) => x.gather(y),
    (y) => x.scatter(y, x),
    (y) => x.scatter(x, y),
    (y) => x.reshape(2, 2).matmul(y),
    (y) => x.convolve(y),
    (y) => arrays(one).where(y, x, x),
    (y) => arrays(one).fft({ re: x, im: y }),
    (y) => arrays(one).concatenate([x, y]),
    (y) => arrays(one).stack([x, y]),
    (y) => arrays(one).elementwise('z = a + b')({ a: x, b: y }),
  ];
  for (const operation of operations) {
    expect(() => operation(other)).toThrow(/the arrays belong to different contexts/);
    expect(() => operation(gone)).toThrow(/was released before what needs it was computed/);
  }
  const alone: readonly (() => unknown)[] = [
    () => gone.readSync(),
    () => gone.sum(),
    () => gone.sort(),
    () => gone.argsort(),
    () => gone.cumsum(),
    () => gone.uniqueSync(),
    () => gone.histogram({ bins: 4 }),
    () => gone.transpose(),
    () => gone.slice(1),
    () => gone.reshape(2, 2),
    () => gone.copy(),
    () => gone.neg(),
    () => gone.pad(1),
  ];
  for (const operation of alone) expect(operation).toThrow(/was released/);
  one.close();
  two.close();
});
