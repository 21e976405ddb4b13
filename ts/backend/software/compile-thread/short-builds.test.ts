// SPDX-License-Identifier: MIT
//
// Short programs on the compiler's thread, once a long one has started it.
import { type OpenCLError, open, type Session } from '../../../index';
import { CompileThread } from './compile-thread';

const SOURCE = `// ${'A comment makes this long enough for a thread. '.repeat(12)}
kernel void k(global int *a, int n) { a[get_global_id(0)] += n; }`;
const ENDLESS = `kernel void q(global int *a) { ${'a[0] = a[1] * 3 + a[2];'.repeat(50_000)} }`;

const run = jest.spyOn(CompileThread.prototype, 'run');
const asked = (): string[] => run.mock.calls.map(([, { kind }]) => kind);
let cl: Session;

beforeAll(async () => {
  cl = await open({ device: 'software' });
  await cl.build(SOURCE);
  expect(asked()).toEqual([]);
  await cl.build(`// ${'.'.repeat(40_000)}\n${SOURCE}`);
});
beforeEach(() => run.mockClear());
afterAll(() => cl.close());

it('builds them there, and compiles their kernels', async () => {
  const program = await cl.build(SOURCE);
  expect(asked()).toEqual(['build']);
  const data = cl.buffer(new Int32Array([1, 2]));
  await program.kernels.k!.run({ global: 2 }, data, 5);
  expect([...(await data.read())]).toEqual([6, 7]);
  expect(asked()).toEqual(['build', 'kernel', 'module']);
  expect(program.info('BINARIES')).toEqual(cl.buildSync(SOURCE).info('BINARIES'));
});

it('compiles for whoever blocks on the calling thread', async () => {
  const program = await cl.build(SOURCE);
  const data = cl.buffer(new Int32Array([1, 2]));
  program.kernels.k!.clone().runSync({ global: 2 }, data, 5);
  expect([...data.readSync()]).toEqual([6, 7]);
});

it('fails as on the calling thread', async () => {
  const wrong = `${SOURCE} kernel void wrong() { missing(); }`;
  const log = (error: unknown): string | undefined => (error as OpenCLError).buildLog;
  const there = await cl.build(wrong).then(() => undefined, log);
  expect(asked()).toEqual(['build']);
  expect(there).toContain('missing');
  expect(() => cl.buildSync(wrong)).toThrow(expect.objectContaining({ buildLog: there }));
});

it('builds several one after the other, and none behind a long one', async () => {
  const programs = await Promise.all([cl.build(SOURCE), cl.build(`${SOURCE}\n`), cl.build(SOURCE)]);
  expect(asked()).toEqual(['build', 'build', 'build']);
  expect(programs.map((program) => program.info('NUM_KERNELS'))).toEqual([1, 1, 1]);
  const aborted = new AbortController();
  const reason = new Error('enough');
  const long = cl.context.createProgram(ENDLESS).build('', undefined, { signal: aborted.signal });
  const ended = expect(long).rejects.toBe(reason);
  run.mockClear();
  expect((await cl.build(SOURCE)).info('NUM_KERNELS')).toBe(1);
  expect(asked()).toEqual([]);
  aborted.abort(reason);
  await ended;
  // Until the next thread is warm.
  expect((await cl.build(SOURCE)).info('NUM_KERNELS')).toBe(1);
  expect(asked()).toEqual([]);
});
