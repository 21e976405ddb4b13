// SPDX-License-Identifier: MIT
//
// Random kernels of C's implicit conversions: integers and floats of all types are computed with each other, without casts and with as few
// parentheses as the grammar allows. Each expression knows the range of its values, so that none overflows where C leaves that undefined, and
// floats are exact.
import { Chance } from '../chance';
import {
  BITS,
  convert,
  finer,
  INTEGERS,
  isFloat,
  isSigned,
  LEVEL,
  type Name,
  operation,
  promote,
  rangeOf,
  VARIABLE_FRACTION,
  within,
} from './conversion-rules';
import {
  type Conversions,
  expression,
  integerExpression,
  LITERALS,
  type Typed,
  tame,
} from './conversion-scalars';
import { vectorDeclaration, vectorResult, vectorStatement } from './conversion-vectors';
import { PARAMETERS, type RandomKernel } from './model';

export function randomConversions(seed: number): RandomKernel {
  const chance = new Chance(seed ^ 0xc0417);
  const functions: Conversions['functions'] = [];
  const bodies = Array.from({ length: chance.integer(0, 2) }, (_, i) => helper(chance, functions, `h${i}`));
  const w: Conversions = { chance, scalars: [], vectors: [], functions };
  let text = '';
  for (const [i, type] of [...INTEGERS, 'bool' as const].entries()) {
    const name = `v${i}`;
    text += `  ${type} ${name} = ${chance.pick([`in[x * ${i + 1} & 255]`, `in[x + ${i} & 255] >> ${chance.integer(0, 31)}`, '-x', 'x', `x + ${chance.integer(0, 300)}`])};\n`;
    w.scalars.push({ name, type });
  }
  for (const type of ['float', 'double'] as const) {
    text += `  ${type} ${type[0]} = v${chance.integer(0, 1)};\n`;
    w.scalars.push({ name: type[0]!, type });
  }
  for (let i = chance.integer(0, 3); i > 0; i--) text += vectorDeclaration(w);
  const forms = [
    ...FORMS,
    ...FORMS,
    ...(w.vectors.length > 0 ? [vectorStatement, vectorStatement, vectorStatement] : []),
  ];
  const statements = Array.from({ length: chance.integer(3, 12) }, () => chance.pick(forms)(w, '  ')).join(
    '',
  );
  const results = w.scalars.map(({ name, type }) =>
    type === 'float' ? `as_uint(${name})` : type === 'double' ? `as_ulong(${name})` : name,
  );
  results.push(...w.vectors.map(vectorResult));
  const out = results.map(
    (result, i) => `  out[x * 8 + ${i & 7}] = out[x * 8 + ${i & 7}] * 31 + ${result};\n`,
  );
  const local = chance.pick([16, 8, 24, 7]);
  const source = `enum { LEAST = -7, FEW = 3, MOST = 0x7fffffff };
${bodies.join('')}kernel void fuzz(${PARAMETERS}) {
  const uint x = get_global_id(0);
  for (uint i = 0; i < 8; i++) out[x * 8 + i] = 0;
${text}  // statements
${statements}${out.join('')}}
`;
  return { source, global: [local * 2, 1, 1], local: [local, 1, 1] };
}

/** A function of parameters that its arguments are converted to, and of a result that its value is converted to. */
function helper(chance: Chance, functions: Conversions['functions'], name: string): string {
  const parameters = Array.from({ length: chance.integer(1, 3) }, () => chance.pick(INTEGERS));
  const scalars = parameters.map((type, i) => ({ name: `a${i}`, type }));
  const result = chance.pick([...INTEGERS, 'bool' as const]);
  const value = integerExpression({ chance, scalars, vectors: [], functions: [...functions] }, 3);
  functions.push({ name, result, parameters });
  return `${chance.pick(['static ', 'static inline ', ''])}${result} ${name}(${scalars.map((each) => `${each.type} ${each.name}`).join(', ')}) { return ${value.text}; }\n`;
}

// ---- statements

type Form = (w: Conversions, indent: string) => string;

