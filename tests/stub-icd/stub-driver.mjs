// SPDX-License-Identifier: MIT
//
// The stub driver as programs see it that have calls of it fail.
import { platforms } from '../../dist/index.mjs';

const [stub, software] = ['anycl stub', 'anycl'].map((name) =>
  platforms().find((each) => each.name === name),
);

export { software };
/** The stub's device, which is to be lost. */
export const [lost] = stub.devices;

/** What the stub reports of itself, in its vendor's name. */
export const vendor = (pattern) => pattern.exec(stub.info('VENDOR'))[1];

export const must = (condition, what) => {
  if (!condition) throw new Error(what);
};

const control = lost.createContext();
/** Tells the stub what to do. Its program may be the call that fails, but has arrived by then. */
export function direct(text) {
  try {
    control.createProgram(`stub: ${text}`).release();
  } catch {
    // As the stub was told.
  }
}
