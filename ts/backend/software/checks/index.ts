// SPDX-License-Identifier: MIT
//
// What launches and commands need in contexts with checks or robust access: the package loads it when the first one comes
// (scripts/build/chunks.mjs).
export { launchWatched } from '../launch/watched-launch';
export { provenCode } from '../proofs/launch-proof';
export { withWrittenBytes } from './commands';
export { LaunchChecks } from './launch-checks';
