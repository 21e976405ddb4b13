// SPDX-License-Identifier: MIT

/** The file of `--coverage` without one: the source is printed. */
export const TERMINAL = '-';
