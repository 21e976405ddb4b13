// SPDX-License-Identifier: MIT
//
// The discrete Fourier transform along the last axis. Lengths with small prime factors are transformed by Stockham's passes, which
// need no reordering; other lengths become a convolution by a chirp (Bluestein), of a length that is a power of two.

import { DTYPES, type DType } from '../dtype';
import { dense } from '../elementwise/elementwise';
import { map } from '../elementwise/operands';
import { OPERATORS } from '../elementwise/operators';
import { type Scope, scoped } from '../fusion';
import { Group, Node } from '../node';
import { contiguous, sizeOf, sliced } from '../shape';
import type { Space, Storage } from '../space';
import type { Task } from '../task';
import { KernelWriter, roundUp } from '../writer';
import { butterfly, type Complex, cosine, sine } from './butterfly';
import { padded } from './pad';

/** The real and imaginary parts, of one float type and shape. Without imaginary parts the numbers are real. */
export interface Parts {
  readonly re: Node;
  readonly im?: Node | undefined;
}
type Transformed = Required<Parts>;

/** Values that a pass combines, the most first: fewer passes read and write the memory less often. */
const RADICES = [8, 4, 2, 3, 5, 7] as const;

/** The radix of each pass; undefined for a length with a large prime factor. */
function radicesOf(n: number): number[] | undefined {
  const radices: number[] = [];
  let rest = n;
  for (const radix of RADICES)
    while (rest % radix === 0) {
      radices.push(radix);
      rest /= radix;
    }
  return rest === 1 ? radices : undefined;
}

/** X[j] = sum of x[k] * exp(-2 pi i j k / n), along the last axis. */
export function forward(parts: Parts): Transformed {
  const n = parts.re.shape.at(-1)!;
  return transform(parts, n, 1);
}

/** x[k] = 1 / n * sum of X[j] * exp(2 pi i j k / n), along the last axis. */
export function inverse({ re, im }: Parts): Transformed {
  const n = re.shape.at(-1)!;
  if (im) {
    // The transform with real and imaginary parts exchanged, before and after.
    const exchanged = transform({ re: im, im: re }, n, 1 / n);
    return { re: exchanged.im, im: exchanged.re };
  }
  // Of real numbers it is the conjugate of the transform.
  const conjugate = transform({ re }, n, 1 / n);
  return { re: conjugate.re, im: map(re.space, OPERATORS.neg, [of(conjugate.im)]) };
}

/** The transform, times a factor. */
function transform(parts: Parts, n: number, factor: number): Transformed {
  const radices = radicesOf(n);
  return radices ? byPasses(parts, n, radices, factor) : byChirp(parts, n, factor);
}

function byPasses({ re, im }: Parts, n: number, radices: readonly number[], factor: number): Transformed {
  const { space, dtype, shape } = re;
  const group = new Group(
    () => scoped(space, (scope) => runPasses(space, scope, { re, im }, n, radices, factor)),
    2,
  );
  const part = (index: number): Node => new Node(space, dtype, shape, { kind: 'part', of: group, index });
  return { re: part(0), im: part(1) };
}

interface Memory {
  readonly re: Storage;
  readonly im: Storage | undefined;
}

function* runPasses(
  space: Space,
  scope: Scope,
  { re, im }: Parts,
  n: number,
  radices: readonly number[],
  factor: number,
): Task<Storage[]> {
  const { dtype } = re;
  const size = sizeOf(re.shape);
  const given: Memory = { re: yield* dense(re, scope), im: im && (yield* dense(im, scope)) };
  const out: Storage[] = [];
  try {
    for (let part = 0; part < 2; part++) out.push(space.allocate(dtype, size));
    if (size === 0) return out;
    const result: Memory = { re: out[0]!, im: out[1] };
    // A length of 1 has one pass, which copies.
    const passes = radices.length > 0 ? radices : [1];
    const other: Memory =
      passes.length > 1 ? { re: scope.temporary(dtype, size), im: scope.temporary(dtype, size) } : result;
    const table = n > 1 ? scope.keep(twiddles(space, dtype, n, radices)) : undefined;
    let from = given;
    let at = 0;
    let before = 1;
    for (const [index, radix] of passes.entries()) {
      const to = (passes.length - index) % 2 === 1 ? result : other;
      const last = index === passes.length - 1;
      const pass = { n, rows: size / n, radix, before, at, factor: last ? factor : 1 };
      yield* runPass(space, dtype, from, to, last ? undefined : table, pass);
      at += 2 * (n / before / radix) * (radix - 1);
      before *= radix;
      from = to;
    }
    return out;
  } catch (error) {
    for (const storage of out) storage.release();
    throw error;
  }
}

