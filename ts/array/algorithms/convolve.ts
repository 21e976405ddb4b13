// SPDX-License-Identifier: MIT
//
// Convolution along the last axis, or the last two: of signals and images by small sets of weights.
import { commonType, type DType } from '../dtype';
import { dense } from '../elementwise/elementwise';
import { map } from '../elementwise/operands';
import { conversionTo, sumWithProduct } from '../elementwise/operators';
import { fail } from '../errors';
import { type Scope, scoped } from '../fusion';
import { Node, privately } from '../node';
import { checkOptions } from '../options';
import { type Shape, shapeText, sizeOf } from '../shape';
import type { Space, Storage } from '../space';
import type { Task } from '../task';
import { KernelWriter, roundUp } from '../writer';
import { checkEdge, type Edge, padded } from './pad';

/** Options of `convolve`. */
export interface ConvolveOptions {
  /**
   * How large the result is: `same` (the default) as the array, `full` with every place where the weights touch it, `valid` with those
   * where they are inside.
   */
  readonly size?: 'same' | 'full' | 'valid';
  /** What the elements outside of the array are. Default: 0. */
  readonly edge?: Edge;
}

/** How many of the weights' elements are before and after the array in the first and last result. */
const SIZES: Readonly<Record<string, (n: number) => readonly [number, number]>> = {
  same: (n) => [n - 1 - ((n - 1) >> 1), (n - 1) >> 1],
  full: (n) => [n - 1, n - 1],
  valid: () => [0, 0],
};

/** The convolution of a node by weights, which have one axis or two. */
export function convolution(node: Node, weights: Node, options: ConvolveOptions = {}): Node {
  checkOptions(options, ['size', 'edge'], 'convolve');
  const { shape, space } = node;
  const rank = weights.shape.length;
  if (rank < 1 || rank > 2 || rank > shape.length || sizeOf(weights.shape) === 0)
    fail(
      'convolve',
      `an array of shape ${shapeText(shape)} has no convolution by weights of shape ${shapeText(weights.shape)}: they have one axis or two, no more than the array, and an element`,
    );
  const { size = 'same', edge = 'zero' } = options;
  const around = Object.hasOwn(SIZES, size) ? SIZES[size] : undefined;
  if (!around) fail('convolve', `\`size\` must be 'same', 'full' or 'valid', not ${JSON.stringify(size)}`);
  const dtype = commonType([node.dtype, weights.dtype], 'convolve');
  const as = (each: Node): Node =>
    each.dtype === dtype ? each : map(space, conversionTo(dtype), [{ node: each }]);
  const checked = checkEdge(edge, dtype, 'convolve');
  const first = shape.length - rank;
  const pairs = shape.map((_, axis) =>
    axis < first ? ([0, 0] as const) : around!(weights.shape[axis - first]!),
  );
  const widths = { before: pairs.map(([n]) => n), after: pairs.map(([, n]) => n) };
  return privately(() => {
    const source = size === 'valid' ? as(node) : padded(as(node), widths, checked, 'convolve');
    const by = as(weights);
    const out = source.shape.map((n, axis) =>
      axis < first ? n : Math.max(0, n - weights.shape[axis - first]! + 1),
    );
    const run = () => scoped(space, (scope) => convolve(space, scope, source, by, out));
    return new Node(space, dtype, out, { kind: 'task', run });
  });
}

/** Rows of the result that a work-item computes. */
const ROWS = 4;

function* convolve(space: Space, scope: Scope, source: Node, weights: Node, shape: Shape): Task<Storage> {
  const { dtype } = source;
  const from = yield* dense(source, scope);
  const by = yield* dense(weights, scope);
  const out = space.allocate(dtype, sizeOf(shape));
  if (sizeOf(shape) === 0) return out;
  try {
    const [m, k] = [weights.shape.length > 1 ? weights.shape[0]! : 1, weights.shape.at(-1)!];
    const width = shape.at(-1)!;
    // Along one axis all other axes are rows; along two, those before are images.
    const planar = weights.shape.length > 1;
    const rows = planar ? shape.at(-2)! : sizeOf(shape.slice(0, -1));
    const images = planar ? sizeOf(shape.slice(0, -2)) : 1;
    const writer = new KernelWriter('convolve', `a convolution, ${ROWS} rows for each work-item`);
    writer.output(out, 'out');
    const [p, w] = [writer.input(from, 'from'), writer.input(by, 'weights')];
    writer.int(rows, 'rows');
    writer.int(width, 'width');
    writer.int(m, 'm');
    writer.int(k, 'k');
    body(writer, dtype, p, w);
    const step = Math.min(64, 2 ** Math.ceil(Math.log2(width)));
    const kernel = yield* space.kernel(writer.source, writer.name);
    const global = [roundUp(width, step), Math.ceil(rows / ROWS), images];
    space.launch(kernel, { global }, [out], writer.values);
    return out;
  } catch (error) {
    out.release();
    throw error;
  }
}

function body(writer: KernelWriter, dtype: DType, from: string, weights: string): void {
  const type = writer.type(dtype);
  const all = Array.from({ length: ROWS }, (_, r) => r);
  writer.line('const int x = get_global_id(0), image = get_global_id(2);');
  writer.line(`const int y = get_global_id(1) * ${ROWS};`);
  writer.line('if (x >= width) return;');
  writer.line('const size_t line = width + k - 1, start = image * (size_t)(rows + m - 1);');
  // Rows after the last one are computed as the last one again.
  for (const r of all) writer.line(`const size_t row${r} = (start + min(y + ${r}, rows - 1)) * line + x;`);
  writer.line(`${type} ${all.map((r) => `sum${r} = 0`).join(', ')};`);
  writer.block('for (int j = 0; j < m; j++)', () =>
    writer.block('for (int i = 0; i < k; i++)', () => {
      writer.line(`const ${type} weight = ${writer.load(weights, '(m - 1 - j) * k + (k - 1 - i)', dtype)};`);
      writer.line('const size_t at = j * line + i;');
      for (const r of all)
        writer.line(
          `sum${r} = ${sumWithProduct(dtype, `sum${r}`, writer.load(from, `row${r} + at`, dtype), 'weight')};`,
        );
    }),
  );
  for (const r of all)
    writer.block(`if (y + ${r} < rows)`, () =>
      writer.store('out', `(image * (size_t)rows + y + ${r}) * width + x`, `sum${r}`, dtype),
    );
}
