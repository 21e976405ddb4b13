// SPDX-License-Identifier: MIT
import type { Location } from '../../../diagnostics/diagnostic';
import type { Specifiers, TypeSpec } from '../../ast/syntax';
import type { Access } from '../../types';
import { BaseWords, NO_ATTRIBUTES, QualifierSet } from './specifier-words';

/** The specifiers of a declaration or type name while they are read. */
export class OpenSpecifiers {
  readonly qualifiers = new QualifierSet();
  readonly words = new BaseWords();
  attributes = NO_ATTRIBUTES;
  /** Undefined while there are only scalar words, from which `words` determines the type. */
  type: TypeSpec | undefined = undefined;
  /** The type as messages and kernel argument information show it. */
  spelling = '';
  storage: Specifiers['storage'] = undefined;
  storageLocation: Location = 0;
  inline = false;
  noreturn = false;
  kernel = false;
  access: Access | undefined = undefined;
  /** The type is wrong, and that has been reported. */
  isBroken = false;

  constructor(
    readonly which: 'of a declaration' | 'of a type',
    readonly location: Location,
  ) {}

  get hasType(): boolean {
    return this.type !== undefined || this.words.any;
  }

  finish(end: Location): Specifiers {
    const { storage, storageLocation, inline, noreturn, kernel, attributes, spelling, location } = this;
    return {
      type: this.type!,
      qualifiers: this.qualifiers.finish(),
      storage,
      storageLocation,
      inline,
      noreturn,
      kernel,
      attributes,
      spelling,
      location,
      end,
    };
  }
}
