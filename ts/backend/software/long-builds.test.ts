// SPDX-License-Identifier: MIT
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { BuildStatus } from '../../cl/constants.gen';
import { type OpenCLError, openSync, type Session } from '../../index';

const KERNELS = 400;
/** Of some 60,000 characters: above what is compiled on the calling thread. */
const SOURCE = `constant int table[4] = {3, 5, 7, 11};
${Array.from(
  { length: KERNELS },
  (_, i) => `kernel void k${i}(global int *a, int n) {
  int id = get_global_id(0);
  for (int j = 0; j < n; j++) a[id] += j * ${i};
  a[id] += table[id & 3];
}
`,
).join('')}`;
/** What is built for long enough to be ended meanwhile. */
const ENDLESS = `kernel void q(global int *a) { ${'a[0] = a[1] * 3 + a[2];'.repeat(50_000)} }`;

const failureOf = (promise: Promise<unknown>): Promise<OpenCLError> =>
  promise.then(
    () => Promise.reject(new Error('nothing was thrown')),
    (error: OpenCLError) => error,
  );

describe('a build that is long', () => {
  let cl: Session;
  beforeEach(() => {
    cl = openSync({ device: 'software' });
  });
  afterEach(() => {
    if (!cl.context.released) cl.close();
  });

  it('leaves the event loop free, and makes the same program', async () => {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    const started = performance.now();
    delay.enable();
    const program = await cl.build(SOURCE);
    delay.disable();
    const took = performance.now() - started;
    // The loop has turned: a blocked one would have been late once, by the whole build.
    expect(delay.max / 1e6).toBeLessThan(took / 2);
    const data = cl.buffer(new Int32Array([1, 2, 3, 4]));
    await program.kernels.k9!.run({ global: 4 }, data, 4);
    expect([...(await data.read())]).toEqual([54 + 4, 54 + 7, 54 + 10, 54 + 15]);
    const here = cl.buildSync(SOURCE);
    expect(program.info('BINARIES')).toEqual(here.info('BINARIES'));
    expect(program.info('NUM_KERNELS')).toBe(KERNELS);
  });

  it('fails as on the calling thread', async () => {
    const wrong = `${SOURCE}\nkernel void wrong(global int *a) { a[0] = missing; }`;
    const error = await failureOf(cl.build(wrong));
    let here: OpenCLError | undefined;
    try {
      cl.buildSync(wrong);
    } catch (thrown) {
      here = thrown as OpenCLError;
    }
    expect(error.codeName).toBe('CL_BUILD_PROGRAM_FAILURE');
    expect(error.buildLog).toBe(here!.buildLog);
    expect((await failureOf(cl.build(SOURCE, '-cl-std=CL9.9'))).codeName).toBe('CL_INVALID_BUILD_OPTIONS');
  });

  it('ends when it is aborted, and the next one is done', async () => {
    const aborted = new AbortController();
    const program = cl.context.createProgram(ENDLESS);
    const build = failureOf(program.build('', undefined, { signal: aborted.signal }));
    expect(program.buildInfo('BUILD_STATUS')).toBe(BuildStatus.IN_PROGRESS);
    const second = await failureOf(program.build());
    expect(second.codeName).toBe('CL_INVALID_OPERATION');
    const reason = new Error('enough');
    setTimeout(() => aborted.abort(reason), 20);
    expect(await build).toBe(reason);
    // The one thread is free again: this would wait for the aborted build.
    const next = await cl.build(SOURCE);
    expect(next.info('NUM_KERNELS')).toBe(KERNELS);
    expect(program.buildInfo('BUILD_STATUS')).toBe(BuildStatus.ERROR);
  });

  it('ends with its session, and with its program', async () => {
    const program = cl.context.createProgram(ENDLESS);
    const first = failureOf(program.build());
    const second = failureOf(cl.build(ENDLESS));
    program.release();
    expect((await first).codeName).toBe('CL_INVALID_PROGRAM');
    cl.close();
    expect((await second).codeName).toBe('CL_INVALID_CONTEXT');
  });

  it('keeps the process alive until it is done, and no longer', async () => {
    const bundle = join(__dirname, '../../../dist/index.cjs');
    const script = `const cl = require(${JSON.stringify(bundle)}).openSync({ device: 'software' });
      cl.build(${JSON.stringify(SOURCE)}).then((program) => console.log(program.info('NUM_KERNELS')));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { timeout: 60_000 });
    expect(stdout).toBe(`${KERNELS}\n`);
  });
});
