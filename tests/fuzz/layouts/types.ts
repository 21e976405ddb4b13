// SPDX-License-Identifier: MIT
//
// Random types: scalars, vectors, arrays, structures and unions, packed and aligned ones. Their text is OpenCL C and C alike.
import type { Chance } from '../chance';

export interface Leaf {
  readonly kind: 'leaf';
  readonly scalar: Scalar;
  /** 1, or the components of a vector. */
  readonly count: number;
}
interface ArrayOf {
  readonly kind: 'array';
  readonly of: Type;
  readonly length: number;
}
export interface Record {
  readonly kind: 'record';
  readonly isUnion: boolean;
  /** `struct S3_17`; undefined if it has no tag, and its members are those of what it is in. */
  readonly name: string | undefined;
  readonly attributes: string;
  readonly members: readonly Member[];
}
export interface Member {
  /** Empty for a record without a name. */
  readonly name: string;
  readonly type: Type;
  readonly attributes: string;
}
export type Type = Leaf | ArrayOf | Record;

export const SCALARS = [
  'char',
  'uchar',
  'short',
  'ushort',
  'int',
  'uint',
  'long',
  'ulong',
  'float',
  'double',
] as const;
export type Scalar = (typeof SCALARS)[number];
export const isFloat = (scalar: Scalar) => scalar === 'float' || scalar === 'double';

const BYTES: { readonly [scalar in Scalar]: number } = {
  char: 1, uchar: 1, short: 2, ushort: 2, int: 4, uint: 4, long: 8, ulong: 8, float: 4, double: 8,
}; // biome-ignore format: a table

/** At least the bytes of a type. */
export function weightOf(type: Type): number {
  switch (type.kind) {
    case 'leaf':
      return BYTES[type.scalar] * (type.count === 3 ? 4 : type.count);
    case 'array':
      return type.length * weightOf(type.of);
    case 'record':
      return type.members.reduce((sum, { type: of }) => sum + weightOf(of), 0);
  }
}

/** Kernels take 1024 bytes of arguments. */
const MOST_BYTES = 280;

export class TypeWriter {
  /** Definitions of the named records. */
  definitions = '';
  readonly records: Record[] = [];
  private names = 0;

  constructor(
    private readonly chance: Chance,
    private readonly seed: number,
  ) {}

  private fresh(prefix: string): string {
    return `${prefix}${this.names++}_${this.seed}`;
  }

  leaf(): Leaf {
    const { chance } = this;
    const count = chance.pick([1, 1, 1, 1, 2, 3, 3, 4, 8, 16]);
    return { kind: 'leaf', scalar: chance.pick(SCALARS), count };
  }

  /** A named structure or union. */
  record(depth: number, isUnion = this.chance.with(0.2)): Record {
    for (;;) {
      const made = this.draft(depth, isUnion);
      if (weightOf(made) > MOST_BYTES) continue;
      const name = `${isUnion ? 'union' : 'struct'} ${this.fresh('S')}`;
      const record = { ...made, name };
      this.definitions += `${name} ${bodyOf(record)}${record.attributes};\n`;
      this.records.push(record);
      return record;
    }
  }

  private draft(depth: number, isUnion: boolean): Record {
    const { chance } = this;
    const members = Array.from({ length: chance.integer(1, isUnion ? 3 : 5) }, (): Member => {
      const type = this.member(depth - 1);
      const isNameless = type.kind === 'record' && type.name === undefined;
      return {
        name: isNameless ? '' : this.fresh('m'),
        type,
        attributes: isNameless ? '' : this.aligned(0.1),
      };
    });
    const attributes = chance.with(0.2) ? ' __attribute__((packed))' : this.aligned(0.15);
    return { kind: 'record', isUnion, name: undefined, attributes, members };
  }

  private aligned(probability: number): string {
    return this.chance.with(probability)
      ? ` __attribute__((aligned(${this.chance.pick([1, 2, 4, 8, 16, 32])})))`
      : '';
  }

  private member(depth: number): Type {
    const { chance } = this;
    if (depth > 0 && chance.with(0.35)) {
      const isUnion = chance.with(0.35);
      const record = chance.with(0.25) ? this.draft(depth, isUnion) : this.record(depth, isUnion);
      const isNameless = record.name === undefined;
      return !isNameless && chance.with(0.3)
        ? { kind: 'array', of: record, length: chance.integer(1, 3) }
        : record;
    }
    const leaf = this.leaf();
    if (chance.with(0.7)) return leaf;
    const row: Type = { kind: 'array', of: leaf, length: chance.integer(1, 4) };
    return chance.with(0.3) ? { kind: 'array', of: row, length: chance.integer(1, 3) } : row;
  }
}

const bodyOf = ({ members }: Record): string =>
  `{ ${members.map(({ name, type, attributes }) => `${declared(type, name)}${attributes};`).join(' ')} }`;

export const leafName = ({ scalar, count }: Leaf): string => (count === 1 ? scalar : `${scalar}${count}`);

/** A declaration of a name. */
export function declared(type: Type, name: string): string {
  switch (type.kind) {
    case 'leaf':
      return `${leafName(type)} ${name}`;
    case 'array':
      return declared(type.of, `${name}[${type.length}]`);
    case 'record':
      return type.name === undefined
        ? `${type.isUnion ? 'union' : 'struct'} ${bodyOf(type)}${type.attributes}`
        : `${type.name} ${name}`;
  }
}
