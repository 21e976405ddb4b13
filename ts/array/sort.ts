// SPDX-License-Identifier: MIT
//
// Stable radix sorts along the last axis. In each pass every run of a row counts its digits, the counts are scanned, and each run
// moves its elements to where its digits begin. Keys travel as integers without sign that have the elements' order.
import { REDUCTIONS } from './accumulators';
import { DTYPES, type DType } from './dtype';
import { materialize } from './elementwise';
import { Inputs, type Scope, scoped } from './fusion';
import { declareOrder, differingBits, type KeyCode, keyCode } from './keys';
import { Node } from './node';
import { chunksOf } from './profile';
import { scanNode } from './scan';
import { sizeOf } from './shape';
import type { Space, Storage } from './space';
import type { Task } from './task';
import { type AxisGroup, allAxes, KernelWriter } from './writer';

/** Options of sorting. */
export interface SortOptions {
  /** The axis to sort along; by default the last. */
  readonly axis?: number;
  /** The greatest first. Equal elements stay in their order. */
  readonly descending?: boolean;
}

/** What is moved with the keys: nothing, their places, or the elements of another array. */
export type Payload = 'none' | 'places' | Node;

interface Work {
  readonly node: Node;
  readonly payload: Payload;
  readonly payloadType: DType;
  readonly inputs: Inputs;
  readonly code: KeyCode;
  readonly rows: number;
  readonly length: number;
  readonly run: number;
  readonly count: number;
  readonly groups: readonly AxisGroup[];
  /** Bits of a digit. */
  readonly bits: number;
  /** On a GPU. */
  readonly tile: Tile;
  /** The bits of keys to sort by. */
  readonly from: number;
  readonly to: number;
}

/** Where a pass reads or writes; undefined at the ends, where keys are elements. */
interface Place {
  readonly keys: Storage | undefined;
  readonly payload: Storage | undefined;
}

/** From so many elements on, a processor looks first in which bits keys differ: the other digits need no pass. */
const WORTH_A_LOOK = 1 << 15;

/** Sorts a node's rows. Returns the keys, if they are wanted, and the payload, if there is one. */
export function sortNode(
  given: Node,
  payload: Payload,
  wantsKeys: boolean,
  descending: boolean,
): Task<readonly Storage[]> {
  return scoped(given.space, function* (scope) {
    const { space, shape } = given;
    const { profile } = space;
    const axes = allAxes(shape);
    const length = shape[axes.length - 1] ?? 1;
    const rows = sizeOf(shape.slice(0, -1));
    const cores = profile.style === 'cores';
    const code = keyCode(given.dtype, descending);
    const bits = cores ? 8 : 4;
    const payloadType = payload instanceof Node ? payload.dtype : 'uint32';
    const keyBytes = DTYPES[code.dtype].bytes;
    const tile = tileOf(space, 2 ** bits, keyBytes + (payload === 'none' ? 0 : DTYPES[payloadType].bytes));
    const { length: run, count } =
      rows >= profile.units * 4
        ? { length, count: 1 }
        : chunksOf(length, profile, cores ? 1 : tile.group * tile.perItem, cores ? 4096 : tile.group * 16);
    const keyLength = 8 * keyBytes;
    const looks = cores && keyLength > 8 && rows * length >= WORTH_A_LOOK;
    const node = looks && given.fused ? yield* computed(given, scope) : given;
    const work: Work = {
      node,
      payload,
      payloadType,
      inputs: yield* Inputs.gather(payload instanceof Node ? [node, payload] : [node], scope),
      code,
      rows,
      length,
      run: Math.max(1, run),
      count,
      groups: [
        { variable: 'k', axes: axes.slice(0, -1) },
        { variable: 'r', axes: axes.slice(-1) },
      ],
      bits,
      tile,
      ...(looks ? yield* differingBits(node, code) : { from: 0, to: keyLength }),
    };
    const outputs: Storage[] = [];
    try {
      if (wantsKeys) outputs.push(space.allocate(node.dtype, rows * length));
      if (payload !== 'none') outputs.push(space.allocate(payloadType, rows * length));
      const end: Place = {
        keys: wantsKeys ? outputs[0] : undefined,
        payload: payload === 'none' ? undefined : outputs.at(-1),
      };
      if (rows * length > 0) yield* passes(space, scope, work, end);
      return outputs;
    } catch (error) {
      for (const storage of outputs) storage.release();
      throw error;
    }
  });
}

/** A node's elements in memory, which several kernels are going to read. */
function* computed(node: Node, scope: Scope): Task<Node> {
  const storage = scope.keep(yield* materialize(node));
  return scope.node(storage, node.dtype, node.shape);
}

