// SPDX-License-Identifier: MIT
//
// `anycl compile` alone: the compiler, without the argument parser, the API and the JIT.

import { isSilent } from '../files';
import { finish } from '../finish';
import { type CompileTools, compileCommand } from './compile';

export async function main(): Promise<void> {
  await finish(() =>
    compileCommand(
      process.argv.slice(3),
      async () => (require('../module-commands') as { compileTools: CompileTools }).compileTools,
    ),
  );
  // Otherwise V8 collects garbage in the event loop's last turn, which takes up to 2 of the 45 ms of a small compilation.
  if (isSilent() && process.exitCode === undefined) process.exit();
}
