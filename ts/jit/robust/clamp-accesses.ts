// SPDX-License-Identifier: MIT
//
// Keeps each access of a kernel to the memory that it was given (docs/adr/0029-robust-access.md). It runs before all passes that
// move, join or speculate accesses: what they make of a clamped address is within bounds as well.
import { BOUNDS, boundsOfArgument, SAFE_BYTES } from '../../base/bounds';
import { IMAGE_DESCRIPTOR, type KernelSignature } from '../../base/kernel-abi';
import { constantOf, Leaves, makeInst } from '../ir/build';
import { type Block, type Func, type Inst, type InstFacts, Op, Type, type Value } from '../ir/ir';
import { bytesOf } from '../ir/types';
import { type Origin, Origins } from './origins';
import { regionLookup } from './region-lookup';

const ATOMICS: ReadonlySet<Op> = new Set([Op.AtomicLoad, Op.AtomicStore, Op.AtomicRmw, Op.AtomicCmpXchg]);

/** The memory that accesses of this many bytes through one origin are kept to. */
interface Extent {
  readonly base: Value;
  /** The lowest address to access, and the highest offset from there. */
  readonly start: Value;
  readonly most: Value;
}

/** Bytes relative to an address. */
interface Span {
  readonly offset: number;
  readonly size: number;
}

export function clampAccesses(func: Func, signature: KernelSignature): boolean {
  new AccessClamps(func, signature).run();
  return true;
}

class AccessClamps {
  private readonly leaves: Leaves;
  private readonly origins: Origins;
  /** What is computed once, at the start of the body. */
  private readonly setUp: Inst[] = [];
  private readonly start: Block;
  private readonly description: Value;
  private readonly extents = new Map<string, Extent>();
  private readonly loads = new Map<number, Value>();
  private readonly escaped: readonly Inst[];
  private readonly lookUp: Func;
  private out: Inst[] = [];
  private block: Block;

  constructor(
    private readonly func: Func,
    private readonly signature: KernelSignature,
  ) {
    this.leaves = new Leaves(func);
    this.origins = new Origins(func, signature);
    this.escaped = this.origins.escaped();
    this.start = func.entry.targets[0]!.block;
    this.block = this.start;
    this.description = this.leaves.leaf(Op.Bounds, Type.I32);
    this.lookUp = regionLookup();
  }

  run(): void {
    const { entry } = this.func;
    for (const block of this.func.blocks) {
      if (block === entry) continue;
      this.block = block;
      this.out = [];
      const { insts } = block;
      for (let at = 0; at < insts.length; ) at += this.step(insts, at);
      block.insts = this.out;
    }
    // The start may be a loop's header, where the values would be computed again and again: that does no harm.
    this.start.insts = [...this.setUp, ...this.start.insts];
  }

  /** Adds what the instruction at `at` needs, and passes it on, with those that go with it; returns how many. */
  private step(insts: readonly Inst[], at: number): number {
    const inst = insts[at]!;
    if (inst.op === Op.Load || inst.op === Op.Store) {
      const { count, span } = spanAt(insts, at);
      const members = insts.slice(at, at + count);
      this.redirect(members, span);
      this.out.push(...members);
      return count;
    }
    if (ATOMICS.has(inst.op) && !isCounter(inst)) {
      this.redirect([inst], spanOf(inst));
      // A copy of the memory would not have its bounds.
      const { privatized: _, ...facts } = inst.facts;
      inst.facts = facts;
    } else if (inst.op === Op.Copy) {
      this.copy(inst);
      return 1;
    } else if (inst.op === Op.AsyncCopy) this.asyncCopy(inst);
    this.out.push(inst);
    return 1;
  }

  /** In parts that fit into the safe memory, which takes those that are out of bounds. */
  private copy({ operands, facts, block, position }: Inst): void {
    const [to, from] = operands as [Value, Value];
    for (let at = 0; at < facts.size!; at += SAFE_BYTES) {
      const size = Math.min(SAFE_BYTES, facts.size! - at);
      const ends = [to, from].map((end) => this.add(this.clamp(end, { offset: at, size }, 1), at));
      this.out.push(makeInst(this.func, block, Op.Copy, Type.Void, ends, { ...facts, size }, position));
    }
  }

