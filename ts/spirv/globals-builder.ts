// SPDX-License-Identifier: MIT
//
// What a Module holds outside of functions: types and constants, which are interned, names, decorations, entry points. Emitting
// an instruction declares what it requires (capabilities, extensions, the version).
import { halfBits } from '../base/half';
import { invariant } from '../base/invariant';
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
  type SourceLanguage,
  StorageClass,
} from './grammar.gen';
import { stringWords } from './literal-string';
import { type Id, type Instruction, type Module, NO_ID } from './module';
import { requirementOf } from './requirements';

export interface BuilderOptions {
  readonly addressBits: 32 | 64;
  /** Lowest version of the module: major << 16 | minor << 8. Instructions that need a higher one raise it. */
  readonly version?: number;
}

const VERSION_1_0 = 0x10000;

export class GlobalsBuilder {
  readonly module: Module;
  /** The width of a pointer, and of size_t. */
  readonly addressBits: 32 | 64;

  private readonly interned = new Map<string, Id>();
  /** Scalar constants by their type and their words as one number: there may be millions, and texts would be long. */
  private readonly scalars = new Map<Id, Map<number, Id>>();
  /** Types, constants and other globals by id. */
  private readonly definitions: (Instruction | undefined)[] = [];
  /** The result type of each value. */
  protected readonly types: Id[] = [];
  /** The feature that last raised the version. */
  versionFor: string | undefined;
  private readonly strings = new Map<string, Id>();
  /** They come before all names among the debug instructions; they are added at the end. */
  private newStrings: Instruction[] = [];

  constructor(options: BuilderOptions) {
    this.addressBits = options.addressBits;
    this.module = {
      version: options.version ?? VERSION_1_0,
      generator: 0,
      bound: 1,
      capabilities: new Set([Capability.Addresses, Capability.Kernel]),
      extensions: new Set(),
      extInstImports: new Map(),
      addressing: options.addressBits === 64 ? AddressingModel.Physical64 : AddressingModel.Physical32,
      memoryModel: MemoryModel.OpenCL,
      entryPoints: [],
      executionModes: [],
      debug: [],
      annotations: [],
      globals: [],
      functions: [],
    };
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
    this.define({ op: Op.TypeStruct, type: NO_ID, result: id, operands: [...members] });
    if (name !== undefined) this.name(id, name);
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
    this.interned.set(keyOf(Op.TypePointer, NO_ID, [storage, pointee]), id);
    this.define({ op: Op.TypePointer, type: NO_ID, result: id, operands: [storage, pointee] });
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
    return this.intern(op, NO_ID, operands);
  }

  // ---- constants

  constantBool(value: boolean): Id {
    return this.intern(value ? Op.ConstantTrue : Op.ConstantFalse, this.bool(), []);
  }

  /** `value` is taken modulo the type's width. */
  constantInt(type: Id, value: number | bigint): Id {
    const width = this.widthOf(type);
    if (typeof value === 'number' && width <= 32)
      return this.constantScalar(type, [width === 32 ? value >>> 0 : value & (2 ** width - 1)]);
    const bits = BigInt.asUintN(width, BigInt(value));
    if (width <= 32) return this.constantScalar(type, [Number(bits)]);
    return this.constantScalar(type, [Number(bits & 0xffffffffn), Number(bits >> 32n)]);
  }

  /** `value` is rounded to the type. */
  constantFloat(type: Id, value: number): Id {
    const width = this.widthOf(type);
    if (width === 16) {
      this.capability(Capability.Float16);
      return this.constantScalar(type, [halfBits(value)]);
    }
    if (width === 32) {
      floatView.setFloat32(0, value, true);
      return this.constantScalar(type, [floatView.getUint32(0, true)]);
    }
    floatView.setFloat64(0, value, true);
    return this.constantScalar(type, [floatView.getUint32(0, true), floatView.getUint32(4, true)]);
  }

  /** A scalar constant with these bits. */
  constantWords(type: Id, words: readonly number[]): Id {
    if (this.isHalf(type)) this.capability(Capability.Float16);
    return this.constantScalar(type, words);
  }

  constantComposite(type: Id, constituents: readonly number[]): Id {
    return this.intern(Op.ConstantComposite, type, constituents);
  }

  /** Zero of any type. For scalars the constant 0, because some consumers do not accept OpConstantNull of a scalar. */
  constantNull(type: Id): Id {
    const definition = this.definitions[type];
    if (definition?.op === Op.TypeInt) return this.constantInt(type, 0);
    if (definition?.op === Op.TypeFloat) return this.constantFloat(type, 0);
    if (definition?.op === Op.TypeBool) return this.constantBool(false);
    return this.intern(Op.ConstantNull, type, []);
  }

  undef(type: Id): Id {
    return this.intern(Op.Undef, type, []);
  }

  constantSampler(addressing: SamplerAddressingMode, normalized: boolean, filter: SamplerFilterMode): Id {
    const type = this.sampler();
    return this.intern(Op.ConstantSampler, type, [addressing, normalized ? 1 : 0, filter]);
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
    return this.intern(Op.SpecConstantOp, type, [op, ...operands]);
  }

  // ---- information about ids

  /** A new id for a value of a type, for instructions that are inserted by hand. */
  value(type: Id): Id {
    const id = this.id();
    this.types[id] = type;
    return id;
  }

  /** The type, constant or other global with this id; undefined for other ids. */
  definitionOf(id: Id): Instruction | undefined {
    return this.definitions[id];
  }

