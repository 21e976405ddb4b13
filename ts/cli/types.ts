// SPDX-License-Identifier: MIT
//
// `anycl types`: TypeScript declarations of the kernels in `.cl` files.
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { declarationsFile } from '../typed/declarations';
import { loadKernels } from '../typed/load-kernels';
import { CommandError, EXIT, inputError } from './exit';
import { isSpirv, readInput, writeOutput } from './files';

export interface TypesFlags {
  outDir?: string;
  buildOptions?: string;
  check?: boolean;
  print?: boolean;
}

/** Nothing is written unless all files compile. */
export function types(files: readonly string[], flags: TypesFlags): void {
  const written = files.map((file) => ({
    file:
      flags.outDir === undefined
        ? declarationsFile(file)
        : join(flags.outDir, basename(declarationsFile(file))),
    text: declarationsOf(file, flags.buildOptions ?? ''),
  }));
  const stale = written.filter(({ file, text }) => !existsSync(file) || readFileSync(file, 'utf8') !== text);
  if (flags.print) for (const { text } of written) writeOutput('-', text);
  else if (flags.check) refuseStale(stale.map(({ file }) => file));
  else for (const { file, text } of stale) writeOutput(file, text);
}

function declarationsOf(file: string, buildOptions: string): string {
  const content = readInput(file);
  if (isSpirv(content))
    throw inputError(`'${file}' is SPIR-V and not OpenCL C; anycl kernels shows its kernels`);
  const text = new TextDecoder().decode(content);
  const { module, log } = loadKernels(file, { buildOptions }, text);
  if (!module) throw new CommandError(log.trimEnd(), EXIT.input);
  if (log) process.stderr.write(log);
  return module.declarations;
}

function refuseStale(files: readonly string[]): void {
  if (files.length === 0) return;
  throw new CommandError(
    files.map((file) => `error: ${file} is not what its source says: run anycl types`).join('\n'),
    EXIT.input,
  );
}
