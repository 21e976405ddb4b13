// SPDX-License-Identifier: MIT
//
// Random kernels in which the work-items of a group exchange values of all types through local memory: stores, a barrier, and reads of
// what others have stored. In loops and branches that the whole group takes, with reductions, scans, pointers that take turns,
// atomics, asynchronous copies, collective functions, private arrays, and tiles that are read by columns.
import { Chance } from '../chance';
import { Draft } from './draft';
import { PARAMETERS, type RandomKernel, type Triple } from './model';

const TYPES = [
  'uint',
  'uint',
  'int',
  'uchar',
  'short',
  'ulong',
  'float',
  'uint2',
  'uchar4',
  'float4',
  'ushort3',
] as const;
type Type = (typeof TYPES)[number];
const BARRIER = 'barrier(CLK_LOCAL_MEM_FENCE);';
/** Elements of each array, at least as many as a group has work-items. */
const LENGTH = 64;
const LOCALS: readonly Triple[] = [[16, 1, 1], [32, 1, 1], [8, 1, 1], [7, 1, 1], [64, 1, 1], [8, 4, 1], [4, 4, 1], [8, 8, 1], [5, 3, 1], [16, 2, 1], [4, 2, 2]]; // biome-ignore format: a table

interface Shared {
  readonly name: string;
  readonly type: Type;
}

class Exchanges extends Draft {
  readonly arrays: Shared[] = [];
  /** Variables that differ between work-items, and those that do not. */
  readonly varying = ['v0', 'v1', 'v2', 'v3'];
  readonly uniform = ['n', '(uint)k', '(uint)get_group_id(0)', '(uint)get_group_id(1)', 'u0'];

  constructor(
    seed: number,
    readonly portable: boolean,
    readonly local: Triple,
    /** Whether every group has all work-items. */
    readonly whole: boolean,
  ) {
    super(seed);
    this.budget = this.chance.integer(3, 10);
  }
}

type Statement = (w: Exchanges, indent: string) => string;

export function randomExchanges(seed: number, { portable = false } = {}): RandomKernel {
  const { global, local, whole } = sizes(new Chance(seed ^ 0xe8c4a), portable);
  const w = new Exchanges(seed, portable, local, whole);
  for (let i = 0; i < 3; i++) w.arrays.push({ name: `a${i}`, type: w.chance.pick(TYPES) });
  let body = '';
  while (w.budget > 0) body += statement(w, '  ');
  const arrays = w.arrays.map(({ name, type }) => `  local ${type} ${name}[${LENGTH}];\n`);
  const filled = w.arrays.map(({ name, type }) => `${name}[j] = ${asElement(type, 'j')};`);
  const source = `kernel void fuzz(${PARAMETERS}) {
  const uint x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
  const uint LX = get_local_size(0), LY = get_local_size(1), LS = LX * LY * get_local_size(2);
  const uint gid = (get_global_id(2) * get_global_size(1) + y) * get_global_size(0) + x;
  const uint lid = (get_local_id(2) * LY + ly) * LX + lx;
${arrays.join('')}  local uint tile[8][9];
  for (uint j = lid; j < ${LENGTH}; j += LS) { ${filled.join(' ')} tile[j >> 3][j & 7] = j; }
  uint v0 = gid, v1 = in[gid & 255], v2 = lid * 3 + 1, v3 = 7, u0 = n + 1;
  uint own[4] = { gid, x, y, 1 };
  ${BARRIER}
  // statements
${body}${[0, 1, 2, 3].map((i) => `  out[gid * 8 + ${i}] = v${i};\n  out[gid * 8 + ${i + 4}] = own[${i}];\n`).join('')}}
`;
  return { source, global, local };
}

function sizes(chance: Chance, portable: boolean): { global: Triple; local: Triple; whole: boolean } {
  const local = chance.pick(LOCALS);
  const groups = [
    chance.integer(1, Math.max(1, Math.floor(64 / local[0]))),
    local[2] > 1 ? 1 : chance.integer(1, 2),
    1,
  ];
  const whole = portable || chance.with(0.7);
  const missing = (d: number) => (whole || d === 2 ? 0 : chance.integer(0, local[d]! - 1));
  const extent = (d: number) => groups[d]! * local[d]! - missing(d);
  return { global: [extent(0), extent(1), extent(2)], local, whole };
}

// ---- values

