// SPDX-License-Identifier: MIT
//
// Two pointers of a work-item into the same memory, through one argument or two: what it writes through one it may read through the
// other. The memory of a work-item reaches into that of its neighbours, which do nothing: every fourth work-item has some.
import { type Place, scalar, vector } from './model';
import type { Writer } from './writer';

/** The words of a work-item, and from one to the next; `shiftedStride`: with room for a second argument that is one word further. */
export const OVERLAP = { words: 16, stride: 4, shiftedStride: 5 } as const;

const SCALARS = [
  { type: 'uint', elements: 16 }, { type: 'uint', elements: 16 }, { type: 'ushort', elements: 32 },
  { type: 'uchar', elements: 64 },
] as const; // biome-ignore format: a table
type Element = (typeof SCALARS)[number];

const WIDTHS = [2, 3, 4, 8] as const;

/** How the guard's work-items see their memory: as elements of a type. */
interface View {
  readonly element: Element;
  readonly names: readonly [string, string];
}

export function overlapStatement(w: Writer, { indent }: Place): string {
  const { chance } = w;
  const element = chance.pick(SCALARS);
  const names = [w.fresh('p'), w.fresh('q')] as const;
  const view: View = { element, names };
  const inner = `${indent}  `;
  // `n - 5` is 0, which the compiler does not know.
  const pointer = (from: string) =>
    `(global ${element.type} *)(${from} + gid * ${w.overlapStride}${chance.with(0.3) ? ' + (n - 5)' : ''})`;
  const declarations = names
    .map((name) => `${inner}global ${element.type} *${name} = ${pointer(chance.pick(['same', 'again']))};\n`)
    .join('');
  const body = Array.from({ length: chance.integer(1, 4) }, () => chance.pick(FORMS)(w, view, inner)).join(
    '',
  );
  return `${indent}if ((gid & 3) == ${w.overlapping}) {\n${declarations}${body}${indent}}\n`;
}

type Form = (w: Writer, view: View, indent: string) => string;

/** An element of one of the pointers, with as many after it. */
function at(w: Writer, { element, names }: View, count = 1): { pointer: string; index: number } {
  return { pointer: w.chance.pick(names), index: w.chance.integer(0, element.elements - count) };
}

const one = (w: Writer, view: View): string => {
  const { pointer, index } = at(w, view);
  return `${pointer}[${index}]`;
};

const few = (w: Writer, view: View): string => {
  const { pointer, index } = at(w, view, 4);
  return `${pointer}[${index & 3}]`;
};

const changeOne: Form = (w, view, indent) =>
  `${indent}${few(w, view)} ${w.chance.pick(['=', '+=', '^='])} ${few(w, view)} + ${w.expression(scalar('uint'), 1)};\n`;

const moveVector: Form = (w, view, indent) => {
  const { chance } = w;
  const width = chance.pick(WIDTHS);
  const [from, to] = [at(w, view, width), at(w, view, width)];
  // Near each other, so that they overlap.
  const index = Math.min(view.element.elements - width, from.index + chance.integer(0, width));
  const value = `vload${width}(0, ${from.pointer} + ${from.index})`;
  const changed = chance.with(0.7)
    ? `${value} * (${view.element.type})3`
    : `${value}.${chance.pick(['hi', 'lo', 'odd'])}`;
  const stored = changed.includes('.') ? `(${view.element.type}${width})(${value}.s0) + ${value}` : changed;
  return `${indent}vstore${width}(${stored}, 0, ${to.pointer} + ${index});\n`;
};

const storeVector: Form = (w, view, indent) => {
  if (view.element.type !== 'uint') return moveVector(w, view, indent);
  const { pointer, index } = at(w, view, 4);
  return `${indent}vstore4(${w.expression(vector('uint', 4), 1)}, 0, ${pointer} + ${index});\n`;
};

/** Stores on both sides of a branch to one place, and what comes after them. */
const branch: Form = (w, view, indent) => {
  const [place, other] = [few(w, view), few(w, view)];
  const side = () =>
    `{ ${place} = ${w.expression(scalar('uint'), 1)}; ${w.chance.with(0.7) ? `${other} = ${few(w, view)} + ${w.chance.integer(1, 9)}; ` : ''}}`;
  return `${indent}if (${few(w, view)} & ${1 << w.chance.integer(0, 3)}) ${side()} else ${side()}\n`;
};

const loop: Form = (w, view, indent) => {
  const { chance } = w;
  const k = w.fresh('k');
  const count = chance.integer(2, 11);
  const place = () => `${chance.pick(view.names)}[${k} + ${chance.integer(0, 4)}]`;
  const head = chance.pick([
    `for (uint ${k} = 0; ${k} < ${count}; ${k}++)`,
    `for (uint ${k} = 0; ${k} < n + (${place().replace(k, '0')} & 3); ${k}++)`,
    `for (int ${k} = ${count}; ${k} >= 0; ${k}--)`,
  ]);
  return `${indent}${head} { ${place()} ${chance.pick(['=', '+='])} ${place()} ${chance.pick(['+', '^', '*'])} ${place()};${chance.with(0.3) ? ` ${place()} ^= ${k};` : ''} }\n`;
};

const FORMS: readonly Form[] = [
  changeOne,
  changeOne,
  moveVector,
  moveVector,
  storeVector,
  branch,
  branch,
  loop,
  (w, view, indent) => `${indent}if (${one(w, view)} > ${one(w, view)}) ${few(w, view)} = ${few(w, view)};\n`,
];
