// SPDX-License-Identifier: MIT
//
// Expressions of `uint` as OpenCL C and as JavaScript.
import type { Chance } from '../chance';

/** What a work-item knows. */
export interface Item {
  readonly gid: number;
  readonly lid: number;
  readonly group: number;
  readonly input: Uint32Array;
  /** Variables of loops. */
  readonly loops: number[];
}

export interface Expression {
  readonly text: string;
  readonly value: (item: Item) => number;
}

/** Words that kernels read. */
export const INPUTS = 64;

export const constant = (n: number): Expression => ({ text: `${n}u`, value: () => n });

/** `loops`: how many variables of loops are in scope. `uniform`: the same in the whole group. */
export function expression(chance: Chance, loops: number, uniform = false, depth = 2): Expression {
  if (depth === 0 || chance.with(0.3)) return leaf(chance, loops, uniform);
  const a = expression(chance, loops, uniform, depth - 1);
  const b = expression(chance, loops, uniform, depth - 1);
  const small = chance.integer(1, 9);
  return chance.pick<Expression>([
    { text: `(${a.text} + ${b.text})`, value: (item) => (a.value(item) + b.value(item)) >>> 0 },
    { text: `(${a.text} - ${b.text})`, value: (item) => (a.value(item) - b.value(item)) >>> 0 },
    { text: `(${a.text} * ${small}u)`, value: (item) => Math.imul(a.value(item), small) >>> 0 },
    { text: `(${a.text} ^ ${b.text})`, value: (item) => (a.value(item) ^ b.value(item)) >>> 0 },
    { text: `(${a.text} & ${b.text})`, value: (item) => (a.value(item) & b.value(item)) >>> 0 },
    { text: `(${a.text} >> ${small}u)`, value: (item) => a.value(item) >>> small },
    { text: `(${a.text} % ${small}u)`, value: (item) => a.value(item) % small },
    {
      text: `(${a.text} & 1u ? ${b.text} : ${small}u)`,
      value: (item) => (a.value(item) & 1 ? b.value(item) : small),
    },
  ]);
}

function leaf(chance: Chance, loops: number, uniform: boolean): Expression {
  const group: Expression = { text: 'group', value: (item) => item.group };
  const place = chance.integer(0, INPUTS - 1);
  if (uniform)
    return chance.pick([
      group,
      constant(chance.integer(0, 9)),
      {
        text: `in[(group + ${place}u) & ${INPUTS - 1}u]`,
        value: ({ group, input }) => input[(group + place) % INPUTS]!,
      },
    ]);
  const loop = chance.integer(0, Math.max(0, loops - 1));
  return chance.pick<Expression>([
    { text: 'gid', value: (item) => item.gid },
    { text: 'lid', value: (item) => item.lid },
    group,
    constant(chance.integer(0, 40)),
    {
      text: `in[(gid * 5u + ${place}u) & ${INPUTS - 1}u]`,
      value: ({ gid, input }) => input[(gid * 5 + place) % INPUTS]!,
    },
    loops > 0 ? { text: `j${loop}`, value: (item) => item.loops[loop]! } : group,
  ]);
}
