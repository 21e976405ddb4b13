// SPDX-License-Identifier: MIT
//
// The state of one kernel's translation and what all handlers of instructions share: values by id, types, constants,
// element-wise application. `functions.ts` walks blocks; the handlers are in the tables of the other files.

import type { Check } from '../../base/checks';
import { blankTable } from '../../base/table';
import { type BuiltIn, Decoration, FPFastMathMode } from '../../spirv/grammar.gen';
import type { FunctionDefinition, Id, Instruction, Block as SourceBlock } from '../../spirv/module';
import { addBlock, addParam, Builder } from '../ir/build';
import { type Block, type BlockParam, Func, type Inst, type InstFacts, Op, Type, type Value } from '../ir/ir';
import { bitsOf, integerLike, isFloat } from '../ir/types';
import { JitError } from '../jit-error';
import { type ConstantLeaf, isAddress, isNan } from './constants';
import type { MemoryImage } from './memory-image';
import type { ModuleIndex } from './module-index';
import type { Modules } from './reach';
import type { TypeInfo } from './types';

export type Handler = (t: Translation, i: Instruction) => void;
export type HandlerTable = Partial<Record<number, Handler>>;

/** A pointer to a built-in variable or to a component of it: known at compile time only. */
export interface BuiltInPointer {
  readonly builtIn: BuiltIn;
  readonly component?: number | Value;
}

/** Functions that are translated once and copied by their calls (library-bodies.ts). */
export interface FunctionBodies {
  /** The function to copy; undefined for a call that is to be translated in place. */
  bodyOf(
    t: Translation,
    index: ModuleIndex,
    f: FunctionDefinition,
    args: readonly Value[][],
    translateBody: (t: Translation) => void,
  ): Func | undefined;
}

/** Counts the blocks that work-items enter (counters.ts). */
export interface BlockCounters {
  /** The builder is at the start of the block. */
  enter(t: Translation, block: SourceBlock): void;
  /** The counter to add to on a way of a branch; undefined if a block's counter says it. */
  counterOfWay(end: Instruction, way: number): number | undefined;
}

/** Records what a debugger shows (debug-markers.ts), of the program's own functions. */
export interface DebugRecorder {
  enter(t: Translation, f: FunctionDefinition): void;
  leave(t: Translation): void;
  /** Before an instruction is translated. */
  line(t: Translation, block: SourceBlock, i: Instruction): void;
  /** After it. */
  instruction(t: Translation, i: Instruction): void;
}

export interface KernelContext {
  readonly modules: Modules;
  readonly image: MemoryImage;
  /** Offsets of the kernel's local variables in the local arena. */
  readonly locals: ReadonlyMap<Id, number>;
  /** The numbers of the program's blocks, by their functions. */
  readonly blocks: ReadonlyMap<Id, number>;
  /** Whether products and sums may be contracted. */
  readonly contract: boolean;
  /** Undefined values are 0. */
  readonly zeroPrivate: boolean;
  /** Whether `fma` is an instruction of the engine. */
  readonly fusedMultiplyAdd: boolean;
  /** The out-of-line functions that the kernel calls and that are already translated. */
  readonly outOfLine: Map<FunctionDefinition, Func>;
  /** Of a kernel that is debugged. */
  readonly debug: DebugRecorder | undefined;
  /** Of a run that counts what it executes. */
  readonly counters: BlockCounters | undefined;
  /** Of a checked run. */
  readonly checks: readonly Check[] | undefined;
  /** The names of private variables, by the ids of their allocations. */
  readonly privates: Map<number, string>;
  /** The bodies of functions that it calls many times; undefined if every call is translated in place. */
  readonly bodies: FunctionBodies | undefined;
}

