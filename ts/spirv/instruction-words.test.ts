// SPDX-License-Identifier: MIT
import { compile } from '../compiler/compile';
import { encode } from './encode';
import { brokenForm } from './instruction-words';

const bytes = encode(
  compile({ name: 'a.cl', text: 'kernel void k(global int *p) { p[0] = 1; }', options: '' }).module!,
);

test('a module is filled by its instructions', () => {
  expect(brokenForm(bytes)).toBeUndefined();
  expect(brokenForm(Buffer.from(bytes))).toBeUndefined();
  expect(brokenForm(new Uint8Array([1, ...bytes]).subarray(1))).toBeUndefined();
});

test('what ends in the middle is told, with the place', () => {
  expect(brokenForm(bytes.subarray(0, 16))).toContain('16 bytes');
  expect(brokenForm(bytes.subarray(0, -1))).toContain('whole words');
  // Its last instructions are OpReturn and OpFunctionEnd of one word each, after OpStore.
  expect(brokenForm(bytes.subarray(0, -12))).toContain(
    `before the module does, at byte ${bytes.length - 12}`,
  );
  expect(brokenForm(Uint8Array.from([...bytes, 0, 0, 0, 0]))).toContain(`at byte ${bytes.length}`);
});

test('the other byte order is for the driver', () => {
  expect(brokenForm(Uint8Array.from(bytes).reverse())).toBeUndefined();
});
