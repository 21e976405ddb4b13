// SPDX-License-Identifier: MIT
// Stores V8's code for the bundles of dist/ beside them, as this version of Node.js makes it, for
// ts/host/node/load-bundle.ts: when the package is built and when it is installed. What a first run needs is run here, so
// that its code is in it.
const { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const v8 = require('node:v8');
const vm = require('node:vm');

const dist = join(__dirname, '..', 'dist');
process.env.ANYCL_CACHE = '0';
process.env.ANYCL_DEVICE = 'software';
// Nothing that ran may be dropped again before it is stored.
v8.setFlagsFromString('--no-flush-bytecode');
const setFlags = v8.setFlagsFromString;
// V8 takes code back only where the flags are the ones it was made with.
v8.setFlagsFromString = () => {};

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
];

/** What is run of a bundle before its code is stored. */
const WARM_UPS = {
  async anycl({ local, open }) {
    const cl = await open({ device: 'software' });
    for (const source of SOURCES) {
      const { kernels } = await cl.build(source);
      const out = cl.buffer(Float32Array, 256);
      const input = cl.buffer(new Float32Array(1024).fill(1.5));
      await kernels.work.run({ global: [64, 2], local: [64, 1] }, out, input, local(Float32Array, 64), 8);
      await out.read();
    }
  },
  // Not the second: to take a function back costs half of compiling it, and small kernels need few of those.
  compile: (bundle, folder) =>
    forEachFile(folder, [SOURCES[0], SOURCES[2]], (file) =>
      command(bundle, 'compile', file, '-w', '-o', `${file}.spv`),
    ),
  commands: (bundle, folder) =>
    forEachFile(folder, SOURCES, (file) =>
      command(
        bundle,
        ...['run', file, '--kernel', 'work', '--global', '64,2', '--local', '64,1', '--json'],
        ...[
          '--arg',
          'float[256]=zero',
          '--arg',
          'float4[1024]=range',
          '--arg',
          'local:float[64]',
          '--arg',
          'int=8',
        ],
      ),
    ),
};

async function forEachFile(folder, sources, run) {
  for (const [i, source] of sources.entries()) {
    const file = join(folder, `${i}.cl`);
    writeFileSync(file, source);
    await run(file);
  }
}

async function command(bundle, ...args) {
  process.argv = [process.execPath, 'anycl', ...args];
  const write = process.stdout.write;
  process.stdout.write = () => true;
  try {
    await bundle.main();
  } finally {
    process.stdout.write = write;
  }
  if (process.exitCode) throw new Error(`anycl ${args.join(' ')} failed`);
}

/** Loads a bundle as ts/host/node/load-bundle.ts does, and stores V8's code for it once its warm-up has run. */
async function store(name, build) {
  const filename = join(dist, `${name}.cjs`);
  const text = readFileSync(filename, 'latin1');
  const script = new vm.Script(text, { filename });
  const loaded = { exports: {} };
  script.runInThisContext()(loaded.exports, require, loaded, filename, dist);
  const folder = mkdtempSync(join(tmpdir(), 'anycl-'));
  try {
    await WARM_UPS[name](loaded.exports, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
  const path = join(dist, `code-${name}-${build}-${process.version}-${process.arch}.bin`);
  setFlags('--flush-bytecode');
  const code = script.createCachedData();
  setFlags('--no-flush-bytecode');
  // By renaming: whoever starts now finds the whole file or none.
  writeFileSync(`${path}.${process.pid}`, code);
  renameSync(`${path}.${process.pid}`, path);
}

async function main() {
  const build = readFileSync(join(dist, 'build-id'), 'utf8');
  // Other versions of Node.js have files of their own for this build, all earlier builds are gone.
  for (const name of readdirSync(dist))
    if (/^code-.*\.bin/.test(name) && !name.includes(`-${build}-`)) rmSync(join(dist, name));
  for (const name of Object.keys(WARM_UPS)) await store(name, build);
  process.exit(0);
}
main();
