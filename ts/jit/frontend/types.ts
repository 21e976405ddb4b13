// SPDX-License-Identifier: MIT
//
// SPIR-V's types as the JIT sees them: size and alignment in memory (OpenCL's rules, 6.1.5; pointers are 4 or 8 bytes
// there, by the addressing model) and the scalars ("leaves") that a value consists of.
import type { AddressBits } from '../../base/kernel-abi';
import { AddressingModel, Decoration, Op, StorageClass } from '../../spirv/grammar.gen';
import type { Id, Instruction } from '../../spirv/module';
import { type AddressSpace, Type } from '../ir/ir';
import { bytesOf, floatOfBits, integerOfBits } from '../ir/types';
import { JitError } from '../jit-error';
import type { Definitions } from './definitions';

/** OpenCL's address spaces, which other storage classes are not. */
export const ADDRESS_SPACES: Partial<Record<StorageClass, AddressSpace>> = {
  [StorageClass.Function]: 'private',
  [StorageClass.Private]: 'private',
  [StorageClass.Workgroup]: 'local',
  [StorageClass.CrossWorkgroup]: 'global',
  [StorageClass.UniformConstant]: 'constant',
  [StorageClass.Generic]: 'generic',
};

/** The form of a leaf in memory: that of its IR type, a byte that is 0 or 1, or 8 bytes for an address of 32 bits. */
export type Storage = 'plain' | 'bool' | 'wide-pointer';

export interface Leaf {
  readonly type: Type;
  readonly offset: number;
  readonly storage: Storage;
  /** Bytes of a struct that no member has: they are copied with it, and have no contents otherwise. */
  readonly isPadding?: true;
}

export interface TypeInfo {
  readonly kind: 'void' | 'scalar' | 'vector' | 'array' | 'struct' | 'pointer' | 'opaque' | 'function';
  readonly id: Id;
  readonly size: number;
  readonly align: number;
  /** Scalars, pointers and opaque objects: the IR type of a value. */
  readonly scalar: Type;
  /** Vectors and arrays. */
  readonly element?: TypeInfo;
  /** Bytes from one element to the next. */
  readonly stride: number;
  readonly count: number;
  /** Structs. */
  readonly members?: readonly TypeInfo[];
  readonly offsets?: readonly number[];
  /**
   * Structs and arrays: the leaves of the bytes between a member and the next one (or the end), for each member, with offsets from the
   * struct's start; or between an element and the next one, with offsets from the element's.
   */
  readonly gaps?: readonly (readonly Leaf[])[];
  /** Pointers. The pointee is looked up when needed: it may be declared later. */
  readonly storage?: StorageClass;
  readonly pointee: Id;
  /** Opaque types: the kind. */
  readonly op: Op;
  /** The number of a value's leaves. */
  readonly width: number;
}

const OPAQUE: ReadonlySet<Op> = new Set([
  Op.TypeImage,
  Op.TypeSampler,
  Op.TypeSampledImage,
  Op.TypeEvent,
  Op.TypeDeviceEvent,
  Op.TypeReserveId,
  Op.TypeQueue,
  Op.TypePipe,
  Op.TypePipeStorage,
  Op.TypeNamedBarrier,
  Op.TypeOpaque,
]);

/** By the bits of an address. */
const LARGEST_OBJECT: Readonly<Record<AddressBits, number>> = { 32: 2 ** 32 - 1, 64: 2 ** 53 };

/** The storage classes whose pointers may lead above 4 GB. */
const ANYWHERE: ReadonlySet<StorageClass> = new Set([
  StorageClass.CrossWorkgroup,
  StorageClass.UniformConstant,
  StorageClass.Generic,
]);

/** The most IR values for a value that is loaded or passed as a whole. */
const MOST_LEAVES = 2 ** 16;

const roundUp = (n: number, align: number) => Math.ceil(n / align) * align;

export class TypeTable {
  private readonly table = new Map<Id, TypeInfo>();
  private readonly leafTable = new Map<Id, readonly Leaf[]>();
  /** Bytes of a pointer in memory. */
  readonly pointerBytes: 4 | 8;
  private readonly hasWideAddresses: boolean;

  constructor(
    private readonly index: Definitions,
    /** An integer constant, such as an array's length. */
    private readonly integer: (id: Id) => number | bigint,
    /** Of the device's memory. */
    readonly addressBits: AddressBits,
  ) {
    this.pointerBytes = index.module.addressing === AddressingModel.Physical64 ? 8 : 4;
    this.hasWideAddresses = addressBits === 64 && this.pointerBytes === 8;
  }

