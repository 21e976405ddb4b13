// SPDX-License-Identifier: MIT
//
// Random kernels that take ids apart: quotients and remainders by arguments, sizes and constants, of ids that grow, fall, wrap and are
// below 0, and quotients of those and of other numbers. They become indices of loads and stores, conditions, and ends of loops.
import type { Chance } from '../chance';
import { Draft } from './draft';
import { PARAMETERS, type RandomKernel, type Triple } from './model';

const SIZES = [[32, 1], [40, 1], [64, 1], [16, 1], [8, 1], [7, 1], [13, 1], [100, 1], [16, 2], [20, 3], [8, 4]] as const; // biome-ignore format: a table
/** Of all work-items of a kernel. */
const MOST_ITEMS = 400;
const MOST_DEPTH = 3;

class Quotients extends Draft {
  /** Numbers that were computed from the id. */
  readonly digits: string[] = [];
  readonly counters: string[] = [];
  /** Where all stores of bytes are. */
  readonly place: string;

  constructor(seed: number) {
    super(seed ^ 0x90071e);
    this.place = permutation(this.chance);
  }
}

export function randomQuotients(seed: number): RandomKernel {
  const w = new Quotients(seed);
  const { chance } = w;
  const [local, rows] = chance.pick(SIZES);
  const groups = chance.integer(1, Math.max(1, Math.floor(MOST_ITEMS / local / rows)));
  const offset: Triple = [chance.integer(0, 50), chance.integer(0, 2), 0];
  let body = '';
  for (let i = chance.integer(1, 3); i > 0; i--) body += digit(w, '  ');
  for (let i = chance.integer(1, 5); i > 0; i--) body += statement(w, '  ');
  // All that some work-items do is under a guard, as programs with rounded ranges have it.
  const guard = chance.with(0.3)
    ? `if (${id(w)} ${chance.pick(['<', '<=', '>', '!='])} ${chance.pick(['N - 3', '(int)n', '20', '100'])}) `
    : '';
  const source = `kernel void fuzz(${PARAMETERS}) {
  const int own = (get_global_id(1) - get_global_offset(1)) * get_global_size(0) + get_global_id(0) - get_global_offset(0);
  const int N = get_global_size(0) * get_global_size(1), y = get_global_id(1);
  ${guard}{
  uint r = in[own & 255];
  // statements
${body}  out[own] = r;
  }
}
`;
  return {
    source,
    global: [local * groups, rows, 1],
    local: [local, rows, 1],
    ...(chance.with(0.3) && { offset }),
  };
}

/** A number that grows or falls with the id. */
function id({ chance, counters }: Quotients): string {
  const one = chance.pick([
    'own',
    'own',
    '(uint)own',
    '(int)get_global_id(0)',
    '(uint)get_global_id(0)',
    '(int)get_local_id(0)',
  ]);
  const more = counters.length > 0 && chance.with(0.5) ? ` + ${chance.pick(counters)} * 32` : '';
  return chance.pick([
    `${one}${more}`,
    `${one}${more}`,
    `${one}${more}`,
    `(${one} + ${chance.integer(1, 60)}${more})`,
    `(${one} - ${chance.integer(1, 60)})`,
    `(${one} * ${chance.integer(2, 4)} + ${chance.integer(0, 9)}${more})`,
    `(N - 1 - ${one})`,
    `(${one} + y * (int)n)`,
    `(${one} + ${chance.pick(['0x7fffffe0u', '0xffffffe0u', '0x7fffffffu'])})`,
  ]);
}

function divisor({ chance }: Quotients): string {
  return chance.pick([
    `(n + ${chance.integer(0, 100)})`,
    `(k + ${chance.integer(4, 100)})`,
    `(k + ${chance.integer(4, 100)})`,
    `(int)(n + ${chance.integer(20, 100)})`,
    '(n * 12)',
    '(int)get_global_size(0)',
    '(int)get_local_size(0)',
    '(n - 5)',
    '(k * 20)',
    '(n | 0x80000000u)',
    `${chance.pick([2, 3, 7, 10, 32, 40, 64, 100])}`,
    `${chance.pick([33, 48, 64, 96])}u`,
  ]);
}

