// SPDX-License-Identifier: MIT
//
// What tests with random programs share: which seeds, and whose results must be the same. `FUZZ=FIRST:COUNT` chooses the
// seeds.
import { join } from 'node:path';
import { root } from '../helpers/command';
import { testNeeding } from '../helpers/needs';

const anycl = require(join(root, 'dist/index.cjs'));
const POCL = 'Portable Computing Language';
const hasPocl = anycl.platforms().some((platform: { name: string }) => platform.name === POCL);

export const open = anycl.open;
export type Session = Awaited<ReturnType<typeof open>>;

const [first = 1, count = 4] = (process.env.FUZZ ?? '').split(':').filter(Boolean).map(Number);
export const seeds = Array.from({ length: count }, (_, i) => first + i);

/** The programs' input. */
export const input = BigUint64Array.from(
  { length: 16 },
  (_, i) => (0x9e3779b97f4a7c15n * BigInt(i * i + 3)) & 0xffffffffffffffffn,
);

/** Defines the test that each seed's program has the same results on the software device and on PoCL. */
export function testAgainstPocl(
  program: (seed: number) => string,
  results: (session: Session, source: string, options: string) => Promise<string>,
  options: string,
): void {
  testNeeding('PoCL', hasPocl)(
    'results are those of PoCL (skipped without it)',
    async () => {
      const [ours, theirs] = [await open({ device: 'software' }), await open({ device: POCL })];
      for (const seed of seeds) {
        const source = program(seed);
        const expected = await results(theirs, source, options);
        expect({ seed, results: await results(ours, source, options) }).toEqual({ seed, results: expected });
      }
      ours.close();
      theirs.close();
    },
    600_000,
  );
}
