// SPDX-License-Identifier: MIT
//
// What reductions and scans accumulate: sums, extremes, indices of extremes, and expressions of the caller.
import { DTYPES, type DType, isFloat, sumOf } from '../dtype';
import { converted, OPERATORS } from '../elementwise/operators';
import type { KernelWriter } from '../writer';

export interface Accumulator {
  readonly name: string;
  /** The type that is accumulated, in OpenCL C, and its bytes in memory. */
  readonly type: string;
  readonly bytes: number;
  /** The neutral element of `combine`. */
  readonly initial: string;
  /** Adds the types and functions that the texts use. */
  declare(writer: KernelWriter): void;
  /** The element at `index`, in the accumulated type. */
  take(element: string, index: string): string;
  /** Of two neighbouring runs, the first one first. */
  combine(a: string, b: string): string;
  /** The result, of the type of the results. */
  finish(sum: string): string;
  /** What `combine` is called in the names of sub-group functions, if they have it for the accumulated type. */
  readonly subGroup?: 'add' | 'min' | 'max' | undefined;
}

/** The types that sub-group functions take where they take any. Doubles are there where the device has them. */
const SUB_GROUP_TYPES: ReadonlySet<string> = new Set(['int', 'uint', 'long', 'ulong', 'float', 'double']);

/** Least and greatest value of each type, as text. */
const LIMITS: Readonly<Record<DType, readonly [least: string, greatest: string]>> = {
  int8: ['CHAR_MIN', 'CHAR_MAX'],
  uint8: ['0', 'UCHAR_MAX'],
  int16: ['SHRT_MIN', 'SHRT_MAX'],
  uint16: ['0', 'USHRT_MAX'],
  int32: ['INT_MIN', 'INT_MAX'],
  uint32: ['0', 'UINT_MAX'],
  int64: ['LONG_MIN', 'LONG_MAX'],
  uint64: ['0', 'ULONG_MAX'],
  float16: ['-INFINITY', 'INFINITY'],
  float32: ['-INFINITY', 'INFINITY'],
  float64: ['-INFINITY', 'INFINITY'],
};

/** Accumulates values of one type by a text of two operands. */
const simple = (
  name: string,
  dtype: DType,
  from: DType,
  initial: string,
  combine: (a: string, b: string) => string,
): Accumulator => ({
  name,
  type: DTYPES[dtype].value,
  bytes: DTYPES[dtype].value === 'float' ? 4 : DTYPES[dtype].bytes,
  initial,
  declare: (writer) => void writer.type(dtype),
  take: (element) => converted(element, from, dtype),
  combine,
  finish: (sum) => sum,
});

export type ReductionName = 'sum' | 'prod' | 'min' | 'max' | 'argmin' | 'argmax' | 'any' | 'all';

interface Reduction {
  readonly result: (dtype: DType) => DType;
  readonly accumulator: (dtype: DType) => Accumulator;
  /** Whether the result of an empty array is known; the extremes of nothing are not. */
  readonly ofNothing: boolean;
}

const ofOperator =
  (name: 'add' | 'mul' | 'min' | 'max', dtype: DType) =>
  (a: string, b: string): string =>
    OPERATORS[name].text([a, b], dtype);

const sum = (name: string, operator: 'add' | 'mul', initial: string): Reduction => ({
  result: sumOf,
  ofNothing: true,
  accumulator: (dtype) => {
    const type = sumOf(dtype);
    const { value } = DTYPES[type];
    const subGroup = operator === 'add' && SUB_GROUP_TYPES.has(value) ? 'add' : undefined;
    return { ...simple(name, type, dtype, initial, ofOperator(operator, type)), subGroup };
  },
});

const extreme = (name: 'min' | 'max', limit: 0 | 1): Reduction => ({
  result: (dtype) => dtype,
  ofNothing: false,
  accumulator: (dtype) => ({
    ...simple(name, dtype, dtype, LIMITS[dtype][limit], ofOperator(name, dtype)),
    // What they make of NaNs is up to the device.
    subGroup: !isFloat(dtype) && SUB_GROUP_TYPES.has(DTYPES[dtype].value) ? name : undefined,
  }),
});

/** The first index of the extreme. A NaN is more extreme than all numbers. */
const indexOf = (name: 'argmin' | 'argmax', sign: '<' | '>', limit: 0 | 1): Reduction => ({
  result: () => 'uint32',
  ofNothing: false,
  accumulator: (dtype) => {
    const { value, bytes } = DTYPES[dtype];
    const nan = isFloat(dtype);
    const better = nan
      ? `a.value ${sign} b.value || (a.value != a.value && b.value == b.value)`
      : `a.value ${sign} b.value`;
    const tie = nan
      ? '(a.value == b.value || (a.value != a.value && b.value != b.value))'
      : 'a.value == b.value';
    return {
      name,
      type: 'Best',
      bytes: bytes === 8 ? 16 : 8,
      initial: `best(${LIMITS[dtype][limit]}, UINT_MAX)`,
      declare: (writer) => {
        writer.type(dtype);
        writer.helper(`typedef struct { ${value} value; uint index; } Best;`);
        writer.helper(
          `Best best(${value} value, uint index) {\n  Best made = { value, index };\n  return made;\n}`,
        );
        writer.helper(
          `Best better(Best a, Best b) {\n  bool first = ${better} || (${tie} && a.index < b.index);\n  return best(first ? a.value : b.value, first ? a.index : b.index);\n}`,
        );
      },
      take: (element, index) => `best(${element}, ${index})`,
      combine: (a, b) => `better(${a}, ${b})`,
      finish: (sum) => `${sum}.index`,
    };
  },
});

const truth = (name: 'any' | 'all', sign: '|' | '&', initial: string): Reduction => ({
  result: () => 'uint8',
  ofNothing: true,
  accumulator: () => ({
    ...simple(name, 'uint32', 'uint32', initial, (a, b) => `${a} ${sign} ${b}`),
    take: (element) => `(uint)(${element} != 0)`,
    finish: (sum) => `(uchar)${sum}`,
    // Of 0 and 1.
    subGroup: sign === '|' ? 'max' : 'min',
  }),
});

export const REDUCTIONS: Readonly<Record<ReductionName, Reduction>> = {
  sum: sum('sum', 'add', '0'),
  prod: sum('prod', 'mul', '1'),
  min: extreme('min', 1),
  max: extreme('max', 0),
  argmin: indexOf('argmin', '<', 1),
  argmax: indexOf('argmax', '>', 0),
  any: truth('any', '|', '0'),
  all: truth('all', '&', '1'),
};

/** An expression of `a` and `b`. */
export const custom = (dtype: DType, from: DType, expression: string, neutral: string): Accumulator => {
  const { value } = DTYPES[dtype];
  return {
    ...simple('custom', dtype, from, neutral, (a, b) => `combine(${a}, ${b})`),
    declare: (writer) => {
      writer.type(dtype);
      writer.helper(`${value} combine(${value} a, ${value} b) {\n  return ${expression};\n}`);
    },
  };
};
