// SPDX-License-Identifier: MIT
//
// The leaves of random expressions: literals, variables, elements of arrays, the kernel's input and its work-item's place.
import {
  type Base,
  bytesOf,
  COMPONENTS,
  type Flavour,
  INPUT_BYTES,
  isFloat,
  isRecord,
  isScalarInteger,
  nameOf,
  same,
  scalar,
  type ValueType,
  type Variable,
} from './model';
import type { Writer } from './writer';

export function flavour(w: Writer): Flavour {
  return w.chance.pick(['group', 'x', 'x', 'y', 'any', 'any'] as const);
}

/** An integer that varies at most as `flavour` allows. */
function workItem({ chance }: Writer, varies: Flavour): string {
  const group = [
    'n', 'k', `${chance.integer(0, 9)}`, 'get_group_id(0)', 'get_group_id(1)', 'get_local_size(0)', 'get_num_groups(1)',
  ]; // biome-ignore format: a table
  const x = ['x', 'x', 'lx', 'W - 1 - x'];
  const y = ['y', 'y', 'ly', 'z', 'lz'];
  const any = ['gid', 'gid', 'lid', 'x * 5 + y', 'x + y * 3', 'gid >> 2', 'x ^ y'];
  const lists: Record<Flavour, readonly string[]> = {
    group,
    x: [...x, ...x, ...group],
    y: [...y, ...y, ...group],
    any: [...x, ...y, ...any, ...group.slice(0, 3)],
  };
  return chance.pick(lists[varies]);
}

/** An index below `bound`, a power of two. */
export function index(w: Writer, bound: number, varies: Flavour): string {
  const { chance } = w;
  const variables = w.scope.filter((v) => isScalarInteger(v.type) && (varies !== 'group' || v.uniform));
  const from =
    variables.length > 0 && (!w.inKernel || chance.with(0.4))
      ? `(uint)${chance.pick(variables).name}`
      : w.inKernel
        ? `(uint)(${workItem(w, varies)})`
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

function input(w: Writer, { base, count }: ValueType, varies: Flavour): string {
  if (base === 'float' && count === 1) return `fin[${index(w, 256, varies)}]`;
  if (isFloat(base)) return `(${base})fin[${index(w, 256, varies)}]`;
  const source = base === 'uint' ? 'in' : `((global const ${base} *)in)`;
  const elements = INPUT_BYTES / bytesOf(base);
  if (count > 1) return `vload${count}(${index(w, elements / Math.max(count, 8), varies)}, ${source})`;
  return `${source}[${index(w, elements, varies)}]`;
}

/** Numbers that carry or saturate: the least and the greatest, and their neighbours. */
function extreme(w: Writer, base: Base): string {
  const sign = 1n << BigInt(8 * bytesOf(base) - 1);
  const bits = w.chance.pick([sign, sign, sign - 1n, sign + 1n, 2n * sign - 1n, 2n * sign - 2n]);
  return `(${base})0x${bits.toString(16)}ul`;
}

export function literal(w: Writer, type: ValueType): string {
  const { chance } = w;
  const one = (): string => {
    if (isFloat(type.base))
      return `(${type.base})${chance.pick(['0.0', '1.0', '-0.0', '0.5', '-3.25', '1024.0', '1e-3', `${chance.integer(-99, 99)}.75`])}`;
    if (chance.with(0.3)) return extreme(w, type.base);
    return `(${type.base})${chance.pick([0, 1, 2, 7, 31, 127, 128, 255, 65535, chance.integer(0, 0x7fffffff)])}`;
  };
  if (type.count === 1) return `(${one()})`;
  return `((${nameOf(type)})(${Array.from({ length: type.count }, one).join(', ')}))`;
}

export function leaf(w: Writer, type: ValueType, uniform: boolean): string {
  const { chance } = w;
  const varies = uniform ? 'group' : flavour(w);
  const usable = uniform ? w.scope.filter((v) => v.uniform) : w.scope;
  const exact = usable.filter((v) => same(v.type, type));
  if (exact.length > 0 && chance.with(0.5)) return chance.pick(exact).name;
  const element = uniform || chance.with(0.8) ? undefined : arrayElement(w, type, varies);
  if (element !== undefined) return element;
  const wider = usable.filter((v) => v.type.base === type.base && v.type.count > 1);
  if (wider.length > 0 && type.count < 8 && chance.with(0.3)) {
    const { name, type: from } = chance.pick(wider);
    const order = Array.from({ length: type.count }, () => COMPONENTS[chance.integer(0, from.count - 1)]);
    return `${name}.s${order.join('')}`;
  }
  if (w.inKernel && chance.with(0.3) && (type.count === 1 || !isFloat(type.base)))
    return input(w, type, varies);
  return type.count > 1
    ? vectorLeaf(w, type, usable, uniform)
    : scalarLeaf(w, type.base, usable, uniform, varies);
}

/** An element of a private array, or a member of it, that is of the type. */
function arrayElement(w: Writer, type: ValueType, varies: Flavour): string | undefined {
  const found: { readonly name: string; readonly length: number; readonly member: string }[] = [];
  for (const { name, length, element } of w.arrays)
    if (!isRecord(element)) {
      if (same(element, type)) found.push({ name, length, member: '' });
    } else
      for (const member of element.members)
        if (same(member.type, type)) found.push({ name, length, member: `.${member.name}` });
  if (found.length === 0) return undefined;
  const { name, length, member } = w.chance.pick(found);
  return `${name}[${index(w, length, varies)}]${member}`;
}

function vectorLeaf(w: Writer, type: ValueType, usable: readonly Variable[], uniform: boolean): string {
  const { chance } = w;
  if (chance.with(0.4)) return `((${nameOf(type)})(${leaf(w, scalar(type.base), uniform)}))`;
  const others = usable.filter(
    (v) => v.type.count === type.count && (!isFloat(v.type.base) || isFloat(type.base)),
  );
  return others.length > 0 ? `convert_${nameOf(type)}(${chance.pick(others).name})` : literal(w, type);
}

function scalarLeaf(
  w: Writer,
  base: Base,
  usable: readonly Variable[],
  uniform: boolean,
  varies: Flavour,
): string {
  const { chance } = w;
  if (!uniform && chance.with(0.2)) {
    const arrays = w.arrays.filter((a) => !isRecord(a.element) && isScalarInteger(a.element));
    const { name, length } = chance.pick([...arrays, { name: 'table', length: 8 }]);
    return `((${base})${name}[${index(w, length, varies)}])`;
  }
  const scalars = usable.filter((v) => isScalarInteger(v.type));
  if (scalars.length > 0 && chance.with(0.5)) return fromInteger(base, chance.pick(scalars).name);
  if (w.inKernel && chance.with(0.7)) return fromInteger(base, workItem(w, varies));
  return literal(w, scalar(base));
}

function fromInteger(base: Base, value: string): string {
  return isFloat(base) ? `((${base})(int)((${value}) & 1023) * (${base})0.25)` : `((${base})(${value}))`;
}
