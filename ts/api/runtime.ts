// SPDX-License-Identifier: MIT
//
// What the package's entry hands to the API: the host and the kinds of device (ts/backend/registry.ts). It is one for all of the
// package, as `open` and `platforms` are functions, and made when first needed, as importing the package must cost little.
import type { Backend } from '../backend/backend';
import type { Registry } from '../backend/registry';
import type { Host } from '../base/host';
import { invariant } from '../base/invariant';
import type { DebugTopic, Settings } from '../base/settings';

/** What is known only after the package was loaded, and before its first use. */
export interface RuntimeOptions {
  /** A file to record a trace in, whatever ANYCL_TRACE says. */
  readonly trace?: string | undefined;
  /** Also records a trace, and is given its events; `host().trace` hands over the last ones. */
  readonly onTrace?: ((events: readonly object[]) => void) | undefined;
}

type MakeRegistry = (options?: RuntimeOptions) => Registry;

let make: MakeRegistry | undefined;
let options: RuntimeOptions | undefined;
let made: Registry | undefined;

/** The entry calls it once, before any other use of the API. */
export function useRegistry(maker: MakeRegistry): void {
  make = maker;
  made = undefined;
}

/** Called before anything else of the API is used. */
export function useOptions(given: RuntimeOptions): void {
  invariant(!made, 'the options of the runtime come too late');
  options = given;
}

function registry(): Registry {
  invariant(make, 'an entry of the package (ts/index.ts, ts/browser.ts) has to be imported');
  made ??= make(options);
  return made;
}

export const host = (): Host => registry().host;
export const settings = (): Settings => registry().host.settings;
/** All backends, or the one of a kind (`Registry.backends`). */
export const backends = (kind?: Backend['kind']): readonly Backend[] => registry().backends(kind);
/** Whether ANYCL_DEBUG lists a topic. */
export const debugs = (topic: DebugTopic): boolean => settings().debug.has(topic);
