// SPDX-License-Identifier: MIT
//
// Kernels with one mistake in each: they compile or are refused with a message, whatever the mistake is.
// scripts/compare/refusals.mjs compares with clang what is said. `FUZZ=FIRST:COUNT` chooses the seeds.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from '../../ts/compiler/compile';
import { encode } from '../../ts/spirv/encode';
import { mutate } from './mutate';

const [first = 1, count = 40] = (process.env.FUZZ ?? '').split(':').filter(Boolean).map(Number);
const folder = join(__dirname, '../../kernels/examples');

test.each(readdirSync(folder).filter((name) => name.endsWith('.cl')))('%s', (name) => {
  const source = readFileSync(join(folder, name), 'utf8');
  const refused = new Set<boolean>();
  for (let seed = first; seed < first + count; seed++) {
    const { text } = mutate(source, seed);
    expect(text).not.toBe(source);
    expect(mutate(source, seed).text).toBe(text);
    const { module, diagnostics } = compile({ name, text, options: '-cl-std=CL2.0' });
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    expect({ seed, refused: errors.length > 0 }).toEqual({ seed, refused: module === undefined });
    refused.add(module === undefined);
    if (module) encode(module);
  }
  expect([...refused].sort()).toEqual([false, true]);
});
