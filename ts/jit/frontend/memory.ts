// SPDX-License-Identifier: MIT
//
// Variables, loads, stores, address arithmetic, copies.

import { type BuiltIn, Decoration, Op, StorageClass } from '../../spirv/grammar.gen';
import type { Id, Instruction } from '../../spirv/module';
import { constantOf, isUndefined } from '../ir/build';
import { type AddressSpace, type InstFacts, Op as Ir, Type, type Value } from '../ir/ir';
import { bytesOf } from '../ir/types';
import { split } from './addresses';
import { assertIndexes } from './assertions';
import { loadBuiltIn } from './built-in-variables';
import { countTo } from './counted-loop';
import { constantContents, isTypedVariable } from './private-variables';
import { LARGE_INITIALIZER } from './reach';
import type { Handler, HandlerTable, Translation } from './translation';
import { ADDRESS_SPACES, hasGaps, type Leaf, memberOf, type TypeInfo } from './types';

/** Copies of more scalars than this are not split. */
const SMALL_COPY = 64;

export interface Place {
  readonly address: Value;
  readonly offset: number;
  readonly space: AddressSpace;
  /** The alignment of `address + offset`; 0 if only the scalars' own alignment is known. */
  readonly align: number;
  readonly volatile: boolean;
}

export function spaceOf(t: Translation, storage: StorageClass): AddressSpace {
  return (
    ADDRESS_SPACES[storage] ??
    t.fail(`storage class ${StorageClass[storage] ?? storage} is not one of OpenCL's`)
  );
}

/** The place that `pointer` points to; memory operands start at `i.operands[at]`. */
export function placeOf(t: Translation, pointer: number, i?: Instruction, at = 0): Place {
  const info = t.typeOf(pointer);
  if (t.context.checks) assertIndexes(t, pointer as Id);
  const flags = i?.operands[at] ?? 0;
  const { address, offset } = split(narrowed(t, t.scalar(pointer)));
  return {
    address,
    offset,
    space: placeOfContents(t, pointer as Id) === undefined ? spaceOf(t, info.storage!) : 'constant',
    align: flags & 2 ? i!.operands[at + 1]! : 0,
    volatile:
      (flags & 1) !== 0 ||
      (t.index.hasDecorations(pointer as Id) &&
        t.index.decoration(pointer as Id, Decoration.Volatile) !== undefined),
  };
}

function facts(place: Place, leaf: Leaf): InstFacts {
  const natural = bytesOf(leaf.type);
  let align = natural;
  if (place.align > 0) {
    align = place.align;
    while (leaf.offset % align !== 0) align /= 2;
    if (align > 16) align = 16;
  }
  const result = {
    offset: place.offset + leaf.offset,
    align,
    space: place.space,
    ...(leaf.isPadding ? { isPadding: true } : {}),
  };
  return place.volatile ? { ...result, volatile: true } : result;
}

export function loadLeaf(t: Translation, place: Place, leaf: Leaf): Value {
  if (leaf.storage === 'bool') {
    const byte = t.emit(Ir.Load, Type.I8, [place.address], facts(place, { ...leaf, type: Type.I8 }));
    return t.emit(Ir.Ne, Type.I1, [byte, t.const(Type.I8, 0)]);
  }
  return t.emit(Ir.Load, leaf.type, [place.address], facts(place, leaf));
}

export function storeLeaf(t: Translation, place: Place, leaf: Leaf, value: Value): void {
  // A struct that was made of its members leaves the padding as it is.
  if (leaf.isPadding && isUndefined(value)) return;
  if (leaf.storage === 'bool') {
    const byte = t.emit(Ir.ZExt, Type.I8, [value]);
    t.emit(Ir.Store, Type.Void, [place.address, byte], facts(place, { ...leaf, type: Type.I8 }));
    return;
  }
  t.emit(Ir.Store, Type.Void, [place.address, value], facts(place, leaf));
  if (leaf.storage === 'wide-pointer')
    t.emit(
      Ir.Store,
      Type.Void,
      [place.address, t.i32(0)],
      facts(place, { type: Type.I32, offset: leaf.offset + 4, storage: 'plain' }),
    );
}