/** Declares a number that is a quotient or a remainder. */
function digit(w: Quotients, indent: string): string {
  const { chance } = w;
  const name = w.fresh('d');
  const from =
    w.digits.length > 0 && chance.with(0.3) ? `(${chance.pick(w.digits)} + ${chance.integer(0, 3)})` : id(w);
  const by = divisor(w);
  const both = chance.with(0.5)
    ? `${indent}${chance.pick(['int', 'uint'])} ${name}r = ${from} % ${by};\n`
    : '';
  const text = `${indent}${chance.pick(['int', 'int', 'uint'])} ${name} = ${from} ${chance.pick(['/', '/', '%'])} ${by};\n`;
  w.digits.push(name);
  if (both) w.digits.push(`${name}r`);
  return text + both;
}

function value(w: Quotients, depth = 0): string {
  const { chance } = w;
  const leaf = () =>
    chance.pick([...w.digits, ...w.digits, ...w.counters, 'own', 'y', 'k', 'r', `${chance.integer(0, 70)}`]);
  if (depth >= MOST_DEPTH) return leaf();
  const e = () => value(w, depth + 1);
  return chance.pick([
    leaf,
    () => `(uint)in[(uint)(${e()}) & 255]`,
    () => `(uint)in[(uint)${leaf()} & 255]`,
    () => `(uint)in[min((uint)${leaf()}, 240u) + ${chance.integer(0, 15)}]`,
    () => `(uint)(int)clamp(fin[(uint)(${leaf()} + ${leaf()}) & 255], -99.0f, 99.0f)`,
    () => `((uint)${e()} ${chance.pick(['+', '-', '*', '^', '&'])} (uint)${e()})`,
    () => `(${condition(w)} ? (uint)${e()} : (uint)${e()})`,
    () => {
      const type = chance.pick(['uint', 'int', 'int', 'short', 'char']);
      return `(uint)((${type})${e()} ${chance.pick(['/', '%'])} (${type})${divisor(w)})`;
    },
  ])();
}

function condition({ chance, digits }: Quotients): string {
  const order = chance.pick(['<', '<=', '>', '>=', '==', '!=']);
  const right = chance.pick([`${chance.integer(0, 40)}`, '(int)n', ...digits, 'own']);
  return `((int)${chance.pick([...digits, ...digits, 'own'])} ${order} (int)${right})`;
}

function statement(w: Quotients, indent: string): string {
  const { chance } = w;
  const assign = () => `${indent}r = r * 3 + (uint)${value(w)};\n`;
  if (indent.length > 6) return assign();
  return chance.pick([
    assign,
    assign,
    () => digit(w, indent),
    () => `${indent}slots[own * 2 + ${chance.integer(0, 1)}] = ${value(w)};\n`,
    () => permuted(w, indent),
    () => `${indent}if ${condition(w)} {\n${inner(w, `${indent}  `)}${indent}}\n`,
    () =>
      `${indent}if ${condition(w)} {\n${inner(w, `${indent}  `)}${indent}} else {\n${inner(w, `${indent}  `)}${indent}}\n`,
    () => (indent.length === 2 ? `${indent}if ${condition(w)} return;\n` : assign()),
    () => loop(w, indent),
  ])();
}

/** Stores a byte at the kernel's place of the work-item. */
const permuted = ({ place }: Quotients, indent: string): string => `${indent}${place} = (uchar)r;\n`;

/** Each row backwards, or the columns as rows: every place has one work-item. */
function permutation(chance: Chance): string {
  const width = chance.pick(['(int)(n + 27)', '(k + 43)', '(int)n', '64']);
  const place = chance.pick([
    `own / ${width} * ${width} + (${width} - 1 - own % ${width})`,
    `own % ${width} * (N / ${width}) + own / ${width}`,
    `own / ${width} * ${width} + own % ${width}`,
  ]);
  return `if (own / ${width} < N / ${width}) bytes[${place}]`;
}

function loop(w: Quotients, indent: string): string {
  const { chance } = w;
  const j = w.fresh('j');
  const end = chance.pick([
    '5',
    '(int)n',
    `(int)((uint)${chance.pick(w.digits)} & 7)`,
    `min((int)${chance.pick(w.digits)}, 6)`,
  ]);
  w.counters.push(j);
  const body = inner(w, `${indent}  `);
  w.counters.pop();
  const leave = chance.with(0.3)
    ? `${indent}  if ${condition(w)} ${chance.pick(['break', 'continue'])};\n`
    : '';
  return `${indent}for (int ${j} = 0; ${j} < ${end}; ${j}++) {\n${leave}${body}${indent}}\n`;
}

function inner(w: Quotients, indent: string): string {
  const kept = w.digits.length;
  let text = w.chance.with(0.4) ? digit(w, indent) : '';
  for (let i = w.chance.integer(1, 2); i > 0; i--) text += statement(w, indent);
  w.digits.length = kept;
  return text;
}
