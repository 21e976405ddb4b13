// SPDX-License-Identifier: MIT
//
// Conditions, numbers and assignments as text and as what they do.
import type { Chance } from '../../chance';
import type { Item } from './machine';

export interface Value {
  readonly text: string;
  readonly of: (item: Item) => number;
}
export interface Condition {
  readonly text: string;
  readonly of: (item: Item) => boolean;
}
export interface Assignment {
  readonly text: string;
  readonly run: (item: Item) => void;
}

export const TABLE: readonly number[] = Array.from(
  { length: 16 },
  (_, i) => Math.imul(i + 1, 0x9e3779b1) >>> 0,
);
export const OUTPUTS = 8;

/** The same in all work-items of a group. */
const UNIFORM: readonly Value[] = [
  { text: 'u', of: ({ u }) => u },
  { text: '(u >> 3)', of: ({ u }) => u >>> 3 },
  { text: 'T[u & 15]', of: ({ u }) => TABLE[u & 15]! },
  { text: '(uint)shared', of: ({ shared }) => shared >>> 0 },
  { text: 'n', of: () => 5 },
];

const DIVERGENT: readonly Value[] = [
  { text: 's', of: ({ s }) => s },
  { text: 't', of: ({ t }) => t },
  { text: 'x', of: ({ x }) => x },
  { text: '(s ^ t)', of: ({ s, t }) => (s ^ t) >>> 0 },
  { text: '(s >> 5)', of: ({ s }) => s >>> 5 },
  { text: 'T[(s + x) & 15]', of: ({ s, x }) => TABLE[(s + x) & 15]! },
  { text: 'a[t & 3]', of: ({ array, t }) => array[t & 3]! },
  { text: '(uint)fuel', of: ({ fuel }) => fuel >>> 0 },
  { text: '(uint)out[x * 8 + (s & 3)]', of: ({ out, s }) => Number(BigInt.asUintN(32, out[s & 3]!)) },
];

export const value = (chance: Chance, uniform: boolean): Value =>
  chance.pick(uniform || chance.with(0.1) ? UNIFORM : DIVERGENT);

export function condition(chance: Chance, uniform: boolean): Condition {
  const { text, of } = value(chance, uniform);
  const k = chance.integer(0, 3);
  return chance.pick<() => Condition>([
    () => ({ text: `(${text} & 1)`, of: (item) => (of(item) & 1) === 1 }),
    () => ({ text: `(${text} & 3) != ${k}`, of: (item) => (of(item) & 3) !== k }),
    () => ({ text: `${text} % 3 == 0`, of: (item) => of(item) % 3 === 0 }),
    () => ({ text: `(${text} & 7) > ${k}`, of: (item) => (of(item) & 7) > k }),
    () => {
      const other = value(chance, uniform);
      return { text: `${text} < ${other.text}`, of: (item) => of(item) < other.of(item) };
    },
  ])();
}

/** With what it takes from a work-item's fuel, so that all loops end. */
export function fueled(condition: Condition, uniform: boolean): Condition {
  const name = uniform ? 'shared' : 'fuel';
  return {
    text: `${name}-- > 0 && ${condition.text}`,
    of: (item) => item[name]-- > 0 && condition.of(item),
  };
}

export function assignment(chance: Chance, uniform: boolean): Assignment {
  const { text, of } = value(chance, false);
  const same = value(chance, true);
  const k = chance.integer(1, 9);
  const j = chance.integer(0, OUTPUTS - 1);
  const set = (item: Item, name: 's' | 't' | 'u', to: number) => {
    item[name] = to >>> 0;
  };
  return chance.pick<Assignment>([
    { text: `s = s * 3 + ${k};`, run: (i) => set(i, 's', Math.imul(i.s, 3) + k) },
    { text: `s ^= ${text};`, run: (i) => set(i, 's', i.s ^ of(i)) },
    { text: `t += ${text} + ${k};`, run: (i) => set(i, 't', i.t + of(i) + k) },
    { text: `t = t * 5 + s;`, run: (i) => set(i, 't', Math.imul(i.t, 5) + i.s) },
    { text: `{ uint r = s; s = t; t = r; }`, run: (i) => [i.s, i.t] = [i.t, i.s] },
    { text: `a[s & 3] += ${text};`, run: (i) => { const at = i.s & 3; i.array[at] = (i.array[at]! + of(i)) >>> 0; } },
    { text: `out[x * 8 + (t & 3)] += ${text};`, run: (i) => { const at = i.t & 3; i.out[at] = BigInt.asUintN(64, i.out[at]! + BigInt(of(i))); } },
    { text: `out[x * 8 + ${j}] = s;`, run: (i) => { i.out[j] = BigInt(i.s); } },
    uniform
      ? { text: `u = u * 7 + ${same.text};`, run: (i) => set(i, 'u', Math.imul(i.u, 7) + same.of(i)) }
      : { text: `s += u;`, run: (i) => set(i, 's', i.s + i.u) },
  ]); // biome-ignore format: a table
}