/** An expression that can be assigned to a variable of the type. */
function assignable(w: Conversions, type: Name): Typed {
  for (let tries = 0; tries < 8; tries++) {
    const value = expression(w, 4);
    const range = convert(value, value.type, type);
    if (range === undefined) continue;
    if (!isFloat(type)) return value;
    if (range.fraction <= VARIABLE_FRACTION && within(finer(range, VARIABLE_FRACTION), rangeOf(type)))
      return value;
  }
  return { text: 'x & 63', type: 'uint', low: 0n, high: 63n, fraction: 0, level: LEVEL['&'] };
}

const assignment: Form = (w, indent) => {
  const { name, type } = w.chance.pick(w.scalars);
  return `${indent}${name} = ${assignable(w, type).text};\n`;
};

/** `v += e` computes in the common type, and converts the result. */
const compound: Form = (w, indent) => {
  const { chance } = w;
  const { name, type } = chance.pick(w.scalars.filter((each) => !isFloat(each.type)));
  const operator = chance.pick(['+', '-', '*', '/', '%', '&', '|', '^', '<<', '>>'] as const);
  const variable: Typed = { text: name, type, ...rangeOf(type), level: LEVEL.name };
  const any = expression(w, 2);
  for (const value of [any, tame(w, any), tame(w, any)]) {
    const result = operation(operator, variable, value);
    if (result && convert(result, result.type, type)) return `${indent}${name} ${operator}= ${value.text};\n`;
  }
  return `${indent}${name} ^= ${integerExpression(w, 2).text};\n`;
};

/** Narrow numbers are promoted, so they do not overflow. */
const increment: Form = (w, indent) => {
  const { chance } = w;
  const { name } = chance.pick(
    w.scalars.filter(({ type }) => type !== 'bool' && type !== 'int' && type !== 'long' && !isFloat(type)),
  );
  const to = chance.pick(w.scalars.filter((each) => each.name !== name && !isFloat(each.type))).name;
  return `${indent}${to} = ${chance.pick([`${name}++`, `${name}--`, `++${name}`, `--${name}`])};\n`;
};

const choice: Form = (w, indent) =>
  `${indent}if (${expression(w, 3).text})\n${statement(w, `${indent}  `)}${indent}else\n${statement(w, `${indent}  `)}`;

/** The labels are converted to the promoted type of the value. */
const selection: Form = (w, indent) => {
  const { chance } = w;
  const value = integerExpression(w, 3);
  const type = promote(value.type);
  const seen = new Set<bigint>();
  let cases = '';
  for (let i = chance.integer(1, 4); i > 0; i--) {
    const [text, from, number] = chance.pick(LITERALS);
    const label = from === type ? number : BigInt[isSigned(type) ? 'asIntN' : 'asUintN'](BITS[type], number);
    if (seen.has(label)) continue;
    seen.add(label);
    cases += `${indent}  case ${text}:\n${statement(w, `${indent}    `)}${chance.with(0.7) ? `${indent}    break;\n` : ''}`;
  }
  return `${indent}switch (${value.text}) {\n${cases}${indent}  default:\n${statement(w, `${indent}    `)}${indent}}\n`;
};

/** Counters of all types, up and down, some of which wrap around. */
const COUNTERS = [
  'char i = -3; i < 4; i++', 'uchar i = 250; i > 9; i++', 'uchar i = 3; i < 4; i--', 'short i = 5; i >= -1; i -= 2',
  'ushort i = 65530; i; i++', 'int i = -2; i <= 2u - 4u; i++', 'long i = 3; i--;', 'ulong i = 4; i-- > 1;', 'float i = 0; i < 2; i += 0.5',
]; // biome-ignore format: a table

const loop: Form = (w, indent) => {
  const counter = w.chance.pick(COUNTERS);
  const to = w.chance.pick(w.scalars.filter(({ type }) => !isSigned(type) && type !== 'bool')).name;
  const value = `(${integerExpression(w, 1).text})`;
  const step = counter.startsWith('float') ? `(i != 1) ^ ${value}` : `i ^ ${value}`;
  return `${indent}for (${counter}) ${to} = ${to} * 3u ^ ${step};\n`;
};

const FORMS: readonly Form[] = [
  assignment,
  assignment,
  compound,
  compound,
  increment,
  choice,
  selection,
  loop,
];

const statement = (w: Conversions, indent: string): string =>
  `${indent}{\n${w.chance.pick([assignment, compound, increment])(w, `${indent}  `)}${indent}}\n`;
