// SPDX-License-Identifier: MIT
//
// SPIR-V types as OpenCL C types. Integers are unsigned, as they have no sign in a Kernel module; signed operations cast.
// An array becomes a struct with the array in it, so that it is a value as in SPIR-V. A vector of bool is one of char
// that is 0 or -1 in each component.
import { AccessQualifier, AddressingModel, Decoration, Dim, Op, StorageClass } from '../grammar.gen';
import type { Id, Instruction } from '../module';
import { inexpressible, type Tables } from './tables';

export interface TypeInfo {
  readonly kind: 'void' | 'bool' | 'int' | 'float' | 'pointer' | 'array' | 'struct' | 'opaque';
  /** Bits of a scalar or of a vector's component. */
  readonly bits: number;
  /** Components of a vector; 1 for everything else. */
  readonly count: number;
}

const UNSIGNED: Readonly<Record<number, string>> = { 8: 'uchar', 16: 'ushort', 32: 'uint', 64: 'ulong' };
const SIGNED: Readonly<Record<number, string>> = { 8: 'char', 16: 'short', 32: 'int', 64: 'long' };
const FLOATS: Readonly<Record<number, string>> = { 16: 'half', 32: 'float', 64: 'double' };

const SPACES: Partial<Record<StorageClass, string>> = {
  [StorageClass.Function]: 'private',
  [StorageClass.Workgroup]: 'local',
  [StorageClass.CrossWorkgroup]: 'global',
  [StorageClass.UniformConstant]: 'constant',
  // A pointer without an address space is a generic one from OpenCL C 2.0 on.
  [StorageClass.Generic]: '',
};

const DIMENSIONS: Partial<Record<Dim, string>> = {
  [Dim._1D]: 'image1d',
  [Dim._2D]: 'image2d',
  [Dim._3D]: 'image3d',
  [Dim.Buffer]: 'image1d_buffer',
};

const ACCESS: Readonly<Record<AccessQualifier, string>> = {
  [AccessQualifier.ReadOnly]: 'read_only',
  [AccessQualifier.WriteOnly]: 'write_only',
  [AccessQualifier.ReadWrite]: 'read_write',
};

const sized = (name: string, count: number): string => (count > 1 ? `${name}${count}` : name);

export class Types {
  /** Declarations of structs and of the types of memory accesses, in order. */
  readonly declarations: string[] = [];
  readonly forwards: string[] = [];
  readonly pointerBits: number;
  private readonly names = new Map<Id, string>();
  private readonly infos = new Map<Id, TypeInfo>();
  private readonly accessTypes = new Map<string, string>();

  constructor(private readonly tables: Tables) {
    this.pointerBits = tables.module.addressing === AddressingModel.Physical32 ? 32 : 64;
    // Structs in the module's order, in which members come first; pointers may refer to later structs.
    for (const i of tables.module.globals)
      if (i.op === Op.TypeStruct || i.op === Op.TypeArray) this.name(i.result);
  }

  info(id: Id): TypeInfo {
    let info = this.infos.get(id);
    if (!info) {
      info = this.makeInfo(this.tables.definition(id));
      this.infos.set(id, info);
    }
    return info;
  }

  private makeInfo(i: Instruction): TypeInfo {
    switch (i.op) {
      case Op.TypeVoid:
        return { kind: 'void', bits: 0, count: 1 };
      case Op.TypeBool:
        return { kind: 'bool', bits: 8, count: 1 };
      case Op.TypeInt:
        return { kind: 'int', bits: i.operands[0]!, count: 1 };
      case Op.TypeFloat:
        return { kind: 'float', bits: i.operands[0]!, count: 1 };
      case Op.TypeVector:
        return { ...this.info(i.operands[0]! as Id), count: i.operands[1]! };
      case Op.TypePointer:
        return { kind: 'pointer', bits: this.pointerBits, count: 1 };
      case Op.TypeArray:
        return { kind: 'array', bits: 0, count: 1 };
      case Op.TypeStruct:
        return { kind: 'struct', bits: 0, count: 1 };
      default:
        return { kind: 'opaque', bits: this.pointerBits, count: 1 };
    }
  }

  /** The type as it is written in declarations. */
  name(id: Id): string {
    let name = this.names.get(id);
    if (name === undefined) {
      name = this.make(this.tables.definition(id));
      this.names.set(id, name);
    }
    return name;
  }

  private make(i: Instruction): string {
    const info = this.info(i.result);
    switch (i.op) {
      case Op.TypeVoid:
        return 'void';
      case Op.TypeBool:
        return 'bool';
      case Op.TypeInt:
        return UNSIGNED[info.bits] ?? inexpressible(`an integer of ${info.bits} bits`);
      case Op.TypeFloat:
        return FLOATS[info.bits] ?? inexpressible(`a float of ${info.bits} bits`);
      case Op.TypeVector:
        return sized(
          info.kind === 'bool' ? 'char' : this.name(i.operands[0]! as Id),
          [2, 3, 4, 8, 16].includes(info.count)
            ? info.count
            : inexpressible(`a vector of ${info.count} components`),
        );
      case Op.TypePointer:
        return `${this.name(i.operands[1]! as Id)} ${this.space(i.operands[0]!)} *`;
      case Op.TypeArray:
        return this.array(i);
      case Op.TypeStruct:
        return this.struct(i);
      case Op.TypeEvent:
        return 'event_t';
      case Op.TypeSampler:
        return 'sampler_t';
      case Op.TypeImage:
        return this.image(i.operands);
      case Op.TypeSampledImage:
        return this.name(i.operands[0]! as Id);
      case Op.TypeDeviceEvent:
        return 'clk_event_t';
      case Op.TypeQueue:
        return 'queue_t';
      case Op.TypeReserveId:
        return 'reserve_id_t';
      default:
        return inexpressible(`Op${Op[i.op] ?? i.op}`);
    }
  }

