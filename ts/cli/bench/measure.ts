// SPDX-License-Identifier: MIT
//
// What `anycl bench` measures on a device. Each figure is the best of several repetitions: what else the machine does can only make
// one worse.
import type { Buffer as DeviceBuffer } from '../../api/objects/buffer';
import type { Device } from '../../api/objects/device';
import type { Event } from '../../api/objects/event';
import type { Kernel } from '../../api/objects/kernel';
import type { CommandQueue } from '../../api/objects/queue';
import { openSync, type Session } from '../../api/open';

export interface Figure {
  readonly group: 'bandwidth' | 'rate' | 'latency';
  readonly name: string;
  readonly unit: 'GB/s' | 'Gop/s' | 'µs';
  readonly value: number;
}

export interface DeviceFigures {
  readonly device: string;
  readonly platform: string;
  readonly figures: readonly Figure[];
  /** What could not be measured, and why. */
  readonly problems: readonly string[];
}

export interface BenchOptions {
  /** Milliseconds that each measurement repeats for. */
  readonly milliseconds: number;
  /** A launch should take so many milliseconds that starting it does not count. */
  readonly launchMilliseconds: number;
  /** Bytes of each buffer, at most. */
  readonly bytes: number;
}

/** Repetitions. One is enough where it takes longer than all should. */
const LEAST_RUNS = 3;
const MOST_ITERATIONS = 1 << 20;
const RATE_ITEMS = 1 << 15;
/** Independent chains of each work-item: vectors of four. */
const CHAINS = 8;
const BATCH = 200;

const SOURCE = `
#pragma OPENCL FP_CONTRACT OFF
kernel void triad(global float4 *y, global const float4 *x, float a) { size_t i = get_global_id(0); y[i] = a * x[i] + y[i]; }
kernel void nothing(global int *p) { if (p[0] == 1) p[0] = 0; }
`;

interface Rate {
  readonly name: string;
  readonly type: string;
  /** What each step makes of `x`, the chain's value; no other word of it has an x. */
  readonly step: string;
  /** Operations of a step on one element. */
  readonly operations: number;
  readonly needs?: string;
}

const RATES: readonly Rate[] = [
  { name: 'float, multiply and add', type: 'float', step: 'x * a + b', operations: 2 },
  { name: 'float, mad', type: 'float', step: 'mad(x, a, b)', operations: 2 },
  {
    name: 'double, fma',
    type: 'double',
    step: 'fma(x, a, b)',
    operations: 2,
    needs: 'cl_khr_fp64',
  },
  { name: 'half, fma', type: 'half', step: 'fma(x, a, b)', operations: 2, needs: 'cl_khr_fp16' },
  { name: 'int, multiply and add', type: 'int', step: 'x * a + b', operations: 2 },
];

