// SPDX-License-Identifier: MIT
//
// Random programs that enqueue blocks with captured variables, events and local memory, in several launches, against a model.
import { Chance } from '../chance';
import { Generator, TOTAL } from './generate';
import { runLaunch } from './model';
import { INPUT } from './values';

/** The part of the package's API that this uses: a bundle of the tests' sources cannot contain the package. */
export interface Session {
  build(source: string, options: string): Promise<{ readonly kernels: Record<string, Kernel> }>;
  buffer(content: ArrayBufferView): Memory;
  readonly context: { createQueue(options: object): { release(): void } };
}
interface Kernel {
  run(range: object, ...args: unknown[]): PromiseLike<unknown>;
}
interface Memory {
  read(): PromiseLike<ArrayBufferView>;
  release(): void;
}

/** What is wrong, or undefined. */
export async function runEnqueue(seed: number, session: Session, print = false): Promise<string | undefined> {
  const chance = new Chance(seed ^ 0xe49e);
  const useDefault = chance.with(0.6);
  const { source, words, parents } = new Generator(chance, { fail: chance.with(0.12), useDefault }).program();
  if (print) console.log(source, parents.map(({ range }) => JSON.stringify(range)).join('\n'));
  const { kernels } = await session.build(source, `-cl-std=${chance.pick(['CL2.0', 'CL3.0'])} -w`);
  const queue = session.context.createQueue({ onDevice: { default: useDefault } });
  const [o, input] = [session.buffer(new Uint32Array(words)), session.buffer(INPUT)];
  const memory = new Uint32Array(words);
  try {
    const launches = Array.from({ length: chance.integer(1, 4) }, () => chance.pick(parents));
    const ends: Promise<boolean>[] = [];
    const expected: boolean[] = [];
    let reason = '';
    for (const { name, range, body } of launches) {
      const { global, local, offset } = range;
      const numbers = { zero: 0 };
      expected.push(runLaunch({ range, body, env: { numbers, events: {} } }, memory));
      const run = kernels[name]!.run({ global, local, offset }, o, input, 0, queue);
      ends.push(
        Promise.resolve(run).then(
          () => true,
          (error: Error) => {
            reason = error.message;
            return false;
          },
        ),
      );
      // Commands after one that fails need not run.
      if (!expected.at(-1) || chance.with(0.3)) await ends.at(-1);
    }
    const succeeded = await Promise.all(ends);
    await kernels.dump!.run({ global: 1 }, o);
    const wrong = succeeded.findIndex((each, i) => each !== expected[i]);
    if (wrong >= 0) return `launch ${wrong} ${succeeded[wrong] ? 'succeeds' : `fails: ${reason}`}`;
    const found = (await o.read()) as Uint32Array;
    if (found[0] !== 0) return `${found[0]} calls fail`;
    const at = memory.findIndex((value, i) => value !== found[i]);
    return at < 0
      ? undefined
      : `${at === TOTAL ? 'the total' : `word ${at}`} is ${found[at]}, not ${memory[at]}`;
  } finally {
    for (const each of [queue, o, input]) each.release();
  }
}
