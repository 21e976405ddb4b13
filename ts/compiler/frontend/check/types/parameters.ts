// SPDX-License-Identifier: MIT
//
// The types of parameters after their adjustments.
import type * as Syntax from '../../ast/syntax';
import { pointerTo, type QualType } from '../../types';
import type { Checker } from '../checker';
import { spell } from './spelling';
import { placedIn } from './type-use';

/** A parameter's type after its adjustments: arrays become pointers. */
export function checkParameterType(
  c: Checker,
  { specifiers, declarator }: Syntax.Parameter,
): QualType | undefined {
  if (specifiers.kernel) c.reporter.report('kernel-not-function', specifiers.location);
  if (specifiers.inline) c.reporter.report('inline-not-function', specifiers.location);
  if (specifiers.storage !== undefined && specifiers.storage !== 'register') {
    c.reporter.report('parameter-storage', specifiers.storageLocation);
  }
  const base = c.rules.specifiers(c, specifiers);
  const use = base && c.rules.declarator(c, base, declarator, true)?.use;
  if (use === undefined) return undefined;
  const { type } = use;
  if (type.kind === 'array') {
    c.facts.declaredArrays.set(declarator, type);
    const space = use.space ?? c.defaultPointee;
    if (space === 'generic') c.usesGenericSpace = true;
    const { const: isConst, volatile, restrict } = arrayQualifiers(declarator);
    const pointer = pointerTo({ ...type.element, space }, space);
    return { type: pointer, const: isConst, volatile, restrict, space: 'private' };
  }
  if (type.kind === 'function') {
    c.reporter.report('function-pointer', declarator.location);
    return undefined;
  }
  if (type.kind === 'block') {
    c.reporter.report('block-parameter', declarator.location, { type: spell(type) });
    return undefined;
  }
  if (use.space !== undefined && use.space !== 'private') {
    c.reporter.report('parameter-address-space', declarator.location);
    return undefined;
  }
  if (type.kind === 'scalar' && type.scalar === 'half' && !c.hasHalf) {
    c.reporter.report('half-not-allowed', declarator.location, { what: 'parameter' });
    return undefined;
  }
  return placedIn(use, 'private');
}

/** `int a[const]`: the qualifiers of the pointer to which the array decays. */
function arrayQualifiers({ parts }: Syntax.Declarator): {
  readonly const: boolean;
  readonly volatile: boolean;
  readonly restrict: boolean;
} {
  const outermost = parts.at(-1);
  return outermost?.kind === 'array'
    ? outermost.qualifiers
    : { const: false, volatile: false, restrict: false };
}
