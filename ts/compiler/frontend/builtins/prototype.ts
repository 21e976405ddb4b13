// SPDX-License-Identifier: MIT
//
// Prototypes as a user reads them.
import type { QualType, Type } from '../types';
import type { ResolvedBuiltin } from './builtin';

const qualifiers = (type: QualType): string =>
  `${type.const ? 'const ' : ''}${type.volatile ? 'volatile ' : ''}`;

export function spell(type: Type): string {
  switch (type.kind) {
    case 'void':
      return 'void';
    case 'scalar':
      return type.scalar;
    case 'vector':
      return `${type.element.scalar}${type.count}`;
    case 'pointer': {
      const space = type.space === 'generic' ? '' : `__${type.space} `;
      const pointee = spell(type.pointee.type);
      return `${space}${qualifiers(type.pointee)}${pointee}${pointee.endsWith('*') ? '*' : ' *'}`;
    }
    case 'array':
      return `${spell(type.element.type)}[${type.count ?? ''}]`;
    case 'function':
      return `${spell(type.result)} (${type.parameters.map((p) => spell(p.type)).join(', ')})`;
    case 'block':
      return `${spell(type.signature.result)} (^)(${type.signature.parameters.map((p) => spell(p.type)).join(', ')})`;
    case 'atomic':
      return `atomic_${spell(type.value)}`;
    case 'enum':
      return `enum ${type.name ?? '(unnamed)'}`;
    case 'record':
      return `${type.tag} ${type.name ?? '(unnamed)'}`;
    case 'image':
      return `${type.access} ${type.image}_t`;
    case 'pipe':
      return `${type.access} pipe ${spell(type.packet)}`;
    case 'opaque':
      return type.name;
  }
}

export function prototypeOf(builtin: ResolvedBuiltin): string {
  const parameters = builtin.parameters.map(spell);
  if (builtin.variadic) parameters.push('...');
  return `${spell(builtin.result)} ${builtin.name}(${parameters.join(', ')})`;
}
