// SPDX-License-Identifier: MIT
//
// Random expressions for random kernels. Their values are defined, or at least the same for every tile of work-items:
// arithmetic wraps in unsigned types, divisors are odd, indices are masked, conversions from float saturate.
import { Chance } from './chance';
import { subGroupHelpers } from './sub-group-helpers';

export const INTEGERS = ['char', 'uchar', 'short', 'ushort', 'int', 'uint', 'long', 'ulong'] as const;
export const FLOATS = ['float', 'double'] as const;
export type Base = (typeof INTEGERS)[number] | (typeof FLOATS)[number];

export interface ValueType {
  readonly base: Base;
  readonly count: number;
}

export interface Variable {
  readonly name: string;
  readonly type: ValueType;
  /** All work-items of a group have the same value, and assignments keep it so. */
  readonly uniform: boolean;
  readonly writable: boolean;
}

export interface Helper {
  readonly name: string;
  readonly result: ValueType;
  readonly parameters: readonly ValueType[];
  /** Takes the kernel's private array first. */
  readonly takesArray: boolean;
}

/** What an expression may vary with. */
type Flavour = 'group' | 'x' | 'y' | 'any';

export const scalar = (base: Base): ValueType => ({ base, count: 1 });
export const nameOf = ({ base, count }: ValueType): string => (count === 1 ? base : `${base}${count}`);
export const isFloat = (base: Base): boolean => base === 'float' || base === 'double';
const same = (a: ValueType, b: ValueType) => a.base === b.base && a.count === b.count;
const COMPONENTS = '01234567';
const bytesOf = (base: Base): number =>
  base === 'float' ? 4 : base === 'double' ? 8 : 1 << (INTEGERS.indexOf(base as 'int') >> 1);
const wideOf = (base: Base): string => (bytesOf(base) === 8 ? 'ulong' : 'uint');
const unsignedOf = (base: Base): Base => (base.startsWith('u') ? base : `u${base}`) as Base;

/** Bytes of the kernel's input. */
export const INPUT_BYTES = 1024;

export class Expressions {
  readonly chance: Chance;
  scope: Variable[] = [];
  readonly helpers: Helper[] = [];
  /** Whether the code is the kernel's own: it has work-item functions, buffers and arrays. */
  inKernel = false;
  hasArray = false;
  /** Whether expressions ask sub-groups. */
  subGroups = false;

  constructor(seed: number) {
    this.chance = new Chance(seed);
  }

  type(): ValueType {
    const { chance } = this;
    const base = chance.with(0.25)
      ? chance.pick(FLOATS)
      : chance.with(0.5)
        ? chance.pick(['int', 'uint'] as const)
        : chance.pick(INTEGERS);
    return { base, count: chance.pick([1, 1, 1, 1, 1, 1, 2, 3, 4, 8]) };
  }

  integerType(): ValueType {
    return scalar(this.chance.pick(INTEGERS));
  }

  flavour(): Flavour {
    return this.chance.pick(['group', 'x', 'x', 'y', 'any', 'any'] as const);
  }

  // ---- places

  /** An integer that varies at most as `flavour` allows. */
  private place(flavour: Flavour): string {
    const { chance } = this;
    const group = [
      'n',
      'k',
      `${chance.integer(0, 9)}`,
      'get_group_id(0)',
      'get_group_id(1)',
      'get_local_size(0)',
      'get_num_groups(1)',
    ];
    const x = ['x', 'x', 'lx', 'W - 1 - x'];
    const y = ['y', 'y', 'ly', 'z', 'lz'];
    const lists: Record<Flavour, readonly string[]> = {
      group,
      x: [...x, ...x, ...group],
      y: [...y, ...y, ...group],
      any: [
        ...x,
        ...y,
        'gid',
        'gid',
        'lid',
        'x * 5 + y',
        'x + y * 3',
        'gid >> 2',
        'x ^ y',
        ...group.slice(0, 3),
      ],
    };
    return chance.pick(lists[flavour]);
  }

  /** An index below `bound`, a power of two. */
  index(bound: number, flavour: Flavour): string {
    const { chance } = this;
    const variables = this.scope.filter(
      (v) => v.type.count === 1 && !isFloat(v.type.base) && (flavour !== 'group' || v.uniform),
    );
    const from =
      variables.length > 0 && (!this.inKernel || chance.with(0.4))
        ? `(uint)${chance.pick(variables).name}`
        : this.inKernel
          ? `(uint)(${this.place(flavour)})`
          : `${chance.integer(0, 9)}u`;
    const moved = chance.pick([
      from,
      from,
      `${from} + ${chance.integer(1, 9)}`,
      `${from} * ${chance.integer(2, 5)}`,
      `${chance.integer(9, 99)} - ${from}`,
    ]);
    return `(${moved}) & ${bound - 1}`;
  }

