// SPDX-License-Identifier: MIT
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../../tests/helpers/command';
import { compile } from '../../../compiler/compile';
import { Program } from '../../../jit/frontend/program';
import { openLibrary } from '../build/library-file';
import { postSignatures, readSignatures } from './posted-signatures';

const library = openLibrary(() => readFileSync(join(root, 'dist/library.bin')));

test('signatures are the same after they were posted', () => {
  const text = `
    __attribute__((reqd_work_group_size(8, 2, 1))) kernel void a(global const float4 *x, local int *y, sampler_t s, double d) {}
    kernel void b(read_only image2d_t i, uchar3 c) { local int t[4]; t[0] = c.x; }`;
  const { module } = compile({ name: 'a.cl', text, options: '-cl-std=CL2.0 -cl-kernel-arg-info' });
  const { kernels } = new Program(module!, library).binary;
  const posted = postSignatures(kernels);
  const transfer = [posted.text, posted.starts, posted.table].map(({ buffer }) => buffer);
  const read = readSignatures(structuredClone(posted, { transfer }));
  expect([...read]).toEqual([...kernels]);
  expect([...read.values()]).toEqual([...kernels.values()]);
  expect(read.size).toBe(2);
  expect([read.has('b'), read.has('c'), read.get('c')]).toEqual([true, false, undefined]);
  expect(read.get('a')).toBe(read.get('a'));
});

test('each of many is found by its name, and no other', () => {
  const { module } = compile({ name: 'a.cl', text: 'kernel void a(int x) {}', options: '' });
  const [signature] = new Program(module!, library).binary.kernels.values();
  // Names with a common hash of their ends, with other characters, and without any.
  const names = ['', 'ä', '名', ...Array.from({ length: 3000 }, (_, i) => `kernel_${i}`)];
  const all = new Map(names.map((name) => [name, { ...signature!, name }]));
  const read = readSignatures(postSignatures(all));
  expect(names.filter((name) => read.get(name)?.name !== name)).toEqual([]);
  expect(names.filter((name) => read.has(`${name}0_`))).toEqual([]);
  expect([...read.keys()]).toEqual(names);
});

test('a program without kernels has none', () => {
  expect([...readSignatures(postSignatures(new Map()))]).toEqual([]);
});
