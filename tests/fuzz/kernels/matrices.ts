// SPDX-License-Identifier: MIT
//
// Random kernels over elements of matrices: each work-item is a row and a column, in either order of its ids, and computes sums of products
// of rows and columns, in memory or in variables, scales, means and quotients by constants and arguments, in loops in loops, some of
// which are left early, never begin or store under conditions.
import { Chance } from '../chance';
import { Draft } from './draft';
import { bytesOf, isFloat, PARAMETERS, type RandomKernel, type Triple } from './model';

const TYPES = ['float', 'float', 'float', 'double', 'int', 'uint', 'long', 'short', 'uchar'] as const;
/** Without signed arithmetic that may overflow, and without NaNs in the input. */
const PORTABLE = ['float', 'float', 'uint', 'short', 'uchar'] as const;
type Type = (typeof TYPES)[number];
/** Elements of the operands' rows. */
const WIDTHS = [1, 4, 7, 8, 12, 16] as const;
const SIZES = [[16, 1], [8, 4], [4, 8], [1, 16], [32, 1], [7, 3], [8, 8], [5, 1], [2, 20]] as const; // biome-ignore format: a table
const MOST_DEPTH = 3;
const MOST_LOOPS = 3;

/** A matrix of results, with one or two elements for each work-item. */
interface Result {
  readonly type: Type;
  /** A work-item's own element. */
  readonly own: string;
}

class Matrices extends Draft {
  /** Counters of the loops around a place. */
  readonly counters: string[] = [];
  readonly variables: string[] = [];
  readonly results: Result[] = [];
  override budget = 8;

  constructor(
    seed: number,
    readonly operand: Type,
    readonly width: number,
    readonly portable: boolean,
  ) {
    super(seed);
  }
}

export function randomMatrices(seed: number, { portable = false } = {}): RandomKernel {
  const pick = new Chance(seed ^ 0x3a781c);
  const types = portable ? PORTABLE : TYPES;
  const operand = pick.pick(types);
  // Rows of the input have room for any column.
  const width = pick.pick(WIDTHS.filter((each) => each * bytesOf(operand) <= 64));
  const w = new Matrices(seed, operand, width, portable);
  const { chance } = w;
  const type = chance.pick(types);
  const layout = chance.pick(['i * W + j', 'i * W + j', 'j * H + i', 'i * W + W - 1 - j']);
  w.results.push(
    result(w, 'p', type, layout),
    result(w, 'q', chance.with(0.6) ? type : chance.pick(types), layout),
  );
  const { global, local, offset } = sizes(chance);
  const [row, column] = chance.with(0.5) ? [0, 1] : [1, 0];
  let body = '';
  while (w.budget > 0) body += statement(w, '    ');
  const guard = chance.pick([
    '',
    'if (i < H - 1 && j < W - 1) ',
    'if (j >= 1) ',
    'if (i < (int)n && j < W) ',
    'if (i <= j) ',
  ]);
  const [p, q] = w.results as [Result, Result];
  const source = `${portable ? '#pragma OPENCL FP_CONTRACT OFF\n' : ''}kernel void fuzz(${PARAMETERS}) {
  const int i = get_global_id(${row}) - get_global_offset(${row}), j = get_global_id(${column}) - get_global_offset(${column});
  const int H = get_global_size(${row}), W = get_global_size(${column}), m = (int)n * ${w.width} / 5;
  global const ${operand} *a = ${operand === 'float' ? 'fin' : `(global const ${operand} *)in`}, *b = a + ${chance.integer(0, 16)};
  global ${p.type} *p = (global ${p.type} *)out;
  global ${q.type} *q = (global ${q.type} *)slots;
  // statements
  ${guard}{
${body}${w.results.map(withoutSign).join('')}  }
}
`;
  return { source, global, local, ...(chance.with(0.2) && { offset }) };
}

function sizes(chance: Chance): { global: Triple; local: Triple; offset: Triple } {
  const [x, y] = chance.pick(SIZES);
  return {
    global: [x * chance.integer(1, 2), y * chance.integer(1, 2), 1],
    local: [x, y, 1],
    offset: [chance.integer(0, 20), chance.integer(0, 3), 0],
  };
}

function result({ chance }: Matrices, name: string, type: Type, layout: string): Result {
  const index = chance.with(0.7) ? layout : `(${layout}) * 2 + ${chance.integer(0, 1)}`;
  return { type, own: `${name}[${index}]` };
}

/** The sign of a NaN is not defined, nor that of the least of two zeros. */
const withoutSign = ({ type, own }: Result): string =>
  isFloat(type) ? `    if (isnan(${own}) || ${own} == 0) ${own} = 1;\n` : '';

/** The place of an operand's element, which wraps around at 128 bytes (`load`). */
function place({ chance, counters, width }: Matrices): string {
  const t = counters.length > 0 ? chance.pick(counters) : `${chance.integer(0, width - 1)}`;
  const u = counters.length > 1 ? chance.pick(counters) : t;
  const other = chance.pick(['i', 'j', t, u]);
  const limit = `(${other} & 7)`;
  return chance.pick([
    `${limit} * ${width} + ${t}`,
    `${t} * 8 + ${limit}`,
    `${t} * m + ${limit}`,
    `${limit} + ${t}`,
    `(i & 3) + (j & 7) + ${t} + ${u}`,
    `${t} * ${width} + ${u}`,
    `(i + 1 & 7) * ${width} + (j & 3)`,
  ]);
}

