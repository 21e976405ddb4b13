// SPDX-License-Identifier: MIT
//
// What devices need whose kernels are checked: the package loads it when the first one is made (scripts/build/chunks.mjs).
export { instantiateChecked } from './checked-kernel';
export { CheckedMemory } from './checked-memory';
