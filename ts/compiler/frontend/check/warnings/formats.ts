// SPDX-License-Identifier: MIT
//
// -Wformat and its parts: printf's arguments against its format, as clang compares them.
import type { Location } from '../../../diagnostics/diagnostic';
import { note, type Reporter } from '../../../diagnostics/reporter';
import type { Expr } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import type { LanguageOptions } from '../../language';
import { stringOffset } from '../../lex/strings';
import { isFloatKind } from '../../scalars';
import { type ScalarKind, scalarOf, type Type } from '../../types';
import { asScalar } from '../types/predicates';
import { promoted, unsignedOf } from '../types/scalars';
import { spell } from '../types/spelling';
import { isTruthValue } from './operators';
import { type Amount, type Conversion, FormatReader } from './printf-format';

/** One argument of printf, before its promotion. */
export interface FormatArgument {
  readonly value: Expr;
  readonly syntax: Syntax.Expr;
}

/** A format that is known: the bytes, and where they are written. */
export interface KnownFormat {
  readonly literal: Syntax.StringExpr;
  /** Bytes of the literal that are skipped: `"%d" + 1`. */
  readonly offset: number;
  /** The literal is written in the call, and no variable's initializer. */
  readonly isInCall: boolean;
}

const FLOATS = 'aAeEfFgG';
const SIGNED = 'di';
const UNSIGNED = 'ouxX';
const INTEGERS = SIGNED + UNSIGNED;
const KNOWN = `${INTEGERS}${FLOATS}cCsSpm%`;

/** The conversions with which a flag is valid. */
const FLAGS: Readonly<Record<string, string | undefined>> = {
  '+': SIGNED + FLOATS,
  ' ': SIGNED + FLOATS,
  '#': `oxX${FLOATS}`,
  '0': INTEGERS + FLOATS,
  '-': KNOWN,
  "'": `diufFgG`,
};
const WITH_PRECISION = `${INTEGERS}${FLOATS}s`;

/** The type that an integer conversion expects, by its length; undefined for a type that no argument can have. */
type Wanted =
  | { readonly kind: 'scalar'; readonly scalar: ScalarKind; readonly name: string }
  | { readonly kind: 'none'; readonly name: string }
  | { readonly kind: 'text' }
  | { readonly kind: 'pointer' }
  | undefined;

/** clang's `long long` is a distinct type, which no value of OpenCL C has; `intmax_t` is the same. */
const SIGNED_LENGTHS: Readonly<Record<string, readonly [ScalarKind | undefined, string] | undefined>> = {
  '': ['int', 'int'],
  hh: ['char', 'char'],
  h: ['short', 'short'],
  hl: ['int', 'int'],
  l: ['long', 'long'],
  ll: [undefined, 'long long'],
  q: [undefined, 'long long'],
  L: [undefined, 'long long'],
  j: [undefined, 'intmax_t'],
};

const quoted = (name: string) => name;

export class FormatChecker {
  private readonly covered = new Set<number>();

  constructor(
    private readonly reporter: Reporter,
    private readonly language: LanguageOptions,
    private readonly args: readonly FormatArgument[],
    private readonly call: Location,
  ) {}

  /** Compares the arguments with one format; returns the first argument that the format does not use, if the format is valid. */
  check(format: KnownFormat): number | undefined {
    const { literal, offset } = format;
    let text = '';
    for (let i = offset; i < literal.bytes.length; i++) text += String.fromCharCode(literal.bytes[i]!);
    const report = new Place(this.reporter, format, this.call);
    if (text.includes('\0')) {
      report.format('format-nul', text.indexOf('\0'));
      return undefined;
    }
    if (text === '' && this.args.length > 0) {
      report.format('format-empty', 0);
      return undefined;
    }
    this.covered.clear();
    const reader = new FormatReader(text);
    let positional: boolean | undefined;
    for (;;) {
      const conversion = reader.next();
      if (conversion === undefined) break;
      if ('problem' in conversion) {
        const code = conversion.problem === 'zero-position' ? 'format-position-zero' : 'format-incomplete';
        report.format(code, conversion.at);
        return undefined;
      }
      if (conversion.argument !== undefined) {
        positional ??= conversion.isPositional;
        if (positional !== conversion.isPositional) {
          report.format('format-positions-mixed', conversion.at);
          return undefined;
        }
      }
      if (!this.conversion(conversion, report)) return undefined;
    }
    const unused = this.args.findIndex((_, i) => !this.covered.has(i));
    return unused < 0 ? undefined : unused;
  }

