// SPDX-License-Identifier: MIT
//
// Kernels that enqueue on the software device: blocks with captured variables and local memory, events, markers, nesting.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type CommandQueue, type Context, type Device, type Program, platforms } from '../../ts';
import { encode } from '../../ts/spirv/encode';
import { compiledModule } from '../helpers/compiled-module';

const software: Device = platforms()
  .flatMap((platform) => platform.devices)
  .find((device) => device.type === 'software')!;

let context: Context;
let deviceQueue: CommandQueue;
beforeEach(() => {
  context = software.createContext();
  deviceQueue = context.createQueue({ onDevice: { default: true }, profiling: true });
});
afterEach(() => context.release());

const build = (source: string): Promise<Program> => context.createProgram(source).build('-cl-std=CL2.0');

/** The contents of a buffer of numbers after a kernel. */
async function run(source: string, count: number, global = 1): Promise<number[]> {
  const program = await build(source);
  const kernel = program.createKernel('parent');
  const out = context.createBuffer(new Int32Array(count));
  await kernel.run({ global }, out);
  return Array.from(await out.read());
}

test('the device claims it', () => {
  expect(software.info('DEVICE_ENQUEUE_CAPABILITIES')).toBe(3);
  expect(software.info('OPENCL_C_FEATURES').map(({ name }) => name)).toContain('__opencl_c_device_enqueue');
  expect(software.extensions).toContain('cl_khr_device_enqueue_local_arg_types');
  expect(deviceQueue.info('SIZE')).toBe(software.info('QUEUE_ON_DEVICE_PREFERRED_SIZE'));
  expect(() => deviceQueue.enqueueMarker()).toThrow('CL_INVALID_COMMAND_QUEUE');
});

test('a block runs over its ND-range with what it has captured', async () => {
  const found = await run(
    `kernel void parent(global int *out) {
      int captured = 40;
      int4 vector = (int4)(1, 2, 3, 4);
      int status = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(5),
                     ^{ out[get_global_id(0)] = captured + vector.y + get_global_id(0) + 100 * get_global_offset(0); });
      if (status == CLK_SUCCESS) out[0] = 1;
    }`,
    6,
  );
  expect(found).toEqual([42, 43, 44, 45, 46, 0]);
});

test('every work-item enqueues, in groups and alone, in two and three dimensions', async () => {
  const found = await run(
    `kernel void parent(global int *out) {
      int me = get_global_id(0);
      size_t global_size[3] = {2, 3, 2}, local_size[3] = {2, 1, 2}, offset[3] = {0, 1, 0};
      ndrange_t range = me % 2 ? ndrange_2D(global_size) : ndrange_3D(offset, global_size, local_size);
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, range,
                     ^{ atomic_add(&out[me], get_work_dim() * 100 + (int)get_global_id(1)); });
    }`,
    4,
    4,
  );
  // 2 x 3 work-items with y from 0 on; 2 x 3 x 2 with y from 1 on.
  const two = 6 * 200 + 2 * (0 + 1 + 2);
  const three = 12 * 300 + 4 * (1 + 2 + 3);
  expect(found).toEqual([three, two, three, two]);
});

test('blocks have local memory of the sizes that are given', async () => {
  const found = await run(
    `kernel void parent(global int *out) {
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(8, 4),
        ^(local void *a, local void *b) {
          local int *x = a, *y = b;
          int i = get_local_id(0);
          x[i] = get_global_id(0);
          y[i] = 10 * i;
          barrier(CLK_LOCAL_MEM_FENCE);
          out[get_global_id(0)] = x[3 - i] + y[(i + 1) % 4];
        }, 4 * sizeof(int), (uint)(get_global_size(0) * 16));
    }`,
    8,
  );
  expect(found).toEqual([3 + 10, 2 + 20, 1 + 30, 0, 7 + 10, 6 + 20, 5 + 30, 4]);
});

test('kernels wait for events, markers, and user events that other kernels complete', async () => {
  const found = await run(
    `kernel void parent(global int *out) {
      queue_t queue = get_default_queue();
      clk_event_t gate = create_user_event(), first, second, marker;
      enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &gate, &first, ^{ out[0] = 5; });
      enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &first, &second, ^{ out[1] = out[0] * 2; });
      clk_event_t both[2] = {first, second};
      enqueue_marker(queue, 2, both, &marker);
      enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &marker, NULL, ^{ out[2] = out[0] + out[1]; });
      enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{
        out[3] = out[0] == 0;
        set_user_event_status(gate, CL_COMPLETE);
      });
      out[4] = is_valid_event(first) && is_valid_event(gate);
      retain_event(first);
      release_event(first);
      release_event(first);
      release_event(second);
      release_event(marker);
    }`,
    5,
  );
  expect(found).toEqual([5, 10, 15, 1, 1]);
});

