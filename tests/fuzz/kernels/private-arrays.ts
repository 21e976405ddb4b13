// SPDX-License-Identifier: MIT
//
// Private arrays of random kernels: of scalars, vectors and structures, with alignments of their own, written and read at
// indices that vary. Where a kernel has barriers they are kept over them.
import { flavour, index } from './leaves';
import { COMPONENTS, isRecord, nameOf, type Place, scalar, type ValueType, vector } from './model';
import { fillRecord, inputValue, recordValue } from './records';
import type { Writer } from './writer';

/** The arrays that each kernel has, and up to two others. */
export function declareArrays(w: Writer, indent: string): string {
  const { chance } = w;
  w.arrays.push(
    { name: 'pa', element: scalar('uint'), length: 8 },
    { name: 'pb', element: scalar('uchar'), length: 8 },
  );
  let text = `${indent}uint pa[8]; uchar pb[8]; for (uint i = 0; i < 8; i++) { pa[i] = in[(gid + i * 3) & 255]; pb[i] = (uchar)(i * x + y); }\n`;
  for (let i = chance.integer(0, 2); i > 0; i--) {
    const wide = vector(chance.pick(['int', 'long', 'double'] as const), 16);
    const element = chance.with(0.4) ? chance.pick(w.recordTypes) : chance.with(0.2) ? wide : w.type();
    // A variable's alignment replaces its type's, even if it is smaller.
    const align = chance.with(0.3) ? chance.pick([16, 64, 128, 256]) : undefined;
    const [name, length] = [w.fresh('a'), chance.pick([1, 2, 4, 8])];
    const attribute = align ? ` __attribute__((aligned(${align})))` : '';
    const fill = isRecord(element)
      ? fillRecord(`${name}[i]`, element, 'gid + i * 5')
      : `${name}[i] = ${inputValue(nameOf(element), 'gid * 3 + i')};`;
    text += `${indent}${nameOf(element)} ${name}[${length}]${attribute}; for (uint i = 0; i < ${length}; i++) { ${fill} }\n`;
    w.arrays.push({ name, element, length, ...(align && { align }) });
  }
  return text;
}

/** Writes an element, or a member of it. */
export function arrayStatement(w: Writer, { indent }: Place): string {
  const { chance } = w;
  if (w.arrays.length === 0) return `${indent};\n`;
  const { name, element, length } = chance.pick(w.arrays);
  const place = `${name}[${index(w, length, flavour(w))}]`;
  if (isRecord(element)) {
    if (chance.with(0.4)) return `${indent}${place} = ${recordValue(w, element, 1)};\n`;
    const member = chance.pick(element.members);
    return `${indent}${place}.${member.name} = ${w.expression(member.type, 2)};\n`;
  }
  const canWrap = element.count === 1 && (element.base === 'uint' || element.base === 'uchar');
  return `${indent}${place} ${canWrap ? chance.pick(['=', '^=', '+=']) : '='} ${w.expression(element, 2)};\n`;
}

/** The bits of a value as a `ulong`; all NaNs are one. */
export function hashOf(name: string, { base, count }: ValueType): string {
  const parts = Array.from({ length: count }, (_, i) => (count === 1 ? name : `${name}.s${COMPONENTS[i]}`));
  return parts
    .map((part) => {
      if (base === 'float') return `(${part} != ${part} ? 7ul : (ulong)as_uint(${part}))`;
      if (base === 'double') return `(${part} != ${part} ? 7ul : as_ulong(${part}))`;
      return `(ulong)${part}`;
    })
    .reduce((a, b) => `(${a}) * 31 + ${b}`);
}

/** Adds all contents of arrays to `h`, and the bits of their addresses that alignment makes zero. */
export function hashArrays(w: Writer, indent: string): string {
  let text = '';
  for (const { name, element, length, align } of w.arrays) {
    const members = isRecord(element)
      ? element.members.map((member) => hashOf(`${name}[i].${member.name}`, member.type))
      : [hashOf(`${name}[i]`, element)];
    const adds = members.map((member) => `h = h * 31 + ${member};`).join(' ');
    text += `${indent}for (uint i = 0; i < ${length}; i++) { ${adds} }\n`;
    text += `${indent}h += (ulong)${name} & (${align ?? `__alignof__(${nameOf(element)})`} - 1);\n`;
  }
  return text;
}
