// SPDX-License-Identifier: MIT
//
// The checked AST: the result of the checker for a translation unit, and the input of the lowering. Everything implicit in the
// source is explicit here: conversions are `cast` nodes, reading an lvalue is a `load`, arrays decay by a cast, built-in calls
// are resolved to one overload, names to their declarations, `sizeof` and enumerators to constants, `a[i]` to `deref` of a
// `pointer-add`. A unit with errors has none.
import type { Location } from '../../diagnostics/diagnostic';
import type { ResolvedBuiltin } from '../builtins/builtin';
import type { EnumType, Field, FunctionType, QualType, Type, VectorType } from '../types';
import type { ArithmeticOp, CompareOp } from './operators';
import type * as Statements from './statements';

export interface Unit {
  readonly functions: readonly FunctionDecl[];
  /** Program-scope variables, and the static or local/constant ones of function scope, in order of declaration. */
  readonly variables: readonly VariableDecl[];
  /** Whether it has pointers into the generic address space. */
  readonly usesGenericSpace: boolean;
}

export interface Attributes {
  readonly reqdWorkGroupSize?: readonly [number, number, number];
  readonly workGroupSizeHint?: readonly [number, number, number];
  readonly vecTypeHint?: Type;
  readonly reqdSubGroupSize?: number;
  readonly align?: number;
  readonly noinline?: boolean;
  readonly alwaysInline?: boolean;
  readonly weak?: boolean;
  /** `const`: computes only from its arguments; `pure`: reads memory. */
  readonly effect?: 'const' | 'pure';
  /** `deprecated`: its message, or ''. */
  readonly deprecated?: string;
  /** `noreturn` and `_Noreturn` */
  readonly noReturn?: boolean;
  /** `warn_unused_result` */
  readonly mustUse?: boolean;
}

export interface FunctionDecl {
  readonly kind: 'function';
  readonly name: string;
  readonly location: Location;
  readonly type: FunctionType;
  readonly parameters: readonly VariableDecl[];
  readonly isKernel: boolean;
  /** Has external linkage: visible to other translation units when linked. */
  readonly external: boolean;
  /** C99 `inline` without `extern`: this definition is not an external one. */
  readonly inlineOnly: boolean;
  readonly attributes: Attributes;
  /** Undefined for a prototype without a definition in this unit. */
  body: CompoundStmt | undefined;
}

export interface VariableDecl {
  readonly kind: 'variable';
  readonly name: string;
  readonly location: Location;
  readonly type: QualType;
  /** 'local-scope' variables live on the private stack; the rest are module-level objects in `type.space`. */
  readonly storage: 'parameter' | 'local-scope' | 'static' | 'program' | 'extern';
  readonly external: boolean;
  readonly attributes: Attributes;
  /** Program-scope, static and constant variables: a constant expression. */
  init: Expr | undefined;
  /** The type's spelling in the source, typedef names kept: for kernel argument info. */
  readonly typeName: string;
}

interface ExprBase {
  /** The type of the value; for lvalues that of the object. Never a reference to an array or function value: they decay. */
  readonly type: Type;
  readonly location: Location;
}

// ---- lvalues: they denote objects. `object` tells qualifiers and the address space.

export interface VariableRef extends ExprBase {
  readonly kind: 'variable-ref';
  readonly variable: VariableDecl;
  readonly object: QualType;
}
/** `*pointer` */
export interface DerefExpr extends ExprBase {
  readonly kind: 'deref';
  readonly pointer: Expr;
  readonly object: QualType;
}
/** `record.field`, of an lvalue or of a value */
export interface MemberExpr extends ExprBase {
  readonly kind: 'member';
  readonly base: Expr;
  readonly index: number;
  readonly field: Field;
  readonly object: QualType;
}
/** `vector.zyx`: components by index. One index gives a scalar, several a vector. Assignable if `base` is and no index repeats. */
export interface SwizzleExpr extends ExprBase {
  readonly kind: 'swizzle';
  readonly base: Expr;
  readonly indices: readonly number[];
  readonly object: QualType;
}
/** `vector[i]` on a vector lvalue or value, an extension of clang */
export interface ElementExpr extends ExprBase {
  readonly kind: 'element';
  readonly base: Expr;
  readonly index: Expr;
  readonly object: QualType;
}
/** `(type){…}`: a separate object */
export interface CompoundLiteral extends ExprBase {
  readonly kind: 'compound-literal';
  readonly variable: VariableDecl;
  readonly object: QualType;
}
/** A string literal: a constant array of char, NUL included */
export interface StringLiteral extends ExprBase {
  readonly kind: 'string';
  readonly bytes: Uint8Array;
  readonly object: QualType;
}

