// SPDX-License-Identifier: MIT
//
// The kernel IR: what one work-item does, as SSA over scalars. The front end (jit/frontend) creates it from SPIR-V, the passes
// (jit/passes) rewrite it, the analyses (jit/analyses) read it, and jit/vectorize + jit/emit turn it into code for whole
// work-groups with several work-items per SIMD vector. It does not depend on WebAssembly.
//
// - Values are scalars. Vectors and structs of the source are split into their components by the front end: work-items
//   are the lanes, so a float4 is four values. Accesses to neighbouring memory stay recognizable: they share `address`
//   and differ in `offset`; the emitter groups them.
// - Pointers are 32-bit byte addresses in the one linear memory: type I32. Global, constant and generic pointers are
//   addresses in the shared memory, local ones too (the front end starts from `LocalBase`), private ones are addresses
//   in the work-item's own frame (from `PrivateAlloca`; after vectorization each lane has its own).
// - A module with 64-bit pointers has its address arithmetic narrowed to I32 by the front end; pointers in memory stay
//   8 bytes. If the memory has 64-bit addresses (`Func.addressBits`), its global, constant and generic pointers are I64
//   instead. All else has addresses below 4 GB: private and local memory, the program's own, descriptors and pipes.
// - The entry block is a prologue: it holds only instructions without operands (constants, arguments, the environment, private
//   allocations) and jumps to the body, so that a constant can be added at any time (ir/build.ts).
// - Blocks take parameters instead of phis; a branch passes arguments. The entry block has none. Kernel arguments are
//   `Argument` instructions. Every value is defined once and dominates its uses.
// - A kernel is one function: the front end inlines calls and rejects recursion. An out-of-line function
//   (frontend/out-of-line.ts) is a `Func` of its own with `Parameter`s. It depends only on them and on memory that is never
//   written, and is called for the work-items that need it.
// - I1 is a truth value, never in memory. I8 and I16 are real types: operations wrap at their width; constants of them are held
//   as signed numbers. F16 is stored as such; arithmetic on it is F32 arithmetic between conversions, which the front end
//   inserts. passes/widen-halves.ts replaces most of them by FRoundHalf.
// - Arithmetic never traps: integer division by zero gives 0 (remainder too), INT_MIN / -1 wraps; shifts take their
//   amount modulo the width; float to integer saturates, NaN to 0.
import type { AssertedFault, CheckCall, InstructionPlace, ShownType } from '../../base/checks';
import type { AddressBits, PrintfFormat } from '../../base/kernel-abi';
import type { BytesOp } from './bytes';

export enum Type {
  Void,
  I1,
  I8,
  I16,
  I32,
  I64,
  F16,
  F32,
  F64,
}

export enum Op {
  // constants and the environment (no operands)
  Const, // `bits`: the value: bigint for I64, number otherwise (floats: the number itself)
  Undef,
  Argument, // `index`: kernel argument; `offset`: byte offset within its bytes in the dispatch block; for 'local' the address
  Parameter, // `index`: of an out-of-line function
  LocalBase, // `offset` of one of the kernel's own local variables in the local arena: an address, uniform
  ScratchBase, // the end of the local arena and the start of private memory: an address, uniform
  ScratchEnd, // the end of private memory
  ProgramBase, // `offset` in the program's globals: an address, uniform
  EnqueueRegion, // the launch's region for enqueued commands: an address, uniform; 0 if there is none
  CheckBlock, // the description of a checked launch (CHECK_BLOCK): an address, uniform
  Counters, // the counters of a launch that counts (base/coverage.ts): an address, uniform
  Bounds, // the description of what a robust launch was given (base/bounds.ts): an address, uniform
  PrivateAlloca, // `size`, `align`: an address in the work-item's frame
  GlobalId,
  LocalId,
  GroupId,
  GlobalSize,
  LocalSize,
  NumGroups,
  GlobalOffset,
  EnqueuedLocalSize, // `dimension` 0 to 2
  WorkDim,
  LocalLinearId,
  GlobalLinearId,
  SubGroupSize,
  SubGroupMaxSize,
  NumSubGroups,
  EnqueuedNumSubGroups,
  SubGroupId,
  SubGroupLocalId,

