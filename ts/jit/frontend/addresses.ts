// SPDX-License-Identifier: MIT
import { constantOf } from '../ir/build';
import { Op as Ir, type Value } from '../ir/ir';

/** An address: a base that neighbouring accesses share, and a constant. */
export function split(address: Value): { address: Value; offset: number } {
  let base = address;
  let offset = 0;
  while (base.kind === 'inst' && base.op === Ir.Add) {
    const c = constantOf(base.operands[1]!);
    // An instruction's offset has 32 bits.
    if (c === undefined || Math.abs(offset + Number(c)) >= 2 ** 31) break;
    offset += Number(c);
    base = base.operands[0]!;
  }
  return { address: base, offset };
}
