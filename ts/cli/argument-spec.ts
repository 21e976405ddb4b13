// SPDX-License-Identifier: MIT
//
// `--arg SPEC`: what a kernel argument is given on the command line.
//
//     float=2.5   int4=1,2,3,4                a value
//     float[1024]=zero|range|random|@FILE     a buffer; float[]=@FILE takes the file's length
//     float[]=range=0:10:0.5   int[9]=fill=7  counted from 0 up to 10 in steps; all the same
//     local:float[64]                         local memory
//     image2d:rgba8=@FILE.png                 an image; image2d:rgba8[640,480]=zero an empty one
//     sampler:clamp,linear,normalized         a sampler
import { parseValueType, type ValueType } from '../api/data/element-types';
import { formatByName } from '../api/data/image-formats';
import { SCALARS } from '../api/data/scalars';
import type { SamplerOptions } from '../api/objects/sampler';
import { closest } from '../base/suggestions';
import { usageError } from './exit';

export type Contents =
  | { readonly from: 'zero' | 'random' }
  | {
      readonly from: 'range';
      readonly start: number;
      readonly step: number;
      readonly count: number | undefined;
    }
  /** The components of each element. */
  | { readonly from: 'fill'; readonly values: readonly (number | bigint)[] }
  | { readonly from: 'file'; readonly path: string };

export type ArgumentSpec =
  | { readonly kind: 'value'; readonly type: ValueType; readonly components: readonly (number | bigint)[] }
  | BufferSpec
  | { readonly kind: 'local'; readonly bytes: number }
  | ImageSpec
  | { readonly kind: 'sampler'; readonly options: SamplerOptions };

export interface BufferSpec {
  readonly kind: 'buffer';
  readonly type: ValueType;
  readonly typeName: string;
  /** The number of elements of `type`; undefined: as many as the file has. */
  readonly count: number | undefined;
  readonly contents: Contents;
}

export interface ImageSpec {
  readonly kind: 'image';
  readonly type: ImageTypeName;
  readonly format: string;
  readonly size: readonly number[] | undefined;
  readonly contents: Contents;
}

const IMAGE_TYPES = {
  image1d: '1d',
  image2d: '2d',
  image3d: '3d',
  image1d_array: '1d-array',
  image2d_array: '2d-array',
} as const;
export type ImageTypeName = (typeof IMAGE_TYPES)[keyof typeof IMAGE_TYPES];

const SAMPLER_WORDS: Readonly<Record<string, SamplerOptions>> = {
  none: { addressing: 'none' },
  clamp: { addressing: 'clamp' },
  'clamp-to-edge': { addressing: 'clamp-to-edge' },
  repeat: { addressing: 'repeat' },
  mirror: { addressing: 'mirrored-repeat' },
  'mirrored-repeat': { addressing: 'mirrored-repeat' },
  nearest: { filter: 'nearest' },
  linear: { filter: 'linear' },
  normalized: { normalized: true },
  unnormalized: { normalized: false },
};

/** Throws a usage error that shows the form of a spec. */
export function parseArgumentSpec(spec: string): ArgumentSpec {
  const fail = (why: string): never => {
    throw usageError(`--arg '${spec}': ${why}`);
  };
  const special = /^(local|sampler|image\w*):(.*)$/s.exec(spec);
  if (special?.[1] === 'local') return parseLocal(special[2]!, fail);
  if (special?.[1] === 'sampler') return parseSampler(special[2]!, fail);
  if (special) return parseImage(special[1]!, special[2]!, fail);

  const match = /^([A-Za-z][\w ]*?)\s*(\[\s*(\d*)\s*\])?=(.*)$/s.exec(spec);
  if (!match) {
    const forms = 'TYPE=VALUE, TYPE[COUNT]=CONTENTS, local:TYPE[COUNT], image2d:FORMAT=@FILE or sampler:…';
    const isArray = /^[A-Za-z][\w ]*\[.*\]$/.test(spec);
    return fail(`expected ${forms}, such as '${isArray ? `${spec}=zero` : 'float=2.5'}'`);
  }
  const [, typeName = '', brackets, count = '', text = ''] = match;
  const type = parseValueType(typeName);
  if (!type) {
    const near = closest(typeName, Object.keys(SCALARS));
    return fail(
      `'${typeName}' is not a scalar or vector type of OpenCL C${near ? `; did you mean '${near}'?` : ''}`,
    );
  }
  if (brackets === undefined) return { kind: 'value', type, components: parseComponents(text, type, fail) };
  const contents = parseContents(text, type, fail);
  // A range counts scalars.
  const own =
    contents.from === 'range' && contents.count !== undefined ? contents.count / type.components : undefined;
  const length = count === '' ? own : Number(count);
  if (length === undefined && contents.from !== 'file') {
    return fail(`a buffer of '${contents.from}' needs its length: ${typeName}[COUNT]`);
  }
  if (length !== undefined && own !== undefined && length !== own)
    return fail(
      `the range has ${contents.from === 'range' ? contents.count : 0} numbers, the buffer takes ${length * type.components}`,
    );
  if (length === 0) return fail('a buffer needs at least one element');
  return { kind: 'buffer', type, typeName, count: length, contents };
}

type Fail = (why: string) => never;

const isFloating = (type: ValueType): boolean => ['half', 'float', 'double'].includes(type.scalar);

