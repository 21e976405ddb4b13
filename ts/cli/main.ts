// SPDX-License-Identifier: MIT
//
// The `anycl` command's first lines. Starting up is part of every measurement, and most of `anycl compile` by far: it has a
// bundle of its own, of the compiler and nothing else. All other commands are in one, over the library's.
import { loadBundle } from '../host/node/load-bundle';

const bundle =
  process.argv[2] === 'compile'
    ? loadBundle('compile', require, () => require('./compile.cjs'))
    : loadBundle('commands', require, () => require('./commands.cjs'));
void (bundle as { main(): Promise<void> }).main();
