// SPDX-License-Identifier: MIT
//
// Where values are held in one function of generated code, and how they are pushed onto the stack.
//
// A function executes tiles of `lanes` x `rows` work-items. A value that is uniform along x, or affine, is one scalar per
// row; any other is vectors: 32-bit lanes for types of up to 32 bits (I1 as an all-ones mask), 64-bit lanes for wider
// ones. A value that does not depend on y has one row. So the vectors of a value are numbered row * perRow + part.

import { halfBits } from '../../base/half';
import { invariant } from '../../base/invariant';
import { blankTable } from '../../base/table';
import { type Expr, emit, type Operand, type ValueType } from '../../wasm/expressions';
import { FunctionBuilder, ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import { type Divergence, X, Y } from '../analyses/divergence';
import type { EngineFeatures } from '../compiled';
import { constantOf } from '../ir/build';
import { type Block, type Inst, Op, Type, type Value } from '../ir/ir';
import type { PackedWidth, VectorPlan } from '../vectorize/plan';
import { Extend } from './arithmetic/tables';
import { VectorConstants } from './arithmetic/vector-constants';
import { Invariants } from './invariants';
import { PairSafeBuilder } from './pair-safe-builder';
import { extractOf, isWide, splatOf, valTypeOf } from './value-types';

/** Emits an operation whose evaluation was deferred to its use: one scalar or one vector of it. */
export interface Evaluator {
  scalar(inst: Inst, row: number): void;
  vector(inst: Inst, row: number, part: number): void;
  packed(inst: Inst, width: PackedWidth, row: number, group: number): void;
}

/** A mask's vectors of this width, row after row. */
export interface PackedMask {
  readonly width: PackedWidth;
  readonly locals: readonly number[];
}

export class Context {
  readonly lanes: number;
  readonly rows: number;
  readonly divergence: Divergence;
  readonly engine: EngineFeatures;
  readonly f: FunctionBuilder;
  readonly invariants: Invariants;
  /** By value id: from where on it is the same for each tile (`Since`), 0 if that was not asked yet (hoisted-scalars.ts). */
  readonly since: Uint8Array;
  /** By value id: how many operations lead from arguments to a value that is the same in a whole call. */
  readonly chains: Uint8Array;
  readonly constants: VectorConstants;
  /** By value id: the locals of its scalars or vectors. */
  readonly registers: (number[] | undefined)[];
  /** By value id: the vectors of loop live-outs, with the value of each lane when it left a divergent loop. */
  readonly liveOuts: (number[] | undefined)[];
  /** Narrow values whose upper bits are known to be zero. */
  readonly zeroExtended = new Set<number>();
  /** The number of seeds so far (pairs.ts). */
  seeds = 0;
  /** Blocks whose code was last emitted in an unmasked form. */
  readonly unmasked = new Set<Block>();
  private readonly free: Record<number, number[]> = {};
  /** The block whose code is being emitted, and its active lanes: undefined for all. */
  block!: Block;
  mask: number[] | undefined;
  /** Masks that are known in packed form, too (packed/masks.ts). */
  readonly packedMasks = new Map<readonly number[], PackedMask>();
  /** What earlier regions have computed. The locals of what they computed it from may have the values of another tile. */
  given: ReadonlySet<Value> = new Set();
  evaluator!: Evaluator;

  constructor(
    params: readonly ValType[],
    results: readonly ValType[],
    readonly plan: VectorPlan,
  ) {
    this.lanes = plan.lanes;
    this.rows = plan.rows;
    this.divergence = plan.divergence;
    this.engine = plan.kernel.engine;
    this.f = this.engine.wide ? new PairSafeBuilder(params, results) : new FunctionBuilder(params, results);
    this.invariants = new Invariants(this.f);
    this.constants = new VectorConstants(this.f, this.invariants);
    const ids = plan.divergence.dims.length;
    this.since = new Uint8Array(ids);
    this.chains = new Uint8Array(ids);
    this.registers = blankTable<number[]>(ids);
    this.liveOuts = blankTable<number[]>(ids);
  }

  /** Whether code has the form that the engine pairs (pairs.ts). */
  get wide(): boolean {
    return this.plan.kernel.wide;
  }

  get relaxedSimd(): boolean {
    return this.engine.relaxedSimd;
  }

  // --- shapes ---

  isVector(v: Value): boolean {
    return this.plan.isVector(v);
  }

  /** Whether the value is a vector where it is used now. */
  isVectorHere(v: Value): boolean {
    return this.plan.isVectorAt(v, this.block);
  }

  rowsOf(v: Value): number {
    return this.plan.rowsOf(v);
  }

  /** Vectors per row for a type. */
  perRow(type: Type): number {
    return this.plan.perRow(type);
  }

  /** Whether a value's evaluation is deferred to its use. It is not while locals have the value (see `holdVector`). */
  isInline(v: Value): boolean {
    return this.plan.isInline(v) && this.registers[v.id] === undefined;
  }

  /** Lanes in one vector of a type. */
  perVector(type: Type): number {
    return isWide(type) ? 2 : 4;
  }

  /** Whether the value depends on x at all (affine ones do). */
  variesAlongX(v: Value): boolean {
    return (this.divergence.dims[v.id]! & X) !== 0;
  }

  // --- locals ---

  allocate(type: ValType): number {
    return this.free[type]?.pop() ?? this.f.local(type);
  }

  release(local: number): void {
    const type = this.f.typeOfLocal(local);
    this.free[type] ??= [];
    this.free[type].push(local);
  }

  private shapeOf(v: Value): { type: ValType; count: number } {
    if (this.isVector(v)) {
      const width = this.plan.packed.get(v.id);
      const perRow = width ? this.plan.packedVectors(width) : this.perRow(v.type);
      return { type: ValType.V128, count: this.rowsOf(v) * perRow };
    }
    return { type: this.plan.isBroadcast(v) ? ValType.V128 : valTypeOf(v.type), count: this.rowsOf(v) };
  }

  /** Locals for all of a value's scalars or vectors. */
  allocateFor(v: Value): number[] {
    const { type, count } = this.shapeOf(v);
    const locals: number[] = [];
    for (let i = 0; i < count; i++) locals.push(this.allocate(type));
    return locals;
  }

  private freshFor(v: Value): number[] {
    const { type, count } = this.shapeOf(v);
    const locals: number[] = [];
    for (let i = 0; i < count; i++) locals.push(this.f.local(type));
    return locals;
  }

  registersOf(v: Value): number[] {
    const known = this.registers[v.id];
    if (known) return known;
    // A reused local has another value earlier in a loop's body, so values that live longer than a block get fresh locals.
    const made = this.plan.kernel.uses.isBlockLocal(v) ? this.allocateFor(v) : this.freshFor(v);
    this.registers[v.id] = made;
    return made;
  }

  /** Runs `use` with a fresh local of the type, free again afterwards. */
  withLocal<T>(type: ValType, use: (local: number) => T): T {
    const local = this.allocate(type);
    const result = use(local);
    this.release(local);
    return result;
  }

  /** Pops the top of the stack into a temporary for the duration of `use`. */
  withTop<T>(type: ValType, use: (local: number) => T): T {
    return this.withLocal(type, (local) => {
      this.f.set(local);
      return use(local);
    });
  }

  /** An expression that uses a value more than once: the value is computed before, into a temporary. */
  bind<T extends ValueType>(type: ValType, value: Operand, use: (local: number) => Expr<T>): Expr<T> {
    return (f) => {
      emit(f, value);
      this.withTop(type, (local) => use(local)(f));
    };
  }

  // --- values onto the stack ---

  constant(type: Type, bits: number | bigint): void {
    switch (type) {
      case Type.I64:
        this.f.i64(BigInt(bits));
        break;
      case Type.F32:
        this.f.f32(Number(bits));
        break;
      case Type.F64:
        this.f.f64(Number(bits));
        break;
      case Type.F16:
        this.f.i32(halfBits(Number(bits)));
        break;
      default:
        this.f.i32(Number(bits));
    }
  }

  /** The scalar of a row: of an affine value, lane 0's. */
  scalar(v: Value, row: number): void {
    const { f } = this;
    if (v.kind === 'inst') {
      const bits = constantOf(v);
      if (bits !== undefined) {
        this.constant(v.type, bits);
        return;
      }
      if (v.op === Op.Undef) {
        this.constant(v.type, 0);
        return;
      }
      if (this.isInline(v)) {
        this.evaluator.scalar(v, this.rowsOf(v) > 1 ? row : 0);
        return;
      }
    }
    const registers = this.registers[v.id];
    invariant(registers, 'a value is used before it is defined', v.id);
    f.get(registers[registers.length > 1 ? row : 0]!);
    if (this.plan.isBroadcast(v)) f.lane(extractOf(v.type), 0);
  }

  /** One vector of a value of any shape. */
  vector(v: Value, row: number, part: number): void {
    const { f } = this;
    if (this.divergence.isTemporallyDivergent(v, this.block)) {
      const liveOut = this.liveOuts[v.id];
      invariant(liveOut || this.isVector(v), 'a loop live-out is not kept', v.id);
      if (liveOut) {
        f.get(liveOut[row * this.perRow(v.type) + part]!);
        return;
      }
    }
    this.vectorInside(v, row, part);
  }

  /**
   * The same inside the loop that defines the value. `mayBeHoisted` is false for a value that an edge out of a loop has just
   * assigned, because the edge's code is inside that loop.
   */
  vectorInside(v: Value, row: number, part: number, mayBeHoisted = true): void {
    const { f } = this;
    const registers = this.registers[v.id];
    if (!registers && v.kind === 'inst') {
      const bits = constantOf(v);
      if (bits !== undefined) {
        this.constants.splat(v.type, bits);
        return;
      }
      if (v.op === Op.Undef) {
        this.constants.splat(Type.I32, 0);
        return;
      }
      if (this.isVector(v) && this.isInline(v)) {
        this.evaluator.vector(v, this.rowsOf(v) > 1 ? row : 0, part);
        return;
      }
    }
    if (this.isVector(v)) {
      invariant(registers, 'a value is used before it is defined', v.id);
      if (this.plan.packed.has(v.id)) {
        this.unpacked(v, row, part, v.type === Type.I1 ? Extend.Sign : Extend.Zero);
        return;
      }
      f.get(registers[this.rowsOf(v) > 1 ? row * this.perRow(v.type) + part : part]!);
      return;
    }
    if (this.plan.isBroadcast(v)) {
      f.get(registers![registers!.length > 1 ? row : 0]!);
      return;
    }
    if (v.type === Type.I1) {
      f.i32(0);
      this.scalar(v, row);
      f.op(Wasm.i32_sub);
      f.op(Wasm.i32x4_splat);
      return;
    }
    if (!mayBeHoisted || (v.kind === 'inst' && this.isInline(v))) this.splatScalar(v, row);
    else this.pushInvariantSplat(v, row);
    const stride = this.divergence.stride[v.id]!;
    if (stride !== 0) {
      this.laneSteps(v.type, part, stride);
      f.op(isWide(v.type) ? Wasm.i64x2_add : Wasm.i32x4_add);
    }
  }

  private splatScalar(v: Value, row: number): void {
    this.scalar(v, row);
    this.f.op(splatOf(v.type));
  }

  private pushInvariantSplat(v: Value, row: number): void {
    this.invariants.push(v.id * this.rows + row, ValType.V128, v, () => this.splatScalar(v, row));
  }

  /** The distances of the lanes of an affine value's vector from its base. */
  private laneSteps(type: Type, part: number, stride: number): void {
    const lanes = this.perVector(type);
    this.constants.lanes(
      type,
      Array.from({ length: lanes }, (_, i) => (part * lanes + i) * stride),
    );
  }

  /** One vector of a packed value. */
  packedVector(v: Value, row: number, group: number): void {
    const registers = this.registers[v.id];
    invariant(registers, 'a value is used before it is defined', v.id);
    const perRow = this.plan.packedVectors(this.plan.packed.get(v.id)!);
    this.f.get(registers[(this.rowsOf(v) > 1 ? row * perRow : 0) + group]!);
  }

  /** Four lanes of a packed value, in 32 bits each. */
  private unpacked(v: Value, row: number, part: number, extend: Extend.Sign | Extend.Zero): void {
    const { f } = this;
    const signed = extend === Extend.Sign;
    const bytes = this.plan.packed.get(v.id) === 8;
    this.packedVector(v, row, bytes ? part >> 2 : part >> 1);
    if (bytes) {
      if (signed) f.op(part & 2 ? Wasm.i16x8_extend_high_i8x16_s : Wasm.i16x8_extend_low_i8x16_s);
      else f.op(part & 2 ? Wasm.i16x8_extend_high_i8x16_u : Wasm.i16x8_extend_low_i8x16_u);
    }
    if (signed) f.op(part & 1 ? Wasm.i32x4_extend_high_i16x8_s : Wasm.i32x4_extend_low_i16x8_s);
    else f.op(part & 1 ? Wasm.i32x4_extend_high_i16x8_u : Wasm.i32x4_extend_low_i16x8_u);
  }

  /** A scalar with its upper bits as an operation needs them. */
  scalarExtended(v: Value, row: number, extend: Extend): void {
    const { f } = this;
    const bits = constantOf(v);
    const narrow = v.type === Type.I8 ? 8 : v.type === Type.I16 ? 16 : 0;
    if (narrow !== 0 && bits !== undefined) {
      f.i32(extend === Extend.Zero ? Number(bits) & ((1 << narrow) - 1) : Number(bits));
      return;
    }
    this.scalar(v, row);
    this.extendScalar(v, extend);
  }

  /** Extends the scalar on the stack, which is the value. */
  extendScalar(v: Value, extend: Extend): void {
    const { f } = this;
    const narrow = v.type === Type.I8 ? 8 : v.type === Type.I16 ? 16 : 0;
    if (narrow === 0 || extend === Extend.None) return;
    if (extend === Extend.Sign) f.op(narrow === 8 ? Wasm.i32_extend8_s : Wasm.i32_extend16_s);
    else if (!this.zeroExtended.has(v.id)) {
      f.i32((1 << narrow) - 1);
      f.op(Wasm.i32_and);
    }
  }

  vectorExtended(v: Value, row: number, part: number, extend: Extend): void {
    const { f } = this;
    const bits = constantOf(v);
    const narrow = v.type === Type.I8 ? 8 : v.type === Type.I16 ? 16 : 0;
    if (narrow !== 0 && bits !== undefined && extend === Extend.Zero) {
      this.constants.splat(Type.I32, Number(bits) & ((1 << narrow) - 1));
      return;
    }
    if (extend !== Extend.None && v.type !== Type.I1 && this.plan.packed.has(v.id) && this.isVector(v)) {
      this.unpacked(v, row, part, extend);
      return;
    }
    this.vector(v, row, part);
    if (narrow === 0 || extend === Extend.None || bits !== undefined) return;
    if (extend === Extend.Sign) {
      f.i32(32 - narrow);
      f.op(Wasm.i32x4_shl);
      f.i32(32 - narrow);
      f.op(Wasm.i32x4_shr_s);
    } else if (!this.zeroExtended.has(v.id)) {
      this.constants.splat(Type.I32, (1 << narrow) - 1);
      f.op(Wasm.v128_and);
    }
  }

  /** A vector of a value, as an expression. */
  vectorOf(v: Value, row: number, part: number, extend = Extend.None): Expr<'v128'> {
    return () => this.vectorExtended(v, row, part, extend);
  }

  /** A scalar of a value, as an expression. */
  scalarOf(v: Value, row: number, extend = Extend.None): Expr<never> {
    return () => this.scalarExtended(v, row, extend);
  }

  /** Whether rows share one value, at least inside the loop that defines it. */
  isSharedByRows(v: Value): boolean {
    return this.rowsOf(v) < this.rows;
  }

  /** Whether rows still share one value after the loops of which it is a live-out. */
  isSharedAfterLoops(v: Value): boolean {
    return this.rows > 1 && (this.divergence.dimsAfterLoops(v) & Y) === 0;
  }
}
