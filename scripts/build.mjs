// SPDX-License-Identifier: MIT
// Builds dist/: CommonJS bundles for the library, the command line and the device's worker, an ES module
// that re-exports the library (one instance of the package per process, whichever way it is loaded), and the types.
// `--fast` leaves the types out.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { buildLibrary } from './build-library.mjs';
import { compactEnums } from './compact-enums.mjs';
import { indexLoopsPlugin } from './index-loops.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const out = join(root, 'dist');
mkdirSync(out, { recursive: true });

/** Changes with every source file: compiled programs in the disk cache are as good as the compiler that made them. */
function sourcesDigest() {
  const hash = createHash('sha256');
  for (const folder of ['ts', 'kernels/lib']) {
    if (!existsSync(join(root, folder))) continue;
    for (const name of readdirSync(join(root, folder), { recursive: true }).sort()) {
      if (/\.(ts|cl|h)$/.test(name) && !name.endsWith('.test.ts')) {
        hash.update(name).update(readFileSync(join(root, folder, name)));
      }
    }
  }
  return hash.digest('hex').slice(0, 16);
}

const digest = sourcesDigest();
// For scripts/code-cache.cjs, which also runs where the package is installed.
writeFileSync(join(out, 'build-id'), digest);
const indexed = indexLoopsPlugin(root, digest);
const bundles = {
  index: 'ts/host/node/load-main.ts',
  anycl: 'ts/index.ts',
  cli: 'ts/cli/main.ts',
  compile: 'ts/cli/compile-main.ts',
  commands: 'ts/cli/commands.ts',
  worker: 'ts/host/node/worker-main.ts',
};
await Promise.all(
  Object.entries(bundles)
    .filter(([, entry]) => existsSync(join(root, entry)))
    .map(([name, entry]) =>
      build({
        absWorkingDir: root,
        entryPoints: [entry],
        outfile: join(out, `${name}.cjs`),
        bundle: true,
        platform: 'node',
        format: 'cjs',
        target: 'node20',
        legalComments: 'none',
        // Less text to parse at each start; names stay, for the stacks of errors.
        minifyWhitespace: true,
        minifySyntax: true,
        define: { ANYCL_VERSION: JSON.stringify(version), ANYCL_BUILD: JSON.stringify(digest) },
        external: ['node-gyp-build'],
        plugins: [indexed],
        banner: name === 'cli' ? { js: '#!/usr/bin/env node' } : {},
        logLevel: 'warning',
      }),
    ),
);
/** What ts/host/node/load-bundle.ts loads. */
const LOADED = new Set(['anycl', 'compile', 'commands']);

/**
 * A module that is a script as well, whose value is the function that makes it: V8 can be given the file's text as it is. To put a
 * function around it at each start would copy it, and a collection with it. Only a module's text finds `arguments`.
 */
function asScript(code) {
  const parameters = '(exports,require,module,__filename,__dirname)';
  return `(typeof arguments==="object"?make=>make${parameters}:make=>make)((function${parameters}{${code}\n}));\n`;
}

// Lines stay short: Node.js prints the whole line that an uncaught error comes from.
for (const name of Object.keys(bundles)) {
  const path = join(out, `${name}.cjs`);
  if (!existsSync(path)) continue;
  const compact = compactEnums(readFileSync(path, 'utf8'));
  const { code } = await transform(compact, { minifyWhitespace: true, target: 'node20', lineLimit: 160 });
  writeFileSync(path, LOADED.has(name) ? asScript(code) : code);
}
await buildLibrary(root, out);
// By name: Node.js cannot tell from the text of a minified CommonJS file what it exports.
const names = Object.keys(createRequire(import.meta.url)(join(out, 'anycl.cjs')));
writeFileSync(
  join(out, 'index.mjs'),
  `import anycl from './index.cjs';\n\nexport const { ${names.join(', ')} } = anycl;\n`,
);
if (existsSync(join(out, 'cli.cjs'))) chmodSync(join(out, 'cli.cjs'), 0o755);
spawnSync(process.execPath, [join(root, 'scripts/code-cache.cjs')], { stdio: 'inherit', timeout: 60000 });
if (!process.argv.includes('--fast')) {
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.types.json'],
    {
      cwd: root,
      stdio: 'inherit',
    },
  );
}
