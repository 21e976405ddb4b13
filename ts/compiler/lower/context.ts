// SPDX-License-Identifier: MIT
//
// The state of the lowering: the module being built, the types, and the open function. Expressions reach each other through
// `value`, `place` and `condition`, so that the files for kinds of expressions need not know each other.
import { invariant } from '../../base/invariant';
import type { Builder } from '../../spirv/builder';
import { BuiltIn, Decoration, FPFastMathMode, Op, StorageClass } from '../../spirv/grammar.gen';
import type { Id, SourceLine } from '../../spirv/module';
import { fold } from '../../spirv/optimize/fold';
import { splatVector } from '../../spirv/vectors';
import type { Location } from '../diagnostics/diagnostic';
import type { SourceMap } from '../diagnostics/source-map';
import type { BlockLiteral, Expr, FunctionDecl, LValue, VariableDecl } from '../frontend/ast/checked';
import type { LanguageOptions } from '../frontend/language';
import type { Type } from '../frontend/types';
import type { BlockParts } from './builtins/site';
import type { DebugInfo } from './debug-info';
import { FunctionState } from './function-state';
import type { Place } from './place';
import { TypeLowering } from './types';

/** The lowerings of the kinds of expressions; unit.ts fills the table. */
export interface Lowerings {
  value(ctx: LoweringContext, expr: Expr): Id;
  place(ctx: LoweringContext, lvalue: LValue): Place;
  condition(ctx: LoweringContext, expr: Expr): Id;
  /** Evaluates an expression for its effects. */
  effect(ctx: LoweringContext, expr: Expr): void;
  globalVariable(ctx: LoweringContext, variable: VariableDecl): Id;
  /** A constant expression as a constant, in its form in memory; undefined for other expressions. */
  constant(ctx: LoweringContext, expr: Expr, type: Type): Id | undefined;
  block(ctx: LoweringContext, expr: Expr): BlockParts;
}

export class LoweringContext {
  readonly types: TypeLowering;
  /** The function whose body is being lowered; undefined in initializers of globals. */
  function: FunctionState | undefined;
  /** The decoration of floating-point results for the build options; 0 for none. */
  readonly fastMath: number;
  /** With -g only. */
  debug: DebugInfo | undefined;
  /** Module-scope variables by their declarations. */
  readonly globals = new Map<VariableDecl, Id>();
  /** The alignments of addresses that stand for values, where they are less than the type's: members of packed records. */
  readonly lessAligned = new Map<Id, number>();
  /** Variables whose initializers are being lowered. */
  readonly initializing = new Set<VariableDecl>();
  /** Variables of string literals by their bytes. */
  readonly strings = new Map<string, Id>();
  private readonly builtIns = new Map<BuiltIn, Id>();
  private readonly pending: FunctionState[] = [];
  private readonly functionIds = new Map<FunctionDecl, Id>();
  private readonly captureStructs = new Map<BlockLiteral, Id>();
  private lineLocation: Location = 0;

  constructor(
    readonly builder: Builder,
    readonly language: LanguageOptions,
    private readonly sources: SourceMap,
    private readonly lowerings: Lowerings,
  ) {
    this.types = new TypeLowering(builder, language.checked);
    this.fastMath = fastMathOf(language);
  }

  // ---- expressions

  /**
   * The value of an expression; NO_ID for void. bool is OpTypeBool; large records and those with unions are given as a
   * pointer to memory that holds the value, to be copied before anything else is evaluated.
   */
  value(expr: Expr): Id {
    return this.lowerings.value(this, expr);
  }

  /** The place of an lvalue's object. */
  place(lvalue: LValue): Place {
    return this.lowerings.place(this, lvalue);
  }

  /** A scalar or pointer as OpTypeBool: true is "not 0". */
  condition(expr: Expr): Id {
    return this.lowerings.condition(this, expr);
  }

  /** Evaluates an expression for its effects. */
  effect(expr: Expr): void {
    this.lowerings.effect(this, expr);
  }

  constant(expr: Expr, type: Type): Id | undefined {
    return this.lowerings.constant(this, expr, type);
  }

  // ---- instructions

  /** Emits an instruction, unless its result is a constant. */
  emit(op: Op, type: Id, operands: number[]): Id {
    return fold(this.builder, op, type, operands) ?? this.emitOrConstant(op, type, operands);
  }

  /** Emits a floating-point operation under the build options' fast-math modes. */
  emitFloat(op: Op, type: Id, operands: number[]): Id {
    const folded = fold(this.builder, op, type, operands);
    if (folded !== undefined) return folded;
    const id = this.emitOrConstant(op, type, operands);
    if (this.function) this.allowFastMath(id);
    return id;
  }

  allowFastMath(operation: Id): void {
    if (this.fastMath !== 0) this.builder.decorate(operation, Decoration.FPFastMathMode, this.fastMath);
  }

  private emitOrConstant(op: Op, type: Id, operands: number[]): Id {
    if (this.function) return this.builder.emit(op, type, operands);
    return this.builder.specConstantOp(type, op, operands);
  }