export type LValue =
  | VariableRef
  | DerefExpr
  | MemberExpr
  | SwizzleExpr
  | ElementExpr
  | CompoundLiteral
  | StringLiteral;

// ---- values

/** Of integer, bool, enum or pointer (NULL) type; `value` is reduced to the type's range. */
export interface IntegerConstant extends ExprBase {
  readonly kind: 'integer';
  readonly value: bigint;
  /** Of an enumerator: its enumeration. */
  readonly enumeration?: EnumType;
}
/** `value` is already rounded to the type. */
export interface FloatConstant extends ExprBase {
  readonly kind: 'float';
  readonly value: number;
}
/** The value of an lvalue; also of a member, components or an element of a value (`f().x`). */
export interface LoadExpr extends ExprBase {
  readonly kind: 'load';
  readonly from: LValue;
}
export interface AddressOf extends ExprBase {
  readonly kind: 'address-of';
  readonly of: LValue;
}
/** `-x`, `~x`; element-wise on vectors */
export interface UnaryExpr extends ExprBase {
  readonly kind: 'unary';
  readonly op: 'negate' | 'complement';
  readonly operand: Expr;
}
/** `!x`: 1 or 0 of type int; on vectors 0 or -1 element-wise, in the signed type of that width */
export interface NotExpr extends ExprBase {
  readonly kind: 'not';
  readonly operand: Expr;
}

/**
 * Both operands have `type` (a scalar or vector), except for shifts, whose right operand has as many components of its own
 * type.
 */
export interface BinaryExpr extends ExprBase {
  readonly kind: 'binary';
  readonly op: ArithmeticOp;
  readonly left: Expr;
  readonly right: Expr;
  /** FP_CONTRACT is on here: this operation may be fused with its operand's. */
  readonly contract: boolean;
}
/** Operands of one type, pointers included. Gives int 0/1, or for vectors 0/-1 in the signed type of that width. */
export interface CompareExpr extends ExprBase {
  readonly kind: 'compare';
  readonly op: CompareOp;
  readonly left: Expr;
  readonly right: Expr;
}
/** On scalars and pointers with short circuit, to int; on vectors element-wise, to 0/-1, both sides evaluated. */
export interface LogicalExpr extends ExprBase {
  readonly kind: 'logical';
  readonly op: '&&' | '||';
  readonly left: Expr;
  readonly right: Expr;
}
/** `index` counts pointees; it is of any integer type and negative for `p - i`. */
export interface PointerAdd extends ExprBase {
  readonly kind: 'pointer-add';
  readonly pointer: Expr;
  readonly index: Expr;
  readonly subtract: boolean;
}
/** In pointees, of type ptrdiff_t */
export interface PointerDifference extends ExprBase {
  readonly kind: 'pointer-difference';
  readonly left: Expr;
  readonly right: Expr;
}
/** The value is that of the object after the assignment. */
export interface AssignExpr extends ExprBase {
  readonly kind: 'assign';
  readonly target: LValue;
  readonly value: Expr;
}
/** `target op= value`, the operation done in `computeType` (a pointer type for `p += i`, `value` then being the index). */
export interface CompoundAssign extends ExprBase {
  readonly kind: 'compound-assign';
  readonly op: ArithmeticOp;
  readonly target: LValue;
  readonly value: Expr;
  readonly computeType: Type;
  readonly contract: boolean;
}
export interface IncrementExpr extends ExprBase {
  readonly kind: 'increment';
  readonly target: LValue;
  readonly delta: 1 | -1;
  readonly prefix: boolean;
}
/** Scalar condition: only one side is evaluated. `type` may be void. */
export interface ConditionalExpr extends ExprBase {
  readonly kind: 'conditional';
  readonly condition: Expr;
  readonly then: Expr;
  readonly otherwise: Expr;
}
/** Vector condition: by the most significant bit of each component; both sides are evaluated. */
export interface VectorSelect extends ExprBase {
  readonly kind: 'vector-select';
  readonly condition: Expr;
  readonly then: Expr;
  readonly otherwise: Expr;
}
export interface CommaExpr extends ExprBase {
  readonly kind: 'comma';
  readonly left: Expr;
  readonly right: Expr;
}

export type CastKind =
  | 'integer' // between integer types (bool and enums included as sources): truncate or extend by the source's sign
  | 'integer-to-float'
  | 'float-to-integer'
  | 'float'
  | 'to-bool' // any scalar or pointer: x != 0
  | 'splat' // scalar to vector of its type
  | 'vector' // component-wise conversion, only by convert_ and OpenCL's own rules
  | 'bits' // as_type and vector casts of equal size
  | 'pointer' // another pointee
  | 'address-space' // to or from generic, or an explicit cast between spaces
  | 'pointer-to-integer'
  | 'integer-to-pointer'
  | 'null-pointer'
  | 'array-to-pointer' // operand is an lvalue of array type
  | 'to-void'
  | 'atomic-init'
  | 'opaque'; // 'opaque': integer constant to sampler_t, NULL to queue_t and the like
