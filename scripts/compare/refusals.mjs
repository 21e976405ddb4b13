// SPDX-License-Identifier: MIT
//
// Compares with clang what is refused, and where: makes one mistake at a time in sources (tests/fuzz/mutate.ts), compiles
// each such mutant with clang and with our compiler, and lists by cause where the two differ:
//   accepted   clang has an error and we have none
//   refused    we have an error and clang has none
//   line       the first error of one is on a line where the other has none
//   cascade    one mistake, and we have more messages than clang
//   crashed    our compiler threw
// and with --warnings, of mutants that both accept, warnings that only one gives (missing, extra).
//
//   node scripts/compare/refusals.mjs [FILE-OR-FOLDER…] [--mutants 2000] [--seed 1] [--std CL2.0] [--warnings]
//                                     [--examples 2] [--only TEXT] [--clang clang-15] [--json FILE]
//
// Without files: those of tests/ and kernels/. The same seed makes the same mutants.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '../..');
const BATCH = 100;
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mutants: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    std: { type: 'string' },
    warnings: { type: 'boolean', default: false },
    examples: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
    clang: { type: 'string', default: 'clang-15' },
    json: { type: 'string' },
  },
});
const scratch = mkdtempSync(join(tmpdir(), 'anycl-mutants-'));
process.on('exit', () => rmSync(scratch, { recursive: true }));

const bundle = join(scratch, 'compiler.cjs');
const contents = ["'./ts/compiler/compile'", "'./tests/fuzz/mutate'", "'./tests/fuzz/chance'"]
  .map((module) => `export * from ${module};`)
  .join('\n');
await build({ stdin: { contents, resolveDir: ROOT }, bundle: true, platform: 'node', outfile: bundle });
const { compile, mutate, Chance } = createRequire(import.meta.url)(bundle);
const resources = execFileSync(options.clang, ['-print-resource-dir'], { encoding: 'utf8' }).trim();
// The flags that the driver passes for `-x cl -target spir64`; many files in one process are ten times as fast as a process for
// each.
const CLANG_FLAGS = [
  ...[
    '-cc1',
    '-triple',
    'spir64',
    '-Wspir-compat',
    '-fsyntax-only',
    '-ferror-limit',
    '0',
    '-fgnuc-version=4.2.1',
  ],
  ...['-fno-caret-diagnostics', '-fmessage-length=0', '-resource-dir', resources],
  ...['-finclude-default-header', '-fdeclare-opencl-builtins', '-x', 'cl'],
];

/** The errors and warnings of a log, by the name of the file: line, severity, text without the flag, flag. */
function messagesOf(log) {
  const messages = new Map();
  for (const match of log.matchAll(
    /^(.*?):(\d+):\d+: (fatal error|error|warning): (.*?)(?: \[-W([^\]]*)\])?$/gm,
  )) {
    const [, file, line, severity, text, flag] = match;
    const message = { line: Number(line), severity, text, flag: flag?.replace(/^error,-W/, '') };
    const name = basename(file);
    messages.set(name, [...(messages.get(name) ?? []), message]);
  }
  return messages;
}

/** clang's messages for each of the programs, which have the same options. */
function clangMessages(programs, flags) {
  const names = programs.map((text, i) => {
    writeFileSync(join(scratch, `${i}.cl`), text);
    return `${i}.cl`;
  });
  const found = names.map(() => undefined);
  for (let first = 0; first < names.length; ) {
    // clang's warnings also depend on errors in the files before.
    const batch = options.warnings ? names.slice(first, first + 1) : names.slice(first);
    const { stderr, signal, status } = spawnSync(options.clang, [...CLANG_FLAGS, ...flags, ...batch], {
      encoding: 'utf8',
      cwd: scratch,
      maxBuffer: 1 << 28,
    });
    const messages = messagesOf(stderr);
    const crashed = signal !== null || status > 1;
    // After a fatal error clang reports nothing for the files that follow.
    const fatal = batch.findIndex((name) =>
      messages.get(name)?.some(({ severity }) => severity === 'fatal error'),
    );
    const reached = crashed
      ? Math.max(
          0,
          batch.findLastIndex((name) => messages.has(name)),
        )
      : batch.length;
    const end = first + (fatal < 0 ? reached : Math.min(reached, fatal + 1));
    for (let i = first; i < end; i++) found[i] = messages.get(names[i]) ?? [];
    first = Math.max(end, first + 1);
  }
  return found;
}

