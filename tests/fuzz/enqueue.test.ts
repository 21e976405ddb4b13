// SPDX-License-Identifier: MIT
//
// The short form of scripts/fuzz/enqueue.mjs, and that its model sees what is wrong.
import { openSync } from '../../ts';
import { node } from '../helpers/command';
import { runEnqueue, type Session } from './enqueue/run';

test.each(['1', '4'])('random programs that enqueue on %s threads', (threads) => {
  const { status, stdout } = node('scripts/fuzz/enqueue.mjs', [`${threads}00`, '2', `--threads=${threads}`]);
  expect(stdout).toMatch(/^2 programs on .*: 0 faults$/m);
  expect(status).toBe(0);
});

test('blocks whose events nobody waits for are seen', async () => {
  const cl = openSync({ device: 'software' });
  const careless: Session = {
    build: (source, options) => {
      const changed = source.replace(/, \d+, (&\w+|w\d+), (&\w+|0|NULL), /g, ', 0, 0, $2, ');
      return cl.build(changed, options) as unknown as ReturnType<Session['build']>;
    },
    buffer: (content) => cl.buffer(content as Uint32Array) as unknown as ReturnType<Session['buffer']>,
    context: { createQueue: (options) => cl.context.createQueue(options) },
  };
  let found: string | undefined;
  for (let seed = 1; !found && seed <= 4; seed++) found = await runEnqueue(seed, careless);
  expect(found).toBeDefined();
  cl.close();
});
