// SPDX-License-Identifier: MIT
import type { Registry } from '../backend/registry';
import { inspectWell } from './info/inspect';
import { type RuntimeOptions, useRegistry } from './runtime';

/**
 * Prepares the API: sets the registry of devices, and how console.log shows objects. The package's entry calls it once.
 * @param registry is called when the first device is looked for
 */
export function prepareApi(registry: (options?: RuntimeOptions) => Registry): void {
  useRegistry(registry);
  inspectWell();
}
