// SPDX-License-Identifier: MIT
//
// Random kernels give the same results on tiles of some shapes as in the interpreter, which runs one work-item after the
// other. `FUZZ=FIRST:COUNT` chooses the seeds; scripts/fuzz/device.mjs runs many, and reduces what fails.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../helpers/command';
import { foreign } from '../helpers/every-tile';
import { randomAliases } from './kernels/aliases';
import { randomAsyncCopies } from './kernels/async-copies';
import { randomBits } from './kernels/bits';
import { randomBuiltIns } from './kernels/built-ins';
import { randomBytes } from './kernels/bytes';
import { randomCollectives } from './kernels/collectives';
import { randomControlFlow } from './kernels/control-flow';
import { randomConversions } from './kernels/conversions';
import { randomCopies } from './kernels/copies';
import { randomExactFloats } from './kernels/exact-floats';
import { randomExchanges } from './kernels/exchanges';
import { randomMatrices } from './kernels/matrices';
import type { RandomKernel, Triple } from './kernels/model';
import { randomObjectKernel } from './kernels/objects';
import { randomOddControlFlow } from './kernels/odd-control-flow';
import { randomPixels } from './kernels/pixels';
import { randomQuotients } from './kernels/quotients';
import { randomRecurrences } from './kernels/recurrences';
import { randomRows } from './kernels/rows';
import { randomStores } from './kernels/stores';
import { randomStructures } from './kernels/structures';
import { randomTables } from './kernels/tables';
import { randomVectors } from './kernels/vectors';
import { randomKernel } from './random-kernel';
import { reduce } from './reduce';
import { firstDifference, settingsOf, tilesOf } from './run-kernel';

const [first = 1, count = 4] = (process.env.FUZZ ?? '').split(':').filter(Boolean).map(Number);

/** What each generator makes, and how many for each seed that is asked for. */
const GENERATORS = [
  ['kernel', 1, randomKernel],
  ['control flow', 8, randomControlFlow],
  ['bytes and shorts', 8, randomBytes],
  ['rows', 8, randomRows],
  ['stores', 8, randomStores],
  ['exchanges', 4, randomExchanges],
  ['objects', 2, randomObjectKernel],
  ['collectives', 2, randomCollectives],
  ['aliases', 8, randomAliases],
  ['structures', 8, randomStructures],
  ['moved bits', 8, randomBits],
  ['implicit conversions', 4, randomConversions],
  ['copies of structs', 8, randomCopies],
  ['ids taken apart', 8, randomQuotients],
  ['matrices', 8, randomMatrices],
  ['pixels', 8, randomPixels],
  ['recurrences', 8, randomRecurrences],
  ['vectors', 8, randomVectors],
  ['tables', 8, randomTables],
  ['built-in functions', 8, randomBuiltIns],
  ['exact functions of floats', 4, randomExactFloats],
  ['odd control flow', 8, randomOddControlFlow],
  ['asynchronous copies', 8, randomAsyncCopies],
] as const;

describe.each(GENERATORS)('the %s', (_, times, generate) => {
  test.each(Array.from({ length: times * count }, (_, i) => first + i))(
    'of seed %i',
    (seed) => {
      expect(
        firstDifference(generate(seed), join(root, 'dist'), tilesOf(seed), settingsOf(seed)),
      ).toBeUndefined();
    },
    300_000,
  );
});

/** Short kinds. */
const FOREIGN: readonly string[] = ['control flow', 'rows', 'structures', 'matrices', 'recurrences'];

/** As SPIR-V of clang, at every level of optimization. */
foreign('modules of clang', () => {
  test.each(GENERATORS.filter(([what]) => FOREIGN.includes(what)))(
    'the %s',
    (what, _, generate) => {
      const seed = first + FOREIGN.indexOf(what);
      const settings = settingsOf(seed, { clang: true });
      expect(firstDifference(generate(seed), join(root, 'dist'), tilesOf(seed), settings)).toBeUndefined();
    },
    300_000,
  );
});

/** The form of code that Node.js 26 pairs to vectors of 256 bits; scripts/fuzz/device.mjs --wide pairs it, too. */
const PAIRS = { engine: { relaxedSimd: false, isX64: true, wide: 'always' } } as const;

test.each([first, first + 1])(
  'the kernel of seed %i in pairs of vectors',
  (seed) => {
    const tiles = [
      [8, 1],
      [4, 2],
    ] as const;
    expect(firstDifference(randomKernel(seed), join(root, 'dist'), tiles, PAIRS)).toBeUndefined();
  },
  300_000,
);

/** Kernels with earlier faults, as text: after a change of the generator, seeds produce other kernels. */
const FOUND = join(root, 'tests/fuzz/found');

test.each(readdirSync(FOUND))(
  'found/%s',
  (name) => {
    expect(firstDifference(foundKernel(name), join(root, 'dist'))).toBeUndefined();
  },
  300_000,
);

function foundKernel(name: string): RandomKernel {
  const source = readFileSync(join(FOUND, name), 'utf8');
  const [, global, local] = /^\/\/ global=(\S+) local=(\S+)$/m.exec(source)!;
  const triple = (sizes: string) => sizes.split(',').map(Number) as unknown as Triple;
  return { source, global: triple(global!), local: triple(local!) };
}

test('what fails is reduced to what matters', async () => {
  const source = 'kernel void k() {\n  // statements\n  int a = 1;\n  if (a > (2 + 3)) {\n    a = 7;\n  }\n}';
  const balanced = (text: string) => text.split('{').length === text.split('}').length;
  const small = await reduce(source, (text) => balanced(text) && /^kernel void[\s\S]*a = 7/.test(text));
  expect(small.split('\n').map((line) => line.trim())).toEqual([
    'kernel void k() {',
    '// statements',
    'a = 7;',
    '}',
  ]);
});
