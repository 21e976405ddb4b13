// SPDX-License-Identifier: MIT
//
// Products of matrices.
import { commonType, type DType, isFloat } from '../dtype';
import { dense } from '../elementwise/elementwise';
import { map } from '../elementwise/operands';
import { conversionTo, sumWithProduct } from '../elementwise/operators';
import { fail } from '../errors';
import { type Scope, scoped } from '../fusion';
import { Node, privately } from '../node';
import { shapeText } from '../shape';
import type { Space, Storage } from '../space';
import type { Task } from '../task';
import { KernelWriter, roundUp } from '../writer';

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
  return privately(() => {
    const [left, right] = [as(a), as(b)];
    const run = () => scoped(space, (scope) => multiply(space, scope, left, right, dtype));
    return new Node(space, dtype, [m!, n!], { kind: 'task', run });
  });
}

/** Rows of the product that a work-item of a processor computes, and rows with tiles. */
const ROWS = 8;
const TILED_ROWS = 4;
/** Neighbouring columns that a work-item of a processor computes as one vector. */
const COLUMNS = 4;
const TILE = 16;

function* multiply(space: Space, scope: Scope, a: Node, b: Node, dtype: DType): Task<Storage> {
  const [m, inner] = a.shape as [number, number];
  const n = b.shape[1]!;
  const product: Product = {
    left: yield* dense(a, scope),
    right: yield* dense(b, scope),
    out: space.allocate(dtype, m * n),
    m,
    n,
    inner,
  };
  const { out } = product;
  if (m * n === 0) return out;
  try {
    if (space.profile.style === 'lanes' && space.profile.groupSize >= TILE * TILE)
      yield* byTiles(space, product);
    else {
      // Vectors as far as there are whole ones. Of integers there are none: what wraps around is written for scalars.
      const wide = isFloat(dtype) ? n - (n % COLUMNS) : 0;
      if (wide > 0) yield* byRows(space, product, 0, wide, COLUMNS);
      if (wide < n) yield* byRows(space, product, wide, n, 1);
    }
    return out;
  } catch (error) {
    out.release();
    throw error;
  }
}

interface Product {
  readonly left: Storage;
  readonly right: Storage;
  readonly out: Storage;
  readonly m: number;
  readonly n: number;
  readonly inner: number;
}

/** Declares the parameters, and gives the texts that read elements. */
function begin(writer: KernelWriter, { left, right, out, m, n, inner }: Product): readonly [Load, Load] {
  writer.output(out, 'out');
  const [p, q] = [writer.input(left, 'a'), writer.input(right, 'b')];
  writer.int(m, 'm');
  writer.int(n, 'n');
  writer.int(inner, 'inner');
  return [
    (row, column, width = 1) => writer.load(p, `${row} * inner + ${column}`, left.dtype, width),
    (row, column, width = 1) => writer.load(q, `${row} * n + ${column}`, right.dtype, width),
  ];
}

type Load = (row: string, column: string, width?: number) => string;

/** The columns from `from` to `to`, `width` of them for each work-item. */
function* byRows(space: Space, product: Product, from: number, to: number, width: number): Task<void> {
  const { out, m } = product;
  const { dtype } = out;
  const writer = new KernelWriter(
    'matmul',
    `products of matrices, ${ROWS} rows and ${width} columns for each work-item`,
  );
  const [a, b] = begin(writer, product);
  const columns = writer.int((to - from) / width, 'columns');
  const first = from > 0 ? `${writer.int(from, 'first')} + ` : '';
  const type = `${writer.type(dtype)}${width > 1 ? width : ''}`;
  const rows = Array.from({ length: ROWS }, (_, k) => k);
  writer.line(`if (get_global_id(0) >= ${columns}) return;`);
  writer.line(`const size_t column = ${first}get_global_id(0)${width > 1 ? ` * ${width}` : ''};`);
  writer.line(`const size_t row = get_global_id(1) * ${ROWS};`);
  writer.line(`${type} ${rows.map((k) => `sum${k} = 0`).join(', ')};`);
  // Rows after the last one are computed as the last one again.
  for (const k of rows) writer.line(`const size_t row${k} = min(row + ${k}, (size_t)m - 1);`);
  writer.block('for (int k = 0; k < inner; k++)', () => {
    writer.line(`const ${type} other = ${b('(size_t)k', 'column', width)};`);
    for (const k of rows)
      writer.line(`sum${k} = ${sumWithProduct(dtype, `sum${k}`, a(`row${k}`, 'k'), 'other')};`);
  });
  for (const k of rows)
    writer.block(`if (row + ${k} < m)`, () =>
      writer.store('out', `(row + ${k}) * n + column`, `sum${k}`, dtype, width),
    );
  const kernel = yield* space.kernel(writer.source, writer.name);
  const items = (to - from) / width;
  const step = Math.min(64, 2 ** Math.ceil(Math.log2(items)));
  space.launch(kernel, { global: [roundUp(items, step), Math.ceil(m / ROWS)] }, [out], writer.values);
}

function* byTiles(space: Space, product: Product): Task<void> {
  const { out, m, n } = product;
  const writer = new KernelWriter('matmul', 'products of matrices by tiles in local memory');
  const [a, b] = begin(writer, product);
  tiledBody(writer, out.dtype, a, b);
  const kernel = yield* space.kernel(writer.source, writer.name);
  const range = {
    global: [roundUp(n, TILE), roundUp(m, TILE * TILED_ROWS) / TILED_ROWS],
    local: [TILE, TILE],
  };
  space.launch(kernel, range, [out], writer.values);
}

function tiledBody(writer: KernelWriter, dtype: DType, a: Load, b: Load): void {
  const type = writer.type(dtype);
  const rows = Array.from({ length: TILED_ROWS }, (_, k) => k);
  writer.line(`local ${type} tile_a[${TILE * TILED_ROWS}][${TILE} + 1], tile_b[${TILE}][${TILE}];`);
  writer.line('const uint x = get_local_id(0), y = get_local_id(1);');
  writer.line(`const size_t column = get_global_id(0), row = get_group_id(1) * ${TILE * TILED_ROWS} + y;`);
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
