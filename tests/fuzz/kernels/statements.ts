// SPDX-License-Identifier: MIT
//
// Random statements. Each stands on lines of its own, so that reduce.ts can take it out.
import { callStatement } from './helpers';
import { imageWrite } from './images';
import { jumpBack, jumpForward, jumpInto, leaveFunction, leaveLoop } from './jumps';
import { forLoop, searchLoop, switchStatement, whileLoop } from './loops';
import { atomicStatement, memoryStatement } from './memory';
import { COMPONENTS, isFloat, nameOf, type Place, scalar, type ValueType } from './model';
import { overlapStatement } from './overlaps';
import { arrayStatement } from './private-arrays';
import { recordStatement } from './records';
import { elementSearch } from './searches';
import { groupStatement } from './work-groups';
import type { Writer } from './writer';

/**
 * `uniform`: the statement's conditions are the same for the whole group. Undefined: it is not allowed in the
 * place.
 */
type Form = (w: Writer, place: Place, uniform: boolean) => string | undefined;

export function declaration(w: Writer, indent: string, type: ValueType, uniform: boolean): string {
  const value = w.expression(type, uniform ? 1 : 2, uniform);
  const name = w.fresh(uniform ? 'u' : 'v');
  w.scope.push({ name, type, uniform, writable: true });
  return `${indent}${nameOf(type)} ${name} = ${value};\n`;
}

const declare: Form = (w, { indent }, uniform) =>
  declaration(w, indent, uniform ? w.integerType() : w.type(), uniform);

const assignment = (w: Writer, { indent, uniform }: Place): string => {
  const { chance } = w;
  const targets = w.scope.filter((v) => v.writable && (!v.uniform || uniform));
  if (targets.length === 0) return `${indent};\n`;
  const { name, type, uniform: strict } = chance.pick(targets);
  if (type.count > 1 && chance.with(0.3)) {
    const component = COMPONENTS[chance.integer(0, type.count - 1)];
    return `${indent}${name}.s${component} = ${w.expression(scalar(type.base), 2, strict)};\n`;
  }
  if (nameOf(type) === 'uint' && chance.with(0.2)) return `${indent}${name}++;\n`;
  const wraps = type.base === 'uint' || type.base === 'ulong' || isFloat(type.base);
  const operator = wraps && chance.with(0.4) ? chance.pick(['+=', '-=', '*=']) : '=';
  return `${indent}${name} ${operator} ${w.expression(type, 3, strict)};\n`;
};

const conditional: Form = (w, place, uniform) =>
  `${place.indent}if (${w.condition(2, uniform)}) ${w.block({ ...place, uniform })}`;

const alternative: Form = (w, place, uniform) =>
  `${conditional(w, place, uniform)}${place.indent}else ${w.block({ ...place, uniform })}`;

const inKernel =
  (form: (w: Writer, place: Place) => string): Form =>
  (w, place) =>
    w.inKernel ? form(w, place) : undefined;

const together: Form = (w, place) => (place.uniform && w.barriers ? groupStatement(w, place) : undefined);
const callAny: Form = (w, place) =>
  w.helpers.length > 0 ? callStatement(w, place, w.chance.pick(w.helpers)) : undefined;
/** Some drivers assume that two arguments are never the same buffer. */
const overlap: Form = (w, place) => (w.inKernel && !w.portable ? overlapStatement(w, place) : undefined);
const intoLoop: Form = (w, place) => (w.chance.with(0.4) ? jumpInto(w, place) : leaveFunction(w, place));

/** For the deepest allowed nesting. */
const SIMPLE: readonly Form[] = [
  assignment, assignment, assignment, declare, inKernel(memoryStatement), arrayStatement, together, recordStatement,
]; // biome-ignore format: a table

const ALL: readonly Form[] = [
  ...SIMPLE, together, conditional, conditional, alternative, alternative, forLoop, forLoop, forLoop, whileLoop, searchLoop,
  (w, place, uniform) => switchStatement(w, { ...place, uniform }), leaveLoop, leaveLoop, jumpForward, jumpBack, intoLoop,
  inKernel(atomicStatement), inKernel(elementSearch), callAny, callAny, imageWrite, overlap,
]; // biome-ignore format: a table

function statement(w: Writer, place: Place): string {
  w.budget--;
  const form = w.chance.pick(w.budget < 0 || w.depth > 3 ? SIMPLE : ALL);
  // Within uniform control flow, uniform statements are as frequent as others.
  const uniform = place.uniform && w.chance.with(0.5);
  return form(w, place, uniform) ?? assignment(w, place);
}

/** Declarations of statements are in scope until their block ends. */
export function statements(w: Writer, count: number, place: Place): string {
  const { scope, records } = w;
  const outer = { scope: [...scope], records: [...records] };
  let text = '';
  for (let i = 0; i < count; i++) text += statement(w, place);
  if (place.indent !== '  ') Object.assign(w, outer);
  return text;
}
