// SPDX-License-Identifier: MIT
//
// What `require('anycl')` loads. When an ES module imports a CommonJS one, Node.js reads the text of all that it re-exports for
// their names, and far slower than V8 does: the name of what is exported here is computed.
import { existsSync } from 'node:fs';
import 'node:os';
import { ChunkLoader } from './load-chunk';
import { withLargeYoungGeneration } from './young-generation';

function load(): unknown {
  // The chunks' modules of Node.js are loaded by now, from cached code.
  if (typeof __dirname !== 'string' || !ChunkLoader.isIn(__dirname))
    return (require('./bundler.mjs') as { default: unknown }).default;
  const loader = new ChunkLoader(__dirname, require);
  loader.prepare('./anycl.mjs');
  return withLargeYoungGeneration(() => loader.load('./anycl.mjs'));
}

module.exports = load();

// For @vercel/nft, which includes the folder named here: it cannot see the computed paths of the addons.
if (typeof __dirname === 'string') existsSync(`${__dirname}/../prebuilds`);
