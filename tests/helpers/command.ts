// SPDX-License-Identifier: MIT
//
// Programs of this repository, and the anycl command, run as a user would run them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const root = join(__dirname, '../..');

export interface Outcome {
  readonly status: number | null;
  /** Of a process that a signal ended, which has no status. */
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program of this repository as a user would, by default from the repository's folder; with `bare` the script is
 * an option of Node.js, such as -e.
 */
export function node(
  script: string,
  args: readonly string[],
  options: {
    cwd?: string;
    env?: Record<string, string>;
    input?: string;
    timeoutMs?: number;
    bare?: boolean;
  } = {},
): Outcome {
  const { status, signal, stdout, stderr } = spawnSync(
    process.execPath,
    [options.bare ? script : join(root, script), ...args],
    {
      cwd: options.cwd ?? root,
      env: { ...process.env, NO_COLOR: '1', ...options.env },
      encoding: 'utf8',
      timeout: options.timeoutMs ?? 120_000,
      ...(options.input === undefined ? {} : { input: options.input }),
    },
  );
  return { status, signal, stdout, stderr };
}

/** The `anycl` command on the software device, whatever devices the machine has. */
export const anycl = (...args: readonly string[]): Outcome =>
  node('dist/cli.cjs', args, { env: { ANYCL_DEVICE: 'software' } });

const temporaryFolders: string[] = [];

/** A folder that is removed when the tests of the file have run. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'anycl-test-'));
  temporaryFolders.push(folder);
  return folder;
}

afterAll(() => {
  for (const folder of temporaryFolders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** A writer of files in a folder, which returns their paths. */
export const writerIn =
  (folder: string) =>
  (name: string, content: string | Uint8Array): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };

export const SAXPY =
  'kernel void saxpy(float a, global const float *x, global float *y) { size_t i = get_global_id(0); y[i] = a * x[i] + y[i]; }';