function ourMessages(text, flags) {
  try {
    const { log } = compile({ name: 'a.cl', text, options: flags.join(' '), target: 'spir64' });
    return messagesOf(log).get('a.cl') ?? [];
  } catch (error) {
    return [{ line: 0, severity: 'crash', text: String(error.stack).split('\n').slice(0, 2).join(' ') }];
  }
}

const isError = ({ severity }) => severity !== 'warning';
const errorsOf = (messages) => messages.filter(isError);

/** Whole programs: a file of tests/check contains several, and lines that are wrong on purpose. */
function programsOf(file) {
  const [first, ...parts] = readFileSync(file, 'utf8').split(/^\/\/---(.*)\n/m);
  const pieces = parts.length === 0 ? [['', first]] : [];
  for (let i = 0; i < parts.length; i += 2) pieces.push([parts[i], parts[i + 1]]);
  return pieces.map(([text, program], i) => {
    const given = `${text} ${/\/\/ options: (.*)$/m.exec(program)?.[1] ?? ''}`;
    const flags = given.split(/\s+/).filter((word) => /^-(?:D|cl-std=)/.test(word));
    if (options.std) flags.push(`-cl-std=${options.std}`);
    if (!flags.some((flag) => flag.startsWith('-cl-std='))) flags.push('-cl-std=CL2.0');
    return {
      name: `${relative(ROOT, file)}${pieces.length > 1 ? `#${i}` : ''}`,
      program,
      flags: flags.slice(-3),
    };
  });
}

/** The programs, grouped by their options. */
function byFlags(programs) {
  const groups = new Map();
  for (const program of programs) {
    const key = (program.source ?? program).flags.join(' ');
    groups.set(key, [...(groups.get(key) ?? []), program]);
  }
  return groups.values();
}

/** The programs without the lines for which either compiler reports an error; programs without valid lines are dropped. */
function* cleaned(sources) {
  let left = sources.map((source) => ({
    ...source,
    program: source.program.replace(/^.*\/\/ error: .*$/gm, ''),
  }));
  for (let round = 0; round < 4; round++) {
    const wrong = [];
    for (const group of byFlags(left)) {
      const { flags } = group[0];
      const answers = clangMessages(
        group.map(({ program }) => program),
        flags,
      );
      for (const [i, source] of group.entries()) {
        const errors = errorsOf([...(answers[i] ?? []), ...ourMessages(source.program, flags)]);
        if (errors.length === 0) yield source;
        else {
          const lines = source.program.split('\n');
          for (const { line } of errors) lines[line - 1] = '';
          wrong.push({ ...source, program: lines.join('\n') });
        }
      }
    }
    left = wrong;
  }
}

function* sourceFiles(path) {
  if (statSync(path).isDirectory()) {
    for (const name of readdirSync(path).sort()) yield* sourceFiles(join(path, name));
  } else if (path.endsWith('.cl')) yield path;
}

const pattern = (text) => text.replace(/'[^']*'/g, "''").replace(/-?\d+/g, 'N');

