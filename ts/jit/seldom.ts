// SPDX-License-Identifier: MIT
//
// The parts of the JIT that plain launches do not use: the package loads them when they are first called (scripts/build/chunks.mjs).
export { addChecks } from './checks/instrument';
export { removeDeadButAccesses } from './checks/keep-accesses';
export { markStores } from './checks/mark-stores';
export { debugKernel } from './debug/debug-kernel';
export { summarizeAccesses } from './proofs/summarize';
export { clampAccesses } from './robust/clamp-accesses';
