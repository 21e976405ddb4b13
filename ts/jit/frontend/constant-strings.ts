// SPDX-License-Identifier: MIT
import { Op, type Value } from '../ir/ir';
import { split } from './addresses';
import type { Translation } from './translation';

/** The text at an address that is known at compile time. */
export function constantString(t: Translation, address: Value): string | undefined {
  const bytes = constantBytes(t, address);
  return bytes && new TextDecoder().decode(bytes);
}

export function constantBytes(t: Translation, address: Value): Uint8Array | undefined {
  const { address: whole, offset } = split(address);
  // A wide address of the program's own memory.
  const base = whole.kind === 'inst' && whole.op === Op.ZExt ? whole.operands[0]! : whole;
  if (base.kind !== 'inst' || base.op !== Op.ProgramBase) return undefined;
  return t.context.image.string(base.facts.offset! + offset);
}