export class Translation {
  readonly func: Func;
  readonly builder: Builder;
  /** The module whose function is being translated, and its values by id. */
  index: ModuleIndex;
  values: (Value[] | undefined)[];
  private readonly valueTables = new Map<ModuleIndex, (Value[] | undefined)[]>();
  /** Of a checked run: the indexes of arrays that are parts of larger objects, in pointers of the program's own module. */
  readonly nestedIndexes = new Map<Id, readonly { readonly index: Id; readonly count: number }[]>();
  /** Of a checked run: the types of private variables, by their allocations. */
  readonly privateTypes = new Map<Value, TypeInfo>();
  readonly builtInPointers = new Map<Id, BuiltInPointer>();
  /** Calls a function of the built-in library with scalars; returns the scalars of its result. */
  callLibrary!: (name: string, args: Value[], what: string) => Value[];

  constructor(
    name: string,
    readonly context: KernelContext,
    params: readonly Type[] = [],
    results: readonly Type[] = [],
  ) {
    this.func = new Func(name, params, results);
    this.func.addressBits = context.modules.own.types.addressBits;
    this.builder = new Builder(this.func);
    this.index = context.modules.own;
    this.values = this.tableOf(this.index);
  }

  private tableOf(index: ModuleIndex): (Value[] | undefined)[] {
    let table = this.valueTables.get(index);
    if (!table) {
      table = blankTable<Value[]>(index.module.bound);
      this.valueTables.set(index, table);
    }
    return table;
  }

  enterModule(index: ModuleIndex): void {
    this.index = index;
    this.values = this.tableOf(index);
  }

  fail(message: string): never {
    throw new JitError(message);
  }

  // --- values

  get(id: number): Value[] {
    return this.values[id] ?? this.constant(id as Id);
  }

  scalar(id: number): Value {
    return this.get(id)[0]!;
  }

  set(i: Instruction, values: Value[]): void {
    this.values[i.result] = values;
  }

  private constant(id: Id): Value[] {
    const leaves = this.index.constants.leaves(id);
    if (!leaves) {
      if (this.index.decoration(id, Decoration.BuiltIn))
        this.fail('the address of a built-in variable is used other than to load it');
      this.fail(`%${id} is used before it has a value`);
    }
    const types = this.leafTypes(this.typeOf(id));
    // What has to be computed is computed in the first block after the prologue: it dominates all uses.
    const { block } = this.builder;
    this.builder.block = this.func.blocks[1] ?? block;
    const values = leaves.map((leaf, i) => this.constantLeaf(leaf, types[i]!));
    this.builder.block = block;
    this.values[id] = values;
    return values;
  }

  private constantLeaf(leaf: ConstantLeaf, type: Type): Value {
    const { leaves } = this.builder;
    if (leaf === undefined) return this.undef(type);
    if (isNan(leaf)) return this.emit(Op.Bitcast, type, [leaves.constant(integerLike(type), leaf.bits)]);
    if (!isAddress(leaf)) return leaves.constant(type, leaf);
    const own = this.index === this.context.modules.own;
    const local = own ? this.context.locals.get(leaf.variable) : undefined;
    const base = local ?? this.context.image.offsetOf(this.index, leaf.variable);
    if (base === undefined)
      this.fail(`the variable '${this.index.nameOf(leaf.variable)}' cannot be used here`);
    const op = local === undefined ? Op.ProgramBase : Op.LocalBase;
    const address = leaves.leaf(op, Type.I32, { offset: base });
    const moved = leaf.offset === 0 ? address : this.add(address, leaf.offset);
    return type === Type.I64 ? this.emit(Op.ZExt, Type.I64, [moved]) : moved;
  }

  // --- types

  typeOf(id: number): TypeInfo {
    return this.index.types.get(this.index.definition(id as Id).type);
  }

  type(i: Instruction): TypeInfo {
    return this.index.types.get(i.type);
  }

  leafTypes(info: TypeInfo): Type[] {
    return this.index.types.leaves(info).map((leaf) => leaf.type);
  }

