// SPDX-License-Identifier: MIT
//
// Random kernels of vectors as structures: they are read at any places, computed with each other and with numbers that their components
// share, put together from parts, and written side by side or somewhere else, as a whole or in part. Each work-item writes elements that no other one accesses.
import { Chance } from '../chance';
import { PARAMETERS, type RandomKernel } from './model';

/** Vectors with their components' type and number. */
const TYPES = [
  ['float4', 'float', 4], ['float4', 'float', 4], ['int4', 'int', 4], ['uint4', 'uint', 4], ['float2', 'float', 2], ['uint2', 'uint', 2],
  ['long2', 'long', 2], ['double2', 'double', 2], ['uint8', 'uint', 8], ['float8', 'float', 8], ['double4', 'double', 4],
] as const; // biome-ignore format: a table

const BYTES = { float: 4, int: 4, uint: 4, long: 8, double: 8 } as const;
const SIZES = [[16, 1], [32, 1], [8, 1], [4, 1], [64, 1], [16, 2], [8, 4]] as const; // biome-ignore format: a table
/** Bytes of the input, and of a work-item's elements in the buffer of results. */
const INPUT = 1024;
const OWN = 64;

interface Structures {
  readonly chance: Chance;
  readonly vector: string;
  readonly number: (typeof TYPES)[number][1];
  readonly count: number;
  /** Vectors of the input, and of a work-item in the results. */
  readonly most: number;
  readonly own: number;
  readonly vectors: string[];
  readonly numbers: string[];
}

export function randomStructures(seed: number): RandomKernel {
  const chance = new Chance(seed ^ 0x57bc7);
  const [vector, number, count] = chance.pick(TYPES);
  const bytes = BYTES[number] * count;
  const w: Structures = {
    chance,
    vector,
    number,
    count,
    most: INPUT / bytes,
    own: OWN / bytes,
    vectors: ['v'],
    numbers: ['s', 't'],
  };
  const [local, rows] = chance.pick(SIZES);
  const groups = chance.pick([1, 2, 4]);
  const statements = Array.from({ length: chance.integer(2, 7) }, () => chance.pick(FORMS)(w)).join('');
  const read = number === 'float' || number === 'double' ? 'fin' : 'in';
  const scalar =
    number === 'double' || number === 'long'
      ? (at: string) => `(${number})${read}[${at}]`
      : (at: string) => `${number === 'int' ? '(int)' : ''}${read}[${at}]`;
  const source = `kernel void fuzz(${PARAMETERS}) {
  const uint x = get_global_id(1) * get_global_size(0) + get_global_id(0);
  const uint other = x ^ ${chance.integer(0, local * rows * groups - 1)};
  global const ${vector} *p = (global const ${vector} *)${number === 'double' ? 'in' : read};
  global ${vector} *o = (global ${vector} *)out;
  const uint place = in[x & 255];
  ${number} s = ${scalar('x & 255')}, t = ${scalar('(x * 7 + 3) & 255')};
  ${vector} v = ${load(w)};
  // statements
${statements}  ${store(w)}
}
`;
  return { source, global: [local * groups, rows, 1], local: [local, rows, 1] };
}

/** Doubles of any bits are numbers, infinities or none; small whole numbers instead. */
function load({ chance, vector, number, most }: Structures): string {
  const at = chance.pick([
    `x & ${most - 1}`,
    `(x * ${chance.integer(1, 9)} + ${chance.integer(0, 9)}) & ${most - 1}`,
    `place & ${most - 1}`,
    `(place >> 3) & ${most - 1}`,
    `${chance.integer(0, most - 1)}`,
  ]);
  return number === 'double'
    ? `convert_${vector}(as_${vector.replace('double', 'long')}(p[${at}]) & 1023L)`
    : `p[${at}]`;
}

const oneNumber = ({ chance, numbers }: Structures): string =>
  chance.pick([...numbers, `${chance.integer(0, 9)}`]);

function scalar(w: Structures): string {
  const { chance, number, vectors, count } = w;
  const component = () => `${chance.pick(vectors)}.s${place(chance, count)}`;
  return chance.pick([
    oneNumber(w),
    oneNumber(w),
    `(${number})x`,
    `(${number})k`,
    component(),
    `(${number})(${oneNumber(w)} ${chance.pick(['+', '-'])} ${component()})`,
  ]);
}

