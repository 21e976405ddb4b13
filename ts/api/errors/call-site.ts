// SPDX-License-Identifier: MIT
//
// Where a command was enqueued, for the error that its event may end in. To walk the stack takes several times as long
// as to enqueue, so it is not done for every command. Of the runs of one kernel the first ones each get a stack of their
// own, after them the 8th, 16th, 32nd and so on: they nearly always come from the same line. Of other commands it is
// counted in one run of JavaScript (until it returns to the event loop or awaits): the first ones, then the 32nd, 64th,
// 128th and so on. Those between refer to the last one before them.
import { debugs } from '../runtime';

export interface CallSite {
  /** The stack of the call, including its first line; V8 makes the text when it is first read. */
  stack?: string;
  /** The last call before this one that has a stack. */
  earlier?: CallSite;
}

/** A group of calls that are counted together. */
export interface Calls {
  count: number;
  /** Represents the calls since the last one with a stack. */
  later: CallSite | undefined;
  /** How many calls get a stack each; after them only those whose number is a power of two. */
  readonly each: number;
}

export function countCalls(each = 4): Calls {
  return { count: 0, later: undefined, each };
}

const ofOneRun = countCalls(16);
let always: boolean | undefined;
const settled = Promise.resolve();
const startAnew = (): void => {
  ofOneRun.count = 0;
};

/** The place that calls `below`; the stack omits `below` and its callees. */
export function callSite(below: (...args: never[]) => unknown, calls: Calls = ofOneRun): CallSite {
  const n = ++calls.count;
  const { later } = calls;
  if (later !== undefined && n > calls.each && (n & (n - 1)) !== 0) return later;
  return captured(below, calls);
}

/** Separate from `callSite`, so that V8 inlines `callSite`. */
function captured(below: (...args: never[]) => unknown, calls: Calls): CallSite {
  if (calls === ofOneRun && calls.count === 1) settled.then(startAnew);
  const site: CallSite = {};
  Error.captureStackTrace?.(site, below);
  always ??= debugs('stacks');
  calls.later = always ? undefined : { earlier: site };
  return site;
}

/** The lines of the stack after the first one; undefined if the engine captures none. */
export function framesOf(site: CallSite): string | undefined {
  const { earlier } = site;
  const frames = (earlier ?? site).stack?.split('\n').slice(1).join('\n');
  if (!frames || !earlier) return frames || undefined;
  return `    (enqueued some calls after this one; ANYCL_DEBUG=stacks keeps the stack of each)\n${frames}`;
}
