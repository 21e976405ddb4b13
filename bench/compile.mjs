// SPDX-License-Identifier: MIT
//
// The speed of the compiler, compared with clang and llvm-spirv in the same run.
//
//     node bench/compile.mjs [--repeat N] [--json]
//
// "warm" is a compile in a process that has compiled before; "first" is the first one of a process; "process" is the command line
// from start to exit. clang's figures are those of clang-15 | llvm-spirv-15 as processes. Tools that are not installed are named
// and left out.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { median } from './statistics.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values: flags } = parseArgs({
  options: { repeat: { type: 'string', default: '15' }, json: { type: 'boolean', default: false } },
});
const repeat = Number(flags.repeat);
// Node.js reads these certificates at each start, which takes longer than starting and compiling.
delete process.env.NODE_EXTRA_CA_CERTS;
const folder = mkdtempSync(join(tmpdir(), 'anycl-bench-'));

/** A minimal bundle that compiles and encodes: the compiler's part of the library's bundle. */
const bundle = join(folder, 'compiler.cjs');
await build({
  stdin: {
    contents: `export { compile } from './ts/compiler/compile'; export { encode } from './ts/spirv/encode';`,
    resolveDir: root,
  },
  outfile: bundle,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  minifyWhitespace: true,
  minifySyntax: true,
  define: { ANYCL_VERSION: '"bench"', ANYCL_BUILD: '"bench"' },
});
const { compile, encode } = createRequire(import.meta.url)(bundle);

const sources = {
  small: readFileSync(join(root, 'tests/compile/saxpy.cl'), 'utf8'),
  medium: readFileSync(join(root, 'bench/kernels/raytracer.cl'), 'utf8'),
  large: generate(30, 3000),
};

/** `kernels` kernels of about `bytes` bytes each, in the style of kernel generators: long, unrolled, with helpers. */
function generate(kernels, bytes) {
  let text = '#define MIX(a, b) (((a) << 7 | (a) >> 25) ^ (b))\ntypedef struct { float4 p; int id; } Item;\n';
  for (let k = 0; k < kernels; k++) {
    const start = text.length;
    text += `
float4 helper_${k}(float4 v, const __global float *t, int i) {
  float4 w = vload4(i, t);
  for (int j = 0; j < 4; j++) { if (w.x > v.y) w = fma(v, w, (float4)(${k}.5f)); else w.yz += v.zx; }
  return mix(v, w, 0.25f);
}
__kernel void kernel_${k}(__global const float *in, __global float *out, __global uint *state, __local float *tile,
                      __global Item *items, const int n) {
  const size_t gid = get_global_id(0), lid = get_local_id(0);
  uint h = state[gid];
  float4 acc = (float4)(0.0f);
  tile[lid] = in[gid];
  barrier(CLK_LOCAL_MEM_FENCE);
`;
    for (let i = 0; text.length - start < bytes - 160; i++) {
      const lines = [
        `  h = MIX(h, (uint)n + ${i}u) * 0x${(0x9e3779b1 + i * 77).toString(16)}u;\n`,
        `  if ((h & ${i + 1}u) != 0u) acc += helper_${k}(acc, in, (int)(gid + ${i})); else acc.x -= tile[(lid + ${i}) & 63];\n`,
        `  for (int i = 0; i < n; ++i) { acc.yw = native_sin(acc.wy) * ${i}.25f + items[i].p.xy; items[i].id ^= (int)h; }\n`,
        `  acc = clamp(acc * convert_float4(as_uchar4(h)), -${i + 1}.0f, max(acc.zxyw, ${i}.0f));\n`,
      ];
      text += lines[i % lines.length];
    }
    text += '  state[gid] = h;\n  vstore4(acc, gid, out);\n}\n';
  }
  return text;
}

function compileOnce(text) {
  const { module, log } = compile({ name: 'bench.cl', text, options: '-cl-std=CL2.0' });
  if (!module) throw new Error(log);
  return encode(module);
}

