// SPDX-License-Identifier: MIT
// What a CommonJS module sees of the package's types: scripts/package/check.mjs.
import anycl = require('anycl');

const cl = anycl.openSync();
const y: anycl.Buffer<Float32Array> = cl.buffer(new Float32Array(4));
cl.buildSync('kernel void k(global float *y) { y[0] = 1; }').kernels.k.run({ global: 1 }, y);
