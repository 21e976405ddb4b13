// SPDX-License-Identifier: MIT
//
// What a Module holds outside of functions: types and constants, which are interned, decorations, entry points. Emitting an
// instruction declares what it requires (capabilities, extensions, the version).
import { halfBits } from '../base/half';
import { invariant } from '../base/invariant';
import { DebugInstructions } from './debug-instructions';
import { GlobalTable } from './global-table';
import {
  AccessQualifier,
  AddressingModel,
  Capability,
  Decoration,
  Dim,
  type ExecutionMode,
  ExecutionModel,
  ImageFormat,
  type LinkageType,
  MemoryModel,
  Op,
  type SamplerAddressingMode,
  type SamplerFilterMode,
  StorageClass,
} from './grammar.gen';
import { stringWords } from './literal-string';
import { emptyModule, type Id, type Instruction, type Module, NO_ID } from './module';
import { requirementOf } from './requirements';

export interface BuilderOptions {
  readonly addressBits: 32 | 64;
  /** Lowest version of the module: major << 16 | minor << 8. Instructions that need a higher one raise it. */
  readonly version?: number;
}

const VERSION_1_0 = 0x10000;

const CONSTANTS: ReadonlySet<Op> = new Set([
  Op.Constant,
  Op.ConstantTrue,
  Op.ConstantFalse,
  Op.ConstantNull,
  Op.ConstantComposite,
  Op.ConstantSampler,
  Op.Undef,
]);

export class GlobalsBuilder {
  readonly module: Module;
  /** The width of a pointer, and of size_t. */
  readonly addressBits: 32 | 64;

  /** The feature that last raised the version. */
  versionFor: string | undefined;
  readonly debug: DebugInstructions;
  protected readonly table: GlobalTable;

  constructor(options: BuilderOptions) {
    this.addressBits = options.addressBits;
    this.module = emptyModule({
      version: options.version ?? VERSION_1_0,
      generator: 0,
      bound: 1,
      addressing: options.addressBits === 64 ? AddressingModel.Physical64 : AddressingModel.Physical32,
      memoryModel: MemoryModel.OpenCL,
    });
    this.capability(Capability.Addresses);
    this.capability(Capability.Kernel);
    const newId = () => this.id();
    this.debug = new DebugInstructions(this.module, newId);
    this.table = new GlobalTable(this.module, newId, (op, operands) => this.require(op, operands));
  }

  /** A new id, for a result that is used before it is defined. */
  id(): Id {
    return this.module.bound++ as Id;
  }

  // ---- what the module declares

  capability(capability: Capability): void {
    this.module.capabilities.add(capability);
  }

  extension(name: string): void {
    this.module.extensions.add(name);
  }

  /** Raises the module's version to at least this one: major << 16 | minor << 8. */
  needVersion(version: number, feature: string): void {
    if (this.module.version >= version) return;
    this.module.version = version;
    this.versionFor = feature;
  }

  protected require(op: Op, operands: readonly number[]): void {
    const requirement = requirementOf(op, operands);
    if (!requirement) return;
    this.capability(requirement.capability);
    if (requirement.version !== undefined) this.needVersion(requirement.version, `Op${Op[op]}`);
    if (
      requirement.extension !== undefined &&
      (requirement.core === undefined || this.module.version < requirement.core)
    )
      this.extension(requirement.extension);
  }

  importSet(name: string): Id {
    let set = this.module.extInstImports.get(name);
    if (set === undefined) {
      set = this.id();
      this.module.extInstImports.set(name, set);
    }
    return set;
  }

  // ---- types

  void(): Id {
    return this.type(Op.TypeVoid, []);
  }

  bool(): Id {
    return this.type(Op.TypeBool, []);
  }

  /** Kernel integers have no sign: signedness is 0. */
  int(width: 8 | 16 | 32 | 64): Id {
    if (width === 8) this.capability(Capability.Int8);
    else if (width === 16) this.capability(Capability.Int16);
    else if (width === 64) this.capability(Capability.Int64);
    return this.type(Op.TypeInt, [width, 0]);
  }

  /** size_t */
  sizeType(): Id {
    return this.int(this.addressBits);
  }

  /** A half in memory needs only Float16Buffer; emitting arithmetic on it declares Float16. */
  float(width: 16 | 32 | 64): Id {
    if (width === 16) this.capability(Capability.Float16Buffer);
    else if (width === 64) this.capability(Capability.Float64);
    return this.type(Op.TypeFloat, [width]);
  }

  vector(element: Id, count: number): Id {
    if (count > 4) this.capability(Capability.Vector16);
    return this.type(Op.TypeVector, [element, count]);
  }

