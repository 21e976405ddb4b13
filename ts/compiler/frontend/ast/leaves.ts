// SPDX-License-Identifier: MIT
//
// The nodes of the syntax tree that have no children: names and literals.
import type { Location } from '../../diagnostics/diagnostic';
import type { ScalarKind } from '../types';

/** `location` is where a message about the node points; `begin` and `end` are its extent. */
export interface Node {
  readonly location: Location;
  readonly begin: Location;
  readonly end: Location;
}

export interface NameExpr extends Node {
  readonly kind: 'name';
  readonly name: string;
}
export interface IntegerExpr extends Node {
  readonly kind: 'integer';
  readonly value: bigint;
  readonly type: ScalarKind;
  /** Written as a character. */
  readonly isCharacter?: boolean;
}
export interface FloatingExpr extends Node {
  readonly kind: 'floating';
  readonly value: number;
  readonly type: ScalarKind;
}
export interface StringExpr extends Node {
  readonly kind: 'string';
  /** All literals joined, without the closing NUL. */
  readonly bytes: Uint8Array;
  /** The characters of a literal `L"…"`. */
  readonly wide?: readonly number[];
  readonly parts: readonly StringPart[];
}
/** One of several adjacent literals. */
export interface StringPart {
  readonly location: Location;
  readonly text: string;
  /** The number of its bytes. */
  readonly length: number;
}
