// SPDX-License-Identifier: MIT
import { join } from 'node:path';
import type { Settings } from '../../base/settings';
import { environment, homeFolder } from './environment';

/** The folder of this user's caches; undefined if caching is disabled (ANYCL_CACHE=0). */
export function cacheFolder({
  cache,
  cacheFolder: own,
}: Pick<Settings, 'cache' | 'cacheFolder'>): string | undefined {
  if (cache === '0') return undefined;
  if (own) return own;
  const xdg = environment('XDG_CACHE_HOME');
  if (xdg) return join(xdg, 'anycl');
  if (process.platform === 'win32') {
    const local = environment('LOCALAPPDATA');
    return local ? join(local, 'anycl', 'cache') : undefined;
  }
  const home = homeFolder();
  if (!home) return undefined;
  return process.platform === 'darwin'
    ? join(home, 'Library', 'Caches', 'anycl')
    : join(home, '.cache', 'anycl');
}
