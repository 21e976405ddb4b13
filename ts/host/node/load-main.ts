// SPDX-License-Identifier: MIT
//
// What `require('anycl')` loads. No `module.exports = require('./anycl.cjs')`: when an ES module imports a CommonJS one,
// Node.js reads the text of all that it re-exports for their names, and far slower than V8 does.
import { existsSync } from 'node:fs';
import 'node:os';
import { loadBundle } from './load-bundle';
import { withLargeYoungGeneration } from './young-generation';

// What the bundle loads of Node.js is loaded by now, from stored code.
const bundle = loadBundle('anycl', require, () => require('./anycl.cjs'), withLargeYoungGeneration);
// Without what the command line alone needs, and without `__esModule`: a default import is all of it, as of index.mjs.
const { internals: _, ...api } = bundle as Record<string, unknown>;
module.exports = api;

// For @vercel/nft, which takes along the folder that this names: where the addons are opened their paths are computed.
if (typeof __dirname === 'string') existsSync(`${__dirname}/../prebuilds`);
