// SPDX-License-Identifier: MIT
//
// Random kernels of vectors that loops and branches pass on: sums, minima and states of two to eight components, which are loaded from
// neighbours' vectors, rows or any places, and stored as a whole, in part, or with their components in other places.
import { Chance } from '../chance';
import { GROUP_SIZES, PARAMETERS, type RandomKernel } from './model';

/** Element types, with their bytes. */
const TYPES = [
  ['int', 4], ['uint', 4], ['int', 4], ['float', 4], ['float', 4], ['ulong', 8], ['double', 8], ['short', 2], ['uchar', 1],
] as const; // biome-ignore format: a table
const COUNTS = [2, 3, 4, 4, 4, 4, 4, 4, 8];
const COMPONENTS = '01234567';
const VECTORS = ['s', 't', 'u'];

interface Code {
  readonly chance: Chance;
  readonly type: (typeof TYPES)[number][0];
  readonly count: number;
  /** The vectors of the kernel's input that there are. */
  readonly inputs: number;
  /** Whether all work-items take the same way, and all components are computed alike. */
  readonly isCalm: boolean;
  /** Counters of the loops around. */
  readonly counters: readonly string[];
}

export function randomVectors(seed: number): RandomKernel {
  const chance = new Chance(seed ^ 0x7ec7);
  const isCalm = chance.with(0.7);
  const [type, bytes] = chance.pick(isCalm ? TYPES.filter((each) => each[1] >= 4) : TYPES);
  const count = isCalm && bytes === 4 ? 4 : chance.pick(COUNTS);
  const size = bytes * (count === 3 ? 4 : count);
  const [local, rows] = chance.pick(GROUP_SIZES);
  const groups = chance.integer(1, 3);
  const code: Code = { chance, type, count, inputs: 1024 / size, isCalm, counters: [] };
  const results = Math.min(64 / size, 4);
  const name = `${type}${count}`;
  const body = [...statements(code, '  ', 0), ...stores(code, results)].join('\n');
  const guard = chance.pick([`x < ${chance.integer(1, 40)}`, 'in[x & 127] & 1', '(in[x & 63] & 7) > 1']);
  const guarded = chance.with(0.4) ? `  if (${guard}) {\n${body}\n  }` : body;
  const source = `kernel void fuzz(${PARAMETERS}) {
  const int x = get_global_id(1) * get_global_size(0) + get_global_id(0);
  global const ${name} *a = (global const ${name} *)${chance.pick(['in', type === 'float' ? 'fin' : 'in'])};
  global ${name} *o = (global ${name} *)(out + x * 8);
  ${name} s = (${name})(${chance.integer(0, 5)}), t = ${load(code)}, u = ${chance.with(0.5) ? load(code) : `(${name})((${type})(x & 7))`};
  // statements
${guarded}
}
`;
  return { source, global: [local * groups, rows, 1], local: [local, rows, 1] };
}

function statements(code: Code, indent: string, depth: number): string[] {
  const { chance, isCalm } = code;
  return Array.from({ length: chance.integer(1, isCalm ? 2 : depth === 0 ? 4 : 3) }, () =>
    statement(code, indent, depth),
  );
}

function statement(code: Code, indent: string, depth: number): string {
  const { chance, counters, isCalm } = code;
  const inner = `${indent}  `;
  if (depth < 3 && chance.with(depth === 0 ? 0.7 : 0.3)) {
    const k = `k${counters.length}`;
    const uniform = ['4', '3', '(int)n', '(int)n - 3', '(int)(n & 3)'];
    const end = chance.pick(isCalm ? uniform : [...uniform, '(x & 3)', '(x & 1) + 2']);
    const body = statements({ ...code, counters: [...counters, k] }, inner, depth + 1).join('\n');
    const leaving =
      !isCalm && chance.with(0.15)
        ? `${inner}if (${condition(code)}) ${chance.pick(['break', 'continue'])};\n`
        : '';
    return `${indent}for (int ${k} = 0; ${k} < ${end}; ${k}++) {\n${leaving}${body}\n${indent}}`;
  }
  if (depth < 3 && chance.with(0.25)) {
    const then = statements(code, inner, depth + 1).join('\n');
    const other = chance.with(0.4)
      ? ` else {\n${statements(code, inner, depth + 1).join('\n')}\n${indent}}`
      : '';
    return `${indent}if (${condition(code)}) {\n${then}\n${indent}}${other}`;
  }
  const to = chance.pick(VECTORS);
  if (chance.with(0.1))
    return `${indent}${to}.${part(code)} = ${chance.pick(VECTORS)}.${part(code, 'same')};`;
  return `${indent}${to} = ${value(code)};`;
}