export function loadValue(t: Translation, place: Place, info: TypeInfo): Value[] {
  return t.index.types.leaves(info).map((leaf) => loadLeaf(t, place, leaf));
}

export function storeValue(t: Translation, place: Place, info: TypeInfo, values: readonly Value[]): void {
  t.index.types.leaves(info).forEach((leaf, at) => {
    storeLeaf(t, place, leaf, values[at]!);
  });
}

/** Whether a pointer leads into a built-in variable. llvm-spirv up to version 7 declared these as constants. */
function isBuiltIn(t: Translation, pointer: Id): boolean {
  const { storage } = t.typeOf(pointer);
  if (storage === StorageClass.Input) return true;
  if (storage !== StorageClass.UniformConstant) return false;
  return t.builtInPointers.has(pointer) || t.index.decoration(pointer, Decoration.BuiltIn) !== undefined;
}

function load(t: Translation, i: Instruction): void {
  const pointer = i.operands[0]! as Id;
  if (isBuiltIn(t, pointer)) {
    t.set(i, loadBuiltIn(t, pointer, t.type(i)));
    return;
  }
  t.set(i, loadValue(t, placeOf(t, pointer, i, 1), t.type(i)));
}

function store(t: Translation, i: Instruction): void {
  const [pointer, value] = [i.operands[0]!, i.operands[1]!];
  if (placeOfContents(t, pointer as Id) !== undefined) return;
  storeValue(t, placeOf(t, pointer, i, 2), t.typeOf(value), t.get(value));
}

/** Of a pointer into a private variable with constant contents: their place in the program's memory. */
function placeOfContents(t: Translation, pointer: Id): number | undefined {
  const { checks, debug, zeroPrivate, image } = t.context;
  if (checks || debug || zeroPrivate) return undefined;
  const contents = constantContents(t.index, pointer);
  return contents && image.offsetOf(t.index, contents);
}

function variable(t: Translation, i: Instruction): void {
  const contents = placeOfContents(t, i.result);
  if (contents !== undefined) {
    t.set(i, [t.builder.leaves.leaf(Ir.ProgramBase, Type.I32, { offset: contents, isPrivateTable: true })]);
    return;
  }
  const info = t.index.types.pointee(t.type(i));
  const align = Math.max(info.align, t.index.decoration(i.result, Decoration.Alignment)?.[0] ?? 1);
  // Each inlined call has a separate variable.
  const alloca = t.builder.leaves.alloca(Math.max(info.size, 1), align);
  if (hasGaps(info) && isTypedVariable(t.index, i.result)) alloca.facts = { ...alloca.facts, isTyped: true };
  t.set(i, [alloca]);
  if (t.context.checks) {
    t.context.privates.set(alloca.id, t.index.names.get(i.result) ?? '');
    t.privateTypes.set(alloca, info);
  }
  const initializer = i.operands[1] as Id | undefined;
  const place: Place = { address: alloca, offset: 0, space: 'private', align, volatile: false };
  if (!initializer) {
    if (t.context.zeroPrivate) zero(t, place, info);
    return;
  }
  if (info.width <= LARGE_INITIALIZER) storeValue(t, place, info, t.get(initializer));
  else {
    const offset = t.context.image.offsetOf(t.index, initializer);
    if (offset === undefined) t.fail(`the initializer %${initializer} has no place in memory`);
    const from = t.builder.leaves.leaf(Ir.ProgramBase, Type.I32, { offset });
    t.emit(Ir.Copy, Type.Void, [alloca, from], { size: info.size, align: info.align });
  }
}

/**
 * Stores zeros: scalar by scalar; or byte by byte in a loop if there are many scalars, or padding between
 * them.
 */
