// SPDX-License-Identifier: MIT
//
// The contract between the JIT, which compiles kernels to WebAssembly modules, and the device, which runs them. Neither imports
// the other; both import this file.
//
// A compiled kernel is a WebAssembly module that imports one shared memory as `env.memory` and exports one function:
//
//     run(dispatch: i32, x: i32, y: i32, z: i32, groupCount: i32, local: i32, scratch: i32)
//
// It executes `groupCount` work-groups of the ND-range described by the dispatch block, in linear order (x fastest), from the one
// with the ids x, y, z on: an ND-range may have far more groups than 32 bits count, a call has MOST_GROUPS of them, with
// MOST_ITEMS work-items, at most. `local` is the calling worker's local-memory arena, `scratch` its private memory, which follows
// it: for stacks and for values that live across barriers. All are byte addresses in the shared memory, aligned to 64. The module
// owns nothing else and keeps no state between calls; any number of workers may call it at once with different groups and arenas.
// Reads may go up to 1 KiB beyond what a work-item uses, at either end: the device keeps that much memory before and after what
// it allocates. It traps on an access outside of the memory, and if the dispatch block says that a work-group has more than
// MAX_WORK_GROUP_SIZE work-items, as a stray write may make it say; it never traps on arithmetic.

import type { AccessSummary } from './access-summary';
import type { CheckTable, SourcePlace } from './checks';
import type { CounterTable } from './coverage';
import type { SparseBytes } from './sparse-bytes';
import type { Steps } from './steps';

/**
 * Whether addresses in the memory have 32 bits or 64. In a memory with 64-bit addresses only buffers may be above 4 GB: dispatch
 * blocks, arenas, programs, images and pipes are below, and code addresses these by 32 bits in both cases.
 */
export type AddressBits = 32 | 64;

/** Nothing is below: accesses through a null pointer reach no data, and an address without its constant part does not wrap. */
export const FIRST_ADDRESS = 65_536;
/** Kernels may read this many bytes beyond what they access: inactive lanes near an active one, and texels as words. */
export const READABLE_BEYOND = 1024;

/** Work-groups and work-items of one call of `run`, at most: sums of their numbers and a tile's stay below 2^32. */
export const MOST_GROUPS = 2 ** 30;
export const MOST_ITEMS = 2 ** 31;

/** Alignment of a work-group's local memory: no variable in it can require more. */
export const LOCAL_MEMORY_ALIGN = 4096;

/** Byte offsets into the dispatch block, the one argument that describes an ND-range and its kernel arguments. */
export const DISPATCH = {
  workDim: 0,
  /** Three 32-bit words each: x, y, z; unused dimensions are 1 (offsets: 0). */
  globalSize: 4,
  globalOffset: 16,
  /** The local size of full groups; the last group of a dimension may be smaller (non-uniform work-groups). */
  localSize: 28,
  numGroups: 40,
  /** Address of the program's global memory: the instance of `ProgramBinary.globals`. */
  programBase: 52,
  /** Address of the printf ring: [u32 bytesUsed, u32 capacity, records ...]; 0 where the kernel does not print. */
  printfBuffer: 56,
  /** Bytes of each worker's private memory. */
  scratchBytes: 60,
  /**
   * 64 bytes of zeros, which inactive lanes read. Inactive lanes continue to compute: other words of this block would be denormal
   * numbers, and each operation on these takes more than 100 cycles.
   */
  zeros: 64,
  /** Address of the launch's region for what it enqueues (`ENQUEUE_REGION`); 0 where it has none. */
  enqueueRegion: 128,
  /** Address of the launch's description for a checked kernel (`CHECK_BLOCK`); 0 for others. */
  checks: 132,
  /** Address of the launch's counters, if its code counts (base/coverage.ts); 0 for others. */
  counters: 136,
  /** The arguments start here, each at `KernelArgument.offset`. */
  arguments: 144,
} as const;

export type ArgumentKind =
  /** A scalar, vector or struct: its bytes are in the block. */
  | 'value'
  /** Global or constant memory: an address in the block, of as many bytes as `size` says; 0 for NULL. */
  | 'buffer'
  /** Local memory: the block holds the offset of the argument's storage in the local arena. */
  | 'local'
  /** The address of an image descriptor (`IMAGE_DESCRIPTOR`). */
  | 'image'
  /** The 32-bit sampler word (`SAMPLER_BITS`). */
  | 'sampler'
  /** The address of a pipe (device/pipes). */
  | 'pipe'
  /** The address of a device-side queue. */
  | 'queue';

