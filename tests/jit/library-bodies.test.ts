// SPDX-License-Identifier: MIT
// Library functions that a kernel calls many times: simplified once for each set of constants, and copied to their calls.

import { Program } from '../../ts/jit/frontend/program';
import type { Func } from '../../ts/jit/ir/ir';
import { verify } from '../../ts/jit/ir/verify';
import { compileKernel, simplifyBody } from '../../ts/jit/pipeline';
import type { Module } from '../../ts/spirv/module';
import { runCompiled } from '../helpers/compiled-kernel';
import { compiledModule } from '../helpers/compiled-module';
import { TILES } from '../helpers/every-tile';
import { runInterpreted } from '../helpers/interpreted-kernel';

// One return and several, a loop at the beginning, a result through a pointer, private memory, another library function.
const LIBRARY = `
  __constant float TABLE[4] = { 1.5f, -2.0f, 0.25f, 1e10f };
  float __anycl_sin_f32(float x) {
    if (x > 10.0f) return x - 10.0f;
    if (x < 2.0f) return TABLE[(int)x & 3];
    return x * 0.5f;
  }
  float __anycl_cos_f32(float x) { do { x -= 3.0f; } while (x > 3.0f); return x; }
  float __anycl_modf_f32(float x, float *whole) {
    float parts[2]; parts[0] = floor(x); parts[1] = x - parts[0];
    *whole = parts[0];
    return parts[1] + cos(x);
  }
  float __anycl_pow_f32(float x, float y) { return y == 2.0f ? x * x : x + y; }`;

const KERNEL = `
  kernel void k(global float *out, global const float *x) {
    size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    float sum = 0, whole;
    #define EACH(A) sum += sin(x[i] + A) + cos(x[i] * A) + modf(x[i] - A, &whole) + pow(x[i], 2.0f) + pow(A, 2.0f) + pow(x[i], -0.0f) + pow(x[i], 0.0f); sum += whole;
    EACH(0.5f) EACH(1.5f) EACH(2.5f) EACH(3.5f) EACH(4.5f)
    if (x[i] > 20.0f) { EACH(5.5f) EACH(x[i]) }
    out[i] = sum;
  }`;

function compiled(text: string): Module {
  return compiledModule({ name: 'test.cl', text, options: '-cl-std=CL3.0', target: 'spir' });
}

const library = compiled(LIBRARY);
const program = new Program(compiled(KERNEL), { moduleOf: () => library });

function translated() {
  const bodies: Func[] = [];
  const { func, signature } = program.translate('k', {
    simplifyBody: (body, signature) => {
      verify(body);
      simplifyBody(body, { signature, constants: program.image, fuse: false }, { check: true });
      bodies.push(body);
    },
  });
  return { func, signature, bodies };
}

test('a body is made for each set of constants', () => {
  const { func, bodies } = translated();
  verify(func);
  const count = (name: string) => bodies.filter((body) => body.name === name).length;
  expect(count('__anycl_sin_f32')).toBe(1);
  expect(count('__anycl_cos_f32')).toBe(1);
  // With the exponents 2, 0 and -0.
  expect(count('__anycl_pow_f32')).toBe(3);
});

test('the copies are smaller than what is translated in place', () => {
  const size = (func: Func) => func.blocks.reduce((sum, { insts }) => sum + insts.length, 0);
  expect(size(translated().func)).toBeLessThan(size(program.translate('k').func));
});

test.each(TILES)('lanes %d, rows %d: the same results as translated in place', (lanes, rows) => {
  const width = 48;
  const x = Float32Array.from({ length: width * 4 }, (_, i) => (i * 37) % 61);
  const invocation = {
    global: [width, 4],
    local: [16, 4],
    args: [{ buffer: new Float32Array(x.length) }, { buffer: x }],
  } as const;
  const reference = program.translate('k');
  const expected = runInterpreted(reference.func, reference.signature, program.binary, invocation);
  const { func, signature } = translated();
  const kernel = compileKernel({
    translate: () => ({ func, signature }),
    constants: program.image,
    options: { engine: { relaxedSimd: false }, lanes, rows },
    trace: { check: true },
  });
  const { buffers } = runCompiled(kernel, program.binary, invocation);
  expect(new Float32Array(buffers[0]!.buffer)).toEqual(new Float32Array(expected.buffers[0]!.buffer));
});
