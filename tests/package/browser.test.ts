// SPDX-License-Identifier: MIT
//
// The bundle for browsers: no module of Node.js is in it, and it works with the globals of a web page alone, in a page that is not
// isolated and so has no SharedArrayBuffer.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { root } from '../helpers/command';

const folder = mkdtempSync(join(tmpdir(), 'anycl-browser-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = join(folder, 'anycl.js');
const { inputs, imports } = JSON.parse(
  execFileSync(process.execPath, [join(root, 'scripts/build/browser.mjs'), file, 'iife'], {
    encoding: 'utf8',
  }),
) as { inputs: string[]; imports: string[] };

const printed: string[] = [];
/** The globals of pages and workers besides those of the language. */
const page = createContext({
  AbortSignal,
  AbortController,
  MessageChannel,
  TextDecoder,
  TextEncoder,
  atob,
  clearTimeout,
  console: { log: (line: string) => printed.push(line) },
  performance,
  queueMicrotask,
  setTimeout,
});
runInContext('delete globalThis.SharedArrayBuffer;', page);
// V8 gives the code of a module that this process has compiled before, also where that was under flags that are off now; a page is a
// process of its own.
runInContext(
  `{
    const { Module, validate, CompileError } = WebAssembly;
    WebAssembly.Module = new Proxy(Module, {
      construct(target, [bytes]) {
        if (!validate(bytes)) throw new CompileError('the engine refuses the module');
        return new target(bytes);
      },
    });
  }`,
  page,
);
runInContext(readFileSync(file, 'utf8'), page);

/** Runs a program in the page; its result comes back as JSON. */
const inPage = async (program: string): Promise<unknown> =>
  JSON.parse(
    (await runInContext(`(async () => JSON.stringify(await (${program})(anycl)))()`, page)) as string,
  );

test('nothing of Node.js is in the bundle', () => {
  expect(inputs).toContain('ts/browser.ts');
  expect(inputs.filter((name) => name.includes('/node/') || name.includes('/backend/native/'))).toEqual([]);
  expect(imports).toEqual([]);
  expect(readFileSync(file, 'utf8').match(/["']node:(?!internal)\w+/g)).toBeNull();
  expect(
    runInContext('typeof process + typeof require + typeof Buffer + typeof SharedArrayBuffer', page),
  ).toBe('undefined'.repeat(4));
});

test('the names are those of the package', () => {
  const names = Object.keys(require(join(root, 'dist/index.cjs')) as object).sort();
  expect(JSON.parse(runInContext('JSON.stringify(Object.keys(anycl).sort())', page))).toEqual(names);
});

test('the software device is the only one, with one thread', async () => {
  const found = await inPage(`async ({ platforms }) =>
    platforms().flatMap(({ kind, devices }) => devices.map((device) => [kind, device.info('MAX_COMPUTE_UNITS')]))`);
  expect(found).toEqual([['software', 1]]);
});

test('kernels run: short ones, ones that call the built-in library, with barriers and atomics, and ones that print', async () => {
  const source = `
    kernel void wave(global float *a) { size_t i = get_global_id(0); a[i] = sin(a[i]); }
    kernel void total(global const int *in, global int *out, local int *sums) {
      int l = get_local_id(0);
      sums[l] = in[get_global_id(0)];
      for (int half_ = get_local_size(0) / 2; half_ > 0; half_ /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < half_) sums[l] += sums[l + half_];
      }
      if (l == 0) atomic_add(out, sums[0]);
    }
    kernel void unbounded(global int *p) { while (p[0] > 1) p[0] = p[0] % 2 ? 3 * p[0] + 1 : p[0] / 2; }
    kernel void hello(void) { printf("hello from %d\\\\n", (int)get_global_id(0)); }`;
  const result = (await inPage(`async ({ open, local }) => {
    const cl = await open();
    const { kernels: { wave, total, unbounded, hello } } = await cl.build(\`${source}\`);
    const a = cl.buffer(Float32Array.from({ length: 4096 }, (_, i) => i / 100));
    await wave.run({ global: 4096 }, a);
    const n = 1 << 20;
    const ones = cl.buffer(new Int32Array(n).fill(1));
    const sum = cl.buffer(new Int32Array(1));
    await total.run({ global: n, local: 256 }, ones, sum, local(Int32Array, 256));
    const p = cl.buffer(Int32Array.of(27));
    await unbounded.run({ global: 1 }, p);
    hello.run({ global: 2 });
    cl.queue.finishSync();
    const results = { sines: [...(await a.read())], sum: (await sum.read())[0], p: (await p.read())[0] };
    cl.close();
    return results;
  }`)) as { sines: number[]; sum: number; p: number };
  expect(result.sines.every((y, i) => Math.abs(y - Math.sin(i / 100)) < 1e-5)).toBe(true);
  expect(result).toMatchObject({ sum: 1 << 20, p: 1 });
  expect(printed.sort()).toEqual(['hello from 0', 'hello from 1']);
});

test('errors are those of the package', async () => {
  const log = await inPage(`async ({ open, OpenCLError }) => {
    const cl = await open();
    try {
      await cl.build('kernel void k() { return 1; }');
    } catch (error) {
      return [error instanceof OpenCLError, error.codeName, error.buildLog.includes('error:')];
    }
  }`);
  expect(log).toEqual([true, 'CL_BUILD_PROGRAM_FAILURE', true]);
});
