// SPDX-License-Identifier: MIT
//
// Initializers (C99, 6.7.8): braces, their elision, designators, strings, vectors.
import type { Expr, InitializerList } from '../ast/checked';
import type * as Syntax from '../ast/syntax';
import type { ArrayType, RecordType, Type, VectorType } from '../types';
import { sameType } from '../types';
import { stripParentheses } from './access';
import { CallChecker } from './calls';
import { spell } from './spelling';
import { findField } from './type-rules';

/** Beyond this many elements an array is not initialized by a list that names them all. */
const ELEMENT_LIMIT = 1 << 24;

type Slot = Expr | Aggregate | undefined;

/** An initializer while it grows; designators may come back to it. */
class Aggregate {
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

/** The items of one brace level as they are used up. */
interface Cursor {
  readonly items: readonly Syntax.InitItem[];
  at: number;
  /** The current item's value, once it has been checked. */
  pending: Expr | undefined;
  failed: boolean;
}

export abstract class InitializerChecker extends CallChecker {
  /**
   * The initializer of an object of the type, converted to it. For an array of unknown size the result's type has the
   * size. Undefined, and reported, if it does not fit.
   */
  protected initializer(init: Syntax.Expr, type: Type): Expr | undefined {
    if (init.kind !== 'init-list') {
      if (type.kind === 'array') return this.arrayFromExpression(init, type);
      const raw = this.expression(init);
      return raw && this.initializable(raw, type, init);
    }
    return this.fromList(init, type);
  }

  /** `isMember`: of an aggregate, not a variable of its own. */
  private fromList(list: Syntax.InitList, type: Type, isMember = false): Expr | undefined {
    const cursor: Cursor = { items: list.items, at: 0, pending: undefined, failed: false };
    if (type.kind === 'array' || type.kind === 'record') {
      const [first, second] = list.items;
      if (type.kind === 'array' && first !== undefined && first.designators.length === 0) {
        const value = stripParentheses(first.value);
        if (isStringFor(type, value)) {
          if (second !== undefined) {
            const at = second.value;
            this.reporter.report('excess-elements', at.begin, { what: 'char array' }, this.underline(at));
          }
          return this.arrayFromExpression(value, type);
        }
      }
      if (type.kind === 'record' && type.fields === undefined) {
        this.reporter.report('incomplete-type', list.begin, { type: spell(type) }, this.underline(list));
        return undefined;
      }
      const aggregate = new Aggregate(type, list.location);
      this.fill(aggregate, cursor, true);
      if (cursor.at < cursor.items.length && !cursor.failed) this.excess(cursor, type);
      return cursor.failed ? undefined : this.sized(aggregate).finish();
    }
    if (type.kind === 'vector') {
      if (list.items.length === 0) return this.splat(this.zero(list.location), type);
      if (list.items.length === 1 && list.items[0]!.value.kind !== 'init-list') {
        const only = this.expression(list.items[0]!.value);
        if (only === undefined) return undefined;
        if (this.value(only).type === type) return this.value(only);
        cursor.pending = only;
      }
      const vector = this.vectorFrom(type, cursor, list.location);
      if (cursor.at < cursor.items.length && !cursor.failed) this.excess(cursor, type);
      return cursor.failed ? undefined : vector;
    }
    if (type.kind === 'opaque' && (type.name === 'event_t' || type.name === 'sampler_t')) {
      this.reporter.report('initializer-type', list.location, { type: spell(type) }, this.underline(list));
      return undefined;
    }
    // A scalar may stand in braces.
    const [first] = list.items;
    if (first === undefined) {
      if (this.language.version < 300 || type.kind !== 'scalar') {
        this.reporter.report('scalar-initializer-empty', list.location, {}, this.underline(list));
        return undefined;
      }
      return this.initializable(this.zero(list.location), type, list);
    }
    if (first.designators.length > 0) {
      this.reporter.report('designator-type', first.designators[0]!.location, { type: spell(type) });
      return undefined;
    }
    cursor.at = 1;
    if (cursor.at < cursor.items.length) this.excess(cursor, type);
    if (first.value.kind === 'init-list') {
      this.reporter.report('many-braces', first.value.begin, {}, this.underline(first.value));
    } else if (isMember && cursor.items.length === 1) {
      this.reporter.report('braces-around-scalar', list.begin, {}, this.underline(list));
    }
    return this.initializer(first.value, type);
  }

