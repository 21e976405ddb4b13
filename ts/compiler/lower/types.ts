// SPDX-License-Identifier: MIT
//
// OpenCL C types as SPIR-V types. A type has two forms: in memory bool is a byte; as a value it is OpTypeBool.
import { PADDING_NAME } from '../../base/checks';
import { invariant, unreachable } from '../../base/invariant';
import type { Builder } from '../../spirv/builder';
import { AccessQualifier, Decoration, Dim, Op, StorageClass } from '../../spirv/grammar.gen';
import type { Id } from '../../spirv/module';
import { scalarSize } from '../frontend/scalars';
import type {
  AddressSpace,
  FunctionType,
  ImageKind,
  ImageType,
  PointerType,
  RecordType,
  ScalarKind,
  Type,
} from '../frontend/types';
import { motionEstimationType } from './builtins/motion-estimation';
import {
  impliedAlignOf,
  type Layout,
  layoutOf,
  type StructLayout,
  type StructMember,
  structLayoutOf,
} from './layout';

const STORAGE_CLASSES: Readonly<Record<AddressSpace, StorageClass>> = {
  private: StorageClass.Function,
  local: StorageClass.Workgroup,
  global: StorageClass.CrossWorkgroup,
  constant: StorageClass.UniformConstant,
  generic: StorageClass.Generic,
};

const IMAGES: Readonly<
  Record<ImageKind, { dim: Dim; depth?: boolean; arrayed?: boolean; multisampled?: boolean }>
> = {
  image1d: { dim: Dim._1D },
  image1d_buffer: { dim: Dim.Buffer },
  image1d_array: { dim: Dim._1D, arrayed: true },
  image2d: { dim: Dim._2D },
  image2d_array: { dim: Dim._2D, arrayed: true },
  image2d_depth: { dim: Dim._2D, depth: true },
  image2d_array_depth: { dim: Dim._2D, arrayed: true, depth: true },
  image2d_msaa: { dim: Dim._2D, multisampled: true },
  image2d_array_msaa: { dim: Dim._2D, arrayed: true, multisampled: true },
  image2d_msaa_depth: { dim: Dim._2D, multisampled: true, depth: true },
  image2d_array_msaa_depth: { dim: Dim._2D, arrayed: true, multisampled: true, depth: true },
  image3d: { dim: Dim._3D },
};

const ACCESS = {
  read_only: AccessQualifier.ReadOnly,
  write_only: AccessQualifier.WriteOnly,
  read_write: AccessQualifier.ReadWrite,
} as const;

/** Records beyond this size, and those with a union in them, are handled by address and never as one value. */
const LARGEST_VALUE = 64;

interface RecordInfo {
  readonly id: Id;
  readonly layout: StructLayout;
}

export class TypeLowering {
  readonly pointerBytes: 4 | 8;
  /** The structs that are decorated CPacked. */
  readonly packed = new Set<Id>();
  private readonly known = new Map<Type, Id>();
  private readonly records = new Map<RecordType, RecordInfo>();
  private readonly inProgress = new Set<RecordType>();
  private readonly layouts = new Map<Type, Layout>();
  private readonly byAddress = new Map<RecordType, boolean>();

  constructor(
    private readonly builder: Builder,
    /** Whether padding gets a name, by which the checks recognize it. */
    private readonly namesPadding = false,
  ) {
    this.pointerBytes = builder.addressBits === 64 ? 8 : 4;
  }

  /** The type's form in memory. */
  memory(type: Type): Id {
    let id = this.known.get(type);
    if (id === undefined) {
      id = this.make(type);
      if (this.inProgress.size === 0) this.known.set(type, id);
    }
    return id;
  }

  /** The type of a value in a register. */
  value(type: Type): Id {
    return isBool(type) ? this.builder.bool() : this.memory(type);
  }

  scalar(kind: ScalarKind): Id {
    switch (kind) {
      case 'bool':
        return this.builder.int(8);
      case 'half':
        return this.builder.float(16);
      case 'float':
        return this.builder.float(32);
      case 'double':
        return this.builder.float(64);
      default:
        return this.builder.int((scalarSize(kind) * 8) as 8 | 16 | 32 | 64);
    }
  }

  /** A pointer to an object of a type. */
  pointerTo(type: Type, space: AddressSpace): Id {
    return this.builder.pointer(STORAGE_CLASSES[space], this.pointee(type));
  }

  storageClass(space: AddressSpace): StorageClass {
    return STORAGE_CLASSES[space];
  }

  /** The alignment of the type's form in SPIR-V without decorations. */
  impliedAlign(type: Type): number {
    return impliedAlignOf(type, this.pointerBytes);
  }

  layout(type: Type): Layout {
    let layout = this.layouts.get(type);
    if (layout === undefined) {
      layout = layoutOf(type, this.pointerBytes);
      if (type.kind !== 'record' || type.fields !== undefined) this.layouts.set(type, layout);
    }
    return layout;
  }

  record(type: RecordType): RecordInfo {
    return this.records.get(type) ?? this.makeRecord(type);
  }

  /** Values of such a type are represented by the address of memory that holds them. */
  isByAddress(type: Type): boolean {
    if (type.kind === 'array') return true;
    if (type.kind !== 'record') return false;
    let result = this.byAddress.get(type);
    if (result === undefined) {
      result = type.size > LARGEST_VALUE || holdsUnion(type);
      this.byAddress.set(type, result);
    }
    return result;
  }

