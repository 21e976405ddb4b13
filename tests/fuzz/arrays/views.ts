// SPDX-License-Identifier: MIT
//
// Views, joins and padding, and their references.
import type { NDArray, Slice } from '../../../ts/array';
import { type Model, permute, places, sizeOf, stridesOf, type Value } from './model';
import { make, nameOf, type Operation, type Scene } from './operations';

/** The places that a slice of an axis of `n` elements takes. */
function taken(n: number, { from, to, step = 1 }: Slice): number[] {
  const place = (at: number): number => (at < 0 ? at + n : at);
  const list: number[] = [];
  const all = Array.from({ length: n }, (_, k) => k);
  const begin = from === undefined ? (step > 0 ? 0 : n - 1) : place(from);
  const end = to === undefined ? (step > 0 ? n : -1) : place(to);
  const low = step > 0 ? Math.max(begin, 0) : Math.min(begin, n - 1);
  for (let k = low; step > 0 ? k < Math.min(end, n) : k > Math.max(end, -1); k += step) list.push(all[k]!);
  return list;
}

/** The elements at some places of each axis. */
function chosen(model: Model, lists: readonly (readonly number[])[]): Value[] {
  const strides = stridesOf(model.shape);
  const data: Value[] = [];
  for (const at of places(lists.map((list) => list.length))) {
    let index = 0;
    at.forEach((k, axis) => {
      index += lists[axis]![k]! * strides[axis]!;
    });
    data.push(model.data[index]!);
  }
  return data;
}

const slice: Operation = ({ chance, pick }) => {
  const a = pick();
  if (!a) return undefined;
  const parts = a.model.shape.map((n): Slice | number | undefined => {
    if (chance.with(0.3)) return undefined;
    if (n > 0 && chance.with(0.3)) return chance.integer(-n, n - 1);
    const part: { from?: number; to?: number; step?: number } = {};
    if (chance.with(0.5)) part.from = chance.integer(-n - 2, n + 2);
    if (chance.with(0.5)) part.to = chance.integer(-n - 2, n + 2);
    if (chance.with(0.5)) part.step = chance.pick([1, 2, 3, -1, -2]);
    return part;
  });
  const lists = parts.map((part, axis) => {
    const n = a.model.shape[axis]!;
    return typeof part === 'number' ? [part < 0 ? part + n : part] : taken(n, part ?? {});
  });
  const shape = lists.map((list) => list.length).filter((_, axis) => typeof parts[axis] !== 'number');
  return {
    text: `${nameOf(a.model)}.slice(${parts.map((part) => JSON.stringify(part)).join(', ')})`,
    run: () => a.array.slice(...parts),
    model: make(a.model.dtype, shape, chosen(a.model, lists)),
  };
};

function shuffled({ chance }: Scene, list: readonly number[]): number[] {
  const order = [...list];
  for (let k = order.length - 1; k > 0; k--) {
    const other = chance.integer(0, k);
    [order[k], order[other]] = [order[other]!, order[k]!];
  }
  return order;
}

const transpose: Operation = (scene) => {
  const a = scene.pick();
  if (!a) return undefined;
  const axes = a.model.shape.map((_, axis) => axis);
  const order = scene.chance.with(0.4) ? undefined : shuffled(scene, axes);
  return {
    text: `${nameOf(a.model)}.transpose(${order ? `[${order}]` : ''})`,
    run: () => a.array.transpose(order?.map((axis) => (scene.chance.with(0.2) ? axis - axes.length : axis))),
    model: permute(a.model, order ?? axes.reverse()),
  };
};

const reshape: Operation = ({ chance, pick }) => {
  const a = pick();
  if (!a) return undefined;
  const wanted: number[] = [];
  let rest = a.model.data.length;
  while (rest > 1 && wanted.length < 3 && chance.with(0.7)) {
    const divisors = [1, 2, 3, 4, 5, 7].filter((n) => rest % n === 0);
    wanted.push(chance.pick(divisors));
    rest /= wanted.at(-1)!;
  }
  if (rest !== 1 || wanted.length === 0) wanted.push(rest);
  const given = chance.with(0.4) && !wanted.includes(0) ? wanted.map((n, k) => (k === 0 ? -1 : n)) : wanted;
  return {
    text: `${nameOf(a.model)}.reshape(${given})`,
    run: () => a.array.reshape(...given),
    model: { ...a.model, shape: wanted },
  };
};

