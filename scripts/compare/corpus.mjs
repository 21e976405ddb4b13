// SPDX-License-Identifier: MIT
//
// node scripts/compare/corpus.mjs FOLDER… [BUILD OPTIONS]: compiles every .cl below the folders and reports differences to
// clang-15 (with its OpenCL header): refused, accepted, refused on another line, invalid SPIR-V, crashed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const words = process.argv.slice(2);
const options = words.filter((word) => word.startsWith('-'));
if (!options.some((option) => option.startsWith('-cl-std='))) options.push('-cl-std=CL1.2');
const folders = words.filter((word) => !word.startsWith('-'));
if (folders.length === 0) {
  console.error('usage: node scripts/compare/corpus.mjs FOLDER… [BUILD OPTIONS]');
  process.exit(2);
}

const scratch = mkdtempSync(join(tmpdir(), 'anycl-corpus-'));
const bundle = join(scratch, 'compiler.cjs');
await build({
  stdin: {
    contents: "export { compile } from './ts/compiler/compile'; export { encode } from './ts/spirv/encode';",
    resolveDir: root,
  },
  bundle: true,
  platform: 'node',
  outfile: bundle,
});
const { compile, encode } = createRequire(import.meta.url)(bundle);

function* sources(path) {
  if (statSync(path).isDirectory()) {
    for (const name of readdirSync(path).sort()) yield* sources(join(path, name));
  } else if (path.endsWith('.cl')) yield path;
}

const readFile = (path) => {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
};

/** `file:line` of each error of a log, in order. */
const errorLines = (log) =>
  [...log.matchAll(/^(.+?:\d+):\d+: (?:fatal )?error: /gm)].map((match) => match[1]);

const clangFlags = ['-fsyntax-only', '-x', 'cl', '-target', 'spir64', '-Xclang', '-finclude-default-header'];

function judge(file) {
  const clang = spawnSync('clang-15', [...clangFlags, '-fno-caret-diagnostics', ...options, file], {
    encoding: 'utf8',
  });
  const theirs = errorLines(clang.stderr);
  let result;
  try {
    const text = readFileSync(file);
    result = compile({ name: file, text, options: options.map((word) => `"${word}"`).join(' '), readFile });
  } catch (error) {
    return { verdict: 'crashed', detail: error.stack };
  }
  const ours = errorLines(result.log);
  if (clang.status === 0 && result.module === undefined)
    return { verdict: 'wrongly refused', detail: result.log };
  if (clang.status !== 0 && result.module !== undefined)
    return { verdict: 'wrongly accepted', detail: clang.stderr };
  if (result.module === undefined) {
    const same = theirs.length === 0 || ours.includes(theirs[0]);
    return same
      ? { verdict: 'both refuse' }
      : { verdict: 'refused elsewhere', detail: clang.stderr + result.log };
  }
  const binary = join(scratch, 'out.spv');
  writeFileSync(binary, encode(result.module));
  const valid = spawnSync('spirv-val', [binary], { encoding: 'utf8' });
  if (valid.status === 0 || valid.error) return { verdict: 'both accept' };
  return { verdict: 'invalid SPIR-V', detail: valid.stderr + valid.stdout };
}

const counts = new Map();
for (const folder of folders) {
  for (const file of sources(folder)) {
    const { verdict, detail } = judge(file);
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    if (detail !== undefined)
      console.log(`${verdict}: ${file}\n${detail.split('\n').slice(0, 6).join('\n')}\n`);
  }
}
for (const [verdict, count] of counts) console.log(`${String(count).padStart(6)} ${verdict}`);
rmSync(scratch, { recursive: true });
const agreed = [...counts.keys()].every((verdict) => verdict.startsWith('both'));
process.exit(agreed ? 0 : 1);
