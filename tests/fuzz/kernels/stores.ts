// SPDX-License-Identifier: MIT
//
// Random kernels of stores: each work-item has some elements of its own in two arrays, which lie in rows, in planes, backwards or in
// pairs, and writes them under conditions, in loops both ways, through pointers that it chooses, by cases that fall through, as
// vectors, as components of vectors, as halves, several in place one after the other, the same ones in each iteration, and two bytes as a
// short.
import { Chance } from '../chance';
import { Draft } from './draft';
import { bytesOf, PARAMETERS, type RandomKernel, type Triple } from './model';

const TYPES = ['uchar', 'uchar', 'char', 'ushort', 'short', 'int', 'uint', 'uint', 'long', 'float'] as const;
type Type = (typeof TYPES)[number];
/** Bytes of a work-item in each of the buffers. */
const BUFFERS = { out: 64, slots: 16 } as const;
const MOST_DEPTH = 3;

/** An array with some elements for each work-item. */
interface Own {
  readonly name: string;
  readonly type: Type;
  readonly count: number;
  /** The index of an element. */
  readonly at: (element: string) => string;
  /** Whether a work-item's elements are consecutive. */
  readonly inRows: boolean;
}

class Stores extends Draft {
  readonly variables: string[] = [];
  readonly own: Own[] = [];
  /** Indices of enclosing loops; they are below the count of any array. */
  readonly indices: string[] = [];
  override budget = 16;

  constructor(
    seed: number,
    readonly source: Type,
    readonly portable: boolean,
  ) {
    super(seed);
  }
}

type Statement = (w: Stores, indent: string, inLoop: boolean) => string;

export function randomStores(seed: number, { portable = false } = {}): RandomKernel {
  const pick = new Chance(seed ^ 0x5707e5);
  const w = new Stores(seed, pick.pick(TYPES.filter((type) => type !== 'float')), portable);
  const { chance } = w;
  // Both arrays are often of one type, so that a pointer may lead to either.
  const type = chance.pick(TYPES);
  w.own.push(
    ownArray(w, 'p', type, 'out'),
    ownArray(w, 'q', chance.with(0.6) ? type : chance.pick(TYPES), 'slots'),
  );
  let body = '';
  for (let i = chance.integer(1, 3); i > 0; i--) body += declare(w, '  ');
  while (w.budget > 0) body += statement(w, '  ', false);
  const declared = w.own.map(
    ({ name, type: t }, i) => `  global ${t} *${name} = (global ${t} *)${i === 0 ? 'out' : 'slots'};\n`,
  );
  const numbers = Array.from({ length: 16 }, () => chance.integer(0, 255)).join();
  const source = `constant uchar table[16] = { ${numbers} };
kernel void fuzz(${PARAMETERS}) {
  const int y = get_global_id(1) - get_global_offset(1);
  const int x = y * get_global_size(0) + get_global_id(0) - get_global_offset(0);
  const int lx = get_local_id(0), N = get_global_size(0) * get_global_size(1);
  global const ${w.source} *s = (global const ${w.source} *)in;
${declared.join('')}  // statements
${body}}
`;
  return { source, ...sizes(chance) };
}

function sizes(chance: Chance): { global: Triple; local: Triple; offset?: Triple } {
  const [local, rows] = chance.pick([[16, 1], [32, 1], [8, 1], [7, 1], [1, 1], [40, 1], [16, 2], [5, 4], [8, 3]]) as [number, number]; // biome-ignore format: a table
  const groups = chance.integer(1, Math.max(1, Math.floor(80 / local / rows)));
  const offset: Triple = [chance.integer(0, 40), chance.integer(0, 3), 0];
  return {
    global: [local * groups, rows * chance.integer(1, 2), 1],
    local: [local, rows, 1],
    ...(chance.with(0.3) && { offset }),
  };
}

