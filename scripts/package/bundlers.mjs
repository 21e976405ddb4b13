// SPDX-License-Identifier: MIT
// Builds a program with each bundler from the packed package, copies the output away from node_modules and runs it there:
//     node scripts/package/bundlers.mjs [NAME…]
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { BUNDLER_TOOLS, ensureAddon, installTools, npm, pack } from './install.mjs';

/** `sin` needs the built-in library, and the software device needs workers: both must work in the bundle, and the other entries. */
const PROGRAM = `import anycl, { open } from 'anycl';
import { arrays } from 'anycl/array';
import { differenceOn } from 'anycl/testing';
const main = async () => {
  const cl = await open({ device: 'software' });
  const { kernels: { wave } } = await cl.build('kernel void wave(global float *a) { size_t i = get_global_id(0); a[i] = sin(a[i]); }');
  const a = cl.buffer(Float32Array.from({ length: 4096 }, (_, i) => i / 100));
  await wave.run({ global: 4096 }, a);
  const out = await a.read();
  if (anycl.open !== open) throw new Error('two instances');
  if (!out.every((y, i) => Math.abs(y - Math.sin(i / 100)) < 1e-5)) throw new Error('wrong sines');
  if ((await arrays(cl).arange(5, 'float32').sum().item()) !== 10) throw new Error('wrong sum');
  if (typeof differenceOn !== 'function') throw new Error('no tests');
  console.log('sines');
  await cl.close?.();
};
main();
`;

/** Each builds `program.mjs` of `folder` into `out`, and returns what runs it there. */
const BUNDLERS = {
  'esbuild-esm': ({ folder, out, load }) =>
    esbuild(load, folder, { format: 'esm', outfile: join(out, 'program.mjs') }),
  'esbuild-cjs': ({ folder, out, load }) =>
    esbuild(load, folder, { format: 'cjs', outfile: join(out, 'program.cjs') }),
  // A list of conditions replaces esbuild's own, `module`: the bundle is then made of the CommonJS files.
  'esbuild-conditions': ({ folder, out, load }) =>
    esbuild(load, folder, { format: 'esm', outfile: join(out, 'program.mjs'), conditions: ['custom'] }),
  rollup: async ({ folder, out, load }) => {
    const plugins = [load('@rollup/plugin-node-resolve').nodeResolve(), load('@rollup/plugin-commonjs')()];
    const bundle = await load('rollup').rollup({
      input: join(folder, 'program.mjs'),
      plugins,
      onwarn: refuseWarning,
    });
    await bundle.write({ file: join(out, 'program.mjs'), format: 'es' });
    return ['program.mjs'];
  },
  webpack: ({ folder, out, load }) =>
    new Promise((resolve, reject) => {
      const config = {
        mode: 'production',
        target: 'node20',
        entry: join(folder, 'program.mjs'),
        output: { path: out, filename: 'program.cjs' },
        performance: { hints: false },
      };
      load('webpack')(config, (error, stats) => {
        if (error || stats.hasErrors() || stats.hasWarnings()) reject(error ?? new Error(stats.toString()));
        else resolve(['program.cjs']);
      });
    }),
  vite: async ({ folder, out, tools }) => {
    const { build } = await import(join(tools, 'node_modules/vite/dist/node/index.js'));
    await build({
      root: folder,
      configFile: false,
      logLevel: 'warn',
      build: { ssr: 'program.mjs', outDir: out, emptyOutDir: true },
      ssr: { noExternal: true },
    });
    return ['program.mjs'];
  },
  nft: async ({ folder, out, load }) => {
    const { fileList } = await load('@vercel/nft').nodeFileTrace([join(folder, 'program.mjs')], {
      base: folder,
    });
    const addons = join('node_modules/anycl/prebuilds', `${process.platform}-${process.arch}`);
    if (![...fileList].some((file) => file.startsWith(addons))) throw new Error('no addon was traced');
    for (const file of fileList) cpSync(join(folder, file), join(out, file));
    return ['program.mjs'];
  },
  'single-executable': async ({ folder, out, load, tools }) => {
    await esbuild(load, folder, { format: 'cjs', outfile: join(folder, 'sea.cjs') });
    const config = { main: 'sea.cjs', output: 'sea.blob', disableExperimentalSEAWarning: true };
    writeFileSync(join(folder, 'sea.json'), JSON.stringify(config));
    execFileSync(process.execPath, ['--experimental-sea-config', 'sea.json'], { cwd: folder, stdio: 'pipe' });
    const program = join(out, process.platform === 'win32' ? 'program.exe' : 'program');
    cpSync(process.execPath, program, { dereference: true });
    chmodSync(program, 0o755);
    const postject = join(tools, 'node_modules/postject/dist/cli.js');
    const fuse = ['--sentinel-fuse', 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'];
    const segment = process.platform === 'darwin' ? ['--macho-segment-name', 'NODE_SEA'] : [];
    const args = [postject, program, 'NODE_SEA_BLOB', join(folder, 'sea.blob'), ...fuse, ...segment];
    execFileSync(process.execPath, args, { stdio: 'pipe' });
    return [program];
  },
};

async function esbuild(load, folder, options) {
  const { warnings } = await load('esbuild').build({
    entryPoints: [join(folder, 'program.mjs')],
    bundle: true,
    platform: 'node',
    logLevel: 'silent',
    ...options,
  });
  if (warnings.length > 0) throw new Error(warnings.map(({ text }) => text).join('\n'));
  return [options.outfile.split(/[\\/]/).at(-1)];
}

function refuseWarning({ message }) {
  throw new Error(message);
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(BUNDLERS);
const tools = installTools(
  'bundlers',
  Object.entries(BUNDLER_TOOLS).map(([name, version]) => `${name}@${version}`),
);
const load = createRequire(join(tools, 'package.json'));
const temporary = mkdtempSync(join(tmpdir(), 'anycl-bundlers-'));
let failed = 0;
try {
  const folder = join(temporary, 'project');
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{}');
  writeFileSync(join(folder, 'program.mjs'), PROGRAM);
  npm(['install', '--ignore-scripts', pack(temporary)], folder);
  ensureAddon(join(folder, 'node_modules/anycl'));
  for (const name of names) {
    const out = join(temporary, name);
    mkdirSync(out);
    try {
      const [program] = await BUNDLERS[name]({ folder, out, load, tools });
      const command = program.startsWith(dirname(out)) ? [program] : [process.execPath, program];
      const env = { ...process.env, ANYCL_CACHE_DIR: join(temporary, 'cache') };
      const run = spawnSync(command[0], command.slice(1), {
        cwd: out,
        encoding: 'utf8',
        timeout: 60_000,
        env,
      });
      if (run.status !== 0 || run.stdout !== 'sines\n' || run.stderr)
        throw new Error(`it ended with ${run.status ?? run.signal}: ${run.stdout}${run.stderr}`);
      console.log(`${name}: runs`);
    } catch (error) {
      failed++;
      console.log(`${name}: FAILS\n${String(error.message).slice(0, 2000)}`);
    }
    rmSync(out, { recursive: true, force: true });
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
