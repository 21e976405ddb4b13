// SPDX-License-Identifier: MIT
//
// The environment of this process. No other file reads a variable of it; some hand all of it to a child process.
import { homedir } from 'node:os';
import { readSettings, type Settings } from '../../base/settings';

/** A variable of the system or of other programs. anycl's own variables are settings. */
export const environment = (name: string): string | undefined => process.env[name];

/** For drivers that the process loads later. In a worker thread, it changes that thread's copy, which drivers do not see. */
export function setEnvironment(name: string, value: string): void {
  process.env[name] = value;
}

/** For the rest of this process and for its children. */
export function clearEnvironment(name: string): void {
  delete process.env[name];
}

/** Undefined if the user has none: a container's user need not be in /etc/passwd, and a runtime may forbid the question. */
export function homeFolder(): string | undefined {
  try {
    return homedir() || undefined;
  } catch {
    return undefined;
  }
}

/** No file belongs to this user. */
const NOBODY = -1;

/** Undefined on Windows, which has no such numbers; a runtime may forbid the question. */
export function userId(): number | undefined {
  try {
    return process.getuid?.();
  } catch {
    return NOBODY;
  }
}

/** @param refuse throws the error of a variable with a wrong value */
export const processSettings = (refuse?: (problem: string) => never): Settings =>
  readSettings(environment, refuse);