  private redirect(insts: readonly Inst[], span: Span): void {
    const first = insts[0]!;
    const address = first.operands[0]!;
    const align = ATOMICS.has(first.op) ? (first.facts.align ?? span.size) : 1;
    const clamped = this.clamp(address, span, align, first.op === Op.Load);
    if (clamped === address) return;
    for (const inst of insts) inst.operands = [clamped, ...inst.operands.slice(1)];
  }

  /** An address whose bytes are within bounds: the given one, if it is so. */
  private clamp(address: Value, span: Span, align: number, reads = false): Value {
    const origin = this.origins.of(address);
    if (!origin) return this.checked(address, span);
    const at = constantOffset(address, origin);
    if (at !== undefined && this.isWithin(origin, at + span.offset, span.size)) return address;
    if (origin.kind === 'private') return this.clampPrivate(address, origin.alloca, span);
    const { base, start, most } = this.extent(origin, span.size, align, reads);
    const from = this.add(address, span.offset);
    const offset = this.emit(Op.UMin, [this.emit(Op.Sub, [from, base]), most]);
    return this.add(this.emit(Op.Add, [start, offset]), -span.offset);
  }

  /** Of constant offsets: whether the access is certainly within bounds. */
  private isWithin(origin: Origin, offset: number, size: number): boolean {
    const bytes =
      origin.kind === 'private'
        ? origin.alloca.facts.size!
        : origin.kind === 'argument' && this.signature.arguments[origin.index]!.kind === 'image'
          ? IMAGE_DESCRIPTOR.bytes
          : 0;
    return offset >= 0 && offset + size <= bytes;
  }

  /** In the form that analyses of private memory know: the variable's address plus an offset. */
  private clampPrivate(address: Value, alloca: Inst, { offset, size }: Span): Value {
    const room = alloca.facts.size! - size;
    if (room < 0) return this.add(this.description, BOUNDS.safe - offset);
    const index = this.relativeTo(address, alloca) ?? this.emit(Op.Sub, [address, alloca]);
    const clamped = this.emit(Op.UMin, [this.add(index, offset), this.leaves.i32(room)]);
    return this.emit(Op.Add, [alloca, this.add(clamped, -offset)]);
  }

  /** The terms of a sum without the variable's address. */
  private relativeTo(address: Value, alloca: Inst): Value | undefined {
    if (address === alloca) return this.leaves.i32(0);
    if (address.kind !== 'inst' || address.op !== Op.Add) return undefined;
    const [a, b] = address.operands as [Value, Value];
    const [pointer, index] = this.origins.of(a) ? [a, b] : [b, a];
    const rest = this.relativeTo(pointer, alloca);
    return rest && this.emit(Op.Add, [rest, index]);
  }

  // --- extents

  private extent(
    origin: Exclude<Origin, { kind: 'private' }>,
    size: number,
    align: number,
    reads: boolean,
  ): Extent {
    const readsTexels = reads && origin.kind === 'image';
    const key = `${origin.kind} ${'index' in origin ? origin.index : ''} ${size} ${align} ${readsTexels}`;
    let extent = this.extents.get(key);
    if (!extent) {
      const [base, bytes] = this.memoryOf(origin);
      const readable = readsTexels ? this.early(Op.Add, [bytes, this.bytesAfterTexel(origin.index)]) : bytes;
      extent = this.extentOf(base, readable, size, align);
      this.extents.set(key, extent);
    }
    return extent;
  }

  /** Where the memory is smaller than the access, the access goes nowhere. */
  private extentOf(base: Value, bytes: Value, size: number, align: number): Extent {
    const { leaves } = this;
    const fits = this.early(Op.UGe, [bytes, leaves.i32(size)], {}, Type.I1);
    const room = this.early(Op.Sub, [bytes, leaves.i32(size)]);
    const aligned = align > 1 ? this.early(Op.And, [room, leaves.i32(-align)]) : room;
    // As an offset from the memory, so that alias analysis still sees where the address comes from.
    const safe = this.early(Op.Add, [this.description, leaves.i32(BOUNDS.safe)]);
    const away = this.early(Op.Sub, [safe, base]);
    const shift = this.early(Op.Select, [fits, leaves.i32(0), away]);
    return {
      base,
      start: this.early(Op.Add, [base, shift]),
      most: this.early(Op.Select, [fits, aligned, leaves.i32(0)]),
    };
  }

