// SPDX-License-Identifier: MIT
//
// The state of the translation of instructions: operands as text, results as variables or as part of the expression that uses
// them.
import type { Op } from '../grammar.gen';
import type { Id, Instruction } from '../module';
import { inexpressible } from './tables';
import type { Translation } from './translation';
import type { TypeInfo } from './types';

/** Text of a value that depends only on its operands. */
export type Expression = (b: Body, i: Instruction) => string;
/** Adds lines to a body, for instructions that have an effect or read memory. */
export type Statement = (b: Body, i: Instruction) => void;
export type Expressions = Partial<Record<Op, Expression>>;
export type Statements = Partial<Record<Op, Statement>>;

/** Longer expressions get a variable. */
const LONGEST_EXPRESSION = 160;

export class Body {
  readonly lines: string[] = [];
  /** Declarations of the function's variables. */
  readonly variables: string[] = [];
  private readonly values = new Map<Id, string>();
  private temporaries = 0;

  constructor(
    readonly t: Translation,
    /** Values that are used once, in the block that defines them: their expression is written at the use. */
    private readonly inlined: ReadonlySet<Id>,
  ) {}

  line(text: string): void {
    this.lines.push(text);
  }

  /** An operand; a primary expression. */
  get(id: number): string {
    return (
      this.values.get(id as Id) ??
      this.t.constants.expression(id as Id) ??
      inexpressible(`%${id}, which is defined after its use`)
    );
  }

  gets(ids: readonly number[]): string[] {
    return ids.map((id) => this.get(id));
  }

  /** An integer operand as a signed one. */
  signed(id: number): string {
    const type = this.typeOf(id);
    if (this.info(type).kind !== 'int') return this.get(id);
    return this.reinterpret(this.t.types.signed(type), this.info(type), this.get(id));
  }

  /** Signed text as a value of its (unsigned) type. */
  unsigned(type: Id, text: string): string {
    return this.info(type).kind === 'int'
      ? this.reinterpret(this.t.types.name(type), this.info(type), text)
      : text;
  }

  private reinterpret(name: string, { count }: TypeInfo, text: string): string {
    return count > 1 ? `as_${name}(${text})` : `((${name})${text})`;
  }

  typeOf(id: number): Id {
    return this.t.tables.definition(id).type;
  }

  info(type: Id): TypeInfo {
    return this.t.types.info(type);
  }

  /** Makes `text` the value of an id without evaluating it now. */
  alias(id: Id, text: string): void {
    this.values.set(id, text);
  }

  declare(id: Id, type: Id): string {
    const name = `_v${id}`;
    this.variables.push(`${this.t.types.name(type)} ${name};`);
    this.values.set(id, name);
    return name;
  }

  /** Computes the result now. */
  set(i: Instruction, text: string): void {
    if (this.info(i.type).kind === 'void') this.line(`${text};`);
    else this.line(`${this.values.get(i.result) ?? this.declare(i.result, i.type)} = ${text};`);
  }

  /** The result of an expression without effects, evaluated at its use if possible. */
  define(i: Instruction, text: string): void {
    if (this.inlined.has(i.result) && text.length < LONGEST_EXPRESSION)
      this.alias(i.result, isPrimary(text) ? text : `(${text})`);
    else this.set(i, text);
  }

  /** A new variable of the body. */
  temporary(type: string, value?: string): string {
    const name = `_u${this.temporaries++}`;
    this.variables.push(`${type} ${name};`);
    if (value !== undefined) this.line(`${name} = ${value};`);
    return name;
  }
}

const isPrimary = (text: string): boolean => /^[\w.]+$/.test(text);