function ownArray({ chance }: Stores, name: string, type: Type, buffer: keyof typeof BUFFERS): Own {
  const most = BUFFERS[buffer] / bytesOf(type);
  const count = chance.pick([1, 2, 3, 4, 4, 5, 7, 8, 16].filter((each) => each <= most));
  const turned = chance.integer(1, 40);
  const layouts: readonly [boolean, (element: string) => string][] = [
    [true, (i) => `x * ${count} + ${i}`],
    [true, (i) => `x * ${count} + ${i}`],
    [true, (i) => `(N - 1 - x) * ${count} + ${i}`],
    [false, (i) => `x * ${count} + ${count - 1} - (${i})`],
    [false, (i) => `(${i}) * N + x`],
    [false, (i) => `(${i}) * N + x`],
    [false, (i) => `(${i}) * N + N - 1 - x`],
    [false, (i) => `(${i}) + (uint)(x * ${count})`],
    [false, (i) => `(${i}) * N + (x + ${turned}) % N`],
    [true, (i) => `(uint)(x + ${turned}) % (uint)N * ${count} + ${i}`],
  ];
  const [inRows, at] = chance.pick(layouts);
  return { name, type, count, at, inRows };
}

// ---- values

/** The number of an element below a count. */
function element({ chance, indices }: Stores, count: number): string {
  const loop = indices.length > 0 && chance.with(0.7) ? chance.pick(indices) : undefined;
  if (loop) return count >= 16 ? loop : `${loop} % ${count}`;
  return chance.pick([
    `${chance.integer(0, count - 1)}`,
    `${chance.integer(0, count - 1)}`,
    `(int)((uint)x % ${count})`,
    `(int)(s[x & 63] & 127) % ${count}`,
  ]);
}

/** An index below 64 that wraps around at a number that the compiler knows or does not. */
function wrapped({ chance }: Stores, i: string): string {
  const x = chance.pick(['x', 'lx', '(int)get_global_id(0)']);
  return chance.pick([
    `(${x} + ${i}) & ${chance.pick([3, 7, 15, 31, 63])}`,
    `(${x} + ${i}) & ${chance.pick(['(int)(n + 26)', '(int)(n + 58)', '(int)(n * 4)'])}`,
    `(uint)(${x} + ${i} + ${chance.integer(0, 40)}) % (n + ${chance.integer(0, 58)}u)`,
    `(${x} + ${i} + k + 3) % (${chance.integer(6, 60)} + k)`,
    `(${x} * 2 + ${i}) % (int)(n + 21)`,
  ]);
}

function loaded(w: Stores): string {
  const { chance } = w;
  const own = chance.pick(w.own);
  const i = w.indices.length > 0 ? chance.pick(w.indices) : `${chance.integer(0, 3)}`;
  // An eighth of the input's elements of eight bytes is enough for every index.
  return chance.pick([
    `s[(x + ${i}) & 127]`,
    `s[(x * ${chance.integer(2, 5)} + ${i}) & 127]`,
    `s[(127 - x + ${i}) & 127]`,
    `s[${wrapped(w, i)}]`,
    `s[${wrapped(w, i)}]`,
    `s[(${chance.pick(['y', 'lx', 'k', 'n', 'get_global_id(0)'])} + ${i}) & 127]`,
    own.type === 'float'
      ? `(int)clamp(${own.name}[${own.at(element(w, own.count))}], -99.0f, 99.0f)`
      : `${own.name}[${own.at(element(w, own.count))}]`,
    `table[(x + ${i}) & 15]`,
  ]);
}

function leaf(w: Stores): string {
  const { chance } = w;
  const places = ['x', 'y', 'lx', 'n', 'k', ...w.indices, ...w.variables, ...w.variables];
  return chance.with(0.5) ? loaded(w) : chance.with(0.8) ? chance.pick(places) : `${chance.integer(-9, 300)}`;
}

/** An integer of any type. */
function value(w: Stores, depth = 0): string {
  const { chance } = w;
  if (depth >= MOST_DEPTH) return leaf(w);
  const e = () => value(w, depth + 1);
  return chance.pick([
    () => leaf(w),
    () => leaf(w),
    () => `((uint)${e()} ${chance.pick(['+', '-', '*'])} (uint)${e()})`,
    () => `(${e()} ${chance.pick(['&', '|', '^'])} ${e()})`,
    () => `((uint)${e()} ${chance.pick(['>>', '<<'])} ${chance.integer(0, 9)})`,
    () => `((int)${e()} >> ${chance.integer(0, 9)})`,
    () => `(${condition(w, depth + 1)} ? (int)${e()} : (int)${e()})`,
    () => `((${chance.pick(['uchar', 'char', 'short', 'ushort'])})${e()})`,
    () =>
      `convert_${chance.pick(['uchar', 'char', 'short', 'ushort'])}_sat((${chance.pick(['int', 'uint', 'long'])})${e()})`,
    () =>
      `${chance.pick(['min', 'max', 'add_sat', 'sub_sat', 'abs_diff', 'rhadd'])}((int)${e()}, (int)${e()})`,
    () => `((uint)${e()} % ${chance.pick([3, 7, 10, 255])}u)`,
  ])();
}

