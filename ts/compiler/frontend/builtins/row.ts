// SPDX-License-Identifier: MIT
//
// The notation of the declaration table. A row declares the overloads of one or more functions:
//
//     row('fmin fmax', 'Fn(Fn, Fn)', std)
//
// Signature: `result(parameter, …)`, `...` for printf's rest. Before it, `name in words;` narrows a variable.
//
//   Type words
//     F S U I A     element variables: half float double; signed, unsigned, all integers; all of them (arithmetic)
//     T             an element variable that the row declares: `T in int uint; Tn(Tn)`
//     sF uF wS      the signed or unsigned integer type as wide as F; the type of S's signedness and twice its width
//     rF            the result of a relational function: int for a scalar, else the signed integers as wide as F
//     @T            the atomic type of T
//     int float     scalar types; also size_t ptrdiff_t intptr_t uintptr_t
//     sampler_t …   opaque types; `image2d` and the like after `read_only`, `write_only`, `read_write`; X an image variable
//   Width, after an arithmetic word
//     n             scalar or vector: 1 2 3 4 8 16;   v a vector: 2 3 4 8 16;   m a second `n`;   a number: that width
//   Pointers: space, qualifiers, type, `*`
//     P             every space that can be written: private, local, global, generic
//     Q             P or constant
//     W             global, local, generic;   L global, local
//
// Each variable has one value throughout an overload. A row's variables are expanded when its name is first looked up.
import type { Lowering } from './builtin';

/** Makes the lowering of a function from its name. */
export type LoweringRule = (name: string) => Lowering;

export interface Row {
  /** Separated by spaces. */
  readonly names: string;
  readonly signature: string;
  readonly lowering: LoweringRule;
  /** When the row is there (availability.ts); undefined: always. */
  readonly when: string | undefined;
}

/** The functions of one section of the specification. */
export interface Family {
  /** Title in the documentation. */
  readonly title: string;
  /** Its functions without pointer parameters compute only from their arguments. */
  readonly computes?: true;
  /** True for all of its names, and possibly for others; undefined: any name may be its. */
  readonly mayHave?: (name: string) => boolean;
  /** The rows, created when a name that may be the family's is first looked up. */
  readonly rows: () => readonly Row[];
}

/**
 * For `Family.mayHave`. It uses no regular expressions: V8 compiles each on its first use, which takes longer than looking up all
 * names of a small program.
 */
export const startingWith =
  (...beginnings: readonly string[]) =>
  (name: string): boolean =>
    beginnings.some((beginning) => name.startsWith(beginning));

/** As `startingWith`, for parts of names. */
export const containing =
  (...parts: readonly string[]) =>
  (name: string): boolean =>
    parts.some((part) => name.includes(part));

export const row = (names: string, signature: string, lowering: LoweringRule, when?: string): Row => ({
  names,
  signature,
  lowering,
  when,
});

/** Both conditions hold; alternatives are multiplied out, as conditions know no parentheses. */
const both = (a: string, b: string): string =>
  a
    .split(' | ')
    .flatMap((left) => b.split(' | ').map((right) => `${left} & ${right}`))
    .join(' | ');

/** Rows under one condition, in addition to a row's own condition. */
export const under = (when: string, ...rows: readonly Row[]): readonly Row[] =>
  rows.map((r) => row(r.names, r.signature, r.lowering, r.when === undefined ? when : both(when, r.when)));

/** The extended instruction with the function's name. */
export const std: LoweringRule = (name) => ({ kind: 'extended', instruction: name });
export const extended =
  (instruction: string): LoweringRule =>
  () => ({ kind: 'extended', instruction });
export const core =
  (opcode: string): LoweringRule =>
  () => ({ kind: 'core', opcode });
export const variable =
  (builtIn: string, absent?: number): LoweringRule =>
  () =>
    absent === undefined ? { kind: 'variable', builtIn } : { kind: 'variable', builtIn, absent };
/** A function of lower/builtins/; `data` is `$` for the built-in's own name. */
export const custom =
  (name: string, data?: string): LoweringRule =>
  (builtin) =>
    data === undefined
      ? { kind: 'custom', name }
      : { kind: 'custom', name, data: data === '$' ? builtin : data };