/** Elements that a work-item of a processor takes at a time. */
const UNROLLED = 4;
/** The elements that a group of a GPU sorts at a time in local memory. */
interface Tile {
  /** Work-items. */
  readonly group: number;
  /** Consecutive elements of a work-item. */
  readonly perItem: number;
}

/** More local memory would leave a compute unit too few groups. */
const MOST_LOCAL_BYTES = 32768;
const PER_ITEM = [16, 8, 4, 2] as const;

/** The largest tile whose keys, payload (together of `bytes`), counters of 16 bits, sums and digits' places fit in local memory. */
function tileOf({ profile }: Space, buckets: number, bytes: number): Tile {
  const group = Math.min(256, profile.groupSize);
  const others = group * (2 * buckets + 8) + 4 * buckets;
  const room = Math.min(profile.localMemory, MOST_LOCAL_BYTES) - others;
  return { group, perItem: PER_ITEM.find((perItem) => perItem * group * bytes <= room) ?? 1 };
}

function* passes(space: Space, scope: Scope, work: Work, end: Place): Task<void> {
  const n = work.rows * work.length;
  // Equal keys take a pass too: it copies them.
  const digits = Math.max(1, Math.ceil((work.to - work.from) / work.bits));
  const between = (): Place => ({
    keys: scope.temporary(work.code.dtype, n),
    payload: work.payload === 'none' ? undefined : scope.temporary(work.payloadType, n),
  });
  const rooms = Array.from({ length: Math.min(2, digits - 1) }, between);
  let from: Place | undefined;
  for (let digit = 0; digit < digits; digit++) {
    const last = digit === digits - 1;
    const to = last ? end : rooms[digit % rooms.length]!;
    yield* pass(space, work, from, to, digit, last);
    from = to;
  }
}

/** Moves the elements to where their digit `digit` belongs. */
function pass(
  space: Space,
  work: Work,
  from: Place | undefined,
  to: Place,
  digit: number,
  last: boolean,
): Task<void> {
  return scoped(space, function* (scope) {
    const shape = [work.rows, 2 ** work.bits * work.count];
    const counts = scope.temporary('uint32', sizeOf(shape));
    yield* countPass(space, work, from, digit, counts);
    const sums = REDUCTIONS.sum.accumulator('uint32');
    const starts = scope.keep(yield* scanNode(scope.node(counts, 'uint32', shape), sums, 'uint32', true));
    yield* movePass(space, work, from, to, last, digit, starts);
  });
}

/** Begins a kernel that goes through the keys: `key` and `item` are the texts of element `r`. */
function reader(writer: KernelWriter, work: Work, from: Place | undefined, wantsPayload: boolean) {
  const { node, payload, payloadType, code, rows } = work;
  declareOrder(writer, node.dtype);
  const row = rows > 1 ? '(size_t)k * n + r' : 'r';
  const keys = from?.keys ? writer.input(from.keys, 'keys') : undefined;
  const items = from?.payload && wantsPayload ? writer.input(from.payload, 'items') : undefined;
  return (): { item: string } => {
    const type = writer.type(code.dtype);
    const groups = rows > 1 ? work.groups : work.groups.slice(1);
    const read = from ? undefined : work.inputs.at(writer, node.shape, groups);
    writer.line(`const ${type} key = ${read ? code.encode(read.value(node)) : `${keys}[${row}]`};`);
    if (!wantsPayload || payload === 'none') return { item: '' };
    if (items) return { item: writer.load(items, row, payloadType) };
    return { item: payload === 'places' ? 'r' : read!.value(payload) };
  };
}

function bounds(writer: KernelWriter, work: Work, chunk: string): void {
  const [n, run] = [writer.int(work.length, 'n'), writer.int(work.run, 'run')];
  writer.line(`const uint from = ${chunk} * ${run}, to = min(from + (uint)${run}, (uint)${n});`);
  if (work.rows > 1) writer.line('const uint k = get_group_id(1);');
}

/** The text of `key`'s digit. */
const digitOf = (writer: KernelWriter, work: Work, digit: number): string =>
  `(uint)(key >> ${writer.int(work.from + digit * work.bits, 'shift')}) & ${2 ** work.bits - 1}`;
const countPlace = (work: Work): string =>
  work.rows > 1
    ? `(k * ${2 ** work.bits} + d) * get_num_groups(0) + get_group_id(0)`
    : 'd * get_num_groups(0) + get_group_id(0)';
