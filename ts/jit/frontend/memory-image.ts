// SPDX-License-Identifier: MIT
//
// The initial contents of a program's own memory: program-scope variables, constants, string literals, the library's
// tables. Addresses in it are relocated by the address at which an instance of it is loaded.

import { halfBits } from '../../base/half';
import { SparseBytes } from '../../base/sparse-bytes';
import { Decoration, LinkageType, Op, StorageClass } from '../../spirv/grammar.gen';
import type { Id } from '../../spirv/module';
import { Type } from '../ir/ir';
import { bytesOf, integerLike } from '../ir/types';
import { JitError } from '../jit-error';
import { type ConstantLeaf, constantLeaf, isAddress, isNan } from './constants';
import type { ModuleIndex } from './module-index';
import { memberOf, type TypeInfo } from './types';

/** Addresses in the image are 31-bit numbers. */
const MOST_BYTES = 2 ** 31 - 2 ** 16;
/**
 * The most bytes of initializers, without zeros: modules can share parts of constants, and so be far smaller than their
 * contents.
 */
const MOST_DATA = 2 ** 28;

interface Item {
  readonly index: ModuleIndex;
  readonly id: Id;
  readonly info: TypeInfo;
  readonly initializer: Id | undefined;
  readonly offset: number;
  /** Whether the program cannot write it. */
  readonly constant: boolean;
}

export class MemoryImage {
  private readonly items: Item[] = [];
  private readonly offsets = new Map<ModuleIndex, Map<Id, number>>();
  private size = 0;
  private bytes = new SparseBytes(0);
  private written = 0;
  align = 16;
  readonly relocations: number[] = [];
  private relocated = new Set<number>();

  /** All variables of a module in this memory. */
  addVariables(index: ModuleIndex): void {
    if (this.offsets.has(index)) return;
    this.offsets.set(index, new Map());
    for (const i of index.module.globals) {
      if (i.op !== Op.Variable) continue;
      const storage: StorageClass = i.operands[0]!;
      if (storage !== StorageClass.UniformConstant && storage !== StorageClass.CrossWorkgroup) continue;
      if (index.decoration(i.result, Decoration.BuiltIn)) continue;
      const linkage = index.linkage(i.result);
      if (linkage?.type === LinkageType.Import)
        throw new JitError(`the variable '${linkage.name}' is declared but defined in no module`);
      const info = index.types.pointee(index.types.get(i.type));
      const align = index.decoration(i.result, Decoration.Alignment)?.[0] ?? 1;
      this.add(
        index,
        i.result,
        info,
        i.operands[1] as Id | undefined,
        align,
        storage === StorageClass.UniformConstant,
      );
    }
  }

  /** A constant that code copies from, such as the initializer of a large private array. */
  addConstant(index: ModuleIndex, id: Id): void {
    if (this.offsets.get(index)?.has(id)) return;
    const type = index.definition(id).type;
    this.add(index, id, index.types.get(type), id, 1, true);
  }

  private add(
    index: ModuleIndex,
    id: Id,
    info: TypeInfo,
    initializer: Id | undefined,
    align: number,
    constant: boolean,
  ): void {
    const alignment = Math.max(info.align, align);
    this.align = Math.max(this.align, alignment);
    const offset = Math.ceil(this.size / alignment) * alignment;
    this.size = offset + info.size;
    if (this.size > MOST_BYTES)
      throw new JitError(
        `'${index.nameOf(id)}' takes ${info.size} bytes; the constants and variables of a program are ${MOST_BYTES} bytes at most together, and others take ${offset}`,
      );
    let table = this.offsets.get(index);
    if (!table) {
      table = new Map();
      this.offsets.set(index, table);
    }
    table.set(id, offset);
    this.items.push({ index, id, info, initializer, offset, constant });
  }

  offsetOf(index: ModuleIndex, id: Id): number | undefined {
    return this.offsets.get(index)?.get(id);
  }

  /** Writes the initializers; nothing may be added afterwards. Zeros take neither time nor memory. */
  finish(): SparseBytes {
    this.bytes = new SparseBytes(this.size);
    for (const item of this.items)
      if (item.initializer) this.write(item.index, item.initializer, item.info, item.offset);
    this.relocated = new Set(this.relocations);
    return this.bytes;
  }

