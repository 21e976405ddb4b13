// SPDX-License-Identifier: MIT
//
// Flows through pinned memory, which GPUs with memory of their own use: here by devices that say they were one.
import { type Device, ErrorCode, flow, OpenCLError, open, platforms, type Session } from '../../ts';

const devices = platforms().flatMap((platform) =>
  platform.devices.map((device) => [`${platform.name}: ${device.name}`, device] as const),
);
const CHUNK = 1 << 19;
const CHUNKS = 7;
const TOTAL = CHUNK * (CHUNKS - 1) + 1001;

/** 0, 1, 2 … in pieces of a length. */
function* counting(piece: number) {
  for (let at = 0; at < TOTAL; at += piece)
    yield Int32Array.from({ length: Math.min(piece, TOTAL - at) }, (_, i) => at + i);
}

function pretendToBeGpu(device: Device): jest.SpyInstance {
  const info = device.info.bind(device) as (key: string) => unknown;
  Object.defineProperty(device, 'type', { value: 'gpu', configurable: true });
  return jest
    .spyOn(device, 'info')
    .mockImplementation(((key: string) => (key === 'HOST_UNIFIED_MEMORY' ? false : info(key))) as never);
}

describe.each(devices)('on %s', (_, device) => {
  let cl: Session;
  let kernels: Awaited<ReturnType<Session['build']>>['kernels'];
  let asked: jest.SpyInstance;

  beforeAll(async () => {
    cl = await open({ device });
    kernels = (
      await cl.build(`
        kernel void next(global const int *in, global int *out, global int *count) {
          int i = get_global_id(0);
          out[i] = in[i] * 2 + *count;
        }
        kernel void add(global int *count) { *count += 1; }
        kernel void twice(global int *p) { p[get_global_id(0)] *= 2; }`)
    ).kernels;
    asked = pretendToBeGpu(device);
  });
  afterAll(() => {
    asked.mockRestore();
    Reflect.deleteProperty(device, 'type');
    cl.close();
  });

  const mapped = () => jest.spyOn(Object.getPrototypeOf(cl.queue), 'enqueueMap');

  it.each([
    ['chunks', CHUNK, false],
    ['pieces', 100_003, false],
    ['lent chunks', CHUNK, true],
    ['lent pieces', 100_003, true],
  ])('computes %s in their order', async (_name, piece, lend) => {
    const count = cl.buffer(Int32Array.of(0));
    const maps = mapped();
    const through = flow<Int32Array>(cl, {
      input: Int32Array,
      chunk: CHUNK,
      lend,
      stages: [
        {
          kernel: kernels.next!,
          args: ({ input, output }) => [input, output, count],
          output: { type: Int32Array },
        },
        { kernel: kernels.add!, args: () => [count], range: () => ({ global: 1 }) },
      ],
    });
    let at = 0;
    let index = 0;
    const kept: Int32Array[] = [];
    for await (const result of through(counting(piece))) {
      const wrong = result.findIndex((value, i) => value !== (at + i) * 2 + index);
      expect(wrong).toBe(-1);
      at += result.length;
      index++;
      kept.push(result);
    }
    expect([at, index]).toEqual([TOTAL, CHUNKS]);
    // One for each slot, however many chunks: results are not mapped.
    expect(maps).toHaveBeenCalledTimes(3);
    maps.mockRestore();
    // Results that are not lent stay as they are.
    if (!lend) expect(kept.map((result) => result[1])).toEqual(kept.map((_, i) => (i * CHUNK + 1) * 2 + i));
    count.release();
  });

  it('works in place, and ends early', async () => {
    const through = flow(cl, { input: Int32Array, chunk: CHUNK, stages: [{ kernel: kernels.twice! }] });
    for await (const result of through(counting(CHUNK))) {
      expect(result[CHUNK - 1]).toBe(2 * (CHUNK - 1));
      break;
    }
    const results: number[] = [];
    for await (const result of through(counting(CHUNK))) results.push(result[0]!);
    expect(results).toEqual(Array.from({ length: CHUNKS }, (_, i) => 2 * i * CHUNK));
  });

  it('does without where the driver has none', async () => {
    const maps = mapped().mockImplementation(() => {
      throw new OpenCLError(ErrorCode.OUT_OF_RESOURCES, 'clEnqueueMapBuffer');
    });
    const through = flow(cl, { input: Int32Array, chunk: CHUNK, stages: [{ kernel: kernels.twice! }] });
    const results: number[] = [];
    for await (const result of through(counting(CHUNK))) results.push(result[1]!);
    expect(maps).toHaveBeenCalledTimes(3);
    maps.mockRestore();
    expect(results).toEqual(Array.from({ length: CHUNKS }, (_, i) => 2 * (i * CHUNK + 1)));
  });

  it('releases its memory though the driver fails to unmap it', async () => {
    const through = flow(cl, { input: Int32Array, chunk: CHUNK, stages: [{ kernel: kernels.twice! }] });
    const unmaps = jest
      .spyOn(Object.getPrototypeOf(cl.queue), 'enqueueUnmap')
      .mockImplementation(() => Promise.reject(new OpenCLError(ErrorCode.OUT_OF_RESOURCES, 'a driver')));
    const released = jest.spyOn(Object.getPrototypeOf(cl.buffer(4)), 'release');
    for await (const result of through(counting(CHUNK))) {
      expect(result[1]).toBe(2);
      break;
    }
    expect(unmaps).toHaveBeenCalledTimes(3);
    unmaps.mockRestore();
    // Three slots, each with a buffer of the device and one of the host.
    expect(released).toHaveBeenCalledTimes(6);
    released.mockRestore();
  });

  it('is released though its consumer returns before it is there', async () => {
    const prototype = Object.getPrototypeOf(cl.buffer(4));
    const allocated = jest.spyOn(cl, 'buffer');
    const released = jest.spyOn(prototype, 'release');
    const through = flow(cl, { input: Int32Array, chunk: CHUNK, stages: [{ kernel: kernels.twice! }] });
    const results = through(counting(CHUNK));
    const first = results.next();
    await results.return();
    expect((await first).done).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(released).toHaveBeenCalledTimes(allocated.mock.calls.length);
    for (const spy of [allocated, released]) spy.mockRestore();
  });

  it('is not used for small chunks', async () => {
    const maps = mapped();
    const through = flow(cl, { input: Int32Array, chunk: 1000, stages: [{ kernel: kernels.twice! }] });
    for await (const result of through([Int32Array.of(1, 2, 3)])) expect([...result]).toEqual([2, 4, 6]);
    expect(maps).not.toHaveBeenCalled();
    maps.mockRestore();
  });
});
