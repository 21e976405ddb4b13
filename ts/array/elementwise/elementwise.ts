// SPDX-License-Identifier: MIT
//
// Kernels that compute one element with each work-item.
import type { Range } from '../../api/public';
import type { DType } from '../dtype';
import { Inputs, type Reader, type Scope, scoped } from '../fusion';
import { isNode, type Node, type Operand } from '../node';
import { contiguous, isContiguous, isDense, type Layout, type Shape, sizeOf } from '../shape';
import type { Space, Storage } from '../space';
import type { Task } from '../task';
import { type AxisGroup, allAxes, KernelWriter, roundUp } from '../writer';

/** Computes a node, or copies its elements, into memory of its own. */
export function* materialize(node: Node): Task<Storage> {
  return (yield* materializeAll(node.space, node.shape, [node]))[0]!;
}

/** Computes several operands of one shape with one kernel. */
const materializeAll = (space: Space, shape: Shape, operands: readonly Operand[]): Task<Storage[]> =>
  elementwiseKernel(space, shape, operands, {
    name: 'elementwise',
    title: describe(operands),
    outputs: operands.map((operand, k) => ({ name: `out${k}`, dtype: operand.dtype })),
    write: (writer, reader, index) => {
      operands.forEach((operand, k) => {
        writer.store(`out${k}`, index, reader.value(operand), operand.dtype);
      });
    },
  });

const describe = (operands: readonly Operand[]): string =>
  operands
    .map((operand) => `${(isNode(operand) && operand.fused?.operator.name) || 'copy'} of ${operand.dtype}`)
    .join(', ');

export interface ElementwiseBody {
  readonly name: string;
  readonly title: string;
  readonly outputs: readonly { readonly name: string; readonly dtype: DType }[];
  /** Where the elements go in the outputs; by default one after the other. */
  readonly target?: Layout;
  /** Writes the statements. `index` is where the outputs' element is. */
  readonly write: (writer: KernelWriter, reader: Reader, index: string) => void;
}

/** Runs a kernel with a work-item for each element of `shape`, and returns what it wrote. */
export function elementwiseKernel(
  space: Space,
  shape: Shape,
  operands: readonly Operand[],
  body: ElementwiseBody,
): Task<Storage[]> {
  return scoped(space, function* (scope) {
    const inputs = yield* Inputs.gather(operands, scope);
    const outputs: Storage[] = [];
    try {
      for (const { dtype } of body.outputs) outputs.push(space.allocate(dtype, sizeOf(shape)));
      if (sizeOf(shape) > 0) yield* launchEach(space, shape, inputs, outputs, body);
      return outputs;
    } catch (error) {
      for (const storage of outputs) storage.release();
      throw error;
    }
  });
}

/** Enqueues a kernel with a work-item for each element of `shape`, which writes to `outputs`. */
export function* launchEach(
  space: Space,
  shape: Shape,
  inputs: Inputs,
  outputs: readonly Storage[],
  body: ElementwiseBody,
): Task<void> {
  const writer = new KernelWriter(body.name, body.title);
  outputs.forEach((storage, k) => {
    writer.output(storage, body.outputs[k]!.name);
  });
  const out = body.target ?? contiguous(shape);
  const isLinear = inputs.isLinear(shape) && isDense(out);
  const { groups, range } = isLinear ? linear(writer, shape) : grid(writer, shape);
  const reader = inputs.at(writer, shape, groups, [out]);
  body.write(writer, reader, reader.address(out));
  const kernel = yield* space.kernel(writer.source, writer.name);
  space.launch(kernel, range, outputs, writer.values);
}

interface Iteration {
  readonly groups: readonly AxisGroup[];
  readonly range: Range;
}

/** Sizes are rounded up, as drivers make groups of one work-item for primes. */
const STEP = 64;

function linear(writer: KernelWriter, shape: Shape): Iteration {
  const n = sizeOf(shape);
  writer.line('const size_t i = get_global_id(0);');
  // A guard keeps drivers from vectorizing: a size that needs none has a kernel without.
  if (n % STEP !== 0) writer.line(`if (i >= ${writer.int(n, 'size')}) return;`);
  return { groups: [{ variable: 'i', axes: allAxes(shape) }], range: { global: roundUp(n, STEP) } };
}

/** The last axis is x, the one before y, all others z. */
function grid(writer: KernelWriter, shape: Shape): Iteration {
  const rank = shape.length;
  const axes = allAxes(shape);
  const groups = [
    { variable: 'id_z', axes: axes.slice(0, Math.max(0, rank - 2)) },
    { variable: 'id_y', axes: axes.slice(Math.max(0, rank - 2), Math.max(0, rank - 1)) },
    { variable: 'id_x', axes: axes.slice(Math.max(0, rank - 1)) },
  ].filter((group) => group.axes.length > 0);
  const sizes = groups.map((group) => sizeOf(group.axes.map((axis) => shape[axis]!))).reverse();
  const step = Math.min(STEP, 2 ** Math.ceil(Math.log2(sizes[0] ?? 1)));
  [...groups].reverse().forEach(({ variable }, dimension) => {
    writer.line(`const size_t ${variable} = get_global_id(${dimension});`);
  });
  if (groups.length > 0 && sizes[0]! % step !== 0)
    writer.line(`if (id_x >= ${writer.int(sizes[0]!, 'width')}) return;`);
  return { groups, range: { global: [roundUp(sizes[0] ?? 1, step), ...sizes.slice(1)] } };
}

/** A node's elements one after the other. */
export function* dense(node: Node, scope: Scope): Task<Storage> {
  const view = yield* scope.view(node);
  return isContiguous(view) ? view.storage : scope.keep(yield* materialize(node));
}
