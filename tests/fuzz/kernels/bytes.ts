// SPDX-License-Identifier: MIT
//
// Random kernels that move bytes and shorts: accesses a few elements apart, components of vectors, bytes of words in other orders, look-ups in
// small tables, bits of bytes, comparisons and conversions, sums of products, elements that are changed in place under conditions. Work-items are in
// rows of any length.
import type { Chance } from '../chance';
import { Draft } from './draft';
import type { RandomKernel, Triple } from './model';

const ELEMENTS = ['uchar', 'uchar', 'char', 'ushort', 'short'] as const;
type Element = (typeof ELEMENTS)[number];
const COMPARED = ['>', '>=', '<', '<=', '==', '!='];
const FLOATS = [
  '99.5f',
  '0.0f',
  '-3.25f',
  '200.0f',
  '1e9f',
  'fin[k + 9]',
  'fin[n]',
  '(float)k',
  'NAN',
  'fin[2] * 100.0f',
];
const BUFFERS = ['bytes', 'shorts', 'slots', 'out', 'out'] as const;
const MOST_DEPTH = 4;

class Moves extends Draft {
  /** Variables that exist. */
  readonly scope: string[] = [];
  readonly written = new Set<(typeof BUFFERS)[number]>();
}

export function randomBytes(seed: number): RandomKernel {
  const w = new Moves(seed);
  const { chance } = w;
  const element = chance.pick(ELEMENTS);
  const table = Array.from({ length: 64 }, () => chance.integer(0, 255)).join();
  const size = chance.pick([16, 16, 32, 64, 5]);
  let body = '';
  for (let i = chance.integer(2, 5); i > 0; i--) body += declare(w, element);
  // Elements may be written back only in kernels whose stores all begin at one address.
  if (chance.with(0.2)) body += changeInPlace(w, element);
  else for (let i = chance.integer(1, 3); i > 0; i--) body += store(w, element);
  const guard = chance.pick(['', '', 'if (x != 3) ', 'if (s[x] > 40) ']);
  const source = `constant uchar table[${size}] = { ${table.split(',').slice(0, size).join()} };
kernel void fuzz(global const uint *in, global const float *fin, global ulong *out, global uint *slots,
                 global uchar *bytes, global ushort *shorts, global float *floats, global uint *counters,
                 global uint *same, global uint *again, local uint *loc, uint n, int k) {
  const int x = get_global_id(1) * get_global_size(0) + get_global_id(0);
  global const ${element} *s = (global const ${element} *)in;
  // statements
  ${guard}{
${body}  }
}
`.replaceAll('SIZE', `${size}`);
  return { source, ...sizes(chance) };
}

function sizes(chance: Chance): { global: Triple; local: Triple } {
  const [local, rows] = chance.pick([[16, 1], [32, 1], [8, 1], [7, 1], [40, 1], [20, 2], [16, 3], [5, 4]]) as [number, number]; // biome-ignore format: a table
  const groups = chance.integer(1, Math.max(1, Math.floor(80 / local / rows)));
  return { global: [local * groups, rows, 1], local: [local, rows, 1] };
}

function declare(w: Moves, element: Element): string {
  const { chance } = w;
  const name = w.fresh('v');
  const type = chance.pick(['int', 'int', 'uint', element, 'uchar', 'ushort']);
  const value = chance.with(0.2)
    ? word(w)
    : chance.with(0.15)
      ? weighted(w, () => load(w, element))
      : expression(w, element, 0);
  w.scope.push(name);
  return `    ${type} ${name} = ${value};\n`;
}

/** An element of the input: one of several apart, a neighbour, one that work-items share. */
function load({ chance }: Moves, element: Element): string {
  const most = element.endsWith('char') ? 8 : 4;
  const stride = chance.integer(1, most);
  const plus = (least: number) => chance.integer(least, most - 1);
  const index = chance.pick([
    `x * ${stride} + ${plus(0)}`,
    `x * ${stride} + ${plus(0)}`,
    `x * ${stride} + n`,
    `x * 3 + ${chance.integer(0, most < 8 ? 1 : 5)}`,
    `x + ${plus(0)}`,
    `(x >> ${chance.integer(1, 3)}) + ${plus(0)}`,
    `x / 2 + ${plus(0)}`,
    `get_global_id(0) / ${chance.pick([2, 4, 8, 32, 512])} + ${plus(0)}`,
    `(x * ${chance.integer(1, 5)} + ${plus(0)} >> ${chance.integer(1, 9)}) + n`,
    `(x & ~${chance.pick([1, 3, 7])}) + ${plus(0)}`,
    `get_global_size(0) - 1 - get_global_id(0)`,
    `(x * 7) & 63`,
  ]);
  return `s[${index}]`;
}

