// SPDX-License-Identifier: MIT
//
// What the arguments of each public method must be: the tables that `guard` wraps methods with. A method without a signature
// takes no arguments. `anything` stands where only the method can check, such as the value of a kernel argument. Methods with
// `selfChecked` are not wrapped, because scripts call them millions of times: they check by the table's rules themselves.
import type { ClassName } from '../classes';
import type { Signatures } from '../signature';
import { commands } from './commands';
import { contexts } from './contexts';
import { memory } from './memory';
import { programs } from './programs';

/** The signatures of the methods that a class declares, by the class's name. */
export const SIGNATURES: Readonly<Record<ClassName, Signatures>> = {
  ...contexts,
  ...memory,
  ...programs,
  ...commands,
};
