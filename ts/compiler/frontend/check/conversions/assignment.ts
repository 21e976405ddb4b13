// SPDX-License-Identifier: MIT
//
// The conversion as if by assignment (C99, 6.5.16.1), in assignments, initializers, arguments and returns.
import type { Expr } from '../../ast/checked';
import { isFloatKind } from '../../scalars';
import { type PointerType, sameType, scalarOf, type Type } from '../../types';
import type { Checker } from '../checker';
import { evaluateInteger } from '../constants/evaluate';
import { type Extent, underline } from '../extents';
import { convertScalar, makeCast } from '../nodes';
import { differsInSign, samePointee, spaceConverts } from '../types/pointers';
import { asScalar, isArithmetic } from '../types/predicates';
import { spell } from '../types/spelling';
import { warnSampler } from '../warnings/samplers';
import { convertConstant, rvalue } from './implicit';
import { convertPointer, isNullPointerConstant } from './pointers';

/** The purpose of a conversion, as messages state it. */
type Purpose =
  | { readonly what: 'assign' | 'return' }
  /** `isMember`: in the braces of an aggregate. */
  | { readonly what: 'initialize'; readonly isMember?: boolean }
  | { readonly what: 'pass'; readonly parameter: string };

const INITIALIZE: Purpose = { what: 'initialize' };

const INITIALIZE_MEMBER: Purpose = { what: 'initialize', isMember: true };

const ASSIGN: Purpose = { what: 'assign' };

/** The conversion as if by assignment (C99, 6.5.16.1). Undefined, and reported, if there is none. */
export function convertAsIfAssigned(
  c: Checker,
  expr: Expr,
  to: Type,
  purpose: Purpose,
  at: Extent,
): Expr | undefined {
  const value = rvalue(c, expr);
  const from = value.type;
  if (from === to) return value;
  switch (to.kind) {
    case 'scalar':
    case 'enum':
      if (isArithmetic(from)) {
        return convertConstant(c, value, to, at, to, purpose.what === 'initialize' && purpose.isMember);
      }
      if (
        to.kind === 'scalar' &&
        to.scalar === 'bool' &&
        (from.kind === 'pointer' || from.kind === 'block')
      ) {
        return makeCast('to-bool', value, to);
      }
      if (from.kind === 'pointer' && !isFloatKind(asScalar(to)!.scalar)) {
        reportPointerInteger(c, from, to, purpose, at);
        return makeCast('pointer-to-integer', value, to);
      }
      break;
    case 'vector':
      if (isArithmetic(from)) {
        return makeCast('splat', convertConstant(c, value, to.element, at, to), to);
      }
      break;
    case 'pointer':
      if (from.kind === 'pointer') return convertAssignedPointer(c, value, from, to, purpose, at);
      if (isNullPointerConstant(c, value)) return makeCast('null-pointer', value, to);
      if (isArithmetic(from) && !isFloatKind(asScalar(from)!.scalar)) {
        reportPointerInteger(c, from, to, purpose, at);
        return makeCast('integer-to-pointer', value, to);
      }
      break;
    case 'block':
      if (sameType(from, to)) return value;
      if (isNullPointerConstant(c, value)) return makeCast('null-pointer', value, to);
      break;
    case 'atomic': {
      const inner = convertAsIfAssigned(c, value, to.value, purpose, at);
      return inner && purpose.what === 'initialize' ? makeCast('atomic-init', inner, to) : inner;
    }
    case 'opaque':
      if (to.name === 'sampler_t' && asScalar(from) !== undefined && !isFloatKind(asScalar(from)!.scalar)) {
        if (purpose.what === 'initialize' && isWrongSampler(c, value)) {
          c.reporter.report('sampler-width', at.begin, { type: spell(from) }, underline(at));
          return undefined;
        }
        warnSampler(c.reporter, c.language, value, at);
        return makeCast('opaque', convertScalar(value, scalarOf('uint')), to);
      }
      // An event may be initialized with 0 and passed as 0, but 0 cannot be assigned to it.
      if (to.name === 'event_t' && purpose.what === 'assign') break;
      if ((to.name === 'event_t' || to.name === 'queue_t') && isNullPointerConstant(c, value))
        return makeCast('opaque', value, to);
      break;
    default:
      if (sameType(from, to)) return value;
  }
  reportIncompatible(c, from, to, purpose, at);
  return undefined;
}

