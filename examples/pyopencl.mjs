// SPDX-License-Identifier: MIT
// The programs of PyOpenCL's examples, without those that only use arrays (arrays.mjs). Run: node examples/pyopencl.mjs [--device SEL]
import { readFileSync } from 'node:fs';
import { arrays } from 'anycl/array';
import { decodePng } from './shared/png.mjs';
import { check, report, setUp } from './shared/setting.mjs';

const example = await setUp('saxpy');
const { cl } = example;
const { device } = cl;
const nd = arrays(cl);
const n = 50_000;
const [a, b] = [nd.random(1).uniform(n), nd.random(2).uniform(n)];

// dump-properties.py: what a device says about itself. `anycl info` and `anycl bench` print all of it, as dump-performance.py does.
console.log(
  `${device.name}: ${device.info('MAX_COMPUTE_UNITS')} units, ${(Number(device.info('GLOBAL_MEM_SIZE')) / 1e9).toFixed(1)} GB`,
);

// demo.py, with its kernel.
const { sum } = (
  await cl.build(`kernel void sum(global const float *a, global const float *b, global float *res) {
  size_t i = get_global_id(0);
  res[i] = a[i] + b[i];
}`)
).kernels;
const res = cl.buffer(Float32Array, n);
const event = sum.run({ global: n }, await a.buffer(), await b.buffer(), res);
check((await nd.fromBuffer(res).sub(a.add(b)).abs().max().item()) === 0, 'the sum differs');

// demo_meta_template.py, demo_meta_codepy.py: a kernel made by a template, with an unrolled loop.
const [local, strides, groups] = [64, 8, 33];
const template = (
  type,
) => `kernel void add(global ${type} *tgt, global const ${type} *op1, global const ${type} *op2) {
  size_t at = get_local_id(0) + ${local * strides} * get_group_id(0);
  ${Array.from({ length: strides }, (_, k) => `tgt[at + ${k * local}] = op1[at + ${k * local}] + op2[at + ${k * local}];`).join('\n  ')}
}`;
const { add } = (await cl.build(template('float'))).kernels;
await add.run({ global: local * groups, local }, res, await a.buffer(), await b.buffer());
const part = { to: local * strides * groups };
check(
  (await nd.fromBuffer(res).sub(a.add(b)).slice(part).abs().max().item()) === 0,
  'the unrolled sum differs',
);

// svm.py, demo_array_svm.py: memory at one address for host and kernels, where the device has it.
const { twice } = (await cl.build('kernel void twice(global float *a) { a[get_global_id(0)] *= 2; }'))
  .kernels;
if (device.info('SVM_CAPABILITIES') !== 0) {
  const memory = cl.context.createSvm(10 * 4);
  const numbers = new Float32Array(memory.bytes.buffer, memory.bytes.byteOffset, 10);
  await memory.map('write');
  numbers.fill(17);
  await memory.unmap();
  await twice.run({ global: 10 }, memory);
  await memory.map('read');
  check(
    numbers.every((value) => value === 34),
    'shared virtual memory is wrong',
  );
  await memory.unmap();
  memory.release();
}

// narray.py: rows of five.
const { demo } = (
  await cl.build(
    'kernel void demo(global uint *x) { for (int k = 0; k < 5; k++) x[get_global_id(0) * 5 + k] = 1; }',
  )
).kernels;
const rows = cl.buffer(Uint32Array, 500 * 5);
await demo.run({ global: 500 }, rows);
check((await nd.fromBuffer(rows, [500, 5]).sum({ axis: 1 }).min().item()) === 5, 'a row is wrong');

// demo-struct-reduce.py: the least and the greatest in one pass, as the two halves of a long: -least above, greatest below.
const whole = nd.random(3).integers(20_000, { to: 1_000_000 });
const pair = nd.elementwise('p = (long)(-x) << 32 | (uint)x', { p: 'int64' })({ x: whole });
const both = await pair
  .reduce('max(a >> 32, b >> 32) << 32 | max(a & 0xffffffffL, b & 0xffffffffL)', {
    neutral: -(2n ** 32n) * 2n ** 30n,
  })
  .item();
