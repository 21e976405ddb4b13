// SPDX-License-Identifier: MIT
//
// The names of arguments and results of `elementwise`, for TypeScript's type checker. It reads statements of the form
// `name = expression`; for all other sources it accepts any names.
import type { DType } from '../dtype';

type Lower =
  | 'a'
  | 'b'
  | 'c'
  | 'd'
  | 'e'
  | 'f'
  | 'g'
  | 'h'
  | 'i'
  | 'j'
  | 'k'
  | 'l'
  | 'm'
  | 'n'
  | 'o'
  | 'p'
  | 'q'
  | 'r'
  | 's'
  | 't'
  | 'u'
  | 'v'
  | 'w'
  | 'x'
  | 'y'
  | 'z';
type Letter = Lower | Uppercase<Lower> | '_';
type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';
type Space = ' ' | '\n' | '\t';

/** Sources that have more than assignments of expressions. */
type Complex =
  | `${string}${'{' | '}' | '[' | '//' | '/*' | '"' | ','}${string}=${string}`
  | `${string}${'int' | 'uint' | 'float' | 'double' | 'long' | 'short' | 'char' | 'bool' | 'half'}${string}`
  | `${string}${'==' | '<=' | '>=' | '!='}${string}`;

/**
 * Collects names, character by character: `Word` is the one being read, `Dead` says that it is a number or a member, which has no
 * name of its own.
 */
type Names<
  S extends string,
  Word extends string = '',
  Dead extends boolean = false,
  Found = never,
> = S extends `${infer C}${infer Rest}`
  ? C extends Letter
    ? Names<Rest, `${Word}${C}`, Dead, Found>
    : C extends Digit | '.'
      ? Word extends ''
        ? Names<Rest, '', true, Found>
        : Names<
            Rest,
            C extends '.' ? '' : `${Word}${C}`,
            C extends '.' ? true : Dead,
            C extends '.' ? Found | Word : Found
          >
      : C extends '('
        ? Names<Rest, '', false, Found>
        : C extends Space
          ? Names<Rest, Word, Dead, Found>
          : Names<Rest, '', false, Dead extends true ? Found : Found | Word>
  : Dead extends true
    ? Found
    : Found | Word;

type Constant = '' | 'i' | 'n' | `M_${string}` | `FLT_${string}` | 'INFINITY' | 'NAN';
type Trim<S extends string> = S extends `${Space}${infer R}` | `${infer R}${Space}` ? Trim<R> : S;

type Assigned<S extends string> = S extends `${infer First};${infer Rest}`
  ? Assigned<First> | Assigned<Rest>
  : S extends `${infer Name}=${string}`
    ? Trim<Name>
    : never;
type Read<S extends string> = S extends `${infer First};${infer Rest}`
  ? Read<First> | Read<Rest>
  : S extends `${string}=${infer Expression}`
    ? Names<Expression>
    : never;

/** Names of the arguments; `string` where the type checker cannot tell. */
export type InputNames<S extends string> = string extends S
  ? string
  : S extends Complex
    ? string
    : Exclude<Read<S>, Constant | Assigned<S>>;
/** Names of the results. */
export type OutputNames<S extends string> = string extends S
  ? string
  : S extends Complex
    ? string
    : Assigned<S>;

/** Types that results were declared to have. */
export type OutputTypes<S extends string> = Partial<Record<OutputNames<S>, DType>>;
