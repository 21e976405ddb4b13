// SPDX-License-Identifier: MIT
//
// Products of packed bytes: those at even places and those at odd ones are products of halves, of which one byte each stays.
import { type Expr, i8x16, i16x8, i32, v128 } from '../../../wasm/expressions';
import { ValType } from '../../../wasm/function-builder';
import { constantOf } from '../../ir/build';
import type { Value } from '../../ir/ir';
import type { Context } from '../context';
import { type PackedVector, packedSplat } from './values';

type Vector = Expr<'v128'>;

export function productOfBytes(c: Context, { inst, push }: PackedVector): Vector {
  const [first, second] = inst.operands as [Value, Value];
  const constant = constantOf(second);
  if (constant !== undefined) return byConstant(c, () => push(0), Number(constant) & 0xff);
  const lower = packedSplat(c, 16, 0xff);
  const upper = packedSplat(c, 16, 0xff00);
  const product = (a: number, b: number): Vector =>
    v128.or(v128.and(i16x8.mul(a, b), lower), i16x8.mul(i16x8.shr_u(a, i32.const(8)), v128.and(b, upper)));
  return c.bind(
    ValType.V128,
    () => push(0),
    (a) =>
      first === second
        ? product(a, a)
        : c.bind(
            ValType.V128,
            () => push(1),
            (b) => product(a, b),
          ),
  );
}

/** Multiplication of halves by a byte leaves the lower bytes alone that are zero. */
function byConstant(c: Context, number: Vector, factor: number): Vector {
  return c.bind(ValType.V128, number, (x) => {
    if (factor === 3) return i8x16.add(i8x16.add(x, x), x);
    const half = packedSplat(c, 16, factor);
    return v128.or(
      v128.and(i16x8.mul(x, half), packedSplat(c, 16, 0xff)),
      i16x8.mul(v128.and(x, packedSplat(c, 16, 0xff00)), half),
    );
  });
}
