// SPDX-License-Identifier: MIT
//
// Command buffers on the software device: recorded once, enqueued often, their kernel runs changed in between.
import { type Context, type Device, platforms } from '../../ts';

const software: Device = platforms()
  .flatMap((platform) => platform.devices)
  .find((device) => device.type === 'software')!;

let context: Context;
beforeEach(() => {
  context = software.createContext();
});
afterEach(() => context.release());

async function addKernel() {
  const source = 'kernel void add(global int *x, int n) { x[get_global_id(0)] += n; }';
  return (await context.createProgram(source).build()).createKernel('add');
}

test('the device claims them', () => {
  expect(software.extensions).toEqual(
    expect.arrayContaining(['cl_khr_command_buffer', 'cl_khr_command_buffer_mutable_dispatch']),
  );
  expect(software.info('COMMAND_BUFFER_CAPABILITIES_KHR')).toBe(7);
  expect(software.info('COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR')).toBe(0);
  expect(software.info('MUTABLE_DISPATCH_CAPABILITIES_KHR')).toBe(31);
});

test.each([false, true])('commands are replayed in order (queue out of order: %s)', async (outOfOrder) => {
  const add = await addKernel();
  const queue = context.createQueue({ outOfOrder, profiling: true });
  const [x, y] = [context.createBuffer(Int32Array.of(1, 2)), context.createBuffer(new Int32Array(2))];
  const commands = context.createCommandBuffer([queue]);
  const first = commands.run(add, { global: 2 }, x, 10);
  const second = commands.run(add, { global: 1, after: [first] }, x, 100);
  commands.copy(x, y, { after: [second] });
  commands.finalize();
  expect(commands.emulated).toBe(false);
  const once = commands.enqueue();
  const twice = commands.enqueue();
  await Promise.all([once.wait(), twice.wait()]);
  expect(once.info('COMMAND_TYPE')).toBe(0x12a8);
  expect(Array.from(await y.read())).toEqual([221, 22]);
});

test('a run whose arguments overlap, or come to overlap, has code that allows for it', async () => {
  // Each work-item exchanges two bytes, if both arguments are one buffer.
  const source = `kernel void exchange(global const uchar *from, global uchar *to) {
    size_t i = get_global_id(0);
    to[3 * i] = from[3 * i + 1];
    to[3 * i + 1] = from[3 * i];
    to[3 * i + 2] = from[3 * i + 2];
  }`;
  const exchange = (await context.createProgram(source).build()).createKernel('exchange');
  const items = 50;
  const content = Uint8Array.from({ length: 3 * items }, (_, i) => i * 7);
  const moved = (inPlace: boolean) =>
    content.map((byte, i) => [content[i + 1]!, content[inPlace ? i : i - 1]!, byte][i % 3]!);
  const queue = context.createQueue();
  const copy = () => context.createBuffer(content);
  const [x, y, z] = [copy(), copy(), copy()];
  const commands = context.createCommandBuffer([queue], { mutable: true });
  const run = commands.run(exchange, { global: items, mutable: true }, x, y);
  commands.run(exchange, { global: items }, z, z);
  commands.finalize();
  await commands.enqueue();
  expect(Array.from(await x.read())).toEqual(Array.from(content));
  expect(Array.from(await y.read())).toEqual(Array.from(moved(false)));
  expect(Array.from(await z.read())).toEqual(Array.from(moved(true)));
  commands.update(run, { args: { 1: x } });
  await commands.enqueue();
  expect(Array.from(await x.read())).toEqual(Array.from(moved(true)));
  await x.write(content);
  commands.update(run, { args: { 1: y } });
  await commands.enqueue();
  expect(Array.from(await x.read())).toEqual(Array.from(content));
  expect(Array.from(await y.read())).toEqual(Array.from(moved(false)));
});

test('a mutable run tells its sizes, and changes them and its arguments', async () => {
  const add = await addKernel();
  const queue = context.createQueue();
  const [x, y] = [context.createBuffer(new Int32Array(4)), context.createBuffer(new Int32Array(4))];
  const commands = context.createCommandBuffer([queue], { mutable: true });
  const run = commands.run(add, { global: 4, local: 2, mutable: true }, x, 1);
  commands.finalize();
  await commands.enqueue();
  expect(commands.commandInfo(run, 'DISPATCH_GLOBAL_WORK_SIZE_KHR')).toEqual([4]);
  expect(commands.commandInfo(run, 'DISPATCH_LOCAL_WORK_SIZE_KHR')).toEqual([2]);
  commands.update(run, { global: 2, offset: 1, local: 1, args: { 0: y, 1: 5 } });
  expect(commands.commandInfo(run, 'DISPATCH_GLOBAL_WORK_SIZE_KHR')).toEqual([2]);
  expect(commands.commandInfo(run, 'DISPATCH_GLOBAL_WORK_OFFSET_KHR')).toEqual([1]);
  expect(commands.commandInfo(run, 'DISPATCH_DIMENSIONS_KHR')).toBe(1);
  expect(commands.commandInfo(run, 'COMMAND_COMMAND_TYPE_KHR')).toBe(0x11f0);
  await commands.enqueue();
  expect(Array.from(await x.read())).toEqual([1, 1, 1, 1]);
  expect(Array.from(await y.read())).toEqual([0, 5, 5, 0]);
});

test('updates need a buffer, and a run, that were made for them', async () => {
  const add = await addKernel();
  const queue = context.createQueue();
  const x = context.createBuffer(new Int32Array(4));
  const fixed = context.createCommandBuffer([queue]);
  expect(() => fixed.run(add, { global: 4, mutable: true }, x, 1)).toThrow(
    /CL_INVALID_OPERATION.*created with `mutable: true`/,
  );
  const first = fixed.run(add, { global: 4 }, x, 1);
  fixed.finalize();
  expect(() => fixed.update(first, { global: 2 })).toThrow('CL_INVALID_MUTABLE_COMMAND_KHR');
  const mutable = context.createCommandBuffer([queue], { mutable: true });
  const second = mutable.run(add, { global: 4 }, x, 1);
  mutable.finalize();
  expect(() => mutable.update(second, { global: 2 })).toThrow('CL_INVALID_MUTABLE_COMMAND_KHR');
  await mutable.enqueue();
  expect(Array.from(await x.read())).toEqual([1, 1, 1, 1]);
});

test('memory that the script releases stays until the command buffer is released', async () => {
  const queue = context.createQueue();
  const target = context.createBuffer(new Int32Array(4));
  const source = context.createBuffer(Int32Array.of(1, 2, 3, 4));
  let destroyed = false;
  source.onDestroy(() => {
    destroyed = true;
  });
  const commands = context.createCommandBuffer([queue]);
  commands.copy(source, target);
  commands.finalize();
  source.release();
  // It would get the memory, if that were free.
  const other = context.createBuffer(Int32Array.of(9, 9, 9, 9));
  await commands.enqueue();
  await commands.enqueue();
  expect(Array.from(await target.read())).toEqual([1, 2, 3, 4]);
  const another = context.createBuffer(Int32Array.of(8, 8, 8, 8));
  expect(Array.from(await other.read())).toEqual([9, 9, 9, 9]);
  expect(Array.from(await another.read())).toEqual([8, 8, 8, 8]);
  expect(destroyed).toBe(false);
  commands.release();
  await queue.finish();
  expect(destroyed).toBe(true);
});
