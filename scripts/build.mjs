// SPDX-License-Identifier: MIT
// Builds dist/. `--fast` leaves out the types, and the ES module for bundlers.
//
//     index.cjs, index.mjs     what require and import load: anycl.cjs, with V8's code for it (one instance for both)
//     anycl.cjs                the library; bundler.mjs is the same as one ES module, which bundlers take
//     cli.cjs                  the command: commands.cjs over anycl.cjs, or compile.cjs, which has what compiling takes
//     icd-server.cjs           the process behind libanycl-icd (native/icd); icd-platform.bin has its platform's info
//     worker.cjs, compiler.cjs, library.bin
//                              embedded into the above; these files are for the tests, and not in the package
//     index.d.cts, index.d.mts the types
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { compactEnums } from './build/compact-enums.mjs';
import { embed, embedNothing } from './build/embed.mjs';
import { indexLoopsPlugin } from './build/index-loops.mjs';
import { buildLibrary } from './build/library.mjs';
import { buildLibraryAndCommands } from './build/share-library.mjs';
import { buildTypes } from './build/types.mjs';

const fast = process.argv.includes('--fast');
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const out = join(root, 'dist');
mkdirSync(out, { recursive: true });

/** Changes with every source file: compiled programs in the disk cache are as good as the compiler that made them. */
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
const indexed = indexLoopsPlugin(root, digest);

/** The bundles' calls of `require` for each other are not resolved. */
const besides = {
  name: 'besides',
  setup(bundler) {
    bundler.onResolve({ filter: /^\.\/\w+\.cjs$/ }, ({ path }) => ({ path, external: true }));
  },
};

/** The text of bundles is not minified, so that stacks and the lines that Node.js prints with errors are readable. */
const options = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  legalComments: 'none',
  define: { ANYCL_VERSION: JSON.stringify(version), ANYCL_BUILD: JSON.stringify(digest) },
  logLevel: 'warning',
};
const file = (name) => join(out, name);

await buildLibrary(root, out);
await build({ ...options, entryPoints: ['ts/host/node/worker-main.ts'], outfile: file('worker.cjs') });
await build({
  ...options,
  entryPoints: ['ts/host/node/compiler-main.ts'],
  outfile: file('compiler.cjs'),
  plugins: [embedNothing, indexed],
  minifyWhitespace: true,
});
const embedded = embed(root, out);
const plugins = [besides, embedded, indexed];
await Promise.all([
  buildLibraryAndCommands({
    root,
    options: { ...options, plugins },
    library: { entryPoints: ['ts/index.ts'], outfile: file('anycl.cjs') },
    commands: { entryPoints: ['ts/cli/commands.ts'], outfile: file('commands.cjs') },
  }),
  build({ ...options, plugins, entryPoints: ['ts/host/node/load-main.ts'], outfile: file('index.cjs') }),
  build({ ...options, plugins, entryPoints: ['ts/cli/compile-main.ts'], outfile: file('compile.cjs') }),
  build({ ...options, plugins, entryPoints: ['ts/icd/main.ts'], outfile: file('icd-server.cjs') }),
  build({
    ...options,
    plugins,
    entryPoints: ['ts/cli/main.ts'],
    outfile: file('cli.cjs'),
    banner: { js: '#!/usr/bin/env node' },
  }),
]);

/**
 * A module that is also a script, whose value is the module's function, so that V8 can compile the file's text as it is. Wrapping
 * it in a function at each start would copy the text, which causes a garbage collection. `arguments` exists only in a module's
 * text.
 */
function asScript(code) {
  const parameters = '(exports,require,module,__filename,__dirname)';
  const names = '...(typeof __filename==="string"?[__filename,__dirname]:[])';
  return `(typeof arguments==="object"?make=>make(exports,require,module,${names}):make=>make)((function${parameters}{${code}\n}));\n`;
}

/** Modules of Node.js without `require`, which esbuild cannot give to a CommonJS file that it puts into an ES module. */
const withBuiltins = (code) =>
  `var builtin = process.getBuiltinModule ?? ((id) => require(id));\n${code.replaceAll('require("node:', 'builtin("node:')}`;

writeFileSync(file('index.cjs'), withBuiltins(readFileSync(file('index.cjs'), 'utf8')));
// The bundles that ts/host/node/load-bundle.ts loads.
for (const name of ['anycl.cjs', 'compile.cjs', 'commands.cjs'])
  writeFileSync(file(name), asScript(withBuiltins(compactEnums(readFileSync(file(name), 'utf8')))));

// This process must not store code of the bundles that it loads here.
process.env.ANYCL_CACHE = '0';
// By name: Node.js cannot determine the exports from the text of index.cjs.
const names = Object.keys(createRequire(import.meta.url)(file('index.cjs')));
writeFileSync(
  file('index.mjs'),
  `import anycl from './index.cjs';\n\nexport default anycl;\nexport const { ${names.join(', ')} } = anycl;\n`,
);
chmodSync(file('cli.cjs'), 0o755);

if (!fast) {
  const contents =
    "import * as anycl from './ts/index';\nexport * from './ts/index';\nexport default anycl;\n";
  await build({
    ...options,
    format: 'esm',
    stdin: { contents, resolveDir: root, loader: 'ts' },
    outfile: file('bundler.mjs'),
    plugins: [embed(root, out, { module: true }), indexed],
  });
  writeFileSync(file('bundler.mjs'), compactEnums(readFileSync(file('bundler.mjs'), 'utf8')));
  buildTypes(root, out, names);
}

const platform = spawnSync(process.execPath, [file('icd-server.cjs'), '--platform'], { timeout: 60000 });
if (platform.status !== 0) throw new Error(`dist/icd-server.cjs: ${platform.stderr}`);
writeFileSync(file('icd-platform.bin'), platform.stdout);

// Removes the stored code of earlier builds, and stores that of this build for later measurements.
rmSync(file('cache'), { recursive: true, force: true });
spawnSync(process.execPath, [join(root, 'scripts/build/warm-code-cache.cjs')], {
  stdio: 'inherit',
  timeout: 60000,
});
