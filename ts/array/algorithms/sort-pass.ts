// SPDX-License-Identifier: MIT
//
// One pass of a radix sort: the kernels that count a digit in each run, and move the elements to where the digit's values begin.

import type { DType } from '../dtype';
import { type Inputs, scoped } from '../fusion';
import type { Node } from '../node';
import { sizeOf } from '../shape';
import type { Space, Storage } from '../space';
import type { Task } from '../task';
import { type AxisGroup, KernelWriter } from '../writer';
import { REDUCTIONS } from './accumulators';
import { declareOrder, type KeyCode } from './keys';
import { scanNode } from './scan';

/** What is moved with the keys: nothing, their indices, or the elements of another array. */
export type Payload = 'none' | 'indices' | Node;

export interface Work {
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
export interface Place {
  readonly keys: Storage | undefined;
  readonly payload: Storage | undefined;
}

/** Elements that a work-item of a processor takes at a time. */
const UNROLLED = 4;
/** The elements that a group of a GPU sorts at a time in local memory. */
export interface Tile {
  /** Work-items. */
  readonly group: number;
  /** Consecutive elements of a work-item. */
  readonly perItem: number;
}

/** Moves the elements to where their digit `digit` belongs. */
export function pass(
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
    return { item: payload === 'indices' ? 'r' : read!.value(payload) };
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
