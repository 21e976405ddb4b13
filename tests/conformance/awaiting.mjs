// SPDX-License-Identifier: MIT
//
// Whatever is awaited ends, on drivers that do not call back when they should:
//     node tests/conformance/awaiting.mjs PLATFORM     a part of its name
// Prints the checks that passed; exit status 1 with the first that did not, 3 without the platform. A wait that does not
// end keeps the process.
import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { platforms } from 'anycl';

const name = process.argv[2] ?? '';
const device = platforms().find((platform) => platform.name.includes(name))?.devices[0];
if (!device) {
  console.error(`no platform '${name}'`);
  process.exit(3);
}

const context = device.createContext();
const queue = context.defaultQueue;
const program = await context
  .createProgram(`
    kernel void fill(global int *x, int v) { x[get_global_id(0)] = v; }
    kernel void spin(global volatile int *x, int n) { for (int i = 0; i < n; i++) x[0] = i; }`)
  .build();
const spin = program.createKernel('spin');
const fill = program.createKernel('fill');
const buffer = context.createBuffer(Int32Array, 4);
/** Mesa (25.0 and later) fails all commands of a queue after a failed one, as the specification allows. */
const queueGoesOn = !(
  device.platform.name === 'rusticl' && Number.parseInt(device.info('DRIVER_VERSION'), 10) > 22
);
/** Ends when all commands of a queue with failed ones have ended; then the queue may report that they failed. */
function drain(failed) {
  try {
    failed.finishSync();
  } catch (error) {
    if (queueGoesOn) throw error;
  }
}
const fails = (event, codeName) =>
  assert.rejects(Promise.resolve(event), codeName ? { codeName } : undefined);

const checks = {
  async 'a kernel, a queue with and without commands, and a transfer'() {
    await fill.run({ global: 4 }, buffer, 7);
    await queue.finish();
    await queue.finish();
    assert.deepEqual([...(await buffer.read())], [7, 7, 7, 7]);
  },
  async 'an event that was over before anybody asked'() {
    const event = queue.enqueueMarker();
    queue.finishSync();
    await event;
    await new Promise((resolve) => event.on('running', resolve));
  },
  async 'a user event, completed before and after it is awaited'() {
    const before = context.createUserEvent();
    before.complete();
    await before;
    const after = context.createUserEvent();
    const awaited = after.completed;
    await nextTurn();
    after.complete();
    await awaited;
  },
  async 'a user event that fails before and after it is awaited, for each listener once'() {
    const before = context.createUserEvent();
    before.fail(-5);
    await fails(before, 'CL_OUT_OF_RESOURCES');
    const after = context.createUserEvent();
    const told = [];
    after.on('complete', (error) => told.push(error?.codeName));
    const failed = fails(after.completed, 'CL_OUT_OF_RESOURCES');
    after.fail(-5);
    await failed;
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    assert.deepEqual(told, ['CL_OUT_OF_RESOURCES']);
  },
  ...(process.argv.includes('--no-dependents')
    ? {}
    : {
        async 'commands that wait for a user event that fails'() {
          const other = context.createQueue();
          const event = context.createUserEvent();
          const first = other.enqueueMarker({ waitFor: [event] });
          const second = other.enqueueMarker({ waitFor: [first] });
          const both = [fails(first.completed), fails(second.completed)];
          event.fail(-5);
          await Promise.all(both);
          assert.equal(first.status, 'failed');
          assert.equal(second.status, 'failed');
        },
        async 'commands that are enqueued to wait for an event that has failed, and those behind them'() {
          const other = context.createQueue();
          const event = context.createUserEvent();
          event.fail(-5);
          const waitFor = [event];
          await fails(other.enqueueMarker({ waitFor }).completed);
          await fails(buffer.read({ queue: other, waitFor }));
          await fails(other.enqueueMap(buffer, 'read', { waitFor }).completed);
          assert.throws(() => other.enqueueMarker({ waitFor }).waitSync());
          if (queueGoesOn) {
            assert.equal(buffer.readSync({ queue: other }).length, 4);
            await other.finish();
          } else await fails(buffer.read({ queue: other }));
          assert.equal(buffer.readSync().length, 4);
        },
        async 'commands that nobody holds and that fail with a user event, behind it and in its queue'() {
          const other = context.createQueue();
          for (let i = 0; i < 100; i++) {
            const event = context.createUserEvent();
            other.enqueueMarker({ waitFor: [event] }).release();
            fill.setArg(0, buffer).setArg(1, i);
            other.enqueueNDRange(fill, { global: 4 }, { event: false });
            other.enqueueMap(buffer, 'read');
            other.enqueueMarker().release();
            event.fail(-5);
          }
          drain(other);
        },
        async 'commands that fail just as what they wait for as well ends'() {
          const inOrder = context.createQueue();
          const outOfOrder = context.createQueue({ outOfOrder: true });
          const large = context.createBuffer(Uint8Array, 1 << 16);
          for (let i = 0; i < 1000; i++) {
            for (const other of [inOrder, outOfOrder]) {
              const event = context.createUserEvent();
              const ends = other.enqueueFill(large, Uint8Array.of(1));
              const waitFor = other === inOrder ? [event] : [event, ends];
              const never = other.enqueueFill(large, Uint8Array.of(2), { waitFor });
              event.fail(-5);
              if (i === 0) assert.throws(() => event.complete(), { codeName: 'CL_INVALID_OPERATION' });
              for (const object of [ends, never, event]) object.release();
            }
            if (i % 50 === 0) drain(inOrder);
          }
          drain(inOrder);
          drain(outOfOrder);
        },
        async 'commands that fail while what they wait for as well still runs'() {
          for (const failed of [false, true]) {
            for (const outOfOrder of [false, true]) {
              const other = context.createQueue({ outOfOrder });
              spin.setArg(0, buffer).setArg(1, 20_000_000);
              const running = other.enqueueNDRange(spin, { global: 1 });
              const event = context.createUserEvent();
              if (failed) event.fail(-5);
              const waitFor = outOfOrder ? [event, running] : [event];
              other.enqueueMarker({ waitFor }).release();
              if (!failed) event.fail(-5);
              await running;
              drain(other);
            }
          }
        },
      }),
};

for (const [text, check] of Object.entries(checks)) {
  await check();
  console.log(`passed: ${text}`);
}
