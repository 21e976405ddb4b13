// SPDX-License-Identifier: MIT
//
// The kinds of device that a program has, and the host below them. The package's entry makes it: ts/index.ts for Node.js,
// ts/browser.ts for browsers.
import type { Host } from '../base/host';
import type { Backend } from './backend';

/** How to create a kind of backend. */
export interface BackendMaker {
  readonly kind: Backend['kind'];
  make(host: Host): Backend;
}

export interface Registry {
  readonly host: Host;
  /**
   * All backends, in the order of their makers; with `kind` only that one, without loading the others. The null backend is for
   * tests: it is listed only if it is requested by name or by ANYCL_DEVICE.
   */
  backends(kind?: Backend['kind']): readonly Backend[];
}

/** A registry that creates each backend on first use. */
export function createRegistry(host: Host, makers: readonly BackendMaker[]): Registry {
  const made = new Map<Backend['kind'], Backend>();
  const backend = ({ kind, make }: BackendMaker): Backend => {
    const known = made.get(kind) ?? make(host);
    made.set(kind, known);
    return known;
  };
  return {
    host,
    backends(kind) {
      const wanted = kind ?? (host.settings.device === 'null' ? 'null' : undefined);
      return makers.filter((maker) => (wanted ? maker.kind === wanted : maker.kind !== 'null')).map(backend);
    },
  };
}
