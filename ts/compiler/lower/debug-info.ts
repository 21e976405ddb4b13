// SPDX-License-Identifier: MIT
//
// OpenCL.DebugInfo.100, made with -g: the compilation unit, types, functions, their scopes and variables. Each variable is
// declared in memory; promote-variables.ts describes those that it promotes to values.
import type { Builder } from '../../spirv/builder';
import { OpenCLDebugInfo as Debug, Op } from '../../spirv/grammar.gen';
import { type Id, type Instruction, NO_ID, type SourceLine } from '../../spirv/module';
import type { Location } from '../diagnostics/diagnostic';
import type { SourceMap } from '../diagnostics/source-map';
import type { FunctionDecl, VariableDecl } from '../frontend/ast/checked';
import { isFloatKind, isSigned } from '../frontend/scalars';
import type { RecordType, ScalarKind, Type } from '../frontend/types';
import type { TypeLowering } from './types';

const SET = 'OpenCL.DebugInfo.100';
/** Version of the set, and the DWARF version whose encodings it uses. */
const VERSION = 100;
const DWARF_VERSION = 5;
const LANGUAGE_OPENCL_C = 3;

enum Encoding {
  Unspecified = 0,
  Boolean = 2,
  Float = 3,
  Signed = 4,
  SignedChar = 5,
  Unsigned = 6,
  UnsignedChar = 7,
}
enum Composite {
  Structure = 1,
  Union = 2,
}
/** The SPIR-V tools accept no larger vectors. */
const MOST_COMPONENTS = 4;
const FLAG_LOCAL = 1 << 2;
const FLAG_DEFINITION = 1 << 3;
const FLAG_PROTOTYPED = 1 << 7;

export class DebugInfo {
  private readonly set: Id;
  private readonly unit: Id;
  private readonly expression: Id;
  private readonly mainSource: Id;
  private readonly sources = new Map<string, Id>();
  private readonly types = new Map<Type, Id>();
  private readonly scopedKernels = new Set<FunctionDecl>();
  private readonly namedTypes = new Map<Type, Id>();
  private readonly anonymous = new Map<RecordType, number>();
  /** DebugFunction of each function. */
  private readonly functions = new Map<Id, Id>();
  /** The innermost open scope. */
  private scope: Id = NO_ID;
  private readonly scopeOfLine = new Map<SourceLine, Id>();

  constructor(
    private readonly builder: Builder,
    private readonly lowering: TypeLowering,
    private readonly map: SourceMap,
    mainFile: string,
  ) {
    this.set = builder.importSet(SET);
    this.mainSource = this.source(mainFile);
    this.unit = this.emit(Debug.DebugCompilationUnit, [
      VERSION,
      DWARF_VERSION,
      this.mainSource,
      LANGUAGE_OPENCL_C,
    ]);
    this.expression = this.emit(Debug.DebugExpression, []);
  }

  /** Describes a function that is about to be lowered. */
  beginFunction(declaration: FunctionDecl, id: Id): void {
    const { source, line, column } = this.place(declaration.location);
    const { type } = declaration;
    const signature = this.emit(Debug.DebugTypeFunction, [
      0,
      this.typeOrVoid(type.result),
      ...type.parameters.map((p) => this.type(p.type)),
    ]);
    const isKernel = declaration.isKernel && this.scopedKernels.has(declaration);
    this.scopedKernels.add(declaration);
    const name = this.builder.debug.string(
      isKernel ? `__called_${declaration.name}` : declaration.name || 'block',
    );
    this.scope = this.emit(Debug.DebugFunction, [
      name,
      signature,
      source,
      line,
      column,
      this.unit,
      name,
      FLAG_DEFINITION | FLAG_PROTOTYPED,
      line,
      id,
    ]);
    this.functions.set(id, this.scope);
  }

