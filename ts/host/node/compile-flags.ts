// SPDX-License-Identifier: MIT
//
// V8's flags during the compilation of kernels (docs/adr/0009-v8-flags.md).
import { setFlagsFromString } from 'node:v8';
import { LAST_TESTED_MAJOR, NODE_MAJOR } from './node-version';

/**
 * V8's flags while a kernel is compiled. They are set only during that time, so other modules are not affected.
 * - V8's baseline compiler makes code that is at most half as fast, and replaces it only later: a kernel's first run
 *   would be its slowest.
 * - The optimizing compiler inlines by the counters of baseline code, and in Node.js 26 it aborts the process if there
 *   are none.
 * - Node.js 20 has relaxed SIMD in the form that was standardized, behind a flag.
 * - Branch hints keep rare code out of the loops' registers. Node.js 26 uses them without a flag.
 */
const COMPILE_FLAGS =
  NODE_MAJOR > LAST_TESTED_MAJOR
    ? []
    : [
        'no-liftoff',
        'no-wasm-lazy-compilation',
        ...(NODE_MAJOR >= 24 ? ['no-wasm-inlining'] : []),
        ...(NODE_MAJOR === 20 ? ['experimental-wasm-relaxed-simd'] : []),
        ...(NODE_MAJOR < 26 ? ['experimental-wasm-branch-hinting'] : []),
      ];

/**
 * V8 pairs vectors of 128 bits to such of 256 (ADR 39). The flag is only known to V8 for x86-64; V8 itself looks for AVX2. Only
 * Node.js 26 was tried. Its optimizer of moves is off then: it moves the lower half of a pair from a stack slot to a register, and
 * from there the whole pair to another slot.
 */
const WIDE_FLAGS =
  NODE_MAJOR === 26 && process.arch === 'x64'
    ? ['experimental-wasm-revectorize', 'no-turbo-move-optimization']
    : [];

const opposite = (flag: string): string => (flag.startsWith('no-') ? flag.slice(3) : `no-${flag}`);

/**
 * The flags that reset V8, including those that the flags above imply: up to Node.js 22 V8 does not reset these. While
 * any flag differs from the start of the process, V8 accepts no cached code, not even for Node.js's own modules, and
 * threads take three times as long to start.
 */
const RESTORING_FLAGS = [
  ...[...COMPILE_FLAGS, ...WIDE_FLAGS].map(opposite),
  ...(NODE_MAJOR <= 22 ? ['wasm-dynamic-tiering'] : []),
  ...(NODE_MAJOR === 22 ? ['no-experimental'] : []),
];

/** All in one call: V8 sets implied flags whenever a flag is set. */
const asArguments = (flags: readonly string[]): string => flags.map((flag) => `--${flag}`).join(' ');
const SET = asArguments(COMPILE_FLAGS);
const SET_WIDE = asArguments([...COMPILE_FLAGS, ...WIDE_FLAGS]);
const RESTORE = asArguments(RESTORING_FLAGS);

/** Longer ones fire at once. */
const LONGEST_INTERVAL_MS = 2 ** 31 - 1;

/** The number of compilations in the background: V8 reads the flags until the last one is done. */
let inBackground = 0;

/** Whether V8 can pair vectors on this machine's kind of processor. */
export const canPairVectors = WIDE_FLAGS.length > 0;

/** @param wide whether V8 pairs vectors */
export function withCompileFlags<T>(compile: () => T, wide = false): T {
  setFlagsFromString(wide ? SET_WIDE : SET);
  try {
    return compile();
  } finally {
    restoreFlags();
  }
}

function restoreFlags(): void {
  if (inBackground === 0) setFlagsFromString(RESTORE);
}

export async function compileInBackground(bytes: Uint8Array): Promise<WebAssembly.Module> {
  inBackground++;
  setFlagsFromString(SET);
  // From Node.js 24 on, a compilation does not keep the process alive: it would end in the middle of an await.
  const keepAlive = setInterval(() => {}, LONGEST_INTERVAL_MS);
  try {
    return await WebAssembly.compile(bytes);
  } finally {
    clearInterval(keepAlive);
    inBackground--;
    restoreFlags();
  }
}
