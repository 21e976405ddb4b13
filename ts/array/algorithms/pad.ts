// SPDX-License-Identifier: MIT
//
// Arrays with elements added around them.
import { checkElement, type DType } from '../dtype';
import { dense } from '../elementwise/elementwise';
import { fail } from '../errors';
import { type Scope, scoped } from '../fusion';
import { Node } from '../node';
import { type Shape, shapeText, sizeOf } from '../shape';
import type { Space, Storage } from '../space';
import type { Task } from '../task';
import { KernelWriter, roundUp } from '../writer';

/**
 * What the elements outside of an array are: one value (`zero` is 0), the nearest element, the elements mirrored at the first or
 * last one, or the array repeated.
 */
export type Edge = 'zero' | 'nearest' | 'mirror' | 'wrap' | { readonly value: number | bigint };

/** Elements before and after an axis; one number for both. */
export type Width = number | readonly [before: number, after: number];

interface Widths {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

const EDGES = {
  nearest: (at: string, n: string) => `clamp(${at}, 0, ${n} - 1)`,
  mirror: (at: string, n: string) => `mirrored(${at}, ${n})`,
  wrap: (at: string, n: string) => `((${at}) % ${n} + ${n}) % ${n}`,
} as const;

const MIRRORED = `int mirrored(int at, int n) {
  const int period = max(2 * (n - 1), 1), place = ((at) % period + period) % period;
  return n == 1 ? 0 : min(place, period - place);
}`;

export function checkEdge(edge: unknown, dtype: DType, functionName: string): Edge {
  if (edge === 'zero' || (typeof edge === 'string' && Object.hasOwn(EDGES, edge))) return edge as Edge;
  const value = (edge as { value?: unknown } | null | undefined)?.value;
  if (typeof value === 'number' || typeof value === 'bigint') {
    checkElement(value, dtype, functionName);
    return { value };
  }
  const names = ['zero', ...Object.keys(EDGES)].map((name) => `'${name}'`).join(', ');
  return fail(functionName, `\`edge\` must be ${names} or { value: a number }, not ${JSON.stringify(edge)}`);
}

/** The widths of each axis, from one number for all or a list of them. */
export function checkWidths(given: number | readonly Width[], shape: Shape, functionName: string): Widths {
  const list = typeof given === 'number' ? shape.map(() => given) : [...given];
  if (list.length !== shape.length)
    fail(functionName, `${list.length} widths for the ${shape.length} axes of shape ${shapeText(shape)}`);
  const pairs = list.map((width) => (typeof width === 'number' ? [width, width] : [...width]));
  for (const pair of pairs)
    if (pair.length !== 2 || !pair.every((n) => Number.isSafeInteger(n) && n >= 0))
      fail(
        functionName,
        `a width must be a whole number, or one before and one after, not ${shapeText(pair)}`,
      );
  return { before: pairs.map(([n]) => n!), after: pairs.map(([, n]) => n!) };
}

/** A node with elements added before and after each axis. */
export function padded(node: Node, { before, after }: Widths, edge: Edge, functionName: string): Node {
  const { shape, space } = node;
  const wanted = shape.map((n, axis) => before[axis]! + n + after[axis]!);
  const grows = shape.findIndex((n, axis) => n === 0 && wanted[axis]! > 0);
  if (grows >= 0 && typeof edge === 'string' && edge !== 'zero')
    fail(functionName, `axis ${grows} of shape ${shapeText(shape)} has no element to repeat`);
  return new Node(space, node.dtype, wanted, {
    kind: 'task',
    run: () => scoped(space, (scope) => pad(space, scope, node, wanted, before, edge)),
  });
}

function* pad(
  space: Space,
  scope: Scope,
  node: Node,
  wanted: Shape,
  before: readonly number[],
  edge: Edge,
): Task<Storage> {
  const { shape, dtype } = node;
  const source = yield* dense(node, scope);
  const out = space.allocate(dtype, sizeOf(wanted));
  if (sizeOf(wanted) === 0) return out;
  try {
    const name = typeof edge === 'string' ? edge : 'value';
    const writer = new KernelWriter(`pad_${name}`, `an array with elements around it (${name})`);
    writer.output(out, 'out');
    const from = writer.input(source, 'from');
    const last = shape.length - 1;
    const width = wanted[last] ?? 1;
    const step = Math.min(64, 2 ** Math.ceil(Math.log2(width)));
    writer.line('const int at = get_global_id(0);');
    if (width % step !== 0) writer.line(`if (at >= ${writer.int(width, 'width')}) return;`);
    const repeats = name === 'zero' || name === 'value' ? undefined : EDGES[name as keyof typeof EDGES];
    if (name === 'mirror') writer.helper(MIRRORED);
    const outside: string[] = [];
    const terms: string[] = [];
    let stride = 1;
    writer.line('uint rest = get_global_id(1);');
    for (let axis = last; axis >= 0; axis--) {
      const size = writer.int(shape[axis]!, `n${axis}`);
      let place = 'at';
      if (axis < last) {
        const total = writer.int(wanted[axis]!, `total${axis}`);
        place = `(int)(rest % (uint)${total})`;
      }
      writer.line(`const int k${axis} = ${place} - ${writer.int(before[axis]!, `before${axis}`)};`);
      if (axis < last && axis > 0) writer.line(`rest /= (uint)total${axis};`);
      if (!repeats) outside.push(`k${axis} < 0 || k${axis} >= ${size}`);
      const inside = (repeats ?? EDGES.nearest)(`k${axis}`, size);
      terms.push(axis === last ? inside : `(size_t)(${inside}) * ${writer.int(stride, `stride${axis}`)}`);
      stride *= shape[axis]!;
    }
    const index = terms.reverse().join(' + ') || '0';
    const target = `get_global_id(1) * (size_t)${writer.int(width, 'row')} + at`;
    const type = writer.type(dtype);
    if (repeats) writer.line(`const ${type} value = ${writer.load(from, index, dtype)};`);
    else {
      const fill = writer.scalar(fillOf(edge), dtype, 'fill');
      writer.line(`${type} value = ${fill};`);
      writer.block(`if (!(${outside.join(' || ') || 'false'}))`, () =>
        writer.line(`value = ${writer.load(from, index, dtype)};`),
      );
    }
    writer.store('out', target, 'value', dtype);
    const kernel = yield* space.kernel(writer.source, writer.name);
    const rows = sizeOf(wanted.slice(0, -1));
    space.launch(kernel, { global: [roundUp(width, step), rows] }, [out], writer.values);
    return out;
  } catch (error) {
    out.release();
    throw error;
  }
}

const fillOf = (edge: Edge): number | bigint => (typeof edge === 'object' ? edge.value : 0);
