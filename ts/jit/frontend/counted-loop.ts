// SPDX-License-Identifier: MIT
//
// Loops that the translation adds to a kernel.

import { Op as Ir, Type, type Value } from '../ir/ir';
import type { Translation } from './translation';

/** A loop whose body gets 0, 1, 2, … below `count`. */
export function countTo(t: Translation, count: Value, body: (at: Value) => void): void {
  const { builder } = t;
  const header = t.newBlock();
  const again = t.newBlock();
  const end = t.newBlock();
  const at = t.param(header, Type.I32);
  builder.jump(header, [t.i32(0)]);
  builder.block = header;
  builder.branch(t.emit(Ir.ULt, Type.I1, [at, count]), again, end);
  builder.block = again;
  body(at);
  builder.jump(header, [t.emit(Ir.Add, Type.I32, [at, t.i32(1)])]);
  builder.block = end;
}
