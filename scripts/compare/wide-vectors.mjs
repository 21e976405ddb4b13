// SPDX-License-Identifier: MIT
//
// node scripts/compare/wide-vectors.mjs [--flags=TEXT] [--only=NAME]: whether an engine that pairs vectors of 128 bits to such of
// 256 (ADR 39) computes the same. For each instruction with a vector as its result, and for each shape of operands, a module with
// a pair of them under an addition is compiled and run in a process without the flag and in one with it. Reports differences, and
// engines that abort. With Node.js 26.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { build } from 'esbuild';

const { values: flags } = parseArgs({
  options: {
    flags: {
      type: 'string',
      default: '--experimental-wasm-revectorize --no-turbo-move-optimization',
    },
    only: { type: 'string' },
    child: { type: 'string' },
  },
});
const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const outfile = join(tmpdir(), `anycl-wide-vectors-${process.pid}.cjs`);
await build({
  stdin: {
    contents: `export * from './wasm/opcode-table'; export * from './wasm/module-builder'; export * from './wasm/function-builder'; export { Wasm } from './wasm/opcodes'; export { PairSafeBuilder } from './jit/emit/pair-safe-builder';`,
    resolveDir: join(root, 'ts'),
    loader: 'ts',
  },
  bundle: true,
  platform: 'node',
  format: 'cjs',
  outfile,
  logLevel: 'error',
});
const { opcodeTable, ModuleBuilder, FunctionBuilder, PairSafeBuilder, ValType, Wasm } = createRequire(
  import.meta.url,
)(outfile);

const SHUFFLES = {
  interleaveLow: [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23],
  interleaveHigh: [8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31],
  lowPairs: [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23],
  highPairs: [8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31],
  even: [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27],
  odd: [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31],
  shorts: [0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23],
  splat: [4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7],
  pairSplat: [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15],
  lowestBytes: [0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12],
  rotated: [1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12],
  moved: [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19],
  second: [16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31],
  random: [3, 30, 7, 1, 22, 22, 0, 15, 16, 9, 11, 31, 4, 28, 2, 13],
};

const V = ValType.V128;

/** How the operands of the lower and the upper instruction of a pair are found. */
const SHAPES = {
  loads: { operand: (half, i) => i * 32 + half * 16 },
  same: { operand: (half) => half * 16 },
  apart: { operand: (half, i) => i * 16 + half * 64 },
  shared: { operand: (_half, i) => i * 16 },
  swapped: { operand: (half, i) => i * 32 + (1 - half) * 16 },
  // Nothing but the instruction uses the operands, and V8 pairs them.
  computed: { operand: (half, i) => i * 32 + half * 16, computed: true },
};
/** What is between the instruction and the store. */
const AROUND = ['plain', 'add', 'phi', 'loop', 'used'];

const SIMD = [...opcodeTable().values()].filter(({ signature }) => signature?.results === 'v');

function cases() {
  const all = [];
  for (const { name, code, immediate, signature } of SIMD) {
    const variants = immediate === 'lanes16' ? Object.keys(SHUFFLES) : immediate === 'lane' ? [0, 1] : ['-'];
    for (const variant of variants)
      for (const shape of Object.keys(SHAPES))
        for (const around of AROUND)
          all.push({ name, code, immediate, operands: signature.operands, variant, shape, around });
  }
  // The results of calls as the JIT takes them (ts/jit/emit/pairs.ts, notPaired): V8 aborts if it has to pair them as they are,
  // and likewise for parameters.
  for (const name of ['call', 'call2', 'select'])
    for (const shape of Object.keys(SHAPES))
      for (const around of AROUND) all.push({ name, operands: 'vv', variant: '-', shape, around });
  return all.filter(({ name }) => !flags.only || name.includes(flags.only));
}

/** A function that the instruction `call` or `call2` calls; undefined for others. */
function calleeOf(module, { name }) {
  if (name !== 'call' && name !== 'call2') return undefined;
  const results = name === 'call' ? [V] : [V, V];
  const callee = module.declare([V, V], results);
  const g = new FunctionBuilder([V, V], results);
  g.get(0);
  g.get(1);
  g.op(Wasm.i32x4_sub);
  if (results.length === 2) g.get(1);
  module.define(callee, g);
  return callee;
}

function load(f, at) {
  f.get(0);
  f.memory(Wasm.v128_load, at);
}

/** What is not an instruction of the table: a choice, and the results of calls as the JIT takes them. */
function pushSpecial(f, { name }, at, callee) {
  load(f, at(0));
  load(f, at(1));
  if (name === 'select') {
    f.get(2);
    f.op(Wasm.select);
    return;
  }
  f.call(callee);
  if (name === 'call2') f.op(Wasm.drop);
  const result = f.local(V);
  f.tee(result);
  f.get(result);
  f.lane(Wasm.i32x4_extract_lane, 0);
  f.lane(Wasm.i32x4_replace_lane, 0);
}

/** Pushes the operands of an instruction on the stack. */
function pushOperands(f, { operands, immediate, shape }, at) {
  [...operands].forEach((type, i) => {
    if (type === 'v') {
      load(f, at(i));
      if (!SHAPES[shape].computed) return;
      load(f, at(i) + 64);
      f.op(Wasm.i32x4_sub);
    } else if (i === 0 || immediate === 'lane') {
      f.get(0);
      f.memory({ i: Wasm.i32_load, l: Wasm.i64_load, f: Wasm.f32_load, d: Wasm.f64_load }[type], at(i));
    } else f.get(2);
  });
}

