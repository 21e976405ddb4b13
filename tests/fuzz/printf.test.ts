// SPDX-License-Identifier: MIT
//
// The short form of scripts/fuzz/printf.mjs.
import { spawnSync } from 'node:child_process';
import { node } from '../helpers/command';
import { testNeeding } from '../helpers/needs';

const hasCompiler = spawnSync('gcc', ['--version']).status === 0;

testNeeding('gcc', hasCompiler)('random kernels print what C prints', () => {
  const { status, stdout } = node('scripts/fuzz/printf.mjs', ['1', '31']);
  expect(stdout).toBe('31 programs, seeds 1 to 31: 0 faults\n');
  expect(status).toBe(0);
});
