// SPDX-License-Identifier: MIT
//
// What launches leave for others: variables of the program, packets in pipes, lists in shared virtual memory.
import { openSync, type Session } from '../../ts';

let session: Session;
beforeAll(() => {
  session = openSync({ device: 'software' });
});
afterAll(() => session.close());

const OPTIONS = '-cl-std=CL3.0';
const range = <T>(count: number, of: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => of(i));

test('a variable of the program keeps its value, and each build has its own', async () => {
  const source = `global int total = 5; static global int hits[4];
    kernel void k(global int *o) {
      if (get_global_id(0) == 0) { total += 2; hits[1]++; o[0] = total; o[1] = hits[1]; }
    }`;
  const o = session.buffer(Int32Array, 2);
  const { kernels } = await session.build(source, OPTIONS);
  for (let i = 0; i < 3; i++) await kernels.k!.run({ global: 8, local: 8 }, o);
  expect([...(await o.read())]).toEqual([11, 3]);
  const { kernels: others } = await session.build(source, OPTIONS);
  await others.k!.run({ global: 1 }, o);
  expect([...(await o.read())]).toEqual([7, 1]);
});

test('kernels share a pointer of the program', async () => {
  const { kernels } = await session.build(
    `global float4 state[4] = { (float4)(1, 2, 3, 4) }; global float4 *global where = &state[1];
     kernel void a() {
       where[get_global_id(0)] = (float4)(get_global_id(0) + 0.5f);
       barrier(CLK_GLOBAL_MEM_FENCE);
       if (get_global_id(0) == 0) where = state;
     }
     kernel void b(global float *o) { vstore4(state[get_global_id(0)], get_global_id(0), o); o[16] = where == state; }`,
    OPTIONS,
  );
  const o = session.buffer(Float32Array, 17);
  await kernels.a!.run({ global: 2, local: 2 });
  await kernels.b!.run({ global: 4 }, o);
  expect([...(await o.read())]).toEqual([
    1,
    2,
    3,
    4,
    ...range(4, () => 0.5),
    ...range(4, () => 1.5),
    0,
    0,
    0,
    0,
    1,
  ]);
});

test('a pipe that is filled and emptied again and again', async () => {
  const pipe = session.context.createPipe(4, 8);
  const { kernels } = await session.build(
    `kernel void w(write_only pipe int p, int k) { for (int i = 0; i < 5; i++) { int v = k * 10 + i; write_pipe(p, &v); } }
     kernel void r(read_only pipe int p, global int *o) { int v, i = 0; while (read_pipe(p, &v) == 0) o[i++] = v; o[i] = -7; }`,
    OPTIONS,
  );
  const o = session.buffer(Int32Array, 16);
  for (let k = 0; k < 5; k++) {
    await kernels.w!.run({ global: 1 }, pipe, k);
    await kernels.r!.run({ global: 1 }, pipe, o);
    expect([...(await o.read())].slice(0, 6)).toEqual([...range(5, (i) => k * 10 + i), -7]);
  }
});

test('reservations of sub-groups', async () => {
  const pipe = session.context.createPipe(4, 64);
  const { kernels } = await session.build(
    `#pragma OPENCL EXTENSION cl_khr_subgroups : enable
     kernel void w(write_only pipe int p) {
       reserve_id_t id = sub_group_reserve_write_pipe(p, get_sub_group_size());
       if (!is_valid_reserve_id(id)) return;
       int v = get_global_id(0);
       write_pipe(p, id, get_sub_group_local_id(), &v);
       sub_group_commit_write_pipe(p, id);
     }
     kernel void r(read_only pipe int p, global int *o) { int v = -1; read_pipe(p, &v); o[get_global_id(0)] = v; }`,
    OPTIONS,
  );
  const o = session.buffer(Int32Array, 64);
  await kernels.w!.run({ global: 48, local: 16 }, pipe);
  await kernels.r!.run({ global: 64 }, pipe, o);
  expect([...(await o.read())].sort((a, b) => a - b)).toEqual([
    ...range(16, () => -1),
    ...range(48, (i) => i),
  ]);
});

test('a list in shared virtual memory', async () => {
  const memory = session.context.createSvm(16 * 64);
  const { kernels } = await session.build(
    `typedef struct N { global struct N *next; int v; } N;
     kernel void make(global N *n) { int g = get_global_id(0); n[g].v = g * g; n[g].next = g + 7 < 64 ? &n[g + 7] : 0; }
     kernel void sum(global N *n, global int *o) {
       int s = 0;
       for (global N *p = &n[get_global_id(0)]; p; p = p->next) s += p->v;
       o[get_global_id(0)] = s;
     }`,
    OPTIONS,
  );
  const o = session.buffer(Int32Array, 7);
  await kernels.make!.run({ global: 64 }, memory);
  await kernels.sum!.run({ global: 7 }, memory, o);
  const squares = range(64, (i) => i * i);
  expect([...(await o.read())]).toEqual(
    range(7, (g) => squares.filter((_, i) => i % 7 === g).reduce((a, b) => a + b)),
  );
  memory.free();
});
