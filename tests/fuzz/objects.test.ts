// SPDX-License-Identifier: MIT
//
// Random programs about objects in memory: they compile, the module is valid, and the results do not depend on optimization or on
// the device. `FUZZ=FIRST:COUNT` chooses the seeds.
import { join } from 'node:path';
import { compile } from '../../ts/compiler/compile';
import { encode } from '../../ts/spirv/encode';
import { validate } from '../../ts/spirv/validate';
import { root } from '../command';
import { hasTool, spirvVal } from '../helpers/spirv-tools';
import { GROUP, HASHES, IMAGE, randomObjects } from './random-objects';

const { open, platforms } = require(join(root, 'dist/index.cjs'));
type Session = Awaited<ReturnType<typeof open>>;

const [first = 1, count = 4] = (process.env.FUZZ ?? '').split(':').filter(Boolean).map(Number);
const seeds = Array.from({ length: count }, (_, i) => first + i);
const ITEMS = IMAGE.width * IMAGE.height;
const NAME = 'Portable Computing Language';
const hasPocl = platforms().some((platform: { name: string }) => platform.name === NAME);
const validates = hasTool('spirv-val');

const input = BigUint64Array.from(
  { length: 16 },
  (_, i) => (0x9e3779b97f4a7c15n * BigInt(i * i + 3)) & 0xffffffffffffffffn,
);
const texels = Uint8Array.from({ length: 4 * ITEMS }, (_, i) => i * 37 + (i >> 3));

async function results(session: Session, source: string, options: string): Promise<string> {
  const { kernels } = await session.build(source, `-w ${options}`);
  const output = session.buffer(BigUint64Array, ITEMS * HASHES);
  const shape = { ...IMAGE, format: 'rgba8ui' };
  const [image, target] = [session.image(shape, texels), session.image(shape)];
  await kernels.fuzz.run({ global: ITEMS, local: GROUP }, session.buffer(input), output, image, target);
  return `${[...(await output.read())].join(' ')}\n${[...(await target.read())].join(' ')}`;
}

test('modules are valid', () => {
  for (const seed of seeds) {
    const text = randomObjects(seed);
    for (const options of ['-cl-std=CL1.2 -g', '-cl-std=CL2.0', '-cl-std=CL3.0', '-cl-opt-disable']) {
      const { module, log } = compile({ name: `seed-${seed}.cl`, text, options: `-w ${options}` });
      expect({ seed, log, fault: module && validate(module) }).toEqual({ seed, log: '', fault: undefined });
      if (validates) expect({ seed, log: spirvVal(encode(module!)) }).toEqual({ seed, log: '' });
    }
  }
}, 600_000);

test('results do not depend on optimization or on the version of the language', async () => {
  const session = await open({ device: 'software' });
  for (const seed of seeds) {
    const source = randomObjects(seed);
    const plain = await results(session, source, '-cl-std=CL2.0 -cl-opt-disable');
    for (const options of ['-cl-std=CL1.2', '-cl-std=CL3.0'])
      expect({ seed, results: await results(session, source, options) }).toEqual({ seed, results: plain });
  }
  session.close();
}, 600_000);

(hasPocl ? test : test.skip)(
  'results are those of PoCL (skipped without it)',
  async () => {
    const [ours, theirs] = [await open({ device: 'software' }), await open({ device: NAME })];
    for (const seed of seeds) {
      const source = randomObjects(seed);
      const expected = await results(theirs, source, '-cl-std=CL1.2');
      expect({ seed, results: await results(ours, source, '-cl-std=CL1.2') }).toEqual({
        seed,
        results: expected,
      });
    }
    ours.close();
    theirs.close();
  },
  600_000,
);
