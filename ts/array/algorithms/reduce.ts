// SPDX-License-Identifier: MIT
//
// Reductions of all elements or along axes. Each group of work-items accumulates a run, and combines its parts in local memory.

import type { DType } from '../dtype';
import { Inputs, type Scope, scoped } from '../fusion';
import type { Node } from '../node';
import { chunksOf, type Profile } from '../profile';
import { sizeOf } from '../shape';
import type { Space, Storage } from '../space';
import type { Task } from '../task';
import { type AxisGroup, allAxes, KernelWriter, roundUp } from '../writer';
import type { Accumulator } from './accumulators';

/** Reduces a node along `axes` to an element of type `dtype` for each element of the other axes. */
export function reduceNode(
  node: Node,
  axes: readonly number[],
  accumulator: Accumulator,
  dtype: DType,
): Task<Storage> {
  return scoped(node.space, function* (scope) {
    const { space, shape } = node;
    const kept = allAxes(shape).filter((axis) => !axes.includes(axis));
    const sizes = (list: readonly number[]): number => sizeOf(list.map((axis) => shape[axis]!));
    const work: Work = {
      node,
      accumulator,
      inputs: yield* Inputs.gather([node], scope),
      outputs: sizes(kept),
      length: sizes(axes),
      groups: [
        { variable: 'k', axes: kept },
        { variable: 'r', axes },
      ],
    };
    const out = space.allocate(dtype, work.outputs);
    try {
      if (work.outputs > 0) yield* reduceInto(space, scope, work, out);
      return out;
    } catch (error) {
      out.release();
      throw error;
    }
  });
}

interface Work {
  readonly node: Node;
  readonly accumulator: Accumulator;
  readonly inputs: Inputs;
  /** Results, and elements of which each is made. */
  readonly outputs: number;
  readonly length: number;
  readonly groups: readonly [kept: AxisGroup, reduced: AxisGroup];
}

/** Below this length, a work-item reduces alone. */
const SHORT = 32;
/**
 * Work-items of a group on a processor: as many as it computes at once. It takes the work-items of a larger group part by part, and
 * each part goes through the whole run in strides, so that memory is not read in order.
 */
const CORES_GROUP = 16;
/** Elements that a group reduces on a processor at least. */
const CORES_RUN = 16384;

function* reduceInto(space: Space, scope: Scope, work: Work, out: Storage): Task<void> {
  const { profile } = space;
  const { node, outputs, length } = work;
  const lastAxis = node.shape.length - 1;
  const neighbours = work.groups[0].axes.includes(lastAxis) && outputs >= profile.units * profile.groupSize;
  if (length < SHORT || neighbours) {
    yield* reduceByItems(space, work, out);
    return;
  }
  const cores = profile.style === 'cores';
  const widest = cores ? Math.min(CORES_GROUP, profile.groupSize) : profile.groupSize;
  const group = Math.min(widest, 2 ** Math.floor(Math.log2(length / 4)));
  // Enough groups to fill the device, if the outputs are not.
  const { length: run, count } =
    outputs >= profile.units * 4
      ? { length, count: 1 }
      : chunksOf(length, profile, group, cores ? CORES_RUN : group * 16);
  if (count === 1) {
    yield* reduceByGroups(space, work, group, run, 1, out, true);
    return;
  }
  const partial = scope.temporary('uint8', outputs * count * work.accumulator.bytes);
  yield* reduceByGroups(space, work, group, run, count, partial, false);
  yield* combinePartials(space, work, count, partial, out);
}

/** A work-item for each result. */
function* reduceByItems(space: Space, work: Work, out: Storage): Task<void> {
  const { accumulator, inputs, node, outputs, length } = work;
  const writer = new KernelWriter(
    `reduce_${accumulator.name}`,
    `${accumulator.name}: a work-item for each result`,
  );
  accumulator.declare(writer);
  writer.output(out, 'out');
  writer.line('const size_t k = get_global_id(0);');
  writer.line(`if (k >= ${writer.int(outputs, 'outputs')}) return;`);
  writer.line(`${accumulator.type} sum = ${accumulator.initial};`);
  writer.block(`for (uint r = 0; r < ${writer.int(length, 'n')}; r++)`, () => {
    const element = inputs.at(writer, node.shape, work.groups).value(node);
    writer.line(`sum = ${accumulator.combine('sum', accumulator.take(element, 'r'))};`);
  });
  writer.store('out', 'k', accumulator.finish('sum'), out.dtype);
  const kernel = yield* space.kernel(writer.source, writer.name);
  space.launch(kernel, { global: roundUp(outputs, 64) }, [out], writer.values);
}