export interface KernelArgument {
  readonly kind: ArgumentKind;
  /** Byte offset from the start of the dispatch block. */
  readonly offset: number;
  /** Bytes that the argument takes in the block; for 'value' what clSetKernelArg must be given. */
  readonly size: number;
  /** For 'local': alignment that its storage needs. */
  readonly align: number;
  readonly name: string;
  readonly typeName: string;
  readonly addressSpace: 'global' | 'local' | 'constant' | 'private';
  readonly access: 'none' | 'read_only' | 'write_only' | 'read_write';
  readonly typeQualifiers: readonly ('const' | 'restrict' | 'volatile' | 'pipe')[];
  /** For 'value': the element type and the number of elements, to check arguments. Absent for structs. */
  readonly scalar?: { readonly type: ScalarName; readonly components: number };
  /** For 'buffer' and 'local': the pointee, when it is a scalar or vector. */
  readonly pointee?: { readonly type: ScalarName; readonly components: number };
  /** For 'pipe': the bytes of a packet, if the kernel uses any. */
  readonly packetSize?: number;
}

export type ScalarName =
  | 'bool'
  | 'char'
  | 'uchar'
  | 'short'
  | 'ushort'
  | 'int'
  | 'uint'
  | 'long'
  | 'ulong'
  | 'half'
  | 'float'
  | 'double';

/**
 * Whether code for separate arguments (`JitOptions.separate`) relies on these two arguments: that their memory does not overlap,
 * which the kernel does not promise by itself.
 */
export function mustBeSeparate(a: KernelArgument, b: KernelArgument): boolean {
  if (a.kind !== 'buffer' || b.kind !== 'buffer') return false;
  if (a.typeQualifiers.includes('restrict') || b.typeQualifiers.includes('restrict')) return false;
  return !isReadOnly(a) || !isReadOnly(b);
}

/** Whether the kernel declares that it does not write an argument's memory; it may write it nevertheless. */
const isReadOnly = ({ addressSpace, typeQualifiers }: KernelArgument): boolean =>
  addressSpace === 'constant' || typeQualifiers.includes('const');

/** The properties of a kernel that are known before it is compiled to WebAssembly. */
export interface KernelSignature {
  readonly name: string;
  /** Whether it is a block of the program; only kernels can enqueue blocks. */
  readonly isBlock?: boolean;
  /** Of a block: where it is in the source, if the module has source lines. */
  readonly place?: SourcePlace;
  /** Whether a launch may enqueue kernels, and needs a region for them. */
  readonly enqueues?: boolean;
  readonly arguments: readonly KernelArgument[];
  /** Size of the dispatch block, arguments included. */
  readonly dispatchBytes: number;
  /** reqd_work_group_size, work_group_size_hint, vec_type_hint, intel_reqd_sub_group_size and the rest, as written. */
  readonly attributes: readonly string[];
  readonly requiredLocalSize?: readonly [number, number, number];
  readonly requiredSubGroupSize?: number;
  /** Bytes of local memory that the kernel declares itself. */
  readonly staticLocalBytes: number;
  /** Bytes of private memory per work-item, for CL_KERNEL_PRIVATE_MEM_SIZE. */
  readonly privateBytes: number;
}

/** The sub-group sizes that a kernel can require, and the default size, if the local size allows it. */
export const SUB_GROUP_SIZES: readonly number[] = [4, 8, 16, 32];
const USUAL_SUB_GROUP_SIZE = 8;

type WithSubGroups = Pick<KernelSignature, 'requiredSubGroupSize'>;

/** The number of work-items in a kernel's sub-groups, except for the last one of a row. */
export function subGroupSizeOf({ requiredSubGroupSize }: WithSubGroups): number {
  return requiredSubGroupSize ?? USUAL_SUB_GROUP_SIZE;
}

/**
 * The same for work-groups of the size `local`. Sub-groups are rows of work-items along x. Where such rows do not fill
 * those of the work-group, a sub-group is one work-item.
 */