test('what waits for a failed event fails, and the host’s event with it', async () => {
  const program = await build(`kernel void parent(global int *out) {
      clk_event_t gate = create_user_event();
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &gate, NULL, ^{ out[0] = 1; });
      set_user_event_status(gate, -1);
    }`);
  const out = context.createBuffer(new Int32Array(1));
  const event = program.createKernel('parent').run({ global: 1 }, out);
  await expect(event.wait()).rejects.toThrow('enqueued failed');
  expect(Array.from(await out.read())).toEqual([0]);
});

test('kernels enqueue kernels that enqueue; the host’s event waits for all of them, and so does its queue', async () => {
  const source = `
    void down(global int *out, int depth) {
      atomic_inc(&out[depth]);
      if (depth == 0) return;
      queue_t queue = get_default_queue();
      for (int i = 0; i < 2; i++)
        enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ LESS });
    }`;
  // Blocks cannot be recursive: each depth is a separate function.
  const levels = [0, 1, 2, 3, 4].map((depth) =>
    source
      .replace('void down', `void down${depth}`)
      .replace('LESS', depth === 0 ? '' : `down${depth - 1}(out, ${depth - 1});`),
  );
  const text = `${levels.join('')} kernel void parent(global int *out) { down4(out, 4); }`;
  expect(await run(text, 5)).toEqual([16, 8, 4, 2, 1]);
});

test('queues are arguments, too; a queue that is full or missing is an error of the call', async () => {
  const program = await build(`kernel void parent(global int *out, queue_t queue) {
      int done = 0;
      while (enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ atomic_inc(&out[1]); }) == CLK_SUCCESS) done++;
      out[0] = done;
    }
    kernel void without(global int *out) {
      out[0] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{});
    }`);
  const small = context.createQueue({ onDevice: { size: 16384 } });
  context.setDefaultDeviceQueue(small);
  deviceQueue.release();
  const out = context.createBuffer(new Int32Array(2));
  await program.createKernel('parent').run({ global: 1 }, out, small);
  const [enqueued, ran] = await out.read();
  expect(enqueued).toBeGreaterThan(100);
  expect(ran).toBe(enqueued);
  small.release();
  const other = software.createContext();
  const alone = await other.createProgram(program.info('SOURCE')).build('-cl-std=CL2.0');
  const status = other.createBuffer(new Int32Array(1));
  await alone.createKernel('without').run({ global: 1 }, status);
  expect(Array.from(await status.read())).toEqual([-101]);
  other.release();
});

test('times of what was enqueued, and queries of blocks', async () => {
  const found = await run(
    `kernel void parent(global int *out) {
      clk_event_t event;
      global ulong *times = (global ulong *)(out + 8);
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(64), 0, NULL, &event,
                     ^{ volatile int n = 0; for (int i = 0; i < 1000; i++) n += i; });
      capture_event_profiling_info(event, CLK_PROFILING_COMMAND_EXEC_TIME, times);
      out[0] = get_kernel_work_group_size(^{ out[0] = 1; });
      out[1] = get_kernel_preferred_work_group_size_multiple(^{ out[0] = 1; });
      release_event(event);
    }`,
    12,
  );
  expect(found.slice(0, 2)).toEqual([4096, 8]);
  const times = new BigUint64Array(Int32Array.from(found.slice(8)).buffer);
  expect(times[0]).toBeGreaterThan(0n);
  expect(times[1]).toBeGreaterThanOrEqual(times[0]!);
});

test('the commands after a kernel in its queue see what its kernels did', async () => {
  const program = await build(`kernel void parent(global int *out) {
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1000), ^{ atomic_inc(out); });
    }
    kernel void double_it(global int *out) { *out *= 2; }`);
  const out = context.createBuffer(new Int32Array(1));
  const queue = context.createQueue();
  const parent = program.createKernel('parent');
  const next = program.createKernel('double_it');
  parent.setArgs(out);
  next.setArgs(out);
  for (let i = 0; i < 3; i++) {
    queue.enqueueNDRange(parent, { global: 1 });
    queue.enqueueNDRange(next, { global: 1 });
  }
  expect(Array.from(await out.read({ queue }))).toEqual([14000]);
});

