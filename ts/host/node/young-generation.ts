// SPDX-License-Identifier: MIT
//
// V8 begins with a young generation of 1 MB and doubles it as more survives. Each collection until then costs a millisecond, and
// lowers the size of the heap from which V8 marks all of it: with a few arrays of a program counted in, that comes in the
// middle of the first build, and costs that 10 to 20 ms on two cores.
import { setFlagsFromString } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

/** A version that nobody has tried this on is left alone. */
const LAST_TRIED = 26;
/** From the 1 MB that V8 begins with to the 16 that it allows. */
const GROWTH = 16;
const USUAL_GROWTH = 2;

/**
 * Runs what makes enough objects for V8 to enlarge its young generation, and lets that become as large as it may at once. While
 * it runs V8 takes no stored code, as its flags differ.
 */
export function withLargeYoungGeneration<T>(make: () => T): T {
  const chosen = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].join(' ');
  if (!isMainThread || /semi.space/.test(chosen) || Number.parseInt(process.versions.node, 10) > LAST_TRIED) {
    return make();
  }
  setFlagsFromString(`--semi-space-growth-factor=${GROWTH}`);
  try {
    return make();
  } finally {
    setFlagsFromString(`--semi-space-growth-factor=${USUAL_GROWTH}`);
  }
}