  constantInt(type: Type, value: number | bigint): Id {
    return this.builder.constantInt(this.types.memory(type), value);
  }

  /** A vector with all components equal, or the scalar itself for a scalar type. */
  splat(type: Id, scalar: Id): Id {
    return splatVector(this.builder, type, scalar);
  }

  /** The bool, or vector of bools, with as many components as a type has. */
  boolLike(type: Id): Id {
    const count = this.builder.countOf(type);
    return count === 1 ? this.builder.bool() : this.builder.vector(this.builder.bool(), count);
  }

  /** Sets the source line of everything emitted from now on (with -g). */
  at(location: Location): void {
    if (!this.language.debugInfo || location === 0 || location === this.lineLocation) return;
    this.lineLocation = location;
    const line = this.lineOf(location);
    if (line) this.debug?.noteLine(line);
    this.builder.setLine(line);
  }

  /** Lowers code in a new scope (with -g). */
  inScope(location: Location, lower: () => void): void {
    const outer = this.debug?.enterBlock(location);
    this.lineLocation = 0;
    lower();
    if (outer !== undefined) this.debug?.leaveBlock(outer);
    this.lineLocation = 0;
  }

  private lineOf(location: Location): SourceLine | undefined {
    const position = this.sources.position(location);
    if (!position) return undefined;
    return { file: this.builder.debug.string(position.file), line: position.line, column: position.column };
  }

  /** The pointer with another pointee. */
  pointerAs(pointer: Id, type: Id): Id {
    return this.builder.typeOf(pointer) === type ? pointer : this.emit(Op.Bitcast, type, [pointer]);
  }

  // ---- globals

  /** A module-scope variable, emitted when it is first used. */
  globalVariable(variable: VariableDecl): Id {
    const id = this.lowerings.globalVariable(this, variable);
    this.usesGlobal(id);
    return id;
  }

  /** Records that the open function refers to a global, which its entry points must list. */
  usesGlobal(id: Id): void {
    this.function?.globals.add(id);
  }

  /** The Input variable of a built-in such as GlobalInvocationId. */
  builtInVariable(builtIn: BuiltIn, type: Id): Id {
    let id = this.builtIns.get(builtIn);
    if (id === undefined) {
      const { builder } = this;
      id = builder.globalVariable(builder.pointer(StorageClass.Input, type));
      builder.debug.name(id, `__spirv_BuiltIn${BuiltIn[builtIn]}`);
      builder.decorate(id, Decoration.BuiltIn, builtIn);
      builder.decorate(id, Decoration.Constant);
      this.builtIns.set(builtIn, id);
    }
    this.usesGlobal(id);
    return id;
  }

  // ---- services for the lowering of built-ins (BuiltinHost)

  typeOf(type: Type): Id {
    return this.types.value(type);
  }

  sizeOf(type: Type): number {
    return this.types.layout(type).size;
  }

  alignOf(type: Type): number {
    return this.types.layout(type).align;
  }

  builtInValue(builtIn: BuiltIn, type: Id): Id {
    return this.builder.emit(Op.Load, type, [this.builtInVariable(builtIn, type)]);
  }

  block(expr: Expr): BlockParts {
    return this.lowerings.block(this, expr);
  }

  // ---- functions

  /** The id of a function that is called, that of a block literal included; its definition is lowered later. */
  functionId(declaration: FunctionDecl, literal?: BlockLiteral): Id {
    let id = this.functionIds.get(declaration);
    if (id === undefined) {
      id = this.builder.id();
      this.functionIds.set(declaration, id);
      this.pending.push(new FunctionState(id, declaration, literal));
    }
    this.function?.callees.add(id);
    return id;
  }

  /** The struct of a block's captured variables. */
  captureStruct(literal: BlockLiteral): Id {
    let struct = this.captureStructs.get(literal);
    if (struct === undefined) {
      struct = this.builder.struct(
        literal.captures.map(({ inner }) => this.types.memory(inner.type.type)),
        'struct.block',
      );
      for (const [member, { inner }] of literal.captures.entries())
        this.builder.debug.memberName(struct, member, inner.name);
      this.captureStructs.set(literal, struct);
    }
    return struct;
  }

  /** The next function that is referenced and not lowered yet. */
  nextPending(): FunctionState | undefined {
    return this.pending.pop();
  }

  /** The function whose body is open. */
  get current(): FunctionState {
    invariant(this.function !== undefined, 'no function is open');
    return this.function;
  }
}

function fastMathOf(language: LanguageOptions): number {
  let mode = 0;
  if (language.fastRelaxedMath)
    mode |=
      FPFastMathMode.NotNaN |
      FPFastMathMode.NotInf |
      FPFastMathMode.NSZ |
      FPFastMathMode.AllowRecip |
      FPFastMathMode.Fast;
  if (language.finiteMathOnly) mode |= FPFastMathMode.NotNaN | FPFastMathMode.NotInf;
  if (language.noSignedZeros) mode |= FPFastMathMode.NSZ;
  if (language.unsafeMathOptimizations) mode |= FPFastMathMode.NSZ | FPFastMathMode.AllowRecip;
  return mode;
}