function condition(w: Stores, depth = 0): string {
  const { chance } = w;
  const compared = chance.pick(['>', '>=', '<', '<=', '==', '!=']);
  const one = chance.pick([
    () =>
      `(int)${value(w, depth + 2)} ${compared} ${chance.pick(['k', '3', '100', '(int)n', `(int)${leaf(w)}`])}`,
    () => `(${leaf(w)} & ${chance.pick([1, 2, 3, 8])}) ${chance.pick(['==', '!='])} 0`,
    () => `x ${compared} ${chance.pick(['5', 'lx', 'N - 3', '(int)n'])}`,
    () =>
      `fin[(x + ${chance.integer(0, 9)}) & 255] ${compared} ${chance.pick(['0.0f', '1.5f', 'fin[x & 7]'])}`,
  ])();
  return chance.with(0.2)
    ? `((${one}) ${chance.pick(['&&', '||'])} ${chance.pick(['(x & 1) != 0', 's[x & 127] > 40'])})`
    : `(${one})`;
}

/** A value that a type holds without undefined conversions. */
function converted(w: Stores, type: Type): string {
  const { chance } = w;
  if (type === 'float')
    return chance.pick([
      `(float)(int)${value(w)}`,
      `fin[(x + ${chance.integer(0, 9)}) & 255]`,
      `convert_float((short)${value(w)}) * 0.5f`,
    ]);
  return chance.with(0.1)
    ? `convert_${type}_sat${chance.pick(['', '_rte', '_rtz', '_rtn', '_rtp'])}(fin[(x + ${chance.integer(0, 99)}) & 255])`
    : `(${type})${value(w)}`;
}

// ---- statements

function declare(w: Stores, indent: string): string {
  const name = w.fresh('v');
  const text = `${indent}${w.chance.pick(['int', 'int', 'uint', 'uchar', 'short', 'long'])} ${name} = ${value(w)};\n`;
  w.variables.push(name);
  return text;
}

const assign: Statement = (w, indent) => {
  const { chance } = w;
  if (w.variables.length === 0) return `${indent};\n`;
  const name = chance.pick(w.variables);
  return chance.with(0.5)
    ? `${indent}${name} = ${value(w)};\n`
    : `${indent}${name} ${chance.pick(['+=', '^=', '-=', '|='])} (uint)${value(w)};\n`;
};

const store: Statement = (w, indent) => {
  const { name, type, count, at } = w.chance.pick(w.own);
  const target = `${name}[${at(element(w, count))}]`;
  if (type !== 'float' && w.chance.with(0.3))
    return `${indent}${target} ${w.chance.pick(['^=', '|=', '&='])} (${type})${value(w)};\n`;
  return `${indent}${target} = ${converted(w, type)};\n`;
};

const guarded: Statement = (w, indent, inLoop) => {
  const then = `${indent}if ${condition(w)} {\n${some(w, `${indent}  `, inLoop)}${indent}}\n`;
  return w.chance.with(0.6) ? then : `${then}${indent}else {\n${some(w, `${indent}  `, inLoop)}${indent}}\n`;
};

const guardedStore: Statement = (w, indent) => `${indent}if ${condition(w)} ${store(w, '', false)}`;

/** A whole vector, or some of its components, where a work-item's elements are consecutive. */
const vectorStore: Statement = (w, indent) => {
  const { chance } = w;
  const own = w.own.find(({ inRows, count }) => inRows && count >= 2);
  if (!own) return store(w, indent, false);
  const { name, type, count, at } = own;
  const width = chance.pick([2, 3, 4, 8, 16].filter((each) => each <= count));
  const parts = (length: number) => Array.from({ length }, () => converted(w, type)).join(', ');
  const first = chance.integer(0, count - width);
  if (count !== width || width === 3 || chance.with(0.5))
    return `${indent}vstore${width}((${type}${width})(${parts(width)}), 0, ${name} + ${at(`${first}`)});\n`;
  const order = [...'0123456789abcdef'.slice(0, width)].sort(() => chance.random() - 0.5).slice(0, 2);
  return `${indent}((global ${type}${width} *)(${name} + ${at('0')}))->s${order.join('')} = (${type}2)(${parts(2)});\n`;
};

