// SPDX-License-Identifier: MIT
//
// One context over all devices of a platform:
//     node tests/conformance/several-devices.mjs PLATFORM     a part of its name
// Prints the checks that passed; exit status 1 with the first that did not, 3 if the platform has fewer than two devices.
import assert from 'node:assert/strict';
import { Context, OpenCLError, platforms } from 'anycl';

const name = process.argv[2] ?? '';
const devices = platforms().find((platform) => platform.name.includes(name))?.devices ?? [];
if (devices.length < 2) {
  console.error(`'${name}' has ${devices.length} devices: two are needed`);
  process.exit(3);
}

const SOURCE = `
kernel void scale(global int *x, int k) { x[get_global_id(0)] *= k; }
kernel void sum(global const int *x, global int *out) { atomic_add(out, x[get_global_id(0)]); }`;
const COUNT = 1024;
const numbers = Int32Array.from({ length: COUNT }, (_, i) => i);

const context = Context.create(devices);
const queues = devices.map((device) => context.createQueue({ device, profiling: true }));
const program = await context.createProgram(SOURCE).build();

const checks = {
  'the context and its queues know their devices'() {
    assert.deepEqual(context.info('DEVICES'), devices);
    assert.equal(context.info('NUM_DEVICES'), devices.length);
    for (const [i, queue] of queues.entries()) assert.equal(queue.info('DEVICE'), devices[i]);
  },
  'a program is built for each device'() {
    assert.equal(program.info('NUM_DEVICES'), devices.length);
    assert.equal(program.binaries.length, devices.length);
    for (const device of devices) assert.equal(program.buildInfo('BUILD_STATUS', device), 0);
    for (const binary of program.binaries) assert.ok(binary.length > 0);
  },
  async 'binaries for all devices make a program again'() {
    const again = await context.createProgramWithBinary(program.binaries).build();
    const x = context.createBuffer(numbers);
    for (const queue of queues) {
      queue.enqueueNDRange(again.createKernel('scale').setArgs(x, 2), { global: COUNT });
      await queue.finish();
    }
    assert.equal((await x.read())[1], 2 ** devices.length);
  },
  async 'a buffer goes from device to device, ordered by events'() {
    const x = context.createBuffer(numbers);
    let before = [];
    for (const [i, queue] of queues.entries()) {
      const kernel = program.createKernel('scale').setArgs(x, i + 2);
      before = [queue.enqueueNDRange(kernel, { global: COUNT }, { waitFor: before })];
      queue.flush();
    }
    const last = queues[0].enqueueRead(x, new Int32Array(COUNT), { waitFor: before });
    await last;
    const factor = devices.reduce((product, _, i) => product * (i + 2), 1);
    assert.deepEqual([...(await x.read())], [...numbers.map((n) => n * factor)]);
  },
  async 'memory is migrated to each device and to the host'() {
    const x = context.createBuffer(numbers);
    for (const queue of queues) {
      const moved = queue.enqueueMigrate([x]);
      await queue.enqueueNDRange(
        program.createKernel('scale').setArgs(x, -1),
        { global: COUNT },
        { waitFor: [moved] },
      );
      await queue.enqueueMigrate([x], { toHost: true });
    }
    assert.equal((await x.read())[COUNT - 1], (COUNT - 1) * (devices.length % 2 ? -1 : 1));
  },
  async 'a user event holds the queues of all devices back'() {
    const gate = context.createUserEvent();
    const outs = queues.map(() => context.createBuffer(new Int32Array(1)));
    const x = context.createBuffer(numbers);
    const events = queues.map((queue, i) =>
      queue.enqueueNDRange(
        program.createKernel('sum').setArgs(x, outs[i]),
        { global: COUNT },
        { waitFor: [gate] },
      ),
    );
    for (const queue of queues) queue.flush();
    for (const event of events) assert.notEqual(event.status, 'complete');
    gate.complete();
    await Promise.all(events);
    for (const out of outs) assert.equal((await out.read())[0], (COUNT * (COUNT - 1)) / 2);
  },
  async 'devices work at the same time on parts of their own'() {
    const align = Math.max(...devices.map((device) => device.info('MEM_BASE_ADDR_ALIGN') / 8));
    const bytes = Math.max(align, 4 * COUNT);
    const whole = context.createBuffer(new Int32Array((bytes / 4) * devices.length).fill(1));
    const parts = queues.map((_, i) => whole.sub((i * bytes) / 4, COUNT));
    await Promise.all(
      queues.map((queue, i) =>
        queue.enqueueNDRange(program.createKernel('scale').setArgs(parts[i], i + 5), { global: COUNT }),
      ),
    );
    for (const [i, part] of parts.entries()) {
      assert.deepEqual([...(await part.read({ queue: queues[i] }))], new Array(COUNT).fill(i + 5));
    }
  },
  'a kernel tells what it needs on each device'() {
    const kernel = program.createKernel('scale');
    for (const device of devices) assert.ok(kernel.workGroupInfo('WORK_GROUP_SIZE', device) > 0);
  },
  async 'a program that is built for one device runs on no other'() {
    const one = await context.createProgram(SOURCE).build('', [devices[0]]);
    const x = context.createBuffer(numbers);
    const kernel = one.createKernel('scale').setArgs(x, 3);
    await queues[0].enqueueNDRange(kernel, { global: COUNT });
    assert.throws(
      () => queues[1].enqueueNDRange(kernel, { global: COUNT }),
      (error) => error instanceof OpenCLError && error.codeName === 'CL_INVALID_PROGRAM_EXECUTABLE',
    );
  },
  'a queue on a device of another context is refused'() {
    const alone = Context.create([devices[0]]);
    assert.throws(
      () => alone.createQueue({ device: devices[1] }),
      (error) => error instanceof OpenCLError && error.codeName === 'CL_INVALID_DEVICE',
    );
    alone.release();
  },
};

let failed = 0;
for (const [what, check] of Object.entries(checks)) {
  try {
    await check();
    console.log(`passed: ${what}`);
  } catch (error) {
    failed++;
    console.log(`FAILED: ${what}\n${error.stack}`);
  }
}
process.exit(failed ? 1 : 0);
