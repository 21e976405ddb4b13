// SPDX-License-Identifier: MIT
// Writes the package's types: one file for each entry, of what is public and nothing else. TypeScript 7 makes a declaration
// file of each source; api-extractor rolls up what ts/index.ts exports of them, without what is marked @internal.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ENTRIES } from './entries.mjs';
import { extractDeclarations } from './extract-declarations.mjs';
import { admitUndefined } from './optional-properties.mjs';

/**
 * Declarations that libraries before ES2026, and programs without the DOM's or Node.js's types, lack; they merge with existing
 * ones.
 */
const GLOBALS = `declare global {
    interface AbortSignal {}
    interface ReadableStream<R = any> {}
    interface WritableStream<W = any> {}
    interface SymbolConstructor {
        readonly dispose: unique symbol;
        readonly asyncDispose: unique symbol;
    }
}
`;

/** What ES modules see: the same declarations, so that both kinds of modules have the same types, and the package has them once. */
const reexport = (name) => `export * from './${name}.cjs';\n`;

/** @param names of the values that the package exports */
export function buildTypes(root, out, names) {
  const folder = join(out, 'types');
  rmSync(folder, { recursive: true, force: true });
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.types.json'],
    { cwd: root, stdio: 'inherit' },
  );
  const rolled = rollUp(root, folder, 'index');
  // TypeScript writes the default type argument of typed arrays, which have no parameter before TypeScript 5.7.
  const types = `${rolled}\n${GLOBALS}`.replaceAll('<ArrayBufferLike>', '');
  writeFileSync(join(out, 'index.d.cts'), types);
  // The default import is the whole package. TypeScript provides one for CommonJS modules.
  const all = names.map((name) => `  | '${name}'`).join('\n');
  writeFileSync(
    join(out, 'index.d.mts'),
    `${reexport('index')}import type * as exported from './index.cjs';\n\ndeclare const anycl: Pick<\n  typeof exported,\n${all}\n>;\nexport default anycl;\n`,
  );
  for (const [name, entry] of Object.entries(ENTRIES))
    buildEntryTypes(root, out, folder, name, dirname(entry));
  const plugins = rollUp(root, folder, 'typed/bundlers');
  writeFileSync(join(out, 'bundler-plugins.d.cts'), plugins);
  writeFileSync(join(out, 'bundler-plugins.d.mts'), reexport('bundler-plugins'));
  writeFileSync(join(out, 'register.d.mts'), 'export {};\n');
}

/** A further entry. Its types import those of the main entry: a class that is declared twice would be two types. */
function buildEntryTypes(root, out, folder, name, source) {
  const main = join(folder, 'node_modules/anycl-main');
  mkdirSync(main, { recursive: true });
  writeFileSync(join(main, 'package.json'), '{ "name": "anycl-main", "types": "index.d.ts" }');
  cpSync(join(out, 'index.d.cts'), join(main, 'index.d.ts'));
  const own = join(folder, basename(source));
  for (const file of readdirSync(own, { recursive: true }).filter((name) => name.endsWith('.d.ts')))
    writeFileSync(
      join(own, file),
      readFileSync(join(own, file), 'utf8').replace(/'(?:\.\.\/)+api\/public'/g, "'anycl-main'"),
    );
  const types = rollUp(root, folder, `${basename(source)}/index`);
  writeFileSync(join(out, `${name}.d.cts`), types.replaceAll("'anycl-main'", "'./index.cjs'"));
  writeFileSync(join(out, `${name}.d.mts`), reexport(name));
}

/** One file of what an entry exports and of all that this refers to. */
function rollUp(root, folder, entry) {
  const rolled = join(folder, `${basename(dirname(join(folder, entry)))}.rolled.d.ts`);
  extractDeclarations(root, join(folder, `${entry}.d.ts`), {
    dtsRollup: { enabled: true, publicTrimmedFilePath: rolled, omitTrimmingComments: true },
  });
  return admitUndefined(readFileSync(rolled, 'utf8'));
}
