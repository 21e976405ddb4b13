// SPDX-License-Identifier: MIT
import { compile } from '../compile';

const logOf = (text: string): string => compile({ name: 'a.cl', text, options: '' }).log;

test.each([
  ['global int *x', 'x[threadIdx.x] = 1;', "'threadIdx' belongs to CUDA; OpenCL C has get_local_id(0)"],
  [
    'global int *x',
    '__syncthreads();',
    "'__syncthreads' belongs to CUDA; OpenCL C has barrier(CLK_LOCAL_MEM_FENCE)",
  ],
  ['global int *x', 'vec4 v = x[0];', "'vec4' belongs to GLSL; OpenCL C has float4"],
  ['global int *x', 'x[0] = gl_GlobalInvocationID.x;', 'OpenCL C has get_global_id(0)'],
  ['global int *x', 'uint32_t y = x[0];', "'uint32_t' belongs to C; OpenCL C has uint"],
  ['global int *x', 'x = malloc(4);', "'malloc' belongs to C; OpenCL C has no heap"],
  ['global int *x', 'x[0] = std::min(1, 2);', "'std' belongs to C++"],
])('a word of another language: kernel void k(%s) { %s }', (parameters, body, says) => {
  const log = logOf(`kernel void k(${parameters}) { ${body} }`);
  expect(log).toContain('a.cl:1:');
  expect(log).toContain('error: ');
  expect(log).toContain(says);
});

test('a function of CUDA', () => {
  expect(logOf('__global__ void k(int *x) { }')).toContain(
    "'__global__' belongs to CUDA; OpenCL C has kernel",
  );
});

test('a name of the program is not a word of another language', () => {
  const source =
    'typedef float4 vec4; kernel void k(global vec4 *std) { int rand = 1; std[0] = (vec4)(rand); }';
  expect(logOf(source)).toBe('');
});

test('headers that no kernel needs, and others', () => {
  const needsNone = 'OpenCL C needs no header';
  for (const header of ['<stdio.h>', '<math.h>', '<cmath>', '<cuda_runtime.h>', '"stdint.h"', '<CL/cl.h>'])
    expect(logOf(`#include ${header}\n`)).toContain(needsNone);
  for (const header of ['"common.h"', '<mathematics.h>', '"string_search.h"'])
    expect(logOf(`#include ${header}\n`)).not.toContain(needsNone);
});
