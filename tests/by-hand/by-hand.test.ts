// SPDX-License-Identifier: MIT
//
// Kernels written by hand to be difficult, on the software device: plainly, with robust access and with checks. Each has its
// reference in JavaScript beside it, so that no driver is needed. fuzz/ has random ones.
import { openSync, type Session } from '../../ts';
import { AGGREGATES } from './aggregates';
import { type Case, inputWords, sourceOf } from './case';
import { CONTROL_FLOW } from './control-flow';
import { GROUPS } from './groups';
import { INTEGERS } from './integers';
import { OVERLAPS } from './overlaps';
import { POINTERS } from './pointers';

const THEMES: Readonly<Record<string, readonly Case[]>> = {
  'memory that overlaps': OVERLAPS,
  'control flow': CONTROL_FLOW,
  'structures and unions': AGGREGATES,
  pointers: POINTERS,
  integers: INTEGERS,
  'work-groups': GROUPS,
};

const MODES = {
  plain: {},
  robust: { robust: true },
  checked: { check: 'all' },
} as const;

describe.each(Object.entries(MODES))('%s', (_, options) => {
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
      const { global, local } = each;
      const launch = kernel.run({ global, ...(local && { local }) }, o, each.same ? o : cl.buffer(input));
      await launch;
      expect(launch.faults).toEqual([]);
      expect(await o.read()).toEqual(expected);
    });
  });
});
