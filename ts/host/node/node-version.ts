// SPDX-License-Identifier: MIT
//
// The version of Node.js that runs.
export const NODE_MAJOR = Number.parseInt(process.versions.node, 10);

/** The newest version of Node.js on which changes of V8's flags were tested. Later versions run without them, and start more slowly. */
export const LAST_TESTED_MAJOR = 26;