  /** Opens the scope of a compound statement or a loop. Returns the scope that `leaveBlock` restores. */
  enterBlock(location: Location): Id {
    const outer = this.scope;
    const { source, line, column } = this.place(location);
    this.scope = this.emit(Debug.DebugLexicalBlock, [source, line, column, outer]);
    return outer;
  }

  leaveBlock(outer: Id): void {
    this.scope = outer;
  }

  /** Instructions of this line (each line is an object of its own) belong to the open scope. */
  noteLine(line: SourceLine): void {
    this.scopeOfLine.set(line, this.scope);
  }

  /** A variable of the module: `inFunction` for those that are declared in the open function. */
  declareGlobal(variable: VariableDecl, id: Id, inFunction: boolean): void {
    const { source, line, column } = this.place(variable.location);
    const name = this.builder.debug.string(variable.name);
    const flags = variable.external ? 0 : FLAG_LOCAL;
    const parent = inFunction ? this.scope : this.unit;
    const type = this.type(variable.type.type);
    const operands = [name, type, source, line, column, parent, name, id, flags | FLAG_DEFINITION];
    this.emit(Debug.DebugGlobalVariable, operands);
  }

  /** Declares where a variable of the function is stored; `argument` counts parameters from 1. */
  declare(variable: VariableDecl, pointer: Id, argument?: number): void {
    const { source, line, column } = this.place(variable.location);
    const operands = [
      this.builder.debug.string(variable.name),
      this.type(variable.type.type),
      source,
      line,
      column,
      this.scope,
      0,
    ];
    if (argument !== undefined) operands.push(argument);
    const described = this.emit(Debug.DebugLocalVariable, operands);
    this.builder.extInst(SET, this.builder.void(), Debug.DebugDeclare, [described, pointer, this.expression]);
  }

  /** Emits the scopes of each block: the first after phis and variables, then each change. */
  finish(): void {
    for (const { definition, blocks } of this.builder.module.functions) {
      const whole = this.functions.get(definition.result);
      if (whole === undefined) continue;
      for (const block of blocks) {
        const instructions: Instruction[] = [];
        let current: Id | undefined;
        for (const instruction of block.instructions) {
          if (instruction.op !== Op.Phi && instruction.op !== Op.Variable) {
            const scope = (instruction.line && this.scopeOfLine.get(instruction.line)) ?? current ?? whole;
            if (scope !== current) instructions.push(this.scopeFrom(scope));
            current = scope;
          }
          instructions.push(instruction);
        }
        block.instructions = instructions;
      }
    }
  }

  private scopeFrom(scope: Id): Instruction {
    const type = this.builder.void();
    const operands = [this.set, Debug.DebugScope, scope];
    return { op: Op.ExtInst, type, result: this.builder.value(type), operands };
  }

  private emit(instruction: Debug, operands: readonly number[], id?: Id): Id {
    return this.builder.global(Op.ExtInst, this.builder.void(), [this.set, instruction, ...operands], id);
  }

  private place(location: number): { source: Id; line: number; column: number } {
    const position = this.map.position(location);
    if (!position) return { source: this.mainSource, line: 0, column: 0 };
    return { source: this.source(position.file), line: position.line, column: position.column };
  }

  private source(file: string): Id {
    let id = this.sources.get(file);
    if (id === undefined) {
      id = this.emit(Debug.DebugSource, [this.builder.debug.string(file), this.builder.debug.string('')]);
      this.sources.set(file, id);
    }
    return id;
  }

  private size(bytes: number): Id {
    return this.builder.constantInt(this.builder.int(32), bytes * 8);
  }

  private typeOrVoid(type: Type): Id {
    return type.kind === 'void' ? this.builder.void() : this.type(type);
  }

  private type(type: Type): Id {
    let id = this.types.get(type);
    if (id === undefined) {
      id = this.makeType(type);
      this.types.set(type, id);
    }
    return id;
  }

