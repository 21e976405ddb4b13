// SPDX-License-Identifier: MIT
// Runs the code of a first run, so that V8's code for it is in dist/cache (ts/host/node/code-cache.ts) of a checkout that was
// just built, instead of being compiled in the first measured processes. The package is shipped without it.
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { spawnSync } = require('node:child_process');

const v8 = require('node:v8');

const dist = join(__dirname, '..', '..', 'dist');

const SOURCES = [
  `// Comments, too: nearly every program has some.
  /* Of both
     kinds. */
  __kernel void work(__global float *out, __global const float4 *in, __local float *shared, int n) {
    int i = get_global_id(0), l = get_local_id(0);
    float4 sum = (float4)(0);
    for (int k = 0; k < n; k++) sum += in[(i + k) % n] * 2.0f;
    shared[l] = dot(sum, (float4)(1, 2, 3, 4)) + sqrt(fabs(sum.x));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n && l > 0) out[i] = shared[l - 1] + exp(sum.y) + sin(sum.z);
  }`,
  `typedef struct { int key; uchar4 color; double weight; } Item;
  __constant int table[4] = { 1, 2, 4, 8 };
  static int twice(int x) { return x << 1 ^ (x >> 3 & 0x7f); }
  __kernel void work(__global float *out, __global const float4 *in, __local float *shared, int n) {
    #define N 4
    size_t x = get_global_id(0);
    int a[N];
    for (int i = 0; i < N; i++) a[i] = twice(table[i] + (int)in[x].x);
    Item item = { a[1], convert_uchar4_sat(in[x]), (double)a[2] / 3.0 };
    switch (n & 3) { case 0: a[0] += 3; break; case 1: a[0] -= item.key; break; default: a[0] *= 5; }
    int steps = 0;
    while (a[0] > 1 && steps < 10) { a[0] = a[0] & 1 ? 3 * a[0] + 1 : a[0] / 2; steps++; }
    atomic_add((volatile __global int *)out, steps);
    __constant int *place = table + 1;
    vstore4(vload4(x, out) * 0.5f + in[x] * 2.0f, x, out + (place - table));
    out[x + 1] = item.weight > 2.0 ? (float)(a[3] * item.color.s1) : -1.0f;
  }`,
  `__kernel void work(__global float *out, __global const float4 *in, __local float *shared, int n) {
    int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0);
    float sum = 0;
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++) sum += in[clamp(x + dx, 0, w - 1) + y * w].x;
    __global uint *bits = (__global uint *)out;
    uint h = as_uint(sum);
    for (int i = 0; i < 16; i++) h = rotate(h, 5u) + (h ^ (h >> 9)) * 0x9e3779b9u;
    bits[x + y * w] = h;
  }`,
  `#if __OPENCL_C_VERSION__ >= 120 && defined(cl_khr_fp64)
  #define WIDTH 16
  #endif
  #ifndef WIDTH
  #error no width
  #endif
  typedef struct { float3 center; float radius; uint kind; } Ball;
  static float nearest(__constant Ball *balls, int count, float3 from, float3 along, int *which) {
    float best = INFINITY;
    for (int i = 0; i < count; i++) {
      float3 to = balls[i].center - from;
      float b = dot(to, along), c = dot(to, to) - balls[i].radius * balls[i].radius, d = b * b - c;
      if (d < 0.0f) continue;
      float t = b - sqrt(d);
      if (t > 1e-3f && t < best) { best = t; *which = i; }
    }
    return best;
  }
  __attribute__((reqd_work_group_size(64, 1, 1)))
  __kernel void work(__global float *out, __constant float4 *in, __local float *shared, int n) {
    __constant Ball *balls = (__constant Ball *)in;
    int x = get_global_id(0), y = get_global_id(1);
    float3 from = (float3)(0.0f, 0.5f, -1.0f);
    float3 along = normalize((float3)((x - 32) / 64.0f, y * 0.5f, 1.0f));
    float3 color = (float3)(0.1f);
    float weight = 1.0f;
    for (int bounce = 0; bounce < n; bounce++) {
      int which = -1;
      float t = nearest(balls, n, from, along, &which);
      if (which < 0) { color += weight * fmax(along.y, 0.0f) * (float3)(0.3f, 0.5f, 0.9f); break; }
      float3 point = from + t * along, normal = normalize(point - balls[which].center);
      color.xy += weight * (balls[which].kind == 2u ? fabs(normal.xz) : normal.yx);
      along = along - 2.0f * dot(along, normal) * normal;
      from = point + normal * 1e-3f;
      weight *= 0.5f;
    }
    float4 shade = clamp((float4)(color, 1.0f), 0.0f, 1.0f);
    float turn, w = sincos(weight, &turn);
    vstore3(shade.xyz + mix(w, turn, 0.3f) * length(cross(along, from)), x, out);
    ((__global uchar4 *)out)[x + y * WIDTH] = convert_uchar4_sat_rte(shade * 255.0f);
    ((__global ushort *)out)[x] = (ushort)select(x, n, isless(shade.x, 0.5f)) + hadd((ushort)x, (ushort)n);
  }`,
  `// Bytes, words and counters.
  __constant uchar steps[16] = { 1, 2, 4, 8, 16, 32, 64, 128, 27, 54, 108, 216, 171, 77, 154, 47 };
  uint swap(uint x) { return as_uint(as_uchar4(x).wzyx); }
  __kernel void work(__global float *restrict floats, __global const float4 *restrict vectors, __local float *shared, int n) {
    __global uint *out = (__global uint *)floats;
    __global const uint *in = (__global const uint *)vectors;
    __local uint counts[64];
    size_t id = get_global_id(0), l = get_local_id(0);
    __global const uchar *bytes = (__global const uchar *)in;
    counts[l] = 0;
    uint state[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };
    uint w[16];
    barrier(CLK_LOCAL_MEM_FENCE);
    #pragma unroll
    for (int i = 0; i < 16; i++) w[i] = swap(in[id * 4 + i]);
    uint a = state[0], e = state[4];
    for (int i = 0; i < 32; i++) {
      if (i >= 16) w[i & 15] += rotate(w[(i - 15) & 15], 25u) ^ (w[(i - 2) & 15] >> 10);
      uint t = e + bitselect(a, state[i & 7], e) + steps[i & 15] + w[i & 15];
      e = a + t;
      a = t ^ popcount(e);
    }
    ulong wide = upsample(a, e) * 0x9e3779b97f4a7c15ul;
    int matches = 0;
    for (size_t i = id; i < n; i += get_global_size(0)) {
      atomic_inc(&counts[bytes[i] & 63]);
      int k = 0;
      while (k < 4 && bytes[i + k] == "abcd"[k]) k++;
      matches += k == 4;
      short4 pixel = convert_short4(((__global const uchar4 *)in)[i]);
      a += (uint)max(pixel.x - pixel.y, abs_diff(pixel.z, pixel.w) / 3) % 7u;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 8) atomic_add((volatile __global uint *)&out[l], counts[l]);
    vstore_half(convert_float(matches) * vload_half(id, (__global const half *)in), id, (__global half *)(out + 64));
    vstore4((uint4)(swap(a), mul_hi(a, e), (uint)(wide >> 32), mad24(matches, 3, n)), id, out + 64);
  }`,
];