function rateSource({ type, step, needs }: Rate): string {
  const chain = (each: (i: number) => string): string =>
    Array.from({ length: CHAINS }, (_, i) => each(i)).join(' ');
  const body = (i: number): string => `x${i} = ${step.replaceAll('x', `x${i}`)};`;
  return `
${needs ? `#pragma OPENCL EXTENSION ${needs} : enable` : ''}
#pragma OPENCL FP_CONTRACT OFF
kernel void rate(global float *out, int n) {
  int id = get_global_id(0);
  ${type}4 a = (${type}4)(${type === 'int' ? '3' : `(${type})0.999f`}), b = (${type}4)((${type})(id & 15));
  ${chain((i) => `${type}4 x${i} = b + (${type}4)((${type})${i});`)}
  for (int k = 0; k < n; k++) { ${chain(body)} }
  ${type}4 sum = ${Array.from({ length: CHAINS }, (_, i) => `x${i}`).join(' + ')};
  out[id] = (float)(sum.x + sum.y + sum.z + sum.w);
}`;
}

/** Repeats a step for a while; returns the shortest time, in nanoseconds, that it says it took. */
async function best(step: () => Promise<number>, { milliseconds }: BenchOptions): Promise<number> {
  // The first run also builds, allocates and pages in.
  const least = (await step()) > milliseconds * 1e6 ? 1 : LEAST_RUNS;
  let shortest = Number.POSITIVE_INFINITY;
  const end = performance.now() + milliseconds;
  for (let run = 0; run < least || performance.now() < end; run++)
    shortest = Math.min(shortest, await step());
  return Math.max(1, shortest);
}

async function wall(step: () => PromiseLike<unknown>): Promise<number> {
  const start = process.hrtime.bigint();
  await step();
  return Number(process.hrtime.bigint() - start);
}

/** By the device's own clock. */
async function onDevice(event: Event): Promise<number> {
  await event;
  const { durationMs } = event.profile;
  event.release();
  return durationMs * 1e6;
}

/** Measures a device. `begun` is told of each measurement that begins: its number, of how many. */
export async function measureDevice(
  device: Device,
  options: BenchOptions,
  begun: (index: number, count: number) => void = () => undefined,
): Promise<DeviceFigures> {
  const figures: Figure[] = [];
  const problems: string[] = [];
  const session = openSync({ device });
  const queue = session.context.createQueue({ profiling: true });
  let index = 0;
  const attempt = async (what: string, measure: () => Promise<readonly Figure[]>): Promise<void> => {
    begun(++index, RATES.length + 2);
    try {
      figures.push(...(await measure()));
    } catch (error) {
      problems.push(`${what}: ${(error as Error).message.split('\n')[0]}`);
    }
  };
  try {
    await attempt('bandwidth', () => bandwidth(session, queue, options));
    for (const rate of RATES) {
      if (rate.needs && !device.extensions.includes(rate.needs))
        problems.push(`${rate.name}: the device lacks ${rate.needs}`);
      else await attempt(rate.name, () => measureRate(session, queue, rate, options));
    }
    await attempt('latency', () => latency(session, options));
  } finally {
    await queue.finish();
    queue.release();
    session.close();
  }
  return { device: device.name, platform: device.platform.name, figures, problems };
}

async function bandwidth(session: Session, queue: CommandQueue, options: BenchOptions): Promise<Figure[]> {
  const limit = Number(session.device.info('MAX_MEM_ALLOC_SIZE'));
  const bytes = Math.min(options.bytes, Math.floor(limit / 4 / 4096) * 4096);
  const host = new Float32Array(bytes / 4).fill(1);
  const into = new Float32Array(bytes / 4);
  const [x, y] = [session.buffer(Float32Array, bytes / 4), session.buffer(Float32Array, bytes / 4)];
  const { triad } = (await session.build(SOURCE)).kernels as Record<'triad', Kernel>;
  triad.setArgs(y, x, 2);
  const gigabytes = (name: string, moved: number, ns: number): Figure => ({
    group: 'bandwidth',
    name,
    unit: 'GB/s',
    value: moved / ns,
  });
  const steps: readonly (readonly [name: string, moved: number, step: () => Promise<number>])[] = [
    ['host to device', bytes, () => wall(() => queue.enqueueWrite(x, host))],
    ['device to host', bytes, () => wall(() => queue.enqueueRead(x, into))],
    ['copy on the device', 2 * bytes, () => onDevice(queue.enqueueCopy(x, y))],
    ['kernel (triad)', 3 * bytes, () => onDevice(queue.enqueueNDRange(triad, { global: bytes / 16 }))],
  ];
  const figures: Figure[] = [];
  try {
    for (const [name, moved, step] of steps) figures.push(gigabytes(name, moved, await best(step, options)));
  } finally {
    for (const buffer of [x, y] as DeviceBuffer[]) buffer.release();
  }
  return figures;
}

async function measureRate(
  session: Session,
  queue: CommandQueue,
  rate: Rate,
  options: BenchOptions,
): Promise<Figure[]> {
  const { rate: kernel } = (await session.build(rateSource(rate))).kernels as Record<'rate', Kernel>;
  const out = session.buffer(Float32Array, RATE_ITEMS);
  let iterations = 1;
  const run = (): Promise<number> => {
    kernel.setArgs(out, iterations);
    return onDevice(queue.enqueueNDRange(kernel, { global: RATE_ITEMS }));
  };
  await run();
  const wanted = options.launchMilliseconds * 1e6;
  for (;;) {
    const took = await run();
    if (took >= wanted / 2 || iterations === MOST_ITERATIONS) break;
    // A short launch says little of how long a long one takes: eight times as many at most.
    const growth = Math.min(8, Math.max(2, Math.ceil(wanted / Math.max(1, took))));
    iterations = Math.min(MOST_ITERATIONS, iterations * growth);
  }
  const ns = await best(run, options);
  out.release();
  const operations = RATE_ITEMS * iterations * CHAINS * 4 * rate.operations;
  return [{ group: 'rate', name: rate.name, unit: 'Gop/s', value: operations / ns }];
}

async function latency(session: Session, options: BenchOptions): Promise<Figure[]> {
  const { nothing } = (await session.build(SOURCE)).kernels as Record<'nothing', Kernel>;
  const word = session.buffer(new Int32Array(1));
  const { queue } = session;
  nothing.setArgs(word);
  const range = { global: 1 };
  const enqueue = async (): Promise<number> => {
    const start = process.hrtime.bigint();
    for (let i = 0; i < BATCH; i++) queue.enqueueNDRange(nothing, range, { event: false });
    const took = Number(process.hrtime.bigint() - start);
    await queue.finish();
    return took / BATCH;
  };
  const blocking = async (): Promise<number> => {
    const start = process.hrtime.bigint();
    queue.enqueueNDRange(nothing, range).waitSync();
    return Number(process.hrtime.bigint() - start);
  };
  const micros = (name: string, ns: number): Figure => ({
    group: 'latency',
    name,
    unit: 'µs',
    value: ns / 1000,
  });
  const figures = [
    micros('enqueue a kernel', await best(enqueue, options)),
    micros(
      'enqueue and await it',
      await best(() => wall(() => queue.enqueueNDRange(nothing, range)), options),
    ),
    micros('enqueue and block', await best(blocking, options)),
  ];
  word.release();
  return figures;
}
