// SPDX-License-Identifier: MIT
//
// Functions of random kernels: with several returns, also of the same constant; with structures by value, by pointer and
// as results; with pointers to what they write. They call each other, so that inlining nests.
import { literal } from './leaves';
import {
  type Helper,
  isFloat,
  isRecord,
  nameOf,
  type ObjectType,
  type Parameter,
  type Place,
  same,
  scalar,
  type ValueType,
} from './model';
import { recordValue } from './records';
import type { Writer } from './writer';

const BODY_PLACE: Place = { indent: '  ', uniform: false, loop: 'none', staying: false };

/** Writes a function, and declares it for the following code. */
export function defineHelper(w: Writer): string {
  const { chance } = w;
  const name = w.fresh('f');
  const parameters = Array.from({ length: chance.integer(1, 4) }, () => parameter(w));
  if (chance.with(0.25)) parameters.unshift({ type: scalar('uint'), passing: 'array' });
  const writes = parameters.some(({ passing }) => passing !== 'value');
  const isVoid = writes && chance.with(0.2);
  const result = isVoid ? undefined : chance.with(0.25) ? chance.pick(w.recordTypes) : w.type();
  enterFunction(w, parameters, result);
  const returns = returnedConstants(w, result);
  let body = chance.with(0.6) ? callStatement(w, BODY_PLACE, w.helpers.at(-1)) : '';
  body += w.statements(chance.integer(1, 3), BODY_PLACE);
  for (let i = chance.integer(0, 3); i > 0; i--) body += earlyReturn(w, parameters, returns);
  body += `${writeOutputs(w, parameters, '  ')}  return ${chance.with(0.5) ? chance.pick(returns) : returned(w, result, 2)};\n`;
  w.helpers.push({ name, result, parameters });
  const list = parameters.map(({ type, passing }, i) =>
    passing === 'array' ? 'uint *pa' : `${nameOf(type)} ${passing === 'pointer' ? '*' : ''}p${i}`,
  );
  const attribute = chance.with(0.1) ? '__attribute__((noinline)) ' : '';
  return `${attribute}static ${result ? nameOf(result) : 'void'} ${name}(${list.join(', ')}) {\n${body}}\n`;
}

function parameter(w: Writer): Parameter {
  const { chance } = w;
  return {
    type: chance.with(0.3) ? chance.pick(w.recordTypes) : w.type(),
    passing: chance.with(0.4) ? 'pointer' : 'value',
  };
}

/** A function's scope has only its parameters. */
function enterFunction(w: Writer, parameters: readonly Parameter[], result: ObjectType | undefined): void {
  w.scope = [];
  w.records = [];
  w.arrays = [];
  w.inKernel = false;
  w.budget = 5;
  w.result = result;
  parameters.forEach(({ type, passing }, i) => {
    const name = passing === 'pointer' ? `(*p${i})` : `p${i}`;
    if (passing === 'array') w.arrays.push({ name: 'pa', element: scalar('uint'), length: 8 });
    else if (isRecord(type)) w.addRecord(name, type);
    else w.scope.push({ name, type, uniform: false, writable: true });
  });
}

/** The common part of a function's returns, so that jump threading and if-conversion see equal arguments. */
function returnedConstants(w: Writer, result: ObjectType | undefined): string[] {
  if (result === undefined) return [''];
  const isValue = !isRecord(result);
  const constants = Array.from({ length: 2 }, () =>
    isValue ? literal(w, result) : recordValue(w, result, 0),
  );
  if (isValue && isFloat(result.base)) return constants;
  return isValue ? [...constants, `(${nameOf(result)})1`, `(${nameOf(result)})0`] : constants;
}

/** The value of a return statement. */
export function returned(w: Writer, result: ObjectType | undefined, depth: number): string {
  if (result === undefined) return '';
  return isRecord(result) ? recordValue(w, result, depth) : w.expression(result, depth);
}

