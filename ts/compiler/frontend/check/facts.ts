// SPDX-License-Identifier: MIT
//
// Facts that rules record about nodes and types for other rules.
import type { Expr, Stmt, VariableDecl } from '../ast/checked';
import type * as Syntax from '../ast/syntax';
import type { ArrayType, EnumType, RecordType, Type } from '../types';
import type { ArrayParameters } from './warnings/sizes';

/** Facts about expressions and statements that only warnings use. */
export class NodeFacts {
  /** The literals from which string constants and arrays were created. */
  readonly literals = new WeakMap<Expr, Syntax.StringExpr>();
  /** The types of the operands of `sizeof`. */
  readonly sizedOperands = new WeakMap<Syntax.Expr, Type>();
  /** Parameters that are written as arrays: by their declarators, then by their variables. */
  readonly declaredArrays = new WeakMap<Syntax.Declarator, ArrayType>();
  readonly arrayParameters: ArrayParameters = new WeakMap<VariableDecl, ArrayType>();
  /** Values of sums, differences and products of integer constants. */
  readonly computed = new WeakMap<Expr, bigint>();
  /** The operand of the innermost `&`. */
  addressOperand: Syntax.Expr | undefined;
  /** Calls that do not return. */
  readonly endless = new WeakSet<Expr>();
  /** Switches that have a case for each value of their enum. */
  readonly exhaustive = new WeakSet<Stmt>();
  /** Variables whose initializers are wrong. */
  readonly brokenInitializers = new WeakSet<VariableDecl>();
}

/** Facts about types that are not stored in the types. */
export class TypeFacts {
  readonly definedEnums = new Set<EnumType>();
  /** Records of which a member's declaration was wrong: its name may be missing. */
  readonly brokenRecords = new Set<RecordType>();
  /** Records whose last member is an array without a size. */
  readonly flexibleRecords = new Set<RecordType>();
  /** Records that contain a size_t or the like. */
  readonly deviceSized = new Set<RecordType>();
  /** `size_t`, `ptrdiff_t` and so on, and typedefs of them. */
  readonly deviceSizedNames = new Set(['size_t', 'ptrdiff_t', 'intptr_t', 'uintptr_t']);
  /** How many parameter lists are open, one inside another. */
  prototypes = 0;
}