  array(element: Id, count: number): Id {
    return this.type(Op.TypeArray, [element, this.constantInt(this.sizeType(), count)]);
  }

  /** Each call creates a new type: structs are not interned. `id` may have been forward-declared. */
  struct(members: readonly Id[], name?: string, id: Id = this.id()): Id {
    this.table.define({ op: Op.TypeStruct, type: NO_ID, result: id, operands: [...members] });
    if (name !== undefined) this.debug.name(id, name);
    return id;
  }

  pointer(storage: StorageClass, pointee: Id): Id {
    if (storage === StorageClass.Generic) this.capability(Capability.GenericPointer);
    return this.type(Op.TypePointer, [storage, pointee]);
  }

  /** OpTypeForwardPointer for a struct that holds pointers to itself; define it later with `pointerAs`. */
  forwardPointer(storage: StorageClass, id: Id): void {
    this.module.globals.push({
      op: Op.TypeForwardPointer,
      type: NO_ID,
      result: NO_ID,
      operands: [id, storage],
    });
  }

  /** The pointer type that was forward-declared as `id`; later `pointer` calls give the same id. */
  pointerAs(id: Id, storage: StorageClass, pointee: Id): void {
    this.table.internAs(id, Op.TypePointer, [storage, pointee]);
  }

  functionType(result: Id, parameters: readonly Id[]): Id {
    return this.type(Op.TypeFunction, [result, ...parameters]);
  }

  image(
    dim: Dim,
    options: { depth?: boolean; arrayed?: boolean; multisampled?: boolean; access: AccessQualifier },
  ): Id {
    this.capability(Capability.ImageBasic);
    if (dim === Dim._1D) this.capability(Capability.Sampled1D);
    if (dim === Dim.Buffer) this.capability(Capability.SampledBuffer);
    if (options.access === AccessQualifier.ReadWrite) this.capability(Capability.ImageReadWrite);
    return this.type(Op.TypeImage, [
      this.void(),
      dim,
      options.depth ? 1 : 0,
      options.arrayed ? 1 : 0,
      options.multisampled ? 1 : 0,
      0,
      ImageFormat.Unknown,
      options.access,
    ]);
  }

  sampler(): Id {
    return this.type(Op.TypeSampler, []);
  }

  sampledImage(image: Id): Id {
    return this.type(Op.TypeSampledImage, [image]);
  }

  /** OpTypeEvent, OpTypeDeviceEvent, OpTypeQueue, OpTypeReserveId */
  opaque(op: Op.TypeEvent | Op.TypeDeviceEvent | Op.TypeQueue | Op.TypeReserveId): Id {
    return this.type(op, []);
  }

  pipe(access: AccessQualifier): Id {
    return this.type(Op.TypePipe, [access]);
  }

  /** Any other interned type. */
  type(op: Op, operands: number[]): Id {
    return this.table.intern(op, NO_ID, operands);
  }

  // ---- constants

  constantBool(value: boolean): Id {
    return this.table.intern(value ? Op.ConstantTrue : Op.ConstantFalse, this.bool(), []);
  }

  /** `value` is taken modulo the type's width. */
  constantInt(type: Id, value: number | bigint): Id {
    const width = this.widthOf(type);
    if (typeof value === 'number' && width <= 32)
      return this.table.scalar(type, [width === 32 ? value >>> 0 : value & (2 ** width - 1)]);
    const bits = BigInt.asUintN(width, BigInt(value));
    if (width <= 32) return this.table.scalar(type, [Number(bits)]);
    return this.table.scalar(type, [Number(bits & 0xffffffffn), Number(bits >> 32n)]);
  }

  /** `value` is rounded to the type. */
  constantFloat(type: Id, value: number): Id {
    const width = this.widthOf(type);
    if (width === 16) {
      this.capability(Capability.Float16);
      return this.table.scalar(type, [halfBits(value)]);
    }
    if (width === 32) {
      floatView.setFloat32(0, value, true);
      return this.table.scalar(type, [floatView.getUint32(0, true)]);
    }
    floatView.setFloat64(0, value, true);
    return this.table.scalar(type, [floatView.getUint32(0, true), floatView.getUint32(4, true)]);
  }

  /** A scalar constant with these bits. */
  constantWords(type: Id, words: readonly number[]): Id {
    if (this.table.isHalf(type)) this.capability(Capability.Float16);
    return this.table.scalar(type, words);
  }

  constantComposite(type: Id, constituents: readonly number[]): Id {
    return this.table.intern(Op.ConstantComposite, type, constituents);
  }

