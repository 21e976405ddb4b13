// SPDX-License-Identifier: MIT
//
// Enumerations (C99, 6.7.2.2).
import type { Location } from '../../../diagnostics/diagnostic';
import type * as Syntax from '../../ast/syntax';
import { type EnumType, type ScalarKind, scalarOf } from '../../types';
import type { Checker } from '../checker';
import { checkConstantInteger } from '../constants/constant-expressions';
import type { Tag } from '../symbols';
import { isInteger } from './predicates';
import { INT } from './scalars';
import { spell } from './spelling';
import { type TypeUse, unspecified } from './type-use';

const INT_MAX = 0x7fffffffn;

/** The range of int, uint, long and ulong. */
const LIMITS = [INT_MAX, 0xffffffffn, 0x7fffffffffffffffn, 0xffffffffffffffffn];

/** A tag that is declared in a parameter list is not visible outside of it. */
export function warnTagInParameters(c: Checker, tag: string, name: string, location: Location): void {
  if (c.types.prototypes > 0) c.reporter.report('tag-invisible', location, { tag, name });
}

/** For editors: a specifier with a body declares its tag, one without uses it. */
export function observeTag(c: Checker, name: string, tag: Tag, defines: boolean, location: Location): void {
  const what = { kind: 'tag', identity: tag } as const;
  if (defines) c.observer?.declare(name, what, location);
  else c.observer?.use(name, what, location);
}

export function checkEnum(c: Checker, spec: Syntax.EnumSpec): TypeUse | undefined {
  const { name, enumerators, location } = spec;
  let type: EnumType | undefined;
  if (name !== undefined) {
    const found = enumerators === undefined ? c.symbols.tags.get(name) : c.symbols.tags.here(name);
    if (found?.kind === 'record') {
      c.reporter.report('tag-kind', location, { name });
      return undefined;
    }
    if (found !== undefined && enumerators !== undefined && c.types.definedEnums.has(found)) {
      c.reporter.report('redefinition', location, { name });
      return unspecified(found);
    }
    type = found;
  }
  if (type === undefined) {
    type = { kind: 'enum', name, underlying: scalarOf('uint') };
    if (name !== undefined) warnTagInParameters(c, 'enum', name, location);
    if (name !== undefined) c.symbols.tags.set(name, type);
  }
  if (name !== undefined) observeTag(c, name, type, enumerators !== undefined, location);
  const fixed = spec.underlying && c.rules.specifiers(c, spec.underlying)?.type;
  if (fixed !== undefined && (fixed.kind !== 'scalar' || !isInteger(fixed))) {
    c.reporter.report('enum-underlying', location, { type: spell(fixed) });
    return undefined;
  }
  if (enumerators !== undefined) {
    c.types.definedEnums.add(type);
    if (enumerators.length === 0) c.reporter.report('enum-empty', location);
    checkEnumerators(c, type, enumerators);
  }
  if (fixed !== undefined) {
    type.underlying = fixed;
    type.enumerators ??= new Map();
  }
  return unspecified(type);
}

function checkEnumerators(c: Checker, type: EnumType, enumerators: readonly Syntax.Enumerator[]): void {
  const values = new Map<string, bigint>();
  type.enumerators = values;
  let next = 0n;
  let least = 0n;
  let greatest = 0n;
  /** The greatest value of the last enumerator's type. */
  let limit = INT_MAX;
  for (const enumerator of enumerators) {
    if (enumerator.value !== undefined) next = checkConstantInteger(c, enumerator.value) ?? next;
    else if (next > limit) c.reporter.report('enumerator-overflow', enumerator.location);
    limit = LIMITS.find((each) => next <= each) ?? next;
    values.set(enumerator.name, next);
    if (next < least) least = next;
    if (next > greatest) greatest = next;
    const before = c.symbols.values.here(enumerator.name);
    if (before !== undefined) {
      c.reporter.report('redefinition', enumerator.location, { name: enumerator.name });
    } else {
      const fits = next >= -0x80000000n && next <= 0x7fffffffn;
      const wide = next <= 0xffffffffn && next >= 0n ? scalarOf('uint') : scalarOf('long');
      const { name, location } = enumerator;
      const value = next;
      const symbol = {
        kind: 'enumerator',
        value,
        type: fits ? INT : wide,
        enumeration: type,
        location,
      } as const;
      c.symbols.values.set(name, symbol);
      c.observer?.declare(name, { kind: 'enumerator', identity: symbol, value }, location);
    }
    next++;
  }
  let underlying: ScalarKind = least < 0n ? 'int' : 'uint';
  if (least < -0x80000000n || greatest > (least < 0n ? 0x7fffffffn : 0xffffffffn)) {
    underlying = least < 0n ? 'long' : 'ulong';
  }
  type.underlying = scalarOf(underlying);
}
