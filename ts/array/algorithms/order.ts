// SPDX-License-Identifier: MIT
//
// Sorts as the caller asks for them, and what is made of them and of scans: compaction, distinct elements.

import { type DType, isFloat } from '../dtype';
import { elementwiseKernel, launchEach, materialize } from '../elementwise/elementwise';
import { map } from '../elementwise/operands';
import { conversionTo, OPERATORS } from '../elementwise/operators';
import { fail } from '../errors';
import { Inputs, scoped } from '../fusion';
import { Group, Node, privately } from '../node';
import { checkOptions } from '../options';
import { contiguous, shapeText, sizeOf } from '../shape';
import type { Storage } from '../space';
import type { Task } from '../task';
import type { KernelWriter } from '../writer';
import { alongAxis, namedScan } from './reductions';
import { selectRuns } from './select';
import { type SortOptions, sortNode } from './sort';

const SORT_OPTIONS = ['axis', 'descending'];

/** The elements in order. */
export function sorted(node: Node, options: SortOptions = {}): Node {
  checkOptions(options, SORT_OPTIONS, 'sort');
  return alongAxis(node, options.axis, 'sort', (of) =>
    single(of, of, () => sortNode(of, 'none', true, options.descending ?? false)),
  );
}

/** The indices of the elements in order. */
export function argsorted(node: Node, options: SortOptions = {}): Node {
  checkOptions(options, SORT_OPTIONS, 'argsort');
  return alongAxis(node, options.axis, 'argsort', (of) =>
    single(of, { dtype: 'uint32' }, () => sortNode(of, 'indices', false, options.descending ?? false)),
  );
}

/** The elements in the order of keys. */
export function sortedBy(values: Node, keys: Node, options: SortOptions = {}): Node {
  checkOptions(options, SORT_OPTIONS, 'sortBy');
  if (shapeText(values.shape) !== shapeText(keys.shape))
    fail('sortBy', `keys of shape ${shapeText(keys.shape)} for elements of shape ${shapeText(values.shape)}`);
  const last = values.shape.length - 1;
  if (options.axis !== undefined && options.axis !== -1 && options.axis !== last)
    fail('sortBy', 'elements are sorted by keys along the last axis: transpose both');
  return single(values, values, () => sortNode(keys, values, false, options.descending ?? false));
}

function single(of: Node, like: Pick<Node, 'dtype'>, run: () => ReturnType<typeof sortNode>): Node {
  of.checkAlive('sort');
  const group = new Group(run, 1);
  return new Node(of.space, like.dtype, of.shape, { kind: 'part', of: group, index: 0 });
}

/** The elements where the mask is not 0, as an array with one axis. How many there are is read from the device. */
export function compacted(node: Node, mask: Node): Task<Node> {
  const { space } = node;
  if (shapeText(node.shape) !== shapeText(mask.shape))
    fail(
      'compact',
      `a mask of shape ${shapeText(mask.shape)} for elements of shape ${shapeText(node.shape)}`,
    );
  if (space.profile.style === 'cores')
    return selectRuns({
      name: 'compact',
      title: 'the elements that the mask selects',
      shape: node.shape,
      operands: [node, mask],
      dtype: node.dtype,
      keep: (_, reader) => `${reader.value(mask)} != 0`,
      value: (reader) => reader.value(node),
    });
  const size = sizeOf(node.shape);
  return scoped(space, function* (scope) {
    const flags = scope.keep(map(space, OPERATORS.ne, [{ node: mask }, 0]));
    const counted = (): Node =>
      namedScan(flattened(map(space, conversionTo('uint32'), [{ node: flags }])), 'sum', {});
    const positions = scope.keep(privately(counted));
    const last = size === 0 ? undefined : yield* scope.view(positions);
    const [total] = last ? ((yield* space.read(last.storage, size - 1, 1)) as Uint32Array) : [0];
    const out = space.allocate(node.dtype, total!);
    try {
      if (total! > 0) {
        const aligned = scope.node(last!.storage, 'uint32', node.shape);
        const inputs = yield* Inputs.gather([node, flags, aligned], scope);
        yield* launchEach(space, node.shape, inputs, [out], {
          name: 'compact',
          title: 'the elements that the mask selects',
          outputs: [{ name: 'out', dtype: node.dtype }],
          write: (writer, reader) => {
            const [keep, place] = [reader.value(flags), reader.value(aligned)];
            writer.block(`if (${keep})`, () =>
              writer.store('out', `${place} - 1`, reader.value(node), node.dtype),
            );
          },
        });
      }
    } catch (error) {
      out.release();
      throw error;
    }
    return new Node(space, node.dtype, [total!], { storage: out, ...contiguous([total!]) });
  });
}

/** A node with one axis. */
function flattened(node: Node): Node {
  if (node.shape.length === 1) return node;
  const shape = [sizeOf(node.shape)];
  return new Node(node.space, node.dtype, shape, {
    kind: 'task',
    run: () => materialize(node),
  });
}

/** Each value once, in order. All NaN are one value. */
export function distinct(node: Node): Task<Node> {
  const { space } = node;
  return scoped(space, function* (scope) {
    const order = scope.keep(privately(() => sorted(flattened(node), {})));
    if (space.profile.style === 'cores') return yield* distinctRuns(order);
    return yield* compacted(order, scope.keep(firstOfEach(order)));
  });
}

/** Whether each element of a sorted array differs from the one before. */
function firstOfEach(order: Node): Node {
  const { space } = order;
  return new Node(space, 'uint8', order.shape, {
    kind: 'task',
    run: () =>
      scoped(space, function* (scope) {
        const view = yield* scope.view(order);
        const [out] = yield* elementwiseKernel(space, order.shape, [order], {
          name: 'first_of_each',
          title: 'whether each element of a sorted array differs from the one before',
          outputs: [{ name: 'out', dtype: 'uint8' }],
          write: (writer, reader, index) => {
            const isFirst = differsFromBefore(writer, view.storage, order.dtype, reader.value(order), index);
            writer.store('out', index, `(uchar)(${isFirst})`, 'uint8');
          },
        });
        return out!;
      }),
  });
}

function* distinctRuns(order: Node): Task<Node> {
  const { storage } = yield* order.compute();
  return yield* selectRuns({
    name: 'unique',
    title: 'the elements of a sorted array that differ from the one before',
    shape: order.shape,
    operands: [order],
    dtype: order.dtype,
    keep: (writer, reader) => differsFromBefore(writer, storage, order.dtype, reader.value(order), 'r'),
    value: (reader) => reader.value(order),
  });
}

/** The text that says whether an element of a sorted array, at index `index`, is the first of its value. */
function differsFromBefore(
  writer: KernelWriter,
  storage: Storage,
  dtype: DType,
  own: string,
  index: string,
): string {
  const before = writer.fresh('before');
  const place = `${index} - (${index} > 0 ? 1 : 0)`;
  writer.line(`const ${writer.type(dtype)} ${before} = ${writer.load(writer.input(storage), place, dtype)};`);
  const nan = isFloat(dtype) ? ` && !(${before} != ${before} && ${own} != ${own})` : '';
  return `${index} == 0 || (${before} != ${own}${nan})`;
}
