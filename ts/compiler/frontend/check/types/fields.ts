// SPDX-License-Identifier: MIT
//
// The type of a member of a structure or union.
import type * as Syntax from '../../ast/syntax';
import type { QualType, RecordType, Type } from '../../types';
import type { Checker } from '../checker';
import { isComplete } from './layout';
import { contains } from './predicates';
import { spell } from './spelling';
import { depthOf, TYPE_DEPTH_LIMIT } from './type-depth';
import { placedIn } from './type-use';

/** `none` if it declares nothing; undefined, and reported, if it is wrong. */
export function checkFieldType(
  c: Checker,
  declaration: Syntax.FieldDeclaration,
  record: RecordType,
  isLast: boolean,
  hasFields: boolean,
): QualType | 'none' | undefined {
  const { specifiers, declarator, location } = declaration;
  const base = c.rules.specifiers(c, specifiers);
  if (base === undefined) return undefined;
  if (declaration.bitField !== undefined) {
    c.reporter.report('bit-field', location);
    return undefined;
  }
  if (declarator.name === undefined && declarator.parts.length === 0) {
    if (base.type.kind === 'record' && specifiers.type.kind === 'record' && base.type.name === undefined) {
      return placedIn(base, 'private');
    }
    const declares = specifiers.type.kind === 'enum' && specifiers.type.enumerators !== undefined;
    if (!declares) c.reporter.report('declares-nothing', location);
    return 'none';
  }
  const use = c.rules.declarator(c, base, declarator)?.use;
  if (use === undefined) return undefined;
  if (specifiers.kernel) c.reporter.report('kernel-not-function', specifiers.location);
  if (use.space !== undefined) {
    c.reporter.report('field-address-space', location);
    return undefined;
  }
  const { type } = use;
  if (type.kind === 'image' || type.kind === 'pipe' || type.kind === 'block' || isFieldless(type)) {
    c.reporter.report('field-opaque', location, { type: spell(type) });
    return undefined;
  }
  if (type.kind === 'array' && type.count === undefined && isLast && record.tag === 'struct') {
    if (hasFields) {
      c.types.flexibleRecords.add(record);
      return placedIn({ ...use, type: { ...type, count: 0 } }, 'private');
    }
    c.reporter.report('flexible-array-alone', location, { name: declarator.name ?? '' });
    return undefined;
  }
  if (type.kind === 'array' && type.count === undefined) {
    c.reporter.report('flexible-array', location);
    return undefined;
  }
  if (depthOf(type) >= TYPE_DEPTH_LIMIT) {
    c.reporter.report('type-too-deep', declarator.location, { limit: TYPE_DEPTH_LIMIT });
    return undefined;
  }
  if (!isComplete(type) || contains(type, (each) => each === record)) {
    c.reporter.report('field-incomplete', location, {
      name: declarator.name ?? '',
      type: spell(type),
    });
    return undefined;
  }
  return placedIn(use, 'private');
}

/** The handles that no record may contain (6.11); those of device-side enqueue and of pipes are allowed. */
const isFieldless = (type: Type): boolean =>
  type.kind === 'opaque' && /^(?:sampler|event)_t$/.test(type.name);
