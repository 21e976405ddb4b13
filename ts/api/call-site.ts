// SPDX-License-Identifier: MIT
//
// Where a command was enqueued, for the error that its event may end in. To walk the stack takes several times as long
// as to enqueue, so it is not done for every command of a script that enqueues thousands at a stretch: in one run of
// JavaScript (until it returns to the event loop or awaits) the first commands each get a stack of their own, after
// them the 32nd, 64th, 128th and so on. Those between refer to the last one before them.
import { debugs } from '../backend/registry';

/** How many commands of one run of JavaScript get a stack each before only every power of two does. */
const each = 16;

export interface CallSite {
  /** Stack of the call, first line and all; V8 makes the text when somebody reads it. */
  stack?: string;
  /** The last call before this one that has a stack of its own. */
  earlier?: CallSite;
}

let calls = 0;
let last: CallSite = {};
let always: boolean | undefined;
/** Stands for the calls between those with a stack of their own; undefined as long as `last` has none. */
let later: CallSite | undefined;
const settled = Promise.resolve();
const startAnew = (): void => {
  calls = 0;
};

/** The place that calls `below`; `below` and what it calls are left out of the stack. */
export function callSite(below: (...args: never[]) => unknown): CallSite {
  const n = calls++;
  if (later !== undefined && n >= each && (n & (n - 1)) !== 0) return later;
  return captured(n, below);
}

/** Apart from `callSite`, which V8 then takes into its callers. */
function captured(n: number, below: (...args: never[]) => unknown): CallSite {
  if (n === 0) settled.then(startAnew);
  last = {};
  Error.captureStackTrace?.(last, below);
  always ??= debugs('stacks');
  later = always ? undefined : { earlier: last };
  return last;
}

/** Lines of the stack below its first; undefined where the engine captures none. */
export function framesOf(site: CallSite): string | undefined {
  const { earlier } = site;
  const frames = (earlier ?? site).stack?.split('\n').slice(1).join('\n');
  if (!frames || !earlier) return frames || undefined;
  return `    (enqueued some calls after this one; ANYCL_DEBUG=stacks keeps the stack of each)\n${frames}`;
}
