// SPDX-License-Identifier: MIT
//
// The short form of scripts/fuzz/preprocessor.mjs.
import { node } from '../helpers/command';
import { hasForeignCompiler } from '../helpers/foreign-spirv';
import { testNeeding } from '../helpers/needs';

testNeeding('clang-15', hasForeignCompiler())('random macros give the tokens that clang gives', () => {
  const { status, stdout } = node('scripts/fuzz/preprocessor.mjs', ['1', '100']);
  expect(stdout).toMatch(/^100 sources, seeds 1 to 100, [1-9]\d* without errors: 0 faults$/m);
  expect(status).toBe(0);
});
