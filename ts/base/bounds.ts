// SPDX-License-Identifier: MIT
//
// The contract of robust access (docs/adr/0029-robust-access.md): what a launch of a robust kernel was given, as the backend
// describes it in the device's memory and the kernel reads it.

/** The context property that asks for it: 1. */
export const ROBUST_PROPERTY = 0x414e5946;

/**
 * Byte offsets of 32-bit words. `DISPATCH.checks` has the description's address. For each kernel argument there are the address
 * and the bytes of the memory that it refers to, 0 for none; then the regions of the table, likewise: all that pointers of
 * unknown origin may lead into.
 */
export const BOUNDS = {
  /** Bytes of the program's globals. */
  globals: 0,
  /** The number of regions in the table. */
  count: 4,
  /** The launch's memory for what it enqueues: address and bytes. */
  region: 8,
  /** Memory that nobody uses: accesses that must go nowhere go there. */
  safe: 64,
  arguments: 192,
} as const;

/** The most bytes that one access covers. */
export const SAFE_BYTES = BOUNDS.arguments - BOUNDS.safe;

export const boundsOfArgument = (index: number): number => BOUNDS.arguments + 8 * index;