  private excess(cursor: Cursor, type: Type): void {
    const what = type.kind === 'record' ? type.tag : type.kind === 'array' ? 'array' : 'scalar';
    const at = cursor.items[cursor.at]!.value;
    if (type.kind === 'vector')
      this.reporter.report('excess-vector-elements', at.begin, {}, this.underline(at));
    else this.reporter.report('excess-elements', at.begin, { what }, this.underline(at));
    // They are still checked.
    for (; cursor.at < cursor.items.length; cursor.at++) {
      const { value } = cursor.items[cursor.at]!;
      if (value.kind !== 'init-list') this.expression(value);
    }
  }

  /** An array of unknown size gets that of its initializer. */
  private sized(aggregate: Aggregate): Aggregate {
    const { type } = aggregate;
    if (type.kind !== 'array' || type.count !== undefined) return aggregate;
    const result = new Aggregate({ ...type, count: aggregate.slots.length }, aggregate.location);
    result.slots.push(...aggregate.slots);
    return result;
  }

  private arrayFromExpression(init: Syntax.Expr, type: ArrayType): Expr | undefined {
    const stripped = stripParentheses(init);
    if (isStringFor(type, stripped)) return this.stringArray(stripped, type);
    const raw = this.expression(init);
    if (raw === undefined) return undefined;
    if (raw.kind === 'compound-literal' && raw.variable.init && sameType(raw.type, type))
      return raw.variable.init;
    this.reporter.report('array-initializer', init.begin, {}, this.underline(init));
    return undefined;
  }

  private stringArray(init: Syntax.StringExpr, type: ArrayType): Expr {
    const { location } = init;
    const characters = init.wide ?? init.bytes;
    const count = type.count ?? characters.length + 1;
    if (characters.length > count) {
      this.reporter.report('string-too-long', init.begin, {}, this.underline(init));
    }
    const element = type.element.type;
    const signed = element.kind === 'scalar' && element.scalar === 'char';
    const elements = Array.from(characters.slice(0, count), (character) =>
      this.integer(signed ? BigInt.asIntN(8, BigInt(character)) : BigInt(character), element, location),
    );
    const array: Expr = { kind: 'initializer', elements, type: { ...type, count }, location };
    this.literals.set(array, init);
    return array;
  }

  // ---- lists

  /** Takes items for the aggregate's members until it is full; at its own brace level designators as well. */
  private fill(aggregate: Aggregate, cursor: Cursor, ownBraces: boolean): void {
    let index = aggregate.type.kind === 'record' ? this.nextField(aggregate.type, 0) : 0;
    while (cursor.at < cursor.items.length && !cursor.failed) {
      const item = cursor.items[cursor.at]!;
      if (item.designators.length > 0) {
        // Without braces of its own the designator belongs to a level above.
        if (!ownBraces) return;
        const next = this.designated(aggregate, item, cursor);
        if (next === undefined) {
          cursor.failed = true;
          return;
        }
        index = next;
        continue;
      }
      const type = this.memberType(aggregate.type, index);
      if (type === undefined) return;
      if (aggregate.type.kind === 'record' && aggregate.type.tag === 'union') aggregate.member = index;
      this.placeMember(aggregate, index, type, cursor);
      if (aggregate.type.kind === 'record') {
        if (aggregate.type.tag === 'union') index = aggregate.type.fields!.length;
        else index = this.nextField(aggregate.type, index + 1);
      } else index++;
    }
  }