function parseComponents(text: string, type: ValueType, fail: Fail): (number | bigint)[] {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length !== type.components) {
    return fail(
      `${type.components} number${type.components === 1 ? '' : 's'} expected, ${parts.length} given`,
    );
  }
  return parts.map((part) => (isFloating(type) ? parseFloating(part, fail) : parseInteger(part, fail)));
}

function parseInteger(text: string, fail: Fail): bigint {
  const match = /^([+-]?)(0x[0-9a-f]+|\d+)$/i.exec(text);
  if (!match) return fail(`'${text}' is not an integer`);
  return match[1] === '-' ? -BigInt(match[2]!) : BigInt(match[2]!);
}

function parseFloating(text: string, fail: Fail): number {
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (special) {
    const value = special[2]!.toLowerCase() === 'nan' ? Number.NaN : Number.POSITIVE_INFINITY;
    return special[1] === '-' ? -value : value;
  }
  const number = text === '' ? Number.NaN : Number(text.replace(/^(-?[\d.]+(?:e[+-]?\d+)?)f$/i, '$1'));
  if (Number.isNaN(number)) return fail(`'${text}' is not a number`);
  return number;
}

function parseContents(text: string, type: ValueType, fail: Fail): Contents {
  if (text === 'zero' || text === 'random') return { from: text };
  if (text === 'range') return { from: 'range', start: 0, step: 1, count: undefined };
  if (text.startsWith('range=')) return parseRange(text.slice('range='.length), type, fail);
  if (text.startsWith('fill=')) {
    const given = text.slice('fill='.length);
    const one = given.includes(',') ? given : Array(type.components).fill(given).join(',');
    return { from: 'fill', values: parseComponents(one, type, fail) };
  }
  if (text.startsWith('@') && text.length > 1) return { from: 'file', path: text.slice(1) };
  return fail(`contents are zero, range, range=FROM:TO:STEP, fill=VALUE, random or @FILE, not '${text}'`);
}

/** FROM:TO or FROM:TO:STEP; TO is not included. */
function parseRange(text: string, type: ValueType, fail: Fail): Contents {
  const numbers = text.split(':').map((part) => parseFloating(part.trim(), fail));
  if (numbers.length < 2 || numbers.length > 3)
    return fail(`expected range=FROM:TO or range=FROM:TO:STEP, not '${text}'`);
  const [start = 0, end = 0, step = 1] = numbers;
  if (!numbers.every(Number.isFinite)) return fail('a range is of finite numbers');
  if (!isFloating(type) && !numbers.every(Number.isInteger))
    return fail(`a range of ${type.scalar} is of whole numbers`);
  if (step === 0 || (end - start) / step <= 0)
    return fail(`range=${text} is empty: steps of ${step} from ${start} do not lead to ${end}`);
  // A remainder as small as a rounding error does not count as a step.
  const count = Math.ceil((end - start) / step - 1e-9);
  return { from: 'range', start, step, count };
}

function parseLocal(text: string, fail: Fail): ArgumentSpec {
  const match = /^([A-Za-z][\w ]*?)\s*\[\s*(\d+)\s*\]$/.exec(text);
  const type = match && parseValueType(match[1]!);
  if (!match || !type) return fail("expected local:TYPE[COUNT], such as 'local:float[64]'");
  return { kind: 'local', bytes: type.size * Number(match[2]) };
}

function parseSampler(text: string, fail: Fail): ArgumentSpec {
  let options: SamplerOptions = {};
  for (const word of text.split(',').map((w) => w.trim())) {
    const known = SAMPLER_WORDS[word];
    if (!known) return fail(`'${word}' is none of ${Object.keys(SAMPLER_WORDS).join(', ')}`);
    options = { ...options, ...known };
  }
  return { kind: 'sampler', options };
}

/** The values of `fill` and `range` for a pixel's channels: floats or integers, as in the format's array. */
function pixelType(format: string): ValueType {
  const { array, channels } = formatByName(format);
  const isFloat = array.name.startsWith('Float') || /\df$/.test(format);
  return {
    scalar: isFloat ? 'float' : 'int',
    components: channels as ValueType['components'],
    size: 4 * channels,
  };
}

function parseImage(typeName: string, text: string, fail: Fail): ArgumentSpec {
  const type = IMAGE_TYPES[typeName as keyof typeof IMAGE_TYPES];
  if (!type) return fail(`'${typeName}' is none of ${Object.keys(IMAGE_TYPES).join(', ')}`);
  const match = /^(\w+)\s*(?:\[([\d,\s]+)\])?=(.*)$/s.exec(text);
  if (!match) return fail(`expected ${typeName}:FORMAT=@FILE.png or ${typeName}:FORMAT[WIDTH,HEIGHT]=zero`);
  const format = match[1]!;
  try {
    formatByName(format);
  } catch (error) {
    return fail((error as Error).message);
  }
  const size = match[2]?.split(',').map(Number);
  const contents = parseContents(match[3]!, pixelType(format), fail);
  const isPng = contents.from === 'file' && /\.png$/i.test(contents.path);
  if (!size && !isPng) return fail(`the size is missing: ${typeName}:${format}[WIDTH,HEIGHT]=…`);
  return { kind: 'image', type, format, size, contents };
}