/** A number as an element: floats are small enough to add up exactly. */
function asElement(type: Type, value: string): string {
  if (type === 'float') return `(float)((${value}) & 1023)`;
  if (type === 'float4') return `convert_float4((uint4)(${value}, lid, 1, (${value}) >> 3) & 1023)`;
  if (type === 'uint2') return `(uint2)(${value}, lid)`;
  if (type === 'uchar4') return `(uchar4)((uchar)(${value}), (uchar)lid, (uchar)((${value}) >> 8), 7)`;
  if (type === 'ushort3') return `(ushort3)((ushort)(${value}), (ushort)lid, (ushort)((${value}) >> 5))`;
  return `(${type})(${value})`;
}

/** An element as a number. */
function asNumber({ chance }: Exchanges, type: Type, element: string): string {
  const vector = /\d$/.test(type);
  if (!vector) return type === 'float' ? `(uint)(int)${element}` : `(uint)${element}`;
  const component = chance.pick(['x', 'y']);
  if (type === 'float4') return `(uint)(int)${element}.${chance.pick([component, 'z', 'w'])}`;
  return `(uint)${element}.${component}`;
}

function number(w: Exchanges, depth = 0): string {
  const { chance } = w;
  const leaf = () =>
    chance.pick([
      chance.pick(w.varying),
      chance.pick(w.varying),
      chance.pick(w.uniform),
      chance.pick(['lid', 'gid', 'lx', 'ly', 'x', 'LS']),
      `in[(${chance.pick(['gid', 'lid', 'v0', 'u0'])} + ${chance.integer(0, 9)}) & 255]`,
      `own[${chance.pick(['0', '1', 'v1 & 3', 'u0 & 3', 'lid & 3'])}]`,
      `${chance.integer(0, 99)}u`,
    ]);
  if (depth > 1) return leaf();
  const e = () => number(w, depth + 1);
  return chance.pick([
    leaf,
    leaf,
    () => `(${e()} ${chance.pick(['+', '-', '*', '^', '&', '|'])} ${e()})`,
    () => `(${e()} ${chance.pick(['>>', '<<'])} ${chance.integer(0, 9)})`,
    () => `(${condition(w)} ? ${e()} : ${e()})`,
    () => `${chance.pick(['min', 'max', 'rotate', 'mul_hi', 'hadd'])}((uint)${e()}, (uint)${e()})`,
  ])();
}

const condition = ({ chance, varying }: Exchanges): string =>
  chance.pick(['(lid & 1)', 'lid < 5', '(gid & 3) != 1', 'ly == 0', 'lx > 2', `${chance.pick(varying)} > 40`, `(${chance.pick(varying)} & 2)`]); // biome-ignore format: a table

const uniformCondition = ({ chance, uniform }: Exchanges): string =>
  chance.pick([
    'k < 0',
    'n == 7',
    'get_group_id(0) == 0',
    `(${chance.pick(uniform)} & 1)`,
    '(in[u0 & 63] & 1)',
    'LS > 12',
  ]);

/** The place of an element that any work-item may read. */
const place = (w: Exchanges): string =>
  w.chance.pick([
    `(lid + ${w.chance.integer(1, 9)}) % LS`,
    'LS - 1 - lid',
    '(lx * LY + ly) % LS',
    '(lid * 5 + 3) % LS',
    `(${number(w, 1)}) & ${LENGTH - 1}`,
    `${w.chance.integer(0, 6)}`,
    'u0 % LS',
    'lid / 2',
  ]);

// ---- what work-items store, and read after a barrier

const STORES: readonly ((w: Exchanges, a: Shared) => string)[] = [
  (w, { name, type }) => `${name}[lid] = ${asElement(type, number(w))};`,
  (w, { name, type }) => `${name}[LS - 1 - lid] = ${asElement(type, number(w))};`,
  (w, { name, type }) => `${name}[(lid + ${w.chance.integer(1, 9)}) % LS] = ${asElement(type, number(w))};`,
  (w, { name, type }) =>
    `${name}[(lid + ${w.chance.integer(1, 60)}) & ${LENGTH - 1}] = ${asElement(type, number(w))};`,
  (w, { name, type }) => `if (${condition(w)}) ${name}[lid] = ${asElement(type, number(w))};`,
  (w, { name, type }) =>
    `for (uint j = lid; j < ${LENGTH}; j += LS) ${name}[j] = ${asElement(type, `j * ${number(w, 1)}`)};`,
  (w, { name, type }) =>
    `if (lid == ${w.chance.pick(['0', 'LS - 1', 'u0 % LS'])}) for (uint j = 0; j < LS; j++) ${name}[j] = ${asElement(type, `j ^ ${number(w, 1)}`)};`,
  (w, a) => strided(w, a),
];

