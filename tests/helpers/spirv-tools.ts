// SPDX-License-Identifier: MIT
//
// The SPIR-V tools of Debian as oracles. A test that needs one is skipped, visibly, where it is missing.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testNeeding } from './needs';

export function hasTool(name: string): boolean {
  return spawnSync(name, ['--version']).status === 0;
}

/** `test` if the tool is installed, otherwise `test.skip`. */
export function testWith(tool: string): jest.It {
  return testNeeding(tool, hasTool(tool));
}

function withFile<T>(bytes: Uint8Array, ending: string, use: (path: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'anycl-'));
  try {
    const path = join(folder, `module${ending}`);
    writeFileSync(path, bytes);
    return use(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The errors that spirv-val reports for a module; empty if it is valid. */
export function spirvVal(bytes: Uint8Array, environment = 'spv1.6'): string {
  return withFile(bytes, '.spv', (path) => {
    const done = spawnSync('spirv-val', ['--target-env', environment, path], { encoding: 'utf8' });
    return done.status === 0 ? '' : done.stdout + done.stderr || `exit status ${done.status}`;
  });
}

export function spirvDis(bytes: Uint8Array, ...options: string[]): string {
  return withFile(bytes, '.spv', (path) => {
    const done = spawnSync('spirv-dis', ['--no-color', ...options, path], { encoding: 'utf8' });
    if (done.status !== 0) throw new Error(done.stderr);
    return done.stdout;
  });
}

export function spirvAs(text: string, environment = 'spv1.0'): Uint8Array {
  const done = spawnSync(
    'spirv-as',
    ['--target-env', environment, '--preserve-numeric-ids', '-o', '-', '-'],
    { input: text },
  );
  if (done.status !== 0) throw new Error(done.stderr.toString());
  return new Uint8Array(done.stdout);
}

/** The errors that llvm-spirv -r reports for a module; empty if it accepts it. */
export function llvmSpirv(bytes: Uint8Array): string {
  return withFile(bytes, '.spv', (path) => {
    const done = spawnSync('llvm-spirv-15', ['-r', '--spirv-target-env=CL2.0', '-o', '/dev/null', path], {
      encoding: 'utf8',
    });
    return done.status === 0 ? '' : done.stdout + done.stderr || `exit status ${done.status}`;
  });
}