export function subGroupSizeFor(signature: WithSubGroups, local: readonly number[]): number {
  const size = subGroupSizeOf(signature);
  const [x = 1, y = 1, z = 1] = local;
  return x % size === 0 || (y === 1 && z === 1) ? size : 1;
}

/** Work-items of a work-group, at most. */
export const MAX_WORK_GROUP_SIZE = 4096;

/**
 * The two regions of a launch that enqueues kernels, for records and for events: 32-bit words. Records follow the header up to
 * the end of the used part; the first word of each is its length. `kind` is the number of a block (`ProgramBinary.blocks`), or
 * says that the record is a marker or an event. Events are identified by the address of their record. `events` is the address of
 * their region.
 */
export const ENQUEUE_REGION = { used: 0, capacity: 1, defaultQueue: 2, events: 3, words: 4 } as const;
export const ENQUEUE_RECORD = {
  bytes: 0,
  kind: 1,
  marker: -1,
  eventRecord: -2,
  queue: 2,
  flags: 3,
  /** The event that it completes, 0 for none. */
  event: 4,
  waits: 5,
  literalBytes: 6,
  locals: 7,
  dimensions: 8,
  global: 9,
  local: 12,
  offset: 15,
  /** The events that it waits for, then the sizes of local arguments, then the block's captured variables. */
  lists: 18,
} as const;
/** Status as of OpenCL; where to write the two times (0: nowhere); the times, in nanoseconds, two words each. */
export const ENQUEUE_EVENT = {
  status: 2,
  references: 3,
  timesTo: 4,
  isUser: 5,
  elapsed: 6,
  complete: 8,
  words: 10,
} as const;

/** A program prepared for the device: its memory image and its kernels' signatures. */
export interface ProgramBinary {
  /** Initial contents of the program's constants and program-scope variables. */
  readonly globals: SparseBytes;
  readonly globalsAlign: number;
  /** Offsets of the 32-bit words in `globals` to which the address of the instance must be added. */
  readonly relocations: readonly number[] | Uint32Array;
  /** Blocks, too: `blocks` are their names, by their numbers. */
  readonly kernels: ReadonlyMap<string, KernelSignature>;
  readonly blocks: readonly string[];
}

/** A WebAssembly module of a kernel, and the worker scratch that a call needs. */
export interface KernelModule {
  readonly wasm: Uint8Array;
  /** `fixed + perWorkItem * work-items of a full group`, in bytes. */
  readonly scratch: { readonly fixed: number; readonly perWorkItem: number };
}

/**
 * Which ND-ranges a module is for: all, or those in which each group consists of whole tiles of `lanes` x `rows`. The latter has
 * no code for partial tiles, and is ready in half the time.
 */
export type ModuleKind = 'any' | 'whole-tiles';

/**
 * An argument whose memory a kernel accesses only by integer atomics of one kind whose results it does not use. A module for
 * privatized atomics does them on a copy that the caller of `run` owns. The copy is initialized with the neutral element (0 for
 * sums), and merged into the memory when the groups of the call are done. Such a module may be used only if nothing else of the
 * launch accesses the argument's memory.
 */
export interface PrivatizedArgument {
  readonly argument: number;
  readonly rmw: 'add' | 'and' | 'or' | 'xor' | 'smin' | 'smax' | 'umin' | 'umax';
  readonly elementBytes: 4 | 8;
  /**
   * Offset in the dispatch block, after the arguments, of [u32 size in bytes, a multiple of 16; u32 offset of the copy in the
   * scratch memory]. Only modules for privatized atomics read it.
   */
  readonly offset: number;
}

/**
 * An argument to whose memory a kernel writes nothing but one element of each work-item, which is no other work-item's. Where a launch
 * allows it, stores of a vector may write back the old contents of the elements of inactive lanes. The element is `elementBytes` times
 * the id along x after that of the row.
 */
