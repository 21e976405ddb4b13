// SPDX-License-Identifier: MIT
// The compiler's thread; scripts/build.mjs makes dist/compiler.cjs of it.
import { ChunkLoader } from './load-chunk';

const toolchain = new ChunkLoader(__dirname, require).load('./toolchain.mjs');
(toolchain as typeof import('./toolchain-main')).serveCompiler();
