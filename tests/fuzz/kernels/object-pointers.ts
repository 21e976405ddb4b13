// SPDX-License-Identifier: MIT
//
// Pointers of random kernels of objects: tables of pointers, pointers to pointers, comparisons, and ways through arrays.
import type { Shape } from '../shapes';
import { isFloat, nameOf, type Place, scalar, type ValueType } from './model';
import { anyIndex, find, isWritable, type Objects, places, type Space } from './object-places';
import type { Writer } from './writer';

const qualifier = (space: Space) => (space === 'private' ? '' : `${space} `);

/** An assignment through a pointer, which wraps. */
function assign(w: Writer, lvalue: string, type: ValueType): string {
  const { base, count } = type;
  const wraps = (base === 'uint' || base === 'ulong') && count > 0;
  return `${lvalue} ${wraps ? w.chance.pick(['=', '+=', '^=', '-=']) : '='} ${w.expression(type, 1)};`;
}

/** Pointers to some values of one type and address space. */
function tableOfPointers(w: Writer, objects: Objects, indent: string): string | undefined {
  const { chance } = w;
  const first = find(w, objects, ({ kind }) => kind === 'value', isWritable);
  if (first?.shape.kind !== 'value' || !first.isAligned) return undefined;
  const type = first.shape;
  const space = qualifier(first.space);
  const isIt = (shape: Shape) =>
    shape.kind === 'value' && shape.base === type.base && shape.count === type.count;
  const others = Array.from({ length: 3 }, () => {
    const found = find(w, objects, isIt, (object) => object.space === first.space);
    return found?.isAligned ? found.name : first.name;
  });
  const name = nameOf(type);
  const at = () => anyIndex(w, 4);
  const list = [first.name, ...others].map((each) => `&${each}`);
  const scalars = w.scope.filter((v) => v.writable && v.type.base === 'uint' && v.type.count === 1);
  const count = scalars.length > 0 ? chance.pick(scalars).name : undefined;
  const forms = [
    () => assign(w, `*pt[${at()}]`, type),
    () => assign(w, '**pp', type),
    () => `pt[${at()}] = pt[${at()}];`,
    () => `pt[${at()}] = ${w.condition(1)} ? pt[${at()}] : *pp;`,
    () => `pp = &pt[${at()}];`,
    () => `*pp = pt[${at()}];`,
    () => `**pp = *pt[${at()}];`,
    () => `if (pt[${at()}] == pt[${at()}]) ${assign(w, `*pt[${at()}]`, type)}`,
    () => `if (${w.condition(1)}) { ${space}${name} *t = pt[${at()}]; pt[${at()}] = *pp; *pp = t; }`,
    ...(count
      ? [() => `${count} += (*pp != pt[${at()}]) + (pt[${at()}] == &${first.name}) * 2 + !pt[${at()}];`]
      : []),
  ];
  let text = `${indent}{\n${indent}  ${space}${name} *pt[4] = { ${list.join(', ')} }; ${space}${name} **pp = &pt[${at()}];\n`;
  for (let i = chance.integer(2, 5); i > 0; i--) text += `${indent}  ${chance.pick(forms)()}\n`;
  return `${text}${indent}}\n`;
}

/** A pointer that goes along an array. */
function alongArray(w: Writer, objects: Objects, indent: string): string | undefined {
  const { chance } = w;
  const found = find(
    w,
    objects,
    (shape) => shape.kind === 'array' && shape.element.kind === 'value',
    isWritable,
  );
  if (found?.shape.kind !== 'array' || found.shape.element.kind !== 'value' || !found.isAligned)
    return undefined;
  const { element, length } = found.shape;
  const pointer = `${qualifier(found.space)}${nameOf(element)} *`;
  const { name } = found;
  const scalars = w.scope.filter((v) => v.writable && v.type.base === 'uint' && v.type.count === 1);
  const count = scalars.length > 0 ? chance.pick(scalars).name : undefined;
  const i = anyIndex(w, length);
  return `${indent}${chance.pick([
    `{ ${pointer}p = ${name}; for (int i = 0; i < ${length}; i++) { ${assign(w, '*p', element)} p++; } }`,
    `{ ${pointer}p = ${name} + ${length}; while (p > ${name}) { --p; ${assign(w, '*p', element)} } }`,
    `{ ${pointer}p = &${name}[${length / 2}]; p[-1] = p[0]; ${assign(w, `p[-${chance.integer(1, length / 2)}]`, element)} }`,
    `{ ${pointer}p = ${name}, *e = &${name}[${i}]; while (p < e) { *p++ = *e; } }`,
    `{ ${pointer}p = ${name} + (${i}), *e = ${name} + (${anyIndex(w, length)}); if (p <= e) ${assign(w, '*p', element)} ${count ? `${count} += (uint)(e - p);` : ''} }`,
    `for (${pointer}p = ${name}; p != ${name} + ${length}; p += ${length >= 4 ? 2 : 1}) { ${assign(w, 'p[0]', element)} }`,
  ])}\n`;
}

/** A pointer to a record, and through it to its members. */
function toRecord(w: Writer, objects: Objects, indent: string): string | undefined {
  const { chance } = w;
  const first = find(w, objects, ({ kind }) => kind === 'record', isWritable);
  if (first?.shape.kind !== 'record' || !first.isAligned) return undefined;
  const { shape, space } = first;
  const isIt = (other: Shape) => other.kind === 'record' && other.name === shape.name;
  const other = find(w, objects, isIt, (object) => object.space === space);
  const members = places({ name: '', shape, space });
  const member = () => chance.pick(members);
  const pointer = `${qualifier(space)}${shape.name} *`;
  const [a, b] = [member(), member()];
  const isSame = nameOf(a.type) === nameOf(b.type);
  return `${indent}{ ${pointer}p = ${other?.isAligned ? `${w.condition(1)} ? &${first.name} : &${other.name}` : `&${first.name}`}; ${chance.pick(
    [
      `p->${a.name.slice(1)} = ${w.expression(a.type, 1)};`,
      `${assign(w, `p->${a.name.slice(1)}`, a.type)} ${isSame ? `p->${b.name.slice(1)} = p->${a.name.slice(1)};` : ''}`,
      `*p = ${first.name}; ${first.name}${b.name} = ${w.expression(b.type, 1)};`,
    ],
  )} }\n`;
}

/** Pointers to any address space. */
function generic(w: Writer, objects: Objects, indent: string): string | undefined {
  if (w.portable) return undefined;
  const [first, second, third] = [0, 1, 2].map(() =>
    find(w, objects, (s) => s.kind === 'value' && !isFloat(s.base) && s.count === 1, isWritable),
  );
  if (!first?.isAligned || first.shape.kind !== 'value') return undefined;
  const { base } = first.shape;
  const same = [second, third].filter(
    (each) => each?.isAligned && each.shape.kind === 'value' && each.shape.base === base,
  );
  const value = w.expression(scalar(base), 1);
  let text = `${indent}{ ${base} *g = &${first.name};`;
  for (const each of same) text += ` if (${w.condition(1)}) g = &${each!.name};`;
  return `${text} *g = ${w.chance.pick([value, `*g ^ ${value}`, `(${base})(*g + 1u)`])}; }\n`;
}

export function pointerStatement(w: Writer, objects: Objects, { indent }: Place): string | undefined {
  const form = w.chance.pick([tableOfPointers, tableOfPointers, alongArray, toRecord, generic]);
  return form(w, objects, indent);
}
