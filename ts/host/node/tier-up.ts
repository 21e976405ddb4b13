// SPDX-License-Identifier: MIT
//
// The compiler's code is megamorphic and spread over hundreds of functions. V8 finds many of them hot during the first
// compilation of a large kernel, and spends twice as much on optimizing them as the kernel takes. A larger budget before a
// function is optimized leaves the hottest ones: docs/performance/compiler.md.
import { setFlagsFromString } from 'node:v8';
import { isMainThread } from 'node:worker_threads';
import { environment } from './environment';

/** By major version, where measurements found a better factor than the usual one. */
const LARGER: Readonly<Record<string, number>> = { 20: 24 };
const USUALLY_LARGER = 6;

/**
 * By major version of Node.js, the flag with V8's budget for its first optimizing compiler, and its default. Untested versions
 * have none. Node.js 24 and 26 cannot reset `invocation-count-for-turbofan` completely.
 */
const BUDGETS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  20: { 'interrupt-budget': 67_584 },
  22: { 'invocation-count-for-turbofan': 3000 },
  24: { 'invocation-count-for-maglev': 400 },
  26: { 'invocation-count-for-maglev': 400 },
};

const [MAJOR] = process.versions.node.split('.');
const CHOSEN_BY_USER = /interrupt.budget|invocation.count/.test(
  [...process.execArgv, environment('NODE_OPTIONS') ?? ''].join(' '),
);
const FLAGS = CHOSEN_BY_USER ? [] : Object.entries(BUDGETS[MAJOR!] ?? {});
const flagsTimes = (factor: number): string =>
  FLAGS.map(([flag, usual]) => `--${flag}=${usual * factor}`).join(' ');
const DELAYED = flagsTimes(LARGER[MAJOR!] ?? USUALLY_LARGER);
const USUAL = flagsTimes(1);

/** The number of running compilations. */
let running = 0;

/**
 * Makes V8 optimize functions later, until the returned function is called. The budgets belong to the process: only its main
 * thread changes them. Other code that runs meanwhile is optimized some milliseconds later.
 */
export function delayTierUp(): () => void {
  if (!isMainThread || FLAGS.length === 0) return () => {};
  if (running++ === 0) setFlagsFromString(DELAYED);
  let ended = false;
  return () => {
    if (ended) return;
    ended = true;
    if (--running === 0) setFlagsFromString(USUAL);
  };
}
