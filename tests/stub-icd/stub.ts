// SPDX-License-Identifier: MIT
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BackendContext, BackendPlatform } from '../../ts/backend/backend';
import { createNativeBackend } from '../../ts/backend/native';
import { PlatformInfo } from '../../ts/cl/constants.gen';
import { decodeInfo } from '../../ts/cl/info-values';
import { describeNeeding } from '../helpers/needs';

/**
 * Compiles a source of this folder into a library, unless that exists and is newer than all of them; undefined, with a
 * message, if there is no C++ compiler. ANYCL_STUB_FLAGS, which scripts/native/sanitize.mjs sets, goes to the compiler.
 */
export function compileLibrary(name: string, source: string, options: readonly string[]): string | undefined {
  const flags = process.env['ANYCL_STUB_FLAGS'] ?? '';
  const parts = readdirSync(__dirname).filter((file) => file === source || /\.(h|inc)$/.test(file));
  const newest = Math.max(...parts.map((file) => statSync(join(__dirname, file)).mtimeMs));
  const folder = join(__dirname, '..', '..', 'build', `stub${flags.replace(/[^a-z]+/g, '-')}`);
  const library = join(folder, name);
  if (existsSync(library) && statSync(library).mtimeMs > newest) return library;
  mkdirSync(folder, { recursive: true });
  // Test files may run at the same time: each puts a finished library in its place.
  const own = `${library}.${process.pid}`;
  const args = ['-std=c++17', '-shared', '-fPIC', '-O1', '-g', join(__dirname, source), '-o', own];
  args.push('-pthread', ...options, ...(flags ? [flags] : []));
  // The compiler must not load the libraries that tests preload.
  const built = spawnSync('c++', args, { stdio: 'inherit', env: { ...process.env, LD_PRELOAD: '' } });
  if (built.status === 0) {
    renameSync(own, library);
    return library;
  }
  console.warn(`skipped: no C++ compiler to build ${source} with`);
  return undefined;
}

/** With `extensions` the stub claims every extension that has functions, and notes their calls. */
export function buildStub(extensions = false): string | undefined {
  return extensions
    ? compileLibrary('libstub-extensions.so', 'stub.cc', ['-DSTUB_EXTENSIONS'])
    : compileLibrary('libstub.so', 'stub.cc', []);
}

/** The stub, and a suite for tests that need it; the suite is skipped where it cannot be built or opened. */
export function stubSuite(): { readonly library: string | undefined; readonly suite: jest.Describe } {
  const library = buildStub();
  const isHere = library !== undefined && createNativeBackend(library).platforms().length > 0;
  return { library, suite: describeNeeding('the stub driver', isHere) };
}

/** Directives of stub.cc, which it receives as the source of a program. */
export function direct(context: BackendContext, ...directives: string[]): void {
  try {
    context.createProgramWithSource([directives.map((d) => `stub: ${d}`).join('\n')]).release();
  } catch {
    // Exactly this function should fail.
  }
}

/** The number of the stub's live objects, and how often it received a dead one. */
export function books(platform: BackendPlatform): { live: number; bad: number } {
  const text = decodeInfo('string', platform.info(PlatformInfo.VENDOR));
  const [, live, bad] = /live=(\d+) bad=(\d+)/.exec(text) ?? [];
  return { live: Number(live), bad: Number(bad) };
}

/** The function whose call failed because it was the Nth, if there were that many. */
export function failedFunction(platform: BackendPlatform): string {
  return /failed=(\w*)/.exec(decodeInfo('string', platform.info(PlatformInfo.VENDOR)))?.[1] ?? '';
}