const broadcastTo: Operation = ({ chance, pick }) => {
  const a = pick(({ data }) => data.length < 400);
  if (!a) return undefined;
  const shape = a.model.shape.map((n) => (n === 1 && chance.with(0.7) ? chance.integer(0, 5) : n));
  while (shape.length < 4 && chance.with(0.4)) shape.unshift(chance.integer(1, 3));
  const missing = shape.length - a.model.shape.length;
  const lists = shape.map((n, axis) => {
    const own = axis < missing ? 1 : a.model.shape[axis - missing]!;
    return Array.from({ length: n }, (_, k) => (own === 1 ? 0 : k));
  });
  const same = { ...a.model, shape: [...Array<number>(missing).fill(1), ...a.model.shape] };
  return {
    text: `${nameOf(a.model)}.broadcastTo(${shape})`,
    run: () => a.array.broadcastTo(...shape),
    model: make(a.model.dtype, shape, chosen(same, lists)),
  };
};

const copy: Operation = ({ pick }) => {
  const a = pick();
  return a && { text: `${nameOf(a.model)}.copy()`, run: () => a.array.copy(), model: a.model };
};

const concatenate: Operation = (scene) => {
  const { chance, nd } = scene;
  const first = scene.pick(({ shape }) => shape.length > 0);
  if (!first) return undefined;
  const rank = first.model.shape.length;
  const axis = chance.integer(0, rank - 1);
  const fits = ({ dtype, shape }: Model): boolean =>
    dtype === first.model.dtype &&
    shape.length === rank &&
    shape.every((n, k) => k === axis || n === first.model.shape[k]);
  const list = [first, scene.pick(fits) ?? first, scene.pick(fits) ?? first].slice(0, chance.integer(1, 3));
  const shape = first.model.shape.map((n, k) =>
    k === axis ? list.reduce((sum, { model }) => sum + model.shape[k]!, 0) : n,
  );
  const outer = sizeOf(shape.slice(0, axis));
  const data: Value[] = [];
  for (let k = 0; k < outer; k++)
    for (const { model } of list) {
      const part = sizeOf(model.shape.slice(axis));
      for (let at = k * part; at < k * part + part; at++) data.push(model.data[at]!);
    }
  return {
    text: `concatenate([${list.map(({ model }) => nameOf(model)).join(', ')}], ${axis})`,
    run: (): NDArray =>
      nd.concatenate(
        list.map(({ array }) => array),
        chance.with(0.3) ? axis - rank : axis,
      ),
    model: make(first.model.dtype, shape, data),
  };
};

const OUTSIDE: Readonly<Record<string, (at: number, n: number) => number>> = {
  nearest: (at, n) => Math.min(Math.max(at, 0), n - 1),
  mirror: (at, n) => {
    const period = Math.max(2 * (n - 1), 1);
    const place = ((at % period) + period) % period;
    return n === 1 ? 0 : Math.min(place, period - place);
  },
  wrap: (at, n) => ((at % n) + n) % n,
};
export const EDGES = ['zero', ...Object.keys(OUTSIDE)] as const;
export type EdgeName = 'zero' | 'nearest' | 'mirror' | 'wrap';

/** The array with elements around it. */
export function padded(model: Model, widths: readonly (readonly [number, number])[], edge: EdgeName): Model {
  const shape = model.shape.map((n, axis) => n + widths[axis]![0] + widths[axis]![1]);
  const strides = stridesOf(model.shape);
  const zero = model.dtype === 'int64' || model.dtype === 'uint64' ? 0n : 0;
  const data: Value[] = [];
  for (const at of places(shape)) {
    let index = 0;
    let inside = true;
    at.forEach((k, axis) => {
      const n = model.shape[axis]!;
      const own = k - widths[axis]![0];
      if (own < 0 || own >= n) inside = false;
      index += (edge === 'zero' ? own : own < 0 || own >= n ? OUTSIDE[edge]!(own, n) : own) * strides[axis]!;
    });
    data.push(inside || edge !== 'zero' ? model.data[index]! : zero);
  }
  return make(model.dtype, shape, data);
}

const pad: Operation = ({ chance, pick }) => {
  const a = pick(({ data }) => data.length < 2000);
  if (!a) return undefined;
  const edge = chance.pick(EDGES) as EdgeName;
  const widths = a.model.shape.map(() => [chance.integer(0, 4), chance.integer(0, 4)] as const);
  const grows = a.model.shape.some((n, axis) => n === 0 && widths[axis]![0] + widths[axis]![1] > 0);
  return {
    text: `${nameOf(a.model)}.pad(${JSON.stringify(widths)}, '${edge}')`,
    run: () => a.array.pad(widths, edge),
    model: grows && edge !== 'zero' ? undefined : padded(a.model, widths, edge),
  };
};

export const VIEWS: readonly Operation[] = [
  slice,
  slice,
  transpose,
  reshape,
  broadcastTo,
  copy,
  concatenate,
  pad,
];