  /** The IR type of a pointer's value. Private and local memory are always below 4 GB. */
  private addressType(storage: StorageClass): Type {
    return this.hasWideAddresses && ANYWHERE.has(storage) ? Type.I64 : Type.I32;
  }

  get(id: Id): TypeInfo {
    let info = this.table.get(id);
    if (!info) {
      info = this.make(this.index.definition(id));
      this.table.set(id, info);
    }
    return info;
  }

  pointee(pointer: TypeInfo): TypeInfo {
    return this.get(pointer.pointee);
  }

  /** The scalars of a value in memory order, with their byte offsets. */
  leaves(info: TypeInfo): readonly Leaf[] {
    let leaves = this.leafTable.get(info.id);
    if (!leaves) {
      if (info.width > MOST_LEAVES)
        throw new JitError(
          `a value of ${info.width} scalars; the device has values of ${MOST_LEAVES} at most`,
        );
      const list: Leaf[] = [];
      this.collect(info, 0, list);
      leaves = list;
      this.leafTable.set(info.id, leaves);
    }
    return leaves;
  }

  private collect(info: TypeInfo, offset: number, to: Leaf[]): void {
    switch (info.kind) {
      case 'scalar':
        to.push({ type: info.scalar, offset, storage: info.scalar === Type.I1 ? 'bool' : 'plain' });
        return;
      case 'pointer':
        to.push({
          type: info.scalar,
          offset,
          storage: this.pointerBytes > bytesOf(info.scalar) ? 'wide-pointer' : 'plain',
        });
        return;
      case 'opaque':
        for (let i = 0; i < info.width; i++)
          to.push({ type: Type.I32, offset: offset + 4 * i, storage: 'plain' });
        return;
      case 'vector':
      case 'array':
        for (let i = 0; i < info.count; i++) {
          this.collect(info.element!, offset + i * info.stride, to);
          addGap(info, i, offset + i * info.stride, to);
        }
        return;
      case 'struct':
        info.members!.forEach((member, i) => {
          const first = to.length;
          this.collect(member, offset + info.offsets![i]!, to);
          if (this.index.isPadding(info.id, i))
            for (let at = first; at < to.length; at++) to[at] = { ...to[at]!, isPadding: true };
          addGap(info, i, offset, to);
        });
        return;
      default:
        return;
    }
  }

  private make(i: Instruction): TypeInfo {
    const info = (
      kind: TypeInfo['kind'],
      size: number,
      align: number,
      rest: Partial<TypeInfo>,
    ): TypeInfo => ({
      kind,
      id: i.result,
      size,
      align,
      scalar: Type.Void,
      stride: 0,
      count: 0,
      pointee: 0 as Id,
      op: i.op,
      width: 1,
      ...rest,
    });
    const scalar = (type: Type) => info('scalar', bytesOf(type), bytesOf(type), { scalar: type });
    switch (i.op) {
      case Op.TypeVoid:
        return info('void', 0, 1, { width: 0 });
      case Op.TypeBool:
        return scalar(Type.I1);
      case Op.TypeInt: {
        const type = integerOfBits(i.operands[0]!);
        if (type === undefined) throw new JitError(`integers of ${i.operands[0]} bits are not supported`);
        return scalar(type);
      }
      case Op.TypeFloat: {
        const type = floatOfBits(i.operands[0]!);
        if (type === undefined || i.operands.length > 1)
          throw new JitError(`this ${i.operands[0]}-bit floating-point format is not supported`);
        return scalar(type);
      }
      case Op.TypeVector: {
        const element = this.get(i.operands[0]! as Id);
        const count = i.operands[1]!;
        const size = element.size * (count === 3 ? 4 : count);
        return info('vector', size, size, { element, stride: element.size, count, width: count });
      }
      case Op.TypeArray: {
        const element = this.get(i.operands[0]! as Id);
        const given = this.integer(i.operands[1]! as Id);
        const count = Number(given);
        if (element.size * count > LARGEST_OBJECT[this.addressBits])
          throw new JitError(
            `an array of ${given} elements of ${element.size} bytes is larger than the software device's memory`,
          );
        const gap = gapAfter(element, dataBytes(element), element.size);
        return info('array', element.size * count, element.align, {
          element,
          stride: element.size,
          count,
          width: (element.width + gap.length) * count,
          gaps: [gap],
        });
      }
      case Op.TypeStruct:
        return this.struct(i, info);
      case Op.TypePointer:
        return info('pointer', this.pointerBytes, this.pointerBytes, {
          scalar: this.addressType(i.operands[0]! as StorageClass),
          storage: i.operands[0]! as StorageClass,
          pointee: i.operands[1]! as Id,
        });
      case Op.TypeFunction:
        return info('function', 0, 1, {});
      default:
        if (!OPAQUE.has(i.op)) throw new JitError(`Op${Op[i.op]} is not a type that kernels can use`);
        // A sampled image is an image and a sampler.
        return i.op === Op.TypeSampledImage
          ? info('opaque', 8, 4, { scalar: Type.I32, width: 2 })
          : info('opaque', 4, 4, { scalar: Type.I32 });
    }
  }