/** Neighbouring elements one after the other, each computed from what it or a neighbour was. */
const inPlace: Statement = (w, indent) => {
  const { chance } = w;
  const own = w.own.find(({ inRows, count, type }) => inRows && count >= 2 && type !== 'float');
  if (!own) return store(w, indent, false);
  const { name, type, count, at } = own;
  const place = (i: number) => `${name}[${at(`${i % count}`)}]`;
  const first = chance.integer(0, count - 1);
  const order = Array.from({ length: chance.integer(2, 5) }, (_, i) => first + i);
  return order
    .map((i) =>
      chance.with(0.6)
        ? `${indent}${place(i)} ${chance.pick(['+=', '-=', '^='])} (${type})${value(w, 1)};\n`
        : `${indent}${place(i)} = (${type})((uint)${place(chance.integer(0, count - 1))} + (uint)${value(w, 1)});\n`,
    )
    .join('');
};

/** Two bytes as one short, among stores of bytes. */
const widerStore: Statement = (w, indent) => {
  const { chance } = w;
  const own = w.own.find(({ inRows, count, type }) => inRows && count % 2 === 0 && bytesOf(type) === 1);
  if (!own) return inPlace(w, indent, false);
  const { name, count, at } = own;
  const place = `*(global ushort *)(${name} + ${at(`${2 * chance.integer(0, count / 2 - 1)}`)})`;
  const wider = `${indent}${place} ${chance.pick(['=', '=', '+='])} (ushort)${value(w, 1)};\n`;
  return chance.pick([wider, inPlace(w, indent, false) + wider, wider + inPlace(w, indent, false)]);
};

const halfStore: Statement = (w, indent) => {
  const own = w.own.find(({ type }) => bytesOf(type) === 2);
  if (!own) return vectorStore(w, indent, false);
  const mode = w.chance.pick(['', '_rte', '_rtz', '_rtp', '_rtn']);
  return `${indent}vstore_half${mode}(fin[(x + ${w.chance.integer(0, 9)}) & 255], ${own.at(element(w, own.count))}, (global half *)${own.name});\n`;
};

/** Through a pointer to one array or the other, or to one element or another. */
const chosen: Statement = (w, indent) => {
  const { chance } = w;
  const target = w.fresh('w');
  const [a, b] = chance.with(0.5) ? w.own : [...w.own].reverse();
  const to = a!.type === b!.type ? b! : a!;
  const place = ({ name, at, count }: Own) => `${name} + ${at(element(w, count))}`;
  return `${indent}global ${a!.type} *${target} = ${condition(w)} ? ${place(a!)} : ${place(to)}; *${target} = ${converted(w, a!.type)};\n`;
};

const cases: Statement = (w, indent, inLoop) => {
  const { chance } = w;
  const labels = chance.pick([['0', '1', '2', 'default'], ['-1', '0', 'default', '5'], ['1', 'default'], ['0', '1', '2', '3', '4', '7']]); // biome-ignore format: a table
  let text = `${indent}switch ((int)${leaf(w)} & ${chance.pick([3, 7])}) {\n`;
  for (const label of labels) {
    text += `${indent}  ${label === 'default' ? label : `case ${label}`}: {\n${some(w, `${indent}    `, inLoop)}${indent}  }\n`;
    if (chance.with(0.6)) text += `${indent}  break;\n`;
  }
  return `${text}${indent}}\n`;
};

const loop: Statement = (w, indent) => {
  const { chance } = w;
  const i = w.fresh('i');
  const count = chance.pick([...w.own.map((own) => own.count), 3, 4]);
  const end = chance.pick([
    `${count}`,
    `${count}`,
    `(x & 3)`,
    `min((int)n, ${count})`,
    `(int)(s[x & 127] & 3) + 1`,
  ]);
  const head = chance.pick([
    `for (int ${i} = 0; ${i} < ${end}; ${i}++)`,
    `for (int ${i} = 0; ${i} < ${end}; ${i}++)`,
    `for (int ${i} = ${end} - 1; ${i} >= 0; ${i}--)`,
    `for (int ${i} = 0; ${i} < ${end}; ${i} += 2)`,
    `for (uint ${i} = 0; ${i} < ${end}; ++${i})`,
  ]);
  w.indices.push(i);
  const body = some(w, `${indent}  `, true);
  w.indices.pop();
  return `${indent}${head} {\n${body}${indent}}\n`;
};