interface Pass {
  readonly n: number;
  readonly rows: number;
  readonly radix: number;
  /** The product of the radices of the passes before this one. */
  readonly before: number;
  /** Where this pass's factors are in the table. */
  readonly at: number;
  readonly factor: number;
}

/** Neighbours for which one work-item of each is worth an index of its own: they share their factors. */
const ALONG = 8;

function* runPass(
  space: Space,
  dtype: DType,
  from: Memory,
  to: Memory,
  table: Storage | undefined,
  pass: Pass,
): Task<void> {
  const { n, rows, radix, before, at, factor } = pass;
  const count = n / radix;
  const m = count / before;
  const writer = new KernelWriter(
    `fft_radix_${radix}`,
    `a pass of the Fourier transform, of ${radix} values each`,
  );
  const outRe = writer.output(to.re, 'out_re');
  const outIm = writer.output(to.im!, 'out_im');
  const inRe = writer.input(from.re, 're');
  const inIm = from.im && writer.input(from.im, 'im');
  const grid = before % ALONG === 0;
  writer.int(count, 'count');
  // Of the values that a pass combines, q says which transform of the passes before, p the place in what remains.
  if (grid) {
    writer.line('const uint q = get_global_id(0), p = get_global_id(1), row = get_global_id(2);');
    writer.int(before, 'before');
    writer.line('const uint t = p * before + q;');
  } else {
    writer.line('const uint t = get_global_id(0), row = get_global_id(1);');
    if (count % 64 !== 0) writer.line('if (t >= count) return;');
    if (before === 1) writer.line('const uint p = t, q = 0;');
    else {
      writer.int(before, 'before');
      writer.line('const uint p = t / (uint)before, q = t - p * before;');
    }
  }
  writer.line(`const size_t start = (size_t)row * count * ${radix};`);
  const x = Array.from({ length: radix }, (_, k): Complex => {
    const index = `start + t${k > 0 ? ` + ${k} * count` : ''}`;
    const [re, im] = [`x${k}`, `y${k}`];
    writer.line(`const ${writer.type(dtype)} ${re} = ${writer.load(inRe, index, dtype)};`);
    writer.line(`const ${writer.type(dtype)} ${im} = ${inIm ? writer.load(inIm, index, dtype) : '0'};`);
    return { re, im };
  });
  const values = butterfly(
    {
      define: (value) => {
        const name = writer.fresh('v');
        writer.line(`const ${writer.type(dtype)} ${name} = ${value};`);
        return name;
      },
      number: (value) => literal(value, dtype),
    },
    x,
  );
  const scale = factor === 1 ? undefined : writer.scalar(factor, dtype, 'factor');
  const places = `start + q${before > 1 ? ' + before *' : ' +'} (size_t)(p * ${radix}`;
  if (table) {
    writer.input(table, 'table');
    writer.int(at, 'at');
    writer.int(m, 'm');
  }
  values.forEach(({ re, im }, j) => {
    const index = `${places}${j > 0 ? ` + ${j}` : ''})`;
    if (table && j > 0) {
      writer.line(`const uint w${j} = at + ${j - 1} * m + p;`);
      writer.line(
        `const ${writer.type(dtype)} c${j} = table[w${j}], s${j} = table[w${j} + ${radix - 1} * m];`,
      );
      writer.store(outRe, index, `${re} * c${j} + ${im} * s${j}`, dtype);
      writer.store(outIm, index, `${im} * c${j} - ${re} * s${j}`, dtype);
      return;
    }
    writer.store(outRe, index, scale ? `${re} * ${scale}` : re, dtype);
    writer.store(outIm, index, scale ? `${im} * ${scale}` : im, dtype);
  });
  const kernel = yield* space.kernel(writer.source, writer.name);
  const range = grid ? { global: [before, m, rows] } : { global: [roundUp(count, 64), rows] };
  space.launch(kernel, range, [to.re, to.im!], writer.values);
}

function literal(value: number, dtype: DType): string {
  const text = /[.e]/.test(String(value)) ? String(value) : `${value}.0`;
  const positive = dtype === 'float64' ? text : `${text}f`;
  return value < 0 ? `(${positive})` : positive;
}

