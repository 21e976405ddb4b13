// SPDX-License-Identifier: MIT
//
// Functions with pointers to places of all address spaces, in branches and loops that work-items take on their own.
import { INTEGERS } from '../numbers';
import {
  applied,
  type Base,
  bitsOf,
  bitsType,
  COUNTS,
  type Expression,
  each,
  expression,
  fitted,
  isFloat,
  nameOf,
  quietExpression,
  ROWS,
  type Type,
  type Work,
  withKnownBits,
} from './expressions';
import { FLOAT_FUNCTIONS, POINTER_FUNCTIONS } from './functions';
import {
  convertFloat,
  FLOATS,
  type Float,
  infinityOf,
  isFiniteFloat,
  isNan,
  isNegative,
  isZero,
  MODES,
  nanOf,
  signOf,
  toFloat,
  toWhole,
} from './model';

/** Bytes of each work-item's own places in global memory. */
const GLOBAL_BYTES = 64;
/** Bytes of the memory that vectors are stored to. */
const ARRAY_BYTES = 64;

/** Declared in every kernel: a place for each of at most 24 work-items. */
export const LOCAL_PLACES = `  local ulong16 places[24];\n`;

const SPACES = ['private', 'element', 'local', 'global', 'generic', 'chosen'] as const;

const bytesOf = ({ base, count }: Type) => (bitsOf(base) / 8) * (count === 3 ? 4 : count);

/** A condition, and the rows for which it holds. */
function condition(w: Work): { text: string; holds: boolean[] } {
  const { chance } = w.draft;
  const rows = Array.from({ length: ROWS }, (_, row) => row);
  const k = chance.integer(0, ROWS - 1);
  return chance.pick([
    () => ({ text: `(x & ${ROWS - 1}) > ${k}`, holds: rows.map((row) => row > k) }),
    () => ({ text: `x & ${k}`, holds: rows.map((row) => (row & k) !== 0) }),
    () => ({ text: 'n == 5', holds: rows.map(() => true) }),
    () => {
      const { text, rows: values } = expression(w, { base: 'int', count: 1 }, 2);
      return { text, holds: values.map(([value]) => value !== 0n) };
    },
  ])();
}

interface Place {
  /** The statements that declare it and give it its first value. */
  readonly declaration: string;
  readonly pointer: string;
}

function place(w: Work, type: Type, name: string, initial: string): Place {
  const { chance } = w.draft;
  const type_ = nameOf(type);
  const space = chance.pick(bytesOf(type) <= GLOBAL_BYTES ? SPACES : SPACES.filter((s) => s !== 'global'));
  const privateOne = `  ${type_} ${name} = ${initial};\n`;
  const local = `(local ${type_} *)&places[LX]`;
  switch (space) {
    case 'private':
      return { declaration: privateOne, pointer: `&${name}` };
    case 'element': {
      const at = chance.pick(['x & 3', '2', '(x + n) & 3']);
      return {
        declaration: `  ${type_} ${name}[4]; ${name}[${at}] = ${initial};\n`,
        pointer: `&${name}[${at}]`,
      };
    }
    case 'local':
      return {
        declaration: `  local ${type_} *${name} = ${local}; *${name} = ${initial};\n`,
        pointer: name,
      };
    case 'global':
      return {
        declaration: `  global ${type_} *${name} = (global ${type_} *)(out + x * 8); *${name} = ${initial};\n`,
        pointer: name,
      };
    case 'generic':
      return {
        declaration: `${privateOne}  ${type_} *${name}_g = &${name};\n`,
        pointer: `${name}_g`,
      };
    case 'chosen':
      return {
        declaration: `${privateOne}  ${type_} *${name}_g = (x & ${chance.integer(1, 7)}) ? &${name} : (${type_} *)(${local}); *${name}_g = ${initial};\n`,
        pointer: `${name}_g`,
      };
  }
}

function declare(w: Work, type: Type, name: string, rows: Expression['rows']): void {
  w.variables.push({ name, type, value: { text: name, rows } });
}

/** Some rows of one value, others of another. */
const blended = (count: number, holds: readonly boolean[], a: Expression['rows'], b: Expression['rows']) =>
  each(count, (r, i) => (holds[r] ? a : b)[r]![i]!);