function zero(t: Translation, place: Place, info: TypeInfo): void {
  const leaves = t.index.types.leaves(info);
  if (info.width <= SMALL_COPY && info.kind !== 'struct') {
    for (const leaf of leaves) storeLeaf(t, place, leaf, t.zero(leaf.type));
    return;
  }
  countTo(t, t.i32(info.size), (at) => {
    const address = t.element(place.address, at, 1);
    t.emit(Ir.Store, Type.Void, [address, t.const(Type.I8, 0)], { align: 1, space: place.space });
  });
}

/** An index as a 32-bit number; narrower ones are signed. */
function indexValue(t: Translation, id: number): Value {
  return t.resize(t.scalar(id), Type.I32, true);
}

/** A constant index for an address: as a signed number of its bits. */
export function constantIndex(t: Translation, id: number, address: Value): number | undefined {
  if (address.type === Type.I32) return t.index.constants.low(id as Id);
  const index = t.index.constants.tryInteger(id as Id);
  // Of others not every product with a size is exact.
  return index !== undefined && Math.abs(index) < 2 ** 31 ? index : undefined;
}

/** A distance of this many bytes, as exact as the address. */
const distance = (address: Value, bytes: number): number => (address.type === Type.I32 ? bytes | 0 : bytes);

/**
 * A generic address of private or local memory has 32 bits that matter. Where its computation is visible, the address of these bits:
 * the passes find variables by such addresses only.
 */
export function narrowed(t: Translation, address: Value): Value {
  const space = address.type === Type.I64 ? rootSpace(address) : undefined;
  return space === 'private' || space === 'local' ? narrowedSum(t, address) : address;
}

function narrowedSum(t: Translation, address: Value): Value {
  if (address.kind === 'inst' && address.op === Ir.ZExt) return address.operands[0]!;
  if (address.kind !== 'inst' || address.op !== Ir.Add) return t.emit(Ir.Trunc, Type.I32, [address]);
  const [base, by] = address.operands as [Value, Value];
  const constant = constantOf(by);
  const narrow = narrowedSum(t, base);
  if (constant !== undefined) return t.add(narrow, Number(BigInt.asIntN(32, BigInt(constant))));
  return t.emit(Ir.Add, Type.I32, [narrow, t.emit(Ir.Trunc, Type.I32, [by])]);
}

const accessChain =
  (elementFirst: boolean): Handler =>
  (t, i) => {
    const base = i.operands[0]! as Id;
    const pointer = t.typeOf(base);
    if (isBuiltIn(t, base)) {
      builtInComponent(t, i, base, elementFirst);
      return;
    }
    let info = t.index.types.pointee(pointer);
    let address = t.scalar(base);
    let offset = 0;
    const moved = (to: Value, count: number, size: number) =>
      to.type === Type.I32 ? Math.imul(count, size) : count * size;
    const step = (id: number, size: number) => {
      const constant = constantIndex(t, id, address);
      if (constant !== undefined) offset = distance(address, offset + moved(address, constant, size));
      else address = t.element(address, t.scalar(id), size);
    };
    let first = 1;
    const indexes = t.context.checks && [...(t.nestedIndexes.get(base) ?? [])];
    // The pointer's own element: an index after it is one of a row, and its array's last index is not yet all of the way.
    const isMoved = elementFirst && t.index.constants.tryInteger(i.operands[1]! as Id) !== 0;
    if (isMoved) indexes?.pop();
    // Or a part that another instruction has led to: some compilers take one step each.
    let isNested = isMoved || t.nestedIndexes.has(base);
    if (elementFirst) step(i.operands[first++]!, info.size);
    for (const id of i.operands.slice(first)) {
      if (info.kind === 'struct') {
        const member = Number(t.index.constants.integer(id as Id));
        offset += info.offsets![member]!;
        info = memberOf(info, member);
      } else {
        step(id, info.stride);
        if (isNested && info.kind === 'array') indexes?.push({ index: id as Id, count: info.count });
        info = memberOf(info, 0);
      }
      isNested = true;
    }
    if (indexes && isNested) t.nestedIndexes.set(i.result, indexes);
    t.set(i, [t.add(address, offset)]);
  };

