// SPDX-License-Identifier: MIT
//
// Implicit conversions of arguments and their ranks in overload resolution: C's, with clang's order of preference.
import { type PointerType, type QualType, type ScalarKind, sameType, type Type } from '../types';
import type { ArgumentType } from './builtin';

export enum Rank {
  Exact,
  /** Integral promotion to int; float to double. */
  Promotion,
  Conversion,
  /** A scalar spread over a vector. */
  Splat,
  /** Conversions that C accepts with a warning: other pointees, lost qualifiers. */
  Incompatible,
}

export interface Conversion {
  readonly rank: Rank;
  /** Qualifiers that the pointee gains (a bit for each); of two exact conversions the one that gains less is better. */
  readonly gained: number;
}

const conversion = (rank: Rank, gained = 0): Conversion => ({ rank, gained });
const EXACT = conversion(Rank.Exact);
const PROMOTION = conversion(Rank.Promotion);
const CONVERSION = conversion(Rank.Conversion);
const SPLAT = conversion(Rank.Splat);

const PROMOTES_TO_INT: ReadonlySet<ScalarKind> = new Set(['bool', 'char', 'uchar', 'short', 'ushort']);

function scalarConversion(from: ScalarKind, to: ScalarKind): Conversion {
  if (from === to) return EXACT;
  if (to === 'int' && PROMOTES_TO_INT.has(from)) return PROMOTION;
  if (to === 'double' && from === 'float') return PROMOTION;
  return CONVERSION;
}

const CONST = 1;
const VOLATILE = 2;
const GENERIC = 4;
const RESTRICT = 8;

/** Among these, a conversion that keeps the address space is better. */
const incompatible = (gained: number): Conversion => conversion(Rank.Incompatible, gained & GENERIC);

/** 0 has no address space, so a pointer to the generic space is preferred. */
const NULL_TO_SPACE = conversion(Rank.Conversion, GENERIC);

function pointerConversion(from: PointerType, to: PointerType): Conversion | undefined {
  let gained = 0;
  if (from.space !== to.space) {
    if (to.space !== 'generic' || from.space === 'constant') return undefined;
    gained |= GENERIC;
  }
  const [a, b]: [QualType, QualType] = [from.pointee, to.pointee];
  const loses = (a.const && !b.const) || (a.volatile && !b.volatile);
  if (loses) return incompatible(gained);
  if (b.const && !a.const) gained |= CONST;
  if (b.volatile && !a.volatile) gained |= VOLATILE;
  if (b.restrict !== a.restrict) gained |= RESTRICT;
  if (sameType(a.type, b.type)) return gained === 0 ? EXACT : conversion(Rank.Exact, gained);
  if (b.type.kind === 'void') return conversion(Rank.Conversion, gained);
  return incompatible(gained);
}

const isIntegral = (type: Type): boolean =>
  type.kind === 'enum' || (type.kind === 'scalar' && !['half', 'float', 'double'].includes(type.scalar));

/** The conversion from `arg` to `to`; undefined if there is none. */
export function convert(arg: ArgumentType, to: Type): Conversion | undefined {
  const from = arg.type;
  if (from === to) return EXACT;
  switch (to.kind) {
    case 'scalar':
      if (from.kind === 'scalar') return scalarConversion(from.scalar, to.scalar);
      if (from.kind === 'enum') return from.underlying === to ? PROMOTION : CONVERSION;
      if (from.kind === 'pointer' && to.scalar === 'bool') return CONVERSION;
      return undefined;
    case 'vector':
      return from.kind === 'scalar' || from.kind === 'enum' ? SPLAT : undefined;
    case 'pointer':
      if (arg.isNull) return to.space === 'generic' ? CONVERSION : NULL_TO_SPACE;
      return from.kind === 'pointer' ? pointerConversion(from, to) : undefined;
    case 'opaque':
      if (arg.isNull && from.kind !== 'pointer') return EXACT;
      // The creation of the sampler checks that the integer is constant.
      return to.name === 'sampler_t' && isIntegral(from) ? CONVERSION : undefined;
    default:
      return sameType(from, to) ? EXACT : undefined;
  }
}

/** Negative if `a` is the better conversion, positive if `b` is, else 0. */
export function compareConversions(a: Conversion, b: Conversion): number {
  if (a.rank !== b.rank) return a.rank - b.rank;
  if (a.gained === b.gained) return 0;
  if ((a.gained & b.gained) === a.gained) return -1;
  return (a.gained & b.gained) === b.gained ? 1 : 0;
}
