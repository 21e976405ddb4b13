// SPDX-License-Identifier: MIT
//
// What the fuzzers' command lines have in common: FIRST COUNT [--seconds=N] and options of their own.
import { parseArgs } from 'node:util';

/** The options of contexts, by `--mode`. */
export const MODES = { check: { check: 'all' }, robust: { robust: true } };

/**
 * The seeds, `count` from `first` on, and the options. `words`: the options as the usage has them; `options`: the same for parseArgs, and
 * those of child processes, of which the usage says nothing. A wrong command line ends the process.
 */
export function readSeeds(script, words, options) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { seconds: { type: 'string', default: 'Infinity' }, ...options },
  });
  const [first, count] = positionals.map(Number);
  // A child process is told its seeds in ways of its own.
  if (!(first >= 0 && count > 0) && !values.child) {
    console.error(`usage: node scripts/fuzz/${script} FIRST COUNT [--seconds=N] ${words}`);
    process.exit(2);
  }
  return { first, count, values };
}

/**
 * Runs each seed until the time is over; `run` returns what is to be printed behind the seed, undefined where there is no fault. Prints how
 * many of what were run, and `more()` about them. Returns the number of faults.
 */
export async function runSeeds({ first, count, values }, what, run, more = () => '') {
  const until = Date.now() + Number(values.seconds) * 1000;
  let faults = 0;
  let seed = first;
  for (; seed < first + count && Date.now() < until; seed++) {
    const found = await run(seed);
    if (found === undefined) continue;
    faults++;
    console.log(`seed ${seed}${found}`);
  }
  console.log(`${seed - first} ${what}, seeds ${first} to ${seed - 1}${more()}: ${faults} faults`);
  return faults;
}
