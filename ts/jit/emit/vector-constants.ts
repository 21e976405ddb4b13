// SPDX-License-Identifier: MIT
//
// Vector constants, pushed onto the stack. They are hoisted out of loops as invariants.
import type { Expr } from '../../wasm/expressions';
import { type FunctionBuilder, ValType } from '../../wasm/function-builder';
import { Type } from '../ir/ir';
import type { Invariants } from './invariants';
import { laneBytes, splatBytes } from './value-types';

export class VectorConstants {
  constructor(
    private readonly f: FunctionBuilder,
    private readonly invariants: Invariants,
  ) {}

  /** One number in all lanes. */
  splat(type: Type, bits: number | bigint): void {
    const zero = Object.is(bits, 0) || bits === 0n;
    const ones = type <= Type.I32 && (bits === -1 || (bits === 1 && type === Type.I1));
    // One instruction produces all zeros or all ones.
    if (zero || ones) this.f.v128(splatBytes(type, bits));
    else this.hoisted(`${type} ${Object.is(bits, -0) ? '-0' : bits}`, () => splatBytes(type, bits));
  }

  /** The same, as an expression. */
  splatExpr(type: Type, bits: number | bigint): Expr<'v128'> {
    return () => this.splat(type, bits);
  }

  /** A 16-bit number in eight lanes. */
  shorts(bits: number): void {
    this.splat(Type.I32, Math.imul(bits, 0x10001));
  }

  bytes(bytes: Uint8Array): void {
    this.hoisted(`bytes ${bytes.join()}`, () => bytes);
  }

  /** Different integers. */
  lanes(type: Type, values: readonly number[]): void {
    this.hoisted(`lanes ${type} ${values.join()}`, () => laneBytes(type, values));
  }

  /** The numbers of four lanes of a tile. */
  laneNumbers(part: number): void {
    this.lanes(
      Type.I32,
      [0, 1, 2, 3].map((lane) => part * 4 + lane),
    );
  }

  private hoisted(key: string, bytes: () => Uint8Array): void {
    this.invariants.push(key, ValType.V128, undefined, () => this.f.v128(bytes()));
  }
}
