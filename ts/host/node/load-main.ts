// SPDX-License-Identifier: MIT
//
// What `require('anycl')` loads. When an ES module imports a CommonJS one, Node.js reads the text of all that it re-exports for
// their names, and far slower than V8 does: the name of what is exported here is computed.
import { existsSync } from 'node:fs';
import 'node:os';
import { ChunkLoader } from './load-chunk';
import { withLargeYoungGeneration } from './young-generation';

// What the chunks load of Node.js is loaded by now, from stored code.
const isHere = typeof __dirname === 'string' && ChunkLoader.isIn(__dirname);
module.exports = isHere
  ? new ChunkLoader(__dirname, require, withLargeYoungGeneration).load('./anycl.mjs')
  : (require('./bundler.mjs') as { default: object }).default;

// For @vercel/nft, which takes along the folder that this names: where the addons are opened their paths are computed.
if (typeof __dirname === 'string') existsSync(`${__dirname}/../prebuilds`);