  /** False if the rest of the format cannot be interpreted. */
  private conversion(conversion: Conversion, report: Place): boolean {
    const { specifier, argument, length } = conversion;
    if (!KNOWN.includes(specifier)) {
      report.format('format-invalid', conversion.end - 1, { specifier });
      if (argument === undefined || argument >= this.args.length) return false;
      this.covered.add(argument);
      return true;
    }
    if (!this.amount(conversion.width, 'width', report)) return false;
    if (!this.amount(conversion.precision, 'precision', report)) return false;
    if (argument === undefined) return true;
    this.covered.add(argument);
    if (conversion.precision !== undefined && !WITH_PRECISION.includes(specifier)) {
      report.format('format-precision', conversion.precision.at, { specifier });
    }
    this.flags(conversion, report);
    if (!goesWith(conversion)) {
      report.format('format-length-modifier', conversion.lengthAt, { length, specifier });
    }
    const given = this.args[argument];
    if (given === undefined) {
      if (conversion.isPositional) {
        const counts = { position: argument + 1, count: this.args.length };
        report.format('format-position', conversion.at, counts);
      } else report.format('format-few', conversion.at);
      return false;
    }
    this.argument(conversion, given, report);
    return true;
  }

  private amount(amount: Amount | undefined, what: 'width' | 'precision', report: Place): boolean {
    if (amount?.argument === undefined) return true;
    const given = this.args[amount.argument];
    if (given === undefined) {
      const star = what === 'width' ? '*' : '.*';
      report.format('format-star-missing', amount.at, { star, what });
      return false;
    }
    this.covered.add(amount.argument);
    const type = promotedType(given.value.type, this.language);
    if (type.kind === 'scalar' && (type.scalar === 'int' || type.scalar === 'uint')) return true;
    report.format('format-star-type', amount.at, { what, type: spell(type) });
    return false;
  }

  private flags({ flags, specifier }: Conversion, report: Place): void {
    for (const flag of ["'", '0', '+', ' ', '#', '-']) {
      const found = flags.find((each) => each.flag === flag);
      if (found === undefined || FLAGS[flag]!.includes(specifier)) continue;
      report.format('format-flag', found.at, { flag, specifier });
    }
    const has = (flag: string) => flags.find((each) => each.flag === flag);
    for (const [ignored, by] of [
      [' ', '+'],
      ['0', '-'],
    ] as const) {
      const found = has(ignored);
      if (found !== undefined && has(by))
        report.format('format-flag-ignored', found.at, { flag: ignored, by });
    }
  }

  private argument(conversion: Conversion, { value, syntax }: FormatArgument, report: Place): void {
    const wanted = this.wanted(conversion);
    if (wanted === undefined) return;
    const { specifier, vector } = conversion;
    const { type } = value;
    if (vector !== undefined) {
      if (wanted.kind !== 'scalar') return;
      const right = type.kind === 'vector' && type.count === vector && type.element.scalar === wanted.scalar;
      if (!right) report.argument(syntax, `${wanted.scalar}${vector}`, spell(type));
      return;
    }
    if (specifier === 'c' && isTruthValue(value)) {
      report.boolean(syntax, specifier);
      return;
    }
    if (isRight(wanted, type, syntax, this.language)) return;
    const name =
      wanted.kind === 'text'
        ? 'char *'
        : wanted.kind === 'pointer'
          ? `${this.language.version >= 200 ? '__generic ' : ''}void *`
          : quoted(wanted.name);
    report.argument(syntax, name, type.kind === 'enum' ? type.underlying.scalar : spell(type));
  }

  /** Undefined for a conversion that accepts any type. */
  private wanted({ specifier, length, vector }: Conversion): Wanted {
    const scalar = (kind: ScalarKind): Wanted => ({ kind: 'scalar', scalar: kind, name: kind });
    if (FLOATS.includes(specifier)) {
      if (vector !== undefined) return scalar(length === 'h' ? 'half' : length === 'hl' ? 'float' : 'double');
      return length === 'L' ? { kind: 'none', name: 'long double' } : scalar('double');
    }
    if (INTEGERS.includes(specifier)) {
      const isSigned = SIGNED.includes(specifier);
      if (length === 'z' || length === 't') {
        const wide = this.language.addressBits === 64 ? 'long' : 'int';
        const names = length === 't' ? ['ptrdiff_t', 'uptrdiff_t'] : ['ssize_t', 'size_t'];
        const kind = isSigned ? wide : unsignedOf(wide);
        return { kind: 'scalar', scalar: kind, name: names[isSigned ? 0 : 1]! };
      }
      const [kind, name] = SIGNED_LENGTHS[length]!;
      if (isSigned)
        return kind === undefined ? { kind: 'none', name } : { kind: 'scalar', scalar: kind, name };
      if (kind === undefined)
        return { kind: 'none', name: name === 'intmax_t' ? 'uintmax_t' : `unsigned ${name}` };
      const unsigned = unsignedOf(kind);
      return { kind: 'scalar', scalar: unsigned, name: unsigned };
    }
    switch (specifier) {
      case 'c':
        return length === '' || length === 'l' ? scalar('int') : undefined;
      case 'C':
        return scalar('int');
      case 's':
        return length === 'l' ? { kind: 'none', name: 'wchar_t *' } : { kind: 'text' };
      case 'S':
        return { kind: 'none', name: 'wchar_t *' };
      case 'p':
        return { kind: 'pointer' };
      default:
        return undefined;
    }
  }
}

