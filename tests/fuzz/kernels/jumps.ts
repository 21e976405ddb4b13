// SPDX-License-Identifier: MIT
//
// Jumps of random kernels: out of loops and functions, forward, back, and into loops.
import { returned } from './helpers';
import { bound, inLoop } from './loops';
import { type Place, RESULTS, scalar } from './model';
import type { Writer } from './writer';

/** Break, continue or a forward goto; undefined where none is allowed. */
export function leaveLoop(w: Writer, place: Place): string | undefined {
  const { uniform } = place;
  const jumps: string[] =
    place.loop === 'divergent' || (place.loop === 'uniform' && uniform) ? ['break', 'continue'] : [];
  for (const label of w.labels) if (uniform || !label.uniform) jumps.push(`goto ${label.name}`);
  if (jumps.length === 0) return undefined;
  return `${place.indent}if (${w.condition(1, uniform)}) ${w.chance.pick(jumps)};\n`;
}

export function jumpForward(w: Writer, place: Place): string {
  const { indent } = place;
  const uniform = place.uniform && w.chance.with(0.5);
  const name = w.fresh('end');
  w.labels.push({ name, uniform });
  const inner = { ...place, uniform, indent: `${indent}  ` };
  const body = w.block(inner);
  const leave = leaveLoop(w, inner) ?? '';
  const rest = w.block(inner);
  w.labels.pop();
  return `${indent}{\n${indent}  ${body}${leave}${indent}  ${rest}${indent}}\n${indent}${name}: ;\n`;
}

export function jumpBack(w: Writer, place: Place): string {
  const { indent } = place;
  const uniform = place.uniform && w.chance.with(0.5);
  const counter = w.fresh('c');
  const name = w.fresh('again');
  const inner = { ...place, uniform, indent: `${indent}  ` };
  const body = w.block(inner);
  const condition = w.condition(1, uniform);
  return `${indent}{\n${indent}  int ${counter} = 0;\n${indent}  ${name}: ;\n${indent}  ${body}${indent}  if (${counter}++ < ${w.chance.integer(1, 4)} && (${condition})) goto ${name};\n${indent}}\n`;
}

/** A loop with several entries. */
export function jumpInto(w: Writer, place: Place): string {
  const { indent } = place;
  const uniform = place.uniform && w.chance.with(0.5);
  const counter = w.fresh('d');
  const inner = { ...inLoop(place, uniform), indent: `${indent}    ` };
  const start = `${indent}{\n${indent}  int ${counter} = ${bound(w, uniform)};\n`;
  if (w.chance.with(0.5)) {
    const name = w.fresh('into');
    const enter = `${indent}  if (${w.condition(1, uniform)}) goto ${name};\n`;
    const [before, after] = [w.block(inner), w.block(inner)];
    const head = `${indent}  while (${counter}-- > 0 && (${w.condition(1, uniform)})) {\n`;
    return `${start}${enter}${head}${inner.indent}${before}${indent}  ${name}: ;\n${inner.indent}${after}${indent}  }\n${indent}}\n`;
  }
  const value = w.expression(scalar('uint'), 1, uniform);
  const [first, second] = [w.block(inner), w.block(inner)];
  return `${start}${indent}  switch (${value} & 3) {\n${indent}  case 0: do {\n${inner.indent}${first}${indent}  case 2: ;\n${inner.indent}${second}${indent}  } while (--${counter} > 0);\n${indent}  }\n${indent}}\n`;
}

/** Undefined where no work-item may return, because barriers follow. */
export function leaveFunction(w: Writer, place: Place): string | undefined {
  if (place.staying && !place.uniform) return undefined;
  const condition = w.condition(1, place.uniform);
  if (!w.inKernel) {
    const value = returned(w, w.result, 1);
    return `${place.indent}if (${condition}) return ${value};\n`;
  }
  return `${place.indent}if (${condition}) { out[gid * ${RESULTS.out}] = ${w.expression(scalar('ulong'), 1)}; return; }\n`;
}
