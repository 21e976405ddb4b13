// SPDX-License-Identifier: MIT

/** Loads the parts of the JIT that plain launches do not use, on the first use. */
export const loadSeldom = () => require('./seldom') as typeof import('./seldom');
