// SPDX-License-Identifier: MIT

import { testNeeding } from '../../../tests/helpers/needs';
import { hasTool, spirvVal } from '../../../tests/helpers/spirv-tools';
import { encode } from '../../spirv/encode';
import { compile } from '../compile';

/** Elements of a table, beyond the 65532 constituents of one instruction. */
const MANY = 70_000;
const list = Array.from({ length: MANY }, (_, i) => i & 255).join();

const PROGRAMS: Readonly<Record<string, string>> = {
  'a table': `constant uchar t[${MANY}] = { ${list} };
    kernel void k(global int *p, int i) { *p = t[i]; }`,
  'a table that ends with zeros': `constant int t[1 << 20] = { ${list} };
    kernel void k(global int *p, int i) { *p = t[i]; }`,
  'a table whose address is a constant': `constant uchar t[${MANY}] = { ${list} };
    constant uchar *constant middle = t + ${MANY / 2};
    kernel void k(global int *p, int i) { *p = middle[i]; }`,
  'a table of a function': `kernel void k(global int *p, int i) { uchar t[] = { ${list} }; *p = t[i]; }`,
  'a string': `constant char t[] = "${'a'.repeat(MANY)}"; kernel void k(global int *p, int i) { *p = t[i]; }`,
  'a literal': `kernel void k(global int *p, int i) { *p = "${'a'.repeat(MANY)}"[i]; }`,
  'a switch': `kernel void k(global int *p, int i) {
    switch (i) { ${Array.from({ length: 20_000 }, (_, i) => `case ${i}: *p = ${i & 7}; break;`).join('\n')} default: *p = 9; } }`,
};

testNeeding('spirv-val', hasTool('spirv-val')).each(Object.keys(PROGRAMS))(
  '%s longer than an instruction is valid (skipped without spirv-val)',
  (name) => {
    const { module, log } = compile({ name: 'a.cl', text: PROGRAMS[name]!, options: '' });
    expect(log).toBe('');
    expect(spirvVal(encode(module!))).toBe('');
  },
  120_000,
);

test('what has no form is refused', () => {
  const text = `constant struct { int a; uchar t[${MANY}]; } s = { 1, { ${list} } };
    kernel void k(global int *p, int i) { *p = s.t[i]; }`;
  expect(compile({ name: 'a.cl', text, options: '' }).log).toMatch(/initializer of this many elements/);
});
