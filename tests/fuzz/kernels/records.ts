// SPDX-License-Identifier: MIT
//
// Structures of random kernels: their declarations, and expressions and statements of whole structures.
import { index } from './leaves';
import { isRecord, nameOf, type Place, type RecordType, scalar, vector } from './model';
import type { Writer } from './writer';

/** Declares a structure type. */
export function defineRecord(w: Writer): string {
  const { chance } = w;
  const name = w.fresh('R');
  const members: { name: string; type: RecordType['members'][number]['type'] }[] = [];
  let text = 'typedef struct {';
  for (let i = chance.integer(1, 4); i > 0; i--) {
    const member = w.fresh('m');
    if (chance.with(0.25)) {
      const type = w.integerType();
      const length = chance.pick([2, 4]);
      text += ` ${nameOf(type)} ${member}[${length}];`;
      for (let k = 0; k < length; k++) members.push({ name: `${member}[${k}]`, type });
    } else {
      const type = chance.with(0.1) ? vector('long', 16) : w.type();
      text += ` ${nameOf(type)} ${member};`;
      members.push({ name: member, type });
    }
  }
  const attribute = chance.with(0.15) ? ` __attribute__((aligned(${chance.pick([32, 64, 256])})))` : '';
  w.recordTypes.push({ name, members });
  return `${text} }${attribute} ${name};`;
}

/** An expression of a structure type. */
export function recordValue(w: Writer, type: RecordType, depth: number): string {
  const { chance } = w;
  const found = w.records.filter((r) => r.type === type).map((r) => r.name);
  for (const { name, element, length } of w.arrays)
    if (element === type) found.push(`${name}[${index(w, length, 'any')}]`);
  if (found.length > 0 && chance.with(0.6)) return chance.pick(found);
  const values = listOf(w, type, depth);
  return `((${type.name}){ ${values} })`;
}

/** Initializers of all members; those of arrays' elements are in separate braces. */
export function listOf(w: Writer, type: RecordType, depth: number): string {
  let text = '';
  let open: string | undefined;
  for (const { name, type: member } of type.members) {
    const array = /^(\w+)\[/.exec(name)?.[1];
    if (open !== undefined && array !== open) text += ' },';
    if (array !== undefined && array !== open) text += ' {';
    open = array;
    text += ` ${w.expression(member, depth - 1)},`;
  }
  return open === undefined ? text : `${text} },`;
}

/** Copies a structure as a whole, or one of two. */
export function recordStatement(w: Writer, { indent }: Place): string {
  const { chance } = w;
  if (w.records.length === 0) return `${indent};\n`;
  const { name, type } = chance.pick(w.records);
  const calls = w.helpers.filter(
    (h) => h.result === type && h.parameters.every((p) => p.passing === 'value' && !isRecord(p.type)),
  );
  if (calls.length > 0 && chance.with(0.5)) {
    const helper = chance.pick(calls);
    const list = helper.parameters.map((p) => (isRecord(p.type) ? '' : w.expression(p.type, 1)));
    return `${indent}${name} = ${helper.name}(${list.join(', ')});\n`;
  }
  if (chance.with(0.4)) {
    const pointer = w.fresh('q');
    const other = chance.pick(w.records.filter((r) => r.type === type)).name;
    const member = chance.pick(type.members);
    const value = w.expression(member.type, 1);
    return `${indent}{ ${type.name} *${pointer} = ${w.condition(1)} ? &${name} : &${other}; ${pointer}->${member.name} = ${value}; }\n`;
  }
  const value = chance.with(0.3)
    ? `(${w.condition(1)}) ? ${recordValue(w, type, 1)} : ${recordValue(w, type, 1)}`
    : recordValue(w, type, 1);
  return `${indent}${name} = ${value};\n`;
}

/** A statement that gives each member of a structure its first value, from the input. */
export function fillRecord(name: string, type: RecordType, seed: string): string {
  return type.members
    .map((member, i) => `${name}.${member.name} = ${inputValue(nameOf(member.type), `${seed} + ${i}`)};`)
    .join(' ');
}

/** A number of the input, converted to any type. */
export function inputValue(type: string, at: string): string {
  const base = type.replace(/\d+$/, '');
  const isFloat = base === scalar('float').base || base === scalar('double').base;
  const word = `in[(${at}) & 255]`;
  const one = isFloat ? `(${base})(int)(${word} & 1023) * (${base})0.125` : `(${base})${word}`;
  return type === base ? one : `(${type})(${one})`;
}
