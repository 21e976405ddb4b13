// SPDX-License-Identifier: MIT
//
// Modules that somebody changed: whatever was changed, decode, disassemble, validate and load refuse with an error of their
// own. scripts/fuzz/modules.mjs also runs what builds, in processes with limits. `FUZZ=FIRST:COUNT` chooses the seeds.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compile } from '../../ts/compiler/compile';
import { decode } from '../../ts/spirv/decode';
import { encode } from '../../ts/spirv/encode';
import { SpirvError } from '../../ts/spirv/spirv-error';
import { disassemble } from '../../ts/spirv/text';
import { validate } from '../../ts/spirv/validate';
import { mutateModule } from './mutate-module';

const [first = 1, count = 40] = (process.env.FUZZ ?? '').split(':').filter(Boolean).map(Number);
const folder = join(__dirname, '../../kernels/examples');

test.each(readdirSync(folder).filter((name) => name.endsWith('.cl')))('%s', (name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  const module = encode(compile({ name, text, options: '-cl-std=CL2.0' }).module!);
  const outcomes = new Set<string>();
  for (let seed = first; seed < first + count; seed++) {
    const { bytes } = mutateModule(module, seed);
    expect(mutateModule(module, seed).bytes).toEqual(bytes);
    try {
      const mutant = decode(bytes);
      const problem = validate(mutant);
      outcomes.add(problem === undefined ? 'valid' : 'invalid');
      if (problem === undefined) expect(disassemble(mutant)).toContain('OpMemoryModel');
    } catch (error) {
      if (!(error instanceof SpirvError)) throw new Error(`seed ${seed}`, { cause: error });
      outcomes.add('malformed');
    }
  }
  expect([...outcomes].sort()).toEqual(['invalid', 'malformed', 'valid']);
});
