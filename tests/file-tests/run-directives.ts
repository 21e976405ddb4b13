// SPDX-License-Identifier: MIT
//
// What a file of tests/run asks for, in comments:
//
//     // options: -cl-std=CL3.0                  build options of the file
//     // requires: cl_khr_fp16 __opencl_c_pipes  devices without one of these skip the file
//     // run: NAME global=8,2 local=4,1          a run of a kernel; the lines below belong to it
//     // arg: int[4] = 1 2 3 4 -> 2 4 6 8        a buffer, before and after; without `->` it must not change
//     // arg: int[4] = zero -> 2 4 6 8           contents may be `zero` or `range` (0 1 2 …)
//     // arg: float4 = 1 2 3 4                   a value
//     // arg: local int[16]                      local memory
//     // prints: text                            a line of printf's output
//     // except: rusticl: why                    a platform that is known to get it wrong skips the run
//
// Numbers are decimal, hexadecimal, `nan` or `inf`. Elements of vectors are listed one by one.

const SCALARS = {
  char: Int8Array,
  uchar: Uint8Array,
  short: Int16Array,
  ushort: Uint16Array,
  int: Int32Array,
  uint: Uint32Array,
  long: BigInt64Array,
  ulong: BigUint64Array,
  float: Float32Array,
  double: Float64Array,
} as const;

type ScalarArray = (typeof SCALARS)[keyof typeof SCALARS];
export type Values = InstanceType<ScalarArray>;

export type RunArgument =
  | { readonly kind: 'value'; readonly values: Values }
  | { readonly kind: 'buffer'; readonly before: Values; readonly after: Values }
  | { readonly kind: 'local'; readonly bytes: number };

export interface Run {
  readonly kernel: string;
  readonly global: readonly number[];
  readonly local: readonly number[] | undefined;
  readonly args: readonly RunArgument[];
  readonly prints: readonly string[];
  /** Platforms (the beginning of their names) and their fault. */
  readonly exceptions: readonly { readonly platform: string; readonly why: string }[];
}

export interface RunFile {
  readonly options: string;
  readonly requires: readonly string[];
  readonly runs: readonly Run[];
}

const DIRECTIVE = /^\/\/ (options|requires|run|arg|prints|except): (.*)$/gm;
type Building = { -readonly [K in keyof Run]: Run[K] extends readonly (infer T)[] ? T[] : Run[K] };

export function readRunDirectives(source: string): RunFile {
  let options = '';
  const requires: string[] = [];
  const runs: Building[] = [];
  for (const [, word, rest = ''] of source.matchAll(DIRECTIVE)) {
    const run = runs.at(-1);
    if (word === 'options') options = rest;
    else if (word === 'requires') requires.push(...rest.split(' '));
    else if (word === 'run') runs.push(readRun(rest));
    else if (!run) throw new Error(`'${word}:' stands before the first 'run:'`);
    else if (word === 'arg') run.args.push(readArgument(rest));
    else if (word === 'prints') run.prints.push(rest);
    else {
      const [, platform = '', why = ''] = /^(.*?): (.*)$/.exec(rest) ?? [];
      run.exceptions.push({ platform, why });
    }
  }
  if (runs.length === 0) throw new Error("a file without 'run:' tests nothing");
  return { options, requires, runs };
}

function readRun(text: string): Building {
  const [kernel = '', ...settings] = text.split(' ');
  const sizes = new Map(
    settings.map((setting) => {
      const match = /^(global|local)=(\d+(?:,\d+){0,2})$/.exec(setting);
      if (!match) throw new Error(`'${setting}' is neither global=… nor local=…`);
      return [match[1], match[2]!.split(',').map(Number)] as const;
    }),
  );
  const [global, local] = [sizes.get('global') ?? [1], sizes.get('local')];
  return { kernel, global, local, args: [], prints: [], exceptions: [] };
}

function readArgument(text: string): RunArgument {
  const match = /^(local )?([a-z]+)(\d*)(?:\[(\d+)\])?(?: = (.*?)(?: -> (.*))?)?$/.exec(text);
  const type = match && SCALARS[match[2] as keyof typeof SCALARS];
  if (!type) throw new Error(`'${text}' is not an argument`);
  const [, local, , width, count, before = '', after] = match;
  // A vector of three is as large as one of four.
  const length = (Number(width || 1) === 3 ? 4 : Number(width || 1)) * Number(count ?? 1);
  if (local) return { kind: 'local', bytes: length * type.BYTES_PER_ELEMENT };
  const values = readValues(type, length, before);
  if (count === undefined) return { kind: 'value', values };
  return {
    kind: 'buffer',
    before: values,
    after: readValues(type, length, after ?? before),
  };
}

function readValues(type: ScalarArray, length: number, text: string): Values {
  const result: Values = new type(length);
  if (text === 'zero') return result;
  const words = text === 'range' ? [...Array(length).keys()].map(String) : text.trim().split(/\s+/);
  if (words.length !== length) throw new Error(`${length} numbers expected, ${words.length} given: ${text}`);
  for (const [i, word] of words.entries()) result[i] = readNumber(result, word);
  return result;
}

function readNumber(into: Values, word: string): number | bigint {
  const sign = word.startsWith('-') ? -1 : 1;
  const size = word.replace(/^-/, '');
  if (into instanceof BigInt64Array || into instanceof BigUint64Array) return BigInt(sign) * BigInt(size);
  const named = { inf: Number.POSITIVE_INFINITY, nan: Number.NaN }[size];
  const number = sign * (named ?? Number(size));
  if (named === undefined && Number.isNaN(number)) throw new Error(`'${word}' is not a number`);
  return number;
}
