// SPDX-License-Identifier: MIT
import type { Host } from './host';
import { finish, LONG, SharedSteps, type Steps } from './steps';
import { Turns } from './turns';

const atOnce = <T>(step: () => T): T => step();

/** Computations on a clock that only their steps advance, and the turns in which each step ran. */
function clocked(stepMs: number) {
  let now = 0n;
  let turn = 0;
  const ran: string[] = [];
  const host = {
    now: () => now,
    nextTurn: () =>
      new Promise<void>((resolve) =>
        setImmediate(() => {
          turn++;
          resolve();
        }),
      ),
  } as unknown as Host;
  function* steps(name: string, count: number): Steps<string> {
    for (let i = 0; i < count; i++) {
      ran.push(`${name}${turn}`);
      now += BigInt(stepMs * 1e6);
      yield;
    }
    return name;
  }
  return { turns: new Turns(host), steps, ran };
}

test('a turn takes steps until its limit', async () => {
  const { turns, steps, ran } = clocked(2);
  expect(await turns.run(steps('a', 5), atOnce)).toBe('a');
  expect(ran).toEqual(['a0', 'a0', 'a1', 'a1', 'a2']);
});

test('a long step begins a turn', async () => {
  const { turns, steps, ran } = clocked(1);
  function* withLong(): Steps<void> {
    yield* steps('a', 1);
    yield LONG;
    yield* steps('b', 1);
    yield LONG;
    yield LONG;
    yield* steps('c', 2);
  }
  await turns.run(withLong(), atOnce);
  expect(ran).toEqual(['a0', 'b1', 'c2', 'c2']);
});

test('computations have the limit together, and take turns', async () => {
  const { turns, steps, ran } = clocked(5);
  await Promise.all([turns.run(steps('a', 3), atOnce), turns.run(steps('b', 2), atOnce)]);
  expect(ran).toEqual(['a0', 'a1', 'b2', 'a3', 'b4']);
});

test('an abort ends a computation at its next turn, and an error at once', async () => {
  const { turns, steps, ran } = clocked(5);
  const ending = new AbortController();
  const aborted = turns.run(steps('a', 3), atOnce, ending.signal);
  ending.abort('enough');
  await expect(aborted).rejects.toBe('enough');
  expect(ran).toEqual(['a0']);
  // biome-ignore lint/correctness/useYield: it fails in its first step.
  const failing = function* (): Steps<void> {
    throw new Error('wrong');
  };
  await expect(turns.run(failing(), atOnce)).rejects.toThrow('wrong');
  expect(await turns.run(steps('b', 1), atOnce)).toBe('b');
});

test('a blocking call finishes a computation that runs in turns', async () => {
  const { turns, steps, ran } = clocked(5);
  const shared = new SharedSteps(steps('a', 3));
  const later = turns.run(shared, atOnce);
  expect(finish(shared)).toBe('a');
  expect(await later).toBe('a');
  expect(ran).toEqual(['a0', 'a0', 'a0']);
});
