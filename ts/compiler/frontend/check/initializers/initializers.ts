// SPDX-License-Identifier: MIT
//
// Initializers (C99, 6.7.8): braces, their elision, designators, strings, vectors.
import type { Expr } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import type { ArrayType, RecordType, Type, VectorType } from '../../types';
import type { Checker } from '../checker';
import { checkConstantInteger } from '../constants/constant-expressions';
import { convertInitializer } from '../conversions/assignment';
import { rvalue, splat } from '../conversions/implicit';
import { stripParentheses } from '../expressions/parentheses';
import { checkVectorPart } from '../expressions/vector-literals';
import { underline } from '../extents';
import { zeroConstant } from '../nodes';
import { findField } from '../types/layout';
import { spell } from '../types/spelling';
import {
  Aggregate,
  type Cursor,
  ELEMENT_LIMIT,
  memberType,
  nextField,
  slotOf,
  storeSlot,
  take,
  withKnownCount,
} from './aggregate';
import { arrayFromExpression, isStringFor } from './arrays';

/**
 * The initializer of an object of the type, converted to it. For an array of unknown size the result's type has the
 * size. Undefined, and reported, if it does not fit.
 */
export function checkInitializer(c: Checker, init: Syntax.Expr, type: Type): Expr | undefined {
  if (init.kind !== 'init-list') {
    if (type.kind === 'array') return arrayFromExpression(c, init, type);
    const raw = c.rules.expression(c, init);
    return raw && convertInitializer(c, raw, type, init);
  }
  return checkInitializerList(c, init, type);
}

/** `isMember`: a member of an aggregate, not a variable. */
function checkInitializerList(
  c: Checker,
  list: Syntax.InitList,
  type: Type,
  isMember = false,
): Expr | undefined {
  const cursor: Cursor = { items: list.items, at: 0, pending: undefined, failed: false };
  if (type.kind === 'array' || type.kind === 'record') {
    const [first, second] = list.items;
    if (type.kind === 'array' && first !== undefined && first.designators.length === 0) {
      const value = stripParentheses(first.value);
      if (isStringFor(type, value)) {
        if (second !== undefined) {
          const at = second.value;
          c.reporter.report('excess-elements', at.begin, { what: 'char array' }, underline(at));
        }
        return arrayFromExpression(c, value, type);
      }
    }
    if (type.kind === 'record' && type.fields === undefined) {
      c.reporter.report('incomplete-type', list.begin, { type: spell(type) }, underline(list));
      return undefined;
    }
    const aggregate = new Aggregate(type, list.location);
    fillAggregate(c, aggregate, cursor, true);
    if (cursor.at < cursor.items.length && !cursor.failed) reportExcess(c, cursor, type);
    return cursor.failed ? undefined : withKnownCount(aggregate).finish();
  }
  if (type.kind === 'vector') {
    if (list.items.length === 0) return splat(zeroConstant(list.location), type);
    if (list.items.length === 1 && list.items[0]!.value.kind !== 'init-list') {
      const only = c.rules.expression(c, list.items[0]!.value);
      if (only === undefined) return undefined;
      if (rvalue(c, only).type === type) return rvalue(c, only);
      cursor.pending = only;
    }
    const vector = checkVectorInitializer(c, type, cursor, list.location);
    if (cursor.at < cursor.items.length && !cursor.failed) reportExcess(c, cursor, type);
    return cursor.failed ? undefined : vector;
  }
  if (type.kind === 'opaque' && (type.name === 'event_t' || type.name === 'sampler_t')) {
    c.reporter.report('initializer-type', list.location, { type: spell(type) }, underline(list));
    return undefined;
  }
  // A scalar may be in braces.
  const [first] = list.items;
  if (first === undefined) {
    if (c.language.version < 300 || type.kind !== 'scalar') {
      c.reporter.report('scalar-initializer-empty', list.location, {}, underline(list));
      return undefined;
    }
    return convertInitializer(c, zeroConstant(list.location), type, list);
  }
  if (first.designators.length > 0) {
    c.reporter.report('designator-type', first.designators[0]!.location, { type: spell(type) });
    return undefined;
  }
  cursor.at = 1;
  if (cursor.at < cursor.items.length) reportExcess(c, cursor, type);
  if (first.value.kind === 'init-list') {
    c.reporter.report('many-braces', first.value.begin, {}, underline(first.value));
  } else if (isMember && cursor.items.length === 1) {
    c.reporter.report('braces-around-scalar', list.begin, {}, underline(list));
  }
  return checkInitializer(c, first.value, type);
}

