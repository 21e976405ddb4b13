// SPDX-License-Identifier: MIT
//
// `--arg SPEC`: what a kernel argument is given on the command line.
//
//     float=2.5   int4=1,2,3,4                a value
//     float[1024]=zero|range|random|@FILE     a buffer; float[]=@FILE takes the file's length
//     float[]=range=0:10:0.5   int[9]=fill=7  counted from 0 up to 10 in steps; all the same
//     int[3]=1,2,3                            each number
//     local:float[64]                         local memory
//     image2d:rgba8=@FILE.png                 an image; image2d:rgba8[640,480]=zero an empty one
//     sampler:clamp,linear,normalized         a sampler
import { parseValueType, type ValueType } from '../../api/data/element-types';
import { formatByName } from '../../api/data/image-formats';
import { SCALARS } from '../../api/data/scalars';
import type { SamplerOptions } from '../../api/objects/sampler';
import { closest } from '../../base/suggestions';
import { usageError } from '../exit';

export type Contents =
  | { readonly from: 'zero' | 'random' }
  | {
      readonly from: 'range';
      readonly start: number;
      readonly step: number;
      readonly count: number | undefined;
    }
  /** The components of one element, which all are like, or of all elements; a vector of three has four, as in memory. */
  | { readonly from: 'fill' | 'list'; readonly values: readonly (number | bigint)[] }
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
  const own = ownLength(contents, type);
  const length = count === '' ? own?.elements : Number(count);
  if (length === undefined && contents.from !== 'file') {
    return fail(`a buffer of '${contents.from}' needs its length: ${typeName}[COUNT]`);
  }
  if (length !== undefined && own && length !== own.elements)
    return fail(
      `the ${contents.from} has ${own.numbers} number${own.numbers === 1 ? '' : 's'}, the buffer takes ${length * type.components}`,
    );
  if (length === 0) return fail('a buffer needs at least one element');
  return { kind: 'buffer', type, typeName, count: length, contents };
}

type Fail = (why: string) => never;

/** How many numbers some contents have, and elements, of which a part may be missing. */
function ownLength(contents: Contents, type: ValueType): { numbers: number; elements: number } | undefined {
  if (contents.from === 'range' && contents.count !== undefined)
    return { numbers: contents.count, elements: contents.count / type.components };
  if (contents.from !== 'list') return undefined;
  const elements = contents.values.length / componentsInMemory(type);
  return { numbers: elements * type.components, elements };
}

/** A vector of three is as large as one of four. */
const componentsInMemory = (type: ValueType): number => type.size / SCALARS[type.scalar].bytes;

const isFloating = (type: ValueType): boolean => ['half', 'float', 'double'].includes(type.scalar);

function parseComponents(text: string, type: ValueType, fail: Fail): (number | bigint)[] {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length !== type.components) {
    return fail(
      `${type.components} number${type.components === 1 ? '' : 's'} expected, ${parts.length} given`,
    );
  }
  return parts.map((part) => parseNumber(part, type, fail));
}

const parseNumber = (text: string, type: ValueType, fail: Fail): number | bigint =>
  isFloating(type) ? parseFloating(text, fail) : parseInteger(text, fail);

/** The components of all elements. */
function parseList(text: string, type: ValueType, fail: Fail): (number | bigint)[] {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length % type.components !== 0)
    return fail(`elements of ${type.components} numbers expected, ${parts.length} numbers given`);
  return inMemory(
    parts.map((part) => parseNumber(part, type, fail)),
    type,
  );
}

function inMemory(components: readonly (number | bigint)[], type: ValueType): (number | bigint)[] {
  const missing = Array<number>(componentsInMemory(type) - type.components).fill(0);
  return components.flatMap((component, i) =>
    (i + 1) % type.components === 0 ? [component, ...missing] : [component],
  );
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

/** What begins with one is a list. */
const NUMBER = /^[+-]?(\.?\d|inf|nan)/i;

function parseContents(text: string, type: ValueType, fail: Fail): Contents {
  if (text === 'zero' || text === 'random') return { from: text };
  if (text === 'range') return { from: 'range', start: 0, step: 1, count: undefined };
  if (text.startsWith('range=')) return parseRange(text.slice('range='.length), type, fail);
  if (text.startsWith('fill=')) {
    const given = text.slice('fill='.length);
    const one = given.includes(',') ? given : Array(type.components).fill(given).join(',');
    return { from: 'fill', values: inMemory(parseComponents(one, type, fail), type) };
  }
  if (text.startsWith('@') && text.length > 1) return { from: 'file', path: text.slice(1) };
  if (NUMBER.test(text)) return { from: 'list', values: parseList(text, type, fail) };
  return fail(
    `contents are zero, range, range=FROM:TO:STEP, fill=VALUE, random, @FILE or numbers such as 1,2,3, not '${text}'`,
  );
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
  if (format.startsWith('rgb') && !format.startsWith('rgba'))
    return fail(`'${format}' packs its channels, which --arg cannot do`);
  const size = match[2]?.split(',').map(Number);
  const contents = parseContents(match[3]!, pixelType(format), fail);
  if (contents.from === 'list') return fail('an image has contents from a file, or fill=COLOUR');
  const isPng = contents.from === 'file' && /\.png$/i.test(contents.path);
  if (!size && !isPng) return fail(`the size is missing: ${typeName}:${format}[WIDTH,HEIGHT]=…`);
  return { kind: 'image', type, format, size, contents };
}