test('SPIR-V with 64-bit addresses enqueues as well', async () => {
  const module = compiledModule({
    name: 'parent.cl',
    text: `kernel void parent(global int *out) {
      clk_event_t event;
      size_t size[2] = {2, 2};
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_2D(size), 0, NULL, &event,
                     ^{ atomic_add(out, 1 + (int)get_global_linear_id()); });
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), 1, &event, NULL,
                     ^(local void *p) { *(local int *)p = *out; out[1] = *(local int *)p; }, 4);
    }`,
    options: '-cl-std=CL3.0',
    target: 'spir64',
  });
  const program = await context.createProgramWithIL(encode(module)).build();
  const out = context.createBuffer(new Int32Array(2));
  await program.createKernel('parent').run({ global: 1 }, out);
  expect(Array.from(await out.read())).toEqual([10, 10]);
  expect(program.kernelNames).toEqual(['parent']);
});

test('hundreds of launches wait for what they have enqueued, on a queue as large as the device has', async () => {
  context.createQueue({ onDevice: { default: true, size: software.info('QUEUE_ON_DEVICE_MAX_SIZE') } });
  const found = await run(
    `void descend(global int *out, int me, int depth) {
       atomic_inc(&out[me]);
       if (depth == 0) return;
       clk_event_t event;
       enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), 0, 0, &event,
                      ^{ descend(out, me, depth - 1); });
       release_event(event);
     }
     kernel void parent(global int *out) { descend(out, get_global_id(0), 24); }`,
    16,
    16,
  );
  expect(found).toEqual(new Array(16).fill(25));
});

test('the default queue lives as long as the context, also where the program does not keep it', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const other = software.createContext();
  other.createQueue({ onDevice: { default: true } });
  const program = await other
    .createProgram(
      'kernel void parent(global int *out) { *out = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ out[1] = 5; }); }',
    )
    .build('-cl-std=CL2.0');
  for (let i = 0; i < 3; i++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const out = other.createBuffer(new Int32Array(2));
  await program.createKernel('parent').run({ global: 1 }, out);
  expect(Array.from(await out.read())).toEqual([0, 5]);
  other.release();
});

test('256 work-items enqueue to all queues but the default one that a device may have, behind user events', async () => {
  const count = software.info('MAX_ON_DEVICE_QUEUES') - 1;
  const names = Array.from({ length: count }, (_, i) => `q${i}`);
  const program = await build(
    `kernel void parent(global int *out, global int *done, ${names.map((name) => `queue_t ${name}`).join(', ')}) {
      queue_t queues[] = {${names.join(', ')}};
      int me = get_global_id(0);
      clk_event_t gate = create_user_event(), ends[${count}];
      for (int i = 0; i < ${count}; i++)
        if (enqueue_kernel(queues[i], CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &gate, &ends[i], ^{ done[me * ${count} + i] = i; })) {
          out[me] = -1;
          set_user_event_status(gate, -1);
          return;
        }
      out[me] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ${count}, ends, 0, ^{
        for (int i = 0; i < ${count}; i++) out[me] += done[me * ${count} + i];
      });
      for (int i = 0; i < ${count}; i++) release_event(ends[i]);
      set_user_event_status(gate, CL_COMPLETE);
      release_event(gate);
    }`,
  );
  const bytes = software.info('QUEUE_ON_DEVICE_MAX_SIZE');
  const queues = names.map(() => context.createQueue({ onDevice: { size: bytes } }));
  const out = context.createBuffer(new Int32Array(256));
  const done = context.createBuffer(new Int32Array(256 * count));
  await program.createKernel('parent').run({ global: 256, local: 16 }, out, done, ...queues);
  expect(Array.from(await out.read())).toEqual(Array(256).fill((count * (count - 1)) / 2));
});

test('checked kernels keep events wherever they want', async () => {
  const checked = software.createContext({ check: 'all' });
  try {
    checked.createQueue({ onDevice: { default: true } });
    const program = await checked
      .createProgram(
        `kernel void parent(global int *out) {
          queue_t q = get_default_queue();
          clk_event_t events[3] = {create_user_event()};
          for (int i = 0; i < 2; i++)
            enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), 1, &events[i], &events[i + 1],
                           ^{ out[get_global_id(0)] = 2 * out[get_global_id(0)] + i; });
          retain_event(events[1]);
          set_user_event_status(events[0], CL_COMPLETE);
          for (int i = 0; i < 3; i++) release_event(events[i]);
          out[4] = is_valid_event(events[1]);
          release_event(events[1]);
        }`,
      )
      .build('-cl-std=CL2.0');
    const out = checked.createBuffer(Int32Array.of(1, 2, 3, 4, 0));
    const launch = program.createKernel('parent').run({ global: 1 }, out);
    await launch;
    expect(launch.faults).toEqual([]);
    expect(Array.from(await out.read())).toEqual([5, 9, 13, 17, 1]);
  } finally {
    checked.release();
  }
});

