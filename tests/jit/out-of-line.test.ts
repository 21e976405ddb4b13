// SPDX-License-Identifier: MIT
// Functions of the library that are kept out of line: called for the lanes that need them, once in a module.

import { Program } from '../../ts/jit/frontend/program';
import { calleesOf } from '../../ts/jit/ir/rewrite';
import { compileKernel, optimize } from '../../ts/jit/pipeline';
import type { Module } from '../../ts/spirv/module';
import { runCompiled } from '../helpers/compiled-kernel';
import { compiledModule } from '../helpers/compiled-module';
import { TILES } from '../helpers/every-tile';
import { runInterpreted } from '../helpers/interpreted-kernel';

const LIBRARY = `
  __constant float TABLE[4] = { 1.5f, -2.0f, 0.25f, 1e10f };
  __attribute__((noinline)) static double inner(double x, long n) {
    for (int i = 0; i < (n & 3); i++) x = x * 3.0 + (double)n;
    return x;
  }
  __attribute__((noinline)) static float rare(float x, int n) {
    long whole = (long)x * 5;
    if (x < 20.0f) return TABLE[n & 3];
    return (float)inner(x, whole + n) + TABLE[n + 1 & 3];
  }
  float __anycl_sin_f32(float x) { return x > 10.0f ? rare(x, (int)x) : x * 0.5f; }
  double __anycl_exp_f64(double x) { return inner(x, 2); }`;

const KERNEL = `
  kernel void k(global float *out, global const float *x, float same) {
    size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    float sum = sin(x[i]) + sin(same) + sin((float)get_global_id(1));
    for (int j = 0; x[i] > (float)(8 * j); j++) sum += (float)exp((double)j) + sin(x[i] - (float)j);
    out[i] = sum;
  }`;

function compiled(text: string): Module {
  return compiledModule({ name: 'test.cl', text, options: '-cl-std=CL3.0', target: 'spir' });
}

const library = compiled(LIBRARY);
const NAMES = ['__anycl_sin_f32', '__anycl_exp_f64'];
const program = new Program(compiled(KERNEL), {
  moduleOf: (name) => (NAMES.includes(name) ? library : undefined),
});

function optimized() {
  const { func, signature } = program.translate('k');
  optimize(func, { signature, constants: program.image, fuse: false }, { check: true });
  return { func, signature };
}

test.each(TILES)('lanes %d, rows %d: the same results as one by one', (lanes, rows) => {
  const width = 48;
  const x = Float32Array.from({ length: width * 4 }, (_, i) => (i * 37) % 61);
  const invocation = {
    global: [width, 4],
    local: [16, 4],
    args: [{ buffer: new Float32Array(x.length) }, { buffer: x }, { value: Float32Array.of(31.5) }],
  } as const;
  const reference = program.translate('k');
  const expected = runInterpreted(reference.func, reference.signature, program.binary, invocation);
  const kernel = compileKernel({
    translate: () => program.translate('k'),
    constants: program.image,
    options: { engine: { relaxedSimd: false }, lanes, rows },
    trace: { check: true },
  });
  const { buffers } = runCompiled(kernel, program.binary, invocation);
  expect(new Float32Array(buffers[0]!.buffer)).toEqual(new Float32Array(expected.buffers[0]!.buffer));
});

test('a kernel has each of them once, and none that it does not need', () => {
  const { func } = optimized();
  expect([...calleesOf(func)].map(({ name }) => name).sort()).toEqual(['inner', 'rare']);
  const other = new Program(
    compiled('kernel void k(global float *x) { float unused = sin(x[0]); x[1] = 2; }'),
    {
      moduleOf: () => library,
    },
  );
  const { func: without, signature } = other.translate('k');
  optimize(without, { signature, fuse: false }, { check: true });
  expect(calleesOf(without).size).toBe(0);
});

test('what takes or returns more than a number cannot be out of line', () => {
  const wrong = compiled(`
    __attribute__((noinline)) static float2 both(float x) { return (float2)(x, 2 * x); }
    float __anycl_sin_f32(float x) { return both(x).y; }`);
  const program = new Program(compiled('kernel void k(global float *x) { x[0] = sin(x[1]); }'), {
    moduleOf: () => wrong,
  });
  expect(() => program.translate('k')).toThrow("'both' cannot be kept out of line");
});
