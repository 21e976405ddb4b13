// SPDX-License-Identifier: MIT
//
// Kernels for memories with 64-bit addresses: whether their modules are valid WebAssembly, at every tile size. Running them needs Node.js 24; an older
// one can check them.
import { setFlagsFromString } from 'node:v8';
import type { Library } from '../../ts/jit/compiled';
import { Program } from '../../ts/jit/frontend/program';
import { compileKernel } from '../../ts/jit/pipeline';
import { compiledModule } from './compiled-module';

/** Throws what the engine says of a module that is not valid. */
export function checkWideModules(
  source: string,
  kernel: string,
  library: Library,
  tiles: readonly (readonly [lanes: number, rows: number])[],
): void {
  const input = { name: 'a.cl', text: source, options: '-cl-std=CL2.0 -w', target: 'spir64' } as const;
  const program = new Program(compiledModule(input), library, 64);
  for (const [lanes, rows] of tiles) {
    const binary = compileKernel({
      translate: () => program.translate(kernel),
      constants: program.image,
      options: { engine: { relaxedSimd: false, isX64: true }, addressBits: 64, lanes, rows },
    });
    for (const kind of ['any', 'whole-tiles'] as const)
      check(new Uint8Array(binary.module(kind).wasm), { lanes, rows, kind });
  }
}

function check(wasm: Uint8Array<ArrayBuffer>, tile: object): void {
  setFlagsFromString('--experimental-wasm-memory64');
  if (WebAssembly.validate(wasm)) return;
  try {
    new WebAssembly.Module(wasm);
  } catch (error) {
    throw new Error(`${JSON.stringify(tile)}: ${(error as Error).message}`);
  }
}
