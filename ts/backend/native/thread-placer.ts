// SPDX-License-Identifier: MIT
//
// What the addon does for threads that are not its own: the host's methods of the same names. Without an addon they do nothing.
import { type Addon, openAddon } from './addon';

let opened: Addon | undefined | null;

function addon(): Addon | null {
  if (opened === undefined)
    try {
      opened = openAddon();
    } catch {
      opened = null;
    }
  return opened;
}

export const placeThread = (thread: number, part: number, parts: number): boolean =>
  addon()?.placeThread(thread, part, parts) === 1;

export const currentPart = (parts: number): number => addon()?.currentPart(parts) ?? -1;