  /** The IR type of the scalars of a scalar, vector or pointer. */
  scalarType(info: TypeInfo): Type {
    return info.kind === 'vector' ? this.scalarType(info.element!) : info.scalar;
  }

  // --- instructions

  emit(op: Op, type: Type, operands: Value[], facts?: InstFacts): Inst {
    return this.builder.emit(op, type, operands, facts ?? {});
  }

  const(type: Type, value: number | bigint): Inst {
    return this.builder.leaves.constant(type, value);
  }

  undef(type: Type): Inst {
    return this.context.zeroPrivate ? this.zero(type) : this.builder.leaves.undef(type);
  }

  i32(value: number): Inst {
    return this.builder.leaves.constant(Type.I32, value);
  }

  /** Address plus constant. */
  add(address: Value, bytes: number): Value {
    const { type } = address;
    return bytes === 0 ? address : this.emit(Op.Add, type, [address, this.const(type, bytes)]);
  }

  /** An index, which is signed, times a size, for an address of the type. */
  scaled(index: Value, size: number, type = index.type): Value {
    const wide = this.resize(index, type, true);
    if (size === 1) return wide;
    const shift = Math.log2(size);
    return Number.isInteger(shift)
      ? this.emit(Op.Shl, type, [wide, this.const(type, shift)])
      : this.emit(Op.Mul, type, [wide, this.const(type, size)]);
  }

  /** Address plus index times size. */
  element(address: Value, index: Value, size: number): Value {
    return this.emit(Op.Add, address.type, [address, this.scaled(index, size, address.type)]);
  }

  /** Arithmetic on floats; on half as float between conversions. */
  float(op: Op, type: Type, operands: Value[], facts?: InstFacts): Value {
    if (type !== Type.F16) return this.emit(op, type, operands, facts);
    if (op === Op.FNeg || op === Op.FAbs || op === Op.FCopySign) return this.halfSign(op, operands);
    if (op === Op.Fma) return this.halfFma(operands);
    const widened = operands.map((v) => this.widen(v));
    return this.emit(Op.FConvert, Type.F16, [this.emit(op, Type.F32, widened, facts)]);
  }

  /**
   * In floats, where the product is exact. The sum is rounded to odd, the neighbour with an odd last bit: rounding it again, to a half,
   * is then rounding once. Its error is exact too, as the other operand and what the sum took of it differ by a float.
   */
  private halfFma(operands: readonly Value[]): Value {
    const [a, b, c] = operands.map((v) => this.widen(v)) as [Value, Value, Value];
    const float = (op: Op, x: Value, y: Value) => this.emit(op, Type.F32, [x, y]);
    const test = (op: Op, x: Value, y: Value) => this.emit(op, Type.I1, [x, y]);
    const product = float(Op.FMul, a, b);
    const sum = float(Op.FAdd, product, c);
    const taken = float(Op.FSub, sum, product);
    const error = float(
      Op.FAdd,
      float(Op.FSub, product, float(Op.FSub, sum, taken)),
      float(Op.FSub, c, taken),
    );
    const [zero, one] = [this.const(Type.F32, 0), this.i32(1)];
    const bits = this.emit(Op.Bitcast, Type.I32, [sum]);
    const isEven = test(Op.Eq, this.emit(Op.And, Type.I32, [bits, one]), this.i32(0));
    const away = test(Op.Eq, test(Op.FGt, error, zero), test(Op.FGt, sum, zero));
    const odd = this.emit(Op.Add, Type.I32, [bits, this.select(away, one, this.i32(-1))]);
    // Of infinities and NaN the error is a NaN.
    const isInexact = test(Op.FGt, this.emit(Op.FAbs, Type.F32, [error]), zero);
    const rounded = this.select(this.emit(Op.And, Type.I1, [isEven, isInexact]), odd, bits);
    return this.emit(Op.FConvert, Type.F16, [this.emit(Op.Bitcast, Type.F32, [rounded])]);
  }