const sorted = (await whole.read()).sort();
check(
  -Number(both >> 32n) === sorted[0] && Number(both & 0xffffffffn) === sorted.at(-1),
  'the extremes are wrong',
);

// median-filter.py: the median of 3 x 3 pixels; those at the edge stay.
const png = decodePng(readFileSync(new URL('raccoon.png', import.meta.url)));
const { width, height } = png;
const gray = nd
  .array(png.data, [height, width, 4])
  .slice(undefined, undefined, { to: 3 })
  .as('float32')
  .mean({ axis: 2 });
const around = [-1, 0, 1].flatMap((y) =>
  [-1, 0, 1].map((x) => `v[${3 * (y + 1) + x + 1}] = x[i + (${y * width + x})];`),
);
const median = nd.elementwise(
  `int k = (int)i % ${width}, l = (int)i / ${width}; float v[9]; float m = x[i];
   if (k > 0 && l > 0 && k < ${width} - 1 && l < ${height} - 1) {
     ${around.join(' ')}
     for (int p = 0; p < 5; p++) for (int q = p + 1; q < 9; q++) if (v[q] < v[p]) { float t = v[p]; v[p] = v[q]; v[q] = t; }
     m = v[4];
   }
   y = m`,
  { y: 'float32' },
);
const smooth = median({ x: gray }, { shape: [height, width] });
const window = (await gray.slice({ from: 40, to: 43 }, { from: 60, to: 63 }).read()).sort();
check((await smooth.slice(41, 61).item()) === window[4], 'the median is wrong');

// image_filters_using_image2d_t.py: a blur, with an image and a sampler.
const source = cl.image({ format: 'rgba8', width, height }, png.data);
const target = cl.image({ format: 'rgba8', width, height });
const { blur } = (
  await cl.build(`kernel void blur(read_only image2d_t in, sampler_t sampler, write_only image2d_t out, int size) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = 0;
  for (int y = -size; y <= size; y++)
    for (int x = -size; x <= size; x++) sum += read_imagef(in, sampler, at + (int2)(x, y));
  write_imagef(out, at, sum / ((2 * size + 1) * (2 * size + 1)));
}`)
).kernels;
const sampler = cl.sampler({ normalized: false, filter: 'nearest', addressing: 'clamp-to-edge' });
await blur.run({ global: [width, height] }, source, sampler, target, 2);
const blurred = nd.array(await target.read(), [height, width, 4]).as('float32');
const photo = nd.array(png.data, [height, width, 4]).as('float32');
const wanted = await photo.slice({ from: 8, to: 13 }, { from: 8, to: 13 }, 0).mean().item();
check(Math.abs((await blurred.slice(10, 10, 0).item()) - wanted) < 1, 'the blur is wrong');

// ListOfListsBuilder: i % 4 elements for each i, and where each list begins.
const counts = nd.arange(2000).and(3);
const begins = await counts.cumsum({ exclusive: true }).read();
const inList = nd.arange(3).reshape(1, 3).lt(counts.reshape(-1, 1));
const lists = await (await counts.reshape(-1, 1).broadcastTo(2000, 3).compact(inList)).read();
check(lists.length === 3000 && lists[begins[7]] === 3, 'the lists are wrong');

// KeyValueSorter: values by key, and where each key's begin.
const keys = nd.random(5).integers(10_000, { to: 50 });
const byKey = await nd.arange(10_000).sortBy(keys).read();
const starts = await keys.histogram({ bins: 50 }).cumsum({ exclusive: true }).read();
const keyOf = await keys.read();
check(keyOf[byKey[starts[20]]] === 20 && keyOf[byKey[starts[20] - 1]] === 19, 'the keys are not in order');

report("PyOpenCL's examples", example, event);
cl.close();
