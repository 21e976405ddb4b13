// SPDX-License-Identifier: MIT
//
// node scripts/fuzz/preprocessor.mjs FIRST COUNT [--seconds=N] [--clang=clang-15] [--print]: preprocesses COUNT random sources
// (tests/fuzz/random-macros.ts), beginning with the seed FIRST, and compares the tokens with those of clang. `--print` prints
// the sources that differ. Headers are files for clang; here they are files or given by name. The exit status is 1 if tokens
// differ, or only one of both finds errors.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { load } from './bundle.mjs';
import { readSeeds, runSeeds } from './seeds.mjs';

const seeds = readSeeds('preprocessor.mjs', '[--clang=COMMAND] [--print]', {
  clang: { type: 'string', default: 'clang-15' },
  print: { type: 'boolean' },
});
const { randomMacros, preprocessOnly } = await load(['tests/fuzz/random-macros', 'ts/compiler/compile']);
// As C99: for OpenCL C clang computes conditions in 128 bits, as wide as its `long long` there.
const FLAGS = ['-cc1', '-E', '-P', '-x', 'c', '-std=c99', '-Dtrue=1', '-fno-caret-diagnostics'];
const DIGRAPHS = { '<:': '[', ':>': ']', '<%': '{', '%>': '}', '%:': '#', '%:%:': '##' };
const TOKEN =
  /L?"(?:\\.|[^"\\\n])*"?|L?'(?:\\.|[^'\\\n])*'?|\.?\d(?:[pP][+-]|(?<!0[xX][\da-fA-F]*)[eE][+-]|[\w.])*|[A-Za-z_$][\w$]*|%:%:|\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|[<>=!]=|&&|\|\||[-*/%+&^|]=|##|<:|:>|<%|%>|%:|\S/g;

/** The tokens of preprocessed text, without its line markers. */
const tokensOf = (text) =>
  (text.replace(/^#line .*$/gm, '').match(TOKEN) ?? []).map((token) => DIGRAPHS[token] ?? token);

/** A name as clang writes it: for a file beside the one that includes it, with `./` in front. */
const plain = (token) => token.replace(/^"(?:\.\/)+/, '"');

/** Files in `folder`, for clang; the source is `a.cl`. */
function store(folder, { text, headers, folder: below }) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(join(folder, 'a.cl'), text);
  for (const [path, contents] of headers) {
    const file = join(folder, below, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, contents);
  }
}

/** The sources' headers by name, or as files of the folder. */
function headersOf({ headers, folder }, areFiles) {
  if (!areFiles) return { headers };
  const encoder = new TextEncoder();
  return {
    readFile: (path) => {
      const text = path.startsWith(`${folder}/`) ? headers.get(path.slice(folder.length + 1)) : undefined;
      return text === undefined ? undefined : encoder.encode(text);
    },
  };
}

/** What differs, or undefined. */
function difference(source, areFiles) {
  const ours = preprocessOnly({
    name: 'a.cl',
    text: source.text,
    options: `-cl-std=CL3.0 -I ${source.folder}`,
    ...headersOf(source, areFiles),
  });
  store(work, source);
  const clang = spawnSync(seeds.values.clang, [...FLAGS, '-I', source.folder, 'a.cl'], {
    cwd: work,
    encoding: 'utf8',
  });
  if (clang.error) throw clang.error;
  // clang's preprocessor only warns of what its parser refuses.
  if (/missing terminating/.test(clang.stderr)) return undefined;
  const refused = clang.status !== 0;
  if (refused !== (ours.text === undefined))
    return refused ? `only clang refuses it:\n${clang.stderr}` : `clang accepts it:\n${ours.log}`;
  if (refused) return undefined;
  accepted++;
  // Headers by name have no folder.
  const file = (token) => (areFiles ? plain(token) : plain(token).replace(`"${source.folder}/`, '"'));
  const [mine, theirs] = [ours.text, clang.stdout].map((text) => tokensOf(text).map(file));
  const at = theirs.concat('end').findIndex((token, index) => token !== (mine[index] ?? 'end'));
  const around = (tokens) => tokens.slice(Math.max(0, at - 5), at + 6).join(' ');
  if (at < 0) return undefined;
  return `token ${at}:\n  ${around(mine)}\n  ${around(theirs)} (clang)`;
}

let accepted = 0;
const folder = mkdtempSync(join(tmpdir(), 'anycl-preprocessor-'));
const work = join(folder, 'work');
const faults = await runSeeds(
  seeds,
  'sources',
  (seed) => {
    const source = randomMacros(seed);
    const found = difference(source, seed % 2 === 0);
    const shown = [['a.cl', source.text], ...source.headers].map(([name, text]) => `--- ${name}\n${text}`);
    return found && `: ${found}${seeds.values.print ? `\n${shown.join('')}--------` : ''}`;
  },
  () => `, ${accepted} without errors`,
);
rmSync(folder, { recursive: true, force: true });
process.exit(faults > 0 ? 1 : 0);
