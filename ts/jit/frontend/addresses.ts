// SPDX-License-Identifier: MIT
import { constantOf } from '../ir/build';
import { Op as Ir, type Value } from '../ir/ir';

interface Split {
  readonly address: Value;
  readonly offset: number;
}

/** An instruction's offset has 32 bits. */
const BEYOND = 2 ** 31;
/** Of an address that is this many sums away from its base, or from another such address, the parts are remembered. */
const LONG = 8;
const remembered = new WeakMap<Value, Split>();

/** An address: a base that neighbouring accesses share, and a constant. */
export function split(address: Value): Split {
  let base = address;
  let offset = 0;
  let sums = 0;
  for (; base.kind === 'inst' && base.op === Ir.Add; sums++) {
    const known = remembered.get(base);
    if (known && Math.abs(offset + known.offset) < BEYOND) {
      base = known.address;
      offset += known.offset;
      break;
    }
    const c = constantOf(base.operands[1]!);
    if (c === undefined || Math.abs(offset + Number(c)) >= BEYOND) break;
    offset += Number(c);
    base = base.operands[0]!;
  }
  const parts = { address: base, offset };
  if (sums >= LONG) remembered.set(address, parts);
  return parts;
}