  private input({ base, count }: ValueType, flavour: Flavour): string {
    if (base === 'float' && count === 1) return `fin[${this.index(256, flavour)}]`;
    if (isFloat(base)) return `(${base})fin[${this.index(256, flavour)}]`;
    const source = base === 'uint' ? 'in' : `((global const ${base} *)in)`;
    if (count > 1) return `vload${count}(${this.index(INPUT_BYTES / bytesOf(base) / 8, flavour)}, ${source})`;
    return `${source}[${this.index(INPUT_BYTES / bytesOf(base), flavour)}]`;
  }

  // ---- leaves

  private literal(type: ValueType): string {
    const { chance } = this;
    const one = () =>
      isFloat(type.base)
        ? `(${type.base})${chance.pick(['0.0', '1.0', '-0.0', '0.5', '-3.25', '1024.0', '1e-3', `${chance.integer(-99, 99)}.75`])}`
        : `(${type.base})${chance.pick([0, 1, 2, 7, 31, 127, 128, 255, 65535, chance.integer(0, 0x7fffffff)])}`;
    if (type.count === 1) return `(${one()})`;
    return `((${nameOf(type)})(${Array.from({ length: type.count }, one).join(', ')}))`;
  }

  private leaf(type: ValueType, uniform: boolean): string {
    const { chance } = this;
    const flavour = uniform ? 'group' : this.flavour();
    const usable = uniform ? this.scope.filter((v) => v.uniform) : this.scope;
    const exact = usable.filter((v) => same(v.type, type));
    if (exact.length > 0 && chance.with(0.5)) return chance.pick(exact).name;
    const wider = usable.filter((v) => v.type.base === type.base && v.type.count > 1);
    if (wider.length > 0 && type.count < 8 && chance.with(0.3)) {
      const { name, type: from } = chance.pick(wider);
      const order = Array.from({ length: type.count }, () => COMPONENTS[chance.integer(0, from.count - 1)]);
      return `${name}.s${order.join('')}`;
    }
    if (this.inKernel && chance.with(0.3) && (type.count === 1 || !isFloat(type.base)))
      return this.input(type, flavour);
    if (type.count > 1) {
      if (chance.with(0.4)) return `((${nameOf(type)})(${this.leaf(scalar(type.base), uniform)}))`;
      const others = usable.filter(
        (v) => v.type.count === type.count && (!isFloat(v.type.base) || isFloat(type.base)),
      );
      return others.length > 0 ? `convert_${nameOf(type)}(${chance.pick(others).name})` : this.literal(type);
    }
    if (this.hasArray && !uniform && chance.with(0.2)) {
      const array = chance.pick(this.inKernel ? ['pa', 'pa', 'pb', 'table'] : ['pa', 'table']);
      return `((${type.base})${array}[${this.index(8, flavour)}])`;
    }
    const scalars = usable.filter((v) => v.type.count === 1 && !isFloat(v.type.base));
    if (scalars.length > 0 && chance.with(0.5)) return this.fromInteger(type.base, chance.pick(scalars).name);
    if (this.inKernel && chance.with(0.7)) return this.fromInteger(type.base, this.place(flavour));
    return this.literal(type);
  }

  private fromInteger(base: Base, value: string): string {
    return isFloat(base) ? `((${base})(int)((${value}) & 1023) * (${base})0.25)` : `((${base})(${value}))`;
  }

  // ---- expressions

  condition(depth: number, uniform: boolean): string {
    const { chance } = this;
    const type = chance.with(0.25) ? scalar(chance.pick(FLOATS)) : this.integerType();
    const sub = () => this.expression(type, depth - 1, uniform);
    const compare =
      !isFloat(type.base) && chance.with(0.4)
        ? `(${sub()} & ${chance.pick([1, 2, 3, 5])}) ${chance.pick(['==', '!='])} 0`
        : `${sub()} ${chance.pick(['<', '>', '<=', '>=', '==', '!='])} ${sub()}`;
    if (depth > 0 && chance.with(0.25))
      return `(${compare}) ${chance.pick(['&&', '||'])} (${this.condition(depth - 1, uniform)})`;
    return chance.with(0.15) ? `!(${compare})` : compare;
  }

  expression(type: ValueType, depth: number, uniform: boolean): string {
    if (depth <= 0) return this.leaf(type, uniform);
    if (this.subGroups && type.count === 1 && !uniform && this.chance.with(0.15)) {
      const helper = this.chance.pick(subGroupHelpers(isFloat(type.base)));
      return `${helper}_${type.base}(${this.expression(type, depth - 1, uniform)})`;
    }
    return isFloat(type.base) ? this.floating(type, depth, uniform) : this.integral(type, depth, uniform);
  }

