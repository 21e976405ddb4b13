// SPDX-License-Identifier: MIT
//
// Statements of random kernels of objects. Each stands on lines of its own, so that reduce.ts can take it out. What C leaves
// undefined is written around: signed arithmetic wraps in unsigned types, a value is read only where each pattern of bits is one.

import {
  bytesOf,
  COMPONENTS,
  isFloat,
  isScalarInteger,
  nameOf,
  type Place,
  scalar,
  type ValueType,
  type Variable,
} from './model';
import { find, isWritable, type Objects, places } from './object-places';
import { pointerStatement } from './object-pointers';
import type { Writer } from './writer';

type Form = (w: Writer, objects: Objects, place: Place) => string | undefined;

const isUnsigned = ({ base }: ValueType) => base.startsWith('u');

/** A place or a variable that statements write, of a type that fits. */
function target(w: Writer, objects: Objects, fits: (type: ValueType) => boolean): Variable | undefined {
  const variables = w.scope.filter((v) => v.writable && fits(v.type));
  if (variables.length > 0 && w.chance.with(0.5)) return w.chance.pick(variables);
  const found = find(w, objects, (shape) => shape.kind === 'value' && fits(shape), isWritable);
  if (found?.shape.kind !== 'value') return variables.length > 0 ? w.chance.pick(variables) : undefined;
  return { name: found.name, type: found.shape, uniform: false, writable: true };
}

/** Different components of a vector, as it may stand on the left: `.s02`, `.zx`, `.odd`, `.hi.x`. */
function components(w: Writer, count: number): { readonly text: string; readonly count: number } {
  const { chance } = w;
  if (count !== 3 && chance.with(0.35)) {
    const half = chance.pick(['lo', 'hi', 'even', 'odd']);
    if (count === 2) return { text: `.${half}`, count: 1 };
    const rest = chance.with(0.4) ? components(w, count / 2) : { text: '', count: count / 2 };
    return { text: `.${half}${rest.text}`, count: rest.count };
  }
  const wanted = chance.pick([1, 2, 2, 3, 4, 8, 16].filter((each) => each <= count));
  const left = Array.from({ length: count }, (_, i) => i);
  const picked = Array.from({ length: wanted }, () => left.splice(chance.integer(0, left.length - 1), 1)[0]!);
  if (count <= 4 && chance.with(0.5))
    return { text: `.${picked.map((i) => 'xyzw'[i]).join('')}`, count: wanted };
  return { text: `.s${picked.map((i) => COMPONENTS[i]).join('')}`, count: wanted };
}

/** Any components of a vector, also one twice. */
function anyComponents(w: Writer, count: number, wanted: number): string {
  return `.s${Array.from({ length: wanted }, () => COMPONENTS[w.chance.integer(0, count - 1)]).join('')}`;
}

const swizzle: Form = (w, objects, { indent }) => {
  const { chance } = w;
  const into = target(w, objects, ({ count }) => count > 1);
  if (!into) return undefined;
  const { name, type } = into;
  const { text, count } = components(w, type.count);
  const part = { base: type.base, count };
  const own = `${name}${anyComponents(w, type.count, count)}`;
  if (chance.with(0.35)) return `${indent}${name}${text} = ${own};\n`;
  if (isFloat(type.base)) return `${indent}${name}${text} = ${w.expression(part, 2)};\n`;
  if (isUnsigned(type) && chance.with(0.15)) return `${indent}${name}${text}${chance.pick(['++', '--'])};\n`;
  const operators =
    isUnsigned(type) && bytesOf(type.base) >= 4
      ? ['=', '+=', '-=', '*=', '^=', '|=']
      : ['=', '^=', '&=', '|='];
  const value = chance.with(0.3) ? `(${own} ^ ${w.expression(part, 1)})` : w.expression(part, 2);
  return `${indent}${name}${text} ${chance.pick(operators)} ${count === 1 ? `(${type.base})` : ''}${value};\n`;
};

