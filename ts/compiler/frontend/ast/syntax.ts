// SPDX-License-Identifier: MIT
//
// The syntax tree: the result of the parser, one external declaration at a time. Only what the grammar needs is resolved: which
// identifiers name types.
import type { Location } from '../../diagnostics/diagnostic';
import type { Access, AddressSpace, ImageKind, Type } from '../types';
import type { FloatingExpr, IntegerExpr, NameExpr, Node, StringExpr } from './leaves';
import type { ArithmeticOp, CompareOp } from './operators';
import type * as Statements from './statements';

export type * from './leaves';

// ---- expressions

export interface ParenExpr extends Node {
  readonly kind: 'paren';
  readonly inner: Expr;
}
export type UnaryOp = '+' | '-' | '~' | '!' | '*' | '&' | '++' | '--';
export interface UnaryExpr extends Node {
  readonly kind: 'unary';
  readonly op: UnaryOp;
  readonly operand: Expr;
}
export interface PostfixExpr extends Node {
  readonly kind: 'postfix';
  readonly op: '++' | '--';
  readonly operand: Expr;
}
export type BinaryOp = ArithmeticOp | CompareOp | '&&' | '||' | ',';
export interface BinaryExpr extends Node {
  readonly kind: 'binary';
  readonly op: BinaryOp;
  readonly left: Expr;
  readonly right: Expr;
}
export interface AssignExpr extends Node {
  readonly kind: 'assign';
  /** Undefined for plain `=`. */
  readonly op: ArithmeticOp | undefined;
  readonly left: Expr;
  readonly right: Expr;
}
export interface ConditionalExpr extends Node {
  readonly kind: 'conditional';
  readonly condition: Expr;
  /** Undefined in GNU's `a ?: b`. */
  readonly then: Expr | undefined;
  readonly otherwise: Expr;
}
export interface CallExpr extends Node {
  readonly kind: 'call';
  readonly callee: Expr;
  readonly arguments: readonly Expr[];
}
export interface MemberExpr extends Node {
  readonly kind: 'member';
  readonly base: Expr;
  readonly name: string;
  readonly arrow: boolean;
  readonly nameLocation: Location;
}
export interface IndexExpr extends Node {
  readonly kind: 'index';
  readonly base: Expr;
  readonly index: Expr;
}
export interface CastExpr extends Node {
  readonly kind: 'cast';
  readonly type: TypeName;
  readonly operand: Expr;
}
export interface CompoundLiteralExpr extends Node {
  readonly kind: 'compound-literal';
  readonly type: TypeName;
  readonly init: InitList | ErrorExpr;
}
export interface InitList extends Node {
  readonly kind: 'init-list';
  readonly items: readonly InitItem[];
}
export interface InitItem {
  readonly designators: readonly Designator[];
  readonly value: Expr;
}
export type Designator =
  | { readonly kind: 'field'; readonly name: string; readonly location: Location }
  | {
      readonly kind: 'index';
      readonly index: Expr;
      readonly last: Expr | undefined;
      readonly location: Location;
    };
/** sizeof and its kind, of an expression or of a type */
export interface TypeQueryExpr extends Node {
  readonly kind: 'type-query';
  readonly query: 'sizeof' | 'alignof' | 'vec_step';
  /** Spelled `_Alignof`, which takes types. */
  readonly isStandardAlignof?: boolean;
  readonly operand: Expr | TypeName;
}
export interface OffsetofExpr extends Node {
  readonly kind: 'offsetof';
  readonly type: TypeName;
  readonly path: readonly Designator[];
}
/** `__builtin_astype(value, type)`, `__builtin_bit_cast(type, value)`, `__builtin_convertvector(value, type)` */
export interface AsTypeExpr extends Node {
  readonly kind: 'astype';
  readonly form: 'astype' | 'bit-cast' | 'convert-vector';
  readonly operand: Expr;
  readonly type: TypeName;
}
/** `__builtin_types_compatible_p(left, right)` */
export interface TypesCompatibleExpr extends Node {
  readonly kind: 'types-compatible';
  readonly left: TypeName;
  readonly right: TypeName;
}
export interface GenericExpr extends Node {
  readonly kind: 'generic';
  readonly control: Expr;
  readonly cases: readonly {
    readonly type: TypeName | undefined;
    readonly value: Expr;
    readonly location: Location;
  }[];
}
export interface BlockExpr extends Node {
  readonly kind: 'block';
  readonly result: TypeName | undefined;
  readonly parameters: readonly Parameter[] | undefined;
  readonly body: CompoundStmt;
}
export interface StatementExpr extends Node {
  readonly kind: 'statement-expression';
  readonly body: CompoundStmt;
}
/** A missing or wrong expression. The parser has reported it. */
export interface ErrorExpr extends Node {
  readonly kind: 'error';
  /** The parts that could be parsed. */
  readonly parts?: readonly Expr[];
}

