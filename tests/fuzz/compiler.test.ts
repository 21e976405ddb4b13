// SPDX-License-Identifier: MIT
//
// Random valid programs: they compile, the module is valid, and the results do not depend on optimization or on the
// device. `FUZZ=FIRST:COUNT` chooses the seeds.
import { join } from 'node:path';
import { compile } from '../../ts/compiler/compile';
import { encode } from '../../ts/spirv/encode';
import { root } from '../command';
import { hasTool, spirvVal } from '../helpers/spirv-tools';
import { randomProgram, WORDS_PER_ITEM } from './random-program';

const { open, platforms } = require(join(root, 'dist/index.cjs'));
type Session = Awaited<ReturnType<typeof open>>;

const [first = 1, count = 4] = (process.env.FUZZ ?? '').split(':').filter(Boolean).map(Number);
const seeds = Array.from({ length: count }, (_, i) => first + i);
const ITEMS = 64;
const NAME = 'Portable Computing Language';
const hasPocl = platforms().some((platform: { name: string }) => platform.name === NAME);
const validates = hasTool('spirv-val');

const input = BigUint64Array.from(
  { length: 16 },
  (_, i) => (0x9e3779b97f4a7c15n * BigInt(i * i + 3)) & 0xffffffffffffffffn,
);

async function results(session: Session, source: string, options: string): Promise<string> {
  const { kernels } = await session.build(source, options);
  const output = session.buffer(BigUint64Array, ITEMS * WORDS_PER_ITEM);
  await kernels.fuzz.run({ global: ITEMS }, session.buffer(input), output);
  return [...(await output.read())].join(' ');
}

(validates ? test : test.skip)(
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

(hasPocl ? test : test.skip)(
  'results are those of PoCL (skipped without it)',
  async () => {
    const [ours, theirs] = [await open({ device: 'software' }), await open({ device: NAME })];
    for (const seed of seeds) {
      const source = randomProgram(seed);
      const expected = await results(theirs, source, '-cl-std=CL2.0');
      expect({ seed, results: await results(ours, source, '-cl-std=CL2.0') }).toEqual({
        seed,
        results: expected,
      });
    }
    ours.close();
    theirs.close();
  },
  600_000,
);
