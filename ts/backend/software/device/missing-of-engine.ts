// SPDX-License-Identifier: MIT
//
// Whether the JavaScript engine has what the software device needs.

/** A module with one function: i8x16.popcnt of i8x16.splat of 0. */
const SIMD_MODULE = [
  ...[0, 97, 115, 109, 1, 0, 0, 0],
  ...[1, 5, 1, 96, 0, 1, 123],
  ...[3, 2, 1, 0],
  ...[10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
];

let hasSimd: boolean | undefined;

/** What is missing and why, for a message. */
export function missingOfEngine(): string | undefined {
  if (typeof WebAssembly === 'undefined')
    return 'the software device needs WebAssembly, which this process has not (node --jitless)';
  hasSimd ??= WebAssembly.validate(Uint8Array.from(SIMD_MODULE));
  if (hasSimd) return undefined;
  return (
    'the software device needs WebAssembly SIMD, for which the JavaScript engine finds no instructions in the processor ' +
    "(x86: SSSE3 and SSE4.1). In a virtual machine, choose a processor model that has them, such as the host's"
  );
}
