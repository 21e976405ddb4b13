// SPDX-License-Identifier: MIT
//
// Types of objects for random programs: values, arrays and records of each other, with their initializers.
import type { Chance } from './chance';

export const INTEGERS = ['char', 'uchar', 'short', 'ushort', 'int', 'uint', 'long', 'ulong'] as const;
export const FLOATS = ['float', 'double'] as const;
export type Base = (typeof INTEGERS)[number] | (typeof FLOATS)[number];

export interface Value {
  readonly kind: 'value';
  readonly base: Base;
  readonly count: number;
}

export interface Aggregate {
  readonly kind: 'array';
  readonly element: Shape;
  /** A power of two: indices are masked. */
  readonly length: number;
}

export interface Composite {
  readonly kind: 'record';
  readonly name: string;
  /** Each member covers the whole union: another member reads what one stored. */
  readonly isUnion: boolean;
  /** No pointers lead into it: it is a union, or packed. */
  readonly isClosed: boolean;
  readonly fields: readonly { readonly name: string; readonly shape: Shape }[];
}

export type Shape = Value | Aggregate | Composite;

export const value = (base: Base, count = 1): Value => ({ kind: 'value', base, count });
export const isFloat = (base: Base): boolean => base === 'float' || base === 'double';
export const isUnsigned = (base: Base): boolean => base.startsWith('u');
export const bitsOf = (base: Base): number =>
  base === 'float' ? 32 : base === 'double' ? 64 : 8 << (INTEGERS.indexOf(base as 'int') >> 1);

export function sameShape(a: Shape, b: Shape): boolean {
  if (a.kind === 'value') return b.kind === 'value' && a.base === b.base && a.count === b.count;
  if (a.kind === 'array')
    return b.kind === 'array' && a.length === b.length && sameShape(a.element, b.element);
  return b.kind === 'record' && a.name === b.name;
}

/** `float4`, `Item`; the name of an array's innermost element. */
export function typeName(shape: Shape): string {
  if (shape.kind === 'value') return shape.count === 1 ? shape.base : `${shape.base}${shape.count}`;
  return shape.kind === 'record' ? shape.name : typeName(shape.element);
}

/** `float4 name[2][4]` */
export function declarator(shape: Shape, name: string): string {
  let lengths = '';
  for (let at = shape; at.kind === 'array'; at = at.element) lengths += `[${at.length}]`;
  return `${typeName(shape)} ${name}${lengths}`;
}

/** The members of the one union: all of eight bytes and of integers, so that each pattern of bits is a value. */
export const UNION: Composite = {
  kind: 'record',
  name: 'Overlay',
  isUnion: true,
  isClosed: true,
  fields: [
    { name: 'w', shape: value('ulong') },
    { name: 'v', shape: value('uint', 2) },
    { name: 's', shape: value('ushort', 4) },
    { name: 'b', shape: { kind: 'array', element: value('uchar'), length: 8 } },
    { name: 'i', shape: { kind: 'array', element: value('int'), length: 2 } },
  ],
};

export class Shapes {
  readonly records: Composite[] = [UNION];

  constructor(private readonly chance: Chance) {}

  value(): Value {
    const { chance } = this;
    const base = chance.with(0.3) ? chance.pick(FLOATS) : chance.pick(INTEGERS);
    return value(base, chance.pick([1, 1, 1, 1, 2, 3, 4, 8]));
  }

  any(depth: number): Shape {
    const { chance } = this;
    if (depth > 0 && chance.with(0.3))
      return { kind: 'array', element: this.any(depth - 1), length: chance.pick([2, 4, 4, 8]) };
    if (depth > 0 && chance.with(0.5)) return chance.pick(this.records);
    return this.value();
  }

  /** Declares another record, and returns the declaration. */
  declare(): string {
    const { chance } = this;
    const name = `R${this.records.length}`;
    const fields = Array.from({ length: chance.integer(1, 5) }, (_, i) => ({
      name: `m${i}`,
      shape: this.any(2),
    }));
    const isClosed = chance.with(0.15);
    this.records.push({ kind: 'record', name, isUnion: false, isClosed, fields });
    const members = fields.map((field) => `  ${declarator(field.shape, field.name)};\n`).join('');
    return `typedef struct ${isClosed ? '__attribute__((packed)) ' : ''}{\n${members}} ${name};\n`;
  }

  /** Declares the union. */
  static readonly union = `typedef union {\n${UNION.fields
    .map((field) => `  ${declarator(field.shape, field.name)};\n`)
    .join('')}} ${UNION.name};\n`;

  literal({ base, count }: Value): string {
    const { chance } = this;
    const one = (): string => {
      if (isFloat(base)) {
        const number = chance.pick(['0.0', '1.5', '-0.25', '3.0', '1e-3', `${chance.integer(-99, 99)}.5`]);
        return base === 'float' ? `${number}f` : number;
      }
      const number = chance.pick([0, 1, 2, 3, 7, 100, chance.integer(0, 0x7fffffff)]);
      return bitsOf(base) < 32 ? `${number & 127}` : `${number}`;
    };
    if (count === 1) return one();
    return `(${base}${count})(${Array.from({ length: count }, one).join(', ')})`;
  }

  /** A constant initializer: braces around aggregates; missing elements at the end are zero. */
  initializer(shape: Shape): string {
    const { chance } = this;
    if (shape.kind === 'value') return this.literal(shape);
    if (shape.kind === 'array') {
      const given = chance.with(0.3) ? chance.integer(1, shape.length) : shape.length;
      const list = Array.from({ length: given }, () => this.initializer(shape.element));
      if (chance.with(0.15))
        return `{ [${chance.integer(0, shape.length - 1)}] = ${this.initializer(shape.element)} }`;
      return `{ ${list.join(', ')} }`;
    }
    const { fields } = shape;
    const given = shape.isUnion ? 1 : chance.with(0.2) ? chance.integer(1, fields.length) : fields.length;
    const names = chance.with(0.3);
    const list = fields
      .slice(0, given)
      .map((field) => `${names ? `.${field.name} = ` : ''}${this.initializer(field.shape)}`);
    return `{ ${list.join(', ')} }`;
  }
}
