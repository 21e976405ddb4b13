// SPDX-License-Identifier: MIT
//
// Checks that the cost of compiling grows linearly with the source. Each shape of tests/growth/shapes.ts is doubled until it takes a
// second, in a process of its own.
//
//     node scripts/growth.mjs [--only SHAPE,…] [--limit MILLISECONDS] [--json]
//
// Times are of the processor; "µs" is the time for one unit of the shape, at the last size and at a quarter of it. The exit status
// is 1 if that is more than twice what it was, or if the memory beyond that of the smallest size grew so.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values: flags } = parseArgs({
  options: { only: { type: 'string' }, limit: { type: 'string' }, json: { type: 'boolean', default: false } },
});
/** The allowed growth of the cost per unit for four times as many units, because of caches and garbage collections. */
const DEARER = 2;

const folder = mkdtempSync(join(tmpdir(), 'anycl-growth-'));
const bundled = (entry, name) =>
  build({
    entryPoints: [join(root, 'tests/growth', entry)],
    outfile: join(folder, name),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minifySyntax: true,
    define: { ANYCL_VERSION: '"growth"', ANYCL_BUILD: '"growth"' },
  });
await Promise.all([bundled('report.ts', 'report.cjs'), bundled('shapes.ts', 'shapes.cjs')]);
const { SHAPES } = createRequire(import.meta.url)(join(folder, 'shapes.cjs'));

function sizesOf(name) {
  const args = [
    join(folder, 'report.cjs'),
    name,
    join(root, 'dist/library.bin'),
    ...(flags.limit ? [flags.limit] : []),
  ];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: 300_000,
  });
  const sizes = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return {
    name,
    sizes,
    failed: status === 0 ? undefined : (stderr.split('\n').find((line) => /Error/.test(line)) ?? 'no end'),
  };
}

const each = ({ n, frontEnd, jit }) => ((frontEnd + jit) * 1000) / n;

function judge({ name, sizes, failed }) {
  if (failed) return { name, sizes, fault: failed };
  const last = sizes.at(-1);
  const quarter = sizes.at(-3) ?? sizes[0];
  const growth = each(last) / each(quarter);
  const base = sizes[0].memory;
  const memory = (last.memory - base) / Math.max(32, sizes.at(-2).memory - base);
  const fault = growth > DEARER ? 'time' : memory > 2 * DEARER ? 'memory' : undefined;
  return { name, sizes, growth, memory, fault };
}

const rows = Object.keys(SHAPES)
  .filter((name) => !flags.only || flags.only.split(',').includes(name))
  .map((name) => {
    const row = judge(sizesOf(name));
    if (!flags.json) print(row);
    return row;
  });
rmSync(folder, { recursive: true });
if (flags.json) console.log(JSON.stringify(rows, null, 2));
process.exitCode = rows.some(({ fault }) => fault) ? 1 : 0;

function print({ name, sizes, growth, fault }) {
  const last = sizes.at(-1);
  if (!last) return console.log(`${name.padEnd(20)} ${fault}`);
  const quarter = sizes.at(-3) ?? sizes[0];
  const cell = (value, digits = 0) => (value ?? Number.NaN).toFixed(digits).padStart(9);
  console.log(
    `${name.padEnd(20)}${cell(last.n)} units${cell(last.frontEnd)} + ${last.jit.toFixed(0)} ms${cell(each(quarter), 1)} ->${cell(each(last), 1)} µs` +
      ` x${(growth ?? Number.NaN).toFixed(2)}${cell(last.memory)} MB ${fault ? `GROWS: ${fault}` : ''}`,
  );
}
