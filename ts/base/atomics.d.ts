// SPDX-License-Identifier: MIT
//
// ECMAScript 2024's, which ES2023's library does not declare; Node.js has it since version 16.

interface Atomics {
  waitAsync(
    typedArray: Int32Array,
    index: number,
    value: number,
  ): { async: true; value: Promise<'ok' | 'timed-out'> } | { async: false; value: 'not-equal' };
}
