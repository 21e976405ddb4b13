// SPDX-License-Identifier: MIT
import { Op as Ir, Type, type Value } from '../ir/ir';
import { FLOAT_REMAINDER } from './library-calls';
import type { Translation } from './translation';

/** a - trunc(a / b) * b, which is exact, of floats or doubles. The library's code for floats can be vectorized. */
export const remainder = (t: Translation, a: Value, b: Value): Value =>
  a.type === Type.F64
    ? t.emit(Ir.FRem, Type.F64, [a, b])
    : t.callLibrary(FLOAT_REMAINDER, [a, b], 'the remainder of floats')[0]!;
