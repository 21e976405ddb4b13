// SPDX-License-Identifier: MIT
// What `require('anycl/bundler')` loads; scripts/build.mjs makes dist/bundler-plugins.cjs of it.
import { ChunkLoader } from './load-chunk';

module.exports = new ChunkLoader(__dirname, require).load('./typed.mjs');
