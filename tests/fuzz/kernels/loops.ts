// SPDX-License-Identifier: MIT
//
// Loops of random kernels, whose iterations are bounded: uniform and divergent, with one exit and with several.
import { flavour, index } from './leaves';
import { type Place, scalar } from './model';
import type { Writer } from './writer';

export const inLoop = ({ indent, staying }: Place, uniform: boolean): Place => ({
  indent,
  uniform,
  staying,
  loop: uniform ? 'uniform' : 'divergent',
});

export function bound(w: Writer, uniform: boolean): string {
  return w.chance.with(0.3)
    ? `${w.chance.integer(1, 6)}`
    : `(int)(${index(w, 8, uniform ? 'group' : flavour(w))})`;
}

export function forLoop(w: Writer, place: Place, uniform: boolean): string {
  const { chance } = w;
  const name = w.fresh('i');
  const hint = chance.with(0.1)
    ? `__attribute__((opencl_unroll_hint${chance.pick(['', '(1)', '(2)', '(4)'])})) `
    : '';
  const head = `for (int ${name} = 0; ${name} < ${bound(w, uniform)}; ${chance.pick([`${name}++`, `${name} += 2`])})`;
  w.scope.push({ name, type: scalar('int'), uniform, writable: false });
  const body = w.block(inLoop(place, uniform));
  w.scope = w.scope.filter((v) => v.name !== name);
  return `${place.indent}${hint}${head} ${body}`;
}

export function whileLoop(w: Writer, place: Place, uniform: boolean): string {
  const { indent } = place;
  const name = w.fresh('n');
  const condition = w.condition(1, uniform);
  const body = w.block({ ...inLoop(place, uniform), indent: `${indent}  ` });
  const start = `${indent}{\n${indent}  int ${name} = ${bound(w, uniform)};\n`;
  return w.chance.with(0.5)
    ? `${start}${indent}  while (${name}-- > 0 && (${condition})) ${body}${indent}}\n`
    : `${start}${indent}  do ${body}${indent}  while (--${name} > 0 && (${condition}));\n${indent}}\n`;
}

/** A loop with several exits, each with different live-outs. */
export function searchLoop(w: Writer, place: Place, uniform: boolean): string {
  const { chance } = w;
  const { indent } = place;
  const name = w.fresh('s');
  const inner = { ...inLoop(place, uniform), indent: `${indent}  ` };
  const usable = w.scope.filter((v) => v.writable && (!v.uniform || uniform));
  let text = `${indent}for (int ${name} = 0; ; ${name}++) {\n`;
  // Inner blocks may continue in every iteration.
  text += `${inner.indent}if (${name} > 11) break;\n`;
  for (let i = chance.integer(2, 4); i > 0; i--) {
    const found = chance.pick(usable);
    const value = w.expression(found.type, 1, found.uniform);
    const leave = chance.with(0.15) ? 'continue' : 'break';
    // A work-item that continues must come nearer to the end.
    text += `${inner.indent}if (${name} < 6 && (${w.condition(1, uniform)})) { ${found.name} = ${value}; ${leave}; }\n`;
    if (chance.with(0.4)) text += `${inner.indent}${w.block(inner)}`;
  }
  return `${text}${inner.indent}if (${name} >= ${bound(w, uniform)}) break;\n${indent}}\n`;
}

/** A switch, also with cases that fall through. */
export function switchStatement(w: Writer, place: Place): string {
  const { chance } = w;
  const { indent } = place;
  const base = chance.pick(['int', 'uint', 'uchar', 'long'] as const);
  let text = `${indent}switch (${w.expression(scalar(base), 2, place.uniform)} & 7) {\n`;
  const labels = chance.pick([
    ['case 0:', 'case 1: case 6:', 'case 3:', 'default:'],
    ['case 1: case 6:', 'case 3:', 'default:'],
    ['case 2:', 'default:', 'case 5:', 'case 7: case 0:', 'case 4:'],
    ['case 0:', 'case 1:', 'case 2:', 'case 3:', 'case 4:', 'case 5:', 'case 6:', 'case 7:'],
  ]);
  for (const label of labels) {
    text += `${indent}  ${label} ${w.block({ ...place, indent: `${indent}  ` })}`;
    if (chance.with(0.6)) text += `${indent}  break;\n`;
  }
  return `${text}${indent}}\n`;
}