/** Other vector operators: shifts by vectors and by numbers, comparisons, choices. */
const vectorOperator: Form = (w, objects, { indent }) => {
  const { chance } = w;
  const into = target(w, objects, ({ base, count }) => count > 1 && !isFloat(base));
  if (!into) return undefined;
  const { name, type } = into;
  const vector = nameOf(type);
  const signed = `${type.base.replace(/^u/, '')}${type.count}`;
  const [a, b] = [w.expression(type, 1), w.expression(type, 1)];
  return `${indent}${chance.pick([
    `${name} <<= ${b};`,
    `${name} >>= ${b};`,
    `${name} >>= (${type.base})${w.expression(scalar(type.base), 1)};`,
    `${name} = as_${vector}(${a} ${chance.pick(['<', '>=', '==', '!='])} ${b});`,
    `${name} = as_${vector}(${a} ${chance.pick(['&&', '||'])} ${b});`,
    `${name} = as_${vector}(!${a});`,
    `${name} = as_${signed}(${a}) < as_${signed}(${b}) ? ${a} : ${b};`,
    `${name} /= ((${b} & (${type.base})7) | (${type.base})1);`,
    `${name} %= ((${b} & (${type.base})7) | (${type.base})1);`,
  ])}\n`;
};

/** A compound assignment of two types. */
const compound: Form = (w, objects, { indent }) => {
  const { chance } = w;
  const into = target(w, objects, isScalarInteger);
  if (!into) return undefined;
  const { name, type } = into;
  const other = w.integerType();
  const value = w.expression(other, 2);
  // Signed arithmetic would overflow: the other operand's type is unsigned and at least as wide, so both become it.
  const wide = bytesOf(type.base) === 8 ? 'ulong' : chance.pick(['uint', 'uint', 'ulong'] as const);
  return `${indent}${chance.pick([
    `${name} ${chance.pick(['+=', '-=', '*='])} (${wide})${value};`,
    `${name} ${chance.pick(['+=', '-=', '*='])} ${w.expression(scalar(wide), 2)};`,
    `${name} ${chance.pick(['&=', '|=', '^='])} ${value};`,
    `${name} ${chance.pick(['<<=', '>>='])} ${value};`,
    `${name} ${chance.pick(['<<=', '>>='])} ${chance.integer(-70, 70)};`,
    `${name} ${chance.pick(['/=', '%='])} (${other.base})((${value} & 15) | 1);`,
    `${name} ${chance.pick(['/=', '%='])} ${chance.integer(2, 1000)}${chance.pick(['', 'u', 'l', 'ul'])};`,
  ])}\n`;
};

/** Operands that change variables, in the order that C defines. */
const sideEffects: Form = (w, _, { indent }) => {
  const { chance } = w;
  const words = w.scope.filter((v) => v.writable && v.type.count === 1 && (v.type.base === 'uint' || v.type.base === 'ulong') && /^\w+$/.test(v.name)); // biome-ignore format: a condition
  if (words.length < 3) return undefined;
  const left = [...words];
  const [a, b, c] = [0, 1, 2].map(() => left.splice(chance.integer(0, left.length - 1), 1)[0]!.name);
  const change = (name: string) =>
    chance.pick([`${name}++`, `--${name}`, `(${name} += 3, ${name})`, `(${name} ^= ${w.expression(scalar('uint'), 1)}, ${name} >> 1)`, `(${name} = ~${name})`]); // biome-ignore format: a list
  return `${indent}${chance.pick([
    `${a} = ${w.condition(1)} ? ${change(b!)} : ${change(c!)};`,
    `if ((${change(b!)} & 3) > 1 && (${change(c!)} & 1)) ${a} += 5; else ${a}--;`,
    `if ((${change(b!)} & 3) == 0 || (${change(c!)} & 2)) ${a} ^= ${b};`,
    `${a} = (${change(b!)}, ${change(c!)}, ${b} + ${c});`,
    `${a} = ${b} = (${change(c!)}) + 1;`,
    `{ uint q[4] = { 1, 2, 3, 4 }; q[${b}++ & 3] += ${change(c!)}; ${a} = q[0] * 3 + q[1] + q[2] * 5 + (q[3] << 4); }`,
    `for (uint i = 0, j = 9; i < j; i += 2, j--) ${a} = ${a} * 3 + (i ^ ${b}++);`,
    `do ${a} += ${change(b!)}; while (${c} && (${c} >>= 9, ${c} & 1));`,
  ])}\n`;
};

