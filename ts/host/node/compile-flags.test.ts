// SPDX-License-Identifier: MIT
import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { buildSync } from 'esbuild';
import { compileInBackground } from './compile-flags';

/** A module of as many functions (v128) -> (v128) that multiply and add, which is relaxed SIMD. */
function relaxedModule(functions: number): Uint8Array {
  const number = (value: number): number[] => [(value & 127) | 128, ((value >> 7) & 127) | 128, value >> 14];
  const vector = (items: number[]) => [...number(functions), ...items];
  const section = (id: number, bytes: number[]) => [id, ...number(bytes.length), ...bytes];
  // local.get 0, three times, f32x4.relaxed_madd, end
  const body = [0, 0x20, 0, 0x20, 0, 0x20, 0, 0xfd, 0x85, 2, 0x0b];
  const bodies = Array.from({ length: functions }, () => [body.length, ...body]).flat();
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 1, 0x7b, 1, 0x7b]),
    ...section(3, vector(new Array(functions).fill(0))),
    ...section(10, vector(bodies)),
  ]);
}

test('a compilation keeps its flags when another thread ends one', async () => {
  const source = join(__dirname, 'compile-flags.ts');
  const { outputFiles } = buildSync({ entryPoints: [source], bundle: true, platform: 'node', write: false });
  const code = `const module = { exports: {} }, { parentPort, workerData } = require('node:worker_threads');
    ((module, exports) => {${outputFiles[0]!.text}})(module, module.exports);
    let valid = 0, count = 0;
    const until = Date.now() + 1500;
    for (; Date.now() < until; count++) valid += module.exports.withCompileFlags(() => WebAssembly.validate(workerData));
    parentPort.postMessage({ valid, count });`;
  const worker = new Worker(code, { eval: true, workerData: relaxedModule(1) });
  await once(worker, 'online');
  let ended = false;
  const answer = once(worker, 'message').then(([found]) => {
    ended = true;
    return found as { valid: number; count: number };
  });
  for (let i = 0; !ended; i++) await compileInBackground(relaxedModule(4000 + i));
  const { valid, count } = await answer;
  expect(valid).toBe(count);
  await worker.terminate();
});
