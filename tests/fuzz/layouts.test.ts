// SPDX-License-Identifier: MIT
//
// The short form of scripts/fuzz/layouts.mjs.
import { node } from '../helpers/command';
import { hasForeignCompiler } from '../helpers/foreign-spirv';
import { testNeeding } from '../helpers/needs';

testNeeding('clang-15', hasForeignCompiler())('random structures contain what they do in C', () => {
  const { status, stdout } = node('scripts/fuzz/layouts.mjs', ['181', '30']);
  expect(stdout).toMatch(/^30 programs on .*, seeds 181 to 210: 0 faults$/m);
  expect(status).toBe(0);
});