  // integer arithmetic; operands and result of one type
  Add,
  Sub,
  Mul,
  SDiv,
  UDiv,
  SRem,
  URem,
  And,
  Or,
  Xor,
  Shl,
  LShr,
  AShr, // shift amounts have the same type
  SMin,
  SMax,
  UMin,
  UMax,
  SAddSat,
  UAddSat,
  SSubSat,
  USubSat,
  SMulHi,
  UMulHi,
  SAvgR,
  UAvgR, // AvgR: rhadd
  Not,
  Neg,
  Abs,
  Clz,
  Ctz,
  PopCount,
  Rotl,

  // float arithmetic
  FAdd,
  FSub,
  FMul,
  FDiv,
  FRem, // of F64; of floats the library computes it (frontend/float-remainder.ts)
  FMin,
  FMax, // FMin and FMax as fmin, fmax: if one operand is a NaN, the other one
  FNeg,
  FAbs,
  FSqrt,
  FFloor,
  FCeil,
  FTrunc,
  FRint,
  FRoundHalf, // F32 rounded to a half, as by FConvert to F16 and back
  FCopySign,
  Fma, // fused, correctly rounded; of doubles as long as no product or its error is beyond their range
  MulAdd, // a * b + c, fused or not, whichever is faster: from mad() and from contraction

  // comparisons: I1
  Eq,
  Ne,
  SLt,
  SLe,
  SGt,
  SGe,
  ULt,
  ULe,
  UGt,
  UGe,
  FEq,
  FNe,
  FLt,
  FLe,
  FGt,
  FGe, // ordered, but FNe, which is true on NaN
  FUnordered, // either is NaN

  Select, // I1, then, otherwise

  // all 64 bits of the product of two I32
  SMulWide,
  UMulWide,
  Bytes, // `bytes`: on the four bytes of each I32
  PermuteBytes, // `order`: the bytes of an I16, I32 or I64 in another order, or zeros (byte-order.ts)
  // `table`: for each byte of an integer that is below 16, a byte of the table (byte-table.ts); 0 for one from 128 on, and with `orZero` from 16 on
  LookUpBytes,
  InMemoryOrder, // operand `memoryOrder`, where its lanes are those of memory (vectorize/passes/memory-order/memory-order.ts)
  PermuteComponents, // operand `order` of `memoryOrder`, where operands are in memory order (memory-order.ts)
  // an affine I32 of the first and of the last work-item of those that run together, a tile's row (vectorize/passes/loops/split-loops-at-ids.ts)
  TileFirst,
  TileLast,

  // conversions; from operand type to result type
  Trunc,
  SExt,
  ZExt, // between integer types; ZExt also from I1
  FToS,
  FToU, // toward zero, saturating, NaN to 0
  SToF,
  UToF, // nearest even
  FConvert, // nearest even between F16, F32, F64
  Bitcast, // between types of one width

  // memory. `address` is operand 0; the byte `offset` is added to it without wrapping; `align` and `space` are facts
  Load,
  Store, // address, value
  AtomicLoad,
  AtomicStore,
  AtomicRmw, // `rmw`: address, value; the result is the old value
  AtomicCmpXchg, // address, expected, desired; the result is the old value
  Fence,
  Copy, // `size` bytes to address (operand 0) from address (operand 1), not overlapping
  // all work-items together: to, from, count, stride in elements, LocalLinearId; `size` of one element; `gather`: the stride is the source's
  AsyncCopy,
  // of sixteen consecutive elements, how many are before the first one for which the condition of `elements` holds: I32. It reads all sixteen
  CountUntil,
  // of `size` consecutive elements, a multiple of sixteen: the `reduction` of what `elements` says of each; the number of those that fulfil a condition: I32
  ReduceElements,
  // of `size` consecutive elements, 16, 32 or 64: for each a bit, whether it fulfils the condition of `elements`, the first one's lowest, or, if
  // `reversed`, highest of `size` bits: I32, or I64
  MaskOfElements,
  ReadClock, // nanoseconds of a monotonic clock: I64

