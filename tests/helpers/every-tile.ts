// SPDX-License-Identifier: MIT
//
// A kernel at every tile size against the interpreter: for tests of the JIT's back end.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLibrary } from '../../ts/backend/software/build/library-file';
import type { KernelBinary } from '../../ts/base/kernel-abi';
import { Program } from '../../ts/jit/frontend/program';
import { compileKernel } from '../../ts/jit/pipeline';
import { decode } from '../../ts/spirv/decode';
import { root } from './command';
import { runCompiled } from './compiled-kernel';
import { foreignSpirv, hasForeignCompiler } from './foreign-spirv';
import { type Invocation, runInterpreted } from './interpreted-kernel';
import { describeNeeding } from './needs';
import { checkWideModules } from './wide-modules';

/** For tests that need a compiler other than ours. */
export const foreign = describeNeeding('clang-15 and llvm-spirv-15', hasForeignCompiler());
const library = openLibrary(() => readFileSync(join(root, 'dist/library.bin')));

/** Lanes and rows. */
export const TILES = [
  [1, 1],
  [4, 1],
  [8, 1],
  [16, 1],
  [32, 1],
  [4, 2],
  [8, 4],
] as const;

/**
 * Compiles the kernel for each tile and compares with the interpreter. `known`: the buffers' contents afterwards, for cases
 * that the interpreter does not define. Modules for 64-bit addresses must be valid, too.
 */
export function checkTiles(
  source: string,
  kernel: string,
  invocation: Invocation,
  known?: ArrayBufferView[],
  levels: readonly (0 | 2)[] = [0, 2],
): void {
  for (const level of levels) {
    const { program, reference, binaries } = compiled(source, kernel, level);
    const expected = known
      ? { buffers: known.map((k) => new Uint8Array(k.buffer)) }
      : runInterpreted(reference.func, reference.signature, program.binary, invocation);
    for (const { lanes, rows, binary } of binaries) {
      const actual = runCompiled(binary, program.binary, invocation);
      actual.buffers.forEach((bytes, i) => {
        // Comparing long lists takes longer than the kernel.
        if (Buffer.compare(bytes, expected.buffers[i]!) === 0) return;
        const want = new Uint32Array(expected.buffers[i]!.buffer);
        const got = new Uint32Array(bytes.buffer);
        expect({ level, lanes, rows, buffer: i, bytes: [...got] }).toEqual({
          level,
          lanes,
          rows,
          buffer: i,
          bytes: [...want],
        });
      });
    }
  }
}

interface Compiled {
  readonly program: Program;
  readonly reference: ReturnType<Program['translate']>;
  readonly binaries: readonly {
    readonly lanes: number;
    readonly rows: number;
    readonly binary: KernelBinary;
  }[];
}

/** Of the last source, which tests run with several arguments. */
const last = { source: '', kernels: new Map<string, Compiled>() };

function compiled(source: string, kernel: string, level: 0 | 2): Compiled {
  if (last.source !== source) {
    last.source = source;
    last.kernels.clear();
  }
  const key = `${kernel} ${level}`;
  const known = last.kernels.get(key) ?? compileForTiles(source, kernel, level);
  last.kernels.set(key, known);
  return known;
}

function compileForTiles(source: string, kernel: string, level: 0 | 2): Compiled {
  const program = new Program(decode(foreignSpirv(source, { level, flags: ['-ffp-contract=off'] })), library);
  const binaries = TILES.map(([lanes, rows]) => {
    const { func, signature } = program.translate(kernel);
    const binary = compileKernel({
      translate: () => ({ func, signature }),
      constants: program.image,
      options: { engine: { relaxedSimd: false, isX64: true }, lanes, rows },
      trace: { check: true },
    });
    return { lanes, rows, binary };
  });
  if (level > 0) checkWideModules(source, kernel, library, TILES);
  // The interpreter's fma is exact.
  return { program, reference: program.translate(kernel, { fusedMultiplyAdd: true }), binaries };
}

export const floats = (n: number, f: (i: number) => number) =>
  new Float32Array(Array.from({ length: n }, (_, i) => f(i)));
export const ints = (n: number, f: (i: number) => number) =>
  new Int32Array(Array.from({ length: n }, (_, i) => f(i)));
export const noise = (i: number) =>
  Math.sin(i * 12.9898) * 43758.5453 - Math.floor(Math.sin(i * 12.9898) * 43758.5453);
