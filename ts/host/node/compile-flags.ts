// SPDX-License-Identifier: MIT
//
// V8's flags during the compilation of kernels (docs/adr/0009-v8-flags.md).
import { setFlagsFromString } from 'node:v8';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
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

/** Words that all threads of the process share, as the flags do: a lock, and the number of compilations that read the flags. */
const WORDS = { lock: 0, compilations: 1, count: 2 } as const;
const SHARED = 'anycl: compilations';
const shared = sharedWords();

/** A lock is held for microseconds. After this time, the thread that has it was terminated. */
const LONGEST_HELD_MS = 5000;

/** Whether V8 can pair vectors on this machine's kind of processor. */
export const canPairVectors = WIDE_FLAGS.length > 0;

/** @param wide whether V8 pairs vectors */
export function withCompileFlags<T>(compile: () => T, wide = false): T {
  begin(wide ? SET_WIDE : SET);
  try {
    return compile();
  } finally {
    end();
  }
}

export async function compileInBackground(bytes: Uint8Array): Promise<WebAssembly.Module> {
  // V8 reads the flags until the compilation is done.
  begin(SET);
  // From Node.js 24 on, a compilation does not keep the process alive: it would end in the middle of an await.
  const keepAlive = setInterval(() => {}, LONGEST_INTERVAL_MS);
  try {
    return await WebAssembly.compile(bytes);
  } finally {
    clearInterval(keepAlive);
    end();
  }
}

function begin(flags: string): void {
  locked(() => {
    shared[WORDS.compilations]!++;
    setFlagsFromString(flags);
  });
}

/** The last compilation of all threads resets the flags: without relaxed SIMD, Node.js 20 refuses the others' code, or aborts. */
function end(): void {
  locked(() => {
    if (--shared[WORDS.compilations]! === 0) setFlagsFromString(RESTORE);
  });
}

function locked(step: () => void): void {
  while (Atomics.compareExchange(shared, WORDS.lock, 0, 1) !== 0)
    if (Atomics.wait(shared, WORDS.lock, 1, LONGEST_HELD_MS) === 'timed-out') break;
  try {
    step();
  } finally {
    Atomics.store(shared, WORDS.lock, 0);
    Atomics.notify(shared, WORDS.lock, 1);
  }
}

/** The words of the thread that has started this one, if it has loaded this module. */
function sharedWords(): Int32Array {
  const known: unknown = getEnvironmentData(SHARED);
  if (ArrayBuffer.isView(known)) return new Int32Array(known.buffer);
  const made = new Int32Array(new SharedArrayBuffer(WORDS.count * 4));
  setEnvironmentData(SHARED, made);
  return made;
}