  // work-items together
  Barrier, // `scope`: 'work-group' splits the kernel into regions; 'sub-group' orders the lanes
  GroupAll,
  GroupAny, // I1 to I1
  GroupBroadcast, // value, then 1 to 3 local ids, or for 'sub-group' the sub-group local id
  GroupReduce,
  GroupScanInclusive,
  GroupScanExclusive, // `reduction`; clusters: operand 1, a constant
  SubGroupShuffle,
  SubGroupShuffleXor,
  SubGroupShuffleUp,
  SubGroupShuffleDown,
  SubGroupRotate, // value, index or delta
  SubGroupBallot, // I1 to four I32: `component` is the index of this word
  SubGroupElect,

  Printf, // `format`; operands are the widened arguments; I32: 0, or -1 if there is no room
  // in a checked run, until calls of checks are added: I1, which is false at a `fault`; then I64, the values that its report shows
  Assert,
  // in a checked run, until then: the event of the AsyncCopy that follows, of to, from, count, stride, and the event that it joins: I32
  AsyncEvent,
  // likewise, before the barrier of a wait: the number of events, and the address of a list of them
  WaitEvents,
  // a call of the device's checks (base/checks.ts): `check`, `site`; result I32. It does not access memory
  Check,
  Call, // `callee` (an out-of-line function): its parameters' values; has no side effect

  // terminators
  Jump, // targets[0]
  Branch, // I1; targets[0] if true, targets[1] otherwise
  Switch, // integer; `cases[i]` goes to targets[i + 1], anything else to targets[0]
  Return, // in an out-of-line function: its result
  Unreachable,
}

export type AddressSpace = 'private' | 'local' | 'global' | 'constant' | 'generic';
export type Reduction =
  | 'add'
  | 'mul'
  | 'smin'
  | 'smax'
  | 'umin'
  | 'umax'
  | 'fmin'
  | 'fmax'
  | 'fadd'
  | 'fmul'
  | 'and'
  | 'or'
  | 'xor';
export type Rmw =
  | 'add'
  | 'sub'
  | 'and'
  | 'or'
  | 'xor'
  | 'xchg'
  | 'smin'
  | 'smax'
  | 'umin'
  | 'umax'
  | 'fadd'
  | 'fmin'
  | 'fmax';
export type Scope = 'work-item' | 'sub-group' | 'work-group' | 'device' | 'all-devices';

/** The source position of an instruction, for messages, traps and checks. */
export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Of a checked run of a module without lines; the other properties say nothing then. */
  readonly instruction?: InstructionPlace;
}

/** A value: the result of an instruction, or a block parameter. */
export type Value = Inst | BlockParam;

// The constructor sets all fields: V8 gives objects with later fields another shape, and discards optimized code.
const NOT_YET = undefined as unknown;

export class BlockParam {
  readonly kind = 'param';
  block = NOT_YET as Block;
  constructor(
    readonly id: number,
    readonly type: Type,
  ) {}
}

/** A step of what Op.CountUntil, Op.ReduceElements and Op.MaskOfElements compute for each element (elements.ts). */
export type ElementStep =
  /** The elements at an address, which is an operand of the instruction. */
  | { readonly is: 'loaded'; readonly type: TypeName; readonly operand: number; readonly offset: number }
  /** An operand of the instruction, the same for all elements. */
  | { readonly is: 'given'; readonly type: TypeName; readonly operand: number }
  /** An operation on the results of earlier steps. `by`: the amount of a shift. */
  | {
      readonly is: 'computed';
      readonly op: OpName;
      readonly type: TypeName;
      readonly of: readonly number[];
      readonly by?: number;
    };

type OpName = keyof typeof Op;
export type TypeName = keyof typeof Type;

/** The steps under a name, so that the text of the IR has them as one fact. */
export interface ElementSteps {
  readonly steps: readonly ElementStep[];
}

/** How a number gives the distance in bytes of an element: signed, unless there is a mask, and with a power of two as the scale. */
export interface Repetition {
  readonly shift: number;
  /** The bits that remain of the shifted number. */
  readonly mask?: number;
  readonly scale: number;
}

