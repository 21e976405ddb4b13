// SPDX-License-Identifier: MIT
import { SharedTask } from './shared-task';

function tasks() {
  const started: { signal: AbortSignal; succeed: () => void }[] = [];
  const task = new SharedTask(
    (signal) =>
      new Promise((resolve, reject) => {
        started.push({ signal, succeed: resolve });
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  );
  return { task, started };
}

test('a task runs once for all that wait for it, before and after its end', async () => {
  const { task, started } = tasks();
  const waits = [task.wait(), task.wait(new AbortController().signal)];
  started[0]!.succeed();
  await Promise.all([...waits, task.wait()]);
  expect(started).toHaveLength(1);
});

test('it goes on while somebody waits for it who is not aborted', async () => {
  const { task, started } = tasks();
  const ending = new AbortController();
  const [aborted, other] = [task.wait(ending.signal), task.wait()];
  ending.abort(new Error('enough'));
  expect(started[0]!.signal.aborted).toBe(false);
  started[0]!.succeed();
  await expect(aborted).rejects.toThrow('enough');
  await other;
});

test('it ends when all are aborted, and begins again for the next one', async () => {
  const { task, started } = tasks();
  const [one, two] = [new AbortController(), new AbortController()];
  const waits = [task.wait(one.signal), task.wait(two.signal)].map((wait) => wait.catch((error) => error));
  one.abort('one');
  two.abort('two');
  expect(started[0]!.signal.aborted).toBe(true);
  const next = task.wait();
  expect(started).toHaveLength(2);
  started[1]!.succeed();
  await next;
  expect(await Promise.all(waits)).toEqual(['two', 'two']);
  await expect(task.wait(AbortSignal.abort('late'))).rejects.toBe('late');
});