export interface SoleWrite {
  readonly argument: number;
  readonly elementBytes: number;
  /**
   * The distance of rows, if the element depends on the id along y: `scale` times the argument with the index `factor`, a number of 32 bits,
   * or times the global size along x.
   */
  readonly pitch?: {
    readonly scale: number;
    readonly factor: number | 'global size';
    /** Whether the code itself keeps rows apart: it writes back elements only of work-items whose id along x is below the factor. */
    readonly isGuarded: boolean;
  };
  /**
   * Offset in the dispatch block of [u32 start; u32 end] of the memory in which vectors may be written back; an empty range if the launch
   * does not allow it.
   */
  readonly offset: number;
}

/** The empty range: no address is at or after this start. */
export const NOT_SOLE = { start: -1, end: 0 } as const;

/** Words in the dispatch block for each privatized argument, and for each sole write. */
const WORDS_OF_ARGUMENT = 2;

/** Offset in the dispatch block of the words of the nth of such arguments, from 0 on, whose first words are at `first`. */
export const offsetOfWords = (first: number, n: number): number => first + n * WORDS_OF_ARGUMENT * 4;

/** Where the dispatch block ends that has these words, or has none and ends at `end`. */
export const endOfWords = (end: number, words: readonly { readonly offset: number }[]): number =>
  words.reduce((last, { offset }) => Math.max(last, offsetOfWords(offset, 1)), end);

/** Whether atomics on `KernelBinary.privatized` access the memory itself or a copy. */
export type AtomicsKind = 'shared' | 'privatized';

/** The smallest module that can run an ND-range. */
export function moduleKind(
  { lanes, rows }: Pick<KernelBinary, 'lanes' | 'rows'>,
  global: readonly number[],
  local: readonly number[],
): ModuleKind {
  const whole = (d: number, tile: number) => (global[d] ?? 1) % tile === 0 && (local[d] ?? 1) % tile === 0;
  return lanes * rows > 1 && whole(0, lanes) && whole(1, rows) ? 'whole-tiles' : 'any';
}

/** Sizes in the order of an interchanged kernel's dimensions. */
export const interchanged = <T extends readonly number[]>([x = 1, y = 1, ...others]: T): T =>
  [y, x, ...others] as readonly number[] as T;

export interface KernelBinary {
  readonly signature: KernelSignature;
  /** Emits a module, again on each call. */
  module(kind: ModuleKind, atomics?: AtomicsKind): KernelModule;
  /** `module` in steps. */
  moduleSteps(kind: ModuleKind, atomics?: AtomicsKind): Steps<KernelModule>;
  readonly privatized: readonly PrivatizedArgument[];
  /** Absent means none. */
  readonly soleWrites?: readonly SoleWrite[];
  /** Work-items per vector; 1 where the kernel was not vectorized. */
  readonly lanes: number;
  /** Neighbours along y that one tile has. */
  readonly rows: number;
  /** Bytes of the local arena for the kernel's own variables; argument storage follows them. */
  readonly localBytes: number;
  /** The local size to choose when the user gives none. */
  readonly preferredLocalSize: readonly [number, number, number];
  /** Estimated time of one work-item in nanoseconds. It decides the chunk sizes, and whether waking workers pays. */
  readonly costPerItem: number;
  /**
   * Every loop has a small trip count for all arguments, so the calling thread may run a short ND-range itself and never hangs.
   * Absent means no.
   */
  readonly bounded?: boolean;
  /** `costPerItem` may be far from the truth, because there are loops. Absent means no. */
  readonly costIsGuess?: boolean;
  /**
   * Nothing in the kernel depends on how work-items are grouped (no barrier, local memory, local id, group id or local
   * size), so that the device may choose any local size when the user gives none. Absent means no.
   */
  readonly groupsUnobservable?: boolean;
  /**
   * The kernel's x is the launch's y, and its y the launch's x: the sizes of launches are exchanged (`interchanged`). Nothing of the
   * kernel shows it: groups are not observable. `preferredLocalSize` is the launch's. Absent means no.
   */
  readonly interchanged?: boolean;
  /** The code is, or would be, different for launches whose arguments' memory is separate (`JitOptions.separate`). Absent means no. */
  readonly dependsOnSeparate?: boolean;
  /** The engine is to pair this kernel's vectors (`Host.wideVectors`). Absent means no. */
  readonly wide?: boolean;
  /** Format strings of the printf calls of the modules emitted so far, by the index in a record. */
  readonly printfFormats: readonly PrintfFormat[];
  /** Of a checked kernel: the table that its calls of checks refer to. */
  readonly checks?: CheckTable;
  /** Of a kernel that counts what it executes: what its counters mean. */
  readonly counters?: CounterTable;
  /** Of a checked or robust kernel: what it accesses, so that launches whose accesses are all correct run plain code. */
  readonly accesses?: AccessSummary;
  /** Notes for `ANYCL_DEBUG=jit`: what was vectorized, and per loop and access why not. */
  remarks(): readonly string[];
}

