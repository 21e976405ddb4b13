// SPDX-License-Identifier: MIT
//
// Arrays one after the other along an axis.
import { launchEach } from '../elementwise/elementwise';
import { fail } from '../errors';
import { Inputs, scoped } from '../fusion';
import { Node } from '../node';
import { checkAxis, contiguous, type Layout, type Shape, shapeText, sizeOf } from '../shape';

/** The nodes, of one type and of equal shapes but for the axis, in one array. */
export function concatenated(nodes: readonly Node[], given: number, functionName: string): Node {
  const [first] = nodes;
  if (!first) return fail(functionName, 'it needs at least one array');
  const axis = checkAxis(given, first.shape.length, functionName);
  for (const { dtype, shape } of nodes) {
    if (dtype !== first.dtype)
      fail(
        functionName,
        `arrays of ${first.dtype} and of ${dtype}: convert them, with .as('${first.dtype}') or the like`,
      );
    const fits =
      shape.length === first.shape.length && shape.every((size, k) => k === axis || size === first.shape[k]);
    if (!fits)
      fail(
        functionName,
        `shapes ${shapeText(first.shape)} and ${shapeText(shape)} differ elsewhere than in axis ${axis}`,
      );
  }
  const { space, dtype } = first;
  const length = nodes.reduce((sum, { shape }) => sum + shape[axis]!, 0);
  const shape: Shape = first.shape.map((size, k) => (k === axis ? length : size));
  const { strides } = contiguous(shape);
  return new Node(space, dtype, shape, {
    kind: 'task',
    run: () =>
      scoped(space, function* (scope) {
        const out = space.allocate(dtype, sizeOf(shape));
        try {
          let at = 0;
          for (const node of nodes) {
            const target: Layout = { shape: node.shape, strides, offset: at * strides[axis]! };
            at += node.shape[axis]!;
            if (sizeOf(node.shape) === 0) continue;
            const inputs = yield* Inputs.gather([node], scope);
            yield* launchEach(space, node.shape, inputs, [out], {
              name: 'concatenate',
              title: 'an array as a part of a larger one',
              outputs: [{ name: 'out', dtype }],
              target,
              write: (writer, reader, index) => writer.store('out', index, reader.value(node), dtype),
            });
          }
          return out;
        } catch (error) {
          out.release();
          throw error;
        }
      }),
  });
}