/** Whole records: assigned, chosen, through functions, and byte by byte. */
const recordCopy: Form = (w, objects, { indent }) => {
  const { chance } = w;
  const into = find(w, objects, ({ kind }) => kind === 'record', isWritable);
  if (into?.shape.kind !== 'record') return undefined;
  const { name } = into.shape;
  const isIt = (shape: { kind: string; name?: string }) => shape.kind === 'record' && shape.name === name;
  const [from, other] = [0, 1].map(() => find(w, objects, isIt)?.name ?? into.name);
  const word = w.expression(scalar('uint'), 1);
  const inPrivate = find(w, objects, isIt, ({ space }) => space === 'private');
  const isPrivate = into.space === 'private';
  const forms = [
    `${into.name} = ${from};`,
    `${into.name} = ${w.condition(1)} ? ${from} : ${other};`,
    `{ ${name} t = ${from}; ${into.name} = ${other}; ${isPrivate ? `${into.name} = t;` : `t = ${into.name}; ${into.name} = t;`} }`,
  ];
  if (inPrivate?.isAligned) forms.push(`${into.name} = of${name}(${from}, &${inPrivate.name}, ${word});`);
  if (isPrivate && inPrivate)
    forms.push(
      `for (uint i = 0; i < sizeof(${name}); i++) ((uchar *)&${into.name})[i] = ((uchar *)&${inPrivate.name})[i];`,
    );
  if (into.isAligned && !w.portable) forms.push(`{ ${name} *p = (${name} *)&${into.name}; *p = ${from}; }`);
  return `${indent}${chance.pick(forms)}\n`;
};

/** One byte of a number in memory. */
const oneByte: Form = (w, objects, { indent }) => {
  const into = find(
    w,
    objects,
    (shape) => shape.kind === 'value' && !isFloat(shape.base) && shape.count !== 3,
    isWritable,
  );
  if (into?.shape.kind !== 'value') return undefined;
  const { base, count } = into.shape;
  const space = into.space === 'private' ? '' : `${into.space} `;
  const size = bytesOf(base) * count;
  return `${indent}((${space}uchar *)&${into.name})[${w.expression(scalar('uint'), 1)} & ${size - 1}] ${w.chance.pick(['=', '^=', '+='])} (uchar)${w.expression(scalar('uint'), 1)};\n`;
};

/** A switch of wide or negative numbers, some in ranges, with cases that fall through. */
const wideSwitch: Form = (w, _, place) => {
  const { chance } = w;
  const { indent } = place;
  const base = chance.pick(['long', 'ulong', 'long', 'ulong', 'char', 'short', 'uchar'] as const);
  const isWide = bytesOf(base) === 8;
  const factor = isWide
    ? chance.pick(['0x100000000', '0x80000000', '0x100000001', '0x2000000000000000', '3'])
    : '16';
  const start = base.startsWith('u') ? 0n : BigInt(chance.pick([0, 0, -2, -5]));
  const label = (i: number) => {
    const number = BigInt.asIntN(isWide ? 64 : bytesOf(base) * 8, start + BigInt(factor) * BigInt(i));
    const shown = base.startsWith('u') ? BigInt.asUintN(bytesOf(base) * 8, number) : number;
    const text = (n: bigint) =>
      n === -(2n ** 63n) ? '(-0x7fffffffffffffffL - 1)' : `${n}${base.startsWith('u') ? 'UL' : 'L'}`;
    // More values than become cases of their own, up to the next label.
    const last = shown + BigInt(factor) - 1n;
    if (isWide && factor !== '3' && last < 2n ** 63n && chance.with(0.2))
      return `case ${text(shown)} ... ${text(last)}:`;
    return chance.with(0.3) && !base.startsWith('u') && shown < 100n && shown >= -100n
      ? `case ${text(shown)} ... ${text(shown + BigInt(chance.integer(0, 2)))}:`
      : `case ${text(shown)}:`;
  };
  // A product of signed numbers may not overflow.
  const wide = isWide ? 'ulong' : 'int';
  const value = `(${base})((${wide})${start} + (${wide})${factor} * (${wide})(${w.expression(scalar('uint'), 2)} & 7) + (${wide})(${w.condition(1)}))`;
  let text = `${indent}switch (${value}) {\n`;
  const order = [0, 1, 2, 3, 5, 6].filter(() => chance.with(0.7));
  const defaultAt = chance.integer(0, order.length);
  order.forEach((i, at) => {
    if (at === defaultAt) text += `${indent}  default: ${w.block({ ...place, indent: `${indent}  ` })}`;
    text += `${indent}  ${label(i)} ${chance.with(0.2) ? ';\n' : w.block({ ...place, indent: `${indent}  ` })}`;
    if (chance.with(0.5)) text += `${indent}  break;\n`;
  });
  return `${text}${indent}}\n`;
};