function warm(text) {
  for (let i = 0; i < (text.length > 10000 ? 20 : 300); i++) compileOnce(text);
  const times = Array.from({ length: repeat * 3 }, () => {
    const started = performance.now();
    compileOnce(text);
    return performance.now() - started;
  });
  return median(times);
}

const installed = (command) => spawnSync(command, ['--version']).status === 0;
const paths = {};
for (const [name, text] of Object.entries(sources)) {
  paths[name] = join(folder, `${name}.cl`);
  writeFileSync(paths[name], text);
}

/** Runs each command once per round, so that changes of the machine's speed affect all commands alike. */
function interleaved(commands) {
  const times = commands.map(() => []);
  for (let i = 0; i < repeat; i++) {
    commands.forEach((command, c) => {
      const started = performance.now();
      const { status, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
      times[c].push(performance.now() - started);
      if (status !== 0) throw new Error(`${command}: ${stderr}`);
    });
  }
  return times.map(median);
}

/** The first compile of a process, and its largest memory, measured in that process. */
function first(path) {
  const script = `
    const { compile, encode } = require(${JSON.stringify(bundle)});
    const text = require('fs').readFileSync(${JSON.stringify(path)}, 'utf8');
    const started = performance.now();
    encode(compile({ name: 'bench.cl', text, options: '-cl-std=CL2.0' }).module);
    console.log(JSON.stringify([performance.now() - started, process.resourceUsage().maxRSS / 1024]));`;
  const runs = Array.from({ length: Math.max(3, repeat >> 1) }, () =>
    JSON.parse(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })),
  );
  return { time: median(runs.map(([time]) => time)), memory: median(runs.map(([, memory]) => memory)) };
}

const hasClang = installed('clang-15') && installed('llvm-spirv-15');
if (!hasClang) console.error('clang-15 or llvm-spirv-15 is not installed: no comparison with them');
const cli = join(root, 'dist/cli.cjs');
const hasCli = spawnSync(process.execPath, [cli, '--version']).status === 0;
if (!hasCli) console.error('dist/cli.cjs is not built (npm run build): no command line');

const rows = [];
for (const [name, text] of Object.entries(sources)) {
  const row = { name, bytes: text.length, warm: warm(text), ...prefix(first(paths[name])) };
  const clang =
    `clang-15 -c -x cl -cl-std=CL2.0 -target spir64 -Xclang -finclude-default-header -O1 -w -emit-llvm -o - ${paths[name]}` +
    ` | llvm-spirv-15 -o ${join(folder, 'clang.spv')} -`;
  const ours = `${process.execPath} ${cli} compile ${paths[name]} -w -cl-std=CL2.0 -o ${join(folder, 'ours.spv')}`;
  const times = interleaved([...(hasClang ? [clang] : []), ...(hasCli ? [ours] : [])]);
  if (hasClang) row.clang = times.shift();
  if (hasCli) row.process = times.shift();
  rows.push(row);
}

function prefix({ time, memory }) {
  return { first: time, memory };
}

/** Twice the source should take twice the time. */
const growth = [15, 30, 60, 120].map((kernels) => {
  const text = generate(kernels, 3000);
  return { bytes: text.length, time: warm(text) };
});
rmSync(folder, { recursive: true });

if (flags.json) console.log(JSON.stringify({ rows, growth }, null, 2));
else {
  const cell = (value, digits = 1) => (value === undefined ? '-' : value.toFixed(digits)).padStart(9);
  console.log(
    'ms         bytes     warm    first  process    clang   clang/warm  process/clang   MB at first',
  );
  for (const row of rows) {
    const { name, bytes, warm: time, first: cold, process: own, clang, memory } = row;
    console.log(
      `${name.padEnd(8)}${String(bytes).padStart(8)}${cell(time, 2)}${cell(cold)}${cell(own)}${cell(clang)}` +
        `${cell(clang && clang / time)}x${' '.repeat(5)}${cell(own && clang && own / clang, 2)}x${cell(memory, 0)}`,
    );
  }
  console.log('\ngrowth, ns per byte of source:');
  for (const { bytes, time } of growth)
    console.log(`${String(bytes).padStart(8)}${cell((time * 1e6) / bytes, 0)}`);
}