/** The factors of the passes, one pass after the other: the cosines, then the sines. */
function twiddles(space: Space, dtype: DType, n: number, radices: readonly number[]): Storage {
  return space.table(`fft ${n}`, dtype, () => {
    const table = new DTYPES[dtype].array(2 * n * radices.length);
    let at = 0;
    let rest = n;
    for (const radix of radices) {
      const m = rest / radix;
      const count = (radix - 1) * m;
      for (let k = 0; k < count; k++) {
        const turn = (k % m) * (1 + Math.floor(k / m));
        table[at + k] = cosine(turn, rest) as never;
        table[at + count + k] = sine(turn, rest) as never;
      }
      at += 2 * count;
      rest = m;
    }
    return table.slice(0, at);
  });
}

const of = (node: Node) => ({ node });
const product = (a: Node, b: Node): Node => map(a.space, OPERATORS.mul, [of(a), of(b)]);
const sum = (a: Node, b: Node): Node => map(a.space, OPERATORS.add, [of(a), of(b)]);
const difference = (a: Node, b: Node): Node => map(a.space, OPERATORS.sub, [of(a), of(b)]);

/** The products of complex numbers. */
const products = (a: Parts, b: Transformed): Transformed =>
  a.im
    ? {
        re: difference(product(a.re, b.re), product(a.im, b.im)),
        im: sum(product(a.re, b.im), product(a.im, b.re)),
      }
    : { re: product(a.re, b.re), im: product(a.re, b.im) };

/** As j k = (j² + k² - (j - k)²) / 2, the transform is a convolution by exp(pi i k² / n) between two products by its conjugate. */
function byChirp(parts: Parts, n: number, factor: number): Transformed {
  const { space, dtype, shape } = parts.re;
  const length = 2 ** Math.ceil(Math.log2(2 * n - 1));
  const { chirp, kernel } = chirps(space, dtype, n, length);
  const after = {
    before: shape.map(() => 0),
    after: shape.map((_, axis) => (axis === shape.length - 1 ? length - n : 0)),
  };
  const start = products(parts, chirp);
  const wide = forward({
    re: padded(start.re, after, 'zero', 'fft'),
    im: padded(start.im, after, 'zero', 'fft'),
  });
  const convolved = inverse(products(wide, kernel));
  const cut = (base: Node): Node => {
    const change = (layout: Parameters<typeof sliced>[0]) =>
      sliced(layout, [...shape.slice(0, -1).map(() => undefined), { to: n }], 'fft');
    return new Node(space, dtype, shape, { kind: 'view', base, change });
  };
  const end = products({ re: cut(convolved.re), im: cut(convolved.im) }, chirp);
  if (factor === 1) return end;
  const scaled = (node: Node): Node => map(space, OPERATORS.mul, [of(node), factor]);
  return { re: scaled(end.re), im: scaled(end.im) };
}

/** exp(-pi i k² / n) for each k, and the transform of its conjugate, at k and -k, with zeros between. */
function chirps(
  space: Space,
  dtype: DType,
  n: number,
  length: number,
): { chirp: Transformed; kernel: Transformed } {
  const table = (name: string, size: number, value: (k: number) => number): Node => {
    const storage = space.table(`chirp ${name} ${n}`, dtype, () => {
      const table = new DTYPES[dtype].array(size);
      for (let k = 0; k < size; k++) table[k] = value(k) as never;
      return table;
    });
    return new Node(space, dtype, [size], { storage, ...contiguous([size]) });
  };
  // k² modulo 2 n, exactly: squares themselves may have more than 53 bits.
  const squares = new Float64Array(n);
  for (let k = 1; k < n; k++) squares[k] = (squares[k - 1]! + 2 * k - 1) % (2 * n);
  const around = (k: number): number | undefined => (k < n ? k : length - k < n ? length - k : undefined);
  const at = (k: number, part: (k: number, n: number) => number): number => {
    const place = around(k);
    return place === undefined ? 0 : part(squares[place]!, 2 * n);
  };
  return {
    chirp: {
      re: table('re', n, (k) => cosine(squares[k]!, 2 * n)),
      im: table('im', n, (k) => -sine(squares[k]!, 2 * n)),
    },
    kernel: forward({
      re: table('kernel re', length, (k) => at(k, cosine)),
      im: table('kernel im', length, (k) => at(k, sine)),
    }),
  };
}
