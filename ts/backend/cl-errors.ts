// SPDX-License-Identifier: MIT
/** Replaced by the generated table. */
export function errorName(code: number): string {
  return `UNKNOWN_ERROR_${code}`;
}
