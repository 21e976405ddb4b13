// SPDX-License-Identifier: MIT
//
// Statements that the syntax tree and the checked AST have in the same form. `E` is the tree's type of expressions, `S` that of
// its statements.
import type { Location } from '../../diagnostics/diagnostic';

export interface StmtBase {
  readonly location: Location;
}
export interface Compound<S> extends StmtBase {
  readonly kind: 'compound';
  readonly statements: readonly S[];
  readonly end: Location;
}
export interface ExpressionStmt<E> extends StmtBase {
  readonly kind: 'expression';
  readonly expression: E;
}
export interface If<E, S> extends StmtBase {
  readonly kind: 'if';
  readonly condition: E;
  readonly then: S;
  readonly otherwise: S | undefined;
}
export interface For<E, S> extends StmtBase {
  readonly kind: 'for';
  readonly init: S | undefined;
  readonly condition: E | undefined;
  readonly step: E | undefined;
  readonly body: S;
}
export interface While<E, S> extends StmtBase {
  readonly kind: 'while';
  readonly condition: E;
  readonly body: S;
}
export interface Do<E, S> extends StmtBase {
  readonly kind: 'do';
  readonly body: S;
  readonly condition: E;
}
export interface Switch<E, S> extends StmtBase {
  readonly kind: 'switch';
  readonly value: E;
  readonly body: S;
}
export interface Default<S> extends StmtBase {
  readonly kind: 'default';
  readonly body: S;
}
export interface Label<S> extends StmtBase {
  readonly kind: 'label';
  readonly name: string;
  readonly body: S;
}
export interface Goto extends StmtBase {
  readonly kind: 'goto';
  readonly target: string;
}
export interface Jump extends StmtBase {
  readonly kind: 'break' | 'continue';
}
export interface Return<E> extends StmtBase {
  readonly kind: 'return';
  readonly value: E | undefined;
}
export interface EmptyStmt extends StmtBase {
  readonly kind: 'empty';
}
