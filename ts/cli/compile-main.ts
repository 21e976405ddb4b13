// SPDX-License-Identifier: MIT
//
// `anycl compile` as a bundle of its own: the compiler, without the argument parser, the API and the JIT.
import { type CompileTools, compileCommand } from './compile';
import { finish } from './finish';

export function main(): Promise<void> {
  return finish(() =>
    compileCommand(
      process.argv.slice(3),
      async () => (require('./commands.cjs') as { compileTools: CompileTools }).compileTools,
    ),
  );
}
