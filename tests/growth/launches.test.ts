// SPDX-License-Identifier: MIT
//
// The cost of running grows in step with what is run: launches, arguments, work-groups. Each shape is run at a size and at
// sixteen times that size, and the time, of the processor and the best of several, may be far less than the square of that.
import { join } from 'node:path';
import { root } from '../helpers/command';

const { open } = require(join(root, 'dist/index.cjs'));
type Session = Awaited<ReturnType<typeof open>>;

const TIMES = 16;
/** The allowed growth of a unit's cost for sixteen times as many units: four times is halfway to quadratic. */
const DEARER = 4;
/** Shorter times are mostly those of waiting threads and of garbage collections. */
const LEAST_MILLISECONDS = 20;
const ATTEMPTS = 3;

const ADD = 'kernel void add(global uint *sum) { if (get_local_id(0) == 0) atomic_inc(sum); }';
const numbers = (n: number) => Array.from({ length: n }, (_, i) => i);

interface Shape {
  readonly smallest: number;
  /** Prepares a run of size `n`; the run returns its result, which must be the expected one. */
  prepare(cl: Session, n: number): Promise<{ run(): Promise<number>; expected: number }>;
}

async function counting(cl: Session, launch: (kernel: unknown) => void) {
  const { kernels } = await cl.build(ADD);
  const sum = cl.buffer(new Uint32Array(1));
  kernels.add.setArgs(sum);
  return async () => {
    await sum.write(new Uint32Array(1));
    launch(kernels.add);
    return (await sum.read())[0] as number;
  };
}

const SHAPES: Readonly<Record<string, Shape>> = {
  'launches in a queue': {
    smallest: 2000,
    async prepare(cl, n) {
      const launch = (kernel: unknown) => {
        for (let i = 0; i < n; i++)
          cl.queue.enqueueNDRange(kernel, { global: 1, local: 1 }, { event: false });
      };
      return { run: await counting(cl, launch), expected: n };
    },
  },
  'work-groups': {
    smallest: 500_000,
    async prepare(cl, n) {
      const launch = (kernel: unknown) =>
        cl.queue.enqueueNDRange(kernel, { global: n * 4, local: 4 }, { event: false });
      return { run: await counting(cl, launch), expected: n };
    },
  },
  'arguments of a launch': {
    smallest: 16,
    async prepare(cl, n) {
      const { kernels } = await cl.build(
        `kernel void add(global uint *sum, ${numbers(n).map((i) => `uint v${i}`)}) { *sum = ${numbers(n)
          .map((i) => `v${i}`)
          .join(' + ')}; }`,
      );
      const sum = cl.buffer(new Uint32Array(1));
      const values = numbers(n);
      const run = async () => {
        for (let i = 0; i < 500; i++) kernels.add.runSync({ global: 1 }, sum, ...values);
        return (await sum.read())[0] as number;
      };
      return { run, expected: (n * (n - 1)) / 2 };
    },
  },
};

async function timeOf(cl: Session, { prepare }: Shape, n: number): Promise<number> {
  const { run, expected } = await prepare(cl, n);
  expect(await run()).toBe(expected);
  const before = process.cpuUsage();
  expect(await run()).toBe(expected);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test.each(Object.entries(SHAPES))(
  '%s',
  async (_, shape) => {
    const cl = await open({ device: 'software' });
    let best = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY };
    const growth = () => best.large / TIMES / Math.max(best.small, LEAST_MILLISECONDS);
    for (let attempt = 0; attempt === 0 || (attempt < ATTEMPTS && growth() > DEARER); attempt++) {
      const small = await timeOf(cl, shape, shape.smallest);
      const large = await timeOf(cl, shape, shape.smallest * TIMES);
      best = { small: Math.min(best.small, small), large: Math.min(best.large, large) };
    }
    expect(growth()).toBeLessThan(DEARER);
    cl.close();
  },
  300_000,
);