/** How a byte in memory gives the distance of an element: where it is, from an address on, and by how much it is multiplied. */
export interface ByteIndex {
  readonly at: number;
  readonly scale: number;
}

/**
 * Facts about an instruction besides its operands; `op` decides which exist, as listed above. They are immutable, because copies of an
 * instruction share them.
 */
export interface InstFacts {
  readonly bits?: number | bigint;
  readonly index?: number;
  readonly offset?: number;
  readonly size?: number;
  readonly align?: number;
  readonly dimension?: 0 | 1 | 2;
  readonly space?: AddressSpace;
  readonly volatile?: boolean;
  /** Load, Store: bytes of a struct that no member has. */
  readonly isPadding?: boolean;
  /** PrivateAlloca: accessed by the types of its members alone, so that only copies of whole structs read padding. */
  readonly isTyped?: boolean;
  /** ProgramBase: the contents of a private variable. */
  readonly isPrivateTable?: boolean;
  /** Load, Store: a part of a copy of memory, which may be padding. */
  readonly isCopied?: boolean;
  /** Accesses to memory by the library's code, to objects of its own such as events: it stays within them. */
  readonly isOfLibrary?: boolean;
  /**
   * Loads: no store of this kernel reaches the memory (const restrict, __constant); or none does if the memory of the kernel's
   * arguments is separate. Ask `isUnwritten` (passes/memory-roots.ts).
   */
  readonly invariant?: boolean | 'ifSeparate';
  /** Loads: the source executes it under a condition that is not tested. */
  readonly speculative?: boolean;
  /** The index of the kernel argument whose memory this access certainly accesses, if `restrict` makes the memory exclusive. */
  readonly restrictRoot?: number;
  readonly rmw?: Rmw;
  /** Atomics: orders only accesses to its own object. */
  readonly relaxed?: boolean;
  /** AtomicRmw: may be done on a worker's copy of the memory of this kernel argument (passes/privatize-atomics.ts). */
  readonly privatized?: number;
  /**
   * Load, Store: one of the accesses that cover a struct or vector, made in memory order (vectorize/passes/memory-order/memory-order.ts): of n components and l
   * lanes, the access with component k covers the k-th l elements, whichever work-items they belong to.
   */
  readonly memoryOrder?: number;
  /** Those that cover vectors at any addresses: each vector register has 16 bytes of one work-item. */
  readonly ofStructures?: boolean;
  /**
   * Stores of those: the components that are stored, a bit for each; undefined: all. The store of another component stores nothing for its own
   * work-item (`storesNothing`), but its vectors have stored ones.
   */
  readonly storedComponents?: number;
  /** Load: of the address, its first operand, plus `(number >> shift & mask) * scale` of the second (vectorize/repeated.ts). */
  readonly repeated?: Repetition;
  /** Load: of the address, its first operand, plus a byte in memory at the second, scaled (vectorize/passes/memory/index-by-bytes.ts). */
  readonly byteIndex?: ByteIndex;
  readonly scope?: Scope;
  /** Barriers: the scope in which it orders memory. */
  readonly memoryScope?: Scope;
  /** Barriers: one that is not in the source and has no effect: a region may end there (regions/cuts.ts). */
  readonly cut?: boolean;
  /** Barriers: the address spaces that it orders. */
  readonly orders?: { readonly local: boolean; readonly global: boolean };
  /** Operations of a sub-group: of those of its work-items that reach it. */
  readonly byActive?: boolean;
  readonly reduction?: Reduction;
  readonly bytes?: BytesOp;
  readonly elements?: ElementSteps;
  readonly reversed?: boolean;
  readonly order?: string;
  readonly table?: string;
  readonly orZero?: boolean;
  readonly component?: number;
  readonly gather?: boolean;
  readonly format?: PrintfFormat;
  readonly cases?: readonly bigint[];
  readonly callee?: Func;
  /** Assert: what the report says, and the types of its values; `index`: the kernel argument that it is about. */
  readonly fault?: AssertedFault;
  readonly text?: string;
  readonly shown?: readonly ShownType[];
  readonly check?: CheckCall;
  readonly site?: number;
  /** Float operations: the assumptions that FPFastMathMode and the build options allow. */
  readonly fast?: {
    readonly noNaN?: boolean;
    readonly noInf?: boolean;
    readonly noSignedZero?: boolean;
    readonly reciprocal?: boolean;
    readonly reassociate?: boolean;
    readonly contract?: boolean;
  };
  /** FMin, FMax: `b < a ? b : a` and `a < b ? b : a`, because operand 0 is never NaN, or its NaN is the result. */
  readonly byComparison?: boolean;
  /** Trunc from I16 and I32 to narrower types: the bits that it removes are zero. */
  readonly noUnsignedWrap?: boolean;
  /** Trunc from I32 to narrower types: the bits that it removes are copies of the result's sign. */
  readonly noSignedWrap?: boolean;
  /** Mul of I32: both factors fit I16; the index of one that is never negative, if there is one. */
  readonly factorsFitI16?: { readonly nonNegative: 0 | 1 | undefined };
  /** Integer Add, Sub, Mul: does not wrap, signed or unsigned, so that widths can be changed. */
  readonly noWrap?: boolean;
  /** SExt, ZExt from I32: an index of elements of 4 bytes or more, and nothing else (passes/mark-indexes.ts). */
  readonly isIndex?: boolean;
  /** Branch: tiles take one side, and the next ones most likely the same one (vectorize/passes/quotients/split-at-quotients.ts). */
  readonly splitsTiles?: boolean;
  /** On the terminator of a loop's header or latch: from opencl_unroll_hint; 0 fully, 1 not, n by n. */
  readonly unroll?: number;
}

