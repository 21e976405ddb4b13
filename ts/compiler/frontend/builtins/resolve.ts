// SPDX-License-Identifier: MIT
//
// Overload resolution as clang does it: of the overloads that the arguments convert to, the one that is no worse for
// any argument and better for one than each of the others.
import type { LanguageOptions } from '../language';
import type { ScalarKind, Type } from '../types';
import { available, describeNeeds } from './availability';
import type { ArgumentType, Candidate, Resolution, ResolveBuiltin, ResolvedBuiltin } from './builtin';
import { type Conversion, compareConversions, convert, Rank } from './convert';
import type { Overload } from './expand';
import { prototypeOf, spell } from './prototype';
import { isSpecial, resolveSpecial, specialNames } from './special';
import { builtinNames, overloadsOf } from './table';

const HALF = 'cl_khr_fp16';
const DOUBLE = '__opencl_c_fp64 | cl_khr_fp64';
const GENERIC = '__opencl_c_generic_address_space';

const isAvailable = (overload: Overload, language: LanguageOptions): boolean =>
  (!overload.half || available(HALF, language)) &&
  (!overload.double || available(DOUBLE, language)) &&
  (!overload.generic || available(GENERIC, language)) &&
  available(overload.when, language);

const needsOf = (overload: Overload): string | undefined =>
  overload.when ?? (overload.half ? HALF : overload.double ? DOUBLE : overload.generic ? GENERIC : undefined);

interface Viable {
  readonly overload: Overload;
  readonly conversions: readonly Conversion[];
  /** C accepts the call only with a warning. */
  readonly dubious: boolean;
}

/**
 * Whether `a` is better for one argument and not worse for any. An overload without dubious conversions is always
 * better.
 */
function isBetter(a: Viable, b: Viable): boolean {
  if (a.dubious !== b.dubious) return b.dubious;
  let better = false;
  for (let i = 0; i < a.conversions.length; i++) {
    const order = compareConversions(a.conversions[i]!, b.conversions[i]!);
    if (order > 0) return false;
    if (order < 0) better = true;
  }
  return better;
}

function isExact(overload: Overload, args: readonly ArgumentType[]): boolean {
  const { parameters } = overload.builtin;
  if (parameters.length !== args.length) return false;
  for (let i = 0; i < args.length; i++) if (args[i]!.type !== parameters[i]) return false;
  return true;
}

function viability(overload: Overload, args: readonly ArgumentType[]): Viable | undefined {
  const { parameters, variadic } = overload.builtin;
  if (args.length < parameters.length || (args.length > parameters.length && !variadic)) return undefined;
  const conversions: Conversion[] = [];
  let dubious = false;
  for (let i = 0; i < parameters.length; i++) {
    const conversion = convert(args[i]!, parameters[i]!);
    if (conversion === undefined) return undefined;
    if (conversion.rank === Rank.Incompatible) dubious = true;
    conversions.push(conversion);
  }
  return { overload, conversions, dubious };
}

const ordinal = (n: number): string =>
  `${n}${n % 10 === 1 && n !== 11 ? 'st' : n % 10 === 2 && n !== 12 ? 'nd' : n % 10 === 3 && n !== 13 ? 'rd' : 'th'}`;

/** Why `args` do not fit. */
function reasonAgainst(builtin: ResolvedBuiltin, args: readonly ArgumentType[]): string {
  const { parameters, variadic } = builtin;
  const wanted = parameters.length;
  if (args.length < wanted || (args.length > wanted && !variadic)) {
    const least = variadic ? 'at least ' : '';
    return `requires ${least}${wanted} argument${wanted === 1 ? '' : 's'}, but ${args.length} ${args.length === 1 ? 'was' : 'were'} provided`;
  }
  const index = parameters.findIndex((type, i) => convert(args[i]!, type) === undefined);
  if (index < 0) return '';
  return `no known conversion from '${spell(args[index]!.type)}' to '${spell(parameters[index]!)}' for ${ordinal(index + 1)} argument`;
}

