// SPDX-License-Identifier: MIT
//
// Checked runs: where the lifetime of a private variable begins or ends, it loses its contents. A value that is read later, through a
// pointer that is left or without a new initialization, is then undefined as in any variable that was never written.
import { Op as Ir, Type, type Value } from '../ir/ir';
import { storeLeaf } from './memory';
import type { Handler, Translation } from './translation';

/** Larger variables keep their contents: each scalar takes a store. */
const MOST_SCALARS = 16;

/** OpLifetimeStart, OpLifetimeStop: of the whole variable. */
export const lifetime: Handler = (t, i) => {
  if (t.context.checks && t.index === t.context.modules.own) forget(t, t.get(i.operands[0]!)[0]);
};

function forget(t: Translation, address: Value | undefined): void {
  const info = address?.kind === 'inst' && address.op === Ir.PrivateAlloca && t.privateTypes.get(address);
  if (!info) return;
  const leaves = t.index.types.leaves(info).filter((leaf) => !leaf.isPadding);
  if (leaves.length > MOST_SCALARS) return;
  const undefinedOf = (type: Type) => t.builder.leaves.leaf(Ir.Undef, type, { index: address.id });
  for (const leaf of leaves) {
    const place = { address, offset: 0, space: 'private', align: info.align, volatile: false } as const;
    const type = leaf.storage === 'bool' ? Type.I8 : leaf.type;
    storeLeaf(t, place, { ...leaf, type, storage: 'plain' }, undefinedOf(type));
  }
}