export type Expr =
  | NameExpr
  | IntegerExpr
  | FloatingExpr
  | StringExpr
  | ParenExpr
  | UnaryExpr
  | PostfixExpr
  | BinaryExpr
  | AssignExpr
  | ConditionalExpr
  | CallExpr
  | MemberExpr
  | IndexExpr
  | CastExpr
  | CompoundLiteralExpr
  | InitList
  | TypeQueryExpr
  | OffsetofExpr
  | AsTypeExpr
  | TypesCompatibleExpr
  | GenericExpr
  | BlockExpr
  | StatementExpr
  | ErrorExpr;

// ---- types

export interface Attribute {
  /** Without the underscores around it. */
  readonly name: string;
  readonly arguments: readonly Expr[];
  readonly type: TypeName | undefined;
  /** C11's `_Alignas`, which may express less than `aligned`. */
  readonly isAlignas?: boolean;
  readonly location: Location;
}

export interface Qualifiers {
  readonly const: boolean;
  readonly volatile: boolean;
  readonly restrict: boolean;
  readonly space: AddressSpace | undefined;
  readonly spaceLocation: Location;
}

export interface FieldDeclaration {
  readonly specifiers: Specifiers;
  readonly declarator: Declarator;
  readonly bitField: Expr | undefined;
  readonly attributes: readonly Attribute[];
  readonly location: Location;
}

export interface RecordSpec {
  readonly kind: 'record';
  readonly tag: 'struct' | 'union';
  readonly name: string | undefined;
  readonly fields: readonly FieldDeclaration[] | undefined;
  /** Static assertions among the members. */
  readonly asserts: readonly StaticAssert[];
  readonly attributes: readonly Attribute[];
  /** From `#pragma pack`; undefined for none. */
  readonly pack: number | undefined;
  readonly location: Location;
}
export interface Enumerator {
  readonly name: string;
  readonly value: Expr | undefined;
  readonly location: Location;
}
export interface EnumSpec {
  /** `enum E : char`: an explicit underlying type. */
  readonly underlying?: Specifiers;
  readonly kind: 'enum';
  readonly name: string | undefined;
  readonly enumerators: readonly Enumerator[] | undefined;
  readonly attributes: readonly Attribute[];
  readonly location: Location;
}
export type TypeSpec =
  | { readonly kind: 'builtin'; readonly type: Type }
  | {
      readonly kind: 'typedef';
      readonly name: string;
      readonly access?: Access;
      /** Of the name. */
      readonly location: Location;
    }
  | { readonly kind: 'image'; readonly image: ImageKind; readonly access: Access | undefined }
  | { readonly kind: 'pipe'; readonly access: Access | undefined; readonly packet: Specifiers }
  | { readonly kind: 'typeof'; readonly operand: Expr | TypeName }
  | { readonly kind: 'auto' }
  | RecordSpec
  | EnumSpec
  /** No type or an unknown one. It was reported already. */
  | { readonly kind: 'error' };

export interface Specifiers {
  readonly type: TypeSpec;
  readonly qualifiers: Qualifiers;
  readonly storage: 'typedef' | 'extern' | 'static' | 'auto' | 'register' | undefined;
  readonly storageLocation: Location;
  readonly inline: boolean;
  readonly noreturn: boolean;
  readonly kernel: boolean;
  readonly attributes: readonly Attribute[];
  /** The type's words as written, without storage and qualifiers. */
  readonly spelling: string;
  readonly location: Location;
  /** After the last specifier. */
  readonly end: Location;
}