  private memoryOf(origin: Exclude<Origin, { kind: 'private' }>): [base: Value, bytes: Value] {
    const { leaves, signature } = this;
    switch (origin.kind) {
      case 'local': {
        const base = leaves.leaf(Op.LocalBase, Type.I32, { offset: 0 });
        return [base, this.early(Op.Sub, [leaves.leaf(Op.ScratchBase, Type.I32), base])];
      }
      case 'program':
        return [leaves.leaf(Op.ProgramBase, Type.I32, { offset: 0 }), this.word(BOUNDS.globals)];
      case 'region':
        return [this.word(BOUNDS.region), this.word(BOUNDS.region + 4)];
      case 'argument': {
        const argument = this.argumentOf(origin.index);
        const isImage = signature.arguments[origin.index]!.kind === 'image';
        const bytes = isImage
          ? leaves.i32(IMAGE_DESCRIPTOR.bytes)
          : this.word(boundsOfArgument(origin.index) + 4);
        return [argument, bytes];
      }
      case 'image': {
        const at = boundsOfArgument(origin.index);
        return [this.word(at), this.word(at + 4)];
      }
    }
  }

  /** The library reads texels by words, of which the last may end after the image; it drops the bytes that it must not read. */
  private bytesAfterTexel(image: number): Value {
    const offset = IMAGE_DESCRIPTOR.elementSize;
    const facts: InstFacts = { offset, align: 4, space: 'constant', invariant: true };
    const size = this.early(Op.Load, [this.argumentOf(image)], facts);
    return this.early(Op.And, [this.early(Op.Sub, [this.leaves.i32(0), size]), this.leaves.i32(3)]);
  }

  /** The instruction that there is: an address from another one has another origin for the passes to come. */
  private argumentOf(index: number): Value {
    const found = this.func.entry.insts.find(
      ({ op, type, facts }) => op === Op.Argument && type === Type.I32 && facts.index === index,
    );
    return found ?? this.leaves.leaf(Op.Argument, Type.I32, { index, offset: 0 });
  }

  /** A word of the description. */
  private word(offset: number): Value {
    let value = this.loads.get(offset);
    if (!value) {
      value = this.early(Op.Load, [this.description], {
        offset,
        align: 4,
        space: 'constant',
        invariant: true,
      });
      this.loads.set(offset, value);
    }
    return value;
  }

  // --- pointers of unknown origin

  /** The address if its bytes are in some memory that the kernel was given, otherwise that of nobody's memory. */
  private checked(address: Value, { offset, size }: Span): Value {
    const from = this.add(address, offset);
    return this.add(this.found(from, this.leaves.i32(size)), -offset);
  }

  private found(from: Value, size: Value): Value {
    const { leaves, description } = this;
    const safe = this.early(Op.Add, [description, leaves.i32(BOUNDS.safe)]);
    const facts: InstFacts = { callee: this.lookUp };
    const table = this.early(Op.Add, [
      description,
      leaves.i32(boundsOfArgument(this.signature.arguments.length)),
    ]);
    let result: Value = this.emit(
      Op.Call,
      [table, this.word(BOUNDS.count), from, size, safe],
      Type.I32,
      facts,
    );
    for (const origin of [LOCAL, PROGRAM]) {
      const [base, bytes] = this.memoryOf(origin);
      result = this.within(from, size, base, bytes, result);
    }
    for (const alloca of this.escaped)
      result = this.within(from, size, alloca, leaves.i32(alloca.facts.size!), result);
    return result;
  }

  private within(from: Value, size: Value, base: Value, bytes: Value, otherwise: Value): Value {
    const fits = this.emit(Op.ULe, [size, bytes], Type.I1);
    const room = this.emit(Op.Sub, [bytes, size]);
    const inside = this.emit(Op.ULe, [this.emit(Op.Sub, [from, base]), room], Type.I1);
    return this.emit(Op.Select, [this.emit(Op.And, [fits, inside], Type.I1), from, otherwise]);
  }

  // --- copies by all work-items