const elementOf = (type: Type): ScalarKind | undefined => {
  if (type.kind === 'pointer') return elementOf(type.pointee.type);
  if (type.kind === 'vector') return type.element.scalar;
  return type.kind === 'scalar' ? type.scalar : undefined;
};

/** How close the arguments are to fitting: the overload that was most probably meant comes first. */
function nearness({ parameters }: ResolvedBuiltin, args: readonly ArgumentType[]): number {
  let score = parameters.length === args.length ? 4 * args.length : 0;
  for (let i = 0; i < Math.min(args.length, parameters.length); i++) {
    const [arg, parameter] = [args[i]!, parameters[i]!];
    if (convert(arg, parameter) !== undefined) score += 2;
    if (elementOf(arg.type) === elementOf(parameter)) score++;
  }
  return score;
}

const candidate = (overload: Overload, args: readonly ArgumentType[]): Candidate => ({
  prototype: prototypeOf(overload.builtin),
  reason: reasonAgainst(overload.builtin, args),
});

function unknown(overloads: readonly Overload[], language: LanguageOptions): Resolution {
  const when = overloads[0] === undefined ? undefined : needsOf(overloads[0]);
  if (when === undefined) return { ok: false, problem: 'unknown' };
  return { ok: false, problem: 'unknown', needs: describeNeeds(when, language) };
}

/**
 * clang's names of the atomic functions, by which its header defines OpenCL's: `__opencl_atomic_load(p, order,
 * scope)`.
 */
const CLANG_ATOMIC = /^__(?:opencl|c11)_(atomic_\w+)$/;

function openClName(name: string): string {
  const [, atomic] = CLANG_ATOMIC.exec(name) ?? [];
  if (atomic === undefined) return name;
  return atomic === 'atomic_init' ? atomic : `${atomic}_explicit`;
}

export const resolve: ResolveBuiltin = (spelled, args, language) => {
  const name = spelled.startsWith('__') ? openClName(spelled) : spelled;
  const special = resolveSpecial(name, args, language);
  if (special !== undefined) return special;
  const overloads = overloadsOf(name, language.addressBits);
  for (const overload of overloads)
    if (isExact(overload, args) && isAvailable(overload, language))
      return { ok: true, builtin: overload.builtin };

  let claimed = 0;
  const viable: Viable[] = [];
  let best: Viable | undefined;
  for (const overload of overloads) {
    if (!isAvailable(overload, language)) continue;
    claimed++;
    const entry = viability(overload, args);
    if (entry === undefined) continue;
    viable.push(entry);
    if (best === undefined || isBetter(entry, best)) best = entry;
  }
  if (claimed === 0) return unknown(overloads, language);
  if (best === undefined) {
    const all = overloads
      .filter((overload) => isAvailable(overload, language))
      .sort((a, b) => nearness(b.builtin, args) - nearness(a.builtin, args));
    return { ok: false, problem: 'no-match', candidates: all.map((overload) => candidate(overload, args)) };
  }
  const winner = best;
  if (viable.every((other) => other === winner || isBetter(winner, other)))
    return { ok: true, builtin: winner.overload.builtin };
  return {
    ok: false,
    problem: 'ambiguous',
    candidates: viable
      .filter((entry) => !viable.some((other) => isBetter(other, entry)))
      .map((entry) => candidate(entry.overload, args)),
  };
};

/** Whether this language has a built-in function of this name. A user's declaration may hide it. */
export function isBuiltinName(name: string, language: LanguageOptions): boolean {
  if (isSpecial(name, language)) return true;
  return overloadsOf(name, language.addressBits).some((overload) => isAvailable(overload, language));
}

/** The built-ins' names, for "did you mean". */
export const allBuiltinNames = (): readonly string[] => [...builtinNames(), ...specialNames()];
