// SPDX-License-Identifier: MIT
//
// Runs random programs of atomics through the public API, and compares what they leave with the model.
import { TYPES } from './cells';
import { type AtomicsProgram, randomAtomics, sumOfOld } from './random-atomics';

/** The part of the package's API that this uses: a bundle of the tests' sources cannot contain the package. */
export interface Session {
  build(source: string, options: string): Promise<{ readonly kernels: Record<string, Kernel> }>;
  buffer(content: ArrayBufferView | number): Memory;
}
interface Kernel {
  run(
    range: object,
    ...args: unknown[]
  ): PromiseLike<unknown> & { readonly faults?: readonly { readonly text: string }[] };
}
interface Memory {
  read(): PromiseLike<ArrayBufferView>;
  write(data: ArrayBufferView): PromiseLike<unknown>;
  release(): void;
}

/** Launches of each program: the order differs. */
const TIMES = 3;

/** What is wrong, or undefined. */
export async function runAtomics(seed: number, session: Session): Promise<string | undefined> {
  const program = randomAtomics(seed);
  const { kernels } = await session.build(program.source, '-cl-std=CL3.0 -w');
  const { cells, expected, input, global, local, hashes } = program;
  const starts = cells.map(({ type, initial }, i) => {
    const array = new TYPES[type].array(expected[i]!.length);
    (array as { fill(value: unknown): void }).fill(
      array instanceof BigInt64Array || array instanceof BigUint64Array ? initial : Number(initial),
    );
    return array;
  });
  const buffers = [input, hashes, new BigUint64Array(global * cells.length), ...starts].map((each) =>
    session.buffer(each),
  );
  try {
    for (let time = 0; time < TIMES; time++) {
      await Promise.all(starts.map((start, i) => buffers[i + 3]!.write(start)));
      const launch = kernels.fuzz!.run({ global, local }, ...buffers);
      await launch;
      for (const { text } of launch.faults ?? []) return text;
      const problem = await wrongResult(
        program,
        await Promise.all(buffers.slice(1).map((each) => each.read())),
      );
      if (problem) return `launch ${time}, ${global}/${local} work-items: ${problem}`;
    }
    return undefined;
  } finally {
    for (const each of buffers) each.release();
  }
}

function wrongResult(
  program: AtomicsProgram,
  [hashes, sums, ...arrays]: readonly ArrayBufferView[],
): string | undefined {
  const { cells, expected } = program;
  const seen = hashes as Uint32Array;
  const item = program.hashes.findIndex((hash, i) => hash !== seen[i]);
  if (item >= 0) return `work-item ${item} has the hash ${seen[item]}, not ${program.hashes[item]}`;
  for (const [i, { name, type, kind, space }] of cells.entries()) {
    const found = Array.from(arrays[i] as unknown as ArrayLike<number | bigint>, BigInt);
    const what = `${name} (${space} ${type}, ${kind})`;
    const at = kind === 'exchange' ? -1 : expected[i]!.findIndex((value, k) => value !== found[k]);
    if (at >= 0) return `${what}[${at}] is ${found[at]}, not ${expected[i]![at]}`;
    const wanted = sumOfOld(program, i, found);
    if (wanted === undefined) continue;
    let sum = 0n;
    for (let k = i; k < (sums as BigUint64Array).length; k += cells.length)
      sum += (sums as BigUint64Array)[k]!;
    if (BigInt.asUintN(64, sum) !== wanted)
      return `the old values of ${what} add up to ${BigInt.asUintN(64, sum)}, not ${wanted}`;
  }
  return undefined;
}
