// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../tests/helpers/command';
import { compile } from '../../compiler/compile';
import { Program } from '../../jit/frontend/program';
import { openLibrary } from './library-file';
import { postSignatures, readSignatures } from './posted-signatures';

const library = openLibrary(() => readFileSync(join(root, 'dist/library.bin')));

test('signatures are the same after they were posted', () => {
  const text = `
    __attribute__((reqd_work_group_size(8, 2, 1))) kernel void a(global const float4 *x, local int *y, sampler_t s, double d) {}
    kernel void b(read_only image2d_t i, uchar3 c) { local int t[4]; t[0] = c.x; }`;
  const { module } = compile({ name: 'a.cl', text, options: '-cl-std=CL2.0 -cl-kernel-arg-info' });
  const { kernels } = new Program(module!, library).binary;
  const read = readSignatures(structuredClone(postSignatures(kernels)));
  expect([...read]).toEqual([...kernels]);
  expect([...read.values()]).toEqual([...kernels.values()]);
  expect(read.size).toBe(2);
  expect([read.has('b'), read.has('c'), read.get('c')]).toEqual([true, false, undefined]);
  expect(read.get('a')).toBe(read.get('a'));
});

test('a program without kernels has none', () => {
  expect([...readSignatures(postSignatures(new Map()))]).toEqual([]);
});