  functionType(type: FunctionType): { readonly result: Id; readonly parameters: Id[] } {
    return {
      result: this.value(type.result),
      parameters: type.parameters.map((p) => this.value(p.type)),
    };
  }

  private make(type: Type): Id {
    const { builder } = this;
    switch (type.kind) {
      case 'void':
        return builder.void();
      case 'scalar':
        return this.scalar(type.scalar);
      case 'vector':
        return builder.vector(this.scalar(type.element.scalar), type.count);
      case 'enum':
        return this.memory(type.underlying);
      case 'atomic':
        return this.memory(type.value);
      case 'pointer':
        return this.pointer(type);
      case 'array':
        // SPIR-V has no arrays of length 0 (a flexible or an extern one is only reached by address).
        return builder.array(this.memory(type.element.type), Math.max(type.count ?? 1, 1));
      case 'record':
        return this.record(type).id;
      case 'image':
        return this.image(type);
      case 'pipe':
        return builder.pipe(ACCESS[type.access]);
      case 'block':
        return builder.pointer(StorageClass.Generic, builder.int(8));
      case 'opaque':
        return this.opaque(type.name);
      case 'function':
        invariant(false, 'a function is not an object');
        break;
      default:
        return unreachable(type, 'type');
    }
  }

  private pointer(type: PointerType): Id {
    return this.builder.pointer(STORAGE_CLASSES[type.space], this.pointee(type.pointee.type));
  }

  private pointee(type: Type): Id {
    if (type.kind === 'void' || type.kind === 'function') return this.builder.int(8);
    // A pointer to a record that is not complete here, or that holds this very pointer.
    if (type.kind === 'record' && (type.fields === undefined || this.inProgress.has(type)))
      return this.builder.int(8);
    if (type.kind === 'array' && type.count === undefined) return this.memory(type.element.type);
    return this.memory(type);
  }

  private image(type: ImageType): Id {
    const { dim, ...options } = IMAGES[type.image];
    return this.builder.image(dim, { ...options, access: ACCESS[type.access] });
  }

  private opaque(name: string): Id {
    const { builder } = this;
    switch (name) {
      case 'sampler_t':
        return builder.sampler();
      case 'event_t':
        return builder.opaque(Op.TypeEvent);
      case 'clk_event_t':
        return builder.opaque(Op.TypeDeviceEvent);
      case 'queue_t':
        return builder.opaque(Op.TypeQueue);
      case 'reserve_id_t':
        return builder.opaque(Op.TypeReserveId);
      case 'ndrange_t':
        return this.ndrange();
      default:
        return motionEstimationType(builder, name);
    }
  }

  private ndrangeId: Id | undefined;

  /** OpBuildNDRange's result: the dimensions, then global offset, global size and local size. */
  private ndrange(): Id {
    if (this.ndrangeId === undefined) {
      const size3 = this.builder.array(this.builder.sizeType(), 3);
      this.ndrangeId = this.builder.struct([this.builder.int(32), size3, size3, size3], 'struct.ndrange_t');
    }
    return this.ndrangeId;
  }

  private member(record: RecordType, member: StructMember): Id {
    const { builder } = this;
    if ('padding' in member) return builder.array(builder.int(8), member.padding);
    if ('field' in member) return this.memory(record.fields![member.field]!.type.type);
    const { bytes, count } = member;
    // SPIR-V's integers have up to 64 bits; its vectors are aligned to their size.
    const word = builder.int((Math.min(bytes, 8) * 8) as 8 | 16 | 32 | 64);
    return builder.array(bytes > 8 ? builder.vector(word, bytes / 8) : word, count);
  }

  private makeRecord(type: RecordType): RecordInfo {
    const { builder } = this;
    const layout = structLayoutOf(type, this.pointerBytes);
    this.inProgress.add(type);
    const members = layout.members.map((member) => this.member(type, member));
    this.inProgress.delete(type);
    const id = builder.struct(members, `${type.tag}.${type.name ?? 'anon'}`);
    if (this.namesPadding)
      for (const [at, member] of layout.members.entries())
        if ('padding' in member) builder.debug.memberName(id, at, PADDING_NAME);
    if (layout.packed) {
      builder.decorate(id, Decoration.CPacked);
      this.packed.add(id);
    }
    const info: RecordInfo = { id, layout };
    this.records.set(type, info);
    return info;
  }
}

export function isBool(type: Type): boolean {
  return type.kind === 'scalar' && type.scalar === 'bool';
}

function holdsUnion(type: Type): boolean {
  if (type.kind === 'array') return holdsUnion(type.element.type);
  if (type.kind !== 'record') return false;
  return type.tag === 'union' || (type.fields ?? []).some((field) => holdsUnion(field.type.type));
}

/** The scalar kind of a scalar, vector, enum or atomic; undefined for the rest. */
export function elementKind(type: Type): ScalarKind | undefined {
  switch (type.kind) {
    case 'scalar':
      return type.scalar;
    case 'vector':
      return type.element.scalar;
    case 'enum':
      return type.underlying.scalar;
    case 'atomic':
      return type.value.kind === 'scalar' ? type.value.scalar : undefined;
    default:
      return undefined;
  }
}
