// SPDX-License-Identifier: MIT
//
// What the package's entry hands to the API: the host and the kinds of device (ts/backend/registry.ts). It is one for all of the
// package, as `open` and `platforms` are functions, and made when first needed, as importing the package must cost little.
import type { Backend } from '../backend/backend';
import type { Registry } from '../backend/registry';
import type { Host } from '../base/host';
import { invariant } from '../base/invariant';
import type { DebugTopic, Settings } from '../base/settings';

let make: (() => Registry) | undefined;
let made: Registry | undefined;

/** The entry calls it once, before any other use of the API. */
export function useRegistry(maker: () => Registry): void {
  make = maker;
  made = undefined;
}

function registry(): Registry {
  invariant(make, 'an entry of the package (ts/index.ts, ts/browser.ts) has to be imported');
  made ??= make();
  return made;
}

export const host = (): Host => registry().host;
export const settings = (): Settings => registry().host.settings;
/** All backends, or the one of a kind (`Registry.backends`). */
export const backends = (kind?: Backend['kind']): readonly Backend[] => registry().backends(kind);
/** Whether ANYCL_DEBUG lists a topic. */
export const debugs = (topic: DebugTopic): boolean => settings().debug.has(topic);
