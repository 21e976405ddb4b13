// SPDX-License-Identifier: MIT
import type { Registry } from '../backend/registry';
import { guardAll } from './checks/signatures';
import { nameClasses } from './info/class-names';
import { inspectWell } from './info/inspect';
import { useRegistry } from './runtime';

/**
 * Makes the API ready: hands it the host and the devices, and puts the checks in front of its methods. The package's entry
 * calls it once.
 * @param registry is called when the first device is looked for
 */
export function prepareApi(registry: () => Registry): void {
  useRegistry(registry);
  nameClasses();
  guardAll();
  inspectWell();
}