  /** Does nothing unless all of both sides is within bounds. */
  private asyncCopy(inst: Inst): void {
    const [to, from, count, stride, item] = inst.operands as [Value, Value, Value, Value, Value];
    const { leaves } = this;
    const size = inst.facts.size!;
    const wide = (value: Value): Value =>
      value.type === Type.I64 ? value : this.emit(Op.ZExt, [value], Type.I64);
    const long = (value: number): Value => leaves.constant(Type.I64, value);
    // So that no product is beyond 64 bits.
    const small = (value: Value): Value => this.emit(Op.ULt, [wide(value), long(2 ** 28)], Type.I1);
    const bytes = this.emit(Op.Mul, [wide(count), long(size)], Type.I64);
    // From the first element to the last one: there need be nothing behind that.
    const last = this.emit(Op.Sub, [this.emit(Op.UMax, [wide(count), long(1)], Type.I64), long(1)], Type.I64);
    const before = this.emit(Op.Mul, [last, wide(stride)], Type.I64);
    const spread = this.emit(Op.Mul, [this.emit(Op.Add, [before, long(1)], Type.I64), long(size)], Type.I64);
    const strided = this.emit(Op.UMax, [spread, bytes], Type.I64);
    const sides: [Value, Value][] = inst.facts.gather
      ? [
          [to, bytes],
          [from, strided],
        ]
      : [
          [to, strided],
          [from, bytes],
        ];
    let holds = this.emit(Op.And, [small(count), small(stride)], Type.I1);
    for (const [address, length] of sides) {
      const short = this.emit(Op.ULt, [length, long(2 ** 32)], Type.I1);
      const narrow = this.emit(Op.Trunc, [length], Type.I32);
      const same = this.emit(Op.Eq, [this.found(address, narrow), address], Type.I1);
      holds = this.emit(Op.And, [holds, this.emit(Op.And, [short, same], Type.I1)], Type.I1);
    }
    const zero = leaves.constant(count.type, 0);
    const kept = this.emit(Op.Select, [holds, count, zero], count.type);
    // WebAssembly traps at addresses outside of all memory even if no byte is copied.
    const safe = this.add(this.description, BOUNDS.safe);
    const [target, source] = [to, from].map((end) => this.emit(Op.Select, [holds, end, safe]));
    inst.operands = [target!, source!, kept, stride, item];
  }

  // --- emission

  private emit(op: Op, operands: readonly Value[], type = Type.I32, facts: InstFacts = {}): Inst {
    const inst = makeInst(this.func, this.block, op, type, operands, facts);
    this.out.push(inst);
    return inst;
  }

  /** Of values that are there from the start. */
  private early(op: Op, operands: readonly Value[], facts: InstFacts = {}, type = Type.I32): Inst {
    const inst = makeInst(this.func, this.start, op, type, operands, facts);
    this.setUp.push(inst);
    return inst;
  }

  private add(value: Value, constant: number): Value {
    return constant === 0 ? value : this.emit(Op.Add, [value, this.leaves.i32(constant)]);
  }
}

const LOCAL = { kind: 'local' } as const;
const PROGRAM = { kind: 'program' } as const;

/** The constant distance of an address from the start of its variable or argument. */
function constantOffset(address: Value, origin: Origin): number | undefined {
  if (address.kind !== 'inst') return undefined;
  if (address.op === Op.PrivateAlloca || address.op === Op.Argument) return 0;
  if (address.op !== Op.Add) return undefined;
  const [a, b] = address.operands as [Value, Value];
  const added = constantOf(b);
  if (typeof added !== 'number') return undefined;
  const before = constantOffset(a, origin);
  return before === undefined ? undefined : before + added;
}

function spanOf(inst: Inst): Span {
  const isStore = inst.op === Op.Store || inst.op === Op.AtomicStore;
  return { offset: inst.facts.offset ?? 0, size: bytesOf(isStore ? inst.operands[1]!.type : inst.type) };
}

/** The accesses from `at` on that are next to each other in the block and in memory: the components of a vector. */
function spanAt(insts: readonly Inst[], at: number): { count: number; span: Span } {
  const first = insts[at]!;
  const { offset, size } = spanOf(first);
  let end = offset + size;
  let count = 1;
  for (let next = insts[at + 1]; next; next = insts[at + count]) {
    if (next.op !== first.op || next.operands[0] !== first.operands[0]) break;
    const span = spanOf(next);
    if (span.offset !== end || end + span.size - offset > SAFE_BYTES) break;
    end += span.size;
    count++;
  }
  return { count, span: { offset, size: end - offset } };
}

/** The front end's own accesses, not the program's. */
function isCounter({ operands: [address] }: Inst): boolean {
  return address?.kind === 'inst' && address.op === Op.Counters;
}
