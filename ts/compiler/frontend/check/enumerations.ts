// SPDX-License-Identifier: MIT
//
// Enumerations, and the integer constants that they, array sizes and attributes are made of (6.6).
import type { Location } from '../../diagnostics/diagnostic';
import type { Expr } from '../ast/checked';
import type * as Syntax from '../ast/syntax';
import { type EnumType, type ScalarKind, scalarOf } from '../types';
import { evaluate, evaluateInteger } from './constant-evaluation';
import { Conversions } from './conversions';
import { spell } from './spelling';
import { INT, isInteger, type TypeUse, unspecified } from './type-rules';

const INT_MAX = 0x7fffffffn;
/** Of int, uint, long and ulong. */
const LIMITS = [INT_MAX, 0xffffffffn, 0x7fffffffffffffffn, 0xffffffffffffffffn];

export abstract class EnumerationChecker extends Conversions {
  protected abstract baseType(specifiers: Syntax.Specifiers): TypeUse | undefined;

  /** How many lists of parameters are being read, one in another. */
  protected prototypes = 0;

  /** A tag that is declared among parameters is known to nobody else. */
  protected warnInvisible(tag: string, name: string, location: Location): void {
    if (this.prototypes > 0) this.reporter.report('tag-invisible', location, { tag, name });
  }

  private readonly definedEnums = new Set<EnumType>();

  protected enumeration(spec: Syntax.EnumSpec): TypeUse | undefined {
    const { name, enumerators, location } = spec;
    let type: EnumType | undefined;
    if (name !== undefined) {
      const found = enumerators === undefined ? this.symbols.tags.get(name) : this.symbols.tags.here(name);
      if (found?.kind === 'record') {
        this.reporter.report('tag-kind', location, { name });
        return undefined;
      }
      if (found !== undefined && enumerators !== undefined && this.definedEnums.has(found)) {
        this.reporter.report('redefinition', location, { name });
        return unspecified(found);
      }
      type = found;
    }
    if (type === undefined) {
      type = { kind: 'enum', name, underlying: scalarOf('uint') };
      if (name !== undefined) this.warnInvisible('enum', name, location);
      if (name !== undefined) this.symbols.tags.set(name, type);
    }
    const fixed = spec.underlying && this.baseType(spec.underlying)?.type;
    if (fixed !== undefined && (fixed.kind !== 'scalar' || !isInteger(fixed))) {
      this.reporter.report('enum-underlying', location, { type: spell(fixed) });
      return undefined;
    }
    if (enumerators !== undefined) {
      this.definedEnums.add(type);
      if (enumerators.length === 0) this.reporter.report('enum-empty', location);
      this.enumerators(type, enumerators);
    }
    if (fixed !== undefined) {
      type.underlying = fixed;
      type.enumerators ??= new Map();
    }
    return unspecified(type);
  }

  private enumerators(type: EnumType, enumerators: readonly Syntax.Enumerator[]): void {
    const values = new Map<string, bigint>();
    type.enumerators = values;
    let next = 0n;
    let least = 0n;
    let greatest = 0n;
    /** The greatest value of the type that the last enumerator has. */
    let limit = INT_MAX;
    for (const enumerator of enumerators) {
      if (enumerator.value !== undefined) next = this.constantInteger(enumerator.value) ?? next;
      else if (next > limit) this.reporter.report('enumerator-overflow', enumerator.location);
      limit = LIMITS.find((each) => next <= each) ?? next;
      values.set(enumerator.name, next);
      if (next < least) least = next;
      if (next > greatest) greatest = next;
      const before = this.symbols.values.here(enumerator.name);
      if (before !== undefined) {
        this.reporter.report('redefinition', enumerator.location, { name: enumerator.name });
      } else {
        const fits = next >= -0x80000000n && next <= 0x7fffffffn;
        const wide = next <= 0xffffffffn && next >= 0n ? scalarOf('uint') : scalarOf('long');
        this.symbols.values.set(enumerator.name, {
          kind: 'enumerator',
          value: next,
          type: fits ? INT : wide,
          enumeration: type,
          location: enumerator.location,
        });
      }
      next++;
    }
    let underlying: ScalarKind = least < 0n ? 'int' : 'uint';
    if (least < -0x80000000n || greatest > (least < 0n ? 0x7fffffffn : 0xffffffffn)) {
      underlying = least < 0n ? 'long' : 'ulong';
    }
    type.underlying = scalarOf(underlying);
  }

  /** An integer constant expression's value. Undefined, and reported, for anything else. */
  protected constantInteger(expr: Syntax.Expr): bigint | undefined {
    const raw = this.expression(expr);
    return raw && this.constantValue(this.value(raw), expr);
  }

  protected constantValue(value: Expr, at: Syntax.Expr): bigint | undefined {
    const result = isInteger(value.type)
      ? evaluateInteger(value, { language: this.language, readVariables: true })
      : undefined;
    if (result === undefined) {
      this.reporter.report('not-integer-constant', at.begin, {}, this.underline(at));
    }
    return result;
  }

  protected isConstant(value: Expr): boolean {
    return evaluate(value, { language: this.language, readVariables: true }) !== undefined;
  }
}
