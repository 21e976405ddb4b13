// SPDX-License-Identifier: MIT
//
// The kernels of tests/run once more, compiled for tiles of every shape: the results are the same, bit by bit.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openLibrary } from '../../ts/backend/software/build/library-file';
import type { KernelSignature } from '../../ts/base/kernel-abi';
import { Program } from '../../ts/jit/frontend/program';
import { compileKernel } from '../../ts/jit/pipeline';
import { root } from '../helpers/command';
import { runCompiled } from '../helpers/compiled-kernel';
import { compiledModule } from '../helpers/compiled-module';
import type { Invocation } from '../helpers/interpreted-kernel';
import { type Run, readRunDirectives } from './run-directives';

const folder = join(root, 'tests/run');
const library = openLibrary(() => readFileSync(join(root, 'dist/library.bin')));

/** Lanes and rows. `ANYCL_TILES=all` takes more of them. */
const TILES: readonly (readonly [number, number])[] =
  process.env.ANYCL_TILES === 'all'
    ? [1, 4, 8, 16].flatMap((lanes) => (lanes === 1 ? [[1, 1]] : [1, 2, 4].map((rows) => [lanes, rows] as const)))
    : [[1, 1], [4, 1], [8, 1], [4, 4], [8, 2]]; // biome-ignore format: short

type Triple = readonly [number, number?, number?];

function invocationOf(run: Run, signature: KernelSignature): Invocation {
  const [x = 1, ...rest] = run.global;
  const local = run.local ?? signature.requiredLocalSize ?? [Math.min(x, 16), ...rest.map(() => 1)];
  return {
    global: run.global as unknown as Triple,
    local: local as unknown as Triple,
    args: run.args.map((argument) => {
      if (argument.kind === 'local') return { local: argument.bytes };
      return argument.kind === 'value' ? { value: argument.values } : { buffer: argument.before };
    }),
  };
}

for (const name of readdirSync(folder).filter((file) => file.endsWith('.cl')))
  describe(name, () => kernelsOf(name));

function kernelsOf(name: string): void {
  const text = readFileSync(join(folder, name), 'utf8');
  const { options, runs } = readRunDirectives(text);
  let program: Program | undefined;
  const load = () => {
    const module = compiledModule({ name, text, options });
    return new Program(module, library);
  };
  // Each run has new memory, so programs that depend on earlier runs are excluded, and so are those that
  // print.
  const applicable = runs.filter(
    ({ kernel, prints, exceptions }) =>
      prints.length === 0 &&
      runs.filter((other) => other.kernel === kernel).length === 1 &&
      !exceptions.some(({ platform }) => platform === 'anycl'),
  );
  if (applicable.length === 0) return;

  test.each(applicable.map((run) => [run.kernel, run] as const))('%s', (_, run) => {
    program ??= load();
    const after = run.args.flatMap((argument) => (argument.kind === 'buffer' ? [argument.after] : []));
    for (const [lanes, rows] of TILES) {
      const { func, signature } = program.translate(run.kernel);
      const binary = compileKernel({
        translate: () => ({ func, signature }),
        constants: program.image,
        options: {
          engine: { relaxedSimd: false, isX64: true },
          lanes,
          rows,
        },
        trace: { check: true },
      });
      const { buffers } = runCompiled(binary, program.binary, invocationOf(run, signature));
      const found = buffers.map((bytes, i) => {
        const Type = after[i]!.constructor as new (buffer: ArrayBufferLike) => ArrayLike<unknown>;
        return Array.from(new Type(bytes.buffer), String);
      });
      expect({ lanes, rows, found }).toEqual({
        lanes,
        rows,
        found: after.map((values) => Array.from(values as ArrayLike<unknown>, String)),
      });
    }
  });
}
