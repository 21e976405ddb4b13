// SPDX-License-Identifier: MIT
// The programs of PyOpenCL's documentation, with arrays. Run: node examples/arrays.mjs [--device SEL]
import { arrays } from 'anycl/array';
import { check, report, setUp } from './shared/setting.mjs';

const example = await setUp('saxpy');
const { cl, kernels } = example;
const nd = arrays(cl);
const random = nd.random(42);

// demo.py, demo_array.py: the sum of two arrays.
const a = random.uniform(50_000);
const b = random.uniform(50_000);
const sum = a.add(b);
check((await sum.sub(a.add(b)).abs().max().item()) === 0, 'a + b differs from itself');

// demo_elementwise.py: a linear combination.
const linearCombination = nd.elementwise('result = k1 * a + k2 * b');
const combined = await linearCombination({ k1: 5, a, k2: 6, b }).read();
const [first, second] = [await a.read(), await b.read()];
check(
  combined.every((value, i) => Math.abs(value - (5 * first[i] + 6 * second[i])) < 1e-5),
  'the linear combination is wrong',
);

// ReductionKernel: a scalar product.
const x = nd.arange(400, 'float32');
check((await x.mul(x).sum().item()) === 21_253_400, 'the scalar product is wrong');

// InclusiveScanKernel: running sums.
const ones = nd.full(10_000, 1, 'int32');
check((await ones.cumsum().slice(-1).item()) === 10_000, 'the running sum is wrong');

// copy_if, unique and the like: what is above a bound, once each.
const numbers = random.integers(10_000, { to: 1000 });
const large = await numbers.compact(numbers.gt(300));
check((await large.min().item()) > 300, 'an element is too small');
console.log(`${large.size} of ${numbers.size} are above 300, ${(await large.unique()).size} different ones`);

// RadixSort: keys and values.
const values = nd.arange(10_000).sortBy(numbers);
const keys = await numbers.gather(values).read();
check(
  keys.every((key, i) => i === 0 || keys[i - 1] <= key),
  'the keys are not in order',
);

// demo_mandelbrot.py: a kernel with a loop.
const mandelbrot = nd.elementwise(
  `float zr = 0, zi = 0; int k = 0;
   while (k < 100 && zr * zr + zi * zi < 4) { float t = zr * zr - zi * zi + re; zi = 2 * zr * zi + im; zr = t; k++; }
   count = k`,
  { count: 'int32' },
);
const inside = mandelbrot({ re: nd.linspace(-2, 1, 64), im: nd.linspace(-1, 1, 24).reshape(24, 1) });
for (const row of await inside.toArray())
  console.log(row.map((k) => ' .:-=+*#%@'[Math.min(9, k >> 1)]).join(''));

// pi-monte-carlo.py: the part of random points that lie in a circle.
const points = 1 << 20;
const inCircle = nd.elementwise('hit = px * px + py * py <= 1', { hit: 'int32' });
const hits = await inCircle({ px: random.uniform(points), py: random.uniform(points) })
  .sum()
  .item();
check(Math.abs((4 * hits) / points - Math.PI) < 0.02, 'pi is wrong');

// demo_struct_reduce.py: the least and the greatest element, which need no struct here.
const [least, greatest] = await Promise.all([numbers.min().item(), numbers.max().item()]);
check(least >= 0 && greatest < 1000 && least < greatest, 'the extremes are wrong');

// demo_elementwise_complex.py: complex numbers are two arrays.
const product = nd.elementwise('re = ar * br - ai * bi; im = ar * bi + ai * br');
const complex = product({ ar: nd.full(4, 1), ai: nd.full(4, 2), br: nd.full(4, 3), bi: nd.full(4, 4) });
check(
  (await complex.re.slice(0).item()) === -5 && (await complex.im.slice(0).item()) === 10,
  'the complex product is wrong',
);

// transpose.py and matrix-multiply.py.
const matrix = random.uniform([60, 40]);
const square = matrix.matmul(matrix.transpose());
check(
  (await square.sub(square.transpose()).abs().max().item()) < 1e-4,
  'a product with the transpose is not symmetric',
);

// A kernel of one's own on the memory of arrays.
const y = nd.ones(400);
const event = kernels.saxpy.run({ global: 400 }, 2, await x.buffer(), await y.buffer());
await event;
check((await y.slice(-1).item()) === 799, 'the kernel did not add');
report('arrays, and a kernel on their memory', example, event);
cl.close();