/** A function that returns one result and stores another. */
export function pointerCall(w: Work): string {
  const { chance } = w.draft;
  const base = chance.pick(FLOATS);
  const type: Type = { base, count: chance.pick(COUNTS) };
  const { name, operands, toInt, model, mask } = chance.pick(POINTER_FUNCTIONS);
  const pointed: Type = toInt ? { base: 'int', count: type.count } : type;
  const list = Array.from({ length: operands }, () => quietExpression(w, type, 2));
  const [first, second] = [
    withKnownBits(type, quietExpression(w, type, 1)),
    withKnownBits(pointed, quietExpression(w, pointed, 1)),
  ];
  const results = (r: number, i: number) =>
    model(base, list[0]!.rows[r]![i]!, (list[1] ?? list[0])!.rows[r]![i]!);
  const unknown = each(type.count, (r, i) => (results(r, i)[1] === undefined ? 1n : 0n))
    .flat()
    .includes(1n);
  const [result, stored] = [w.draft.fresh('v'), w.draft.fresh('v')];
  const { declaration, pointer } = place(w, pointed, w.draft.fresh('p'), second.text);
  const when = chance.with(0.6) ? condition(w) : undefined;
  const call = `${result} = ${name}(${list.map((e) => e.text).join(', ')}, ${pointer});`;
  let text = `  ${nameOf(type)} ${result} = ${first.text};\n${declaration}`;
  text += when ? `  if (${when.text}) ${call}\n` : `  ${call}\n`;
  const holds = when?.holds ?? Array.from({ length: ROWS }, () => true);
  const returned = blended(
    type.count,
    holds,
    each(type.count, (r, i) => results(r, i)[0]),
    first.rows,
  );
  text += oneNaNAfter(type, result, returned);
  declare(w, type, result, returned);
  if (unknown) return text;
  const kept = blended(
    type.count,
    holds,
    each(type.count, (r, i) => results(r, i)[1]!),
    second.rows,
  );
  const value = `*(${pointer})`;
  if (mask === undefined) {
    text += `  ${nameOf(pointed)} ${stored} = ${value};\n${oneNaNAfter(pointed, stored, kept)}`;
    declare(w, pointed, stored, kept);
    return text;
  }
  // Which sign the last bits have is known where there are some; what the place had before has all its bits.
  text += `  ${nameOf(pointed)} ${stored} = convert_${nameOf(pointed)}(abs(${value})) & ${mask};\n`;
  declare(
    w,
    pointed,
    stored,
    each(type.count, (r, i) => {
      const v = kept[r]![i]!;
      return (v < 0n ? -v : v) & mask;
    }),
  );
  return text;
}

/** Functions that are not exact: what they return and store is as other functions say, nearly, or the sign is. */
export function nearCall(w: Work): string {
  const { chance } = w.draft;
  const base = chance.pick(FLOATS);
  const type: Type = { base, count: chance.pick(COUNTS) };
  const isGamma = base !== 'half' && chance.with(0.4);
  const pointed: Type = isGamma ? { base: 'int', count: type.count } : type;
  const operand = quietExpression(w, type, 2);
  const initial = withKnownBits(pointed, quietExpression(w, pointed, 1));
  const { declaration, pointer } = place(w, pointed, w.draft.fresh('p'), initial.text);
  const [a, r, stored, known] = ['a', 'r', 'v', 'v'].map((prefix) => w.draft.fresh(prefix)) as [string, string, string, string]; // biome-ignore format: a list
  const when = condition(w);
  const name = isGamma ? 'lgamma_r' : 'sincos';
  let text = `  ${nameOf(type)} ${a} = ${operand.text}, ${r} = ${a};\n${declaration}  if (${when.text}) ${r} = ${name}(${a}, ${pointer});\n`;
  const all = type.count === 1 ? '' : 'all';
  const near = (x: string, y: string) =>
    `${all}(fabs(${x} - ${y}) <= (${base})${base === 'half' ? '0.01' : '1e-5'} | isnan(${x}) & isnan(${y}))`;
  text += isGamma
    ? `  int ${known} = ${`${all}(${r} == lgamma(${a}) | isnan(${r}))`} || !(${when.text});\n  ${nameOf(pointed)} ${stored} = *(${pointer});\n`
    : `  int ${known} = ${near(r, `sin(${a})`)} && ${near(`*(${pointer})`, `cos(${a})`)} || !(${when.text});\n`;
  declare(w, { base: 'int', count: 1 }, known, Array.from({ length: ROWS }, () => [1n])); // biome-ignore format: short
  if (!isGamma || operand.rows.some((row) => row.some((v) => !hasGamma(base, v)))) return text;
  const signs = each(type.count, (row, i) => gammaSign(base, operand.rows[row]![i]!));
  declare(w, pointed, stored, blended(type.count, when.holds, signs, initial.rows));
  return text;
}

/** Whether a number has a gamma function whose sign is known. */
const hasGamma = (base: Float, a: bigint) =>
  isFiniteFloat(base, a) && !isZero(base, a) && (!isNegative(base, a) || convertFloat(base, base, a) !== wholeBelow(base, a)); // biome-ignore format: long