export class Inst {
  readonly kind = 'inst';
  block = NOT_YET as Block;
  position: SourcePosition | undefined = undefined;
  /** Its own list, which is only replaced as a whole. */
  operands: readonly Value[];
  constructor(
    readonly id: number,
    public op: Op,
    public type: Type,
    operands: readonly Value[],
    public facts: InstFacts,
  ) {
    this.operands = operands.slice();
  }
}

/** A jump's target and the arguments for its parameters. It belongs to one jump. */
export class Target {
  /** Makes the type nominal, because only the constructor copies the list. */
  declare protected readonly isTarget: true;
  /** Its own list, which is only replaced as a whole. */
  arguments: readonly Value[];
  constructor(
    public block: Block,
    args: readonly Value[] = [],
  ) {
    this.arguments = args.slice();
  }
}

export class Block {
  params: BlockParam[] = [];
  /** Without the terminator. */
  insts: Inst[] = [];
  terminator = NOT_YET as Inst;
  /** Of the terminator, in its order. */
  targets: Target[] = [];
  constructor(readonly id: number) {}
}

export class Func {
  blocks: Block[] = [];
  /** Of the memory: 64 only of a kernel that uses addresses of 64 bits. */
  addressBits: AddressBits = 32;
  /** Whether each block stays after its dominators in the list: passes read it from its start to its end. */
  isOrdered = false;
  /** Compiled for launches whose buffers do not overlap (ADR 47): no address based on one argument leads into another's memory. */
  separate = false;
  /** Whether a decision was different, or would have been, for such launches. */
  dependsOnSeparate = false;
  /** Whether the source makes pointers of integers. */
  makesAddresses = false;
  /** Whether x and y are exchanged: each id is that of the other dimension (vectorize/passes/loops/interchange.ts). */
  interchanged = false;
  private nextId = 0;
  constructor(
    readonly name: string,
    /** Of an out-of-line function, or of a library function before it is copied to its calls. */
    readonly params: readonly Type[] = [],
    /** At most one for an out-of-line function. */
    readonly results: readonly Type[] = [],
  ) {}

  get result(): Type {
    return this.results[0] ?? Type.Void;
  }

  get entry(): Block {
    return this.blocks[0]!;
  }

  freshId(): number {
    return this.nextId++;
  }

  /** One more than the highest id: sizes tables indexed by id. */
  get idBound(): number {
    return this.nextId;
  }
}
