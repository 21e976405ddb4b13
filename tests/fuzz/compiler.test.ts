// SPDX-License-Identifier: MIT
//
// Random valid programs: they compile, the module is valid, and the results do not depend on optimization or on the
// device. `FUZZ=FIRST:COUNT` chooses the seeds.
import { compile } from '../../ts/compiler/compile';
import { encode } from '../../ts/spirv/encode';
import { testNeeding } from '../helpers/needs';
import { hasTool, spirvVal } from '../helpers/spirv-tools';
import { input, open, type Session, seeds, testAgainstPocl } from './differential';
import { randomProgram, WORDS_PER_ITEM } from './random-program';

const ITEMS = 64;
const validates = hasTool('spirv-val');

async function results(session: Session, source: string, options: string): Promise<string> {
  const { kernels } = await session.build(source, options);
  const output = session.buffer(BigUint64Array, ITEMS * WORDS_PER_ITEM);
  await kernels.fuzz.run({ global: ITEMS }, session.buffer(input), output);
  return [...(await output.read())].join(' ');
}

testNeeding('spirv-val', validates)(
  'modules are valid (skipped without spirv-val)',
  () => {
    for (const seed of seeds) {
      const text = randomProgram(seed);
      for (const options of ['-cl-std=CL2.0', '-cl-std=CL3.0 -g', '-cl-std=CL1.2 -cl-opt-disable']) {
        const { module, log } = compile({ name: `seed-${seed}.cl`, text, options: `-w ${options}` });
        expect({ seed, log, valid: module && spirvVal(encode(module)) }).toEqual({
          seed,
          log: '',
          valid: '',
        });
      }
    }
  },
  600_000,
);

test('results do not depend on optimization', async () => {
  const session = await open({ device: 'software' });
  for (const seed of seeds) {
    const source = randomProgram(seed);
    const [plain, optimized] = [
      await results(session, source, '-cl-std=CL2.0 -cl-opt-disable'),
      await results(session, source, '-cl-std=CL2.0'),
    ];
    expect({ seed, results: optimized }).toEqual({ seed, results: plain });
  }
  session.close();
}, 600_000);

testAgainstPocl(randomProgram, results, '-cl-std=CL2.0');
