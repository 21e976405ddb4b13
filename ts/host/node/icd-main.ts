// SPDX-License-Identifier: MIT
// What native/icd starts; scripts/build.mjs makes dist/icd-server.cjs of it.
import { ChunkLoader } from './load-chunk';

new ChunkLoader(__dirname, require).load('./icd.mjs');
