// SPDX-License-Identifier: MIT
//
// What `require('anycl/array')` and `require('anycl/testing')` load: a chunk over the main entry's. scripts/build/entries.mjs makes a
// file for each entry of this one.
import { ChunkLoader } from './load-chunk';

/** The entry's chunk. */
declare const ANYCL_ENTRY: string;
/** The entry's module for bundles of programs, which do not contain the files of chunks. */
declare const ANYCL_ENTRY_BUNDLED: string;

function load(): unknown {
  if (typeof __dirname !== 'string' || !ChunkLoader.isIn(__dirname))
    return (require(ANYCL_ENTRY_BUNDLED) as { default: unknown }).default;
  return new ChunkLoader(__dirname, require, { anycl: require('./index.cjs') }).load(`./${ANYCL_ENTRY}.mjs`);
}

module.exports = load();
