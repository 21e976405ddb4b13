// SPDX-License-Identifier: MIT
//
// Selection of elements on processors: a first kernel counts what is selected of each run, a second one copies each run's to their place.

import type { DType } from '../dtype';
import { Inputs, type Reader, scoped } from '../fusion';
import { Node } from '../node';
import { chunksOf } from '../profile';
import { contiguous, type Shape, sizeOf } from '../shape';
import type { Storage } from '../space';
import type { Task } from '../task';
import { type AxisGroup, allAxes, KernelWriter } from '../writer';
import { REDUCTIONS } from './accumulators';
import { combineGroup } from './reduce';
import { scanNode } from './scan';

/** What is selected of the elements of a shape. */
export interface Selection {
  readonly name: string;
  readonly title: string;
  readonly shape: Shape;
  /** What the texts read. */
  readonly operands: readonly Node[];
  readonly dtype: DType;
  /** Whether element `r` is selected, and its value. */
  keep(writer: KernelWriter, reader: Reader): string;
  value(reader: Reader): string;
}

/** Work-items that count a run together: as many as processors compute at once. */
const GROUP = 16;
/** Elements of a run at least. */
const LEAST_RUN = 16384;

/** The selected elements, as an array with one axis. How many there are is read from the device. */
export function selectRuns(selection: Selection): Task<Node> {
  const { shape, operands, dtype } = selection;
  const { space } = operands[0]!;
  return scoped(space, function* (scope) {
    const size = sizeOf(shape);
    const node = (storage: Storage, length: number): Node =>
      new Node(space, dtype, [length], { storage, ...contiguous([length]) });
    if (size === 0) return node(space.allocate(dtype, 0), 0);
    const inputs = yield* Inputs.gather(operands, scope);
    const { length: run, count } = chunksOf(size, space.profile, GROUP, LEAST_RUN);
    const groups: AxisGroup[] = [{ variable: 'r', axes: allAxes(shape) }];
    const begin = (name: string, title: string): KernelWriter => {
      const writer = new KernelWriter(`${selection.name}_${name}`, `${selection.title}: ${title}`);
      const [n, length] = [writer.int(size, 'n'), writer.int(run, 'run')];
      writer.line('const uint group = get_group_id(0), id = get_local_id(0);');
      writer.line(`const uint from = group * ${length}, to = min(from + (uint)${length}, (uint)${n});`);
      return writer;
    };

    const counts = scope.temporary('uint32', count);
    const counter = begin('count', 'how many of each run');
    counter.output(counts, 'counts');
    counter.line('uint sum = 0;');
    counter.block(`for (uint r = from + id; r < to; r += ${GROUP})`, () => {
      counter.line(`sum += (${selection.keep(counter, inputs.at(counter, shape, groups))}) ? 1 : 0;`);
    });
    combineGroup(counter, REDUCTIONS.sum.accumulator('uint32'), GROUP, space.profile);
    counter.line('if (id == 0) counts[group] = sum;');
    const group = { global: count * GROUP, local: GROUP };
    space.launch(yield* space.kernel(counter.source, counter.name), group, [counts], counter.values);

    const sums = REDUCTIONS.sum.accumulator('uint32');
    const ends = scope.keep(yield* scanNode(scope.node(counts, 'uint32', [count]), sums, 'uint32', false));
    const [total] = (yield* space.read(ends, count - 1, 1)) as Uint32Array;
    const out = space.allocate(dtype, total!);
    try {
      if (total! > 0) {
        const copier = begin('copy', 'the elements');
        copier.output(out, 'out');
        copier.input(ends, 'ends');
        copier.line('const uint end = ends[group];');
        copier.line('uint at = group > 0 ? ends[group - 1] : 0;');
        // An element that is not selected is written over by the next one. The loop ends with the last selected one.
        copier.block('for (uint r = from; at < end; r++)', () => {
          const reader = inputs.at(copier, shape, groups);
          copier.store('out', 'at', selection.value(reader), dtype);
          copier.line(`at += (${selection.keep(copier, reader)}) ? 1 : 0;`);
        });
        const kernel = yield* space.kernel(copier.source, copier.name);
        space.launch(kernel, { global: count, local: 1 }, [out], copier.values);
      }
      return node(out, total!);
    } catch (error) {
      out.release();
      throw error;
    }
  });
}
