// SPDX-License-Identifier: MIT
import { Type } from '../ir/ir';
import { bytesOf } from '../ir/types';
import { formatProblem } from './printf-arguments';
import type { TypeInfo } from './types';

const scalar = (type: Type) => ({ kind: 'scalar', scalar: type, size: bytesOf(type), width: 1 }) as TypeInfo;
const int = scalar(Type.I32);
const long = scalar(Type.I64);
const double = scalar(Type.F64);

test.each([
  ['%d %ld %x %hhd', [int, long, int, int]],
  ['%zd %zu %td', [long, long, long]],
  ['%zu %td', [int, int]],
  ['%f %e', [double, double]],
])('%s fits its arguments', (format, types) => {
  expect(formatProblem(format, types)).toBeUndefined();
});

test.each([
  ['%d', [long], "'%d' is given an integer of 64 bits (argument 1)"],
  ['%d %ld', [int, int], "'%ld' is given an integer of 32 bits (argument 2)"],
  ['%zu', [double], "'%zu' is given a float of 64 bits (argument 1)"],
  ['%f', [int], "'%f' is given an integer of 32 bits (argument 1)"],
  ['%d %d', [int], 'the format has 2 conversions, the call 1 arguments'],
])('%s does not fit', (format, types, problem) => {
  expect(formatProblem(format, types)).toBe(problem);
});