/** Pushes the result of the instruction: the lower one of a pair, or the upper one. */
function pushResult(f, test, callee, half, k = 0) {
  const at = (i) => SHAPES[test.shape].operand(half, i) + k;
  if (test.name === 'select' || callee !== undefined) pushSpecial(f, test, at, callee);
  else if (test.immediate === 'mem') {
    f.get(0);
    f.memory(test.code, at(0));
  } else if (test.immediate === 'memlane') {
    f.get(0);
    load(f, at(0));
    f.memoryLane(test.code, at(1), 1);
  } else if (test.immediate === 'v128') f.v128(new Uint8Array(16).map((_, i) => i * 7 + half));
  else {
    pushOperands(f, test, at);
    if (test.immediate === 'lanes16') f.shuffle(SHUFFLES[test.variant]);
    else if (test.immediate === 'lane') f.lane(test.code, test.variant);
    else f.op(test.code);
  }
}

/** The control flow between the pair and its use: joins, or a loop, that give the pair other values. */
function emitBetween(f, { around }, pair, value, push) {
  if (around === 'phi') {
    f.get(2);
    f.if_();
    for (const half of [0, 1]) {
      load(f, half * 16);
      f.set(pair[half]);
    }
    f.end();
  } else if (around === 'loop') {
    const i = f.local(ValType.I32);
    f.i32(3);
    f.set(i);
    const again = f.loop();
    for (const half of [0, 1]) {
      value(half);
      push(half, 4);
      f.op(Wasm.i32x4_add);
      f.set(pair[half]);
    }
    f.get(i);
    f.i32(1);
    f.op(Wasm.i32_sub);
    f.tee(i);
    f.brIf(again);
    f.end();
  }
}

/** (from: i32, to: i32, n: i32): the instruction on memory at `from`, the result at `to`. */
function moduleOf(test) {
  const module = new ModuleBuilder();
  const parameters = [ValType.I32, ValType.I32, ValType.I32];
  const callee = calleeOf(module, test);
  const main = module.declare(parameters, []);
  const f = new PairSafeBuilder(parameters, []);
  const push = (half, k) => pushResult(f, test, callee, half, k);
  const pair = [f.local(V), f.local(V)];
  const value = (half) => {
    f.get(pair[half]);
    if (test.around === 'plain') return;
    load(f, 96 + half * 16);
    f.op(Wasm.i32x4_add);
  };
  for (const half of [0, 1]) {
    push(half);
    f.set(pair[half]);
  }
  emitBetween(f, test, pair, value, push);
  const stored = [f.local(V), f.local(V)];
  for (const half of [0, 1]) {
    value(half);
    f.set(stored[half]);
  }
  for (const half of [1, 0]) {
    f.get(1);
    f.get(stored[half]);
    f.memory(Wasm.v128_store, half * 16);
  }
  if (test.around === 'used')
    for (const half of [0, 1]) {
      f.get(1);
      f.get(pair[half]);
      f.lane(Wasm.i32x4_extract_lane, 1 + half);
      f.memory(Wasm.i32_store, 32 + half * 4);
    }
  module.define(main, f);
  module.export('run', main);
  return module.encode();
}

function results(test, memory) {
  const bytes = new Uint8Array(memory.buffer);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(moduleOf(test)), imports(memory));
  let all = '';
  for (let round = 0; round < 4; round++) {
    for (let i = 0; i < 256; i++) bytes[i] = createHash('md5').update(`${i} ${round}`).digest()[0];
    // Rounds 2 and 3: numbers instead of arbitrary bits.
    if (round >= 2)
      new Float32Array(memory.buffer, 0, 64).forEach((_, i, a) => {
        a[i] = (i - 20) * 1.37 * (round - 1);
      });
    bytes.fill(0, 256, 512);
    exports.run(0, 256, round & 1 ? 5 : 0);
    all += Buffer.from(bytes.slice(256, 320)).toString('hex');
  }
  return createHash('md5').update(all).digest('hex');
}

const imports = (memory) => ({ env: { memory }, anycl: { memory } });

function child(from) {
  setFlagsFromString('--no-liftoff --no-wasm-lazy-compilation --no-wasm-inlining');
  if (flags.flags !== 'none') setFlagsFromString(flags.flags);
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 65536, shared: true });
  cases().forEach((test, i) => {
    if (i < from) return;
    process.stdout.write(`${i} `);
    process.stdout.write(`${results(test, memory)}\n`);
  });
}

/** By case: the digest of its results, or 'aborts'. */
function run(text) {
  const all = [];
  for (;;) {
    const args = [fileURLToPath(import.meta.url), `--child=${all.length}`, `--flags=${text}`];
    if (flags.only) args.push(`--only=${flags.only}`);
    const { stdout, stderr, status } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    for (const line of stdout.trim().split('\n')) {
      const [i, digest] = line.split(' ');
      if (i !== '') all[Number(i)] = digest || 'aborts';
    }
    if (status === 0) return all;
    if (stdout === '') throw new Error(stderr);
  }
}

if (flags.child !== undefined) child(Number(flags.child));
else {
  const [plain, wide] = [run('none'), run(flags.flags)];
  const faults = new Map();
  cases().forEach(({ name, variant, shape, around }, i) => {
    if (plain[i] === wide[i]) return;
    const key = `${name} ${variant}: ${wide[i] === 'aborts' ? 'the engine aborts' : 'other results'}`;
    faults.set(key, [...(faults.get(key) ?? []), `${shape}/${around}`]);
  });
  for (const [key, where] of faults) console.log(`${key} (${where.join(', ')})`);
  console.log(`${plain.length} modules: ${faults.size} instructions with faults`);
  process.exitCode = faults.size > 0 ? 1 : 0;
}
