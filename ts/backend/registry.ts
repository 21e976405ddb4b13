// SPDX-License-Identifier: MIT
//
// Which kinds of device there are. The native backend is loaded when somebody asks for all devices, and its absence is
// no error; the software backend is always there. The API reaches devices through this file alone.
import type { Host } from '../base/host';
import { NodeHost } from '../host/node/node-host';
import type { Backend } from './backend';
import { createNativeBackend } from './native';
import { NullBackend } from './null/null-backend';
import { SoftwareBackend } from './software';
import { defaultToolchain } from './software/default-toolchain';

/** How each backend is made; in the order in which their platforms are listed. */
const MAKERS: readonly { readonly kind: Backend['kind']; readonly make: (host: Host) => Backend }[] = [
  { kind: 'native', make: (host) => createNativeBackend(host.env('ANYCL_OPENCL_LIBRARY')) },
  { kind: 'software', make: (host) => new SoftwareBackend(host, defaultToolchain) },
  // For tests, and only when asked for by name.
  { kind: 'null', make: () => new NullBackend() },
];

const made = new Map<Backend['kind'], Backend>();
let host: Host | undefined;

function theHost(): Host {
  host ??= new NodeHost();
  return host;
}

function backend(kind: Backend['kind'], make: (host: Host) => Backend): Backend {
  const known = made.get(kind);
  if (known) return known;
  const fresh = make(theHost());
  made.set(kind, fresh);
  return fresh;
}

/** All backends, the native one first; with `kind` only that one, without loading the others. */
export function backends(kind?: Backend['kind']): readonly Backend[] {
  const wanted = kind ?? (deviceFromEnvironment() === 'null' ? 'null' : undefined);
  return MAKERS.filter((maker) => (wanted ? maker.kind === wanted : maker.kind !== 'null')).map((maker) =>
    backend(maker.kind, maker.make),
  );
}

/** What ANYCL_DEVICE says, undefined or empty if it says nothing. */
export function deviceFromEnvironment(): string | undefined {
  return theHost().env('ANYCL_DEVICE');
}

/** For device memory that scripts have forgotten. */
export function garbageCollection(): { collect(): number; nextTurn(): Promise<void> } {
  const host = theHost();
  return { collect: () => host.collectGarbage(), nextTurn: () => host.nextTurn() };
}

/** What ANYCL_BUILD_OPTIONS adds to the options of each build; empty if it says nothing. */
export function buildOptionsFromEnvironment(): string {
  return theHost().env('ANYCL_BUILD_OPTIONS') ?? '';
}

/** Whether ANYCL_DEBUG names `what`, in its list of names between commas. */
export function debugs(what: string): boolean {
  return theHost().env('ANYCL_DEBUG')?.split(',').includes(what) ?? false;
}
