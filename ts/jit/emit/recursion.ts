// SPDX-License-Identifier: MIT
//
// Recursion without the engine's stack, for code that recurses as deeply as the source nests: a chain of a thousand `else if`
// is a thousand levels deep. A function of this kind yields its recursive calls instead of making them.
import type { Steps } from '../../base/steps';

export interface Recursion extends Generator<Recursion, void, void> {}

/** Runs a call, and each call that it yields at once. Each is a step. */
export function* recursionSteps(call: Recursion): Steps<void> {
  const open = [call];
  for (let innermost = open.at(-1); innermost; innermost = open.at(-1)) {
    const { value, done } = innermost.next();
    if (done) open.pop();
    else open.push(value);
    yield;
  }
}