  /** The type of a value. */
  typeOf(id: Id): Id {
    const type = this.types[id];
    invariant(type !== undefined, 'an id is no value', id);
    return type;
  }

  /** Bits of an integer or float type. */
  widthOf(type: Id): number {
    return this.definitions[type]!.operands[0]!;
  }

  /** The component type of a vector type, the type itself for a scalar. */
  elementOf(type: Id): Id {
    const definition = this.definitions[type];
    return definition?.op === Op.TypeVector ? (definition.operands[0] as Id) : type;
  }

  /** Components of a vector type, 1 for a scalar. */
  countOf(type: Id): number {
    const definition = this.definitions[type];
    return definition?.op === Op.TypeVector ? definition.operands[1]! : 1;
  }

  pointeeOf(pointerType: Id): Id {
    const definition = this.definitions[pointerType];
    invariant(definition?.op === Op.TypePointer, 'an id is no pointer type', pointerType);
    return definition.operands[1] as Id;
  }

  storageOf(pointerType: Id): StorageClass {
    const definition = this.definitions[pointerType];
    invariant(definition?.op === Op.TypePointer, 'an id is no pointer type', pointerType);
    return definition.operands[0]!;
  }

  isConstant(id: Id): boolean {
    switch (this.definitions[id]?.op) {
      case Op.Constant:
      case Op.ConstantTrue:
      case Op.ConstantFalse:
      case Op.ConstantNull:
      case Op.ConstantComposite:
      case Op.ConstantSampler:
      case Op.Undef:
        return true;
      default:
        return false;
    }
  }

  // ---- annotations and debug information

  name(id: Id, name: string): void {
    this.module.debug.push({
      op: Op.Name,
      type: NO_ID,
      result: NO_ID,
      operands: [id, ...stringWords(name)],
    });
  }

  memberName(struct: Id, member: number, name: string): void {
    const operands = [struct, member, ...stringWords(name)];
    this.module.debug.push({ op: Op.MemberName, type: NO_ID, result: NO_ID, operands });
  }

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

  /** OpString, one per text. */
  string(text: string): Id {
    let id = this.strings.get(text);
    if (id === undefined) {
      id = this.id();
      this.strings.set(text, id);
      this.newStrings.push({ op: Op.String, type: NO_ID, result: id, operands: stringWords(text) });
    }
    return id;
  }

  /** Completes the module's debug instructions. */
  placeStrings(): void {
    this.module.debug = this.newStrings.concat(this.module.debug);
    this.newStrings = [];
  }

  /** OpSource. `source` is the text of the file, if it is to be kept. */
  source(language: SourceLanguage, version: number, file?: Id): void {
    const operands = file === undefined ? [language, version] : [language, version, file];
    this.module.debug.unshift({ op: Op.Source, type: NO_ID, result: NO_ID, operands });
  }

  // ---- globals

  /** Any instruction among the globals that is not shared. */
  global(op: Op, type: Id, operands: number[], result: Id = this.id()): Id {
    this.require(op, operands);
    this.define({ op, type, result, operands });
    return result;
  }

  /** A module-scope variable. */
  globalVariable(pointerType: Id, initializer: Id = NO_ID): Id {
    const storage = this.storageOf(pointerType);
    const operands: number[] = initializer === NO_ID ? [storage] : [storage, initializer];
    return this.global(Op.Variable, pointerType, operands);
  }

  entryPoint(id: Id, name: string, globals: readonly Id[] = []): void {
    this.module.entryPoints.push({
      model: ExecutionModel.Kernel,
      function: id,
      name,
      interface: [...globals],
    });
  }

  executionMode(id: Id, mode: ExecutionMode, operands: readonly number[] = [], ids = false): void {
    this.module.executionModes.push({ function: id, mode, operands: [...operands], ids });
  }

  protected isHalf(type: Id): boolean {
    let definition = this.definitions[type];
    if (definition?.op === Op.TypeVector) definition = this.definitions[definition.operands[0]!];
    return definition?.op === Op.TypeFloat && definition.operands[0] === 16;
  }

  private intern(op: Op, type: Id, operands: readonly number[]): Id {
    const key = keyOf(op, type, operands);
    let id = this.interned.get(key);
    if (id === undefined) {
      this.require(op, operands);
      id = this.id();
      this.interned.set(key, id);
      this.define({ op, type, result: id, operands: operands.slice() });
    }
    return id;
  }

  private constantScalar(type: Id, words: readonly number[]): Id {
    const low = words[0]! >>> 0;
    const key = words.length === 1 ? low : (words[1]! | 0) * 2 ** 32 + low;
    if (!Number.isSafeInteger(key)) return this.intern(Op.Constant, type, words);
    let known = this.scalars.get(type);
    if (!known) {
      known = new Map();
      this.scalars.set(type, known);
    }
    let id = known.get(key);
    if (id === undefined) {
      id = this.id();
      known.set(key, id);
      this.define({ op: Op.Constant, type, result: id, operands: words.slice() });
    }
    return id;
  }

  protected define(instruction: Instruction): void {
    this.definitions[instruction.result] = instruction;
    if (instruction.type !== NO_ID) this.types[instruction.result] = instruction.type;
    this.module.globals.push(instruction);
  }
}

const floatView = new DataView(new ArrayBuffer(8));

function keyOf(op: Op, type: Id, operands: readonly number[]): string {
  return `${op},${type},${operands.join()}`;
}
