// SPDX-License-Identifier: MIT
//
// `anycl compile` as a bundle of its own: the compiler, without the argument parser, the API and the JIT.
import { loadBundle } from '../host/node/load-bundle';
import { type CompileTools, compileCommand } from './compile';
import { finish } from './finish';

export function main(): Promise<void> {
  return finish(() =>
    compileCommand(
      process.argv.slice(3),
      async () => (loadBundle('commands', require) as { compileTools: CompileTools }).compileTools,
    ),
  );
}
