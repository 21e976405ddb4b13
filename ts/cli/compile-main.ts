// SPDX-License-Identifier: MIT
//
// `anycl compile` alone: the compiler, without the argument parser, the API and the JIT.
import { type CompileTools, compileCommand } from './compile';
import { finish } from './finish';

export function main(): Promise<void> {
  return finish(() =>
    compileCommand(
      process.argv.slice(3),
      async () => (require('./module-commands') as { compileTools: CompileTools }).compileTools,
    ),
  );
}