  private write(index: ModuleIndex, id: Id, info: TypeInfo, at: number): void {
    const i = index.find(id);
    if (i?.op === Op.ConstantNull || i?.op === Op.Undef) return;
    if (i?.op === Op.ConstantComposite || i?.op === Op.SpecConstantComposite) {
      const count = info.kind === 'struct' ? info.members!.length : info.count;
      if (i.operands.length !== count)
        throw new JitError(`the constant %${id} has ${i.operands.length} parts, its type ${count}`);
      for (let n = 0; n < i.operands.length; n++) {
        const offset = info.kind === 'struct' ? info.offsets![n]! : n * info.stride;
        this.write(index, i.operands[n]! as Id, memberOf(info, n), at + offset);
      }
      return;
    }
    // Without a list for each element: a table may have millions.
    if (i?.op === Op.Constant) {
      this.writeLeaf(index, constantLeaf(info.scalar, i.operands), info.scalar, at);
      return;
    }
    const leaves = index.constants.leaves(id);
    if (!leaves) throw new JitError(`an initializer (%${id}) that is not constant`);
    if (leaves.length === 1) {
      this.writeLeaf(index, leaves[0], info.scalar, at);
      return;
    }
    const places = index.types.leaves(info);
    for (const [n, leaf] of leaves.entries())
      this.writeLeaf(index, leaf, places[n]!.type, at + places[n]!.offset);
  }

  private writeLeaf(index: ModuleIndex, value: ConstantLeaf, type: Type, at: number): void {
    if (value === undefined) return;
    this.written += bytesOf(type);
    if (this.written > MOST_DATA)
      throw new JitError(`the initializers of a program's constants have more than ${MOST_DATA} bytes`);
    if (isAddress(value)) {
      const target = this.offsetOf(index, value.variable);
      if (target === undefined)
        throw new JitError(
          `an initializer takes the address of '${index.nameOf(value.variable)}', which has no fixed address`,
        );
      this.bytes.writeWord(at, target + value.offset);
      this.relocations.push(at);
      return;
    }
    if (isNan(value)) this.bytes.write(at, scalarBytes(integerLike(type), value.bits));
    else if (type === Type.I32) this.bytes.writeWord(at, Number(value));
    else this.bytes.write(at, scalarBytes(type, value));
  }

  /** The variable or constant that has the byte at `offset`. */
  variableAt(
    offset: number,
  ): { readonly name: string; readonly offset: number; readonly size: number } | undefined {
    const item = this.itemAt(offset);
    return item && { name: item.index.nameOf(item.id), offset: item.offset, size: item.info.size };
  }

  /** The bytes at `offset` if they never change: for folding loads. */
  constantBytes(offset: number, size: number): DataView | undefined {
    const item = this.itemAt(offset);
    if (!item?.constant || offset + size > item.offset + item.info.size) return undefined;
    for (let i = offset - 3; i < offset + size; i++) if (this.relocated.has(i)) return undefined;
    return new DataView(this.bytes.read(offset, size).buffer);
  }

  private itemAt(offset: number): Item | undefined {
    let low = 0;
    let high = this.items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.items[middle]!.offset <= offset) low = middle + 1;
      else high = middle;
    }
    return this.items[low - 1];
  }

  /** The bytes of the string literal at `offset`. */
  string(offset: number): Uint8Array | undefined {
    if (!this.itemAt(offset)?.constant) return undefined;
    const end = this.bytes.zeroAfter(offset);
    return end === this.size ? undefined : this.bytes.read(offset, end - offset);
  }
}

const scratch = new DataView(new ArrayBuffer(8));

/** The bytes of a scalar in memory; valid until the next call. */
function scalarBytes(type: Type, value: number | bigint): Uint8Array {
  switch (type) {
    case Type.I64:
      scratch.setBigInt64(0, BigInt(value), true);
      break;
    case Type.F16:
      scratch.setUint16(0, halfBits(Number(value)), true);
      break;
    case Type.F32:
      scratch.setFloat32(0, Number(value), true);
      break;
    case Type.F64:
      scratch.setFloat64(0, Number(value), true);
      break;
    default:
      scratch.setInt32(0, Number(value), true);
  }
  return new Uint8Array(scratch.buffer, 0, Math.max(1, bytesOf(type)));
}
