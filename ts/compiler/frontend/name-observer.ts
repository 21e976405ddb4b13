// SPDX-License-Identifier: MIT
//
// What the preprocessor and the checker tell an editor's index of names: where each is declared and used. A compilation has no
// observer, and pays a test for `undefined` at each name.
import type { Location } from '../diagnostics/diagnostic';
import type { FunctionDecl, VariableDecl } from './ast/checked';
import type { EnumType, QualType, RecordType, Type } from './types';

/** What a name stands for. `identity` is the same object at each declaration and use of one thing. */
export type Named =
  | { readonly kind: 'macro'; readonly identity: object; readonly text: string }
  | { readonly kind: 'variable'; readonly identity: VariableDecl }
  | { readonly kind: 'function'; readonly identity: FunctionDecl; readonly name: string }
  | { readonly kind: 'typedef'; readonly identity: object; readonly type: Type }
  | { readonly kind: 'enumerator'; readonly identity: object; readonly value: bigint }
  | { readonly kind: 'tag'; readonly identity: RecordType | EnumType }
  | {
      readonly kind: 'field';
      readonly identity: object;
      readonly record: RecordType;
      readonly type: QualType;
    };

export interface NameObserver {
  /** `name` is declared at `location`; a function or a macro may be declared several times. */
  declare(name: string, what: Named, location: Location): void;
  use(name: string, what: Named, location: Location): void;
  /** Names declared from `begin` on are not visible from `end` on. */
  scope(begin: Location, end: Location): void;
  /** `.` or `->` follows an expression of this type (`->`: its pointee); the member's name is at `location`. */
  member(object: Type, location: Location): void;
  /** A `#include` at `location` names the file `path`; its name has `length` characters. */
  include(path: string, location: Location, length: number): void;
}
