// SPDX-License-Identifier: MIT
//
// cl_khr_initialize_memory on the software device: local and private memory is 0 where nothing was written to it, although
// kernels before have left something else there.
import { type Context, type Device, local, OpenCLError, platforms } from '../../ts';

const SOURCE = `
// Fills all memory of a group and its work-items with ones.
kernel void soil(global int *out, local int *argument) {
  local int own[256];
  volatile int mine[100];
  for (int i = 0; i < 100; i++) mine[i] = -1;
  for (int i = get_local_id(0); i < 256; i += get_local_size(0)) own[i] = argument[i] = -1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = own[get_local_id(0)] + mine[get_global_id(0) % 100] + argument[get_local_id(0)];
}
kernel void look_at_local(global int *out, local int *argument) {
  local int own[128];
  int sum = 0;
  for (int i = 0; i < 128; i++) sum |= own[i] | argument[i];
  out[get_global_id(0)] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  own[get_local_id(0)] = argument[get_local_id(0)] = -1;
}
// Each work-item sees the counts of the work-items before it in its group, and none of other groups.
kernel void count_in_local(global int *out, local int *argument) {
  local int counter;
  out[get_global_id(0)] = atomic_inc(&counter);
  argument[0] = -1;
}
struct mixed { char a; double b; int c[3]; };
kernel void look_at_private(global int *out, local int *argument) {
  int scalar;
  int4 vector;
  int some[8], many[100];
  char bytes[77];
  struct mixed record;
  int sum = scalar | vector.x | vector.w | record.a | (int)record.b | record.c[2];
  for (int i = 0; i < 8; i++) sum |= some[i ^ out[0]];
  for (int i = 0; i < 100; i++) sum |= many[(i + out[0]) % 100];
  for (int i = 0; i < 77; i++) sum |= bytes[(i + out[0]) % 77];
  out[get_global_id(0)] = sum;
}`;

const software: Device = platforms()
  .flatMap((platform) => platform.devices)
  .find((device) => device.type === 'software')!;

async function found(context: Context, kernel: string, global = 96, size = 16): Promise<number[]> {
  const program = context.createProgram(SOURCE);
  await program.build('-cl-std=CL3.0');
  const queue = context.createQueue();
  const out = context.createBuffer(Int32Array, global);
  const soil = program.createKernel('soil');
  const look = program.createKernel(kernel);
  for (const each of [soil, look]) each.setArgs(out, local(1024));
  queue.enqueueNDRange(soil, { global, local: size });
  queue.enqueueFill(out, Int32Array.of(0));
  queue.enqueueNDRange(look, { global, local: size });
  return Array.from(await out.read({ queue }));
}

const zeros = (count: number) => new Array<number>(count).fill(0);

test.each(['local', 'both'] as const)('%s: every group finds local memory zeroed', async (initialize) => {
  const context = software.createContext({ initialize });
  expect(await found(context, 'look_at_local')).toEqual(zeros(96));
  const counted = await found(context, 'count_in_local', 20, 8);
  const sorted = [counted.slice(0, 8), counted.slice(8, 16), counted.slice(16)].map((g) =>
    g.sort((a, b) => a - b),
  );
  expect(sorted).toEqual([
    [0, 1, 2, 3, 4, 5, 6, 7],
    [0, 1, 2, 3, 4, 5, 6, 7],
    [0, 1, 2, 3],
  ]);
  context.release();
});

test.each(['private', 'both'] as const)(
  '%s: every work-item finds private memory zeroed',
  async (initialize) => {
    const context = software.createContext({ initialize });
    expect(await found(context, 'look_at_private')).toEqual(zeros(96));
    context.release();
  },
);

test('without it nothing is zeroed', async () => {
  const context = software.createContext();
  expect(await found(context, 'look_at_local')).not.toEqual(zeros(96));
  context.release();
});

test('the property has two bits', () => {
  const wrong = () => software.createContext({ properties: [[0x2030, 4]] });
  expect(wrong).toThrow(OpenCLError);
  expect(wrong).toThrow('CL_INVALID_PROPERTY');
});
