// SPDX-License-Identifier: MIT
//
// Warnings about switches: enumerators without a case, and cases without an enumerator.
import type { Location } from '../../../diagnostics/diagnostic';
import type { Reporter } from '../../../diagnostics/reporter';
import { isUnsigned, scalarSize } from '../../scalars';
import type { Type } from '../../types';
import type { OpenSwitch } from '../open-function';
import { asScalar } from '../types/predicates';

/** The possible values of a switch's condition: its type before promotion. */
export interface Switched {
  readonly type: Type;
  /** The enumerators of an enum, by name. */
  readonly enumerators: ReadonlyMap<string, bigint> | undefined;
}

/** The cases of a switch: values of their own, and long ranges. */
export type Cases = Pick<OpenSwitch, 'seen' | 'ranges'>;

/** As many names as clang shows. */
const SHOWN = 3;

/** True if each enumerator has a case. */
export function warnUnhandled(
  reporter: Reporter,
  switched: Switched,
  { seen: cases, ranges }: Cases,
  hasDefault: boolean,
  location: Location,
): boolean {
  const { enumerators } = switched;
  if (enumerators === undefined) return false;
  const names: string[] = [];
  const seen = new Set<bigint>();
  for (const [name, value] of enumerators) {
    const isHandled = cases.has(value) || ranges.some(({ first, last }) => first <= value && value <= last);
    if (!isHandled && !seen.has(value)) names.push(`'${name}'`);
    seen.add(value);
  }
  for (const [value, at] of cases) if (!seen.has(value)) reporter.report('case-not-enumerator', at);
  for (const { first, last, at } of ranges)
    for (const end of [first, last]) if (!seen.has(end)) reporter.report('case-not-enumerator', at);
  if (names.length === 0) return true;
  if (hasDefault) return false;
  const what =
    names.length === 1
      ? `enumeration value ${names[0]} not handled in switch`
      : names.length <= SHOWN
        ? `enumeration values ${names.slice(0, -1).join(', ')}${names.length > 2 ? ',' : ''} and ${names.at(-1)} not handled in switch`
        : `${names.length} enumeration values not handled in switch: ${names.slice(0, SHOWN).join(', ')}...`;
  reporter.report('enumerators-unhandled', location, { what });
  return false;
}

/** A case value outside the range of the condition's type. */
export function warnCaseOverflow(reporter: Reporter, type: Type, value: bigint, location: Location): void {
  const scalar = asScalar(type);
  if (scalar === undefined || type.kind === 'enum') return;
  const bits = scalar.scalar === 'bool' ? 1 : scalarSize(scalar.scalar) * 8;
  const kept = isUnsigned(scalar.scalar) ? BigInt.asUintN(bits, value) : BigInt.asIntN(bits, value);
  // A negative case value for an unsigned type of the same width is intended.
  if (kept === value || (bits >= 32 && BigInt.asUintN(bits, value) === BigInt.asUintN(64, value))) return;
  if (bits >= 32 && BigInt.asIntN(bits, value) === value) return;
  reporter.report('case-overflow', location, { value, kept });
}