  private makeType(type: Type): Id {
    switch (type.kind) {
      case 'scalar':
        return this.basic(type.scalar, this.lowering.layout(type).size, encodingOf(type.scalar));
      case 'enum':
        return this.type(type.underlying);
      case 'atomic':
        return this.type(type.value);
      case 'vector':
        if (type.count > MOST_COMPONENTS) return this.named(type);
        return this.emit(Debug.DebugTypeVector, [this.type(type.element), type.count]);
      case 'array': {
        const count = this.builder.constantInt(this.builder.int(32), type.count ?? 0);
        return this.emit(Debug.DebugTypeArray, [this.type(type.element.type), count]);
      }
      case 'pointer': {
        // The SPIR-V tools accept only pointers to basic types.
        const pointee = type.pointee.type;
        // Debuggers find its members by its name.
        if (pointee.kind === 'record' && pointee.fields) this.type(pointee);
        const base = pointee.kind === 'scalar' ? this.type(pointee) : this.named(pointee);
        return this.emit(Debug.DebugTypePointer, [base, this.lowering.storageClass(type.space), 0]);
      }
      case 'record':
        return this.record(type);
      default:
        return this.named(type);
    }
  }

  /** A type of which only the name and the size are described. */
  private named(type: Type): Id {
    const known = this.namedTypes.get(type);
    if (known !== undefined) return known;
    const bytes = type.kind === 'void' || type.kind === 'function' ? 0 : this.lowering.layout(type).size;
    const name = type.kind === 'record' ? this.recordName(type) : nameOf(type);
    const id = this.basic(name, bytes, Encoding.Unspecified);
    this.namedTypes.set(type, id);
    return id;
  }

  private basic(name: string, bytes: number, encoding: Encoding): Id {
    return this.emit(Debug.DebugTypeBasic, [this.builder.debug.string(name), this.size(bytes), encoding]);
  }

  /** Those without a name get one of their own, as pointers refer to records by name. */
  private recordName(type: RecordType): string {
    if (type.name !== undefined) return type.name;
    let number = this.anonymous.get(type);
    if (number === undefined) {
      number = this.anonymous.size + 1;
      this.anonymous.set(type, number);
    }
    return `(anonymous ${number})`;
  }

  private record(type: RecordType): Id {
    const { builder } = this;
    const fields = type.fields ?? [];
    const members = fields.map(() => builder.id());
    const name = builder.debug.string(this.recordName(type));
    const tag = type.tag === 'union' ? Composite.Union : Composite.Structure;
    const size = this.size(type.size);
    // Emitted before its members, whose types may point to it; only it may refer forward.
    const id = this.emit(Debug.DebugTypeComposite, [
      name,
      tag,
      this.mainSource,
      0,
      0,
      this.unit,
      name,
      size,
      0,
      ...members,
    ]);
    this.types.set(type, id);
    fields.forEach((field, i) => {
      const fieldType = this.type(field.type.type);
      const offset = this.size(field.offset);
      const fieldSize = this.size(this.lowering.layout(field.type.type).size);
      const fieldName = builder.debug.string(field.name ?? '');
      this.emit(
        Debug.DebugTypeMember,
        [fieldName, fieldType, this.mainSource, 0, 0, id, offset, fieldSize, 0],
        members[i],
      );
    });
    return id;
  }
}

function nameOf(type: Type): string {
  switch (type.kind) {
    case 'vector':
      return `${type.element.scalar}${type.count}`;
    case 'enum':
      return type.name ?? type.kind;
    case 'opaque':
      return type.name;
    default:
      return type.kind;
  }
}

function encodingOf(kind: ScalarKind): Encoding {
  if (kind === 'bool') return Encoding.Boolean;
  if (isFloatKind(kind)) return Encoding.Float;
  if (kind === 'char') return Encoding.SignedChar;
  if (kind === 'uchar') return Encoding.UnsignedChar;
  return isSigned(kind) ? Encoding.Signed : Encoding.Unsigned;
}