const rangeOf = (work: Work, group: number) =>
  work.rows > 1
    ? { global: [work.count * group, work.rows], local: [group, 1] }
    : { global: work.count * group, local: group };

function* countPass(
  space: Space,
  work: Work,
  from: Place | undefined,
  digit: number,
  counts: Storage,
): Task<void> {
  const buckets = 2 ** work.bits;
  const writer = new KernelWriter('sort_count', `how often each digit of ${work.bits} bits is in each run`);
  writer.output(counts, 'counts');
  const read = reader(writer, work, from, false);
  const cores = work.bits === 8;
  const group = cores ? 1 : work.tile.group;
  const bucket = digitOf(writer, work, digit);
  if (cores) {
    // Neighbours often have the same digit: two sets of counters do not wait for each other.
    writer.line(`uint even[${buckets}], odd[${buckets}];`);
    writer.line(`for (uint d = 0; d < ${buckets}; d++) even[d] = odd[d] = 0;`);
    bounds(writer, work, 'get_group_id(0)');
    writer.unrolled(UNROLLED, (turn) => {
      read();
      writer.line(`${turn % 2 === 0 ? 'even' : 'odd'}[${bucket}]++;`);
    });
    writer.line(`for (uint d = 0; d < ${buckets}; d++) counts[${countPlace(work)}] = even[d] + odd[d];`);
  } else {
    writer.line(`local uint count[${buckets}];`);
    writer.line('const uint id = get_local_id(0);');
    writer.line(`if (id < ${buckets}) count[id] = 0;`);
    writer.line('barrier(CLK_LOCAL_MEM_FENCE);');
    bounds(writer, work, 'get_group_id(0)');
    writer.block(`for (uint r = from + id; r < to; r += ${group})`, () => {
      read();
      writer.line(`atomic_inc(&count[${bucket}]);`);
    });
    writer.line('barrier(CLK_LOCAL_MEM_FENCE);');
    writer.line('const uint d = id;');
    writer.line(`if (d < ${buckets}) counts[${countPlace(work)}] = count[d];`);
  }
  const kernel = yield* space.kernel(writer.source, writer.name);
  space.launch(kernel, rangeOf(work, group), [counts], writer.values);
}

/** Names of what a pass writes. */
function writeOutputs(
  writer: KernelWriter,
  work: Work,
  to: Place,
  last: boolean,
): (place: string, item: string) => void {
  if (to.keys) writer.output(to.keys, 'out');
  if (to.payload) writer.output(to.payload, 'moved');
  return (place, item) => {
    const key = last ? work.code.decode('key') : 'key';
    if (to.keys) writer.store('out', place, key, last ? work.node.dtype : work.code.dtype);
    if (to.payload) writer.store('moved', place, item, work.payloadType);
  };
}

function* movePass(
  space: Space,
  work: Work,
  from: Place | undefined,
  to: Place,
  last: boolean,
  digit: number,
  starts: Storage,
): Task<void> {
  const buckets = 2 ** work.bits;
  const cores = work.bits === 8;
  const group = cores ? 1 : work.tile.group;
  const writer = new KernelWriter(
    'sort_move',
    `moves each run's elements to where their digits of ${work.bits} bits begin`,
  );
  const write = writeOutputs(writer, work, to, last);
  writer.input(starts, 'starts');
  const read = reader(writer, work, from, true);
  writer.line(`${cores ? '' : 'local '}uint next[${buckets}];`);
  if (!cores) {
    const elements = group * work.tile.perItem;
    writer.line(`local ushort before[${buckets * group}];`);
    writer.line(`local uint sums[2][${group}];`);
    writer.line(`local ${writer.type(work.code.dtype)} sorted_keys[${elements}];`);
    if (work.payload !== 'none')
      writer.line(`local ${writer.type(work.payloadType)} sorted_items[${elements}];`);
  }
  bounds(writer, work, 'get_group_id(0)');
  const row = work.rows > 1 ? '(size_t)k * n + ' : '';
  if (cores) {
    writer.line(`for (uint d = 0; d < ${buckets}; d++) next[d] = starts[${countPlace(work)}];`);
    const bucket = digitOf(writer, work, digit);
    writer.unrolled(UNROLLED, () => {
      const { item } = read();
      writer.line(`const uint place = next[${bucket}]++;`);
      write(`${row}place`, item);
    });
  } else {
    writer.line('const uint id = get_local_id(0), d = id;');
    writer.line(`if (d < ${buckets}) next[d] = starts[${countPlace(work)}];`);
    writer.line('barrier(CLK_LOCAL_MEM_FENCE);');
    writer.block(`for (uint tile = from; tile < to; tile += ${group * work.tile.perItem})`, () =>
      moveTile(writer, work, read, write, digit, work.tile),
    );
  }
  const kernel = yield* space.kernel(writer.source, writer.name);
  const outputs = [to.keys, to.payload].filter((storage) => storage !== undefined);
  space.launch(kernel, rangeOf(work, group), outputs, writer.values);
}