/** Two elements of each work-item, half a group apart or side by side. */
function strided(w: Exchanges, { name, type }: Shared): string {
  const [first, second] = w.chance.pick([['lid * 2', 'lid * 2 + 1'], ['lid', `lid + ${LENGTH / 2}`]]); // biome-ignore format: a table
  return `if (lid < ${LENGTH / 2}) { ${name}[${first}] = ${asElement(type, number(w))}; ${name}[${second}] = ${asElement(type, number(w))}; }`;
}

const READS: readonly ((w: Exchanges, a: Shared, to: string) => string)[] = [
  (w, { name, type }, to) => `${to} = ${asNumber(w, type, `${name}[${place(w)}]`)};`,
  (w, { name, type }, to) => `${to} += ${asNumber(w, type, `${name}[${place(w)}]`)};`,
  (w, { name, type }, to) =>
    `${to} += (lid > 0 ? ${asNumber(w, type, `${name}[lid - 1]`)} : 3) + (lid + 1 < LS ? ${asNumber(w, type, `${name}[lid + 1]`)} : 5);`,
  (w, { name, type }, to) =>
    `for (uint j = 0; j < ${w.chance.pick(['LS', 'lid + 1', '(v1 & 7)', 'LX'])}; j++) ${to} = ${to} * 3 + ${asNumber(w, type, `${name}[j]`)};`,
  (w, { name, type }, to) =>
    `for (uint j = 0; j < LS; j++) if (${asNumber(w, type, `${name}[j]`)} > ${number(w, 1)}) { ${to} = j; break; }`,
  (w, { name, type }, to) => `if (${condition(w)}) ${to} = ${asNumber(w, type, `${name}[${place(w)}]`)};`,
  (w, { name, type }) =>
    `own[${w.chance.pick(['lid & 3', '1', 'v2 & 3'])}] ^= ${asNumber(w, type, `${name}[${place(w)}]`)};`,
  (w, { name, type }) =>
    `u0 = ${asNumber(w, type, `${name}[${w.chance.pick(['0', '3', 'n & 7'])}]`)} & 0xffff;`,
];

const exchange: Statement = (w, indent) => {
  const a = w.chance.pick(w.arrays);
  return `${indent}${w.chance.pick(STORES)(w, a)} ${BARRIER} ${w.chance.pick(READS)(w, a, w.chance.pick(w.varying))} ${BARRIER}\n`;
};

const tile: Statement = (w, indent) => {
  const to = w.chance.pick(w.varying);
  const read = w.chance.pick(['tile[lx & 7][ly & 7]', 'tile[ly & 7][7 - (lx & 7)]', 'tile[lid & 7][(lid >> 3) & 7]', 'tile[(ly + 1) & 7][(lx + 7) & 7]']); // biome-ignore format: a table
  return `${indent}tile[(lid >> 3) & 7][lid & 7] = ${number(w)}; ${BARRIER} ${to} ${w.chance.pick(['=', '+=', '^='])} ${read}; ${BARRIER}\n`;
};

/** An element that work-items read on both sides of a barrier. Its place is neither there nor elsewhere computed again. */
const twice: Statement = (w, indent) => {
  const { chance } = w;
  const a = chance.pick(w.arrays);
  const p = w.fresh('p');
  const by = chance.integer(1, 9);
  const at = chance.pick([`min(lid + ${by}, LS - 1)`, `(uint)max((int)lid - ${by}, 0)`, `(lid + ${by}) % LS`, `(lid + LS - ${by} % LS) % LS`, `(lid + ${by}) & ${chance.pick([3, 7, 15, 31, LENGTH - 1])}`, `(lid + ${by}) & (LS - 1)`]); // biome-ignore format: a table
  const read = () =>
    `${chance.pick(w.varying)} ${chance.pick(['=', '+=', '^='])} ${asNumber(w, a.type, `${a.name}[${p}]`)};`;
  const other = chance.pick(['', `if (${uniformCondition(w)}) `, `if (${condition(w)}) `]);
  return `${indent}{ uint ${p} = ${at}; ${read()} ${other}${chance.pick(w.varying)} += ${p}; ${BARRIER} ${chance.pick(STORES)(w, a)} ${BARRIER} ${read()} ${BARRIER} }\n`;
};

const scalars = (w: Exchanges) => w.arrays.filter(({ type }) => !/\d$/.test(type));

