// SPDX-License-Identifier: MIT
//
// Numbers that a work-item computes from its place, what it has captured, and memory that is written before it runs.
import type { Chance } from '../chance';
import type { Item } from './model';
import { type Captured, INPUT, type Place } from './values';

export interface Expression {
  readonly text: string;
  at(item: Item): number;
}

/**
 * Words of memory that a statement writes, one for each path: those at `base` plus the path of the work-item that could read them,
 * continued by a choice of each number of `steps`, which count work-items or iterations below that work-item.
 */
export interface Cells {
  readonly base: number;
  readonly steps: readonly number[];
  /** The variable that holds the path. */
  readonly path: string;
  /** The path is of any work-item of the launch, whose own one the variable is: its place, and their number. */
  readonly among?: { readonly linear: string; readonly items: number };
}

/** What a statement can refer to. */
export interface Scope {
  readonly depth: number;
  /** The variable that numbers all the ways to here, and how many there are. */
  readonly path: string;
  readonly paths: number;
  /** The number of the work-item in its launch, the path of its body, and the work-items. */
  readonly body: { readonly linear: string; readonly path: string; readonly items: number };
  /** Whether the launch has a local size. */
  readonly hasLocal: boolean;
  readonly variables: readonly { readonly name: string; readonly of: Captured; readonly own: boolean }[];
  readonly cells: readonly Cells[];
  /** Whatever a block captures, with its type. */
  readonly names: readonly { readonly type: string; readonly name: string }[];
}

const GLOBAL: readonly (readonly [string, (place: Place, d: number) => number])[] = [
  ['get_global_id', (place, d) => place.global[d]!],
  ['get_global_size', (place, d) => place.size[d]!],
  ['get_global_offset', (place, d) => place.offset[d]!],
];
const LOCAL: typeof GLOBAL = [
  ['get_local_id', (place, d) => place.local[d]!],
  ['get_local_size', (place, d) => place.localSize[d]!],
  ['get_enqueued_local_size', (place, d) => place.enqueuedLocalSize[d]!],
  ['get_group_id', (place, d) => place.group[d]!],
  ['get_num_groups', (place, d) => place.groups[d]!],
];

const OPERATORS: readonly (readonly [string, (a: number, b: number) => number])[] = [
  ['+', (a, b) => a + b],
  ['-', (a, b) => a - b],
  ['*', Math.imul],
  ['^', (a, b) => a ^ b],
  ['&', (a, b) => a & b],
  ['|', (a, b) => a | b],
  ['<', (a, b) => Number(a < b)],
];

export const number = (item: Item, name: string): number => item.env.numbers[name]!;

function leaf(chance: Chance, scope: Scope, isPure: boolean): Expression {
  const { variables, cells } = scope;
  const kind = chance.random();
  if (kind < 0.15) {
    const value = chance.integer(0, chance.pick([3, 300, 0xffffffff]));
    return { text: `${value}u`, at: () => value };
  }
  if (kind < 0.55 && variables.length > 0) {
    const { name, of } = chance.pick(variables.slice(-6));
    return {
      text: `(${of.read.replace(/\bV\b/g, name)})`,
      at: (item) => of.of(number(item, name)),
    };
  }
  if (kind < 0.8 && cells.length > 0 && !isPure) return readOf(chance, scope, chance.pick(cells.slice(-8)));
  if (kind < 0.9) {
    const [name, of] = chance.pick(scope.hasLocal ? [...GLOBAL, ...LOCAL] : GLOBAL);
    const d = chance.integer(0, 2);
    return { text: `(uint)${name}(${d})`, at: ({ place }) => of(place, d) };
  }
  return { text: scope.path, at: (item) => number(item, scope.path) };
}

function readOf(chance: Chance, scope: Scope, { base, steps, path, among }: Cells): Expression {
  let index: Expression = { text: path, at: (item) => number(item, path) };
  if (among) {
    const choice = expression(chance, scope, 0, true);
    const { linear, items } = among;
    index = {
      text: `(${path} - ${linear} + ${choice.text} % ${items})`,
      at: (item) => number(item, path) - number(item, linear) + (choice.at(item) % items),
    };
  }
  for (const step of steps) {
    const [before, choice] = [index, expression(chance, scope, 0, true)];
    index = {
      text: `(${before.text} * ${step} + ${choice.text} % ${step})`,
      at: (item) => before.at(item) * step + (choice.at(item) % step),
    };
  }
  return { text: `o[${base} + ${index.text}]`, at: (item) => item.memory[base + index.at(item)]! };
}

/** @param isPure it does not read memory that kernels write. */
export function expression(chance: Chance, scope: Scope, depth: number, isPure = false): Expression {
  if (depth === 0) return leaf(chance, scope, isPure);
  const kind = chance.random();
  if (kind < 0.2) return leaf(chance, scope, isPure);
  const [a, b] = [expression(chance, scope, depth - 1, isPure), expression(chance, scope, depth - 1, isPure)];
  if (kind < 0.3) return { text: `in[${a.text} & 63]`, at: (item) => INPUT[a.at(item) & 63]! };
  if (kind < 0.4)
    return { text: `((${a.text} & 1) ? ${b.text} : 5u)`, at: (item) => (a.at(item) & 1 ? b.at(item) : 5) };
  const [operator, of] = chance.pick(OPERATORS);
  return { text: `(${a.text} ${operator} ${b.text})`, at: (item) => of(a.at(item), b.at(item)) >>> 0 };
}
