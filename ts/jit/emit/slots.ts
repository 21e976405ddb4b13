// SPDX-License-Identifier: MIT
//
// Where values wait from one region to the next.
import { ALL } from '../analyses/divergence';
import type { Value } from '../ir/ir';
import { valTypeOf } from './context';
import type { Variant } from './variant';

/** Where a value waits between regions. */
export interface Slot {
  readonly value: Value;
  /** Offset in the tile's frame; undefined for what the whole group agrees on. What lanes had when they left a loop lies before it. */
  readonly offset: number | undefined;
  /** Where the group's common value is kept while the value's own locals change. */
  readonly home: number | undefined;
}

export interface Slots {
  readonly of: ReadonlyMap<Value, Slot>;
  readonly bytes: number;
}

export function assignSlots(v: Variant): Slots {
  const { c, code } = v;
  const of = new Map<Value, Slot>();
  let bytes = 0;
  for (const region of code.regions.list)
    for (const value of [...region.provides, ...region.needs]) {
      if (of.has(value)) continue;
      c.registersOf(value);
      if ((code.divergence.dimsBehindLoops(value) & ALL) === 0) {
        of.set(value, { value, offset: undefined, home: c.f.local(valTypeOf(value.type)) });
        continue;
      }
      const count = c.registersOf(value).length;
      const escaped = c.escaped[value.id] ?? [];
      const unit = c.isVector(value) ? 16 : 8;
      if (unit === 16 || escaped.length > 0) bytes = Math.ceil(bytes / 16) * 16;
      of.set(value, { value, offset: bytes + escaped.length * 16, home: undefined });
      bytes += escaped.length * 16 + count * unit;
    }
  return { of, bytes: Math.ceil(bytes / 16) * 16 };
}