const reduction: Statement = (w, indent) => {
  const a = w.chance.pick([...scalars(w), undefined]);
  if (!a) return tile(w, indent);
  const { name, type } = a;
  const combined = w.chance.pick([`${name}[lid] += ${name}[lid + s]`, `${name}[lid] = max(${name}[lid], ${name}[lid + s])`, `if (${name}[lid + s] < ${name}[lid]) ${name}[lid] = ${name}[lid + s]`]); // biome-ignore format: a table
  return `${indent}${name}[lid] = ${asElement(type, number(w))}; ${BARRIER} for (uint s = ${LENGTH / 2}; s > 0; s >>= 1) { if (lid < s && lid + s < LS) ${combined}; ${BARRIER} } ${w.chance.pick(['v0', 'v1'])} = ${asNumber(w, type, `${name}[0]`)}; ${BARRIER}\n`;
};

const scan: Statement = (w, indent) => {
  const a = w.chance.pick([...scalars(w), undefined]);
  if (!a) return exchange(w, indent);
  const { name, type } = a;
  return `${indent}${name}[lid] = ${asElement(type, number(w))}; ${BARRIER} for (uint s = 1; s < LS; s <<= 1) { ${type} t = lid >= s ? ${name}[lid - s] : (${type})0; ${BARRIER} ${name}[lid] += t; ${BARRIER} } ${w.chance.pick(w.varying)} = ${asNumber(w, type, `${name}[lid]`)}; ${BARRIER}\n`;
};

/** Two pointers that take turns as source and target. */
const turns: Statement = (w, indent) => {
  const type = w.chance.pick(['uint', 'short', 'uchar', 'float'] as const);
  const [one, two, from, to] = ['l', 'l', 's', 't'].map((prefix) => w.fresh(prefix));
  const element = asElement(
    type,
    `${asNumber(w, type, `${from}[(lid + 1) % LS]`)} + ${asNumber(w, type, `${from}[lid]`)} + ${w.chance.pick(['1', 'n', 'r'])}`,
  );
  // Local variables stand in the kernel's outermost block.
  const pointers = `local ${type} *${one} = (local ${type} *)loc, *${two} = (local ${type} *)&tile[0][0], *${from} = ${one}, *${to} = ${two};`;
  const swapped = `{ local ${type} *h = ${from}; ${from} = ${to}; ${to} = h; }`;
  return `${indent}${pointers} ${from}[lid] = ${asElement(type, number(w))}; ${BARRIER} for (uint r = 0; r < ${w.chance.pick(['n', '3', '(u0 & 3)'])}; r++) { ${to}[lid] = ${element}; ${BARRIER} ${swapped} } ${w.chance.pick(w.varying)} += ${asNumber(w, type, `${from}[LS - 1 - lid]`)}; ${BARRIER}\n`;
};

/** Counts in any order. */
const atomics: Statement = (w, indent) => {
  const { chance } = w;
  const a = w.arrays.find(({ type }) => type === 'uint' || type === 'int') ?? {
    name: 'loc',
    type: 'uint' as const,
  };
  const most = a.name === 'loc' ? 'LS' : `${LENGTH}`;
  const kind = chance.pick(['add', 'max', 'or', 'xor', 'sub', 'min', 'inc']);
  const at = `&${a.name}[(${number(w, 1)}) % ${most}]`;
  const call = kind === 'inc' ? `atomic_inc(${at})` : `atomic_${kind}(${at}, ${number(w, 1)})`;
  const many = chance.pick([
    '',
    `for (uint j = 0; j < ${chance.pick(['n', '(v2 & 3)'])}; j++) `,
    `if (${condition(w)}) `,
  ]);
  return `${indent}for (uint j = lid; j < ${most}; j += LS) ${a.name}[j] = j; ${BARRIER} ${many}${call}; ${BARRIER} ${chance.pick(w.varying)} = ${a.name}[${chance.pick(['lid', 'LS - 1 - lid', '0'])}]; ${BARRIER}\n`;
};