const load = (w: Matrices): string =>
  `${w.chance.pick(['a', 'a', 'b'])}[(${place(w)}) & ${128 / bytesOf(w.operand) - 1}]`;

/** A number, of integers or of floats. */
function value(w: Matrices, type: Type, depth = 0): string {
  const { chance } = w;
  const literal = () =>
    isFloat(type)
      ? `${chance.pick(['0.5', '3.0', '255.0', '1.0', '-2.0', '0.1', '7.0'])}${type === 'float' ? 'f' : ''}`
      : `${chance.integer(-9, 300)}`;
  const bounded = () => {
    const name = isFloat(w.operand) ? `(int)clamp(${load(w)}, (${w.operand})-99, (${w.operand})99)` : load(w);
    if (w.portable) return `(${type})${isFloat(type) ? load(w) : name}`;
    return isFloat(type) ? load(w) : name;
  };
  const leaf = () =>
    chance.pick([
      bounded,
      bounded,
      () => `(${type})${chance.pick(['i', 'j', 'k', 'n', ...w.counters])}`,
      literal,
      () => (w.variables.length > 0 ? own(w.variables, type, chance) : bounded()),
    ])();
  if (depth >= MOST_DEPTH) return leaf();
  const v = () => value(w, type, depth + 1);
  return chance.pick([
    leaf,
    () => `${leaf()} * ${leaf()}`,
    () => `(${v()} ${chance.pick(['+', '-'])} ${v()})`,
    () => `${v()} * ${leaf()}`,
    () =>
      isFloat(type)
        ? `${v()} / ${chance.pick([literal(), literal(), `(${type})n`])}`
        : `(${v()} >> ${chance.integer(0, 4)})`,
    () =>
      isFloat(type)
        ? `fma((${type})${leaf()}, (${type})${leaf()}, (${type})(${v()}))`
        : `(${v()} & ${leaf()})`,
    () => `${chance.pick(['min', 'max'])}((${type})(${v()}), (${type})(${leaf()}))`,
  ])();
}

/** The type that integers are computed in. */
const integer = ({ portable }: Matrices): Type => (portable ? 'uint' : 'int');

/** A variable as a number of the type. */
function own(variables: readonly string[], type: Type, chance: Chance): string {
  const name = chance.pick(variables);
  return isFloat(type) ? `(${type})${name}` : `(int)clamp((float)${name}, -999.0f, 999.0f)`;
}

/** A value as an element of a result, without conversions whose result is not defined. */
function stored(w: Matrices, type: Type): string {
  const computed = isFloat(type) ? type : integer(w);
  return `(${type})(${value(w, computed)})`;
}

function condition(w: Matrices): string {
  const { chance } = w;
  const number = chance.pick(['i', 'j', 'i + j', ...w.counters]);
  return chance.pick([
    `${number} ${chance.pick(['<', '>', '==', '!=', '<='])} ${chance.pick(['i', 'j', 'k + 6', '(int)n', '3', 'm / 2'])}`,
    `${value(w, 'float', 2)} ${chance.pick(['<', '>', '>='])} ${value(w, 'float', 2)}`,
    `(${number} & 1) == 0`,
  ]);
}

function statement(w: Matrices, indent: string): string {
  w.budget--;
  const { chance } = w;
  const target = chance.pick(w.results);
  const put = (operator: string) => `${indent}${target.own} ${operator} ${stored(w, target.type)};\n`;
  const forms: (() => string)[] = [
    () => put('='),
    () => put(chance.pick(['+=', '+=', '-=', '*='])),
    () => `${indent}if (${condition(w)}) ${put(chance.pick(['=', '+='])).trimStart()}`,
    () => {
      const type = chance.pick<Type>(['float', 'double', integer(w)]);
      const name = w.fresh('s');
      const line = `${indent}${type} ${name} = ${value(w, type, 2)};\n`;
      const sum = loop(
        w,
        indent,
        () => `${indent}  ${name} ${chance.pick(['+=', '+=', '-='])} ${value(w, type, 1)};\n`,
      );
      w.variables.push(name);
      return line + sum;
    },
  ];
  const inLoop = () => loop(w, indent, () => statement(w, `${indent}  `));
  if (w.counters.length < MOST_LOOPS) forms.push(inLoop, inLoop, inLoop);
  return chance.pick(forms)();
}

function loop(w: Matrices, indent: string, body: () => string): string {
  const { chance, width } = w;
  if (w.counters.length >= MOST_LOOPS) return '';
  const t = w.fresh('t');
  const from = chance.pick(['0', '0', '0', '1', 'i & 1', 'j & 3', ...w.counters]);
  const to = chance.pick([`${width}`, `${width}`, 'm', 'm', 'min(i, m)', 'min(j + 1, m)', '0', 'm - 1']);
  const down = chance.with(0.1);
  const head = down
    ? `for (int ${t} = ${to} - 1; ${t} >= 0; ${t}--)`
    : `for (int ${t} = ${from}; ${t} < ${to}; ${t}${chance.pick(['++', '++', '++', ' += 2'])})`;
  const known = w.variables.length;
  w.counters.push(t);
  let inside = '';
  for (let i = chance.pick([1, 1, 2]); i > 0; i--) inside += body();
  if (chance.with(0.1))
    inside += `${indent}  if (${condition(w)}) ${chance.pick(['break', 'continue'])};\n${body()}`;
  w.counters.pop();
  w.variables.length = known;
  return `${indent}${head} {\n${inside}${indent}}\n`;
}
