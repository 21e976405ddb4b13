// SPDX-License-Identifier: MIT
//
// The `anycl` command's first lines. Starting up is part of every measurement, and most of `anycl compile` by far, which loads
// the compiler and nothing else.
import { ChunkLoader } from '../host/node/load-chunk';

const { load } = new ChunkLoader(__dirname, require);
const command = load(process.argv[2] === 'compile' ? './compile.mjs' : './commands.mjs');
void (command as { main(): Promise<void> }).main();