function reportExcess(c: Checker, cursor: Cursor, type: Type): void {
  const what = type.kind === 'record' ? type.tag : type.kind === 'array' ? 'array' : 'scalar';
  const at = cursor.items[cursor.at]!.value;
  if (type.kind === 'vector') c.reporter.report('excess-vector-elements', at.begin, {}, underline(at));
  else c.reporter.report('excess-elements', at.begin, { what }, underline(at));
  // They are still checked.
  for (; cursor.at < cursor.items.length; cursor.at++) {
    const { value } = cursor.items[cursor.at]!;
    if (value.kind !== 'init-list') c.rules.expression(c, value);
  }
}

/** Takes items for the aggregate's members until it is full; at its own brace level designators as well. */
function fillAggregate(c: Checker, aggregate: Aggregate, cursor: Cursor, ownBraces: boolean): void {
  let index = aggregate.type.kind === 'record' ? nextField(aggregate.type, 0) : 0;
  while (cursor.at < cursor.items.length && !cursor.failed) {
    const item = cursor.items[cursor.at]!;
    if (item.designators.length > 0) {
      // Without its own braces the designator belongs to a level above.
      if (!ownBraces) return;
      const next = initializeDesignated(c, aggregate, item, cursor);
      if (next === undefined) {
        cursor.failed = true;
        return;
      }
      index = next;
      continue;
    }
    const type = memberType(aggregate.type, index);
    if (type === undefined) return;
    if (aggregate.type.kind === 'record' && aggregate.type.tag === 'union') aggregate.member = index;
    initializeMember(c, aggregate, index, type, cursor);
    if (aggregate.type.kind === 'record') {
      if (aggregate.type.tag === 'union') index = aggregate.type.fields!.length;
      else index = nextField(aggregate.type, index + 1);
    } else index++;
  }
}

/** Initializes one member from the current item, or from this and the following ones where braces are left out. */
function initializeMember(c: Checker, aggregate: Aggregate, index: number, type: Type, cursor: Cursor): void {
  const item = cursor.items[cursor.at]!;
  if (aggregate.slots[slotOf(aggregate, index)] !== undefined) {
    c.reporter.report('initializer-override', item.value.begin, {}, underline(item.value));
  }
  if (item.value.kind === 'init-list') {
    cursor.at++;
    const value = checkInitializerList(c, item.value, type, true);
    if (value === undefined) cursor.failed = true;
    else storeSlot(aggregate, index, value);
    return;
  }
  if (type.kind === 'array' && isStringFor(type, stripParentheses(item.value))) {
    cursor.at++;
    storeSlot(aggregate, index, arrayFromExpression(c, item.value, type));
    return;
  }
  if (type.kind === 'array' || type.kind === 'record') {
    const raw = pendingValue(c, cursor);
    if (raw === undefined) return;
    if (type.kind === 'record' && raw.type === type) {
      take(cursor);
      storeSlot(aggregate, index, rvalue(c, raw));
      return;
    }
    const inner = new Aggregate(type, item.value.location);
    storeSlot(aggregate, index, inner);
    const before = cursor.at;
    fillAggregate(c, inner, cursor, false);
    // An empty record consumes no item: skip it, or the loop never ends.
    if (cursor.at === before) take(cursor);
    return;
  }
  const raw = pendingValue(c, cursor);
  if (raw === undefined) return;
  take(cursor);
  const value = convertInitializer(c, raw, type, item.value, true);
  if (value === undefined) cursor.failed = true;
  else storeSlot(aggregate, index, value);
}

function pendingValue(c: Checker, cursor: Cursor): Expr | undefined {
  cursor.pending ??= c.rules.expression(c, cursor.items[cursor.at]!.value);
  if (cursor.pending === undefined) cursor.failed = true;
  return cursor.pending;
}

/** Components from the list's items, all of which must be there. */
function checkVectorInitializer(
  c: Checker,
  type: VectorType,
  cursor: Cursor,
  location: number,
): Expr | undefined {
  const parts: Expr[] = [];
  let count = 0;
  while (count < type.count && cursor.at < cursor.items.length) {
    const item = cursor.items[cursor.at]!;
    if (item.designators.length > 0 && parts.length > 0) break;
    let value: Expr | undefined;
    if (item.value.kind === 'init-list') value = checkInitializerList(c, item.value, type.element, true);
    else {
      const raw = pendingValue(c, cursor);
      value = raw && checkVectorPart(c, rvalue(c, raw), type, item.value, true);
    }
    if (value === undefined) {
      cursor.failed = true;
      return undefined;
    }
    const width = value.type.kind === 'vector' ? value.type.count : 1;
    if (count + width > type.count) break;
    take(cursor);
    count += width;
    parts.push(value);
  }
  if (count < type.count) {
    c.reporter.report('vector-initializer-few', location, { expected: type.count, have: count });
    cursor.failed = true;
    return undefined;
  }
  return { kind: 'vector-literal', parts, type, location };
}