export interface Parameter {
  readonly specifiers: Specifiers;
  readonly declarator: Declarator;
  readonly attributes: readonly Attribute[];
}

/** A step from the specifiers' type to the declared one. */
export type DeclaratorPart =
  | { readonly kind: 'pointer'; readonly qualifiers: Qualifiers; readonly location: Location }
  | { readonly kind: 'block'; readonly qualifiers: Qualifiers; readonly location: Location }
  /** The qualifiers are those of the pointer that a parameter becomes. */
  | {
      readonly kind: 'array';
      readonly size: Expr | undefined;
      readonly qualifiers: Qualifiers;
      readonly location: Location;
    }
  | {
      readonly kind: 'function';
      /** Undefined for `()`. */
      readonly parameters: readonly Parameter[] | undefined;
      /** Names without types, as before 1989. */
      readonly names?: readonly NameExpr[];
      readonly variadic: boolean;
      /** There was a syntax error between the parentheses. */
      readonly isBroken?: boolean;
      readonly location: Location;
    };

export interface Declarator {
  readonly name: string | undefined;
  readonly location: Location;
  /** In the order in which they apply to the specifiers' type. */
  readonly parts: readonly DeclaratorPart[];
}

export interface TypeName {
  readonly kind: 'type-name';
  readonly specifiers: Specifiers;
  readonly declarator: Declarator;
  readonly location: Location;
  readonly begin: Location;
  readonly end: Location;
}

// ---- declarations and statements

export interface InitDeclarator {
  readonly declarator: Declarator;
  readonly attributes: readonly Attribute[];
  readonly init: Expr | undefined;
}

export interface Declaration {
  readonly kind: 'declaration';
  readonly specifiers: Specifiers;
  readonly declarators: readonly InitDeclarator[];
  readonly location: Location;
}
export interface FunctionDefinition {
  readonly kind: 'function';
  readonly specifiers: Specifiers;
  readonly declarator: Declarator;
  readonly attributes: readonly Attribute[];
  readonly body: CompoundStmt;
  readonly location: Location;
}
export interface Pragma {
  readonly kind: 'pragma';
  readonly text: string;
  readonly location: Location;
}
export interface StaticAssert {
  readonly kind: 'static-assert';
  readonly condition: Expr;
  readonly message: StringExpr | undefined;
  readonly location: Location;
}
export interface EmptyDeclaration {
  readonly kind: 'empty';
  readonly location: Location;
}

export type ExternalDeclaration = Declaration | FunctionDefinition | Pragma | StaticAssert | EmptyDeclaration;

export type CompoundStmt = Statements.Compound<Stmt>;
export type ExprStmt = Statements.ExpressionStmt<Expr>;
export interface IfStmt extends Statements.If<Expr, Stmt> {
  readonly elseLocation: Location | undefined;
}
export type ForStmt = Statements.For<Expr, Stmt>;
export type WhileStmt = Statements.While<Expr, Stmt>;
export type DoStmt = Statements.Do<Expr, Stmt>;
export type SwitchStmt = Statements.Switch<Expr, Stmt>;
export interface CaseStmt extends Statements.StmtBase {
  readonly kind: 'case';
  readonly value: Expr;
  /** GNU's `case 1 ... 5:` */
  readonly last: Expr | undefined;
  readonly body: Stmt;
}
export type DefaultStmt = Statements.Default<Stmt>;
export type LabelStmt = Statements.Label<Stmt>;
export interface GotoStmt extends Statements.Goto {
  readonly targetLocation: Location;
}
export type ReturnStmt = Statements.Return<Expr>;
/** `__attribute__((…)) statement`, and `#pragma unroll` before a loop as the attribute `unroll`. */
export interface AttributedStmt extends Statements.StmtBase {
  readonly kind: 'attributed';
  readonly attributes: readonly Attribute[];
  readonly body: Stmt;
}
/** A statement that could not be parsed. */
export interface ErrorStmt extends Statements.StmtBase {
  readonly kind: 'error';
  /** The names that it declares. */
  readonly names: readonly string[];
}

export type Stmt =
  | CompoundStmt
  | ExprStmt
  | Declaration
  | Pragma
  | StaticAssert
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
  | Statements.EmptyStmt
  | AttributedStmt
  | ErrorStmt;
