// SPDX-License-Identifier: MIT
//
// Reads files that somebody else may have put there: regular ones alone, of a bounded size. A pipe or a device would
// block, or never end.
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';

// Windows has neither flag; there both are 0.
const NONBLOCK = constants.O_NONBLOCK ?? 0;
const NOFOLLOW = constants.O_NOFOLLOW ?? 0;

export interface ReadRules {
  readonly limitBytes: number;
  /** Whether to refuse a path whose last part is a symbolic link. */
  readonly noLinks?: boolean;
  /** Decides whether to read the open file. */
  readonly accept?: (stats: Stats) => boolean;
  /** Memory of at least `bytes` bytes to read into: the result is a view of it. */
  readonly memory?: (bytes: number) => Uint8Array;
}

/**
 * The file's bytes; undefined if the rules forbid reading it. Throws as `openSync` does if the file cannot be
 * opened.
 */
export function readRegularFile(path: string, rules: ReadRules): Uint8Array | undefined {
  const file = openSync(path, constants.O_RDONLY | NONBLOCK | (rules.noLinks ? NOFOLLOW : 0));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile() || stats.size > rules.limitBytes) return undefined;
    if (rules.accept && !rules.accept(stats)) return undefined;
    return readAll(file, stats.size, rules);
  } finally {
    closeSync(file);
  }
}

/** Reads to the end instead of using the size: files of /proc have size 0. */
function readAll(file: number, size: number, { limitBytes, memory }: ReadRules): Uint8Array | undefined {
  let bytes = memory?.(size + 1) ?? new Uint8Array(size + 1);
  for (let length = 0; ; ) {
    const count = readSync(file, bytes, length, bytes.length - length, null);
    length += count;
    if (count === 0) return memory ? bytes.subarray(0, length) : bytes.slice(0, length);
    if (length > limitBytes) return undefined;
    if (length < bytes.length) continue;
    const larger = new Uint8Array(bytes.length * 2);
    larger.set(bytes);
    bytes = larger;
  }
}