function earlyReturn(w: Writer, parameters: readonly Parameter[], returns: readonly string[]): string {
  const value = w.chance.with(0.7) ? w.chance.pick(returns) : returned(w, w.result, 1);
  return `  if (${w.condition(1)}) {\n${writeOutputs(w, parameters, '    ')}    return ${value};\n  }\n`;
}

function writeOutputs(w: Writer, parameters: readonly Parameter[], indent: string): string {
  let text = '';
  parameters.forEach(({ type, passing }, i) => {
    if (passing !== 'pointer' || w.chance.with(0.3)) return;
    const value = isRecord(type)
      ? recordValue(w, type, 1)
      : w.chance.with(0.5)
        ? literal(w, type)
        : w.expression(type, 1);
    text += `${indent}*p${i} = ${value};\n`;
  });
  return text;
}

// ---- calls

function argument(w: Writer, { type }: Parameter, depth: number, uniform: boolean): string {
  return isRecord(type) ? recordValue(w, type, depth) : w.expression(type, depth, uniform);
}

/** The call of a function without side effects: it has no pointer parameters. */
export function callInExpression(
  w: Writer,
  type: ValueType,
  depth: number,
  uniform: boolean,
): string | undefined {
  const usable = w.helpers.filter(({ result, parameters }) => {
    if (result === undefined || isRecord(result) || result.count !== type.count) return false;
    if (isFloat(result.base) && !isFloat(type.base)) return false;
    return parameters.every((p) => p.passing === 'value' && !(uniform && isRecord(p.type)));
  });
  if (usable.length === 0) return undefined;
  const { name, result, parameters } = w.chance.pick(usable);
  const list = parameters.map((p) => argument(w, p, Math.min(depth - 1, 1), uniform));
  const call = `${name}(${list.join(', ')})`;
  return same(result!, type) ? call : `convert_${nameOf(type)}(${call})`;
}

/** An object that a pointer to a type may point to. */
function target(w: Writer, type: ObjectType): string | undefined {
  const found = isRecord(type)
    ? w.records.filter((r) => same(r.type, type)).map((r) => r.name)
    : w.scope.filter((v) => v.writable && !v.uniform && same(v.type, type)).map((v) => v.name);
  for (const { name, element, length } of w.arrays)
    if (same(element, type)) found.push(`${name}[${w.chance.integer(0, length - 1)}]`);
  return found.length > 0 ? w.chance.pick(found) : undefined;
}

/** The address of an object of a type; if there is none, of a variable whose declaration is added to `declared`. */
function address(w: Writer, type: ObjectType, declared: string[]): string {
  const found = target(w, type);
  if (found !== undefined) return `&${found}`;
  const name = w.fresh('t');
  declared.push(`${nameOf(type)} ${name} = ${argument(w, { type, passing: 'value' }, 1, false)};`);
  if (isRecord(type)) w.addRecord(name, type);
  else w.scope.push({ name, type, uniform: false, writable: true });
  return `&${name}`;
}

/** Calls a function, perhaps twice with different pointers; its result goes into a variable. */
export function callStatement(w: Writer, { indent }: Place, helper: Helper | undefined): string {
  if (helper === undefined) return `${indent};\n`;
  const { name, result, parameters } = helper;
  if (parameters.some((p) => p.passing === 'array') && !w.arrays.some((a) => a.name === 'pa'))
    return `${indent};\n`;
  const lines: string[] = [];
  for (let i = w.chance.integer(1, 2); i > 0; i--) {
    const declared: string[] = [];
    const list = parameters.map((p) => {
      if (p.passing === 'array') return 'pa';
      return p.passing === 'pointer' ? address(w, p.type, declared) : argument(w, p, 1, false);
    });
    lines.push(...declared);
    const into = result === undefined ? undefined : target(w, result);
    // An element's index is a constant, so the order of evaluation does not matter.
    lines.push(`${into === undefined ? '' : `${into} = `}${name}(${list.join(', ')});`);
  }
  return lines.map((line) => `${indent}${line}\n`).join('');
}
