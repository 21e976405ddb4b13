// SPDX-License-Identifier: MIT
//
// Expressions over the function builder: operands are written inside the operation that uses them, instead of on a line each
// before it. An expression leaves one value on the stack each time it is emitted.
import type { FunctionBuilder } from '../../wasm/function-builder';
import type { Wasm } from '../../wasm/opcodes';

export type Expression = () => void;
/** A local, or what is computed here. */
export type Operand = number | Expression;

export class Expressions {
  constructor(private readonly f: FunctionBuilder) {}

  /** An operation on operands, which are evaluated from left to right. */
  readonly op =
    (code: Wasm, ...operands: readonly Operand[]): Expression =>
    () => {
      for (const operand of operands) this.push(operand);
      this.f.op(code);
    };

  /** Emits an expression. */
  readonly push = (operand: Operand): void => {
    if (typeof operand === 'number') this.f.get(operand);
    else operand();
  };

  /** Emits an expression and assigns its value to a local. */
  readonly set = (local: number, value: Operand): void => {
    this.push(value);
    this.f.set(local);
  };

  readonly i32 =
    (value: number): Expression =>
    () =>
      this.f.i32(value);

  readonly i64 =
    (value: bigint): Expression =>
    () =>
      this.f.i64(value);

  readonly f64 =
    (value: number): Expression =>
    () =>
      this.f.f64(value);
}
