// SPDX-License-Identifier: MIT
// Imports a `.cl` file in each bundler and in Node.js, runs what comes out, and breaks the kernel: the error must name its line. One of a
// missing file must name it. Neither writes anything.
//     node scripts/package/kernel-modules.mjs [NAME…]
// The package is this checkout: scripts/package/bundlers.mjs tries the packed one.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUNDLER_TOOLS, installTools, root } from './install.mjs';

/** The value in the header reaches the kernel, and `sin` the built-in library. */
const FILES = {
  'package.json': '{}',
  'scale.h': '#pragma once\n#define SCALE 2.0f\n',
  'waves.cl': `#include "scale.h"
typedef struct { float phase; int4 steps; } Wave;
kernel void wave(Wave wave, global float *a) {
  size_t i = get_global_id(0);
  a[i] = SCALE * sin(a[i] + wave.phase) + wave.steps.y;
}
`,
  'program.mjs': `import { open } from 'anycl';
import waves, { Wave, wave } from './waves.cl';
const main = async () => {
  const cl = await open({ device: 'software' });
  const a = cl.buffer(Float32Array.from({ length: 64 }, (_, i) => i / 10));
  const how = new Wave();
  how.phase = 1;
  how.steps = [0, 3, 0, 0];
  await wave.run(cl, { global: 64 }, how, a);
  const out = await a.read();
  if (!out.every((y, i) => Math.abs(y - 2 * Math.sin(i / 10 + 1) - 3) < 1e-5)) throw new Error('wrong waves');
  console.log(waves.kernelNames.join());
  cl.close();
};
main();
`,
  'broken.cl':
    'kernel void wave(global float *a) {\n  size_t i = get_global_id(0);\n  a[i] = sinus(a[i]);\n}\n',
  'broken.mjs': "import { wave } from './broken.cl';\nconsole.log(wave);\n",
  'missing.mjs': "import { wave } from './nowhere.cl';\nconsole.log(wave);\n",
};
/** The identifier is in column 10; bundlers that count from 0 say 9. */
const PROBLEMS = {
  broken: /broken\.cl[\s\S]*\b3:(?:9|10)\b[\s\S]*sinus|sinus[\s\S]*broken\.cl:3:(?:9|10)\b/,
  missing: /nowhere\.cl/,
};

/** Each builds a program of `folder` into `out`, and returns what runs it there; it rejects with the bundler's own message. */
const BUNDLERS = {
  'node-register': async ({ folder, program }) => ({
    cwd: folder,
    args: ['--import', 'anycl/register', program],
  }),
  esbuild: async ({ folder, out, program, load, plugins }) => {
    const { build, formatMessages } = load('esbuild');
    const options = { bundle: true, platform: 'node', format: 'esm', logLevel: 'silent' };
    try {
      await build({
        ...options,
        absWorkingDir: folder,
        entryPoints: [program],
        outfile: join(out, 'program.mjs'),
        plugins: [plugins.esbuild()],
      });
    } catch (error) {
      throw new Error((await formatMessages(error.errors, { kind: 'error' })).join('\n'));
    }
    return { cwd: out, args: ['program.mjs'] };
  },
  rollup: async ({ folder, out, program, load, plugins }) => {
    const bundle = await load('rollup').rollup({
      input: join(folder, program),
      plugins: [
        plugins.rollup(),
        load('@rollup/plugin-node-resolve').nodeResolve(),
        load('@rollup/plugin-commonjs')(),
      ],
    });
    await bundle.write({ file: join(out, 'program.mjs'), format: 'es' });
    return { cwd: out, args: ['program.mjs'] };
  },
  vite: async ({ folder, out, program, tools, plugins }) => {
    const { build } = await import(join(tools, 'node_modules/vite/dist/node/index.js'));
    await build({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      plugins: [plugins.vite()],
      build: {
        ssr: program,
        outDir: out,
        emptyOutDir: true,
        rollupOptions: { output: { entryFileNames: 'program.mjs' } },
      },
      ssr: { noExternal: true },
    });
    return { cwd: out, args: ['program.mjs'] };
  },
  webpack: ({ folder, out, program, load, plugins }) =>
    new Promise((resolve, reject) => {
      const config = {
        context: folder,
        mode: 'production',
        target: 'node20',
        entry: `./${program}`,
        output: { path: out, filename: 'program.cjs' },
        performance: { hints: false },
        plugins: [plugins.webpack()],
      };
      load('webpack')(config, (error, stats) => {
        if (error || stats.hasErrors()) reject(error ?? new Error(stats.toString({ colors: false })));
        else resolve({ cwd: out, args: ['program.cjs'] });
      });
    }),
};

function run({ cwd, args }, env) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd,
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, ...env },
  });
  if (status !== 0 || stderr !== '') throw new Error(`${stdout}${stderr}`);
  return stdout;
}

/** The message that a broken kernel causes. */
async function messageOf(attempt) {
  try {
    await attempt();
  } catch (error) {
    const { loc, frame } = error;
    const place = loc ? `${loc.file}:${loc.line}:${loc.column}\n${frame ?? ''}` : '';
    return `${place}${error.message}`;
  }
  throw new Error('a broken or missing kernel was built');
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(BUNDLERS);
const tools = installTools(
  'bundlers',
  Object.entries(BUNDLER_TOOLS).map(([name, version]) => `${name}@${version}`),
);
const load = createRequire(join(tools, 'package.json'));
const plugins = createRequire(import.meta.url)(join(root, 'dist/bundler-plugins.cjs'));
const temporary = mkdtempSync(join(tmpdir(), 'anycl-modules-'));
let failed = 0;
try {
  const folder = join(temporary, 'project');
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(root, join(folder, 'node_modules', 'anycl'), 'junction');
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  const env = { ANYCL_CACHE_DIR: join(temporary, 'cache') };
  for (const name of names) {
    const out = join(temporary, name);
    mkdirSync(out);
    const given = { folder, out, load, tools, plugins };
    try {
      const printed = run(await BUNDLERS[name]({ ...given, program: 'program.mjs' }), env);
      if (printed !== 'wave\n') throw new Error(`it wrote ${printed}`);
      for (const [problem, expected] of Object.entries(PROBLEMS)) {
        const empty = join(temporary, `${name}-${problem}`);
        mkdirSync(empty);
        const message = await messageOf(async () =>
          run(await BUNDLERS[name]({ ...given, out: empty, program: `${problem}.mjs` }), env),
        );
        if (!expected.test(message)) throw new Error(`a ${problem} kernel was reported as\n${message}`);
        if (readdirSync(empty).length > 0) throw new Error(`a ${problem} kernel left ${readdirSync(empty)}`);
      }
      console.log(`${name}: runs, and reports an error at its line, and a missing file`);
    } catch (error) {
      failed++;
      console.log(`${name}: FAILS\n${String(error.message).slice(0, 2000)}`);
    }
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
