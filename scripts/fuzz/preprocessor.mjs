// SPDX-License-Identifier: MIT
//
// node scripts/fuzz/preprocessor.mjs FIRST COUNT [--seconds=N] [--clang=clang-15] [--print]: preprocesses COUNT random sources
// (tests/fuzz/random-macros.ts), beginning with the seed FIRST, and compares the tokens with those of clang. `--print` prints
// the sources that differ. The exit status is 1 if tokens differ, or only one of both finds errors.
import { spawnSync } from 'node:child_process';
import { load } from './bundle.mjs';
import { readSeeds, runSeeds } from './seeds.mjs';

const seeds = readSeeds('preprocessor.mjs', '[--clang=COMMAND] [--print]', {
  clang: { type: 'string', default: 'clang-15' },
  print: { type: 'boolean' },
});
const { randomMacros, preprocessOnly } = await load(['tests/fuzz/random-macros', 'ts/compiler/compile']);
// As C99: for OpenCL C clang computes conditions in 128 bits, as wide as its `long long` there.
// Trigraphs, which C23 took back, are not replaced.
const FLAGS = [
  '-cc1',
  '-E',
  '-P',
  '-x',
  'c',
  '-std=c99',
  '-fno-trigraphs',
  '-Dtrue=1',
  '-fno-caret-diagnostics',
  '-',
];
const DIGRAPHS = { '<:': '[', ':>': ']', '<%': '{', '%>': '}', '%:': '#', '%:%:': '##' };
const TOKEN =
  /L?"(?:\\.|[^"\\\n])*"?|L?'(?:\\.|[^'\\\n])*'?|\.?\d(?:[pP][+-]|(?<!0[xX][\da-fA-F]*)[eE][+-]|[\w.])*|[A-Za-z_$][\w$]*|%:%:|\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|[<>=!]=|&&|\|\||[-*/%+&^|]=|##|<:|:>|<%|%>|%:|\S/g;

/** The tokens of preprocessed text, without its line markers. */
const tokensOf = (text) =>
  (text.replace(/^#line .*$/gm, '').match(TOKEN) ?? []).map((token) => DIGRAPHS[token] ?? token);

/** What differs, or undefined. */
function difference(source) {
  const ours = preprocessOnly({ name: 'a.cl', text: source, options: '-cl-std=CL3.0' });
  const clang = spawnSync(seeds.values.clang, FLAGS, { input: source, encoding: 'utf8' });
  if (clang.error) throw clang.error;
  // clang's preprocessor only warns of what its parser refuses.
  if (/missing terminating/.test(clang.stderr)) return undefined;
  const refused = clang.status !== 0;
  if (refused !== (ours.text === undefined))
    return refused ? `only clang refuses it:\n${clang.stderr}` : `clang accepts it:\n${ours.log}`;
  if (refused) return undefined;
  accepted++;
  const [mine, theirs] = [ours.text, clang.stdout].map(tokensOf);
  const at = theirs.concat('end').findIndex((token, index) => token !== (mine[index] ?? 'end'));
  const around = (tokens) => tokens.slice(Math.max(0, at - 5), at + 6).join(' ');
  if (at < 0) return undefined;
  return `token ${at}:\n  ${around(mine)}\n  ${around(theirs)} (clang)`;
}

let accepted = 0;
const faults = await runSeeds(
  seeds,
  'sources',
  (seed) => {
    const source = randomMacros(seed);
    const found = difference(source);
    return found && `: ${found}${seeds.values.print ? `\n${source}--------` : ''}`;
  },
  () => `, ${accepted} without errors`,
);
process.exit(faults > 0 ? 1 : 0);
