// SPDX-License-Identifier: MIT
//
// Names, members, components and elements: what denotes objects.
import { note } from '../../diagnostics/reporter';
import type { Expr, LValue, VariableDecl } from '../ast/checked';
import type * as Syntax from '../ast/syntax';
import { unqualified } from '../predefined-types';
import { type QualType, type RecordType, scalarOf, type VectorType } from '../types';
import { isLValue } from './base';
import { evaluateInteger } from './constant-evaluation';
import { PREDEFINED_CONSTANTS } from './predefined-constants';
import { spell, spellObject } from './spelling';
import { closest } from './suggestions';
import { readSwizzle } from './swizzles';
import type { FunctionState } from './symbols';
import { findField, INT, isComplete, isInteger } from './type-rules';
import { TypeChecker } from './types';
import { warnBounds } from './warnings/bounds';

export abstract class AccessChecker extends TypeChecker {
  /** What an `&` stands before. */
  protected addressOperand: Syntax.Expr | undefined;

  protected name(expr: Syntax.NameExpr): Expr | undefined {
    const { name, location } = expr;
    const symbol = this.symbols.values.get(name);
    if (symbol === undefined) {
      const constant = PREDEFINED_CONSTANTS.get(name);
      if (constant !== undefined && constant.since <= this.language.version) {
        return this.integer(BigInt(constant.value), INT, location);
      }
      if (name === '__func__' || name === '__FUNCTION__') return this.functionName(expr);
      this.undeclared(expr);
      return undefined;
    }
    switch (symbol.kind) {
      case 'variable': {
        const variable = this.captured(symbol.variable, symbol.owner, location);
        const { deprecated } = variable.attributes;
        if (deprecated !== undefined)
          this.reporter.report('deprecated', location, { name, message: deprecated });
        return { kind: 'variable-ref', variable, object: variable.type, type: variable.type.type, location };
      }
      case 'enumerator':
        return { ...this.integer(symbol.value, symbol.type, location), enumeration: symbol.enumeration };
      case 'function':
        this.reporter.report('function-address', location, { name });
        return undefined;
      case 'typedef':
        this.reporter.report('unexpected-type-name', location, { name });
        return undefined;
      case 'broken':
        return undefined;
    }
  }

  private functionName(expr: Syntax.NameExpr): Expr {
    const bytes = new TextEncoder().encode(this.current?.entity?.name ?? '');
    return this.stringLiteral(bytes, expr.location);
  }

  protected stringLiteral(text: Uint8Array, location: number): LValue {
    const bytes = new Uint8Array(text.length + 1);
    bytes.set(text);
    const element: QualType = { ...unqualified(scalarOf('char')), space: 'constant' };
    const type = { kind: 'array', element, count: bytes.length } as const;
    return { kind: 'string', bytes, type, object: { ...element, type }, location };
  }

  protected undeclared(expr: Syntax.NameExpr): void {
    const { name, location } = expr;
    if (this.current?.lacksParameters) return;
    const suggestion = closest(name, this.symbols.values.names());
    if (suggestion === undefined)
      this.reporter.report('undeclared-identifier', location, { name }, this.underline(expr));
    else this.reporter.report('undeclared-suggest', location, { name, suggestion }, this.underline(expr));
  }

  /** A variable of an enclosing function, as the block sees it: a copy of its own. */
  private captured(variable: VariableDecl, owner: FunctionState | undefined, location: number): VariableDecl {
    const local = variable.storage === 'local-scope' || variable.storage === 'parameter';
    const state = this.current?.state;
    if (!local || owner === undefined || state === undefined || owner === state) return variable;
    if (variable.type.type.kind === 'block') this.reporter.report('block-reference-in-block', location);
    const chain: FunctionState[] = [];
    for (let at: FunctionState | undefined = state; at !== undefined && at !== owner; at = at.outer)
      chain.push(at);
    let seen = variable;
    for (const each of chain.reverse()) {
      let inner = each.captures.get(seen);
      if (inner === undefined) {
        inner = {
          ...variable,
          storage: 'local-scope',
          type: { ...variable.type, const: true },
          init: undefined,
        };
        each.captures.set(seen, inner);
      }
      seen = inner;
    }
    return seen;
  }

