// SPDX-License-Identifier: MIT
// Splits the library and the command into files that share code, so that nothing is in the package twice and each process
// loads what it needs. esbuild puts modules that the same entry points reach into one chunk. A file has one or more of them:
//
//     base.mjs       what several of `anycl compile`, the API and the other commands' first lines need
//     compiler.mjs   OpenCL C to SPIR-V, and `anycl compile`
//     anycl.mjs      the API, the backends and the software device
//     toolchain.mjs  the JIT and the rest of SPIR-V's tools: loaded when the software device is first used
//     seldom.mjs     what a plain launch does not use: SPIR-V's validator, SPIR-V to OpenCL C, checked and robust kernels and launches
//     commands.mjs   the other commands; each process evaluates those of their chunks that it needs
//     trace.mjs      what records traces, and shows them
//     icd.mjs        the process behind libanycl-icd
//     language-server.mjs   `anycl lsp`
//     typed.mjs      kernels as modules, for bundlers and Node.js
//     playground.mjs the playground's threads, and what else only they and `anycl lsp` use: scripts/build/playground.mjs
//     array-code.mjs, testing-code.mjs   the entries `anycl/array` and `anycl/testing`: scripts/build/entries.mjs
//
// A file is an ES module whose default export is a function, as large as the file, that makes the chunks' exports. Bundlers
// import it; ts/host/node/load-chunk.ts evaluates the text behind `export default` as a script, for which V8 can store code.
import { writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';
import { compactEnums } from './compact-enums.mjs';
import { compactText } from './compact-text.mjs';
import { codeOf, ENTRIES as FURTHER } from './entries.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

const further = Object.entries(FURTHER).map(([name, path]) => [codeOf(name), path]);

/** Workers of the playground's page, which have no modules of Node.js. */
export const THREADS = ['language-thread', 'device-thread'];

const ENTRIES = {
  anycl: 'ts/index.ts',
  compile: 'ts/cli/compile/main.ts',
  toolchain: 'ts/host/node/toolchain-main.ts',
  trace: 'ts/host/node/trace-main.ts',
  seldom: 'ts/jit/seldom.ts',
  validate: 'ts/spirv/validate/index.ts',
  'checked-memory': 'ts/device/checks/index.ts',
  'checked-launches': 'ts/backend/software/checks/index.ts',
  'spirv-source': 'ts/spirv/source/index.ts',
  'argument-types': 'ts/backend/native/argument-types.ts',
  'run-summary': 'ts/cli/run/summary.ts',
  'show-trace': 'ts/cli/trace.ts',
  'serve-playground': 'ts/cli/playground.ts',
  commands: 'ts/cli/commands.ts',
  'device-commands': 'ts/cli/device-commands.ts',
  'module-commands': 'ts/cli/module-commands.ts',
  debuggers: 'ts/cli/debugger/debuggers.ts',
  icd: 'ts/icd/main.ts',
  'language-server': 'ts/cli/language-server/server.ts',
  typed: 'ts/typed/bundlers.ts',
  ...Object.fromEntries(THREADS.map((name) => [name, `ts/playground/${name}.ts`])),
  ...Object.fromEntries(further),
};

export const FILES = [
  'base',
  'compiler',
  'anycl',
  'toolchain',
  'commands',
  'seldom',
  'trace',
  'icd',
  'language-server',
  'typed',
  'playground',
  ...further.map(([name]) => name),
];

const SELDOM = ['seldom', 'validate', 'spirv-source', 'checked-memory', 'checked-launches'];

/** @param entries the names of the entry points that reach a chunk */
function fileOf(entries) {
  if (['anycl', 'compile', 'commands'].filter((name) => entries.has(name)).length > 1) return 'base';
  // A command that runs kernels shows progress, and need not load the compiler for that.
  if (entries.has('compile') && entries.has('device-commands')) return 'base';
  if (entries.has('compile') || entries.has('argument-types')) return 'compiler';
  const isEager = ['anycl', 'compile', 'toolchain', 'icd', 'typed'].some((name) => entries.has(name));
  if (!isEager && SELDOM.some((name) => entries.has(name))) return 'seldom';
  // The playground loads neither the commands nor the language server. Chunks that it shares with them are in its own file.
  if (!isEager && THREADS.some((name) => entries.has(name))) {
    if (entries.has('device-commands')) return 'anycl';
    return entries.has('module-commands') ? 'seldom' : 'playground';
  }
  return FILES.filter((name) => name !== 'base').find((name) => entries.has(name)) ?? 'commands';
}

/** The modules that the sources load with `require` when they are first used, and their entry points. */
const LAZY = new Map(
  Object.entries({
    'host/node/toolchain-main': 'toolchain',
    'host/node/trace-main': 'trace',
    'jit/seldom': 'seldom',
    'spirv/validate': 'validate',
    'device/checks': 'checked-memory',
    'backend/software/checks': 'checked-launches',
    'spirv/source': 'spirv-source',
    'backend/native/argument-types': 'argument-types',
    'cli/compile/main': 'compile',
    'cli/device-commands': 'device-commands',
    'cli/module-commands': 'module-commands',
    'cli/language-server/server': 'language-server',
    'cli/run/summary': 'run-summary',
    'cli/debugger/debuggers': 'debuggers',
    'cli/trace': 'show-trace',
    'cli/playground': 'serve-playground',
  }).map(([path, entry]) => [join(root, 'ts', path), entry]),
);

const lazy = {
  name: 'lazy-chunks',
  setup(bundler) {
    bundler.onResolve({ filter: /^\./ }, ({ path, kind, resolveDir }) => {
      const isSource = resolveDir.startsWith(join(root, 'ts')) && !path.endsWith('.mjs');
      if (kind !== 'require-call' || !isSource) return undefined;
      const entry = LAZY.get(join(resolveDir, path));
      // Otherwise esbuild makes modules that are evaluated at their first use, whose exports change.
      if (!entry)
        return { errors: [{ text: `'${path}' is required, but has no entry in scripts/build/chunks.mjs` }] };
      return { path: `./${entry}.mjs`, external: true };
    });
  },
};

/** The entries over the main one take its exports at run time: their processes have one API. */
const mainEntry = {
  name: 'main-entry',
  setup(bundler) {
    const folders = Object.values(FURTHER).map((path) => join('/', dirname(path), '/'));
    bundler.onResolve({ filter: /\/api\/public$/ }, ({ importer }) =>
      folders.some((folder) => importer.includes(folder))
        ? { path: './anycl.mjs', external: true }
        : undefined,
    );
  },
};

/**
 * Writes the files of chunks into `out`.
 * @param options of esbuild
 * @returns for each chunk, by name, its file and the chunks that it requires at once
 */
export async function buildChunks(out, options) {
  const { metafile, outputFiles } = await build({
    ...options,
    plugins: [lazy, mainEntry, ...options.plugins],
    format: 'esm',
    splitting: true,
    entryPoints: ENTRIES,
    outdir: out,
    write: false,
    metafile: true,
  });
  const chunks = new Map(Object.entries(metafile.outputs).map(([path, chunk]) => [basename(path), chunk]));
  const reached = reachability(chunks);
  const names = chunkNames(reached);
  refuseNodeInThreads(chunks, reached);
  const files = new Map(FILES.map((file) => [file, []]));
  for (const { path, text } of outputFiles) {
    const file = basename(path);
    const chunk = asFunction(compactEnums(text), names);
    files.get(fileOf(reached.get(file))).push(`${JSON.stringify(names.get(file))}: (${chunk})`);
  }
  for (const [file, members] of files) {
    const made = `({\n${members.sort().join(',\n')}\n});\n`;
    const code = await (FOREIGN.has(file) ? minified(made) : compactText(made));
    writeFileSync(join(out, `${file}.mjs`), `export default ${code}`);
  }
  const needs = (file) =>
    chunks
      .get(file)
      .imports.filter(({ external }) => !external)
      .map(({ path }) => names.get(basename(path)));
  return Object.fromEntries(
    [...reached].map(([file, entries]) => [names.get(file), { file: fileOf(entries), needs: needs(file) }]),
  );
}

/** Files that mostly contain dependencies. Their lines need not be readable. */
const FOREIGN = new Set(['language-server']);

/** An expression, minified. esbuild would remove one that nothing uses. */
async function minified(expression) {
  const { code } = await transform(`chunks = ${expression}`, { minify: true, target: 'node20' });
  return `(${code.slice('chunks='.length).replace(/;\n$/, '')});\n`;
}

/** The entry points that reach each chunk by imports that are not lazy. */
function reachability(chunks) {
  const reached = new Map([...chunks.keys()].map((file) => [file, new Set()]));
  const visit = (file, entry) => {
    if (reached.get(file).has(entry)) return;
    reached.get(file).add(entry);
    for (const { path, external } of chunks.get(file).imports) if (!external) visit(basename(path), entry);
  };
  for (const entry of Object.keys(ENTRIES)) visit(`${entry}.js`, entry);
  return reached;
}

function refuseNodeInThreads(chunks, reached) {
  for (const [file, { imports, inputs }] of chunks) {
    const found = imports.find(({ path }) => path.startsWith('node:'));
    if (found && THREADS.some((name) => reached.get(file).has(name)))
      throw new Error(
        `the playground reaches ${found.path} through one of ${Object.keys(inputs).join(', ')}`,
      );
  }
}

/** The chunk of an entry point has the entry point's name. Shared chunks have numbers, because each loader contains all names. */
function chunkNames(reached) {
  const entryOf = (file) => file.replace(/\.js$/, '');
  const shared = [...reached]
    .filter(([file]) => !(entryOf(file) in ENTRIES))
    .map(([file, entries]) => ({ file, key: [...entries].sort().join() }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ file }) => file);
  return new Map(
    [...reached.keys()].map((file) => [
      file,
      entryOf(file) in ENTRIES ? entryOf(file) : `shared-${shared.indexOf(file) + 1}`,
    ]),
  );
}