  private floating(type: ValueType, depth: number, uniform: boolean): string {
    const { chance } = this;
    const name = nameOf(type);
    const sub = (other = type) => this.expression(other, depth - 1, uniform);
    switch (chance.integer(0, 12)) {
      case 0:
      case 1:
      case 2:
        return `(${sub()} ${chance.pick(['+', '-', '*'])} ${sub()})`;
      case 3:
        return `(${sub()} / ${sub()})`;
      case 4:
        return `${chance.pick(['fabs', 'floor', 'ceil', 'trunc', 'rint', 'sqrt', '-'])}(${sub()})`;
      case 5:
        // Which zero is the greater one is left open: the sum has no sign.
        return `(${chance.pick(['fmin', 'fmax'])}(${sub()}, ${sub()}) + (${name})0)`;
      case 6:
        return `((${name})((${this.condition(depth - 2, uniform)}) ? ${sub()} : ${sub()}))`;
      case 7:
        return `convert_${name}(${sub({ base: chance.pick([...INTEGERS, ...FLOATS]), count: type.count })})`;
      case 8:
      case 9: {
        const choice = type.base === 'float' ? 'int' : 'long';
        return `select(${sub()}, ${sub()}, ${sub({ base: choice, count: type.count })})`;
      }
      case 10:
        if (type.count === 1) return `dot(${sub({ ...type, count: 4 })}, ${sub({ ...type, count: 4 })})`;
        return type.count === 3
          ? this.leaf(type, uniform)
          : `((${name})(${sub({ ...type, count: type.count / 2 })}, ${sub({ ...type, count: type.count / 2 })}))`;
      default:
        return this.call(type, depth, uniform);
    }
  }

  private call(type: ValueType, depth: number, uniform: boolean): string {
    const usable = this.helpers.filter(
      (h) =>
        h.result.count === type.count &&
        !(uniform && h.takesArray) &&
        (this.hasArray || !h.takesArray) &&
        (!isFloat(h.result.base) || isFloat(type.base)),
    );
    if (usable.length === 0) return this.leaf(type, uniform);
    const { name, result, parameters, takesArray } = this.chance.pick(usable);
    const list = parameters.map((p) => this.expression(p, Math.min(depth - 1, 1), uniform));
    const call = `${name}(${[...(takesArray ? ['pa'] : []), ...list].join(', ')})`;
    return same(result, type) ? call : `convert_${nameOf(type)}(${call})`;
  }

  private integral(type: ValueType, depth: number, uniform: boolean): string {
    const { chance } = this;
    const { base, count } = type;
    const name = nameOf(type);
    const unsigned = nameOf({ base: unsignedOf(base), count });
    const sub = (other = type) => this.expression(other, depth - 1, uniform);
    /** In an unsigned type, where arithmetic wraps. */
    const wrapped = (op: string) =>
      count === 1
        ? `((${base})((${wideOf(base)})${sub()} ${op} (${wideOf(base)})${sub()}))`
        : `as_${name}(as_${unsigned}(${sub()}) ${op} as_${unsigned}(${sub()}))`;
    switch (chance.integer(0, 14)) {
      case 0:
      case 1:
        return wrapped(chance.pick(['+', '-', '*']));
      case 2:
        return `((${name})(${sub()} ${chance.pick(['&', '|', '^'])} ${sub()}))`;
      case 3:
        return `((${name})~${sub()})`;
      case 4:
        return `((${name})(${sub()} ${chance.pick(['/', '%'])} ((${sub()} & (${name})15) | (${name})1)))`;
      case 5:
        return count === 1
          ? `((${base})(${sub()} >> (${sub()} & 7)))`
          : `(${sub()} >> (${sub()} & (${name})7))`;
      case 6:
        return count === 1
          ? `((${base})((${wideOf(base)})${sub()} << (${sub()} & 31)))`
          : `as_${name}(as_${unsigned}(${sub()}) << as_${unsigned}(${sub()}))`;
      case 7:
        return `((${name})((${this.condition(depth - 2, uniform)}) ? ${sub()} : ${sub()}))`;
      case 8:
        return `${chance.pick(['min', 'max', 'add_sat', 'sub_sat', 'hadd', 'rhadd', 'mul_hi', 'rotate'])}(${sub()}, ${sub()})`;
      case 9:
        return `${chance.pick(['popcount', 'clz'])}(${sub()})`;
      case 10:
        return chance.with(0.5)
          ? `convert_${name}(${sub({ base: chance.pick(INTEGERS), count })})`
          : `convert_${name}_sat(${sub({ base: chance.pick([...INTEGERS, ...FLOATS]), count })})`;
      case 11:
        return `select(${sub()}, ${sub()}, ${sub({ base: chance.with(0.5) ? unsignedOf(base) : type.base, count })})`;
      case 12:
        if (count === 1) {
          const other = this.chance.pick([2, 4, 8]);
          return `((${base})${this.expression({ base, count: other }, depth - 1, uniform)}.s${COMPONENTS[chance.integer(0, other - 1)]})`;
        }
        return count === 3
          ? this.leaf(type, uniform)
          : `((${name})(${sub({ base, count: count / 2 })}, ${sub({ base, count: count / 2 })}))`;
      default:
        return this.call(type, depth, uniform);
    }
  }
}
