// SPDX-License-Identifier: MIT
//
// Scans along the last axis: each result combines the elements up to its place, or before it. A row is divided into runs: the first
// kernel accumulates each run, the second scans the runs' totals, the third scans each run from its start value.

import type { DType } from '../dtype';
import { Inputs, type Scope, scoped } from '../fusion';
import type { Node } from '../node';
import { chunksOf } from '../profile';
import { sizeOf } from '../shape';
import type { Space, Storage } from '../space';
import type { Task } from '../task';
import { type AxisGroup, allAxes, KernelWriter } from '../writer';
import type { Accumulator } from './accumulators';

interface Work {
  readonly node: Node;
  readonly inputs: Inputs;
  readonly accumulator: Accumulator;
  readonly exclusive: boolean;
  readonly rows: number;
  readonly length: number;
  readonly run: number;
  readonly count: number;
  readonly groups: readonly AxisGroup[];
}

export function scanNode(
  node: Node,
  accumulator: Accumulator,
  dtype: DType,
  exclusive: boolean,
): Task<Storage> {
  return scoped(node.space, function* (scope) {
    const { space, shape } = node;
    const { profile } = space;
    const axes = allAxes(shape);
    const last = axes.length - 1;
    const length = shape[last] ?? 1;
    const rows = sizeOf(shape.slice(0, -1));
    const tile = profile.style === 'cores' ? UNROLLED : profile.groupSize * PER_ITEM;
    const enough = rows >= profile.units * 4;
    const { length: run, count } = enough
      ? { length, count: 1 }
      : chunksOf(length, profile, tile, tile * LEAST_TILES[profile.style]);
    const work: Work = {
      node,
      inputs: yield* Inputs.gather([node], scope),
      accumulator,
      exclusive,
      rows,
      length,
      run,
      count,
      groups: [
        { variable: 'k', axes: axes.slice(0, -1) },
        { variable: 'r', axes: axes.slice(-1) },
      ],
    };
    const out = space.allocate(dtype, rows * length);
    try {
      if (rows * length > 0) yield* scanInto(space, scope, work, out);
      return out;
    } catch (error) {
      out.release();
      throw error;
    }
  });
}

/**
 * Tiles of a run at least. A GPU wants many groups. A thread of a CPU scans 16384 elements in the time of the two launches that a second
 * run would take.
 */
const LEAST_TILES = { cores: 4096, lanes: 4 } as const;

function* scanInto(space: Space, scope: Scope, work: Work, out: Storage): Task<void> {
  const pass = space.profile.style === 'cores' ? sequentialPass : groupPass;
  if (work.count === 1) {
    yield* pass(space, work, undefined, out);
    return;
  }
  const totals = scope.temporary('uint8', work.rows * work.count * work.accumulator.bytes);
  yield* pass(space, work, totals, undefined);
  yield* scanTotals(space, work, totals);
  yield* pass(space, work, totals, out);
}

/** Elements that a work-item takes at a time: the sum of four waits for the sum before it once. */
const UNROLLED = 4;

/** Starts a kernel of a pass. Without `out` it writes `totals`, else it starts from these. */
function begin(work: Work, totals: Storage | undefined, out: Storage | undefined, how: string): KernelWriter {
  const { accumulator } = work;
  const what = out ? (work.exclusive ? 'scan_exclusive' : 'scan') : 'accumulate';
  const writer = new KernelWriter(`${what}_${accumulator.name}`, `${what} by ${accumulator.name}: ${how}`);
  accumulator.declare(writer);
  writer.helper(
    `${accumulator.type} join(${accumulator.type} a, ${accumulator.type} b) {\n  return ${accumulator.combine('a', 'b')};\n}`,
  );
  if (out) writer.output(out, 'out');
  if (totals) writer.parameter(`global ${out ? 'const ' : ''}${accumulator.type} *restrict totals`, totals);
  return writer;
}

function runBounds(writer: KernelWriter, work: Work, chunk: string): void {
  const n = writer.int(work.length, 'n');
  if (work.count === 1) {
    writer.line(`const uint from = 0, to = ${n};`);
    return;
  }
  const size = writer.int(work.run, 'run');
  writer.line(`const uint from = ${chunk} * ${size}, to = min(from + (uint)${size}, (uint)${n});`);
}