/** An item with designators; gives the index that follows. */
function initializeDesignated(
  c: Checker,
  aggregate: Aggregate,
  item: Syntax.InitItem,
  cursor: Cursor,
): number | undefined {
  const [designator, ...rest] = item.designators;
  const range = checkDesignator(c, aggregate.type, designator!);
  if (range === undefined) return undefined;
  const { path, last } = range;
  const index = path[0]!;
  if (aggregate.type.kind === 'record' && aggregate.type.tag === 'union') {
    if (aggregate.member !== undefined && aggregate.member !== index) {
      c.reporter.report('initializer-override', item.value.begin, {}, underline(item.value));
      aggregate.slots.length = 0;
    }
    aggregate.member = index;
  }
  const type = memberType(aggregate.type, index);
  if (type === undefined) return undefined;
  // Names of anonymous records' members, and further designators, lead into a member.
  const inward: Syntax.Designator[] = [...rest];
  if (path.length > 1) inward.unshift(designator!);
  for (let at = index; at <= last; at++) {
    if (inward.length === 0) {
      const start = cursor.at;
      initializeMember(c, aggregate, at, type, cursor);
      if (at < last) {
        cursor.at = start;
        cursor.pending = undefined;
      }
    } else if (!designateInside(c, aggregate, at, type, inward, item, cursor)) return undefined;
  }
  if (inward.length > 0) cursor.at++;
  if (cursor.failed) return undefined;
  if (aggregate.type.kind === 'record') {
    return aggregate.type.tag === 'union'
      ? aggregate.type.fields!.length
      : nextField(aggregate.type, last + 1);
  }
  return last + 1;
}

function designateInside(
  c: Checker,
  aggregate: Aggregate,
  index: number,
  type: Type,
  designators: readonly Syntax.Designator[],
  item: Syntax.InitItem,
  cursor: Cursor,
): boolean {
  if (type.kind !== 'array' && type.kind !== 'record') {
    c.reporter.report('designator-type', designators[0]!.location, { type: spell(type) });
    return false;
  }
  const existing = aggregate.slots[slotOf(aggregate, index)];
  let inner: Aggregate;
  if (existing instanceof Aggregate) inner = existing;
  else {
    inner = new Aggregate(type, item.value.location);
    if (existing?.kind === 'initializer') {
      for (const element of existing.elements) inner.slots.push(element);
      inner.member = existing.member;
    }
    storeSlot(aggregate, index, inner);
  }
  const nested: Cursor = {
    items: [{ designators, value: item.value }],
    at: 0,
    pending: undefined,
    failed: false,
  };
  initializeDesignated(c, inner, nested.items[0]!, nested);
  if (nested.failed) cursor.failed = true;
  return !nested.failed;
}

function checkDesignator(
  c: Checker,
  type: ArrayType | RecordType,
  designator: Syntax.Designator,
): { path: readonly number[]; last: number } | undefined {
  const { location } = designator;
  if (designator.kind === 'field') {
    const path = type.kind === 'record' ? findField(type, designator.name) : undefined;
    if (path === undefined) {
      if (type.kind === 'record' && c.types.brokenRecords.has(type)) return undefined;
      if (type.kind === 'array') c.reporter.report('field-designator-array', location, { type: spell(type) });
      else c.reporter.report('designator-unknown', location, { name: designator.name, type: spell(type) });
      return undefined;
    }
    return { path, last: path[0]! };
  }
  if (type.kind !== 'array') {
    c.reporter.report('index-designator-record', location, { type: spell(type) });
    return undefined;
  }
  const first = checkConstantInteger(c, designator.index);
  const last = designator.last === undefined ? first : checkConstantInteger(c, designator.last);
  if (first === undefined || last === undefined) return undefined;
  const limit = BigInt(type.count ?? ELEMENT_LIMIT);
  if (first < 0n || last < first || last >= limit) {
    c.reporter.report('designator-range', location, { index: last });
    return undefined;
  }
  return { path: [Number(first)], last: Number(last) };
}