  /** On a half's bits: widening would quiet a signaling NaN. */
  private halfSign(op: Op, operands: Value[]): Value {
    const bits = operands.map((v) => this.emit(Op.Bitcast, Type.I16, [v]));
    const constant = (value: number) => this.const(Type.I16, value);
    let result: Value;
    if (op === Op.FNeg) result = this.emit(Op.Xor, Type.I16, [bits[0]!, constant(0x8000)]);
    else result = this.emit(Op.And, Type.I16, [bits[0]!, constant(0x7fff)]);
    if (op === Op.FCopySign) {
      const sign = this.emit(Op.And, Type.I16, [bits[1]!, constant(0x8000)]);
      result = this.emit(Op.Or, Type.I16, [result, sign]);
    }
    return this.emit(Op.Bitcast, Type.F16, [result]);
  }

  /** An operand as a float for arithmetic and comparisons. */
  widen(value: Value): Value {
    return value.type === Type.F16 ? this.emit(Op.FConvert, Type.F32, [value]) : value;
  }

  narrow(value: Value, type: Type): Value {
    return value.type === type ? value : this.emit(Op.FConvert, type, [value]);
  }

  /** Changes an integer's width. */
  resize(value: Value, type: Type, signed: boolean): Value {
    if (value.type === type) return value;
    if (bitsOf(value.type) > bitsOf(type)) return this.emit(Op.Trunc, type, [value]);
    return this.emit(signed && value.type !== Type.I1 ? Op.SExt : Op.ZExt, type, [value]);
  }

  newBlock(): Block {
    return addBlock(this.func);
  }

  param(block: Block, type: Type): BlockParam {
    return addParam(this.func, block, type);
  }

  not(value: Value): Value {
    return this.emit(Op.Not, value.type, [value]);
  }

  select(condition: Value, then: Value, otherwise: Value): Value {
    return this.emit(Op.Select, then.type, [condition, then, otherwise]);
  }

  zero(type: Type): Inst {
    return this.const(type, type === Type.I64 ? 0n : 0);
  }

  /** `f` of each component of the operands; operands of one component are used for all. */
  map(i: Instruction, operands: readonly number[], f: (args: Value[], at: number) => Value): void {
    const lists = operands.map((id) => this.get(id));
    const width = this.type(i).width;
    const result: Value[] = [];
    for (let at = 0; at < width; at++) {
      const args: Value[] = [];
      for (const list of lists) args.push(list.length === 1 ? list[0]! : list[at]!);
      result.push(f(args, at));
    }
    this.set(i, result);
  }

  /** The assumptions of a floating-point instruction. */
  fastMath(i: Instruction): InstFacts {
    const mode: number | undefined = this.index.hasDecorations(i.result)
      ? this.index.decoration(i.result, Decoration.FPFastMathMode)?.[0]
      : undefined;
    const contract =
      this.context.contract &&
      !(this.index.hasDecorations(i.result) && this.index.decoration(i.result, Decoration.NoContraction));
    if (mode === undefined || mode === 0) return contract ? { fast: CONTRACT } : {};
    const fast = (mode & FPFastMathMode.Fast) !== 0;
    return {
      fast: {
        noNaN: fast || (mode & FPFastMathMode.NotNaN) !== 0,
        noInf: fast || (mode & FPFastMathMode.NotInf) !== 0,
        noSignedZero: fast || (mode & FPFastMathMode.NSZ) !== 0,
        reciprocal: fast || (mode & FPFastMathMode.AllowRecip) !== 0,
        reassociate: fast || (mode & FPFastMathMode.AllowReassoc) !== 0,
        contract: contract || fast || (mode & FPFastMathMode.AllowContract) !== 0,
      },
    };
  }

  isFloatValue(value: Value): boolean {
    return isFloat(value.type);
  }
}

const CONTRACT = { contract: true } as const;
