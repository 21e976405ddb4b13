// SPDX-License-Identifier: MIT
//
// What the arguments of each public method must be: the tables that `guard` puts in front of the methods. A method that
// is in none takes no arguments, or is not for scripts. `anything` stands where the method knows better (what a kernel's
// argument takes); those with `itself`, which scripts call by the million, have nothing in front of them and hold to the
// table by themselves.
import { guard, type SignatureTable } from '../guard';
import { commands } from './commands';
import { contexts } from './contexts';
import { memory } from './memory';
import { programs } from './programs';

/** Methods that are public for the rest of the API alone; TypeScript keeps them from scripts. */
export const INTERNAL: ReadonlySet<string> = new Set([
  'handleFor',
  'argumentFor',
  'enqueueRun',
  'checkBuiltFor',
  'checkArgumentsSet',
]);

/** A class, and the signatures of the methods that it has itself. */
export const SIGNATURES: SignatureTable = [...contexts, ...memory, ...programs, ...commands];

/** Called once, before a script has any object. */
export function guardAll(): void {
  for (const [type, signatures] of SIGNATURES) guard(type, signatures, INTERNAL);
}
