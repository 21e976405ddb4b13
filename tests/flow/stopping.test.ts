// SPDX-License-Identifier: MIT
//
// Flows that end early: errors, aborts and consumers that have enough, at each place, also while the source gives nothing.
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Flow, flow, open, type Session, throughFlow } from '../../ts';

const SOURCE = `
  kernel void twice(global int *p) { p[get_global_id(0)] *= 2; }
  kernel void trap(global int *p) { if (p[0] == 40) p[0x20000000] = 1; }`;

let cl: Session;
let kernels: Awaited<ReturnType<Session['build']>>['kernels'];
/** What flows have made. */
let made: { readonly released: boolean }[];

beforeAll(async () => {
  cl = await open({ device: 'software' });
  kernels = (await cl.build(SOURCE)).kernels;
});
afterAll(() => cl.close());

beforeEach(() => {
  made = [];
  const { buffer } = cl;
  jest.spyOn(cl, 'buffer').mockImplementation(((...given: Parameters<typeof buffer>) => {
    const one = buffer.apply(cl, given);
    made.push(one);
    return one;
  }) as typeof buffer);
  const { createQueue } = cl.context;
  jest.spyOn(cl.context, 'createQueue').mockImplementation((...given) => {
    const one = createQueue.apply(cl.context, given);
    made.push(one);
    return one;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  // Three queues and three buffers for each flow.
  expect(made.length).toBeGreaterThanOrEqual(6);
  expect(made.filter(({ released }) => !released)).toEqual([]);
});

const flowOf = (name: 'twice' | 'trap', lend = false): Flow<Int32Array> =>
  flow(cl, { input: Int32Array, chunk: 10, lend, stages: [{ kernel: kernels[name]! }] });

/** Gives `count` chunks of 10 numbers, and then nothing, without an end. */
function idleAfter(count: number) {
  const state = { isStopped: false };
  let at = 0;
  const source: AsyncIterable<Int32Array> = {
    [Symbol.asyncIterator]: () => ({
      next: () =>
        at < count
          ? Promise.resolve({ done: false, value: new Int32Array(10).fill(10 * at++) })
          : new Promise(() => {}),
      return: () => {
        state.isStopped = true;
        return Promise.resolve({ done: true, value: undefined });
      },
    }),
  };
  return { source, state };
}

/** A web stream that gives `count` chunks and then nothing; says why it was cancelled. */
function idleStream(count: number) {
  const state: { reason?: unknown; isCancelled: boolean } = { isCancelled: false };
  let at = 0;
  const stream = new ReadableStream<Int32Array>(
    {
      pull: (controller) => {
        if (at >= count) return new Promise(() => {});
        controller.enqueue(new Int32Array(10).fill(10 * at++));
        return undefined;
      },
      cancel: (reason) => {
        Object.assign(state, { reason, isCancelled: true });
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, state };
}

async function soon<T>(promise: Promise<T>): Promise<T | 'nothing'> {
  let timer: NodeJS.Timeout | undefined;
  const nothing = new Promise<'nothing'>((resolve) => {
    timer = setTimeout(() => resolve('nothing'), 5000);
  });
  try {
    return await Promise.race([promise, nothing]);
  } finally {
    clearTimeout(timer);
  }
}
const pause = (ms = 20) => new Promise((resolve) => setTimeout(resolve, ms));

describe.each([false, true])('with lend: %s', (lend) => {
  test('return() while the next result is awaited, and the source gives nothing', async () => {
    const { source, state } = idleAfter(2);
    const results = flowOf('twice', lend)(source);
    expect((await results.next()).value?.[0]).toBe(0);
    expect((await results.next()).value?.[0]).toBe(20);
    const next = results.next();
    await pause();
    expect(await soon(results.return())).toEqual({ done: true, value: undefined });
    expect(await soon(next)).toEqual({ done: true, value: undefined });
    expect(state.isStopped).toBe(true);
  });

  test('a Node.js stream of results is destroyed', async () => {
    const { source, state } = idleAfter(2);
    const stream = Readable.from(flowOf('twice', lend)(source));
    const got: number[] = [];
    stream.on('data', (chunk: Int32Array) => got.push(chunk[0]!));
    while (got.length < 2) await pause(5);
    const closed = new Promise((resolve) => stream.once('close', resolve));
    stream.destroy();
    expect(await soon(closed)).not.toBe('nothing');
    await pause();
    expect(state.isStopped).toBe(true);
  });
});

test('a pipeline is aborted while its source gives nothing', async () => {
  const { stream } = idleStream(3);
  const controller = new AbortController();
  const got: number[] = [];
  const sink = new Writable({
    objectMode: true,
    write(chunk: Int32Array, _encoding, callback) {
      if (got.push(chunk[0]!) === 3) setTimeout(() => controller.abort(), 20);
      callback();
    },
  });
  const run = pipeline(Readable.fromWeb(stream as never), flowOf('twice'), sink, {
    signal: controller.signal,
  });
  await expect(soon(run)).rejects.toMatchObject({ name: 'AbortError' });
  expect(got).toEqual([0, 20, 40]);
  await pause();
});

test('the end of a pipeline fails', async () => {
  const sink = new Writable({
    objectMode: true,
    write(_chunk, _encoding, callback) {
      callback(new Error('the disk is full'));
    },
  });
  const { source, state } = idleAfter(5);
  await expect(soon(pipeline(source, flowOf('twice'), sink))).rejects.toThrow('the disk is full');
  await pause();
  expect(state.isStopped).toBe(true);
});

test('a web stream of results is cancelled while its source gives nothing', async () => {
  const { stream, state } = idleStream(2);
  const reader = stream
    .pipeThrough(throughFlow(flowOf('twice')) as never)
    .getReader() as ReadableStreamDefaultReader<Int32Array>;
  expect((await reader.read()).value?.[0]).toBe(0);
  expect((await reader.read()).value?.[0]).toBe(20);
  const next = reader.read();
  await pause();
  expect(await soon(reader.cancel('enough'))).toBeUndefined();
  expect(await soon(next)).toMatchObject({ done: true });
  await pause();
  expect(state.isCancelled).toBe(true);
});

test('a kernel of a web stream fails: the reader has the error, and the source is cancelled', async () => {
  const { stream, state } = idleStream(6);
  const reader = stream
    .pipeThrough(throughFlow(flowOf('trap')) as never)
    .getReader() as ReadableStreamDefaultReader<Int32Array>;
  for (let i = 0; i < 4; i++) expect((await reader.read()).value?.[0]).toBe(10 * i);
  await expect(soon(reader.read())).rejects.toThrow("kernel 'trap' trapped");
  await pause();
  expect(state.isCancelled).toBe(true);
  expect(String(state.reason)).toContain("kernel 'trap' trapped");
});

test('the writer of a web stream aborts: the reader has the reason', async () => {
  const { writable, readable } = throughFlow(flowOf('twice'));
  const writer = writable.getWriter();
  const reader = readable.getReader();
  void writer.write(new Int32Array(10).fill(4));
  expect((await reader.read()).value[0]).toBe(8);
  const next = reader.read();
  next.catch(() => {});
  await writer.abort(new Error('no more'));
  await expect(soon(next)).rejects.toThrow('no more');
  await pause();
});

test.each(['args', 'range'] as const)('a function of a stage that throws: %s', async (name) => {
  const fails = () => {
    throw new Error(`no ${name}`);
  };
  const through = flow(cl, {
    input: Int32Array,
    chunk: 10,
    stages: [{ kernel: kernels['twice']!, [name]: fails }],
  });
  const { source, state } = idleAfter(5);
  await expect(soon(through(source).next())).rejects.toThrow(`no ${name}`);
  await pause();
  expect(state.isStopped).toBe(true);
});

test('results that are never requested need nothing', async () => {
  const { source } = idleAfter(5);
  expect(await flowOf('twice')(source).return()).toEqual({ done: true, value: undefined });
  expect(made).toEqual([]);
  // Promises of data are data.
  for await (const result of flowOf('twice')([Promise.resolve(Int32Array.of(4))] as never))
    expect(result[0]).toBe(8);
});

test.each([
  [[[1, 2, 3]], 'not an Array'],
  [['1,2'], "not '1,2': read the stream without an encoding"],
])('a source that gives no data: %j', async (source, text) => {
  await expect(soon(flowOf('twice')(source as never).next())).rejects.toThrow(text);
});