/** Whether a length modifier is valid with the conversion. */
function goesWith({ length, specifier, vector }: Conversion): boolean {
  switch (length) {
    case '':
      return true;
    case 'h':
      return FLOATS.includes(specifier) ? vector !== undefined : INTEGERS.includes(specifier);
    case 'hl':
      return vector !== undefined;
    case 'l':
      return FLOATS.includes(specifier) ? vector !== undefined : `${INTEGERS}cs`.includes(specifier);
    case 'L':
      return (INTEGERS + FLOATS).includes(specifier);
    default:
      return INTEGERS.includes(specifier);
  }
}

/** The type after the argument promotions: small integers become int, floating-point values double. */
function promotedType(type: Type, language: LanguageOptions): Type {
  const scalar = asScalar(type);
  if (scalar === undefined) return type;
  if (!isFloatKind(scalar.scalar)) return scalarOf(promoted(scalar.scalar));
  const hasDouble = language.features.has('cl_khr_fp64') || language.features.has('__opencl_c_fp64');
  return hasDouble ? scalarOf('double') : scalar;
}

const signless = (kind: ScalarKind): ScalarKind => (kind === 'bool' ? 'uchar' : unsignedOf(kind));

function isRight(
  wanted: NonNullable<Wanted>,
  type: Type,
  syntax: Syntax.Expr,
  language: LanguageOptions,
): boolean {
  switch (wanted.kind) {
    case 'none':
      return false;
    case 'pointer':
      return type.kind === 'pointer' || type.kind === 'block';
    case 'text': {
      const pointee = type.kind === 'pointer' ? type.pointee.type : undefined;
      return pointee?.kind === 'scalar' && signless(pointee.scalar) === 'uchar' && pointee.scalar !== 'bool';
    }
  }
  const own = asScalar(type);
  if (own === undefined) return false;
  if (isFloatKind(wanted.scalar)) return isFloatKind(own.scalar);
  if (isFloatKind(own.scalar)) return false;
  const kind = signless(wanted.scalar);
  const passed = promotedType(type, language) as { scalar: ScalarKind };
  if (signless(passed.scalar) === kind || signless(own.scalar) === kind) return true;
  // A character literal is treated as a character, though its type is int.
  if (kind === 'uchar') return syntax.kind === 'integer' && syntax.isCharacter === true;
  // For a char where a short is expected, clang has a separate warning, which is off by default.
  return kind === 'ushort' && signless(own.scalar) === 'uchar';
}

/** The place of a message about a format: in the literal if it is written in the call, else at the call. */
class Place {
  constructor(
    private readonly reporter: Reporter,
    private readonly known: KnownFormat,
    private readonly call: Location,
  ) {}

  private at(offset: number): Location {
    const { literal, offset: skipped } = this.known;
    let rest = offset + skipped;
    for (const part of literal.parts) {
      if (rest < part.length) return part.location + stringOffset(part.text, rest);
      rest -= part.length;
    }
    return literal.begin;
  }

  format<C extends FormatCode>(code: C, offset: number, args: Record<string, string | number> = {}): void {
    const at = this.at(offset);
    const where = this.known.isInCall ? at : this.call;
    const notes = this.known.isInCall ? [] : [note('format-defined', at)];
    this.reporter.report(code as 'format-flag', where, args as { flag: string; specifier: string }, {
      notes,
    });
  }

  argument(syntax: Syntax.Expr, wanted: string, type: string): void {
    const extra = { ranges: [{ begin: syntax.begin, end: syntax.end }] };
    this.reporter.report('format-type', syntax.begin, { wanted, type }, extra);
  }

  boolean(syntax: Syntax.Expr, specifier: string): void {
    this.reporter.report('format-boolean', syntax.begin, { specifier });
  }
}

type FormatCode =
  | 'format-nul'
  | 'format-empty'
  | 'format-incomplete'
  | 'format-position-zero'
  | 'format-positions-mixed'
  | 'format-position'
  | 'format-invalid'
  | 'format-few'
  | 'format-precision'
  | 'format-length-modifier'
  | 'format-star-missing'
  | 'format-star-type'
  | 'format-flag'
  | 'format-flag-ignored';
