// SPDX-License-Identifier: MIT
//
// Where values are kept from one region to the next.
import { ALL, type Divergence } from '../analyses/divergence';
import type { Value } from '../ir/ir';
import { isGroupWide } from '../regions/split';
import { valTypeOf } from './value-types';
import type { Variant } from './variant';

/** The place of a value between regions. */
export interface Slot {
  readonly value: Value;
  /** Offset in the tile's frame; undefined for group-uniform values. */
  readonly offset: number | undefined;
  /** The local with the group-uniform value while the value's own locals change. */
  readonly home: number | undefined;
  /** Offset in the frame of the loop live-out, if it has separate vectors. */
  readonly liveOut: number | undefined;
}

export interface Slots {
  readonly of: ReadonlyMap<Value, Slot>;
  readonly bytes: number;
}

export function assignSlots(v: Variant): Slots {
  const { c, code } = v;
  const of = new Map<Value, Slot>();
  let bytes = 0;
  const place = (count: number, unit: number): number => {
    const offset = Math.ceil(bytes / unit) * unit;
    bytes = offset + count * unit;
    return offset;
  };
  for (const region of code.regions.list)
    for (const value of [...region.provides, ...region.needs]) {
      if (of.has(value)) continue;
      const count = c.registersOf(value).length;
      if (isCommon(value, code.divergence)) {
        const home = c.f.local(valTypeOf(value.type));
        of.set(value, { value, offset: undefined, home, liveOut: undefined });
        continue;
      }
      const liveOut = c.liveOuts[value.id] && place(c.liveOuts[value.id]!.length, 16);
      const offset = place(count, c.isVector(value) ? 16 : 8);
      of.set(value, { value, offset, home: undefined, liveOut });
    }
  return { of, bytes: Math.ceil(bytes / 16) * 16 };
}

/** Whether the value is group-uniform, also after the loops that define it. */
function isCommon(value: Value, divergence: Divergence): boolean {
  // The work-items leave a loop with a barrier in the same iteration, whatever their condition is.
  if (value.kind === 'inst' && isGroupWide(value)) return (divergence.dims[value.id]! & ALL) === 0;
  return (divergence.dimsAfterLoops(value) & ALL) === 0;
}