const ROUNDING = ['', '_rte', '_rtz', '_rtp', '_rtn'];

/** Conversions of each rounding, halves in memory. */
const conversion: Form = (w, objects, { indent }) => {
  const { chance } = w;
  const into = target(w, objects, () => true);
  if (!into) return undefined;
  const { name, type } = into;
  const { count } = type;
  const round = chance.pick(ROUNDING);
  const float = { base: chance.pick(['float', 'double'] as const), count };
  const integer = { base: w.integerType().base, count };
  const half = chance.pick(ROUNDING);
  const finite = (expression: string) => `fmin(fmax(${expression}, -60000.0f), 60000.0f)`;
  const bits = `q[0] ^ (q[1] << 3)${count > 2 ? ' ^ (q[2] << 5)' : ''}`;
  if (isFloat(type.base))
    return `${indent}${chance.pick([
      `${name} = convert_${nameOf(type)}${round}(${w.expression(integer, 2)});`,
      `${name} = convert_${nameOf(type)}${round}(${w.expression(float, 2)});`,
      `${name} = (${nameOf(type)})(vload_half((${w.expression(scalar('uint'), 1)}) & 255, (global const half *)in));`,
      ...(count === 1
        ? []
        : [
            `${name} = convert_${nameOf(type)}(vload_half${count}(${chance.integer(0, 7)}, (global const half *)in));`,
          ]),
      ...(count === 1
        ? []
        : [
            `${name} = convert_${nameOf(type)}(vloada_half${count}(${chance.integer(0, 7)}, (global const half *)in));`,
          ]),
    ])}\n`;
  return `${indent}${chance.pick([
    `${name} = convert_${nameOf(type)}_sat${round}(${w.expression(float, 2)});`,
    `${name} = convert_${nameOf(type)}_sat(${w.expression(integer, 2)});`,
    count === 1 || count === 3 || count > 4
      ? `{ ushort q[2]; vstore_half2${half}((float2)(${finite(w.expression(scalar('float'), 1))}), 0, (half *)q); ${name} ^= (${nameOf(type)})(${type.base})(q[0] + q[1]); }`
      : `{ ushort q[${count}]; vstore_half${count}${half}(${finite(w.expression({ base: 'float', count }, 2))}, 0, (half *)q); ${name} ^= (${nameOf(type)})(${type.base})(${bits}); }`,
    `${name} = as_${nameOf(type)}(as_${nameOf(type)}(${w.expression(type, 2)}));`,
  ])}\n`;
};

/** Vectors of three in arrays, and loads and stores of vectors in private memory. */
const vectorsInArrays: Form = (w, objects, { indent }) => {
  const { chance } = w;
  const into = target(w, objects, ({ count }) => count > 1);
  if (!into) return undefined;
  const { name, type } = into;
  const { base, count } = type;
  const q = w.fresh('q');
  const most = 16 / count >= 2 ? Math.floor(16 / count) - 1 : 0;
  const fill = `${base} ${q}[16]; for (int i = 0; i < 16; i++) ${q}[i] = (${base})(i * ${chance.integer(1, 9)});`;
  return `${indent}{ ${fill} vstore${count}(${w.expression(type, 2)}, ${chance.integer(0, most)}, ${q}); ${q}[${w.expression(scalar('uint'), 1)} & 15] = ${w.expression(scalar(base), 1)}; ${name} = vload${count}(${chance.pick([`${chance.integer(0, most)}`, `(${w.expression(scalar('uint'), 1)}) % ${most + 1}`])}, ${q}); }\n`;
};