/**
 * A printf record in the ring is [u32 recordBytes, u32 formatIndex, arguments ...]; each argument is widened to the slot that
 * `arguments` names, and slots are packed without padding in order. `capacity` counts the bytes of the records. The first record
 * that does not fit is dropped whole; its size is still added to bytesUsed, and a 0 is stored in its place, for which 4 bytes
 * after the capacity are reserved. Nothing is added after that.
 */
export interface PrintfFormat {
  /** A string of bytes (base/byte-string.ts). */
  readonly format: string;
  readonly arguments: readonly {
    readonly type: 'i32' | 'i64' | 'f64' | 'string' | 'pointer' | 'wide-pointer';
    readonly components: number;
  }[];
}

/** Byte offsets into an image descriptor, the memory an 'image' argument points to. All are 32-bit words. */
export const IMAGE_DESCRIPTOR = {
  data: 0,
  width: 4,
  height: 8,
  depth: 12,
  /** In bytes. */
  rowPitch: 16,
  slicePitch: 20,
  /** cl_channel_order and cl_channel_type as in CL/cl.h (4272 = CL_R ...). */
  channelOrder: 24,
  channelType: 28,
  /** Bytes of one element (pixel). */
  elementSize: 32,
  arraySize: 36,
  mipLevels: 40,
  samples: 44,
  /** Byte offsets from `data` of each mip level follow, 16 words. */
  mipOffsets: 48,
  /**
   * How a texel is read (device/images/texel-layout.ts): a word for each of the components r, g, b, a. A component is ((the word at the
   * texel's address + offset) >> shift & mask ^ sign) - bias.
   */
  componentOffset: 112,
  componentShift: 128,
  componentMask: 144,
  componentSign: 160,
  componentBias: 176,
  /** The divisors of normalized components: floats. */
  componentScale: 192,
  /** Alpha's bias in the border colour. */
  borderAlphaBias: 208,
  /** How a component becomes a float: `TEXEL_DECODING`. */
  decoding: 212,
  bytes: 216,
} as const;

/** sRGB: alpha is normalized. */
export const TEXEL_DECODING = { normalized: 0, sRGB: 1, half: 2, float: 3 } as const;

/** The sampler word: SPIR-V's LiteralSampler packed. addressing: 0 none, 1 clamp-to-edge, 2 clamp, 3 repeat, 4 mirror. */
export const SAMPLER_BITS = { addressing: 0x7, normalized: 0x8, linear: 0x10, mipLinear: 0x20 } as const;
/**
 * Above these bits: the limits of the level of detail, of 12 bits each, in steps of 1/256 level. `least` counts from level 0, and
 * `most` downwards from the last possible level, so that 0 is not a limit.
 */
export const SAMPLER_LOD = { leastShift: 8, mostShift: 20, steps: 256 } as const;
/** Of an image: as many as the largest image of the device needs. */
export const MOST_MIP_LEVELS = 16;

/**
 * A pipe: byte offsets of 32-bit words. After the header comes a ring of `maxPackets` slots: a word for each, the number of
 * packets of the reservation that starts there. The packets follow, of `packetSize` bytes each. All counters count packets from
 * the pipe's creation and wrap at 2^32; `reserved…` are ahead of `read` and `written`. Packet i is in slot i modulo maxPackets.
 * `written - reservedRead` packets are readable, and `maxPackets - (reservedWrite - read)` writable.
 */
export const PIPE = {
  packetSize: 0,
  maxPackets: 4,
  reservedWrite: 8,
  written: 12,
  reservedRead: 16,
  read: 20,
  counts: 64,
} as const;

/** Size of a pipe in bytes. */
export const pipeSize = (packetSize: number, maxPackets: number): number =>
  PIPE.counts + (4 + packetSize) * maxPackets;
