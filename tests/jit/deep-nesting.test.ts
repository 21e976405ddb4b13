// SPDX-License-Identifier: MIT
//
// Code that nests deeper than the engine's stack: compiled, or refused with a message.

import { JitError } from '../../ts/jit';
import { Program } from '../../ts/jit/frontend/program';
import { compileKernel } from '../../ts/jit/pipeline';
import { runCompiled } from '../helpers/compiled-kernel';
import { compiledModule } from '../helpers/compiled-module';

const noLibrary = { moduleOf: () => undefined };
const lines = (n: number, line: (i: number) => string) =>
  Array.from({ length: n }, (_, i) => line(i)).join('\n');

function programOf(text: string): Program {
  const module = compiledModule({ name: 'deep.cl', text, options: '' });
  return new Program(module, noLibrary);
}

/** The contents of `out` after a kernel over `in`, with one work-item for each element. */
function run(text: string, input: readonly number[], n: number, lanes: number): number[] {
  const program = programOf(text);
  const kernel = compileKernel({
    translate: () => program.translate('k'),
    options: { engine: { relaxedSimd: false, isX64: false }, lanes, rows: 1 },
  });
  const { buffers } = runCompiled(kernel, program.binary, {
    global: [input.length],
    local: [input.length],
    args: [
      { buffer: new Uint8Array(Int32Array.from(input).buffer) },
      { buffer: new Uint8Array(input.length * 4) },
      { value: new Uint8Array(Int32Array.of(n).buffer) },
    ],
  });
  return [...new Int32Array(buffers[1]!.buffer, buffers[1]!.byteOffset, input.length)];
}

const chain = (n: number, asked: string) => `kernel void k(global const int *in, global int *out, int n) {
  int i = get_global_id(0), x = in[i], y = 0;
  ${lines(n, (at) => `if (${asked} == ${at * 3}) y = ${at * 7}; else`)} y = -1;
  out[i] = y;
}`;

test('a long chain of else-if that work-items agree on', () => {
  const n = 1500;
  expect(run(chain(n, 'n'), [0, 0, 0, 0], 3 * (n - 1), 4)).toEqual(Array(4).fill(7 * (n - 1)));
}, 120_000);

test('a long chain of else-if that work-items part at', () => {
  const n = 900;
  const input = [0, 3, 3 * (n - 1), 1];
  expect(run(chain(n, 'x'), input, 0, 4)).toEqual([0, 7, 7 * (n - 1), -1]);
}, 120_000);

test('calls that nest too deep are refused', () => {
  const text = `${lines(600, (i) => `int f${i}(int a) { return ${i === 0 ? 'a' : `f${i - 1}(a)`} * 3 + ${i}; }`)}
kernel void k(global const int *in, global int *out, int n) { out[0] = f599(in[0]); }`;
  expect(() => programOf(text).translate('k')).toThrow(JitError);
});
