// SPDX-License-Identifier: MIT
//
// The declaration of a name, as one line of OpenCL C.
import type { FunctionDecl, VariableDecl } from '../compiler/frontend/ast/checked';
import { spell } from '../compiler/frontend/check/types/spelling';
import type { Named } from '../compiler/frontend/name-observer';
import type { EnumType, QualType, RecordType, Type } from '../compiler/frontend/types';

type Describe<K extends Named['kind']> = (name: string, what: Extract<Named, { kind: K }>) => string;

const DESCRIBE: { readonly [K in Named['kind']]: Describe<K> } = {
  macro: (_, { text }) => `#define ${text}`,
  variable: (name, { identity }) => variable(name, identity),
  function: (name, { identity }) => prototype(name, identity),
  typedef: (name, { type }) => `typedef ${declaration(type, name)}`,
  enumerator: (name, { value }) => `${name} = ${value}`,
  tag: (_, { identity }) => tag(identity),
  field: (name, { record, type }) =>
    `${record.tag} ${record.name ?? '(unnamed)'}: ${declaration(type.type, name)}`,
};

export function describe(name: string, what: Named): string {
  return (DESCRIBE[what.kind] as Describe<Named['kind']>)(name, what);
}

/** Replaces the name of a structure without a tag by the typedef that the program uses. */
const named = (text: string, { typeName }: VariableDecl): string => {
  const name = typeName.match(/[A-Za-z_]\w*/g)?.at(-1);
  return name === undefined ? text : text.replace(/(?:struct|union|enum) \(unnamed\)/, name);
};

const join = (type: string, name: string): string =>
  type.endsWith('*') ? `${type}${name}` : `${type} ${name}`;

function declaration(type: Type, name: string): string {
  if (type.kind !== 'array') return join(spell(type), name);
  const whole = spell(type);
  const bracket = whole.indexOf('[');
  return `${whole.slice(0, bracket).trimEnd()} ${name}${whole.slice(bracket)}`;
}

function qualified({ type, const: isConst, volatile, space }: QualType, name: string): string {
  const where = space === 'private' ? '' : `${space} `;
  return `${where}${isConst ? 'const ' : ''}${volatile ? 'volatile ' : ''}${declaration(type, name)}`;
}

function variable(name: string, decl: VariableDecl): string {
  const { type, storage } = decl;
  if (storage === 'parameter') return named(declaration(type.type, name), decl);
  const prefix = storage === 'static' || storage === 'extern' ? `${storage} ` : '';
  return prefix + named(qualified(type, name), decl);
}

function prototype(name: string, { type, parameters, isKernel }: FunctionDecl): string {
  const list = type.parameters.map((each, i) => {
    const own = parameters[i];
    return own?.name ? named(declaration(each.type, own.name), own) : spell(each.type);
  });
  if (type.variadic) list.push('...');
  return `${isKernel ? 'kernel ' : ''}${spell(type.result)} ${name}(${list.join(', ') || 'void'})`;
}

function tag(type: RecordType | EnumType): string {
  if (type.kind === 'enum') {
    const list = [...(type.enumerators ?? [])].map(([name, value]) => `${name} = ${value}`);
    return `enum ${type.name ?? '(unnamed)'} { ${list.join(', ')} }`;
  }
  const head = `${type.tag} ${type.name ?? '(unnamed)'}`;
  if (type.fields === undefined) return head;
  const lines = type.fields.map(
    ({ name, type: field, offset }) => `  ${declaration(field.type, name ?? '')};  // at byte ${offset}`,
  );
  return `${head} {  // ${type.size} bytes, aligned to ${type.align}\n${lines.join('\n')}\n}`;
}
