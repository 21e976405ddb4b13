// SPDX-License-Identifier: MIT
//
// Random kernels of two arguments that may be one buffer, or of which one points an element further: each work-item has a few elements,
// and what it stores through one argument it may load through the other one.
import { Chance } from '../chance';
import { GROUP_SIZES, PARAMETERS, type RandomKernel } from './model';

/** Types with the most elements of a work-item, one of which lies between it and the next. */
const TYPES = [
  ['uchar', 15], ['uchar', 15], ['char', 15], ['ushort', 8], ['short', 8], ['uint', 4], ['float', 4],
] as const; // biome-ignore format: a table

const STRIDE_BYTES = 20;
const BYTES = { uchar: 1, char: 1, ushort: 2, short: 2, uint: 4, float: 4 } as const;

interface Aliases {
  readonly chance: Chance;
  readonly type: (typeof TYPES)[number][0];
  /** Elements of a work-item. */
  readonly count: number;
  readonly names: readonly string[];
}

export function randomAliases(seed: number): RandomKernel {
  const chance = new Chance(seed ^ 0xa11a5);
  const [type, most] = chance.pick(TYPES);
  const count = chance.integer(1, most);
  // Elements that are four bytes further for the second argument need as many between the work-items.
  const step = Math.min(count + 4 / BYTES[type], STRIDE_BYTES / BYTES[type]);
  const own = step - 4 / BYTES[type];
  const w: Aliases = { chance, type, count: own, names: ['p', 'q'] };
  const swapped = chance.with(0.3);
  const statements = Array.from({ length: chance.integer(2, 9) }, () => chance.pick(FORMS)(w)).join('');
  const [local, rows] = chance.pick(GROUP_SIZES);
  const groups = chance.integer(1, 3);
  const source = `kernel void fuzz(${PARAMETERS}) {
  const uint x = get_global_id(1) * get_global_size(0) + get_global_id(0);
  global ${type} *p = (global ${type} *)${swapped ? 'again' : 'same'} + x * ${step};
  global ${type} *q = (global ${type} *)${swapped ? 'same' : 'again'} + x * ${step};
  ${type} a = ${one(w)}, b = ${one(w)};
  // statements
${statements}  slots[x] = (uint)(int)a * 31 + (uint)(int)b;
}
`;
  return { source, global: [local * groups, rows, 1], local: [local, rows, 1], isShifted: true };
}

const element = ({ chance, count }: Aliases): string => `${chance.integer(0, count - 1)}`;
const one = (w: Aliases): string => `${w.chance.pick(w.names)}[${element(w)}]`;

/** Small numbers only, because all conversions to a type must be exact. */
function value(w: Aliases): string {
  const { chance, type } = w;
  const operand = () => chance.pick([one(w), one(w), 'a', 'b', `(${type})${chance.integer(0, 9)}`]);
  if (type === 'float') return `fmin(fmax(${operand()}, -99.0f) ${chance.pick(['+', '-'])} 1.0f, 99.0f)`;
  return `(${type})(${operand()} ${chance.pick(['+', '-', '^', '*', '&'])} ${operand()})`;
}

type Form = (w: Aliases) => string;

const store: Form = (w) => `  ${one(w)} = ${w.chance.with(0.5) ? one(w) : value(w)};\n`;
const load: Form = (w) => `  ${w.chance.pick(['a', 'b'])} = ${w.chance.with(0.5) ? one(w) : value(w)};\n`;
const row: Form = (w) => {
  const [to, from] = [w.chance.pick(w.names), w.chance.pick(w.names)];
  return Array.from(
    { length: w.count },
    (_, i) => `  ${to}[${i}] = ${from}[${w.chance.with(0.6) ? i : w.count - 1 - i}];\n`,
  ).join('');
};

const FORMS: readonly Form[] = [
  store,
  store,
  store,
  load,
  load,
  row,
  (w) => `  if (${one(w)} > b) ${store(w).trim()} else ${store(w).trim()}\n`,
  (w) => `  if (${one(w)} != a) { ${store(w).trim()} ${load(w).trim()} }\n`,
  (w) => {
    const [to, from] = [w.chance.pick(w.names), w.chance.pick(w.names)];
    return `  for (uint i = 0; i < ${w.count} + (n - 5); i++) ${to}[i] = ${from}[${w.chance.pick(['i', `${w.count - 1} - i`, element(w)])}];\n`;
  },
  (w) => {
    const width = [2, 3, 4, 8].filter((each) => each <= w.count);
    if (width.length === 0) return store(w);
    const n = w.chance.pick(width);
    const at = () => w.chance.integer(0, w.count - n);
    return `  vstore${n}(vload${n}(0, ${w.chance.pick(w.names)} + ${at()}), 0, ${w.chance.pick(w.names)} + ${at()});\n`;
  },
];
