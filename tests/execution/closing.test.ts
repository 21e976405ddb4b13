// SPDX-License-Identifier: MIT
//
// What closing a session does to commands that run (docs/adr/0046-close-and-running-commands.md).
import { type Event, OpenCLError, openSync, type Session, StopCode } from '../../ts';
import { node } from '../helpers/command';

const SOURCE = `
kernel void endless(global int *x) { while (1) x[0]++; }
kernel void some(global int *x) { for (int i = 0; i < 1 << 20; i++) x[1] += x[0] ^ i; }
kernel void one(global int *x) { x[0] = 1; }`;

const openSoftware = (): Session => openSync({ device: 'software' });

async function outcome(event: Event<unknown>): Promise<unknown> {
  return await event.then(
    () => 'complete',
    (error: unknown) => (error instanceof OpenCLError ? error.code : error),
  );
}

const isRunning = (event: Event<unknown>): Promise<void> =>
  new Promise((resolve) => event.on('running', () => resolve()));

test('what was enqueued before runs to its end, and its promises settle', async () => {
  const cl = openSoftware();
  const { some } = cl.buildSync(SOURCE).kernels;
  const x = cl.buffer(Int32Array.of(5, 0));
  const run = some!.run({ global: 1 }, x);
  const read = x.read();
  cl.close();
  expect(await outcome(run)).toBe('complete');
  const expected = Array.from({ length: 1 << 20 }, (_, i) => 5 ^ i).reduce((sum, v) => (sum + v) | 0, 0);
  expect([...(await read)]).toEqual([5, expected]);
});

test('`terminate` ends what runs and what waits for it, not what is complete', async () => {
  const cl = openSoftware();
  const { endless, one } = cl.buildSync(SOURCE).kernels;
  const x = cl.buffer(new Int32Array(2));
  const before = one!.run({ global: 1 }, x);
  await before;
  const events = [endless!.run({ global: 1 }, x), one!.run({ global: 1 }, x), x.fill(Int32Array.of(3))];
  await isRunning(events[0]!);
  const began = performance.now();
  cl.close({ terminate: true });
  expect(cl.context.released).toBe(true);
  const codes = await Promise.all(events.map(outcome));
  expect(codes).toEqual(events.map(() => StopCode.COMMAND_TERMINATED));
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(before.status).toBe('complete');
  await expect(events[0]).rejects.toThrow('was ended with `session.close({ terminate: true })`');
});

test('closing again does nothing, and nothing need be running', () => {
  const cl = openSoftware();
  cl.close({ terminate: true });
  cl.close({ terminate: true });
  cl.close();
});

test('other options than this are refused', () => {
  const cl = openSoftware();
  expect(() => cl.close({ terminat: true } as object)).toThrow(/terminate/);
  expect(() => cl.close({ terminate: 1 } as object)).toThrow(/terminate/);
  expect(cl.context.released).toBe(false);
  cl.close();
});

test.each([
  ['TERMINATE', 'ANYCL_COMMAND_TERMINATED\nsoon\n', {}],
  ['PLAIN', 'ANYCL_COMMAND_TIMED_OUT\nlate\n', { ANYCL_TIMEOUT: '4000' }],
] as const)(
  'a process that closes so (%s) ends',
  (how, stdout, env) => {
    const run = node('tests/execution/closing.mjs', [how], { env });
    expect([run.status, run.stdout]).toEqual([0, stdout]);
  },
  60_000,
);