export interface CastExpr extends ExprBase {
  readonly kind: 'cast';
  readonly cast: CastKind;
  readonly operand: Expr;
  readonly implicit: boolean;
}

/** `(float4)(a, b.xy, 1)`: components from left to right; the parts are of the element type or vectors of it. */
export interface VectorLiteral extends ExprBase {
  readonly kind: 'vector-literal';
  readonly type: VectorType;
  readonly parts: readonly Expr[];
}
/** A brace initializer resolved against its type: `elements[i]` for member or element i; undefined means zero. */
export interface InitializerList extends ExprBase {
  readonly kind: 'initializer';
  readonly elements: readonly (Expr | undefined)[];
  /** For unions: which member is initialized. */
  readonly member?: number;
}
export interface CallExpr extends ExprBase {
  readonly kind: 'call';
  readonly callee: FunctionDecl;
  readonly arguments: readonly Expr[];
}
/** Arguments already converted to the overload's parameter types. */
export interface BuiltinCall extends ExprBase {
  readonly kind: 'builtin-call';
  readonly builtin: ResolvedBuiltin;
  readonly arguments: readonly Expr[];
  readonly contract: boolean;
}
export interface BlockCall extends ExprBase {
  readonly kind: 'block-call';
  readonly block: Expr;
  readonly arguments: readonly Expr[];
}
export interface BlockLiteral extends ExprBase {
  readonly kind: 'block';
  readonly function: FunctionDecl;
  /** Variables of the enclosing function, captured by value. */
  readonly captures: readonly { readonly outer: VariableDecl; readonly inner: VariableDecl }[];
}

/** GNU's `({ statements; value })`; `type` is void without a value. */
export interface StatementExpr extends ExprBase {
  readonly kind: 'statement-expression';
  readonly statements: readonly Stmt[];
  readonly value: Expr | undefined;
}

export type Expr =
  | LValue
  | StatementExpr
  | IntegerConstant
  | FloatConstant
  | LoadExpr
  | AddressOf
  | UnaryExpr
  | NotExpr
  | BinaryExpr
  | CompareExpr
  | LogicalExpr
  | PointerAdd
  | PointerDifference
  | AssignExpr
  | CompoundAssign
  | IncrementExpr
  | ConditionalExpr
  | VectorSelect
  | CommaExpr
  | CastExpr
  | VectorLiteral
  | InitializerList
  | CallExpr
  | BuiltinCall
  | BlockCall
  | BlockLiteral;

// ---- statements

/** From opencl_unroll_hint or a pragma: 0 = as far as it goes, 1 = do not, n = by n. */
interface Unrolled {
  readonly unroll: number | undefined;
}

export type CompoundStmt = Statements.Compound<Stmt>;
/** Only of 'local-scope' storage; the others are in `Unit.variables`. */
export interface DeclStmt extends Statements.StmtBase {
  readonly kind: 'declaration';
  readonly variables: readonly VariableDecl[];
}
export type ExprStmt = Statements.ExpressionStmt<Expr>;
export type IfStmt = Statements.If<Expr, Stmt>;
export interface ForStmt extends Statements.For<Expr, Stmt>, Unrolled {}
export interface WhileStmt extends Statements.While<Expr, Stmt>, Unrolled {}
export interface DoStmt extends Statements.Do<Expr, Stmt>, Unrolled {}
export interface SwitchStmt extends Statements.Switch<Expr, Stmt> {
  readonly cases: readonly (CaseStmt | DefaultStmt)[];
}
/** `value` is of the switch's promoted type. A case label may be anywhere inside its switch. */
export interface CaseStmt extends Statements.StmtBase {
  readonly kind: 'case';
  readonly value: bigint;
  /** The last value of a long range. */
  readonly last?: bigint;
  readonly body: Stmt;
}
export type DefaultStmt = Statements.Default<Stmt>;
export type LabelStmt = Statements.Label<Stmt>;
export type GotoStmt = Statements.Goto;
export type ReturnStmt = Statements.Return<Expr>;

export type Stmt =
  | CompoundStmt
  | DeclStmt
  | ExprStmt
  | IfStmt
  | ForStmt
  | WhileStmt
  | DoStmt
  | SwitchStmt
  | CaseStmt
  | DefaultStmt
  | LabelStmt
  | GotoStmt
  | Statements.Jump
  | ReturnStmt
  | Statements.EmptyStmt;
