// SPDX-License-Identifier: MIT
// Builds dist/. `--fast` leaves out the types.
//
//     index.cjs, index.mjs     what require and import load (one instance for both)
//     bundler.mjs              the same as an ES module, which bundlers take; bundler-chunks.mjs loads the code
//     array.cjs, array.mjs, array-bundler.mjs
//                              the entry `anycl/array` (scripts/build/entries.mjs); testing.… for `anycl/testing`
//     cli.cjs                  the command
//     compiler.cjs             the thread that does long builds
//     bundler-plugins.cjs, .mjs, webpack-loader.cjs
//                              anycl/bundler: plugins by which bundlers take `.cl` files
//     register.mjs, register-hooks.mjs
//                              anycl/register: the same for Node.js
//     icd-server.cjs           the process behind libanycl-icd (native/icd); icd-platform.bin has its platform's info
//     base.mjs, compiler.mjs, anycl.mjs, toolchain.mjs, seldom.mjs, commands.mjs, trace.mjs, icd.mjs, typed.mjs,
//     language-server.mjs, playground.mjs, array-code.mjs, testing-code.mjs, library.mjs, checker.mjs
//                              what these load: scripts/build/chunks.mjs
//     worker.cjs, checker.cjs, library.bin
//                              embedded into the above; these files are for the tests, and not in the package
//     playground/              static files of the playground (ts/playground)
//     index.d.cts, index.d.mts, array.d.cts, array.d.mts, testing.d.cts, testing.d.mts
//                              the types
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { writeBundlerModule } from './build/bundler-module.mjs';
import { buildChunks, FILES } from './build/chunks.mjs';
import { embed, writeStringModule } from './build/embed.mjs';
import { buildEntries, bundleBuiltins, entryFiles } from './build/entries.mjs';
import { indexLoopsPlugin } from './build/index-loops.mjs';
import { buildLibrary } from './build/library.mjs';
import { buildPlayground } from './build/playground.mjs';
import { writeTypedEntries } from './build/typed-entries.mjs';
import { buildTypes } from './build/types.mjs';

const fast = process.argv.includes('--fast');
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const out = join(root, 'dist');
mkdirSync(out, { recursive: true });

/** Changes with every source file, because entries of the disk cache depend on the compiler that made them. */
function sourcesDigest() {
  const hash = createHash('sha256');
  for (const folder of ['ts', 'kernels/lib', 'scripts/build']) {
    for (const name of readdirSync(join(root, folder), { recursive: true }).sort()) {
      if (/\.(ts|cl|h|mjs)$/.test(name) && !name.endsWith('.test.ts')) {
        hash.update(name).update(readFileSync(join(root, folder, name)));
      }
    }
  }
  return hash.digest('hex').slice(0, 16);
}

const digest = sourcesDigest();

/**
 * For the text of the files, nothing is minified, so that stacks and the lines that Node.js prints with errors are
 * readable.
 */
const options = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  legalComments: 'none',
  define: { ANYCL_VERSION: JSON.stringify(version), ANYCL_BUILD: JSON.stringify(digest) },
  logLevel: 'warning',
};
const file = (name) => join(out, name);

await buildLibrary(root, out);
writeStringModule(out, 'library.bin', 'library.mjs');
await build({
  ...options,
  format: 'cjs',
  entryPoints: ['ts/host/node/worker-main.ts'],
  outfile: file('worker.cjs'),
  // Each thread parses it again: V8 stores no code for them.
  minify: true,
});
await build({
  ...options,
  format: 'cjs',
  entryPoints: ['ts/device/checks/checked-kernel.ts'],
  outfile: file('checker.cjs'),
  minify: true,
});
writeStringModule(out, 'checker.cjs', 'checker.mjs');
const chunks = await buildChunks(out, {
  ...options,
  plugins: [embed(root, out), indexLoopsPlugin(root, digest)],
});
await buildPlayground(root, out, options);

/** The code that loads the chunks, and their calls of `require` for adjacent files, are not changed. */
const loaders = {
  'index.cjs': 'ts/host/node/load-main.ts',
  'compiler.cjs': 'ts/host/node/compiler-main.ts',
  'cli.cjs': 'ts/cli/main.ts',
  'icd-server.cjs': 'ts/host/node/icd-main.ts',
  'bundler-plugins.cjs': 'ts/host/node/typed-main.ts',
};
const loaderOptions = {
  ...options,
  format: 'cjs',
  define: { ...options.define, ANYCL_CHUNKS: JSON.stringify(chunks) },
  external: ['./bundler.mjs'],
  // V8 stores no code for these either. Node.js prints the line that an error which nobody catches was thrown in.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 60,
};
for (const [name, entry] of Object.entries(loaders))
  await build({
    ...loaderOptions,
    entryPoints: [entry],
    outfile: file(name),
    ...(name === 'cli.cjs' ? { banner: { js: '#!/usr/bin/env node' } } : {}),
  });
chmodSync(file('cli.cjs'), 0o755);

bundleBuiltins(file('index.cjs'));

// This process stores no code of the files that it loads here.
process.env.ANYCL_CACHE = '0';
// By name, because Node.js cannot see the exports in the text of index.cjs.
const names = Object.keys(createRequire(import.meta.url)(file('index.cjs'))).sort();
writeFileSync(
  file('index.mjs'),
  `import anycl from './index.cjs';\n\nexport default anycl;\nexport const { ${names.join(', ')} } = anycl;\n`,
);
await buildEntries(out, loaderOptions);
writeBundlerModule(out, ['base', 'compiler', 'anycl', 'toolchain', 'seldom', 'trace'], names);
const typedEntries = writeTypedEntries(out);
if (!fast) buildTypes(root, out, names);

const platform = spawnSync(process.execPath, [file('icd-server.cjs'), '--platform'], { timeout: 60000 });
if (platform.status !== 0) throw new Error(`dist/icd-server.cjs: ${platform.stderr}`);
writeFileSync(file('icd-platform.bin'), platform.stdout);

const made = new Set([
  ...[
    ...Object.keys(loaders),
    ...typedEntries,
    'index.mjs',
    'bundler.mjs',
    'bundler-chunks.mjs',
    'library.mjs',
    'checker.mjs',
    'worker.cjs',
    'checker.cjs',
  ],
  ...FILES.map((name) => `${name}.mjs`),
  ...entryFiles,
]);
// Otherwise the package would contain files of earlier versions of this script.
for (const name of readdirSync(out)) if (/\.[cm]js$/.test(name) && !made.has(name)) rmSync(file(name));

// Removes the code cache of earlier builds, and creates this build's for the next measurement.
rmSync(file('cache'), { recursive: true, force: true });
spawnSync(process.execPath, [join(root, 'scripts/build/warm-code-cache.cjs')], {
  stdio: 'inherit',
  timeout: 60000,
});
