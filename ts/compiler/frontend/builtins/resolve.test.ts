// SPDX-License-Identifier: MIT
import type { LanguageOptions } from '../language';
import {
  type AddressSpace,
  atomicOf,
  pointerTo,
  type ScalarKind,
  scalarOf,
  type Type,
  type VectorType,
  vectorOf,
} from '../types';
import { prototypeOf, resolve } from './index';

const language = (version: LanguageOptions['version'], ...features: string[]) =>
  ({ version, addressBits: 32, features: new Set(features) }) as unknown as LanguageOptions;
const FULL = language(
  120,
  'cl_khr_fp16',
  'cl_khr_fp64',
  'cl_khr_int64_base_atomics',
  'cl_khr_int64_extended_atomics',
);
const CL2 = language(200, 'cl_khr_fp16', 'cl_khr_fp64');

function type(text: string): Type {
  const match = /^(?:(\w+) )?(const )?(@)?([a-z]+)(\d*)(\*)?$/.exec(text)!;
  const [, space = 'private', isConst, atomic, scalar, width, star] = match;
  const element = scalar as ScalarKind;
  const plain = width ? vectorOf(element, Number(width) as VectorType['count']) : scalarOf(element);
  const value = atomic ? atomicOf(scalarOf(element)) : plain;
  if (star === undefined) return value;
  const where = space as AddressSpace;
  return pointerTo(
    { type: value, const: isConst !== undefined, volatile: false, restrict: false, space: where },
    where,
  );
}

/** The prototype that a call resolves to, or the problem; `0` among the arguments is the constant. */
function call(name: string, args: readonly string[], options = FULL): string {
  const resolution = resolve(
    name,
    args.map((text) =>
      text === '0'
        ? { type: scalarOf('int'), isNull: true, isIntegerConstant: true }
        : { type: type(text), isNull: false, isIntegerConstant: false },
    ),
    options,
  );
  return resolution.ok ? prototypeOf(resolution.builtin) : resolution.problem;
}

// clang 15's results for the same calls.
test.each([
  ['sin', ['float4'], 'float4 sin(float4)'],
  ['sin', ['int'], 'ambiguous'],
  ['pow', ['float4', 'float'], 'float4 pow(float4, float4)'],
  ['max', ['float4', 'float'], 'float4 max(float4, float)'],
  ['max', ['float', 'double'], 'ambiguous'],
  ['max', ['float', 'int'], 'ambiguous'],
  ['min', ['int', 'uint'], 'ambiguous'],
  ['min', ['char', 'int'], 'ambiguous'],
  ['min', ['float', 'float4'], 'float4 min(float4, float4)'],
  ['clamp', ['float4', 'int', 'int'], 'float4 clamp(float4, float, float)'],
  ['abs', ['short'], 'ushort abs(short)'],
  ['select', ['float4', 'float4', 'char4'], 'no-match'],
  ['isequal', ['double2', 'double2'], 'long2 isequal(double2, double2)'],
  ['isequal', ['double', 'double'], 'int isequal(double, double)'],
  ['fract', ['float', 'global float*'], 'float fract(float, __global float *)'],
  ['fract', ['float', 'private int*'], 'float fract(float, __private float *)'],
  ['fract', ['float', '0'], 'ambiguous'],
  ['vload4', ['uint', 'global const float*'], 'float4 vload4(uint, __global const float *)'],
  ['vload4', ['int', 'constant const half*'], 'half4 vload4(uint, __constant const half *)'],
  ['convert_uchar4_sat_rte', ['float4'], 'uchar4 convert_uchar4_sat_rte(float4)'],
  ['convert_float4', ['int'], 'ambiguous'],
  ['convert_int_sat', ['float4'], 'no-match'],
  ['convert_float_sat', ['int'], 'unknown'],
  ['upsample', ['short2', 'ushort2'], 'int2 upsample(short2, ushort2)'],
  ['atomic_add', ['global uint*', 'int'], 'uint atomic_add(__global volatile uint *, uint)'],
  ['atomic_add', ['private int*', 'int'], 'no-match'],
  ['atomic_max', ['global float*', 'int'], 'int atomic_max(__global volatile int *, int)'],
  ['atomic_inc', ['global float*'], 'ambiguous'],
  ['as_float4', ['int3'], 'float4 as_float4(int3)'],
  ['as_int', ['float2'], 'no-match'],
  ['get_global_id', ['char'], 'uint get_global_id(uint)'],
  ['get_global_id', [], 'no-match'],
  ['work_group_barrier', ['int'], 'unknown'],
  ['no_such_function', ['int'], 'unknown'],
] as const)('%s(%s) is %s', (name, args, expected) => {
  expect(call(name, args)).toBe(expected);
});

test('a pointer to a named space prefers the overload of that space to the generic one', () => {
  expect(call('atomic_fetch_add', ['global @uint*', 'int'], CL2)).toBe(
    'uint atomic_fetch_add(__global volatile atomic_uint *, uint)',
  );
  expect(call('atomic_fetch_add', ['private @uint*', 'int'], CL2)).toBe(
    'uint atomic_fetch_add(volatile atomic_uint *, uint)',
  );
});

test('says what would bring a function', () => {
  const needs = (name: string, options: LanguageOptions) => {
    const resolution = resolve(name, [], options);
    return !resolution.ok && resolution.problem === 'unknown' ? resolution.needs : 'no answer';
  };
  expect(needs('work_group_barrier', FULL)).toBe('OpenCL C 2.0 or later');
  expect(needs('atom_add', language(120))).toBe('the extension cl_khr_global_int32_base_atomics');
  expect(needs('atomic_load', language(300))).toBe(
    'the feature __opencl_c_atomic_order_seq_cst and the feature __opencl_c_atomic_scope_device',
  );
  expect(needs('sinus', FULL)).toBeUndefined();
});

test('gives each candidate with the reason against it', () => {
  const resolution = resolve(
    'any',
    [{ type: type('float4'), isNull: false, isIntegerConstant: false }],
    language(120),
  );
  expect(resolution.ok || resolution.problem !== 'no-match').toBe(false);
  const candidates = 'candidates' in resolution ? resolution.candidates : [];
  expect(candidates).toHaveLength(24);
  expect(candidates[0]).toEqual({
    prototype: 'int any(char)',
    reason: "no known conversion from 'float4' to 'char' for 1st argument",
  });
});

test('of an ambiguous call gives the candidates that none beats', () => {
  const args = ['float', 'int'].map((text) => ({
    type: type(text),
    isNull: false,
    isIntegerConstant: false,
  }));
  const resolution = resolve('max', args, FULL);
  const candidates = 'candidates' in resolution ? resolution.candidates : [];
  expect(candidates.map(({ prototype }) => prototype)).toEqual([
    'int max(int, int)',
    'float max(float, float)',
  ]);
  expect(candidates.every(({ reason }) => reason === '')).toBe(true);
});
