// SPDX-License-Identifier: MIT
//
// Recursion without the engine's stack, for code that recurses as deeply as the source nests: a chain of a thousand `else if`
// is a thousand levels deep. A function of this kind yields its recursive calls instead of making them.
import type { Steps } from '../../../base/steps';

/** A call that has begun, or undefined for one that needed no recursion and has ended. */
export type Call = Recursion | undefined;

export interface Recursion extends Generator<Call, void, void> {}

/** How many calls are one step: a pause goes through each of the generators around it, which takes longer than a short call. */
const CALLS = 4;

/** Runs a call, and each call that it yields at once, in steps of some calls. */
export function* recursionSteps(call: Recursion): Steps<void> {
  const open = [call];
  for (let calls = 1; open.length > 0; calls++) {
    const { value, done } = open[open.length - 1]!.next();
    if (done) open.pop();
    else if (value) open.push(value);
    if (calls % CALLS === 0) yield;
  }
}