  private struct(
    i: Instruction,
    info: (kind: TypeInfo['kind'], size: number, align: number, rest: Partial<TypeInfo>) => TypeInfo,
  ): TypeInfo {
    const members = i.operands.map((id) => this.get(id as Id));
    const packed = this.index.decoration(i.result, Decoration.CPacked) !== undefined;
    const offsets: number[] = [];
    let end = 0;
    let align = 1;
    let width = 0;
    for (const member of members) {
      const natural = packed ? 1 : member.align;
      const offset = roundUp(end, natural);
      offsets.push(offset);
      end = offset + member.size;
      align = Math.max(align, natural);
      width += member.width;
    }
    const size = roundUp(end, align);
    const gaps = members.map((member, at) =>
      gapAfter(member, offsets[at]! + dataBytes(member), offsets[at + 1] ?? size),
    );
    for (const gap of gaps) width += gap.length;
    return info('struct', size, align, { members, offsets, width, gaps });
  }
}

const NO_GAP: readonly Leaf[] = [];

/** The leaves behind member or element `at`. */
const gapOf = ({ kind, gaps }: TypeInfo, at: number): readonly Leaf[] =>
  gaps?.[kind === 'struct' ? at : 0] ?? NO_GAP;

function addGap(info: TypeInfo, at: number, offset: number, to: Leaf[]): void {
  for (const leaf of gapOf(info, at)) to.push({ ...leaf, offset: offset + leaf.offset });
}

/** The scalars of a value, given one for each leaf, without those of padding. */
export function contentsOf<T>(leaves: readonly Leaf[], values: readonly T[]): T[] {
  return values.filter((_, at) => !leaves[at]!.isPadding);
}

/** Whether a value has bytes that no member has. */
export function hasGaps(info: TypeInfo): boolean {
  if (info.gaps?.some((gap) => gap.length > 0)) return true;
  return info.kind === 'array' ? hasGaps(info.element!) : (info.members ?? []).some(hasGaps);
}

/** The bytes that a value's leaves cover: a vector of three components has room for a fourth one. */
const dataBytes = (info: TypeInfo): number => (info.kind === 'vector' ? info.stride * info.count : info.size);

/** The size of the last scalar of a value. */
function lastBytes(info: TypeInfo): number {
  const last = info.kind === 'struct' ? info.members!.at(-1) : info.element;
  return last ? lastBytes(last) : info.size;
}

const UNITS: readonly (readonly [bytes: number, type: Type])[] = [[8, Type.I64], [4, Type.I32], [2, Type.I16], [1, Type.I8]]; // biome-ignore format: a table

/**
 * The leaves of a gap after a member, as large as they may be; within a word no larger than the member's last scalar: scalars of one
 * size that fill a word are accessed as one (vectorize/passes/memory/join-narrow.ts).
 */
function gapAfter(member: TypeInfo, start: number, end: number): readonly Leaf[] {
  if (start === end) return NO_GAP;
  const last = lastBytes(member);
  const leaves: Leaf[] = [];
  for (let at = start; at < end; ) {
    const most = at % 4 === 0 ? Math.max(last, 4) : last;
    const [bytes, type] = UNITS.find(([size]) => size <= most && at % size === 0 && at + size <= end)!;
    leaves.push({ type, offset: at, storage: 'plain', isPadding: true });
    at += bytes;
  }
  return leaves;
}

/** The values of a composite from those of its members or elements; gaps get what `padding` gives. */
export function withGaps<T>(
  info: TypeInfo,
  parts: readonly (readonly T[])[],
  padding: (leaf: Leaf) => T,
): T[] {
  const values: T[] = [];
  parts.forEach((part, at) => {
    for (const value of part) values.push(value);
    for (const leaf of gapOf(info, at)) values.push(padding(leaf));
  });
  return values;
}

/** The first leaf of member or element `at` of a composite. */
export function firstLeaf(info: TypeInfo, at: number): number {
  if (info.kind !== 'struct') return (info.element!.width + gapOf(info, at).length) * at;
  let first = 0;
  for (let i = 0; i < at; i++) first += info.members![i]!.width + gapOf(info, i).length;
  return first;
}

export function memberOf(info: TypeInfo, at: number): TypeInfo {
  const member = info.kind === 'struct' ? info.members![at] : info.element;
  if (!member) throw new JitError('an index into something without members');
  return member;
}