function builtInComponent(t: Translation, i: Instruction, base: Id, elementFirst: boolean): void {
  const pointer = t.builtInPointers.get(base);
  const kind: BuiltIn | undefined = pointer?.builtIn ?? t.index.decoration(base, Decoration.BuiltIn)?.[0];
  const indexes = i.operands.slice(elementFirst ? 2 : 1);
  if (kind === undefined || indexes.length > 1 || pointer?.component !== undefined)
    t.fail('this use of a built-in variable is not supported');
  if (indexes.length === 0) t.builtInPointers.set(i.result, { builtIn: kind });
  else {
    const constant = t.index.constants.tryInteger(indexes[0]! as Id);
    t.builtInPointers.set(i.result, { builtIn: kind, component: constant ?? indexValue(t, indexes[0]!) });
  }
  t.set(i, [t.i32(0)]);
}

function copyMemory(t: Translation, i: Instruction): void {
  const [to, from] = [i.operands[0]!, i.operands[1]!];
  const info = t.index.types.pointee(t.typeOf(to));
  const target = placeOf(t, to, i, 2);
  const source = placeOf(t, from, i, 2);
  if (info.width <= SMALL_COPY) storeValue(t, target, info, loadValue(t, source, info));
  else {
    const addresses = [narrowed(t, t.scalar(to)), narrowed(t, t.scalar(from))];
    t.emit(Ir.Copy, Type.Void, addresses, { size: info.size, align: info.align });
  }
}

function copyMemorySized(t: Translation, i: Instruction): void {
  if (placeOfContents(t, i.operands[0]! as Id) !== undefined) return;
  const [to, from] = [narrowed(t, t.scalar(i.operands[0]!)), narrowed(t, t.scalar(i.operands[1]!))];
  const size = t.index.constants.tryInteger(i.operands[2]! as Id);
  const align = placeOf(t, i.operands[0]!, i, 3).align || 1;
  if (size !== undefined) {
    t.emit(Ir.Copy, Type.Void, [to, from], { size, align });
    return;
  }
  const spaces = [i.operands[0]!, i.operands[1]!].map((id) => spaceOf(t, t.typeOf(id).storage!));
  countTo(t, indexValue(t, i.operands[2]!), (at) => {
    const [target, source] = [to, from].map((base) => t.element(base, at, 1));
    const byte = t.emit(Ir.Load, Type.I8, [source!], { align: 1, space: spaces[1]! });
    t.emit(Ir.Store, Type.Void, [target!, byte], { align: 1, space: spaces[0]! });
  });
}

// --- pointers

function pointerDifference(t: Translation, i: Instruction): void {
  const [a, b] = [t.scalar(i.operands[0]!), t.scalar(i.operands[1]!)];
  const size = t.index.types.pointee(t.typeOf(i.operands[0]!)).size;
  const { type } = a;
  const bytes = t.emit(Ir.Sub, type, [a, b]);
  const elements = size === 1 ? bytes : t.emit(Ir.SDiv, type, [bytes, t.const(type, size)]);
  t.set(i, [t.resize(elements, t.scalarType(t.type(i)), true)]);
}

/** The address space of an address's origin, if its computation is visible. */
function rootSpace(address: Value): AddressSpace | undefined {
  const seen = new Set<Value>();
  const visit = (value: Value): AddressSpace | undefined => {
    if (seen.has(value) || value.kind !== 'inst') return undefined;
    seen.add(value);
    switch (value.op) {
      case Ir.Add:
      case Ir.Sub:
      case Ir.ZExt:
      case Ir.Trunc:
        return visit(value.operands[0]!);
      case Ir.Select: {
        const then = visit(value.operands[1]!);
        return then === visit(value.operands[2]!) ? then : undefined;
      }
      case Ir.PrivateAlloca:
        return 'private';
      case Ir.LocalBase:
        return 'local';
      case Ir.ProgramBase:
        return 'global';
      case Ir.Argument:
        return value.facts.space;
      default:
        return undefined;
    }
  };
  return visit(address);
}