/** A word, with its bytes in another order. */
function word(w: Moves): string {
  const { chance } = w;
  const v = chance.pick([
    `in[x]`,
    `in[x & 63]`,
    `in[x >> ${chance.integer(1, 5)}]`,
    `(uint)s[x]`,
    ...w.scope.map((name) => `(uint)${name}`),
  ]);
  const byte = () => `((${v} >> ${8 * chance.integer(0, 3)}) & 255) << ${8 * chance.integer(0, 3)}`;
  return chance.pick([
    `(${v} >> 24) | ((${v} >> 8) & 0xff00) | ((${v} << 8) & 0xff0000) | (${v} << 24)`,
    `rotate(${v} & 0x00ff00ff, 24u) | (rotate(${v}, 8u) & 0x00ff00ff)`,
    `(${byte()}) | (${byte()}) | (${byte()})`,
    `as_uint(as_uchar4(${v}).${chance.pick(['zyxw', 'wzyx', 'yxwz', 'xxzz'])})`,
    `(${v} & 0xff00ff00) | ((${v} >> 16) & 255) | ((${v} & 255) << 16)`,
    `(ushort)((ushort)(${v}) << 8 | (ushort)(${v}) >> 8)`,
    `as_uint((uchar4)(${w.scope.length > 0 ? chance.pick(w.scope) : 'x'}, s[x], s[x + 1], 255))`,
  ]);
}

/** Arithmetic on a number within limits, such as a letter's, and something else outside of them. */
function bounded({ chance }: Moves, number: string, other: string): string {
  const low = chance.integer(-20, 200);
  const high = low + chance.integer(0, 60);
  const from = `(${number} - ${chance.pick([low, low, 0, high])} + ${chance.integer(-5, 20)})`;
  const divisor = chance.pick([2, 3, 8, 10, 26, 100]);
  const inside = chance.pick([
    `${from} % ${divisor} + ${low}`,
    `${from} / ${divisor}`,
    `${from} * ${chance.integer(-3, 9)} >> ${chance.integer(0, 4)}`,
    `(uint)${from} / ${divisor}u`,
  ]);
  const within = chance.pick([
    `${number} >= ${low} && ${number} <= ${high}`,
    `(uchar)(${number} - ${low}) < ${high - low + 1}`,
    `${number} < ${high}`,
  ]);
  return chance.with(0.5) ? `(${within} ? ${inside} : ${other})` : `(!(${within}) ? ${other} : ${inside})`;
}

/** A sum that is clamped, to the numbers of a type or to others. */
function clamped({ chance }: Moves, leaf: () => string): string {
  const [low, high] = chance.pick([[0, 255], [-128, 127], [0, 65535], [-32768, 32767], [-90, 200]]) as [number, number]; // biome-ignore format: a table
  const other = chance.pick([leaf, leaf, () => `${chance.integer(-300, 300)}`]);
  const sum = `(int)(${leaf()} ${chance.pick(['+', '-'])} ${other()})`;
  return chance.pick([
    `clamp(${sum}, ${low}, ${high})`,
    `min(max(${sum}, ${low}), ${high})`,
    `min(${sum}, ${high})`,
    `max(${sum}, ${low})`,
    `(int)min((uint)${sum}, ${Math.abs(high)}u)`,
  ]);
}

/** A sum of products, as of colours and of filters, scaled down. */
function weighted({ chance }: Moves, leaf: () => string): string {
  const weight = () =>
    chance.pick([
      () => `${chance.integer(-128, 127)}`,
      () => `${chance.integer(-40000, 40000)}`,
      () => chance.pick(['-32768', '32767', '32768', '65535', '(uchar)k', '(short)n']),
      leaf,
    ])();
  const term = () =>
    chance.pick([
      () => `${leaf()} * ${weight()}`,
      () => `${leaf()} * ${weight()}`,
      () => `(${leaf()} - ${chance.pick(['16', '128', leaf()])}) * ${weight()}`,
      leaf,
      () => `${chance.integer(-70000, 70000)}`,
    ])();
  let sum = term();
  for (let i = chance.integer(1, 4); i > 0; i--) sum += ` ${chance.pick(['+', '+', '-'])} ${term()}`;
  return `((${sum}) >> ${chance.pick([0, 1, 7, 8, 8, 14, 16])})`;
}