const IMPORT = /^import (?:([\w$]+|\* as [\w$]+|\{[^}]*\}) from )?"([^"]+)";\n/gm;
const EXPORT = /^export \{([^}]*)\};\n/gm;

/** A chunk as a function that takes `require` and returns the exports. No chunk exports a variable that it later changes. */
function asFunction(text, names) {
  const ofChunk = (path) => (names.has(basename(path)) ? `./${names.get(basename(path))}.mjs` : path);
  const body = text
    .replace(IMPORT, (_, what, path) => {
      const required = `require(${JSON.stringify(ofChunk(path))})`;
      if (what === undefined) return `${required};\n`;
      if (what.startsWith('{')) return `var ${what.replaceAll(' as ', ': ')} = ${required};\n`;
      return `var ${what.replace('* as ', '')} = ${required};\n`;
    })
    .replace(
      EXPORT,
      (_, list) =>
        `return {${list.replace(/([\w$]+) as ([\w$]+)/g, (_whole, local, exported) => `${exported}: ${local}`)}};\n`,
    );
  // esbuild writes double quotes. Text such as `import … from '…'` is a program in a template.
  const left = /^(?:import\b[^'\n]*".*|export\b.*)/m.exec(body)?.[0];
  if (left) throw new Error(`scripts/build/chunks.mjs does not know this form of esbuild's: ${left}`);
  return `function (require, __dirname) {\n"use strict";\n${body}}`;
}
