// SPDX-License-Identifier: MIT
//
// The symbol tables: one for ordinary names and one for tags, with the scopes as a log of hidden entries.
import type { Location } from '../../diagnostics/diagnostic';
import type { Attributes, CompoundStmt, Expr, FunctionDecl, VariableDecl } from '../ast/checked';
import type { EnumType, FunctionType, QualType, RecordType, ScalarType } from '../types';
import type { TypeUse } from './types/type-use';

/** A function during the merge of its declarations. */
export interface FunctionEntity extends FunctionDecl {
  name: string;
  location: Location;
  type: FunctionType;
  parameters: readonly VariableDecl[];
  isKernel: boolean;
  external: boolean;
  inlineOnly: boolean;
  /** Defined with an identifier list: calls need not match the number of its parameters. */
  isOldStyle?: boolean;
  attributes: Attributes;
  body: CompoundStmt | undefined;
}

/** A variable until its declaration is complete. */
export interface VariableEntity extends VariableDecl {
  type: QualType;
  storage: VariableDecl['storage'];
  init: Expr | undefined;
}

/** The state of a function or block while its body is checked; a block has the enclosing function as `outer`. */
export interface FunctionState {
  readonly outer: FunctionState | undefined;
  readonly captures: Map<VariableDecl, VariableDecl>;
}

export interface FunctionSymbol {
  readonly kind: 'function';
  readonly name: string;
  /** Several functions only with `__attribute__((overloadable))`. */
  readonly overloads: Overload[];
}
export interface Overload {
  readonly entity: FunctionEntity;
  readonly overloadable: boolean;
}

export type ValueSymbol =
  | { readonly kind: 'variable'; readonly variable: VariableDecl; readonly owner: FunctionState | undefined }
  | FunctionSymbol
  | { readonly kind: 'typedef'; readonly use: TypeUse; readonly location: Location }
  | {
      readonly kind: 'enumerator';
      readonly value: bigint;
      readonly type: ScalarType;
      readonly enumeration: EnumType;
      readonly location: Location;
    }
  /** A name whose declaration was wrong: uses of it are not reported. */
  | { readonly kind: 'broken' };

export type Tag = RecordType | EnumType;

interface Entry<T> {
  readonly value: T;
  readonly depth: number;
}

class Table<T> {
  /** Names out of scope stay, as undefined: V8's maps keep deleted entries in their hash chains, which makes look-ups slow. */
  private readonly entries = new Map<string, Entry<T> | undefined>();
  private readonly log: { readonly name: string; readonly hidden: Entry<T> | undefined }[] = [];
  private readonly marks: number[] = [];

  get(name: string): T | undefined {
    return this.entries.get(name)?.value;
  }

  /** Only if declared in the innermost scope. */
  here(name: string): T | undefined {
    const entry = this.entries.get(name);
    return entry !== undefined && entry.depth === this.marks.length ? entry.value : undefined;
  }

  set(name: string, value: T): void {
    this.log.push({ name, hidden: this.entries.get(name) });
    this.entries.set(name, { value, depth: this.marks.length });
  }

  names(): string[] {
    return [...this.entries].flatMap(([name, entry]) => (entry ? [name] : []));
  }

  push(): void {
    this.marks.push(this.log.length);
  }

  pop(): void {
    const mark = this.marks.pop()!;
    while (this.log.length > mark) {
      const { name, hidden } = this.log.pop()!;
      this.entries.set(name, hidden);
    }
  }
}

export class Symbols {
  readonly values = new Table<ValueSymbol>();
  readonly tags = new Table<Tag>();
  depth = 0;

  push(): void {
    this.depth++;
    this.values.push();
    this.tags.push();
  }

  pop(): void {
    this.depth--;
    this.values.pop();
    this.tags.pop();
  }
}