/** A work-item for each run. */
function* sequentialPass(
  space: Space,
  work: Work,
  totals: Storage | undefined,
  out: Storage | undefined,
): Task<void> {
  const { accumulator, node, rows, count, exclusive } = work;
  const writer = begin(work, totals, out, 'a work-item for each run');
  writer.line('const uint chunk = get_global_id(0);');
  if (rows > 1) writer.line('const uint k = get_global_id(1);');
  const place = rows > 1 ? 'k * get_global_size(0) + chunk' : 'chunk';
  runBounds(writer, work, 'chunk');
  const first = totals && out ? `totals[${place}]` : accumulator.initial;
  writer.line(`${accumulator.type} sum = ${first};`);
  const groups = rows > 1 ? work.groups : work.groups.slice(1);
  const element = (): string => accumulator.take(work.inputs.at(writer, node.shape, groups).value(node), 'r');
  const store = (offset: number, value: string): void => {
    const row = rows > 1 ? `(size_t)k * n + ` : '';
    writer.store('out', `${row}r${offset ? ` + ${offset}` : ''}`, accumulator.finish(value), out!.dtype);
  };
  const { type } = accumulator;
  writer.line('uint at = from;');
  writer.block(`for (; at + ${UNROLLED} <= to; at += ${UNROLLED})`, () => {
    for (let k = 0; k < UNROLLED; k++) {
      writer.line(`${type} e${k};`);
      writer.block('', () => {
        writer.line(`const uint r = at + ${k};`);
        writer.line(`e${k} = ${element()};`);
      });
    }
    writer.line(`const ${type} e01 = join(e0, e1), e012 = join(e01, e2), all = join(e01, join(e2, e3));`);
    if (out) {
      writer.line('const uint r = at;');
      const sums = ['join(sum, e0)', 'join(sum, e01)', 'join(sum, e012)', 'join(sum, all)'];
      (exclusive ? ['sum', ...sums.slice(0, 3)] : sums).forEach((value, k) => {
        store(k, value);
      });
    }
    writer.line('sum = join(sum, all);');
  });
  writer.block('for (uint r = at; r < to; r++)', () => {
    const value = element();
    if (out && exclusive) store(0, 'sum');
    writer.line(`sum = join(sum, ${value});`);
    if (out && !exclusive) store(0, 'sum');
  });
  if (!out) writer.line(`totals[${place}] = sum;`);
  const kernel = yield* space.kernel(writer.source, writer.name);
  const range = rows > 1 ? { global: [count, rows], local: [1, 1] } : { global: count, local: 1 };
  space.launch(kernel, range, [(out ?? totals)!], writer.values);
}

/** Consecutive elements of a work-item in a tile. */
const PER_ITEM = 4;

const declareShared = (writer: KernelWriter, { type }: Accumulator, group: number): void => {
  writer.line(`local ${type} shared[2][${group}];`);
};

/** The lines that scan the `sum` of each work-item of a group: `shared[half_used][id]` is that of the work-items up to `id`. */
function scanGroup(writer: KernelWriter, accumulator: Accumulator, group: number): void {
  const { type } = accumulator;
  writer.line('uint half_used = 0;');
  writer.line('shared[0][id] = sum;');
  writer.line('barrier(CLK_LOCAL_MEM_FENCE);');
  writer.block(`for (uint distance = 1; distance < ${group}; distance *= 2)`, () => {
    writer.line(`const ${type} mine = shared[half_used][id];`);
    const joined = accumulator.combine('shared[half_used][id - distance]', 'mine');
    writer.line(`shared[1 - half_used][id] = id >= distance ? ${joined} : mine;`);
    writer.line('half_used = 1 - half_used;');
    writer.line('barrier(CLK_LOCAL_MEM_FENCE);');
  });
}

/** How a group scans the `sum` of each of its work-items, given the `carry` of the tiles before. */
interface GroupScan {
  /** Declares `shared` and the work-item's place, `id`. */
  begin(writer: KernelWriter, accumulator: Accumulator, group: number): void;
  combine(writer: KernelWriter, accumulator: Accumulator, group: number): void;
  /** Afterwards: what comes before the work-item's elements, and the next tile's carry. */
  readonly before: string;
  after(group: number): string;
}

/** Hillis and Steele: a barrier for each doubling of the distance. */
const byDoubling: GroupScan = {
  begin(writer, accumulator, group) {
    declareShared(writer, accumulator, group);
    writer.line('const uint id = get_local_id(0);');
  },
  combine: scanGroup,
  before: 'id > 0 ? join(carry, shared[half_used][id - 1]) : carry',
  after: (group) => `join(carry, shared[half_used][${group - 1}])`,
};

/** Sub-groups scan themselves; their totals are few. Which work-items are in which sub-group is up to the device. */
const bySubGroups: GroupScan = {
  begin(writer, { type }, group) {
    writer.line(`local ${type} shared[${group}];`);
    writer.line('const uint id = get_sub_group_id() * get_max_sub_group_size() + get_sub_group_local_id();');
  },
  combine(writer, { type, subGroup }) {
    writer.line(`const ${type} lower = sub_group_scan_exclusive_${subGroup}(sum);`);
    writer.line(
      'if (get_sub_group_local_id() == get_sub_group_size() - 1) shared[get_sub_group_id()] = join(lower, sum);',
    );
    writer.line('barrier(CLK_LOCAL_MEM_FENCE);');
    writer.line(`${type} start = carry, total = carry;`);
    writer.block('for (uint s = 0; s < get_num_sub_groups(); s++)', () => {
      writer.line('if (s == get_sub_group_id()) start = total;');
      writer.line('total = join(total, shared[s]);');
    });
  },
  before: 'join(start, lower)',
  after: () => 'total',
};

