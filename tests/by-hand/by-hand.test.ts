// SPDX-License-Identifier: MIT
//
// Kernels written by hand to be difficult, on the software device: plainly, with robust access and with checks. Each has its
// reference in JavaScript beside it, so that no driver is needed. fuzz/ has random ones.
import { openSync, platforms, type Session } from '../../ts';
import { AGGREGATES } from './aggregates';
import { type Case, inputWords, sourceOf } from './case';
import { COLLECTIVES } from './collectives';
import { CONTROL_FLOW } from './control-flow';
import { CONVERSIONS } from './conversions';
import { GROUPS } from './groups';
import { IMAGES } from './images';
import { INTEGERS } from './integers';
import { MEMORY_SPACES } from './memory-spaces';
import { OVERLAPS } from './overlaps';
import { PIPES_AND_QUEUES } from './pipes-and-queues';
import { POINTERS } from './pointers';
import { SWITCHES } from './switches';
import { VECTORS } from './vectors';

const THEMES: Readonly<Record<string, readonly Case[]>> = {
  'memory that overlaps': OVERLAPS,
  'control flow': CONTROL_FLOW,
  'structures and unions': AGGREGATES,
  pointers: POINTERS,
  integers: INTEGERS,
  'work-groups': GROUPS,
  'work-groups and sub-groups together': COLLECTIVES,
  conversions: CONVERSIONS,
  images: IMAGES,
  'spaces of memory': MEMORY_SPACES,
  'pipes and queues': PIPES_AND_QUEUES,
  'switches and jumps': SWITCHES,
  vectors: VECTORS,
};

const MODES = {
  plain: {},
  robust: { robust: true },
  checked: { check: 'all' },
  '64-bit addresses': { device: '64-bit' },
  '64-bit addresses, robust': { device: '64-bit', robust: true },
  '64-bit addresses, checked': { device: '64-bit', check: 'all' },
} as const;

/** It needs Node.js 24. */
const hasWide = platforms().some(({ name }) => name === 'anycl (64-bit)');

describe.each(Object.entries(MODES))('%s', (mode, options) => {
  if (mode.startsWith('64-bit addresses') && !hasWide) {
    test.skip('this Node.js has no device with 64-bit addresses', () => {});
    return;
  }
  let cl: Session;
  beforeAll(() => {
    cl = openSync({ device: 'software', ...options });
  });
  afterAll(() => cl.close());

  describe.each(Object.entries(THEMES))('%s', (_, cases) => {
    test.each(cases.map((each) => [each.name, each] as const))('%s', async (name, each) => {
      const kernel = cl.buildSync(sourceOf(each), '-cl-std=CL3.0').kernels[name]!;
      const input = inputWords();
      const expected = each.same ? input.slice(0, each.words) : new Uint32Array(each.words);
      const o = cl.buffer(expected);
      each.reference(expected, each.same ? expected : input);
      const { global, local, offset } = each;
      const values = each.values?.(cl) ?? [];
      const launch = kernel.run({ global, local, offset }, o, each.same ? o : cl.buffer(input), ...values);
      await launch;
      expect(launch.faults).toEqual([]);
      expect(await o.read()).toEqual(expected);
    });
  });
});