/** The differences of one mutant: class and cause. */
function* differences(theirs, ours) {
  if (ours[0]?.severity === 'crash') return yield ['crashed', ours[0].text];
  const [wrong, ourWrong] = [errorsOf(theirs), errorsOf(ours)];
  if (wrong.length > 0 && ourWrong.length === 0) return yield ['accepted', pattern(wrong[0].text)];
  if (wrong.length === 0 && ourWrong.length > 0) return yield ['refused', pattern(ourWrong[0].text)];
  if (wrong.length > 0) {
    const on = (messages, { line }) => messages.some((each) => each.line === line);
    const pair = `${pattern(wrong[0].text)}  |  ${pattern(ourWrong[0].text)}`;
    if (!on(ourWrong, wrong[0]) || !on(wrong, ourWrong[0])) yield ['line', pair];
    else if (ourWrong.length > wrong.length)
      yield [
        'cascade',
        `${pattern(wrong[0].text)}  |  ${ourWrong
          .map(({ text }) => pattern(text))
          .slice(0, 3)
          .join('; ')}`,
      ];
    return;
  }
  if (!options.warnings) return;
  const lacks = (messages, { line, flag }) =>
    !messages.some((each) => each.line === line && each.flag === flag);
  for (const each of theirs) if (lacks(ours, each)) yield ['missing', `[${each.flag}] ${pattern(each.text)}`];
  for (const each of ours) if (lacks(theirs, each)) yield ['extra', `[${each.flag}] ${pattern(each.text)}`];
}

const folders = positionals.length > 0 ? positionals : [join(ROOT, 'tests'), join(ROOT, 'kernels')];
const LEAST_LENGTH = 60;
const sources = [
  ...cleaned(folders.flatMap((folder) => [...sourceFiles(folder)]).flatMap(programsOf)),
].filter(({ program }) => program.replace(/\/\/.*|\s+/g, '').length >= LEAST_LENGTH);
const chance = new Chance(Number(options.seed));
const all = Array.from({ length: Number(options.mutants) }, () => {
  const source = chance.pick(sources);
  const seed = chance.integer(0, 2 ** 31);
  return { source, seed, ...mutate(source.program, seed) };
});

const groups = new Map();
let refusedByBoth = 0;
let different = 0;
/** Mutants on which clang crashes. */
let skipped = 0;
for (const mutants of byFlags(all)) {
  const { flags } = mutants[0].source;
  for (let first = 0; first < mutants.length; first += BATCH) {
    const batch = mutants.slice(first, first + BATCH);
    const answers = clangMessages(
      batch.map(({ text }) => text),
      flags,
    );
    for (const [i, mutant] of batch.entries()) {
      const theirs = answers[i];
      if (theirs === undefined) {
        skipped++;
        continue;
      }
      const ours = ourMessages(mutant.text, flags);
      if (errorsOf(theirs).length > 0 && errorsOf(ours).length > 0) refusedByBoth++;
      let any = false;
      for (const [kind, cause] of differences(theirs, ours)) {
        const key = `${kind}: ${cause}`;
        if (!key.includes(options.only)) continue;
        any = true;
        groups.set(key, [...(groups.get(key) ?? []), { mutant, theirs, ours }]);
      }
      if (any) different++;
    }
  }
}

function describe({ mutant, theirs, ours }) {
  const { source, seed, kind, text } = mutant;
  const before = source.program.split('\n');
  const changed = text.split('\n').findIndex((line, i) => line !== before[i]);
  const show = (who, messages) =>
    messages
      .filter((each) => options.warnings || isError(each))
      .slice(0, 4)
      .map(({ line, text: words, flag }) => `\n    ${who} ${line}: ${words}${flag ? ` [${flag}]` : ''}`)
      .join('');
  const line = `${changed + 1}: ${text.split('\n')[changed]?.trim()}`;
  return `  ${source.name} ${source.flags.join(' ')} seed ${seed}, ${kind}\n    ${line}${show('clang', theirs)}${show('ours ', ours)}`;
}

const counts = {};
for (const [key, list] of [...groups].sort((a, b) => b[1].length - a[1].length)) {
  const kind = key.slice(0, key.indexOf(':'));
  counts[kind] = (counts[kind] ?? 0) + list.length;
  console.log(`${String(list.length).padStart(5)} ${key}`);
  for (const example of list.slice(0, Number(options.examples))) console.log(describe(example));
}
console.log(
  `${options.mutants} mutants of ${sources.length} programs: ${refusedByBoth} refused by both, ${skipped} skipped, ${different} different`,
);
for (const [kind, count] of Object.entries(counts)) console.log(`${String(count).padStart(7)} ${kind}`);
if (options.json)
  writeFileSync(options.json, JSON.stringify({ mutants: Number(options.mutants), different, counts }));
process.exitCode = different > 0 ? 1 : 0;