function expression(w: Moves, element: Element, depth: number): string {
  const { chance } = w;
  const leaf = () => (w.scope.length > 0 && chance.with(0.4) ? chance.pick(w.scope) : load(w, element));
  if (depth >= MOST_DEPTH) return leaf();
  const e = () => expression(w, element, depth + 1);
  return chance.pick([
    leaf,
    leaf,
    () => `(${e()} ${chance.pick(['+', '-', '*', '&', '|', '^'])} ${e()})`,
    () => `(${e()} ${chance.pick(['>>', '<<'])} ${chance.integer(0, 7)})`,
    () => `((uchar)${leaf()} >> (x & 7) & 1)`,
    () =>
      `(${e()} ${chance.pick(COMPARED)} ${chance.pick([`${chance.integer(-3, 260)}`, 'k', 'n', e()])} ? ${chance.pick([e(), '255', '0', '1'])} : ${chance.pick([e(), '0'])})`,
    () => `(${leaf()} ${chance.pick(COMPARED)} ${chance.pick(FLOATS)} ? 255 : 0)`,
    () => `(${chance.pick(FLOATS)} ${chance.pick(COMPARED)} ${leaf()} ? ${leaf()} : 7)`,
    () => `((${e()} != 0) << ${chance.integer(0, 7)})`,
    () =>
      `table[(${e()}) & ${chance.pick([15, 15, 31, 63])} % SIZE]`.replace(
        /& (\d+) % SIZE/,
        '& (SIZE == 5 ? 3 : min($1, SIZE - 1))',
      ),
    () => `table[(uchar)(${leaf()}) >> (SIZE >= 16 ? 4 : 7)]`,
    () => `s[(${e()}) & ${chance.pick([7, 15, 63])}]`,
    () => `clamp((int)${e()}, 0, 255)`,
    () => `min(max((int)${e()}, -128), 127)`,
    () => `abs((int)${e()} - (int)${leaf()})`,
    () => `convert_${element}_sat((int)${e()})`,
    () => `add_sat((${element})${e()}, (${element})${leaf()})`,
    () => `popcount((uchar)${e()})`,
    () => `(${e()} / ${chance.pick([2, 3, 4, 9, 64, 255])})`,
    () => bounded(w, leaf(), e()),
    () => clamped(w, leaf),
    () => weighted(w, leaf),
    () => `clamp((int)${weighted(w, leaf)}, 0, 255)`,
    () => `(int)as_uchar4(${chance.pick([`in[x]`, `(uint)${e()}`])}).${chance.pick([...'xyzw'])}`,
    () => `(int)((uint)${e()} >> ${chance.pick([8, 16, 24])})`,
  ])();
}

/** Stores to a buffer that no other statement writes: places of another layout are other work-items'. */
function store(w: Moves, element: Element): string {
  const { chance } = w;
  const e = () => (w.scope.length > 0 && chance.with(0.5) ? chance.pick(w.scope) : expression(w, element, 2));
  const components = (count: number) => Array.from({ length: count }, () => `(${element})(${e()})`);
  const separate = (pointer: string, values: readonly string[]) =>
    values.map((v, i) => `    ${pointer}[x * ${values.length} + ${i}] = ${v};\n`).join('');
  const width = chance.pick([2, 3, 4]);
  const reversed = 'get_global_size(0) * get_global_size(1) - 1 - x';
  const buffer = chance.pick(BUFFERS.filter((each) => !w.written.has(each)));
  w.written.add(buffer);
  switch (buffer) {
    case 'bytes':
      return chance.pick([
        () => separate('bytes', components(chance.integer(1, 2))),
        () => `    bytes[${reversed}] = ${e()};\n`,
      ])();
    case 'shorts':
      return `    shorts[${chance.pick(['x', reversed])}] = ${e()};\n`;
    case 'slots':
      return `    slots[x] = ${chance.with(0.6) ? word(w) : e()};\n`;
    case 'out':
      return chance.pick([
        () => separate(`((global ${element} *)out)`, components(chance.integer(1, 4))),
        () => separate(`((global ${element} *)out)`, components(3)),
        () =>
          `    vstore${width}((${element}${width})(${components(width).join()}), x, (global ${element} *)out);\n`,
        () => `    out[x] = ((ulong)(uint)(${word(w)}) << 32) | (uint)(${e()});\n`,
      ])();
  }
}

/** Conditional stores to elements of the work-item's own that it has read or written before, or to which it does neither. */
function changeInPlace(w: Moves, element: Element): string {
  const { chance } = w;
  const buffer = chance.pick(['bytes', 'shorts', 'slots'] as const);
  const e = () => (w.scope.length > 0 && chance.with(0.5) ? chance.pick(w.scope) : expression(w, element, 2));
  const value = () => (chance.with(0.5) ? e() : `${chance.integer(0, 255)}`);
  const change = () => {
    const own = chance.with(0.8) ? `${buffer}[x]` : e();
    return `${own} ${chance.pick(COMPARED)} ${chance.with(0.5) ? value() : chance.integer(0, 255)}`;
  };
  const put = () =>
    `${buffer}[x] ${chance.pick(['=', '=', '=', '+=', '^='])} ${chance.with(0.3) ? `-${buffer}[x]` : value()};`;
  const first = chance.pick([
    `    ${buffer}[x] = ${e()};\n`,
    `    ${buffer}[x] += ${e()};\n`,
    `    if (${buffer}[x] > 100) ${buffer}[x] = ${e()};\n`,
    '',
  ]);
  const statements = () =>
    chance.pick([
      () => `    if (${change()}) ${put()}\n`,
      () => `    if (${change()}) ${put()}\n    else if (${change()}) ${put()}\n`,
      () => `    if (${change()}) { if (${change()}) ${put()} else ${put()} }\n`,
      () => `    if (${change()}) { ${put()} } else { if (${change()}) ${put()} }\n`,
      () => `    if (${change()}) for (int j = 0; j < (x & 3); j++) ${put()}\n`,
      () => `    for (int j = 0; j < 3; j++) if (${change()}) ${put()}\n`,
    ])();
  return first + Array.from({ length: chance.integer(1, 3) }, statements).join('');
}