/**
 * Sorts a tile by its digit in local memory, then writes it: work-items that follow one another write to places that mostly do too.
 * Each work-item counts the digits of its elements in a column of `before`. Scanned digit after digit, the counters say where in the
 * sorted tile the work-item's elements of a digit begin.
 */
function moveTile(
  writer: KernelWriter,
  work: Work,
  read: () => { item: string },
  write: (place: string, item: string) => void,
  digit: number,
  { group, perItem }: Tile,
): void {
  const buckets = 2 ** work.bits;
  const hasItems = work.payload !== 'none';
  const each = `for (uint j = 0; j < ${perItem}; j++)`;
  const digitLine = `const uint digit = ${digitOf(writer, work, digit)};`;
  const keyType = writer.type(work.code.dtype);
  writer.line(`const uint used = min(to - tile, ${group * perItem}u), first = id * ${perItem};`);
  writer.line(`${keyType} keys_of[${perItem}];`);
  if (hasItems) writer.line(`${writer.type(work.payloadType)} items_of[${perItem}];`);
  writer.line(`ushort ranks[${perItem}];`);
  writer.line(`for (uint c = 0; c < ${buckets}; c++) before[c * ${group} + id] = 0;`);
  writer.block(each, () => {
    writer.line('const uint r = min(tile + first + j, to - 1);');
    const { item } = read();
    writer.line(digitLine);
    writer.line(`if (first + j < used) ranks[j] = before[digit * ${group} + id]++;`);
    writer.line('keys_of[j] = key;');
    if (hasItems) writer.line(`items_of[j] = ${item};`);
  });
  scanCounters(writer, buckets, group);
  writer.block(each, () => {
    writer.line(`const ${keyType} key = keys_of[j];`);
    writer.line(digitLine);
    writer.block('if (first + j < used)', () => {
      writer.line(`const uint at = before[digit * ${group} + id] + ranks[j];`);
      writer.line('sorted_keys[at] = key;');
      if (hasItems) writer.line('sorted_items[at] = items_of[j];');
    });
  });
  writer.line('barrier(CLK_LOCAL_MEM_FENCE);');
  writer.block(`for (uint at = id; at < used; at += ${group})`, () => {
    writer.line(`const ${keyType} key = sorted_keys[at];`);
    writer.line(digitLine);
    writer.line(`const uint place = next[digit] + at - before[digit * ${group}];`);
    write(`${work.rows > 1 ? '(size_t)k * n + ' : ''}place`, 'sorted_items[at]');
  });
  writer.line('barrier(CLK_LOCAL_MEM_FENCE);');
  const end = `(d < ${buckets - 1} ? before[(d + 1) * ${group}] : used)`;
  writer.line(`if (d < ${buckets}) next[d] += ${end} - before[d * ${group}];`);
  writer.line('barrier(CLK_LOCAL_MEM_FENCE);');
}

/** Replaces the tile's counters by their exclusive sums: each work-item adds those of one run, and the runs' sums are scanned. */
function scanCounters(writer: KernelWriter, buckets: number, group: number): void {
  const each = `for (uint c = id * ${buckets}; c < (id + 1) * ${buckets}; c++)`;
  writer.line('barrier(CLK_LOCAL_MEM_FENCE);');
  writer.line('uint sum = 0, half_used = 0;');
  writer.line(`${each} sum += before[c];`);
  writer.line('sums[0][id] = sum;');
  writer.line('barrier(CLK_LOCAL_MEM_FENCE);');
  writer.block(`for (uint distance = 1; distance < ${group}; distance *= 2)`, () => {
    writer.line('const uint own = sums[half_used][id];');
    writer.line('sums[1 - half_used][id] = id >= distance ? own + sums[half_used][id - distance] : own;');
    writer.line('half_used = 1 - half_used;');
    writer.line('barrier(CLK_LOCAL_MEM_FENCE);');
  });
  writer.line('sum = sums[half_used][id] - sum;');
  writer.block(each, () => {
    writer.line('const uint own = before[c];');
    writer.line('before[c] = sum;');
    writer.line('sum += own;');
  });
  writer.line('barrier(CLK_LOCAL_MEM_FENCE);');
}
