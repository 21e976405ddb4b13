// SPDX-License-Identifier: MIT
//
// Types as messages show them, in C's notation: `__global const float4 *`.
import type { QualType, Type } from '../../types';

interface Qualified {
  readonly const: boolean;
  readonly volatile: boolean;
  readonly restrict: boolean;
}

function words(qualifiers: Qualified): string {
  return `${qualifiers.const ? 'const ' : ''}${qualifiers.volatile ? 'volatile ' : ''}`;
}

const join = (base: string, declarator: string): string =>
  declarator === '' ? base : `${base} ${declarator}`;

function declare(type: Type, declarator: string, qualifiers: string): string {
  switch (type.kind) {
    case 'pointer': {
      const { pointee, space } = type;
      const own = qualifiers === '' ? '' : qualifiers.trimEnd();
      const wrap = pointee.type.kind === 'array' || pointee.type.kind === 'function';
      const inner = `*${own}${own !== '' && declarator !== '' ? ' ' : ''}${declarator}`;
      const where = space === 'private' ? '' : `__${space} `;
      return declare(pointee.type, wrap ? `(${inner})` : inner, `${where}${words(pointee)}`);
    }
    case 'array':
      return declare(
        type.element.type,
        `${declarator}[${type.count ?? ''}]`,
        qualifiers || words(type.element),
      );
    case 'function':
      return declare(type.result, `${declarator}(${parameters(type.parameters, type.variadic)})`, '');
    case 'block':
      return declare(
        type.signature.result,
        `(^${declarator})(${parameters(type.signature.parameters, type.signature.variadic)})`,
        qualifiers,
      );
    default:
      return join(qualifiers + plain(type), declarator);
  }
}

function plain(type: Type): string {
  switch (type.kind) {
    case 'scalar':
      return type.scalar;
    case 'vector':
      return `${type.element.scalar}${type.count}`;
    case 'atomic':
      return `_Atomic(${spell(type.value)})`;
    case 'enum':
      return type.name === undefined ? 'enum (unnamed)' : `enum ${type.name}`;
    case 'record':
      return `${type.tag} ${type.name ?? '(unnamed)'}`;
    case 'image':
      return `__${type.access} ${type.image}_t`;
    case 'pipe':
      return `${type.access} pipe ${spell(type.packet)}`;
    case 'opaque':
      return type.name;
    default:
      return type.kind;
  }
}

const parameters = (types: readonly QualType[], variadic: boolean): string => {
  const all = types.map((each) => spell(each.type));
  if (variadic) all.push('...');
  return all.length === 0 ? 'void' : all.join(', ');
};

export function spell(type: Type): string {
  return declare(type, '', '');
}

/** With the object's own qualifiers, its address space among them. */
export function spellObject(object: QualType): string {
  const where = object.space === 'private' || object.space === 'generic' ? '' : `__${object.space} `;
  return declare(object.type, '', where + words(object));
}