/** A group for each run, which it scans tile by tile in local memory. */
function* groupPass(
  space: Space,
  work: Work,
  totals: Storage | undefined,
  out: Storage | undefined,
): Task<void> {
  const { accumulator, node, rows, count, exclusive } = work;
  const group = space.profile.groupSize;
  const tile = group * PER_ITEM;
  const { type, initial } = accumulator;
  const writer = begin(
    work,
    totals,
    out,
    `groups of ${group} work-items scan a run each, by tiles of ${tile} elements`,
  );
  const how = space.profile.subGroups && accumulator.subGroup ? bySubGroups : byDoubling;
  how.begin(writer, accumulator, group);
  if (rows > 1) writer.line('const uint k = get_group_id(1);');
  const place = rows > 1 ? 'k * get_num_groups(0) + get_group_id(0)' : 'get_group_id(0)';
  runBounds(writer, work, 'get_group_id(0)');
  writer.line(`${type} carry = ${totals && out ? `totals[${place}]` : initial};`);
  const groups = rows > 1 ? work.groups : work.groups.slice(1);
  writer.block(`for (uint base = from; base < to; base += ${tile})`, () => {
    writer.line(`const uint first = base + id * ${PER_ITEM};`);
    writer.line(`${type} own[${PER_ITEM}], sum = ${initial};`);
    writer.block(`for (uint j = 0; j < ${PER_ITEM}; j++)`, () => {
      writer.line('const uint r = first + j;');
      writer.line(`own[j] = ${initial};`);
      writer.block('if (r < to)', () => {
        const element = work.inputs.at(writer, node.shape, groups).value(node);
        writer.line(`own[j] = ${accumulator.take(element, 'r')};`);
      });
      writer.line('sum = join(sum, own[j]);');
    });
    how.combine(writer, accumulator, group);
    if (out) {
      writer.line(`sum = ${how.before};`);
      writer.block(`for (uint j = 0; j < ${PER_ITEM}; j++)`, () => {
        const store = (): void => {
          writer.block('if (first + j < to)', () => {
            const row = rows > 1 ? '(size_t)k * n + ' : '';
            writer.store('out', `${row}first + j`, accumulator.finish('sum'), out.dtype);
          });
        };
        if (exclusive) store();
        writer.line('sum = join(sum, own[j]);');
        if (!exclusive) store();
      });
    }
    writer.line(`carry = ${how.after(group)};`);
    writer.line('barrier(CLK_LOCAL_MEM_FENCE);');
  });
  if (!out) writer.line(`if (id == 0) totals[${place}] = carry;`);
  const kernel = yield* space.kernel(writer.source, writer.name);
  const range =
    rows > 1 ? { global: [count * group, rows], local: [group, 1] } : { global: count * group, local: group };
  space.launch(kernel, range, [(out ?? totals)!], writer.values);
}

/** Replaces the total of each run by that of all runs before it. */
function* scanTotals(space: Space, work: Work, totals: Storage): Task<void> {
  const { accumulator, rows, count } = work;
  const { type, initial } = accumulator;
  const { style, groupSize } = space.profile;
  // Each work-item of a row's group has a part of the totals. One is enough where there are few.
  const group = style === 'cores' || count < 2 * groupSize ? 1 : groupSize;
  const writer = new KernelWriter(
    `scan_totals_${accumulator.name}`,
    `what the runs of each row before each run have: ${group} work-items for a row`,
  );
  accumulator.declare(writer);
  writer.parameter(`global ${type} *restrict totals`, totals);
  const n = writer.int(count, 'count');
  writer.line(`totals += get_group_id(0) * ${n};`);
  if (group === 1) {
    writer.line(`const uint from = 0, to = ${n};`);
    writer.line(`${type} sum = ${initial};`);
  } else {
    declareShared(writer, accumulator, group);
    writer.line('const uint id = get_local_id(0);');
    writer.line(`const uint part = (${n} + ${group - 1}) / ${group};`);
    writer.line(`const uint from = min(id * part, (uint)${n}), to = min(from + part, (uint)${n});`);
    writer.line(`${type} sum = ${initial};`);
    writer.line(`for (uint r = from; r < to; r++) sum = ${accumulator.combine('sum', 'totals[r]')};`);
    scanGroup(writer, accumulator, group);
    writer.line(`sum = id > 0 ? shared[half_used][id - 1] : ${initial};`);
  }
  writer.block('for (uint r = from; r < to; r++)', () => {
    writer.line(`const ${type} own = totals[r];`);
    writer.line('totals[r] = sum;');
    writer.line(`sum = ${accumulator.combine('sum', 'own')};`);
  });
  const kernel = yield* space.kernel(writer.source, writer.name);
  space.launch(kernel, { global: rows * group, local: group }, [totals], writer.values);
}