  private nextField(record: RecordType, from: number): number {
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

  private memberType(type: ArrayType | RecordType, index: number): Type | undefined {
    if (type.kind === 'record') return type.fields![index]?.type.type;
    if (type.count !== undefined && index >= type.count) return undefined;
    return index < ELEMENT_LIMIT ? type.element.type : undefined;
  }

  private slot(aggregate: Aggregate, index: number): number {
    return aggregate.member === undefined ? index : 0;
  }

  private store(aggregate: Aggregate, index: number, value: Slot): void {
    const at = this.slot(aggregate, index);
    while (aggregate.slots.length < at) aggregate.slots.push(undefined);
    aggregate.slots[at] = value;
  }

  /** Initializes one member from the current item, or from this and the following ones where braces are left out. */
  private placeMember(aggregate: Aggregate, index: number, type: Type, cursor: Cursor): void {
    const item = cursor.items[cursor.at]!;
    if (aggregate.slots[this.slot(aggregate, index)] !== undefined) {
      this.reporter.report('initializer-override', item.value.begin, {}, this.underline(item.value));
    }
    if (item.value.kind === 'init-list') {
      cursor.at++;
      const value = this.fromList(item.value, type, true);
      if (value === undefined) cursor.failed = true;
      else this.store(aggregate, index, value);
      return;
    }
    if (type.kind === 'array' && isStringFor(type, stripParentheses(item.value))) {
      cursor.at++;
      this.store(aggregate, index, this.arrayFromExpression(item.value, type));
      return;
    }
    if (type.kind === 'array' || type.kind === 'record') {
      const raw = this.pending(cursor);
      if (raw === undefined) return;
      if (type.kind === 'record' && raw.type === type) {
        this.take(cursor);
        this.store(aggregate, index, this.value(raw));
        return;
      }
      const inner = new Aggregate(type, item.value.location);
      this.store(aggregate, index, inner);
      const before = cursor.at;
      this.fill(inner, cursor, false);
      // An empty record takes nothing: do not stand still.
      if (cursor.at === before) this.take(cursor);
      return;
    }
    const raw = this.pending(cursor);
    if (raw === undefined) return;
    this.take(cursor);
    const value = this.initializable(raw, type, item.value, true);
    if (value === undefined) cursor.failed = true;
    else this.store(aggregate, index, value);
  }

  private pending(cursor: Cursor): Expr | undefined {
    cursor.pending ??= this.expression(cursor.items[cursor.at]!.value);
    if (cursor.pending === undefined) cursor.failed = true;
    return cursor.pending;
  }

  private take(cursor: Cursor): void {
    cursor.pending = undefined;
    cursor.at++;
  }

  /** Components from the list's items, all of which must be there. */
  private vectorFrom(type: VectorType, cursor: Cursor, location: number): Expr | undefined {
    const parts: Expr[] = [];
    let count = 0;
    while (count < type.count && cursor.at < cursor.items.length) {
      const item = cursor.items[cursor.at]!;
      if (item.designators.length > 0 && parts.length > 0) break;
      let value: Expr | undefined;
      if (item.value.kind === 'init-list') value = this.fromList(item.value, type.element, true);
      else {
        const raw = this.pending(cursor);
        value = raw && this.vectorPart(this.value(raw), type, item.value, true);
      }
      if (value === undefined) {
        cursor.failed = true;
        return undefined;
      }
      const width = value.type.kind === 'vector' ? value.type.count : 1;
      if (count + width > type.count) break;
      this.take(cursor);
      count += width;
      parts.push(value);
    }
    if (count < type.count) {
      this.reporter.report('vector-initializer-few', location, { expected: type.count, have: count });
      cursor.failed = true;
      return undefined;
    }
    return { kind: 'vector-literal', parts, type, location };
  }

  /** An item with designators; gives the index that follows. */
  private designated(aggregate: Aggregate, item: Syntax.InitItem, cursor: Cursor): number | undefined {
    const [designator, ...rest] = item.designators;
    const range = this.designatedRange(aggregate.type, designator!);
    if (range === undefined) return undefined;
    const { path, last } = range;
    const index = path[0]!;
    if (aggregate.type.kind === 'record' && aggregate.type.tag === 'union') {
      if (aggregate.member !== undefined && aggregate.member !== index) {
        this.reporter.report('initializer-override', item.value.begin, {}, this.underline(item.value));
        aggregate.slots.length = 0;
      }
      aggregate.member = index;
    }
    const type = this.memberType(aggregate.type, index);
    if (type === undefined) return undefined;
    // Names of anonymous records' members, and further designators, lead into a member.
    const inward: Syntax.Designator[] = [...rest];
    if (path.length > 1) inward.unshift(designator!);
    for (let at = index; at <= last; at++) {
      if (inward.length === 0) {
        const start = cursor.at;
        this.placeMember(aggregate, at, type, cursor);
        if (at < last) {
          cursor.at = start;
          cursor.pending = undefined;
        }
      } else if (!this.designateInside(aggregate, at, type, inward, item, cursor)) return undefined;
    }
    if (inward.length > 0) cursor.at++;
    if (cursor.failed) return undefined;
    if (aggregate.type.kind === 'record') {
      return aggregate.type.tag === 'union'
        ? aggregate.type.fields!.length
        : this.nextField(aggregate.type, last + 1);
    }
    return last + 1;
  }

  private designateInside(
    aggregate: Aggregate,
    index: number,
    type: Type,
    designators: readonly Syntax.Designator[],
    item: Syntax.InitItem,
    cursor: Cursor,
  ): boolean {
    if (type.kind !== 'array' && type.kind !== 'record') {
      this.reporter.report('designator-type', designators[0]!.location, { type: spell(type) });
      return false;
    }
    const existing = aggregate.slots[this.slot(aggregate, index)];
    let inner: Aggregate;
    if (existing instanceof Aggregate) inner = existing;
    else {
      inner = new Aggregate(type, item.value.location);
      if (existing?.kind === 'initializer') {
        inner.slots.push(...existing.elements);
        inner.member = existing.member;
      }
      this.store(aggregate, index, inner);
    }
    const nested: Cursor = {
      items: [{ designators, value: item.value }],
      at: 0,
      pending: undefined,
      failed: false,
    };
    this.designated(inner, nested.items[0]!, nested);
    if (nested.failed) cursor.failed = true;
    return !nested.failed;
  }

  private designatedRange(
    type: ArrayType | RecordType,
    designator: Syntax.Designator,
  ): { path: readonly number[]; last: number } | undefined {
    const { location } = designator;
    if (designator.kind === 'field') {
      const path = type.kind === 'record' ? findField(type, designator.name) : undefined;
      if (path === undefined) {
        if (type.kind === 'record' && this.brokenRecords.has(type)) return undefined;
        if (type.kind === 'array')
          this.reporter.report('field-designator-array', location, { type: spell(type) });
        else
          this.reporter.report('designator-unknown', location, { name: designator.name, type: spell(type) });
        return undefined;
      }
      return { path, last: path[0]! };
    }
    if (type.kind !== 'array') {
      this.reporter.report('index-designator-record', location, { type: spell(type) });
      return undefined;
    }
    const first = this.constantInteger(designator.index);
    const last = designator.last === undefined ? first : this.constantInteger(designator.last);
    if (first === undefined || last === undefined) return undefined;
    const limit = BigInt(type.count ?? ELEMENT_LIMIT);
    if (first < 0n || last < first || last >= limit) {
      this.reporter.report('designator-range', location, { index: last });
      return undefined;
    }
    return { path: [Number(first)], last: Number(last) };
  }
}

/** A string literal that can be the array's contents: of characters, or of int for a wide one. */
function isStringFor(type: ArrayType, value: Syntax.Expr): value is Syntax.StringExpr {
  const element = type.element.type;
  if (value.kind !== 'string' || element.kind !== 'scalar') return false;
  return value.wide ? element.scalar === 'int' : element.scalar === 'char' || element.scalar === 'uchar';
}