  // ---- members and components

  protected member(expr: Syntax.MemberExpr): Expr | undefined {
    const raw = this.expression(expr.base);
    if (raw === undefined) return undefined;
    let base: Expr = raw;
    if (expr.arrow) {
      const pointer = this.value(raw);
      if (pointer.type.kind !== 'pointer') {
        const isRecord = pointer.type.kind === 'record';
        this.reporter.report(
          isRecord ? 'arrow-on-record' : 'member-base',
          expr.location,
          { type: spell(pointer.type) },
          this.underline(expr.base),
        );
        return undefined;
      }
      base = this.deref(pointer, expr.location);
    }
    const { type } = base;
    if (type.kind === 'record') return this.field(base, type, expr);
    if (type.kind === 'vector') return this.swizzle(base, type, expr);
    if (type.kind === 'pointer' && type.pointee.type.kind === 'record') {
      this.reporter.report('dot-on-pointer', expr.location, { type: spell(type) }, this.underline(expr.base));
    } else {
      this.reporter.report('member-base', expr.location, { type: spell(type) }, this.underline(expr.base));
    }
    return undefined;
  }

  private field(base: Expr, record: RecordType, expr: Syntax.MemberExpr): Expr | undefined {
    const { name, nameLocation } = expr;
    if (record.fields === undefined) {
      this.reporter.report(
        'incomplete-type',
        expr.location,
        { type: spell(record) },
        this.underline(expr.base),
      );
      return undefined;
    }
    const path = findField(record, name);
    if (path === undefined) {
      if (this.brokenRecords.has(record)) return undefined;
      const names = record.fields.flatMap((field) => field.name ?? []);
      const suggestion = closest(name, names);
      if (suggestion === undefined) {
        this.reporter.report(
          'no-member',
          nameLocation,
          { name, type: spell(record) },
          this.underline(expr.base),
        );
      } else {
        const args = { name, type: spell(record), suggestion };
        this.reporter.report('no-member-suggest', nameLocation, args, this.underline(expr.base));
      }
      return undefined;
    }
    let result = base;
    for (const index of path) result = this.fieldAt(result, index, nameLocation);
    return result;
  }

  /** Member `index` of a record; it lies where the record does and has the record's qualifiers as well. */
  protected fieldAt(base: Expr, index: number, location: number): LValue {
    const record = base.type as RecordType;
    const field = record.fields![index]!;
    const around = this.objectOf(base);
    const { type } = field.type;
    const object: QualType = {
      type,
      const: field.type.const || around.const,
      volatile: field.type.volatile || around.volatile,
      restrict: field.type.restrict,
      space: around.space,
    };
    return { kind: 'member', base, index, field, object, type, location };
  }

  private swizzle(base: Expr, vector: VectorType, expr: Syntax.MemberExpr): Expr | undefined {
    const { name, nameLocation } = expr;
    if (this.language.version < 300) {
      const character = /^(?:[xyzw]*)([rgba])/.exec(name)?.[1];
      if (character !== undefined) this.reporter.report('rgba-component', nameLocation, { character });
    }
    const swizzle = readSwizzle(name, vector.count);
    if (!swizzle.ok) {
      if (swizzle.problem === 'name') {
        this.reporter.report('swizzle-name', nameLocation, { character: swizzle.character });
      } else if (swizzle.problem === 'range') {
        this.reporter.report('swizzle-range', nameLocation, { type: spell(vector) });
      } else {
        this.reporter.report('swizzle-length', nameLocation, { length: name.length });
      }
      return undefined;
    }
    const type = this.componentsType(vector, swizzle.indices.length)!;
    let { indices } = swizzle;
    let whole = base;
    if (base.kind === 'swizzle' && base.type.kind === 'vector') {
      const inner = base.indices;
      indices = indices.map((index) => inner[index]!);
      whole = base.base;
    }
    return {
      kind: 'swizzle',
      base: whole,
      indices,
      object: { ...this.objectOf(base), type },
      type,
      location: nameLocation,
    };
  }

  // ---- pointers and elements

  protected deref(pointer: Expr, location: number): LValue {
    const { type } = pointer;
    if (type.kind !== 'pointer') throw new TypeError('deref of no pointer');
    return { kind: 'deref', pointer, object: type.pointee, type: type.pointee.type, location };
  }

