// SPDX-License-Identifier: MIT
//
// Vector constants, pushed onto the stack. They are hoisted out of loops as invariants.
import type { Expr } from '../../../wasm/expressions';
import { type FunctionBuilder, ValType } from '../../../wasm/function-builder';
import { Type } from '../../ir/ir';
import type { Invariants } from '../invariants';
import { laneBytes, splatBytes } from '../value-types';

const ZEROS = new Uint8Array(16);
const ONES = new Uint8Array(16).fill(0xff);

export class VectorConstants {
  /** By type: the keys of the numbers so far. */
  private readonly keys: Map<number | bigint, string>[] = [];

  constructor(
    private readonly f: FunctionBuilder,
    private readonly invariants: Invariants,
  ) {}

  /** One number in all lanes. */
  splat(type: Type, bits: number | bigint): void {
    // One instruction produces all zeros or all ones.
    if (Object.is(bits, 0) || bits === 0n) this.f.v128(ZEROS);
    else if (type <= Type.I32 && bits === (type === Type.I1 ? 1 : -1)) this.f.v128(ONES);
    else this.hoisted(this.keyOf(type, bits), () => splatBytes(type, bits));
  }

  /** The text of a float takes longer than all else here. */
  private keyOf(type: Type, bits: number | bigint): string {
    if (Object.is(bits, -0)) return `${type} -0`;
    this.keys[type] ??= new Map();
    let key = this.keys[type].get(bits);
    if (key === undefined) {
      key = `${type} ${bits}`;
      this.keys[type].set(bits, key);
    }
    return key;
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
