// SPDX-License-Identifier: MIT
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where this user's compiled programs are kept; undefined where nothing shall be kept (ANYCL_CACHE=0). */
export function cacheFolder(env: (name: string) => string | undefined): string | undefined {
  if (env('ANYCL_CACHE') === '0') return undefined;
  const own = env('ANYCL_CACHE_DIR');
  if (own) return own;
  const xdg = env('XDG_CACHE_HOME');
  if (xdg) return join(xdg, 'anycl');
  if (process.platform === 'win32') {
    const local = env('LOCALAPPDATA');
    return local ? join(local, 'anycl', 'cache') : undefined;
  }
  const home = homedir();
  if (!home) return undefined;
  return process.platform === 'darwin'
    ? join(home, 'Library', 'Caches', 'anycl')
    : join(home, '.cache', 'anycl');
}