  private array(i: Instruction): string {
    const element = i.operands[0]! as Id;
    // Events may be in arrays, but not in structs.
    if (this.isEvent(element)) return this.name(element);
    const name = `struct _a${i.result}`;
    const count = this.tables.integer(i.operands[1]!) ?? inexpressible('an array without a constant length');
    this.forwards.push(`${name};`);
    this.declarations.push(`${name} { ${this.name(element)} e[${count}]; };`);
    return name;
  }

  isEvent(id: Id): boolean {
    return this.tables.definition(id).op === Op.TypeEvent;
  }

  /** `[4]` after the name of a variable that is an array of events; empty for others. */
  arraySuffix(id: Id): string {
    const i = this.tables.definition(id);
    return i.op === Op.TypeArray && this.isEvent(i.operands[0]! as Id)
      ? `[${this.tables.integer(i.operands[1]!)}]`
      : '';
  }

  private struct(i: Instruction): string {
    const name = `struct _s${i.result}`;
    // Members may point to the struct itself.
    this.names.set(i.result, name);
    this.forwards.push(`${name};`);
    const packed = this.tables.decoration(i.result, Decoration.CPacked) ? ' __attribute__((packed))' : '';
    const members = i.operands.map((member, at) => `${this.name(member as Id)} m${at};`);
    this.declarations.push(`${name} { ${members.join(' ')} }${packed};`);
    return name;
  }

  private image(operands: readonly number[]): string {
    const [, dim, depth, arrayed, multisampled, , , access] = operands;
    const shape = DIMENSIONS[dim! as Dim] ?? inexpressible(`an image of dimension ${Dim[dim!] ?? dim}`);
    const kind = `${arrayed ? '_array' : ''}${multisampled ? '_msaa' : ''}${depth === 1 ? '_depth' : ''}`;
    return `${ACCESS[(access ?? AccessQualifier.ReadOnly) as AccessQualifier]} ${shape}${kind}_t`;
  }

  space(storage: StorageClass): string {
    return SPACES[storage] ?? inexpressible(`the storage class ${StorageClass[storage] ?? storage}`);
  }

  /** The signed integer type with the same bits and components. */
  signed(id: Id): string {
    const { kind, bits, count } = this.info(id);
    return kind === 'int' ? sized(SIGNED[bits]!, count) : this.name(id);
  }

  /** The type of `count` signed components of the type's width: the result of comparing its vectors. */
  mask(id: Id): string {
    const { bits, count } = this.info(id);
    return sized(SIGNED[bits]!, count);
  }

  pointee(pointer: Id): Id {
    return this.tables.definition(pointer).operands[1]! as Id;
  }

  storage(pointer: Id): StorageClass {
    return this.tables.definition(pointer).operands[0]! as StorageClass;
  }

  element(id: Id): Id {
    return this.tables.definition(id).operands[0]! as Id;
  }

  align(id: Id): number {
    const i = this.tables.definition(id);
    const { kind, bits, count } = this.info(id);
    switch (kind) {
      case 'array':
        return this.align(i.operands[0]! as Id);
      case 'struct':
        return this.tables.decoration(id, Decoration.CPacked)
          ? 1
          : Math.max(1, ...i.operands.map((member) => this.align(member as Id)));
      default:
        return (bits / 8) * (count === 3 ? 4 : count);
    }
  }

  /** The type for an access: with another alignment than its own, or one that may alias any other. */
  access(id: Id, align: number, aliases: boolean): string {
    const name = this.name(id);
    const lower = align > 0 && align < this.align(id);
    if (!lower && !aliases) return name;
    const attributes = [...(lower ? [`aligned(${align})`] : []), ...(aliases ? ['may_alias'] : [])].join(
      ', ',
    );
    const key = `${name} ${attributes}`;
    let known = this.accessTypes.get(key);
    if (known === undefined) {
      known = `_t${this.accessTypes.size}`;
      this.accessTypes.set(key, known);
      this.declarations.push(`typedef ${name} ${known} __attribute__((${attributes}));`);
    }
    return known;
  }

  /** A struct with a number of bytes, for copies of memory. */
  bytes(size: number, align: number): string {
    const key = `bytes ${size} ${align}`;
    let known = this.accessTypes.get(key);
    if (known === undefined) {
      known = `struct _b${size}_${align}`;
      this.accessTypes.set(key, known);
      this.declarations.push(`${known} { uchar e[${size}]; } __attribute__((aligned(${align}), may_alias));`);
    }
    return known;
  }
}
