// SPDX-License-Identifier: MIT
//
// What it costs to compile a source for the software device, from text to WebAssembly.
import { readFileSync } from 'node:fs';
import { openLibrary } from '../../ts/backend/software/build/library-file';
import { compile } from '../../ts/compiler/compile';
import { loadProgram } from '../../ts/jit';
import { decode } from '../../ts/spirv/decode';
import { encode } from '../../ts/spirv/encode';
import { validate } from '../../ts/spirv/validate';

export interface Cost {
  /** Milliseconds of CPU time, so that other processes do not count. */
  readonly frontEnd: number;
  readonly jit: number;
  /** Bytes of the output. */
  readonly output: number;
}

/** @param library the file of the built-in library, dist/library.bin */
export function measure(text: string, library: string): Cost {
  const started = processorTime();
  const { module, log } = compile({ name: 'growth.cl', text, options: '', target: 'spir' });
  if (!module) throw new Error(log.slice(0, 1000));
  const words = encode(module);
  const decoded = decode(words);
  validate(decoded);
  const compiled = processorTime();
  const program = loadProgram(
    decoded,
    openLibrary(() => readFileSync(library)),
  );
  let output = 0;
  for (const name of program.binary.kernels.keys())
    output += program
      .compileKernel(name, { engine: { relaxedSimd: true }, lanes: 0, rows: 0 })
      .module('whole-tiles').wasm.length;
  return { frontEnd: compiled - started, jit: processorTime() - compiled, output };
}

function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