/** Functions of 24 bits, bools, strings, sizes and offsets. */
const small: Form = (w, objects, { indent }) => {
  const { chance } = w;
  const into = target(w, objects, isScalarInteger);
  if (!into) return undefined;
  const { name, type } = into;
  const word = () => w.expression(scalar('uint'), 2);
  const object = chance.pick(objects.list.filter(({ space }) => space === 'private'));
  const places_ = places(object).filter(({ isAligned }) => isAligned);
  const forms = [
    `${name} ^= (${type.base})mul24((int)(${word()} & 0xfffff) - 0x7ffff, (int)(${word()} & 0x7ff) - 0x3ff);`,
    `${name} ^= (${type.base})mad24(${word()} & 0xfff, ${word()} & 0xfff, ${word()});`,
    `{ bool b = ${word()}; b += ${chance.pick(['k', 'n', 'x'])}; b ^= ${w.condition(1)}; ${name} += b ? (${type.base})3 : (${type.base})-b; }`,
    `${name} ^= "anycl\\377\\0\\x80"[${word()} & 7];`,
    `{ constant char *s = ${w.condition(1)} ? "ab\\xc8" : "\\tcd"; ${name} += (uint)s[${word()} & 1]; }`,
    `${name} ^= (${type.base})inTable[${word()} & 3][${word()} & 3];`,
    `${name} ^= (${type.base})sizeof(${object.name});`,
  ];
  if (places_.length > 0)
    forms.push(
      `${name} ^= (${type.base})((uchar *)&${chance.pick(places_).name} - (uchar *)&${object.name});`,
    );
  return `${indent}${chance.pick(forms)}\n`;
};

/** Bits of a number as other types. */
const reinterpreted: Form = (w, objects, { indent }) => {
  const { chance } = w;
  const into = target(w, objects, ({ base, count }) => !isFloat(base) && count !== 3);
  if (!into) return undefined;
  const { name, type } = into;
  const size = bytesOf(type.base) * type.count;
  const froms = (['uchar', 'char', 'ushort', 'short', 'uint', 'int', 'ulong', 'long'] as const)
    .map((base): ValueType => ({ base, count: size / bytesOf(base) }))
    .filter(({ count }) => [1, 2, 4, 8, 16].includes(count));
  return `${indent}${name} = as_${nameOf(type)}(${w.expression(chance.pick(froms), 2)});\n`;
};

/** What is neither an integer nor read as one: the numbers of the union. */
const floatInUnion: Form = (w, { list }, { indent }) => {
  const unions = list.filter(
    ({ shape, space }) => shape.kind === 'record' && shape.name === 'Overlay16' && space !== 'constant',
  );
  const { name } = w.chance.pick(unions);
  const { text, count } = components(w, 4);
  const vector = count === 1 ? 'int' : `int${count}`;
  return `${indent}${name}.f${text} = convert_float${count === 1 ? '' : count}(${w.expression({ base: 'int', count }, 2)} & (${vector})0xffff);\n`;
};

const FORMS: readonly Form[] = [
  swizzle, swizzle, swizzle, vectorOperator, compound, compound, sideEffects, sideEffects, recordCopy, recordCopy, oneByte,
  wideSwitch, conversion, conversion, vectorsInArrays, small, small, reinterpreted, floatInUnion, pointerStatement,
  pointerStatement, pointerStatement,
]; // biome-ignore format: a table

export function objectStatement(w: Writer, objects: Objects, place: Place): string {
  for (;;) {
    const text = w.chance.pick(FORMS)(w, objects, place);
    if (text !== undefined) return text;
  }
}
