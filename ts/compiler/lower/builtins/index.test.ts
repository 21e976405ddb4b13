// SPDX-License-Identifier: MIT

import { BuiltIn, Op, OpenCLStd } from '../../../spirv/grammar.gen';
import type { Lowering } from '../../frontend/builtins/builtin';
import { FAMILIES } from '../../frontend/builtins/table';
import { EMITTERS } from './index';

const lowerings = FAMILIES.flatMap((family) =>
  family
    .rows()
    .flatMap((row) => row.names.split(' ').map((name) => ({ name, lowering: row.lowering(name) }))),
);

test('every lowering that the table names exists', () => {
  const exists = (lowering: Lowering): boolean => {
    if (lowering.kind === 'extended') return lowering.instruction in OpenCLStd;
    if (lowering.kind === 'core') return lowering.opcode.slice(2) in Op;
    return lowering.kind === 'variable' ? lowering.builtIn in BuiltIn : EMITTERS.has(lowering.name);
  };
  const missing = lowerings.filter(({ lowering }) => !exists(lowering));
  expect(missing).toEqual([]);
});

test('every opcode in the data of a custom lowering exists', () => {
  const words = lowerings.flatMap(({ lowering }) =>
    lowering.kind === 'custom'
      ? (lowering.data ?? '').split(' ').filter((word) => /^Op[A-Z]/.test(word))
      : [],
  );
  expect(words.length).toBeGreaterThan(100);
  expect(words.filter((word) => !(word.slice(2) in Op))).toEqual([]);
});

test('no lowering is left without a built-in', () => {
  const used = new Set(lowerings.map(({ lowering }) => (lowering.kind === 'custom' ? lowering.name : '')));
  // Those of special.ts and of convert_TYPE, which have no row.
  for (const name of [
    'astype',
    'shuffle_constant',
    'convert',
    'to_space',
    'pipe',
    'enqueue_kernel',
    'kernel_query',
  ])
    used.add(name);
  expect([...EMITTERS.keys()].filter((name) => !used.has(name))).toEqual([]);
});