  /** Zero of any type. For scalars the constant 0, because some consumers do not accept OpConstantNull of a scalar. */
  constantNull(type: Id): Id {
    const definition = this.table.definitions[type];
    if (definition?.op === Op.TypeInt) return this.constantInt(type, 0);
    if (definition?.op === Op.TypeFloat) return this.constantFloat(type, 0);
    if (definition?.op === Op.TypeBool) return this.constantBool(false);
    return this.table.intern(Op.ConstantNull, type, []);
  }

  undef(type: Id): Id {
    return this.table.intern(Op.Undef, type, []);
  }

  constantSampler(addressing: SamplerAddressingMode, normalized: boolean, filter: SamplerFilterMode): Id {
    const type = this.sampler();
    return this.table.intern(Op.ConstantSampler, type, [addressing, normalized ? 1 : 0, filter]);
  }

  /** A scalar specialization constant: `op` is OpSpecConstant, or …True/…False for bool. Never shared. */
  specConstant(op: Op, type: Id, words: readonly number[], specId: number): Id {
    const id = this.global(op, type, [...words]);
    this.decorate(id, Decoration.SpecId, specId);
    return id;
  }

  /** OpSpecConstantOp */
  specConstantOp(type: Id, op: Op, operands: readonly number[]): Id {
    this.require(op, operands);
    return this.table.intern(Op.SpecConstantOp, type, [op, ...operands]);
  }

  // ---- information about ids

  /** A new id for a value of a type, for instructions that are inserted by hand. */
  value(type: Id): Id {
    const id = this.id();
    this.table.types[id] = type;
    return id;
  }

  /** The type, constant or other global with this id; undefined for other ids. */
  definitionOf(id: Id): Instruction | undefined {
    return this.table.definitions[id];
  }

  /** The type of a value. */
  typeOf(id: Id): Id {
    const type = this.table.types[id];
    invariant(type !== undefined, 'an id is not a value', id);
    return type;
  }

  /** Bits of an integer or float type. */
  widthOf(type: Id): number {
    return this.table.definitions[type]!.operands[0]!;
  }

  /** The component type of a vector type, the type itself for a scalar. */
  elementOf(type: Id): Id {
    const definition = this.table.definitions[type];
    return definition?.op === Op.TypeVector ? (definition.operands[0] as Id) : type;
  }

  /** Components of a vector type, 1 for a scalar. */
  countOf(type: Id): number {
    const definition = this.table.definitions[type];
    return definition?.op === Op.TypeVector ? definition.operands[1]! : 1;
  }

  pointeeOf(pointerType: Id): Id {
    const definition = this.table.definitions[pointerType];
    invariant(definition?.op === Op.TypePointer, 'an id is not a pointer type', pointerType);
    return definition.operands[1] as Id;
  }

  storageOf(pointerType: Id): StorageClass {
    const definition = this.table.definitions[pointerType];
    invariant(definition?.op === Op.TypePointer, 'an id is not a pointer type', pointerType);
    return definition.operands[0]!;
  }

  isConstant(id: Id): boolean {
    const definition = this.table.definitions[id];
    return definition !== undefined && CONSTANTS.has(definition.op);
  }

  // ---- annotations

  decorate(target: Id, decoration: Decoration, ...operands: number[]): void {
    const all = [target, decoration, ...operands];
    this.module.annotations.push({ op: Op.Decorate, type: NO_ID, result: NO_ID, operands: all });
  }

  decorateMember(struct: Id, member: number, decoration: Decoration, ...operands: number[]): void {
    const all = [struct, member, decoration, ...operands];
    this.module.annotations.push({ op: Op.MemberDecorate, type: NO_ID, result: NO_ID, operands: all });
  }

  linkage(target: Id, name: string, type: LinkageType): void {
    this.capability(Capability.Linkage);
    this.decorate(target, Decoration.LinkageAttributes, ...stringWords(name), type);
  }

  // ---- globals

  /** Any instruction among the globals that is not shared. */
  global(op: Op, type: Id, operands: number[], result: Id = this.id()): Id {
    this.require(op, operands);
    this.table.define({ op, type, result, operands });
    return result;
  }

  /** A module-scope variable. */
  globalVariable(pointerType: Id, initializer: Id = NO_ID): Id {
    const storage = this.storageOf(pointerType);
    const operands: number[] = initializer === NO_ID ? [storage] : [storage, initializer];
    return this.global(Op.Variable, pointerType, operands);
  }

  entryPoint(id: Id, name: string, globals: readonly Id[] = []): void {
    const model = ExecutionModel.Kernel;
    this.module.entryPoints.push({ model, function: id, name, interface: [...globals] });
  }

  executionMode(id: Id, mode: ExecutionMode, operands: readonly number[] = [], ids = false): void {
    this.module.executionModes.push({ function: id, mode, operands: [...operands], ids });
  }
}

const floatView = new DataView(new ArrayBuffer(8));
