// SPDX-License-Identifier: MIT
import type { ShownType } from '../../base/checks';

const bits = new DataView(new ArrayBuffer(8));

/** A value of 64 bits as text. */
export function shownText(type: ShownType, value: bigint): string {
  if (type === 'int') return String(BigInt.asIntN(64, value));
  if (type === 'uint') return String(BigInt.asUintN(64, value));
  bits.setBigInt64(0, value);
  return String(bits.getFloat64(0));
}
