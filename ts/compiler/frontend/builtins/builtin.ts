// SPDX-License-Identifier: MIT
//
// Built-in functions, for the checker and the lowering. The declarations are data (tables in this folder): name, types with their
// generics, since which version and under which feature or extension, accuracy, and how a call is lowered. `resolve` finds the
// overload for a call.
import type { LanguageOptions } from '../language';
import type { Type } from '../types';

/** One overload, without generic types. */
export interface ResolvedBuiltin {
  readonly name: string;
  readonly result: Type;
  /** Parameter types; printf's variable ones have no entry. */
  readonly parameters: readonly Type[];
  readonly variadic: boolean;
  readonly lowering: Lowering;
}

/**
 * How a call becomes SPIR-V. It is data if the call is one instruction; otherwise `custom` names a function in lower/builtins/ (a
 * test checks that each name exists).
 */
export type Lowering =
  /** An OpenCL.std extended instruction by name. */
  | { readonly kind: 'extended'; readonly instruction: string }
  /** A core instruction by name (`OpBitCount`), its operands the arguments in order. */
  | { readonly kind: 'core'; readonly opcode: string }
  /** A built-in variable (`GlobalInvocationId`), indexed by the argument if there is one; `absent` for indices above 2. */
  | { readonly kind: 'variable'; readonly builtIn: string; readonly absent?: number }
  | { readonly kind: 'custom'; readonly name: string; readonly data?: string };

export interface Candidate {
  /** The prototype in the user's form: `float4 sin(float4)`. */
  readonly prototype: string;
  /** Why it does not fit: `no known conversion from 'int *' to 'float' for 1st argument`; '' if it fits as well as others. */
  readonly reason: string;
}

export type Resolution =
  | { readonly ok: true; readonly builtin: ResolvedBuiltin }
  /** This language version with these features has no such built-in. `needs` names its requirement. */
  | { readonly ok: false; readonly problem: 'unknown'; readonly needs?: string }
  | {
      readonly ok: false;
      readonly problem: 'no-match' | 'ambiguous';
      /** For an ambiguous call the best overloads, otherwise all, the nearest first. */
      readonly candidates: readonly Candidate[];
      /** The index of the wrong argument, if there is only one. */
      readonly argument?: number;
    };

/** An argument of overload resolution. */
export interface ArgumentType {
  readonly type: Type;
  /** An integer constant 0, which converts to any pointer. */
  readonly isNull: boolean;
  /** A literal or constant integer, which fits any scalar type. */
  readonly isIntegerConstant: boolean;
  /** The type. For pointers it includes the pointee's qualifiers. */
}

export type ResolveBuiltin = (
  name: string,
  args: readonly ArgumentType[],
  language: LanguageOptions,
) => Resolution;
