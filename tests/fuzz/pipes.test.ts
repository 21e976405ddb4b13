// SPDX-License-Identifier: MIT
//
// The short form of scripts/fuzz/pipes.mjs, and that its model sees what is wrong.
import { openSync } from '../../ts';
import { node } from '../helpers/command';
import { runPipes, type Session } from './pipes/run';

test.each(['1', '4'])('random launches that share a pipe on %s threads', (threads) => {
  const { status, stdout } = node('scripts/fuzz/pipes.mjs', [`${threads}00`, '10', `--threads=${threads}`]);
  expect(stdout).toMatch(/^10 programs on .*: 0 faults$/m);
  expect(status).toBe(0);
});

test('packets that are refused although there is room are seen', async () => {
  const cl = openSync({ device: 'software' });
  // Pipes have room for fewer packets than is said.
  const smaller: Session = {
    build: (source, options) => cl.build(source, options) as unknown as ReturnType<Session['build']>,
    buffer: (content) => cl.buffer(content as Uint32Array) as unknown as ReturnType<Session['buffer']>,
    context: { createPipe: (size, most) => cl.context.createPipe(size, Math.ceil(most / 2)) },
  };
  const found: (string | undefined)[] = [];
  for (let seed = 1; seed <= 4; seed++) found.push(await runPipes(seed, smaller));
  expect(found.filter((problem) => problem !== undefined).length).toBeGreaterThan(0);
  cl.close();
});