const wholeBelow = (base: Float, a: bigint) => toFloat(base, toWhole(base, a, 'rtn'), 0, 'rte', isNegative(base, a)); // biome-ignore format: long

const gammaSign = (base: Float, a: bigint): bigint =>
  isNegative(base, a) && (toWhole(base, a, 'rtn') & 1n) === 1n ? -1n : 1n;

/** Makes NaNs with unknown bits known. */
function oneNaNAfter({ base, count }: Type, name: string, rows: Expression['rows']): string {
  if (!isFloat(base) || !rows.some((row) => row.some((v) => isNan(base, v)))) return '';
  // Signalling NaNs that are known become this one, too.
  for (const row of rows as bigint[][])
    row.forEach((v, i) => {
      if (isNan(base, v)) row[i] = nanOf(base);
    });
  return `  ${name} = one_nan_${nameOf({ base, count })}(${name});\n`;
}

/** A function that is called as often as each work-item wants, on its own result. */
export function repeatedCall(w: Work): string {
  const { chance } = w.draft;
  const base = chance.pick(FLOATS);
  const type: Type = { base, count: chance.pick(COUNTS) };
  const functions = FLOAT_FUNCTIONS.filter((f) => f.operands === 2 && !f.isOperator && f.scalar !== 'first');
  const { name, model, anyZero } = chance.pick(functions);
  const [start, other] = [quietExpression(w, type, 1), quietExpression(w, type, 1)];
  const by = chance.integer(1, 3);
  const result = w.draft.fresh('v');
  const rows = each(type.count, (r, i) => {
    let value = start.rows[r]![i]!;
    for (let k = r & by; k > 0; k--) value = applied(base, { model, anyZero }, value, other.rows[r]![i]!);
    return value;
  });
  const call = `${name}(${result}, ${other.text})`;
  const text = `  ${nameOf(type)} ${result} = ${start.text};\n  for (uint i = 0; i < (x & ${by}); i++) ${result} = ${anyZero ? `${call} + (${base})0` : call};\n`;
  const after = oneNaNAfter(type, result, rows);
  declare(w, type, result, rows);
  return text + after;
}

// ---- vectors in memory

/** An offset that a work-item computes: at most `most`. */
function offset(w: Work, most: number): { text: string; of: (row: number) => number } {
  const { chance } = w.draft;
  const k = chance.integer(0, most);
  return chance.pick([
    () => ({ text: `${k}`, of: () => k }),
    () => ({ text: `(x & ${ROWS - 1}) % ${k + 1}`, of: (row: number) => row % (k + 1) }),
    () => ({ text: `(n - 5 + ${k})`, of: () => k }),
  ])();
}

const ELEMENTS = [...INTEGERS, ...FLOATS] as const;

/** Loads and stores of vectors at any elements of an array, halves among them. */
export function vectorsInMemory(w: Work): string {
  const { chance } = w.draft;
  const isHalves = chance.with(0.4);
  const base: Base = isHalves ? 'ushort' : chance.pick(ELEMENTS);
  const length = ARRAY_BYTES / (bitsOf(base) / 8);
  const name = w.draft.fresh('m');
  const space = chance.pick(['private', 'local', 'global'] as const);
  const content = Array.from({ length: ROWS }, (_, row) =>
    Array.from({ length }, (_, i) => fitted(bitsType(base), BigInt(i * 4099 + row * 37 + 1))),
  );
  const address = { private: '', local: `&places[LX]`, global: '(out + x * 8)' }[space];
  const [element, whole] = [base, bitsType(base)];
  let text =
    space === 'private'
      ? `  ${element} ${name}[${length}];\n`
      : `  ${space} ${element} *${name} = (${space} ${element} *)${address};\n`;
  const cast = `(${space} ${whole} *)${name}`;
  text += `  for (uint i = 0; i < ${length}; i++) (${cast})[i] = (${whole})(i * 4099 + (x & ${ROWS - 1}) * 37 + 1);\n`;
  const array: Memory = { name, base, length, space, content };
  for (let i = chance.integer(1, 3); i > 0; i--) text += isHalves ? storeHalves(w, array) : storeVector(w, array); // biome-ignore format: a list
  for (let i = chance.integer(1, 3); i > 0; i--) text += isHalves && chance.with(0.7) ? loadHalves(w, array) : loadVector(w, array); // biome-ignore format: a list
  return text;
}

interface Memory {
  readonly name: string;
  readonly base: Base;
  readonly length: number;
  readonly space: string;
  readonly content: bigint[][];
}

