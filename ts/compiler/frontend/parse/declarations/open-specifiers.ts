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
  /** Undefined as long as there are only words, of which `words` makes a type. */
  type: TypeSpec | undefined = undefined;
  /** The type as messages and kernel argument information show it. */
  spelling = '';
  storage: Specifiers['storage'] = undefined;
  storageLocation: Location = 0;
  inline = false;
  noreturn = false;
  kernel = false;
  access: Access | undefined = undefined;
  /** What was wrong with the type has been reported. */
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
