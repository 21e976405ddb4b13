// SPDX-License-Identifier: MIT
//
// SPIR-V made by clang and llvm-spirv, as the software device may be given: for tests of what takes SPIR-V.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CLANG = 'clang-15';
const TRANSLATOR = 'llvm-spirv-15';

export function hasForeignCompiler(): boolean {
  try {
    execFileSync(CLANG, ['--version'], { stdio: 'ignore' });
    execFileSync(TRANSLATOR, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export interface ForeignOptions {
  readonly target?: 'spir' | 'spir64';
  readonly level?: 0 | 1 | 2;
  readonly flags?: readonly string[];
  /** Extensions that the translator may use. */
  readonly extensions?: readonly string[];
}

export function foreignSpirv(source: string, options: ForeignOptions = {}): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'anycl-'));
  try {
    const [cl, bc, spv] = ['a.cl', 'a.bc', 'a.spv'].map((name) => join(folder, name));
    writeFileSync(cl!, source);
    const flags = [
      '-w',
      '-c',
      '-x',
      'cl',
      '-cl-std=CL2.0',
      '-Xclang',
      '-finclude-default-header',
      '-emit-llvm',
    ];
    const target = ['-target', options.target ?? 'spir', `-O${options.level ?? 0}`];
    execFileSync(CLANG, [...flags, ...target, ...(options.flags ?? []), '-o', bc!, cl!], { stdio: 'pipe' });
    const extensions = (options.extensions ?? []).map((name) => `--spirv-ext=+${name}`);
    execFileSync(TRANSLATOR, [bc!, ...extensions, '-o', spv!], { stdio: 'pipe' });
    return readFileSync(spv!);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
