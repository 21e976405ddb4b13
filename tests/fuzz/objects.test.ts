// SPDX-License-Identifier: MIT
//
// Random programs about objects in memory: they compile, the module is valid, and the results do not depend on optimization or on
// the device. `FUZZ=FIRST:COUNT` chooses the seeds.
import { compile } from '../../ts/compiler/compile';
import { encode } from '../../ts/spirv/encode';
import { validate } from '../../ts/spirv/validate';
import { hasTool, spirvVal } from '../helpers/spirv-tools';
import { input, open, type Session, seeds, testAgainstPocl } from './differential';
import { GROUP, HASHES, IMAGE, randomObjects } from './random-objects';

const ITEMS = IMAGE.width * IMAGE.height;
const validates = hasTool('spirv-val');

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

testAgainstPocl(randomObjects, results, '-cl-std=CL1.2');
