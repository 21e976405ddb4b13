// SPDX-License-Identifier: MIT
//
// Random kernels of recurrences: each work-item goes along a row of its own, and loads what it has stored some iterations before, through
// the same pointer, or another one at a distance that is known, or not.
import { Chance } from '../chance';
import { GROUP_SIZES, PARAMETERS, type RandomKernel } from './model';

const ROW_BYTES = 64;
/** Element types, and their bytes. */
const TYPES = [
  ['uint', 4], ['int', 4], ['float', 4], ['float', 4], ['ulong', 8], ['long', 8], ['double', 8], ['ushort', 2], ['uchar', 1],
] as const; // biome-ignore format: a table

/** The most elements from an iteration's own one to those that it accesses. */
const FARTHEST = 2;

interface Loop {
  readonly chance: Chance;
  readonly type: (typeof TYPES)[number][0];
  readonly count: number;
  readonly isBackward: boolean;
}

export function randomRecurrences(seed: number): RandomKernel {
  const chance = new Chance(seed ^ 0x5ec0);
  const [type, bytes] = chance.pick(TYPES);
  const count = ROW_BYTES / bytes;
  const [local, rows] = chance.pick(GROUP_SIZES);
  const groups = chance.integer(1, 3);
  const loops = Array.from({ length: chance.integer(1, 3) }, () =>
    loop({ chance, type, count, isBackward: chance.with(0.4) }),
  ).join('');
  const source = `kernel void fuzz(${PARAMETERS}) {
  const int x = get_global_id(1) * get_global_size(0) + get_global_id(0);
  global ${type} *p = (global ${type} *)out + x * ${count};
  global ${type} *q = ${chance.pick(['p', 'p + (n - 5)', `(global ${type} *)(out + x * 8)`])};
  ${type} t = (${type})(x & 7), u = (${type})3;
  // statements
  for (int j = 0; j < ${count}; j++) p[j] = (${type})((x * 7 + j * 13) & 63);
${loops}  slots[x] = (uint)(int)t * 31 + (uint)(int)u;
}
`;
  return { source, global: [local * groups, rows, 1], local: [local, rows, 1] };
}

/** A loop over the elements that have `FARTHEST` more on both sides. */
function loop(l: Loop): string {
  const { chance, count } = l;
  const first = FARTHEST + chance.pick([0, 0, 1]);
  const end = chance.pick([
    `${count - FARTHEST}`,
    `${count - FARTHEST} - (int)(n - 5)`,
    `${count - FARTHEST} - (x & 3)`,
    `${Math.min(count, 6) - FARTHEST}`,
  ]);
  const step = chance.pick([1, 1, 1, 1, 2]);
  const statements = Array.from({ length: chance.integer(1, 4) }, () => chance.pick(FORMS)(l));
  const body = `{\n    ${statements.join('\n    ')}\n  }`;
  const once = chance.with(0.3)
    ? `  int j = ${first};\n  do ${body} while ((j += ${step}) < ${end});\n`
    : `  for (int j = ${first}; j < ${end}; j += ${step}) ${body}\n`;
  const repeated = chance.with(0.2) ? `  for (int i = 0; i < (int)n - 3; i++) {\n${once}  }\n` : once;
  return `  {\n${repeated}  }\n`;
}

function element({ chance, count, isBackward }: Loop): string {
  const offset = chance.pick([0, 0, -1, -1, -1, 1, -2, 2]);
  const index = isBackward ? `${count - 1} - j` : 'j';
  return `${chance.pick(['p', 'p', 'p', 'q'])}[${index}${offset < 0 ? ` - ${-offset}` : offset > 0 ? ` + ${offset}` : ''}]`;
}

/** Small numbers only, because all conversions to a type must be exact. */
function value(l: Loop): string {
  const { chance, type } = l;
  const operand = () => chance.pick([element(l), element(l), 't', 'u', `(${type})${chance.integer(0, 9)}`]);
  const [a, b, c] = [operand(), operand(), operand()];
  if (type === 'float' || type === 'double') {
    const suffix = type === 'float' ? 'f' : '';
    return `fmin(fmax(${a} ${chance.pick(['+', '-'])} ${b}, -99.0${suffix}), 99.0${suffix})`;
  }
  const op = () => chance.pick(['+', '-', '^', '*', '&', '|']);
  return `(${type})(${a} ${op()} ${b}${chance.with(0.4) ? ` ${op()} ${c}` : ''})`;
}

type Form = (l: Loop) => string;

const store: Form = (l) => `${element(l)} = ${l.chance.with(0.2) ? element(l) : value(l)};`;
const keep: Form = (l) => `${l.chance.pick(['t', 'u'])} = ${value(l)};`;

const FORMS: readonly Form[] = [
  store,
  store,
  store,
  store,
  keep,
  (l) => `${element(l)} += ${element(l)};`,
  (l) => `if (${element(l)} > u) ${store(l)}`,
  (l) => `if (${element(l)} != t) { ${store(l)} ${keep(l)} } else ${store(l)}`,
  (l) => `{ ${l.type} a = ${element(l)}; ${store(l)} ${element(l)} = a; }`,
];
