// SPDX-License-Identifier: MIT
// The workloads of bench/alternatives in WGSL. `out` is the result, `size` the number of elements or of columns.

struct Size { size: u32 }

@group(0) @binding(0) var<storage, read_write> out: array<f32>;
@group(0) @binding(1) var<storage, read> first: array<f32>;
@group(0) @binding(2) var<storage, read> second: array<f32>;
@group(0) @binding(3) var<uniform> sizes: Size;

@compute @workgroup_size(64)
fn triad(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x + id.y * 65536;
  if (i < sizes.size) { out[i] = first[i] + 0.5 * second[i]; }
}

@compute @workgroup_size(8, 8)
fn mandelbrot(@builtin(global_invocation_id) id: vec3u) {
  let width = sizes.size;
  let re = f32(id.x) * (3.0 / f32(width)) - 2.0;
  let im = f32(id.y) * (3.0 / f32(width)) - 1.5;
  var u = 0.0;
  var v = 0.0;
  var n = 0;
  while (n < 256 && u * u + v * v < 4) {
    let t = u * u - v * v + re;
    v = 2 * u * v + im;
    u = t;
    n++;
  }
  out[id.y * width + id.x] = f32(n);
}

@compute @workgroup_size(8, 8)
fn matmul(@builtin(global_invocation_id) id: vec3u) {
  let n = sizes.size;
  var sum = 0.0;
  for (var k = 0u; k < n; k++) { sum += first[id.y * n + k] * second[k * n + id.x]; }
  out[id.y * n + id.x] = sum;
}