const condition = ({ chance, counters, isCalm }: Code): string =>
  chance.pick(
    isCalm
      ? ['n > 4', 'k > 0', `${counters.at(-1) ?? 'n'} & 1`]
      : ['n > 4', 'k > 0', 'k < 0', 'x & 1', '(x & 6) == 2', `${counters.at(-1) ?? 'n'} & 1`],
  );

function load({ chance, inputs, counters }: Code): string {
  const k = counters.at(-1) ?? 'n';
  const place = chance.pick([
    `x`,
    `x + ${k}`,
    `x * 4 + ${k}`,
    `x * 16 + ${k}`,
    `${k} * 8 + x`,
    `in[x & 127] + ${k}`,
    `${k}`,
    `-x`,
  ]);
  return `a[(${place}) & ${inputs - 1}]`;
}

function value(code: Code): string {
  const { chance, type, count, isCalm } = code;
  const operand = (): string => {
    const vector = chance.pick([
      ...VECTORS,
      ...VECTORS,
      load(code),
      load(code),
      `(${type}${count})((${type})(x & 3))`,
    ]);
    return !isCalm && chance.with(0.08) && VECTORS.includes(vector) ? `${vector}.${swizzle(code)}` : vector;
  };
  const [a, b] = [operand(), operand()];
  if (type === 'float' || type === 'double') {
    const number = chance.pick(['.5', '2', '-1']);
    const result = chance.pick([
      `${a} + ${b}`,
      `${a} - ${b}`,
      `${a} * (${type})${number} + ${b}`,
      `fmin(${a}, ${b})`,
    ]);
    return `clamp(${result}, (${type})-99, (${type})99) + (${type})0`;
  }
  const op = chance.pick(['+', '-', '^', '*', '&', '|']);
  return chance.pick([
    `${a} ${op} ${b}`,
    `${a} ${op} (${type})${chance.integer(1, 9)}`,
    `min(${a}, ${b})`,
    `${a} + ${isCalm && chance.with(0.8) ? b : `${b}.s0`}`,
  ]);
}

function swizzle({ chance, count }: Code): string {
  return `s${Array.from({ length: count }, () => COMPONENTS[chance.integer(0, count - 1)]).join('')}`;
}

/** Two components. */
function part({ chance, count }: Code, which: 'different' | 'same' = 'different'): string {
  const first = chance.integer(0, count - 1);
  const second = which === 'same' ? chance.integer(0, count - 1) : (first + 1) % count;
  return `s${COMPONENTS[first]}${COMPONENTS[second]}`;
}

function stores(code: Code, results: number): string[] {
  const { chance, isCalm } = code;
  return Array.from({ length: results }, (_, i) => {
    const vector = VECTORS[i % 3]!;
    if (!isCalm && chance.with(0.15)) return `  o[${i}].${part(code)} = ${vector}.${part(code, 'same')};`;
    if (code.count === 4 && chance.with(0.3)) return changed(code, i, vector);
    return `  o[${i}] = ${chance.with(0.8) ? vector : value(code)};`;
  });
}

/** Stores a vector of which all components but one change, by conditions of their own or by the one that stays. */
function changed({ chance, type }: Code, i: number, vector: string): string {
  const stays = chance.integer(0, 3);
  const others = [0, 1, 2, 3].filter((k) => k !== stays);
  const isOf = (k: number) => `w.s${k} > ${chance.pick([`${vector}.s${k}`, `(${type})3`, `w.s${stays}`])}`;
  const changes = chance.with(0.6)
    ? others.map((k) => `if (${isOf(k)}) w.s${k} = ${chance.pick([`${vector}.s${k}`, `(${type})${i}`])};`)
    : [`w.s${others.join('')} = ${vector}.s${others.join('')} - w.s${chance.pick([stays, others[0]])};`];
  return `  { ${type}4 w = o[${chance.with(0.8) ? i : 0}]; ${changes.join(' ')} o[${i}] = w; }`;
}
