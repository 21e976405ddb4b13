// SPDX-License-Identifier: MIT
//
// Launches that print: many that are enqueued at once, and bytes that are not UTF-8.
import { open, type Session } from '../../ts';
import { NodeHost } from '../../ts/host/node/node-host';

jest.setTimeout(60_000);

const pieces: Uint8Array[] = [];
const write = jest.spyOn(NodeHost.prototype, 'writeOut').mockImplementation((bytes) => {
  pieces.push(bytes.slice());
});
const printed = () => Buffer.concat(pieces.splice(0));
let session: Session;
beforeAll(async () => {
  session = await open({ device: 'software' });
});
afterAll(() => {
  session.close();
  write.mockRestore();
});

/** More than there is memory for the rings of all. */
const LAUNCHES = 1500;
const numbers = Array.from({ length: LAUNCHES }, (_, i) => `${i}`);

async function printer(of: Session) {
  const { kernels } = await of.build('kernel void show(int i) { printf("%d\\n", i); }');
  await kernels.show!.run({ global: 1 }, -1);
  printed();
  return kernels.show!;
}

describe('launches that are enqueued at once', () => {
  test.each(['in order', 'out of order'])('%s', async (order) => {
    const show = await printer(session);
    const queue = session.context.createQueue({ outOfOrder: order === 'out of order' });
    const events = numbers.map((_, i) => {
      show.setArgs(i);
      return queue.enqueueNDRange(show, { global: 1 });
    });
    await Promise.all(events);
    const lines = `${printed()}`.trim().split('\n');
    if (order === 'out of order') lines.sort((a, b) => Number(a) - Number(b));
    expect(lines).toEqual(numbers);
    queue.release();
  });

  test('a blocking call waits for all', async () => {
    const show = await printer(session);
    for (const [i] of numbers.entries()) {
      show.setArgs(i);
      session.queue.enqueueNDRange(show, { global: 1 });
    }
    session.queue.finishSync();
    expect(`${printed()}`.trim().split('\n')).toEqual(numbers);
  });

  test.each([
    ['', undefined],
    [', in a context with little memory', 24 << 20],
  ])('one does not wait for those that wait for it%s', async (_, maxMemory) => {
    const own = await open({ device: 'software', ...(maxMemory && { maxMemory }) });
    const show = await printer(own);
    const gate = own.context.createUserEvent();
    const waiting = own.context.createQueue({ outOfOrder: true });
    const behind = numbers.slice(0, 100).map((_, i) => {
      show.setArgs(i);
      return waiting.enqueueNDRange(show, { global: 1 }, { waitFor: [gate] });
    });
    await show.run({ global: 1 }, 100);
    gate.complete();
    await Promise.all(behind);
    expect(`${printed()}`.trim().split('\n')).toHaveLength(101);
    own.close();
  });

  test('in a context with little memory', async () => {
    const small = await open({ device: 'software', maxMemory: 24 << 20 });
    const show = await printer(small);
    await Promise.all(numbers.slice(0, 40).map((_, i) => show.run({ global: 1 }, i)));
    expect(`${printed()}`.trim().split('\n')).toEqual(numbers.slice(0, 40));
    small.close();
  });
});

test('bytes are written as they are', async () => {
  const { kernels } = await session.build(
    'kernel void k(int c) { printf("\\xfe é %c%c|%s|%c\\n", 0xc3, 0xa9, "\\x80ü\\xff", c); }',
  );
  await kernels.k!.run({ global: 1 }, 200);
  const expected = ['\xfe ', Buffer.from('é é|'), '\x80', Buffer.from('ü'), '\xff|\xc8\n'];
  expect(printed()).toEqual(
    Buffer.concat(expected.map((each) => (typeof each === 'string' ? Buffer.from(each, 'latin1') : each))),
  );
});