const place = (chance: Chance, count: number): string => chance.integer(0, count - 1).toString(16);

/** Components in other places: of one vector, or of two and a number. */
function permuted({ chance, vector, count, vectors, numbers }: Structures): string {
  const places = () => Array.from({ length: count }, () => place(chance, count));
  if (chance.with(0.5)) return `${chance.pick(vectors)}.s${places().join('')}`;
  const from = [chance.pick(vectors), chance.pick(vectors)];
  const one = (k: string) => (chance.with(0.1) ? chance.pick(numbers) : `${chance.pick(from)}.s${k}`);
  const inPlace = Array.from({ length: count }, (_, k) => k.toString(16));
  return `(${vector})(${(chance.with(0.4) ? inPlace : places()).map(one).join(', ')})`;
}

/** How vectors of each length are divided: OpenCL C has no vectors of 5 to 7 components. */
const PARTS: Readonly<Record<number, readonly number[]>> = { 2: [1], 4: [1, 2, 3], 8: [4] };

const componentsFrom = (first: number, length: number): string =>
  `s${Array.from({ length }, (_, k) => (first + k).toString(16)).join('')}`;

/** The first components of one vector, and the others of another one or as numbers. */
function joined(w: Structures, depth: number): string {
  const { chance, vector, count } = w;
  const length = chance.pick(PARTS[count]!);
  const rest = chance.with(0.5)
    ? `(${value(w, depth)}).${componentsFrom(length, count - length)}`
    : Array.from({ length: count - length }, () => scalar(w)).join(', ');
  return `(${vector})((${value(w, depth)}).${componentsFrom(0, length)}, ${rest})`;
}

function value(w: Structures, depth: number): string {
  const { chance, vector, number, count, vectors } = w;
  if (depth === 0 || chance.with(0.3)) {
    return chance.pick([
      () => chance.pick(vectors),
      () => chance.pick(vectors),
      () => load(w),
      () => permuted(w),
      () => permuted(w),
      () => joined(w, Math.max(depth - 1, 0)),
      () => `(${vector})(${scalar(w)})`,
      () => `(${vector})(${Array.from({ length: count }, () => scalar(w)).join(', ')})`,
      () => `(${vector})(${Array.from({ length: count }, () => chance.integer(0, 9)).join(', ')})`,
    ])();
  }
  const whole = number !== 'float' && number !== 'double';
  const a = value(w, depth - 1);
  const b = chance.with(0.4) ? `(${vector})(${scalar(w)})` : value(w, depth - 1);
  return chance.pick([
    `(${a} + ${b})`,
    `(${a} - ${b})`,
    whole ? `(${a} * ${b})` : `(${a} * 0.5${number === 'float' ? 'f' : ''})`,
    whole ? `(${a} ^ ${b})` : `(${a} - ${b})`,
    // fmax may give either zero.
    whole ? `max(${a}, ${b})` : `(fmax(${a}, ${b}) + (${number})0)`,
    `(${scalar(w)} < ${scalar(w)} ? ${a} : ${b})`,
  ]);
}

function store(w: Structures): string {
  const { chance, own, count } = w;
  const item = chance.pick(['x', 'other', 'other']);
  const element = `o[${own > 1 ? `${item} * ${own} + ${item === 'x' ? 0 : 1}` : 'x'}]`;
  if (chance.with(0.6)) return `${element} = ${value(w, 2)};`;
  // Some components.
  const length = chance.pick(PARTS[count]!);
  const components = componentsFrom(chance.integer(0, count - length), length);
  return `${element}.${components} ${chance.pick(['=', '=', '+='])} (${value(w, 2)}).${components};`;
}

type Form = (w: Structures) => string;

const FORMS: readonly Form[] = [
  (w) => {
    const name = `v${w.vectors.length}`;
    const line = `  ${w.vector} ${name} = ${value(w, 2)};\n`;
    w.vectors.push(name);
    return line;
  },
  (w) => `  v = ${value(w, 3)};\n`,
  (w) => `  s = ${scalar(w)};\n`,
  (w) => `  ${store(w)}\n`,
  (w) => `  if (${scalar(w)} < t) { ${store(w)} }\n`,
  (w) => `  if (place & 1) v = ${value(w, 2)};\n`,
  (w) => `  for (uint i = 0; i < (place & 3); i++) { v = v + p[(place + i) & ${w.most - 1}]; ${store(w)} }\n`,
];
