// SPDX-License-Identifier: MIT
//
// Names of overloaded functions as the Itanium C++ ABI and SPIR write them, so that units link with each other.
import type { AddressSpace, FunctionType, QualType, ScalarKind, Type } from '../../types';

const SCALAR_CODES: Readonly<Record<ScalarKind, string>> = {
  bool: 'b',
  char: 'c',
  uchar: 'h',
  short: 's',
  ushort: 't',
  int: 'i',
  uint: 'j',
  long: 'l',
  ulong: 'm',
  half: 'Dh',
  float: 'f',
  double: 'd',
};

const SPACE_CODES: Readonly<Record<AddressSpace, string>> = {
  private: '',
  global: 'U3AS1',
  constant: 'U3AS2',
  local: 'U3AS3',
  generic: 'U3AS4',
};

const named = (name: string): string => `${name.length}${name}`;

/** Substitutions (`S_`, `S0_`) of one name, in the order in which their parts first appear. */
class Mangler {
  private readonly seen: string[] = [];

  type(type: Type): string {
    switch (type.kind) {
      case 'void':
        return 'v';
      case 'scalar':
        return SCALAR_CODES[type.scalar];
      case 'vector':
        return this.substituted(`Dv${type.count}_${SCALAR_CODES[type.element.scalar]}`);
      case 'pointer': {
        const pointee = this.qualified(type.pointee, type.space);
        return this.substituted(`P${pointee}`);
      }
      case 'record':
      case 'enum':
        return this.substituted(named(type.name ?? ''));
      case 'opaque':
        return this.substituted(named(`ocl_${type.name.replace(/_t$/, '')}`));
      case 'image': {
        const access = { read_only: 'ro', write_only: 'wo', read_write: 'rw' }[type.access];
        return this.substituted(named(`ocl_${type.image}_${access}`));
      }
      case 'atomic':
        return this.substituted(`U7_Atomic${this.type(type.value)}`);
      case 'array':
        return `A${type.count ?? ''}_${this.type(type.element.type)}`;
      case 'pipe':
        return this.substituted(named('ocl_pipe'));
      case 'block':
        return this.substituted(`U13block_pointer${this.signature(type.signature)}`);
      case 'function':
        return this.signature(type);
    }
  }

  private qualified(pointee: QualType, space: AddressSpace): string {
    const words = `${SPACE_CODES[space]}${pointee.volatile ? 'V' : ''}${pointee.const ? 'K' : ''}`;
    const inner = this.type(pointee.type);
    return words === '' ? inner : this.substituted(words + inner);
  }

  private signature(type: FunctionType): string {
    return `F${this.type(type.result)}${this.parameters(type)}E`;
  }

  parameters(type: FunctionType): string {
    if (type.parameters.length === 0) return 'v';
    return type.parameters.map((each) => this.type(each.type)).join('');
  }

  private substituted(text: string): string {
    const index = this.seen.indexOf(text);
    if (index < 0) {
      this.seen.push(text);
      return text;
    }
    return index === 0 ? 'S_' : `S${(index - 1).toString(36).toUpperCase()}_`;
  }
}

export function mangle(name: string, type: FunctionType): string {
  return `_Z${named(name)}${new Mangler().parameters(type)}`;
}