/** A loop that updates elements in place, which it does not choose anew: in any case, under conditions, or unless it is left before. */
const accumulate: Statement = (w, indent) => {
  const { chance } = w;
  const own = chance.pick(w.own);
  const i = w.fresh('i');
  const end = chance.pick(['5', '(int)n', '(x & 3)', '(int)(s[x & 127] & 7)', 'k + 4']);
  const fixed = () => chance.pick([`${chance.integer(0, own.count - 1)}`, `(int)((uint)x % ${own.count})`]);
  const places = Array.from({ length: chance.integer(1, 2) }, () => `${own.name}[${own.at(fixed())}]`);
  const update = (): string => {
    const place = chance.pick(places);
    if (own.type === 'float') return `${place} += fin[(x + ${i}) & 255];`;
    return chance.pick([
      () => `${place} ${chance.pick(['+=', '-=', '^=', '|='])} (${own.type})${value(w, 1)};`,
      () => `${place} = (${own.type})((uint)${place} * 3u + (uint)${value(w, 2)});`,
      () => `${place} = (${own.type})max((int)${place}, (int)${value(w, 2)});`,
      () => `${place} = ${converted(w, own.type)};`,
    ])();
  };
  const line = (): string =>
    chance.pick([
      update,
      update,
      update,
      () => `if ${condition(w, 1)} ${update()}`,
      () => `if ${condition(w, 1)} { ${update()} } else { ${update()} }`,
      () => `for (int j = 0; j < ${chance.pick(['3', '(int)n', `${i}`])}; j++) { ${update()} }`,
      () => `if ${condition(w, 1)} ${chance.pick(['break', 'continue', 'return'])};`,
      () => store(w, '', true).trim(),
    ])();
  w.indices.push(i);
  const first = chance.with(0.4)
    ? places.map((place) => `${indent}${place} = ${chance.integer(0, 9)};\n`)
    : [];
  const lines = [update(), ...Array.from({ length: chance.integer(0, 3) }, line)].sort(
    () => chance.random() - 0.5,
  );
  w.indices.pop();
  const body = lines.map((text) => `${indent}  ${text}\n`).join('');
  return `${first.join('')}${indent}for (int ${i} = 0; ${i} < ${end}; ${i}++) {\n${body}${indent}}\n`;
};

const leave: Statement = (w, indent, inLoop) =>
  inLoop || w.chance.with(0.2)
    ? `${indent}if ${condition(w)} ${inLoop ? w.chance.pick(['break', 'continue']) : 'return'};\n`
    : guardedStore(w, indent, false);

/** Their order does not matter: each counter has one kind. */
const count: Statement = (w, indent) => {
  const kind = w.chance.pick([0, 1, 2, 3]);
  const name = ['atomic_add', 'atomic_max', 'atomic_or', 'atomic_sub'][kind]!;
  return `${indent}${name}(&counters[((uint)${leaf(w)} & 3) * 4 + ${kind}], (uint)${leaf(w)});\n`;
};

const SIMPLE: readonly Statement[] = [
  store,
  store,
  store,
  assign,
  guardedStore,
  guardedStore,
  vectorStore,
  inPlace,
  widerStore,
  halfStore,
  chosen,
  count,
];
const ALL: readonly Statement[] = [
  ...SIMPLE,
  guarded,
  guarded,
  cases,
  loop,
  loop,
  loop,
  accumulate,
  accumulate,
  leave,
];

function statement(w: Stores, indent: string, inLoop: boolean): string {
  const deep = w.budget-- <= 0 || indent.length > 8;
  return w.chance.pick(deep ? SIMPLE : ALL)(w, indent, inLoop);
}

function some(w: Stores, indent: string, inLoop: boolean): string {
  const kept = w.variables.length;
  let text = w.chance.with(0.3) ? declare(w, indent) : '';
  for (let i = w.chance.integer(1, 2); i > 0; i--) text += statement(w, indent, inLoop);
  w.variables.length = kept;
  return text;
}
