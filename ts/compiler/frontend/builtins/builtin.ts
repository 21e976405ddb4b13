// SPDX-License-Identifier: MIT
//
// Built-in functions, for the checker and the lowering. The declarations are data (tables in this folder): name, types with their
// generics, since which version and under which feature or extension, accuracy, and how a call is lowered. `resolve` finds the
// overload for a call.
import type { LanguageOptions } from '../language';
import type { Type } from '../types';

/** One overload, its generic types filled in. */
export interface ResolvedBuiltin {
  readonly name: string;
  readonly result: Type;
  /** Parameter types; printf's variable ones have no entry. */
  readonly parameters: readonly Type[];
  readonly variadic: boolean;
  readonly lowering: Lowering;
}

/**
 * How a call becomes SPIR-V. Data where the call is one instruction; `custom` names a function in
 * lower/builtins/ for the rest (a test checks that each name exists).
 */
export type Lowering =
  /** An OpenCL.std extended instruction by name. */
  | { readonly kind: 'extended'; readonly instruction: string }
  /** A core instruction by name (`OpBitCount`), its operands the arguments in order. */
  | { readonly kind: 'core'; readonly opcode: string }
  /** A built-in variable (`GlobalInvocationId`), indexed by the argument if there is one, else `absent` beyond 3. */
  | { readonly kind: 'variable'; readonly builtIn: string; readonly absent?: number }
  | { readonly kind: 'custom'; readonly name: string; readonly data?: string };

export interface Candidate {
  /** The prototype as a user would read it: `float4 sin(float4)`. */
  readonly prototype: string;
  /** Why it does not fit: `no known conversion from 'int *' to 'float' for 1st argument`; '' where it does, as others. */
  readonly reason: string;
}

export type Resolution =
  | { readonly ok: true; readonly builtin: ResolvedBuiltin }
  /** No such built-in in this language version with these features at all. `needs` says what would bring it. */
  | { readonly ok: false; readonly problem: 'unknown'; readonly needs?: string }
  | {
      readonly ok: false;
      readonly problem: 'no-match' | 'ambiguous';
      /** Of an ambiguous call those that none beats, else all, the nearest first. */
      readonly candidates: readonly Candidate[];
      /** Index of the argument that is at fault, where it is one alone. */
      readonly argument?: number;
    };

/** An argument of overload resolution. */
export interface ArgumentType {
  readonly type: Type;
  /** An integer constant 0, which converts to any pointer. */
  readonly isNull: boolean;
  /** A literal or constant integer, which fits any scalar type. */
  readonly isIntegerConstant: boolean;
  /** For pointers: const-qualified pointee and so on are in the type itself. */
}

export type ResolveBuiltin = (
  name: string,
  args: readonly ArgumentType[],
  language: LanguageOptions,
) => Resolution;
