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
    const group = tileSize(space);
    const { length: run, count } =
      rows >= profile.units * 4
        ? { length, count: 1 }
        : chunksOf(length, profile, cores ? 1 : group * PER_ITEM, cores ? 4096 : group * 16);
    const code = keyCode(given.dtype, descending);
    const keyLength = 8 * DTYPES[code.dtype].bytes;
    const looks = cores && keyLength > 8 && rows * length >= WORTH_A_LOOK;
    const node = looks && given.fused ? yield* computed(given, scope) : given;
    const payloadType = payload instanceof Node ? payload.dtype : 'uint32';
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
      bits: cores ? 8 : 4,
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
/** Consecutive elements of a work-item in a tile: their digits are scanned at once. */
const PER_ITEM = 4;
/** Work-items of a tile. Its counters are sums of 16 bits. */
const tileSize = (space: Space): number => Math.min(256, space.profile.groupSize);

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
  const group = cores ? 1 : tileSize(space);
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
  const group = cores ? 1 : tileSize(space);
  const writer = new KernelWriter(
    'sort_move',
    `moves each run's elements to where their digits of ${work.bits} bits begin`,
  );
  const write = writeOutputs(writer, work, to, last);
  writer.input(starts, 'starts');
  const read = reader(writer, work, from, true);
  writer.line(`${cores ? '' : 'local '}uint next[${buckets}];`);
  if (!cores) writer.line(`local ulong4 shared[2][${group}];`);
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
    writer.block(`for (uint tile = from; tile < to; tile += ${group * PER_ITEM})`, () =>
      moveTile(writer, work, read, write, digit, group),
    );
  }
  const kernel = yield* space.kernel(writer.source, writer.name);
  const outputs = [to.keys, to.payload].filter((storage) => storage !== undefined);
  space.launch(kernel, rangeOf(work, group), outputs, writer.values);
}

/** Sixteen counters of 16 bits are scanned at a time: each tells how many equal digits come before. */
function moveTile(
  writer: KernelWriter,
  work: Work,
  read: () => { item: string },
  write: (place: string, item: string) => void,
  digit: number,
  group: number,
): void {
  const hasItems = work.payload !== 'none';
  const each = `for (uint j = 0; j < ${PER_ITEM}; j++)`;
  const digitLine = `const uint digit = ${digitOf(writer, work, digit)}, at = (digit & 3) * 16;`;
  const word = (vector: string, of: string): string =>
    `(${of} < 4 ? ${vector}.x : ${of} >> 2 == 1 ? ${vector}.y : ${of} >> 2 == 2 ? ${vector}.z : ${vector}.w)`;
  const counter = (vector: string): string => `(uint)(${word(vector, 'digit')} >> at & 0xffff)`;
  writer.line(`const uint first = tile + id * ${PER_ITEM};`);
  writer.line(`${writer.type(work.code.dtype)} keys_of[${PER_ITEM}];`);
  if (hasItems) writer.line(`${writer.type(work.payloadType)} items_of[${PER_ITEM}];`);
  writer.line(`uint ranks[${PER_ITEM}];`);
  writer.line('ulong4 own = 0;');
  writer.block(each, () => {
    writer.line('const uint r = min(first + j, to - 1);');
    const { item } = read();
    writer.line(digitLine);
    writer.line('const ulong one = first + j < to ? 1ul << at : 0;');
    writer.line(`ranks[j] = ${counter('own')};`);
    writer.line(
      'own += (ulong4)(digit < 4 ? one : 0, digit >> 2 == 1 ? one : 0, digit >> 2 == 2 ? one : 0, digit >= 12 ? one : 0);',
    );
    writer.line('keys_of[j] = key;');
    if (hasItems) writer.line(`items_of[j] = ${item};`);
  });
  writer.line('shared[0][id] = own;');
  writer.line('uint half_used = 0;');
  writer.line('barrier(CLK_LOCAL_MEM_FENCE);');
  writer.block(`for (uint distance = 1; distance < ${group}; distance *= 2)`, () => {
    writer.line('const ulong4 mine = shared[half_used][id];');
    writer.line(
      'shared[1 - half_used][id] = id >= distance ? mine + shared[half_used][id - distance] : mine;',
    );
    writer.line('half_used = 1 - half_used;');
    writer.line('barrier(CLK_LOCAL_MEM_FENCE);');
  });
  writer.line('const ulong4 before = shared[half_used][id] - own;');
  writer.block(each, () => {
    writer.line(`const ${writer.type(work.code.dtype)} key = keys_of[j];`);
    writer.line(digitLine);
    writer.line(`const uint place = next[digit] + ranks[j] + ${counter('before')};`);
    writer.block('if (first + j < to)', () => {
      write(`${work.rows > 1 ? '(size_t)k * n + ' : ''}place`, 'items_of[j]');
    });
  });
  writer.line('barrier(CLK_LOCAL_MEM_FENCE);');
  writer.line(`const ulong4 all = shared[half_used][${group - 1}];`);
  writer.line(`if (d < 16) next[d] += (uint)(${word('all', 'd')} >> (d & 3) * 16 & 0xffff);`);
  writer.line('barrier(CLK_LOCAL_MEM_FENCE);');
}
