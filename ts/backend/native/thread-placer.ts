// SPDX-License-Identifier: MIT
import { type Addon, openAddon } from './addon';

let addon: Addon | undefined | null;

/** `Host.placeThread` by the addon; false where there is none. */
export function placeThread(thread: number, part: number, parts: number): boolean {
  if (addon === undefined)
    try {
      addon = openAddon();
    } catch {
      addon = null;
    }
  return addon ? addon.placeThread(thread, part, parts) === 1 : false;
}
