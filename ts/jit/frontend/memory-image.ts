// SPDX-License-Identifier: MIT
//
// The initial contents of a program's own memory: program-scope variables, constants, string literals, the library's
// tables. Addresses in it are relocated by the address at which an instance of it is loaded.

import { halfBits } from '../../base/half';
import { Decoration, LinkageType, Op, StorageClass } from '../../spirv/grammar.gen';
import type { Id } from '../../spirv/module';
import { Type } from '../ir/ir';
import { JitError } from '../jit-error';
import { type ConstantLeaf, isAddress } from './constants';
import type { ModuleIndex } from './module-index';
import type { Leaf, TypeInfo } from './types';

interface Item {
  readonly index: ModuleIndex;
  readonly info: TypeInfo;
  readonly initializer: Id | undefined;
  readonly offset: number;
  /** The program cannot write it. */
  readonly constant: boolean;
}

export class MemoryImage {
  private readonly items: Item[] = [];
  private readonly offsets = new Map<ModuleIndex, Map<Id, number>>();
  private size = 0;
  private view = new DataView(new ArrayBuffer(0));
  align = 16;
  readonly relocations: number[] = [];
  private relocated = new Set<number>();

  /** All variables of a module that live in this memory. */
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
    let table = this.offsets.get(index);
    if (!table) {
      table = new Map();
      this.offsets.set(index, table);
    }
    table.set(id, offset);
    this.items.push({ index, info, initializer, offset, constant });
  }

  offsetOf(index: ModuleIndex, id: Id): number | undefined {
    return this.offsets.get(index)?.get(id);
  }

  /** Writes the initializers; nothing is added behind it. */
  finish(): Uint8Array {
    const bytes = new Uint8Array(this.size);
    this.view = new DataView(bytes.buffer);
    for (const item of this.items) {
      if (!item.initializer) continue;
      if (item.index.definition(item.initializer).op === Op.ConstantNull) continue;
      const leaves = item.index.constants.leaves(item.initializer);
      if (!leaves) throw new JitError(`an initializer (%${item.initializer}) that is not constant`);
      const places = item.index.types.leaves(item.info);
      for (let i = 0; i < places.length; i++) this.write(item, places[i]!, leaves[i]);
    }
    this.relocated = new Set(this.relocations);
    return bytes;
  }

  private write(item: Item, place: Leaf, value: ConstantLeaf): void {
    const at = item.offset + place.offset;
    const { view } = this;
    if (value === undefined) return;
    if (isAddress(value)) {
      const target = this.offsetOf(item.index, value.variable);
      if (target === undefined)
        throw new JitError(
          `an initializer takes the address of '${item.index.nameOf(value.variable)}', which has no fixed address`,
        );
      view.setInt32(at, target + value.offset, true);
      this.relocations.push(at);
      return;
    }
    switch (place.type) {
      case Type.I1:
      case Type.I8:
        view.setInt8(at, Number(value));
        return;
      case Type.I16:
        view.setInt16(at, Number(value), true);
        return;
      case Type.I32:
        view.setInt32(at, Number(value), true);
        return;
      case Type.I64:
        view.setBigInt64(at, BigInt(value), true);
        return;
      case Type.F16:
        view.setUint16(at, halfBits(Number(value)), true);
        return;
      case Type.F32:
        view.setFloat32(at, Number(value), true);
        return;
      case Type.F64:
        view.setFloat64(at, Number(value), true);
        return;
    }
  }

  /** The bytes at `offset` where they never change: for folding loads. */
  constantBytes(offset: number, size: number): DataView | undefined {
    const item = this.itemAt(offset);
    if (!item?.constant || offset + size > item.offset + item.info.size) return undefined;
    for (let i = offset - 3; i < offset + size; i++) if (this.relocated.has(i)) return undefined;
    return new DataView(this.view.buffer, offset, size);
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

  /** The string literal at `offset`. */
  string(offset: number): string | undefined {
    if (!this.itemAt(offset)?.constant) return undefined;
    const bytes = new Uint8Array(this.view.buffer);
    const end = bytes.indexOf(0, offset);
    return end < 0 ? undefined : new TextDecoder().decode(bytes.subarray(offset, end));
  }
}
