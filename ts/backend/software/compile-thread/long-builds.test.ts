// SPDX-License-Identifier: MIT
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { host } from '../../../api/runtime';
import { BuildStatus } from '../../../cl/constants.gen';
import { type OpenCLError, openSync, type Session } from '../../../index';

const KERNELS = 400;
/** Some 60,000 characters: too long for the calling thread. */
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
/** A build that is long enough to be aborted. */
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
    // The event loop has continued: a blocked one would have been late once, by the whole build.
    expect(delay.max / 1e6).toBeLessThan(took / 2);
    const data = cl.buffer(new Int32Array([1, 2, 3, 4]));
    await program.kernels.k9!.run({ global: 4 }, data, 4);
    expect([...(await data.read())]).toEqual([54 + 4, 54 + 7, 54 + 10, 54 + 15]);
    const here = cl.buildSync(SOURCE);
    expect(program.info('BINARIES')).toEqual(here.info('BINARIES'));
    expect(program.info('NUM_KERNELS')).toBe(KERNELS);
  });

  it('is compiled for its launches on the thread, which takes the arguments of the call', async () => {
    const program = await cl.build(SOURCE);
    const [first, second] = [cl.buffer(new Int32Array([1, 2])), cl.buffer(new Int32Array([3, 4]))];
    const kernel = program.createKernel('k5');
    const range = { global: [2] };
    kernel.setArgs(first, 2);
    const one = cl.queue.enqueueNDRange(kernel, range);
    range.global[0] = 1;
    kernel.setArgs(second, 3);
    const two = cl.queue.enqueueNDRange(kernel, range);
    // Neither has run, or this would be a kernel that was compiled here.
    expect(one.status).not.toBe('complete');
    await two;
    expect([...(await first.read())]).toEqual([1 + 5 + 3, 2 + 5 + 5]);
    expect([...(await second.read())]).toEqual([3 + 15 + 3, 4]);
    // From here on the kernel is compiled.
    kernel.setArgs(first, 1);
    await cl.queue.enqueueNDRange(kernel, { global: [2] });
    expect([...(await first.read())]).toEqual([9 + 3, 12 + 5]);
  });

  it('is compiled on the calling thread for whoever blocks', async () => {
    const program = await cl.build(SOURCE);
    const data = cl.buffer(new Int32Array([1, 2]));
    const kernel = program.createKernel('k7');
    kernel.setArgs(data, 2);
    cl.queue.enqueueNDRange(kernel, { global: [2] });
    expect([...data.readSync()]).toEqual([1 + 7 + 3, 2 + 7 + 5]);
    const blocked = cl.queue.enqueueNDRange(program.kernels.k8!.clone().setArgs(data, 2), { global: [2] });
    blocked.waitSync();
    expect([...(await data.read())]).toEqual([11 + 8 + 3, 14 + 8 + 5]);
  });

  it('tells what is wrong with a launch at the call, and what only the code shows on the event', async () => {
    const program = await cl.build(`${SOURCE}
      kernel void wide(global uint *o, uint n) {
        uint a[1 << 20];
        for (uint j = 0; j < n; j++) a[j] = get_local_id(0) + j;
        barrier(CLK_LOCAL_MEM_FENCE);
        uint s = 0;
        for (uint j = 0; j < n; j++) s += a[j] - j;
        o[get_global_id(0)] = s / n;
      }`);
    const kernel = program.createKernel('wide');
    expect(() => cl.queue.enqueueNDRange(kernel, { global: [1024] })).toThrow(/CL_INVALID_KERNEL_ARGS/);
    kernel.setArgs(cl.buffer(Uint32Array, 1024), 1);
    expect(() => cl.queue.enqueueNDRange(kernel, { global: [1024], local: [1 << 20] })).toThrow(
      /CL_INVALID_WORK_ITEM_SIZE/,
    );
    const event = cl.queue.enqueueNDRange(kernel, { global: [1024], local: [1024] });
    const error = await failureOf(event.completed);
    expect(error.codeName).toBe('CL_OUT_OF_RESOURCES');
    expect(error.message).toMatch(
      /^clEnqueueNDRangeKernel: CL_OUT_OF_RESOURCES \(-5\): kernel 'wide': a work-group needs/,
    );
  });

  it('has its tables in memory before its first launch, which leaves the event loop free or blocks', async () => {
    const COUNT = 300_000;
    const text = `constant int t[] = {${Array.from({ length: COUNT }, (_, i) => (i * 7919) % 10_007).join()}};
      constant constant int *constant ends[] = {&t[1], &t[${COUNT - 1}]};
      kernel void end(global int *a) { a[get_global_id(0)] = *ends[get_global_id(0)]; }`;
    const expected = [7919, ((COUNT - 1) * 7919) % 10_007];
    const nextTurn = jest.spyOn(host(), 'nextTurn');
    for (const blocks of [false, true]) {
      const program = await cl.build(text, '-cl-std=CL2.0');
      const [first, second] = [cl.buffer(Int32Array, 2), cl.buffer(Int32Array, 2)];
      const launched = program.kernels.end!.run({ global: 2 }, first);
      nextTurn.mockClear();
      while (blocks && nextTurn.mock.calls.length === 0) await new Promise((done) => setImmediate(done));
      // Some of the table is in memory.
      if (blocks) program.createKernel('end').runSync({ global: 2 }, second);
      await launched;
      expect([...(await first.read())]).toEqual(expected);
      if (blocks) expect([...second.readSync()]).toEqual(expected);
      else expect(nextTurn.mock.calls.length).toBeGreaterThan(3);
      program.release();
    }
    nextTurn.mockRestore();
  });

  it('is of megabytes that are posted in many turns of the event loop, and is aborted meanwhile', async () => {
    const comment = `// ${'é€ and 😀, '.repeat(12)}\n`;
    const text = `${comment.repeat(12_000)}kernel void last(global int *a) { a[0] = __LINE__; }`;
    const nextTurn = jest.spyOn(host(), 'nextTurn');
    const aborted = new AbortController();
    const first = failureOf(cl.context.createProgram(text).build('', undefined, { signal: aborted.signal }));
    while (nextTurn.mock.calls.length < 2) await new Promise((done) => setImmediate(done));
    const reason = new Error('enough');
    aborted.abort(reason);
    expect(await first).toBe(reason);
    nextTurn.mockClear();
    const program = await cl.build(text);
    expect(nextTurn.mock.calls.length).toBeGreaterThan(text.length / 250_000);
    nextTurn.mockRestore();
    const line = cl.buffer(Int32Array, 1);
    await program.kernels.last!.run({ global: 1 }, line);
    expect([...(await line.read())]).toEqual([12_001]);
    expect(program.info('SOURCE')).toBe(text);
  });

  it('may be in parts that are compiled and linked', async () => {
    const delay = monitorEventLoopDelay({ resolution: 1 });
    const started = performance.now();
    delay.enable();
    const long = await cl.context.createProgram(SOURCE).compile();
    const short = await cl.context.createProgram('kernel void more(global int *a) { a[0] = 7; }').compile();
    const linked = await cl.context.link([long, short]);
    delay.disable();
    expect(delay.max / 1e6).toBeLessThan((performance.now() - started) / 2);
    expect(linked.info('NUM_KERNELS')).toBe(KERNELS + 1);
    const data = cl.buffer(new Int32Array([1, 2]));
    await linked.kernels.k2!.run({ global: 2 }, data, 2);
    expect([...(await data.read())]).toEqual([1 + 2 + 3, 2 + 2 + 5]);
    const wrong = cl.context.createProgram(`${SOURCE} kernel void k1(global int *a) {}`);
    expect((await failureOf(wrong.compile())).buildLog).toContain("conflicting types for 'k1'");
    const again = await cl.context.createProgram(SOURCE).compile();
    expect((await failureOf(cl.context.link([long, again]))).message).toContain('more than one module');
    const aborted = new AbortController();
    const endless = failureOf(cl.context.createProgram(ENDLESS).compile('', {}, { signal: aborted.signal }));
    aborted.abort(new Error('enough'));
    expect((await endless).message).toBe('enough');
  });

  it('is that of IL and of a binary, which are decoded on the thread', async () => {
    const [binary] = (await cl.build(SOURCE)).info('BINARIES') as [Uint8Array];
    const spirv = binary.slice(Buffer.from(binary).indexOf(new Uint8Array([3, 2, 0x23, 7])));
    const programs = [cl.context.createProgramWithIL(spirv), cl.context.createProgramWithBinary([binary])];
    for (const program of programs) {
      await program.build();
      const data = cl.buffer(new Int32Array([1, 2]));
      await program.kernels.k2!.run({ global: 2 }, data, 2);
      expect([...(await data.read())]).toEqual([1 + 2 + 3, 2 + 2 + 5]);
    }
  });

  it('of IL tells when the program is created that words are missing, and in its log which rule is broken', async () => {
    const [binary] = (await cl.build(SOURCE)).info('BINARIES') as [Uint8Array];
    const spirv = binary.slice(Buffer.from(binary).indexOf(new Uint8Array([3, 2, 0x23, 7])));
    expect(() => cl.context.createProgramWithIL(spirv.subarray(0, -12))).toThrow(
      /CL_INVALID_VALUE.*incomplete/,
    );
    expect(() => cl.context.createProgramWithIL(new Uint8Array(spirv.length))).toThrow(
      /CL_INVALID_VALUE.*magic/,
    );
    const unordered = new Uint8Array([...spirv, ...spirv.subarray(20, 28)]);
    const program = cl.context.createProgramWithIL(unordered);
    const error = await failureOf(program.build());
    expect(error.codeName).toBe('CL_BUILD_PROGRAM_FAILURE');
    expect(error.buildLog).toMatch(/^this is not a valid SPIR-V module: /);
    expect(() => cl.context.createProgramWithIL(unordered).buildSync()).toThrow(/CL_BUILD_PROGRAM_FAILURE/);
  });

  it('ends when its link is aborted', async () => {
    const parts = await Promise.all([
      cl.context.createProgram(SOURCE).compile(),
      cl.context.createProgram('kernel void more(global int *a) { a[0] = 7; }').compile(),
    ]);
    const aborted = new AbortController();
    const linked = failureOf(cl.context.link(parts, { signal: aborted.signal }));
    const reason = new Error('enough');
    aborted.abort(reason);
    expect(await linked).toBe(reason);
    // The thread does the next link at once; it would have done both.
    const next = await cl.context.link(parts);
    expect(next.info('NUM_KERNELS')).toBe(KERNELS + 1);
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
    const bundle = join(__dirname, '../../../../dist/index.cjs');
    const script = `const cl = require(${JSON.stringify(bundle)}).openSync({ device: 'software' });
      cl.build(${JSON.stringify(SOURCE)}).then((program) => console.log(program.info('NUM_KERNELS')));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { timeout: 60_000 });
    expect(stdout).toBe(`${KERNELS}\n`);
  });
});
