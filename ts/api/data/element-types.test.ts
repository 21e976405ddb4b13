// SPDX-License-Identifier: MIT
import { parseValueType } from './element-types';

test('values of kernels: scalars and vectors by any of their spellings', () => {
  expect(parseValueType('float')).toEqual({ scalar: 'float', components: 1, size: 4 });
  expect(parseValueType(' uint4 ')).toEqual({ scalar: 'uint', components: 4, size: 16 });
  expect(parseValueType('unsigned long')).toEqual({ scalar: 'ulong', components: 1, size: 8 });
  expect(parseValueType('short3')).toEqual({ scalar: 'short', components: 3, size: 8 });
  expect(parseValueType('half16')).toEqual({ scalar: 'half', components: 16, size: 32 });
});

test('other types are none', () => {
  for (const name of [
    '',
    '4',
    'float5',
    'float1',
    'float04',
    'float44',
    'float*',
    'image2d_t',
    'Point',
    'toString',
  ])
    expect(parseValueType(name)).toBeUndefined();
});
