// SPDX-License-Identifier: MIT
//
// The time of the JIT, from SPIR-V to WebAssembly, without V8's own compilation.
//
//     node bench/jit.mjs [--only NAME,…] [--repeat N] [--json]
//
// "first" is the first compilation of a process, "early" one after a hundred others, while V8 optimizes the JIT, "warm" one after
// many. "instructions" are SPIR-V's. Generated functions show whether the time is linear: the exit status is 1 if one of 20,000
// instructions takes a second, if an ordinary kernel takes 10 ms when warm, or if a function four times as long takes six times
// the time.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { median } from './statistics.mjs';
import { workloads } from './workloads/registry.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values: flags } = parseArgs({
  options: {
    only: { type: 'string' },
    repeat: { type: 'string', default: '7' },
    json: { type: 'boolean', default: false },
    first: { type: 'string' },
    bundle: { type: 'string' },
  },
});
/** How many times all workloads are compiled before the measurements. */
const EARLY_ROUNDS = 5;
const WARM_ROUNDS = 30;
const LIMITS = { ordinary: 10, large: 1000, growth: 6 };

/** Statements in the style of kernel generators, until the function has about the given number of instructions. */
const SHAPES = {
  straight: (i) =>
    `  a = a * ${i % 13}.25f + b; b = fma(a, b, ${i % 7}.5f); u = (u << ${(i % 30) + 1}) ^ (u >> 3) + ${i}u; a += (float)u;\n`,
  branches: (i) =>
    `  if (u & ${(i * 7 + 1) % 1024}u) { a += b * ${i % 5}.5f; u += ${i}u; } else { b -= a; u ^= ${i * 3}u; }\n`,
  memory: (i) => `  a += in[u % n + ${i % 64}]; out[u % n + ${i % 32}] = a; u = u * 5u + ${i % 11}u;\n`,
  loops: (i) => `  for (uint k = 0; k < (u & 7u); k++) { a += b * (float)k; u = u * 3u + ${i % 17}u; }\n`,
};
const PER_STATEMENT = { straight: 10, branches: 10, memory: 12, loops: 16 };

function generated(shape, instructions) {
  let body = '';
  for (let i = 0; i < instructions / PER_STATEMENT[shape]; i++) body += SHAPES[shape](i);
  return `kernel void work(global const float *in, global float *out, uint n) {
  uint u = get_global_id(0); float a = in[u], b = 1.5f;
${body}  out[u] = a + b + (float)u;\n}\n`;
}

function sources() {
  const list = Object.entries(workloads).map(([name, workload]) => ({ name, text: workload.source() }));
  for (const shape of Object.keys(SHAPES))
    for (const size of [1000, 5000, 20000])
      list.push({ name: `${shape}-${size}`, text: generated(shape, size), generated: size });
  const only = flags.only?.split(',');
  return only ? list.filter(({ name }) => only.includes(name)) : list;
}

const CONTENTS = `
  export { compile } from './ts/compiler/compile';
  export { decode } from './ts/spirv/decode';
  export { encode } from './ts/spirv/encode';
  export { loadProgram } from './ts/jit';
  export { openLibrary } from './ts/backend/software/build/library-file';`;

function open(bundle) {
  const require = createRequire(import.meta.url);
  const { readFileSync } = require('node:fs');
  const { compile, decode, encode, loadProgram, openLibrary } = require(bundle);
  const library = openLibrary(() => readFileSync(join(root, 'dist/library.bin')));
  return {
    spirv(text) {
      const { module, log } = compile({ name: 'bench.cl', text, options: '', target: 'spir' });
      if (!module) throw new Error(log);
      return encode(module);
    },
    /** Milliseconds for all kernels of a module, as for a launch of whole tiles. */
    time(bytes) {
      const started = performance.now();
      const program = loadProgram(decode(bytes), library);
      for (const name of program.binary.kernels.keys())
        program
          .compileKernel(name, { engine: { relaxedSimd: true }, lanes: 0, rows: 0 })
          .module('whole-tiles');
      return performance.now() - started;
    },
    kernels: (bytes) => decode(bytes).entryPoints.length,
    instructions: (bytes) =>
      decode(bytes).functions.reduce(
        (sum, f) => sum + f.blocks.reduce((n, block) => n + block.instructions.length, 0),
        0,
      ),
  };
}

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'anycl-jit-'));
  const bundle = join(folder, 'jit.cjs');
  await build({
    stdin: { contents: CONTENTS, resolveDir: root },
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minifySyntax: true,
    define: { ANYCL_VERSION: '"bench"', ANYCL_BUILD: '"bench"' },
  });
  const jit = open(bundle);
  const all = sources().map((source) => ({ ...source, spirv: jit.spirv(source.text) }));
  const compileAll = (rounds) => {
    for (let i = 0; i < rounds; i++) for (const { spirv, generated: size } of all) if (!size) jit.time(spirv);
  };
  const medianTime = (spirv, size) => {
    const repeat = size >= 5000 ? Math.min(3, Number(flags.repeat)) : Number(flags.repeat);
    return median(Array.from({ length: repeat }, () => jit.time(spirv)));
  };
  compileAll(EARLY_ROUNDS);
  const early = new Map(all.map(({ name, spirv, generated: size }) => [name, size ? 0 : medianTime(spirv)]));
  compileAll(WARM_ROUNDS);
  const rows = all.map(({ name, spirv, generated: size }) => {
    const warm = medianTime(spirv, size);
    const first = Number(
      execFileSync(process.execPath, [fileURLToPath(import.meta.url), '--first', name, '--bundle', bundle], {
        encoding: 'utf8',
      }),
    );
    return {
      name,
      instructions: jit.instructions(spirv),
      kernels: jit.kernels(spirv),
      warm,
      early: early.get(name),
      first,
      generated: size,
    };
  });
  rmSync(folder, { recursive: true });
  const failures = judge(rows);
  if (flags.json) console.log(JSON.stringify({ rows, failures }, null, 2));
  else {
    console.log(`${'milliseconds'.padEnd(18)}instructions     warm    early    first   µs/instruction`);
    for (const { name, instructions, warm, early, first } of rows)
      console.log(
        `${name.padEnd(18)}${String(instructions).padStart(12)}${warm.toFixed(1).padStart(9)}${early.toFixed(1).padStart(9)}${first.toFixed(1).padStart(9)}` +
          `${((warm * 1000) / instructions).toFixed(1).padStart(17)}`,
      );
    for (const failure of failures) console.log(`TOO SLOW: ${failure}`);
  }
  process.exitCode = failures.length > 0 ? 1 : 0;
}

function judge(rows) {
  const failures = [];
  const named = new Map(rows.map((row) => [row.name, row]));
  for (const { name, warm, kernels, generated: size } of rows) {
    if (size === 20000 && warm > LIMITS.large) failures.push(`${name}: ${warm.toFixed(0)} ms`);
    if (size === undefined && warm / kernels > LIMITS.ordinary)
      failures.push(`${name}: ${(warm / kernels).toFixed(1)} ms a kernel`);
    const smaller = size === 20000 && named.get(name.replace('20000', '5000'));
    if (smaller && warm / smaller.warm > LIMITS.growth)
      failures.push(`${name}: ${(warm / smaller.warm).toFixed(1)} times as long as a quarter of it`);
  }
  return failures;
}

if (flags.first) {
  const jit = open(flags.bundle);
  const { text } = sources().find(({ name }) => name === flags.first);
  console.log(jit.time(jit.spirv(text)));
} else await main();
