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
  const { output, validated } = measureModule(words, library);
  return { frontEnd: validated - started, jit: processorTime() - validated, output };
}

/** Decodes, validates and compiles a module. `validated`: the time when it was validated. */
export function measureModule(words: Uint8Array, library: string) {
  const decoded = decode(words);
  validate(decoded);
  const validated = processorTime();
  const program = loadProgram(
    decoded,
    openLibrary(() => readFileSync(library)),
  );
  let output = 0;
  for (const name of program.binary.kernels.keys())
    output += program
      .compileKernel(name, { engine: { relaxedSimd: false }, lanes: 0, rows: 0 })
      .module('whole-tiles').wasm.length;
  return { decoded, output, validated };
}

export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
