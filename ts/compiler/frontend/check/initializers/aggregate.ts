// SPDX-License-Identifier: MIT
//
// An aggregate's initializer while it is built, and the items of one brace level as they are consumed.
import type { Expr, InitializerList } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import type { ArrayType, RecordType, Type } from '../../types';

/** Beyond this many elements an array is not initialized by a list that names them all. */
export const ELEMENT_LIMIT = 1 << 24;

type Slot = Expr | Aggregate | undefined;

/** An initializer while it is built; designators may return to it. */
export class Aggregate {
  readonly slots: Slot[] = [];
  /** For unions. */
  member: number | undefined = undefined;

  constructor(
    readonly type: ArrayType | RecordType,
    readonly location: number,
  ) {}

  finish(): InitializerList {
    const elements = this.slots.map((slot) => (slot instanceof Aggregate ? slot.finish() : slot));
    const { type, location, member } = this;
    return member === undefined
      ? { kind: 'initializer', elements, type, location }
      : { kind: 'initializer', elements, member, type, location };
  }
}

/** The items of one brace level as they are consumed. */
export interface Cursor {
  readonly items: readonly Syntax.InitItem[];
  at: number;
  /** The current item's value, once it has been checked. */
  pending: Expr | undefined;
  failed: boolean;
}

/** An array of unknown size gets that of its initializer. */
export function withKnownCount(aggregate: Aggregate): Aggregate {
  const { type } = aggregate;
  if (type.kind !== 'array' || type.count !== undefined) return aggregate;
  const result = new Aggregate({ ...type, count: aggregate.slots.length }, aggregate.location);
  // One by one, as a call cannot take a million arguments.
  for (const slot of aggregate.slots) result.slots.push(slot);
  return result;
}

export function nextField(record: RecordType, from: number): number {
  const fields = record.fields ?? [];
  let index = from;
  while (
    index < fields.length &&
    fields[index]!.name === undefined &&
    fields[index]!.type.type.kind !== 'record'
  )
    index++;
  return index;
}

export function memberType(type: ArrayType | RecordType, index: number): Type | undefined {
  if (type.kind === 'record') return type.fields![index]?.type.type;
  if (type.count !== undefined && index >= type.count) return undefined;
  return index < ELEMENT_LIMIT ? type.element.type : undefined;
}

export function slotOf(aggregate: Aggregate, index: number): number {
  return aggregate.member === undefined ? index : 0;
}

export function storeSlot(aggregate: Aggregate, index: number, value: Slot): void {
  const at = slotOf(aggregate, index);
  while (aggregate.slots.length < at) aggregate.slots.push(undefined);
  aggregate.slots[at] = value;
}

export function take(cursor: Cursor): void {
  cursor.pending = undefined;
  cursor.at++;
}
