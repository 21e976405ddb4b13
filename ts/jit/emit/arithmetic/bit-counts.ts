// SPDX-License-Identifier: MIT
//
// How many bits of each byte are set. On x64, V8 has eight instructions for it, of which two load the table of sixteen counts and the mask, and one
// copies. Here both are constants, which are loaded once.
import { onesIn } from '../../../base/integer-arithmetic';
import { type Expr, i8x16, i16x8, i32, type Operand, v128 } from '../../../wasm/expressions';
import { ValType } from '../../../wasm/function-builder';
import { Type } from '../../ir/ir';
import type { Context } from '../context';
import { permutation } from './shuffles';

const HALF = 4;
const LOW = 2 ** HALF - 1;
const LOW_OF_EACH = LOW * 0x1010101;
/** The bits of each number of four bits. */
const COUNTS = Uint8Array.from({ length: LOW + 1 }, (_, bits) => onesIn(bits));

export function bitsOfBytes(c: Context, bytes: Operand<'v128'>): Expr<'v128'> {
  if (!c.engine.isX64 || !c.relaxedSimd) return i8x16.popcnt(bytes);
  const mask = () => c.constants.splat(Type.I32, LOW_OF_EACH);
  const counts = (places: Expr<'v128'>) => permutation(c, COUNTS, v128.and(places, mask));
  return c.bind(ValType.V128, bytes, (x) =>
    i8x16.add(
      counts((f) => f.get(x)),
      counts(i16x8.shr_u(x, i32.const(HALF))),
    ),
  );
}