const asynchronous: Statement = (w, indent) => {
  const { chance } = w;
  const a = chance.pick(scalars(w).length > 0 ? scalars(w) : [{ name: 'loc', type: 'uint' as const }]);
  const name = w.fresh('e');
  const length = a.name === 'loc' ? 'LS' : chance.pick(['LS', '17', `${LENGTH}`]);
  // Elements of the input as floats would be any number.
  const from = a.type === 'float' ? 'fin' : `(global const ${a.type} *)in`;
  const wait = `wait_group_events(1, &${name}); ${BARRIER}`;
  const stride = chance.with(0.3) && length === 'LS' && a.type !== 'ulong';
  const read =
    a.type === 'float'
      ? `own[1] ^= as_uint(${a.name}[${place(w)} % LS])`
      : `${chance.pick(w.varying)} ^= (uint)${a.name}[(${place(w)}) % LS]`;
  const back = a.type !== 'float' && w.whole && chance.with(0.5);
  // A group's part of the buffer is the same for elements of all sizes.
  const group = `(get_group_id(1) * get_num_groups(0) + get_group_id(0)) * LS * (16 / sizeof(${a.type}))`;
  const copyBack = back ? ` ${name} = async_work_group_copy((global ${a.type} *)slots + ${group}, ${a.name}, LS, 0); wait_group_events(1, &${name}); ${BARRIER}` : ''; // biome-ignore format: a statement
  const copy = stride ? `async_work_group_strided_copy(${a.name}, ${from}, LS, ${chance.pick([1, 2, 3])}, 0)` : `async_work_group_copy(${a.name}, ${from} + (u0 & 31), ${length}, 0)`; // biome-ignore format: a statement
  const again = a.type === 'float' ? ` ${a.name}[lid] = 1.0f; ${BARRIER}` : '';
  return `${indent}event_t ${name} = ${copy}; ${wait} ${read}; ${BARRIER}${copyBack}${again}\n`;
};

const collective: Statement = (w, indent) => {
  const { chance } = w;
  if (w.portable) return scan(w, indent);
  const type = chance.pick(['uint', 'int', 'long', 'ulong']);
  const kind = chance.pick(['add', 'min', 'max']);
  return `${indent}${chance.pick([
    `${chance.pick(w.varying)} = (uint)work_group_scan_${chance.pick(['inclusive', 'exclusive'])}_${kind}((${type})${number(w)});`,
    `u0 = (uint)work_group_reduce_${kind}((${type})${number(w)}) & 0xffff;`,
    `u0 = work_group_broadcast(${number(w)}, ${w.whole ? '1' : '0'} % LX, 0, 0) & 0xff;`,
    `u0 = work_group_${chance.pick(['any', 'all'])}((int)${number(w)} & 7);`,
  ])}\n`;
};

// ---- control flow

/** What a work-item does alone. */
const alone: Statement = (w, indent) => {
  const to = w.chance.pick(w.varying);
  return `${indent}${w.chance.pick([
    `${to} = ${number(w)};`,
    `if (${condition(w)}) ${to} ^= ${number(w)};`,
    `for (uint j = 0; j < (${w.chance.pick(w.varying)} & 7); j++) ${to} = ${to} * 5 + ${number(w, 1)};`,
    `own[${w.chance.pick(['v3 & 3', 'lid & 3', '2'])}] = ${number(w)};`,
    `for (uint j = 0; j < 4; j++) own[j] += ${number(w, 1)};`,
  ])}\n`;
};

const branch: Statement = (w, indent) => {
  const then = `${indent}if (${uniformCondition(w)}) {\n${some(w, `${indent}  `)}${indent}}\n`;
  return w.chance.with(0.5) ? then : `${then}${indent}else {\n${some(w, `${indent}  `)}${indent}}\n`;
};

const loop: Statement = (w, indent) => {
  const i = w.fresh('i');
  const end = w.chance.pick(['2', '3', 'n', '(u0 & 3)', '(in[n] & 3)', 'get_num_groups(0)']);
  w.uniform.push(i);
  const leave = w.chance.with(0.2)
    ? `${indent}  if (${uniformCondition(w)}) ${w.chance.pick(['break', 'continue'])};\n`
    : '';
  const body = some(w, `${indent}  `) + leave + some(w, `${indent}  `);
  w.uniform.pop();
  return `${indent}for (uint ${i} = 0; ${i} < ${end}; ${i}++) {\n${body}${indent}}\n`;
};

/** The whole group ends. */
const leave: Statement = (w, indent) =>
  `${indent}if (get_group_id(0) == ${w.chance.integer(0, 2)} && ${uniformCondition(w)}) return;\n`;

const SIMPLE: readonly Statement[] = [exchange, exchange, exchange, twice, tile, alone, alone, reduction, scan, turns, atomics, asynchronous, collective]; // biome-ignore format: a table
const ALL: readonly Statement[] = [...SIMPLE, branch, branch, loop, loop, loop, leave];

function statement(w: Exchanges, indent: string): string {
  w.budget--;
  return w.chance.pick(w.budget < 0 || indent.length > 6 ? SIMPLE : ALL)(w, indent);
}

function some(w: Exchanges, indent: string): string {
  return Array.from({ length: w.chance.integer(1, 2) }, () => statement(w, indent)).join('');
}