/** A constant that is neither int nor uint. */
function isWrongSampler(c: Checker, value: Expr): boolean {
  const scalar = asScalar(value.type)?.scalar;
  return (
    scalar !== 'int' &&
    scalar !== 'uint' &&
    evaluateInteger(value, { language: c.language, readVariables: true }) !== undefined
  );
}

export function convertInitializer(
  c: Checker,
  expr: Expr,
  to: Type,
  at: Extent,
  isMember = false,
): Expr | undefined {
  return convertAsIfAssigned(c, expr, to, isMember ? INITIALIZE_MEMBER : INITIALIZE, at);
}

export function convertAssigned(c: Checker, expr: Expr, to: Type, at: Extent): Expr | undefined {
  return convertAsIfAssigned(c, expr, to, ASSIGN, at);
}

function convertAssignedPointer(
  c: Checker,
  value: Expr,
  from: PointerType,
  to: PointerType,
  purpose: Purpose,
  at: Extent,
): Expr | undefined {
  if (isNullPointerConstant(c, value)) return makeCast('null-pointer', value, to);
  if (!spaceConverts(from.space, to.space)) {
    reportTypes(c, 'address-space-changes', from, to, purpose, at);
    return undefined;
  }
  const source = from.pointee;
  const target = to.pointee;
  const toVoid = target.type.kind === 'void' || source.type.kind === 'void';
  if (!toVoid && !samePointee(source.type, target.type)) {
    if (nestedSpacesDiffer(source.type, target.type)) {
      reportTypes(c, 'nested-address-space-changes', from, to, purpose, at);
      return undefined;
    }
    const code = differsInSign(source.type, target.type) ? 'pointer-sign' : 'incompatible-pointer-types';
    reportTypes(c, code, from, to, purpose, at);
  } else if ((source.const && !target.const) || (source.volatile && !target.volatile)) {
    reportTypes(c, 'discards-qualifiers', from, to, purpose, at);
  }
  return convertPointer(value, to);
}

function reportPointerInteger(c: Checker, from: Type, to: Type, purpose: Purpose, at: Extent): void {
  const code = from.kind === 'pointer' ? 'pointer-to-integer' : 'integer-to-pointer';
  reportTypes(c, code, from, to, purpose, at);
}

export function reportIncompatible(c: Checker, from: Type, to: Type, purpose: Purpose, at: Extent): void {
  reportTypes(c, 'incompatible-types', from, to, purpose, at);
}

function reportTypes(
  c: Checker,
  code:
    | 'incompatible-types'
    | 'incompatible-pointer-types'
    | 'pointer-sign'
    | 'discards-qualifiers'
    | 'address-space-changes'
    | 'nested-address-space-changes'
    | 'pointer-to-integer'
    | 'integer-to-pointer',
  from: Type,
  to: Type,
  purpose: Purpose,
  at: Extent,
): void {
  const source = spell(from);
  const target = spell(to);
  let action: string;
  switch (purpose.what) {
    case 'assign':
      action = `assigning to '${target}' from`;
      break;
    case 'initialize':
      action = `initializing '${target}' with an expression of`;
      break;
    case 'return':
      action = `returning '${source}' from a function with result`;
      break;
    case 'pass':
      action = `passing '${source}' to parameter of`;
      break;
  }
  const type = purpose.what === 'assign' || purpose.what === 'initialize' ? source : target;
  c.reporter.report(code, at.begin, { action, type }, underline(at));
}

function nestedSpacesDiffer(a: Type, b: Type): boolean {
  if (a.kind !== 'pointer' || b.kind !== 'pointer') return false;
  return a.space !== b.space || nestedSpacesDiffer(a.pointee.type, b.pointee.type);
}