  protected index(expr: Syntax.IndexExpr): Expr | undefined {
    const base = this.expression(expr.base);
    const index = this.expression(expr.index);
    if (base === undefined || index === undefined) return undefined;
    if (base.type.kind === 'vector') return this.element(base, base.type, index, expr);
    let pointer = this.value(base);
    let offset = this.value(index);
    if (pointer.type.kind !== 'pointer' && offset.type.kind === 'pointer')
      [pointer, offset] = [offset, pointer];
    const { type } = pointer;
    if (type.kind !== 'pointer') {
      this.reporter.report('subscript-base', expr.base.begin, {}, this.underline(expr.base));
      return undefined;
    }
    if (!this.isIndex(offset, expr.index)) return undefined;
    if (offset.kind === 'integer') {
      warnBounds(this.reporter, base, offset.value, this.addressOperand === expr, expr);
    }
    if (!isComplete(type.pointee.type) && type.pointee.type.kind !== 'void') {
      this.reporter.report(
        'subscript-incomplete',
        expr.base.begin,
        { type: spell(type.pointee.type) },
        this.underline(expr.base),
      );
      return undefined;
    }
    const at: Expr = {
      kind: 'pointer-add',
      pointer,
      index: offset,
      subtract: false,
      type,
      location: expr.location,
    };
    return this.deref(at, expr.location);
  }

  private isIndex(index: Expr, at: Syntax.Expr): boolean {
    if (isInteger(index.type)) return true;
    this.reporter.report('subscript-not-integer', at.begin, {}, this.underline(at));
    return false;
  }

  private element(base: Expr, vector: VectorType, index: Expr, expr: Syntax.IndexExpr): Expr | undefined {
    const offset = this.value(index);
    if (!this.isIndex(offset, expr.index)) return undefined;
    const type = vector.element;
    const object = { ...this.objectOf(base), type };
    const { location } = expr;
    const constant = evaluateInteger(offset, { language: this.language, readVariables: false });
    if (constant !== undefined && constant >= 0n && constant < BigInt(vector.count)) {
      const indices = [Number(constant)];
      if (base.kind !== 'swizzle') return { kind: 'swizzle', base, indices, object, type, location };
      return {
        kind: 'swizzle',
        base: base.base,
        indices: [base.indices[indices[0]!]!],
        object,
        type,
        location,
      };
    }
    return { kind: 'element', base, index: offset, object, type, location };
  }

  // ---- assignment

  /** The expression as something that may be stored to. Undefined, and reported, if it may not. */
  protected modifiable(expr: Expr, at: Syntax.Expr, operator: number): LValue | undefined {
    if (!isLValue(expr)) {
      this.reporter.report('not-assignable', operator, {}, this.underline(at));
      return undefined;
    }
    const { type, object } = expr;
    if (type.kind === 'array') {
      this.reporter.report('array-not-assignable', operator, { type: spell(type) }, this.underline(at));
      return undefined;
    }
    if (expr.kind === 'swizzle' && new Set(expr.indices).size < expr.indices.length) {
      this.reporter.report('swizzle-repeats', operator, {}, this.underline(at));
      return undefined;
    }
    if (object.const || object.space === 'constant' || hasConstField(type)) {
      this.constAssigned(expr, at, operator);
      return undefined;
    }
    return expr;
  }

  private constAssigned(expr: LValue, at: Syntax.Expr, operator: number): void {
    if (expr.kind === 'variable-ref') {
      const { name, location, type } = expr.variable;
      const notes = [note('declared-const-here', location, { name })];
      const args = { name, type: spellObject({ ...type, const: true }) };
      this.reporter.report('assign-to-const', operator, args, { ...this.underline(at), notes });
    } else this.reporter.report('read-only', operator, {}, this.underline(at));
  }
}

function hasConstField(type: QualType['type']): boolean {
  if (type.kind !== 'record') return false;
  return (type.fields ?? []).some((field) => field.type.const || hasConstField(field.type.type));
}

export function stripParentheses(expr: Syntax.Expr): Syntax.Expr {
  let at = expr;
  while (at.kind === 'paren') at = at.inner;
  return at;
}
