// SPDX-License-Identifier: MIT
//
// Products of matrices.
import { commonType, type DType } from './dtype';
import { dense } from './elementwise';
import { fail } from './errors';
import { type Scope, scoped } from './fusion';
import { Node } from './node';
import { map } from './operands';
import { conversionTo, sumWithProduct } from './operators';
import { shapeText } from './shape';
import type { Space, Storage } from './space';
import type { Task } from './task';
import { KernelWriter, roundUp } from './writer';

/** The product of two matrices. */
export function matrixProduct(a: Node, b: Node): Node {
  const [m, inner] = a.shape;
  const [second, n] = b.shape;
  if (a.shape.length !== 2 || b.shape.length !== 2 || inner !== second)
    fail(
      'matmul',
      `matrices of shapes ${shapeText(a.shape)} and ${shapeText(b.shape)} have no product: the first needs as many columns as the second rows`,
    );
  const { space } = a;
  const dtype = commonType([a.dtype, b.dtype], 'matmul');
  const as = (node: Node): Node =>
    node.dtype === dtype ? node : map(space, conversionTo(dtype), [{ node }]);
  const [left, right] = [as(a), as(b)];
  return new Node(space, dtype, [m!, n!], {
    kind: 'task',
    run: () => scoped(space, (scope) => multiply(space, scope, left, right, dtype)),
  });
}

/** Rows of the product that a work-item computes. */
const ROWS = 4;
const TILE = 16;

function* multiply(space: Space, scope: Scope, a: Node, b: Node, dtype: DType): Task<Storage> {
  const [m, inner] = a.shape as [number, number];
  const n = b.shape[1]!;
  const left = yield* dense(a, scope);
  const right = yield* dense(b, scope);
  const out = space.allocate(dtype, m * n);
  if (m * n === 0) return out;
  try {
    const tiled = space.profile.style === 'lanes' && space.profile.groupSize >= TILE * TILE;
    const writer = new KernelWriter(
      'matmul',
      tiled
        ? 'products of matrices by tiles in local memory'
        : `products of matrices, ${ROWS} rows for each work-item`,
    );
    writer.output(out, 'out');
    const [p, q] = [writer.input(left, 'a'), writer.input(right, 'b')];
    writer.int(m, 'm');
    writer.int(n, 'n');
    writer.int(inner, 'inner');
    const load = (pointer: string, index: string) => writer.load(pointer, index, dtype);
    if (tiled)
      tiledBody(
        writer,
        dtype,
        (row, column) => load(p, `${row} * inner + ${column}`),
        (row, column) => load(q, `${row} * n + ${column}`),
      );
    else
      rowsBody(
        writer,
        dtype,
        (row, column) => load(p, `${row} * inner + ${column}`),
        (row, column) => load(q, `${row} * n + ${column}`),
      );
    const kernel = yield* space.kernel(writer.source, writer.name);
    const range = tiled
      ? { global: [roundUp(n, TILE), roundUp(m, TILE * ROWS) / ROWS], local: [TILE, TILE] }
      : { global: [roundUp(n, Math.min(64, 2 ** Math.ceil(Math.log2(n)))), Math.ceil(m / ROWS)] };
    space.launch(kernel, range, [out], writer.values);
    return out;
  } catch (error) {
    out.release();
    throw error;
  }
}

type Load = (row: string, column: string) => string;

function rowsBody(writer: KernelWriter, dtype: DType, a: Load, b: Load): void {
  const type = writer.type(dtype);
  const rows = Array.from({ length: ROWS }, (_, k) => k);
  writer.line(`const size_t column = get_global_id(0), row = get_global_id(1) * ${ROWS};`);
  writer.line('if (column >= n) return;');
  writer.line(`${type} ${rows.map((k) => `sum${k} = 0`).join(', ')};`);
  // Rows after the last one are computed as the last one again.
  for (const k of rows) writer.line(`const size_t row${k} = min(row + ${k}, (size_t)m - 1);`);
  writer.block('for (int k = 0; k < inner; k++)', () => {
    writer.line(`const ${type} other = ${b('(size_t)k', 'column')};`);
    for (const k of rows)
      writer.line(`sum${k} = ${sumWithProduct(dtype, `sum${k}`, a(`row${k}`, 'k'), 'other')};`);
  });
  for (const k of rows)
    writer.block(`if (row + ${k} < m)`, () =>
      writer.store('out', `(row + ${k}) * n + column`, `sum${k}`, dtype),
    );
}

function tiledBody(writer: KernelWriter, dtype: DType, a: Load, b: Load): void {
  const type = writer.type(dtype);
  const rows = Array.from({ length: ROWS }, (_, k) => k);
  writer.line(`local ${type} tile_a[${TILE * ROWS}][${TILE} + 1], tile_b[${TILE}][${TILE}];`);
  writer.line('const uint x = get_local_id(0), y = get_local_id(1);');
  writer.line(`const size_t column = get_global_id(0), row = get_group_id(1) * ${TILE * ROWS} + y;`);
  writer.line(`${type} ${rows.map((k) => `sum${k} = 0`).join(', ')};`);
  writer.block(`for (int t = 0; t < inner; t += ${TILE})`, () => {
    for (const k of rows) {
      writer.line(`tile_a[y + ${k * TILE}][x] = 0;`);
      writer.line(
        `if (row + ${k * TILE} < m && t + x < inner) tile_a[y + ${k * TILE}][x] = ${a(`(row + ${k * TILE})`, '(t + x)')};`,
      );
    }
    writer.line('tile_b[y][x] = 0;');
    writer.line(`if (t + y < inner && column < n) tile_b[y][x] = ${b('(size_t)(t + y)', 'column')};`);
    writer.line('barrier(CLK_LOCAL_MEM_FENCE);');
    writer.block(`for (int k = 0; k < ${TILE}; k++)`, () => {
      writer.line(`const ${type} other = tile_b[k][x];`);
      for (const k of rows)
        writer.line(`sum${k} = ${sumWithProduct(dtype, `sum${k}`, `tile_a[y + ${k * TILE}][k]`, 'other')};`);
    });
    writer.line('barrier(CLK_LOCAL_MEM_FENCE);');
  });
  for (const k of rows)
    writer.block(`if (row + ${k * TILE} < m && column < n)`, () =>
      writer.store('out', `(row + ${k * TILE}) * n + column`, `sum${k}`, dtype),
    );
}