/** The lines that combine the `sum` of each work-item of a group; the first work-item then has the group's. */
export function combineGroup(
  writer: KernelWriter,
  accumulator: Accumulator,
  group: number,
  { subGroups }: Profile,
): void {
  if (group === 1) return;
  writer.line(`local ${accumulator.type} shared[${group}];`);
  if (subGroups && accumulator.subGroup) {
    writer.line(`sum = sub_group_reduce_${accumulator.subGroup}(sum);`);
    writer.line('if (get_sub_group_local_id() == 0) shared[get_sub_group_id()] = sum;');
    writer.line('barrier(CLK_LOCAL_MEM_FENCE);');
    writer.line('sum = shared[0];');
    writer.line(
      `for (uint s = 1; s < get_num_sub_groups(); s++) sum = ${accumulator.combine('sum', 'shared[s]')};`,
    );
    return;
  }
  writer.line('shared[id] = sum;');
  writer.line('barrier(CLK_LOCAL_MEM_FENCE);');
  writer.block(`for (uint half_size = ${group / 2}; half_size > 0; half_size /= 2)`, () => {
    writer.line(
      `if (id < half_size) shared[id] = ${accumulator.combine('shared[id]', 'shared[id + half_size]')};`,
    );
    writer.line('barrier(CLK_LOCAL_MEM_FENCE);');
  });
  writer.line('sum = shared[0];');
}

/** A group for each run of elements of each result. */
function* reduceByGroups(
  space: Space,
  work: Work,
  group: number,
  run: number,
  count: number,
  out: Storage,
  finishes: boolean,
): Task<void> {
  const { accumulator, inputs, node, outputs, length } = work;
  const writer = new KernelWriter(
    `reduce_${accumulator.name}`,
    `${accumulator.name}: groups of ${group} work-items accumulate a run of elements each`,
  );
  accumulator.declare(writer);
  if (finishes) writer.output(out, 'out');
  else writer.parameter(`global ${accumulator.type} *restrict out`, out);
  writer.line('const uint id = get_local_id(0);');
  if (outputs > 1) writer.line('const size_t k = get_group_id(1);');
  const n = writer.int(length, 'n');
  if (count > 1) {
    const size = writer.int(run, 'run');
    writer.line(`const uint from = get_group_id(0) * ${size}, to = min(from + (uint)${size}, (uint)${n});`);
  }
  writer.line(`${accumulator.type} sum = ${accumulator.initial};`);
  const [from, to] = count > 1 ? ['from', 'to'] : ['0', `(uint)${n}`];
  writer.block(`for (uint r = ${from} + id; r < ${to}; r += ${group})`, () => {
    const groups = outputs > 1 ? work.groups : [work.groups[1]];
    const element = inputs.at(writer, node.shape, groups).value(node);
    writer.line(`sum = ${accumulator.combine('sum', accumulator.take(element, 'r'))};`);
  });
  combineGroup(writer, accumulator, group, space.profile);
  const place = outputs > 1 ? 'get_group_id(1) * get_num_groups(0) + get_group_id(0)' : 'get_group_id(0)';
  writer.block('if (id == 0)', () => {
    if (finishes) writer.store('out', place, accumulator.finish('sum'), out.dtype);
    else writer.line(`out[${place}] = sum;`);
  });
  const kernel = yield* space.kernel(writer.source, writer.name);
  const range =
    outputs > 1
      ? { global: [group * count, outputs], local: [group, 1] }
      : { global: group * count, local: group };
  space.launch(kernel, range, [out], writer.values);
}

/** Combines the groups' values of each result. */
function* combinePartials(
  space: Space,
  work: Work,
  count: number,
  partial: Storage,
  out: Storage,
): Task<void> {
  const { accumulator, outputs } = work;
  const { style, groupSize } = space.profile;
  // One work-item is enough where there are few values. A GPU has many: it waits for memory once instead of for each.
  const group = style === 'cores' || count < groupSize ? 1 : groupSize;
  const writer = new KernelWriter(
    `combine_${accumulator.name}`,
    `${accumulator.name}: of what the groups have`,
  );
  accumulator.declare(writer);
  writer.output(out, 'out');
  writer.parameter(`global const ${accumulator.type} *restrict partial`, partial);
  writer.line('const uint id = get_local_id(0);');
  writer.line('const size_t k = get_group_id(0);');
  writer.line(`${accumulator.type} sum = ${accumulator.initial};`);
  const n = writer.int(count, 'count');
  writer.line(
    `for (uint r = id; r < ${n}; r += ${group}) sum = ${accumulator.combine('sum', `partial[k * ${n} + r]`)};`,
  );
  combineGroup(writer, accumulator, group, space.profile);
  writer.block('if (id == 0)', () => {
    writer.store('out', 'k', accumulator.finish('sum'), out.dtype);
  });
  const range = { global: outputs * group, local: group };
  space.launch(yield* space.kernel(writer.source, writer.name), range, [out], writer.values);
}