/** A pointer into the array and an offset in vectors; `step`: elements of a vector in memory, to which pointers may be aligned. */
function access(w: Work, { length }: Memory, count: number, step: number, isAligned: boolean) {
  const most = Math.floor(length / step) - 1;
  const at = offset(w, most);
  const last = Math.max(...Array.from({ length: ROWS }, (_, row) => at.of(row)));
  const rest = length - (last * step + count);
  const shift = isAligned ? { text: '0', of: () => 0 } : offset(w, Math.min(rest, 5));
  return {
    offset: at.text,
    shift: shift.text,
    first: (row: number) => shift.of(row) + at.of(row) * step,
  };
}

const vectorCounts = (length: number) => [2, 3, 4, 8, 16].filter((count) => count <= length);

function storeVector(w: Work, array: Memory): string {
  const { chance } = w.draft;
  const { base, content, name, length } = array;
  const count = chance.pick(vectorCounts(length));
  const type: Type = { base, count };
  const value = withKnownBits(type, quietExpression(w, type, 2));
  const { offset: at, shift, first } = access(w, array, count, count, false);
  const when = chance.with(0.5) ? condition(w) : undefined;
  for (let row = 0; row < ROWS; row++)
    if (when?.holds[row] ?? true)
      value.rows[row]!.forEach((v, i) => {
        content[row]![first(row) + i] = v;
      });
  return `  ${when ? `if (${when.text}) ` : ''}vstore${count}(${value.text}, ${at}, ${name} + ${shift});\n`;
}

function loadVector(w: Work, array: Memory): string {
  const { base, content, name, length } = array;
  const count = w.draft.chance.pick(vectorCounts(length));
  const { offset: at, shift, first } = access(w, array, count, count, false);
  const result = w.draft.fresh('v');
  const type: Type = { base, count };
  declare(
    w,
    type,
    result,
    each(count, (r, i) => fitted(base, content[r]![first(r) + i]!)),
  );
  return `  ${nameOf(type)} ${result} = vload${count}(${at}, ${name} + ${shift});\n`;
}

const HALF_COUNTS = [1, 2, 3, 4, 8, 16] as const;

function storeHalves(w: Work, array: Memory): string {
  const { chance } = w.draft;
  const { content, name, space, length } = array;
  const count = chance.pick(HALF_COUNTS);
  const isAligned = count > 1 && chance.with(0.4);
  const from = chance.pick(['float', 'float', 'double'] as const);
  const value = quietExpression(w, { base: from, count }, 2);
  const mode = chance.pick([undefined, ...MODES]);
  const step = isAligned && count === 3 ? 4 : count;
  const { offset: at, shift, first } = access(w, array, count, step, isAligned);
  const when = chance.with(0.5) ? condition(w) : undefined;
  const bits = (row: number, i: number) => convertFloat('half', from, value.rows[row]![i]!, mode);
  let hasNaN = false;
  for (let row = 0; row < ROWS; row++)
    if (when?.holds[row] ?? true)
      for (let i = 0; i < count; i++) {
        const found = bits(row, i);
        content[row]![first(row) + i] = found;
        hasNaN ||= isNan('half', found);
      }
  const suffix = `${count === 1 ? '' : count}${mode ? `_${mode}` : ''}`;
  const store = `  ${when ? `if (${when.text}) ` : ''}vstore${isAligned ? 'a' : ''}_half${suffix}(${value.text}, ${at}, (${space} half *)(${name} + ${shift}));\n`;
  if (!hasNaN) return store;
  for (const row of content)
    row.forEach((v, i) => {
      if (isNan('half', v)) row[i] = nanOf('half');
    });
  return `${store}  for (uint i = 0; i < ${length}; i++) if ((${name}[i] & ${signOf('half') - 1n}) > ${infinityOf('half')}) ${name}[i] = ${nanOf('half')};\n`;
}

function loadHalves(w: Work, array: Memory): string {
  const { chance } = w.draft;
  const { content, name, space } = array;
  const count = chance.pick(HALF_COUNTS);
  const isAligned = count > 1 && chance.with(0.4);
  const step = isAligned && count === 3 ? 4 : count;
  const { offset: at, shift, first } = access(w, array, count, step, isAligned);
  const result = w.draft.fresh('v');
  const type: Type = { base: 'float', count };
  const rows = each(count, (r, i) => convertFloat('float', 'half', content[r]![first(r) + i]!));
  const load = `  ${nameOf(type)} ${result} = vload${isAligned ? 'a' : ''}_half${count === 1 ? '' : count}(${at}, (${space} half *)(${name} + ${shift}));\n`;
  const after = oneNaNAfter(type, result, rows);
  declare(w, type, result, rows);
  return load + after;
}
