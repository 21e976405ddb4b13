// SPDX-License-Identifier: MIT
//
// Random bytes that this user's processes on this machine share, in a file beside the user's other state. It is not in the
// cache's folder: a cache that was copied from elsewhere brings no secret with it.
import { linkSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { homeFolder, userId } from './environment';
import { makeFolders, makePrivate } from './private-folder';
import { readRegularFile } from './regular-file';

const BYTES = 16;
const OF_OTHERS = 0o077;

/** The secret, created if missing; undefined if it cannot be stored. */
export function userSecret(env: (name: string) => string | undefined): Uint8Array | undefined {
  const folder = stateFolder(env);
  if (folder === undefined) return undefined;
  const file = join(folder, 'cache-secret');
  return readSecret(file) ?? (makeSecret(file) ? readSecret(file) : undefined);
}

function stateFolder(env: (name: string) => string | undefined): string | undefined {
  const xdg = env('XDG_STATE_HOME');
  if (xdg) return join(xdg, 'anycl');
  if (process.platform === 'win32') {
    const local = env('LOCALAPPDATA');
    return local ? join(local, 'anycl') : undefined;
  }
  const home = homeFolder();
  if (!home) return undefined;
  return process.platform === 'darwin'
    ? join(home, 'Library', 'Application Support', 'anycl')
    : join(home, '.local', 'state', 'anycl');
}

function readSecret(file: string): Uint8Array | undefined {
  const user = userId();
  const accept = ({ uid, mode }: { readonly uid: number; readonly mode: number }) =>
    user === undefined || (uid === user && (mode & OF_OTHERS) === 0);
  try {
    const bytes = readRegularFile(file, { limitBytes: BYTES, noLinks: true, accept });
    return bytes?.length === BYTES ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether the secret exists now. Only one of several processes creates it; an existing file is kept. */
function makeSecret(file: string): boolean {
  const temporary = `${file}.${process.pid}`;
  try {
    makeFolders(dirname(dirname(file)));
    if (makePrivate(dirname(file)) !== undefined) return false;
    writeFileSync(temporary, crypto.getRandomValues(new Uint8Array(BYTES)), { flag: 'wx', mode: 0o600 });
  } catch {
    return false;
  }
  try {
    linkSync(temporary, file);
  } catch {
    // Another process was faster, or something other than a file has the name.
  }
  unlinkSync(temporary);
  return true;
}