/** The code to run for each bundle. */
const WARM_UPS = {
  async index() {
    const { local, open } = require(join(dist, 'index.cjs'));
    const cl = await open({ device: 'software' });
    // V8 must keep the code of everything that runs. All files are loaded by now: V8 creates and accepts stored code with the usual flags.
    v8.setFlagsFromString('--no-flush-bytecode');
    process.prependListener('exit', () => v8.setFlagsFromString('--flush-bytecode'));
    // The first one again, now from the disk.
    for (const source of [...SOURCES, SOURCES[0]]) {
      const { kernels } = await cl.build(source);
      const out = cl.buffer(Float32Array, 4096);
      const input = cl.buffer(new Float32Array(4096).fill(1.5));
      const args = [out, input, local(Float32Array, 64), 8];
      await kernels.work.run({ global: [64, 2], local: [64, 1] }, ...args);
      if (!source.includes('shared[')) await kernels.work.run({ global: [64, 2] }, ...args);
      await cl.queue.finish();
      await out.read();
      out.release();
    }
    // More memory than the initial memory.
    cl.buffer(Uint8Array, 64 << 20);
  },
  compile: (folder) => command(sourceFile(folder, SOURCES[2]), 'compile'),
  run: (folder) => command(sourceFile(folder, SOURCES[0]), 'run'),
};

const OPTIONS = {
  compile: (file) => ['-w', '-o', `${file}.spv`],
  run: () => [
    ...['--kernel', 'work', '--global', '64,2', '--local', '64,1', '--json'],
    ...[
      '--arg',
      'float[4096]=zero',
      '--arg',
      'float4[1024]=range',
      '--arg',
      'local:float[64]',
      '--arg',
      'int=8',
    ],
  ],
};

function sourceFile(folder, source) {
  const file = join(folder, 'work.cl');
  writeFileSync(file, source);
  return file;
}

function command(file, name) {
  process.argv = [process.execPath, 'anycl', name, file, ...OPTIONS[name](file)];
  process.stdout.write = () => true;
  require(join(dist, 'cli.cjs'));
}

/** A process for each, because a bundle's code is stored when a process ends. */
function parent() {
  for (const name of Object.keys(WARM_UPS)) {
    // The folder is empty, so that everything is compiled. It exists, so that the code that stores programs runs as well.
    const folder = mkdtempSync(join(tmpdir(), 'anycl-'));
    const env = { ...process.env, ANYCL_CACHE: '', ANYCL_CACHE_DIR: folder, ANYCL_DEVICE: 'software' };
    const { status, stderr } = spawnSync(process.execPath, [__filename, name, folder], {
      env,
      encoding: 'utf8',
    });
    if (status !== 0) console.error(`V8's code for ${name} is not stored: ${stderr}`);
    rmSync(folder, { recursive: true });
  }
}

async function child(name, folder) {
  await WARM_UPS[name](folder);
  if (name === 'index') process.exit(0);
}

const [name, folder] = process.argv.slice(2);
if (name === undefined) parent();
else child(name, folder);