test('blocks enqueue to a queue that they have captured, without a default queue', async () => {
  deviceQueue.release();
  const queue = context.createQueue({ onDevice: {} });
  const program = await build(`kernel void parent(global int *out, queue_t queue) {
      enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
        out[0] = get_default_queue() == CLK_NULL_QUEUE;
        out[1] = enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
          out[2] = enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ out[3] = 5; });
        });
      });
    }`);
  const out = context.createBuffer(Int32Array.of(7, 7, 7, 7));
  await program.createKernel('parent').run({ global: 1 }, out, queue);
  expect(Array.from(await out.read())).toEqual([1, 0, 0, 5]);
  queue.release();
});

test('a list of events that does not fit their number is an error of the call', async () => {
  const found = await run(
    `kernel void parent(global int *out) {
      queue_t queue = get_default_queue();
      clk_event_t event = create_user_event(), marker;
      out[0] = enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, NULL, NULL, ^{ out[6] = 1; });
      out[1] = enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, &event, NULL, ^{ out[6] = 1; });
      out[2] = enqueue_marker(queue, 0, NULL, &marker);
      out[3] = enqueue_marker(queue, 0, &event, &marker);
      out[4] = enqueue_marker(queue, 1, NULL, &marker);
      out[5] = enqueue_marker(queue, 1, &event, NULL);
      set_user_event_status(event, CL_COMPLETE);
      release_event(event);
    }`,
    7,
  );
  expect(found).toEqual([-101, -101, -101, -101, -101, 0, 0]);
});

test('sizes of ND-ranges are in any memory', async () => {
  const found = await run(
    `kernel void parent(global int *out) {
      local size_t few[2];
      size_t *some = few;
      some[0] = 1;
      some[1] = 2;
      global size_t *all = (global size_t *)out;
      all[0] = 2;
      all[1] = 4;
      ndrange_t range = ndrange_2D(all, few);
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, range,
                     ^{ out[get_global_linear_id()] = get_local_size(0) + 10 * get_local_size(1); });
    }`,
    9,
  );
  expect(found).toEqual([21, 21, 21, 21, 21, 21, 21, 21, 0]);
});

test.each([{}, { check: 'all' }, { robust: true }] as const)(
  'blocks capture images and samplers (%j)',
  async (options) => {
    const other = software.createContext(options);
    try {
      other.createQueue({ onDevice: { default: true } });
      const program = await other
        .createProgram(
          `kernel void parent(global int *out, read_only image2d_t from, write_only image2d_t to, sampler_t sampler) {
          enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(8), ^{
            int x = get_global_id(0);
            uint texel = read_imageui(from, sampler, (float2)(x + 0.5f, 1.5f)).x;
            write_imageui(to, (int2)(x, 1), (uint4)(texel + 1));
            if (x == 7)
              enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{
                out[0] = get_image_width(to) * 100 + read_imageui(from, (int2)(x, 1)).x;
              });
          });
        }`,
        )
        .build('-cl-std=CL2.0');
      const texels = Uint8Array.from({ length: 16 }, (_, i) => i);
      const [from, to] = [texels, new Uint8Array(16)].map((data) =>
        other.createImage({ format: 'r8ui', width: 8, height: 2 }, data),
      );
      const sampler = other.createSampler({ addressing: 'clamp', filter: 'nearest', normalized: false });
      const out = other.createBuffer(new Int32Array(1));
      const launch = program.createKernel('parent').run({ global: 1 }, out, from, to, sampler);
      await launch;
      expect(launch.faults ?? []).toEqual([]);
      expect(Array.from(await out.read())).toEqual([815]);
      expect(Array.from((await to!.read()) as Uint8Array)).toEqual([
        0, 0, 0, 0, 0, 0, 0, 0, 9, 10, 11, 12, 13, 14, 15, 16,
      ]);
    } finally {
      other.release();
    }
  },
);
