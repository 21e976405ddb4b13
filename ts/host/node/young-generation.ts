// SPDX-License-Identifier: MIT
//
// V8 starts with a young generation of 1 MB and doubles it as more objects survive. Until then each collection costs a
// millisecond, and lowers the size of the heap from which V8 marks all of it: with a few arrays of a program counted in, that
// comes in the middle of the first build, which it delays by 10 to 20 ms on two cores.
import { setFlagsFromString } from 'node:v8';
import { isMainThread } from 'node:worker_threads';
import { environment } from './environment';
import { LAST_TESTED_MAJOR, NODE_MAJOR } from './node-version';

/** From V8's initial 1 MB to its limit of 16 MB. */
const GROWTH = 16;
const USUAL_GROWTH = 2;

/**
 * Runs `make`, which allocates much, with a young generation that V8 enlarges to its limit at once. Meanwhile V8 rejects cached
 * code, because its flags differ.
 */
export function withLargeYoungGeneration<T>(make: () => T): T {
  const chosen = [...process.execArgv, environment('NODE_OPTIONS') ?? ''].join(' ');
  if (!isMainThread || /semi.space/.test(chosen) || NODE_MAJOR > LAST_TESTED_MAJOR) {
    return make();
  }
  setFlagsFromString(`--semi-space-growth-factor=${GROWTH}`);
  try {
    return make();
  } finally {
    setFlagsFromString(`--semi-space-growth-factor=${USUAL_GROWTH}`);
  }
}