function castToExplicit(t: Translation, i: Instruction): void {
  const address = t.scalar(i.operands[0]!);
  const wanted = spaceOf(t, t.type(i).storage!);
  const space = rootSpace(address);
  const type = t.scalarType(t.type(i));
  const explicit = t.resize(address, type, false);
  if (space !== undefined) t.set(i, [space === wanted ? explicit : t.zero(type)]);
  else t.set(i, [t.select(liesIn(t, address, wanted), explicit, t.zero(type))]);
}

/** Tests at run time whether an address belongs to an address space: private memory follows local memory. */
function liesIn(t: Translation, address: Value, space: AddressSpace): Value {
  const { type } = address;
  const edge = (op: Ir) => t.builder.leaves.leaf(op, Type.I32);
  const difference = (a: Value, b: Value) =>
    t.emit(Ir.Sub, type, [t.resize(a, type, false), t.resize(b, type, false)]);
  const between = (from: Value, to: Value) =>
    t.emit(Ir.ULt, Type.I1, [difference(address, from), difference(to, from)]);
  const local = () => t.builder.leaves.leaf(Ir.LocalBase, Type.I32, { offset: 0 });
  if (space === 'local') return between(local(), edge(Ir.ScratchBase));
  if (space === 'private') return between(edge(Ir.ScratchBase), edge(Ir.ScratchEnd));
  return t.not(between(local(), edge(Ir.ScratchEnd)));
}

/** Memory semantics bits by address space (3.25). */
const SEMANTICS: Partial<Record<AddressSpace, number>> = { private: 0, local: 0x100, global: 0x200 };

function genericSemantics(t: Translation, i: Instruction): void {
  const address = t.scalar(i.operands[0]!);
  const space = rootSpace(address);
  const bits = (of: AddressSpace) => t.i32(SEMANTICS[of] ?? SEMANTICS.global!);
  if (space !== undefined) t.set(i, [bits(space)]);
  else {
    const other = t.select(liesIn(t, address, 'private'), bits('private'), bits('global'));
    t.set(i, [t.select(liesIn(t, address, 'local'), bits('local'), other)]);
  }
}

const otherSpace: Handler = (t, i) =>
  t.set(i, [t.resize(t.scalar(i.operands[0]!), t.scalarType(t.type(i)), false)]);

export const MEMORY: HandlerTable = {
  [Op.Variable]: variable,
  [Op.Load]: load,
  [Op.Store]: store,
  [Op.AccessChain]: accessChain(false),
  [Op.InBoundsAccessChain]: accessChain(false),
  [Op.PtrAccessChain]: accessChain(true),
  [Op.InBoundsPtrAccessChain]: accessChain(true),
  [Op.CopyMemory]: copyMemory,
  [Op.CopyMemorySized]: copyMemorySized,
  [Op.PtrEqual]: (t, i) =>
    t.set(i, [t.emit(Ir.Eq, Type.I1, [t.scalar(i.operands[0]!), t.scalar(i.operands[1]!)])]),
  [Op.PtrNotEqual]: (t, i) =>
    t.set(i, [t.emit(Ir.Ne, Type.I1, [t.scalar(i.operands[0]!), t.scalar(i.operands[1]!)])]),
  [Op.PtrDiff]: pointerDifference,
  [Op.PtrCastToGeneric]: otherSpace,
  [Op.GenericCastToPtr]: otherSpace,
  [Op.GenericCastToPtrExplicit]: castToExplicit,
  [Op.GenericPtrMemSemantics]: genericSemantics,
};
