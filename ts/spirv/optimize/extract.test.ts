// SPDX-License-Identifier: MIT
import { compiledModule } from '../../../tests/helpers/compiled-module';
import { decode } from '../decode';
import { encode } from '../encode';
import { Op } from '../grammar.gen';
import type { Module } from '../module';
import { validate } from '../validate';
import { extract } from './extract';

const LIBRARY = `
  __constant int TABLE[4] = { 1, 2, 3, 4 };
  __constant double WIDE[2] = { 0.5, 0.25 };
  static int common(long x) { switch (x) { case 0x100000007l: return 1; default: return TABLE[x & 3]; } }
  int one(long x) { return common(x) + 1; }
  int two(long x) { return common(x) + 2; }
  double three(int x) { return WIDE[x & 1]; }`;

function library(): Module {
  const module = compiledModule({
    name: 'lib.cl',
    text: LIBRARY,
    options: '-cl-std=CL3.0',
    target: 'spir',
  });
  return decode(encode(module));
}

const exportsOf = (module: Module) =>
  module.annotations.filter(({ op, operands }) => op === Op.Decorate && operands[1] === 41).length;

test('leaves what is wanted and what that needs', () => {
  const whole = library();
  const functions = whole.functions.length;
  extract(whole, (name) => name === 'one');
  // The function, and the function that it and another one call.
  expect(functions).toBe(4);
  expect(whole.functions).toHaveLength(2);
  expect(exportsOf(whole)).toBe(1);
  expect(whole.globals.some(({ op }) => op === Op.TypeFloat)).toBe(false);
  expect(whole.globals.filter(({ op }) => op === Op.Variable)).toHaveLength(1);
  expect(validate(whole)).toBeUndefined();
});

test('leaves nothing where nothing is wanted', () => {
  const whole = library();
  extract(whole, () => false);
  expect(whole.functions).toHaveLength(0);
  expect(whole.globals.filter(({ op }) => op === Op.Variable)).toHaveLength(0);
  expect(validate(whole)).toBeUndefined();
});
