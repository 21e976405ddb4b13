// SPDX-License-Identifier: MIT
//
// Pipes: reservations, packets that are structures, full and empty ones. Kernels that enqueue blocks, which enqueue others.
import { type Case, mix } from './case';

const PIPES: readonly Case[] = [
  {
    name: 'packets_of_structures',
    before: 'typedef struct { uint a; uchar b[3]; ulong c; } P;',
    parameters: ', write_only pipe P to, read_only pipe P from',
    body: `if (g == 0) { uint h = get_pipe_max_packets(to) * 3 + get_pipe_num_packets(to); for (uint i = 0; i < 9; i++) { P p = {i * 5, {i, i + 1, i + 2}, (ulong)in[i] << 20}; h = h * 31 + (write_pipe(to, &p) == 0); }
        for (uint i = 0; i < 3; i++) { P p; h = h * 31 + (read_pipe(from, &p) == 0); } o[0] = h; }`,
    global: 3,
    words: 1,
    // The specification leaves open when a packet that was written can be read by the same kernel: two pipes.
    values: (cl) => [cl.context.createPipe(16, 7), cl.context.createPipe(16, 4)],
    reference(o) {
      o[0] = [1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0].reduce(mix, 21);
    },
  },
  {
    name: 'reservations',
    parameters: ', write_only pipe uint2 to',
    body: `reserve_id_t id = reserve_write_pipe(to, g % 4 + 1); uint ok = is_valid_reserve_id(id); if (ok) { for (uint i = 0; i <= g % 4; i++) { uint2 v = (uint2)(g, i); ok += write_pipe(to, id, g % 4 - i, &v) == 0; } commit_write_pipe(to, id); } o[g] = ok;`,
    global: 13,
    words: 13,
    values: (cl) => [cl.context.createPipe(8, 64)],
    reference(o) {
      for (let g = 0; g < 13; g++) o[g] = (g % 4) + 2;
    },
  },
  {
    name: 'reservations_of_groups',
    parameters: ', write_only pipe ulong to',
    body: `reserve_id_t id = work_group_reserve_write_pipe(to, get_local_size(0)); uint ok = is_valid_reserve_id(id); if (ok) { ulong v = (ulong)g << 33; ok += write_pipe(to, id, get_local_size(0) - 1 - get_local_id(0), &v) == 0; work_group_commit_write_pipe(to, id); } reserve_id_t none = work_group_reserve_write_pipe(to, 1000); o[g] = ok * 2 + is_valid_reserve_id(none);`,
    global: 33,
    local: 11,
    words: 33,
    values: (cl) => [cl.context.createPipe(8, 40)],
    reference(o) {
      o.fill(4);
    },
  },
];

/** A queue on the device, the default one of the context. */
const withQueue = (queue: Omit<Case, 'values'>): Case => ({
  ...queue,
  values(cl) {
    cl.context.createQueue({ onDevice: { default: true } });
    return [];
  },
});

const QUEUES: readonly Omit<Case, 'values'>[] = [
  {
    name: 'blocks_in_blocks',
    body: `if (g == 0) { queue_t q = get_default_queue(); uint k = 5; enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(7), ^{ uint me = get_global_id(0), a = me * k; o[me] += a; if (me < 3) enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(2, 5, 5), ^{ uint x = get_global_id(0); atomic_add(&o[10 + x], a + k); if (x == 2 && me == 1) enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ o[20] = a * 100 + me + x; }); }); }); o[30] = 1; }`,
    global: 6,
    words: 31,
    reference(o) {
      for (let g = 0; g < 7; g++) o[g] = 5 * g;
      for (let x = 2; x < 7; x++) o[10 + x] = 0 + 5 + 10 + 15;
      o.set([503], 20);
      o[30] = 1;
    },
  },
  {
    name: 'chains_of_events',
    body: `if (g == 0) { queue_t q = get_default_queue(); clk_event_t user = create_user_event(), a, b, c, m; uint ok = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(9), 1, &user, &a, ^{ o[get_global_id(0)] = 3; }) == 0;
        ok += enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(9), 1, &a, &b, ^{ o[get_global_id(0)] *= 7; }) == 0; ok += enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(9), 1, &a, &c, ^{ o[9 + get_global_id(0)] = o[get_global_id(0)] != 0; }) == 0; clk_event_t two[2] = {b, c}; ok += enqueue_marker(q, 2, two, &m) == 0; retain_event(m);
        ok += enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(9), 1, &m, 0, ^{ o[get_global_id(0)] += o[9 + get_global_id(0)]; }) == 0; ok += is_valid_event(m); set_user_event_status(user, CL_COMPLETE); release_event(user); release_event(a); release_event(b); release_event(c); release_event(m); release_event(m); o[20] = ok; }`,
    global: 1,
    words: 21,
    reference(o) {
      o.fill(22, 0, 9);
      o.fill(1, 9, 18);
      o[20] = 6;
    },
  },
  {
    name: 'ranges_of_blocks',
    body: `if (g == 0) { queue_t q = get_default_queue(); size_t off[3] = {1, 2, 3}, all[3] = {4, 6, 2}, few[3] = {2, 3, 1}; ndrange_t r = ndrange_3D(off, all, few); void (^b)(void) = ^{ uint at = (get_global_id(2) - 3) * 24 + (get_global_id(1) - 2) * 4 + get_global_id(0) - 1; o[at] = get_local_id(0) + 10 * get_local_id(1) + 100 * get_group_id(1) + 1000 * get_num_groups(0) + 10000 * get_local_size(1) + 100000 * get_work_dim(); };
        o[50] = get_kernel_work_group_size(b) > 0; o[51] = get_kernel_preferred_work_group_size_multiple(b) > 0; o[52] = get_kernel_sub_group_count_for_ndrange(r, b) > 0; enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, r, b); }`,
    global: 5,
    words: 53,
    reference(o) {
      for (let at = 0; at < 48; at++) {
        const [x, y] = [at % 4, Math.trunc(at / 4) % 6];
        o[at] = (x % 2) + 10 * (y % 3) + 100 * Math.trunc(y / 3) + 2000 + 30000 + 300000;
      }
      o.fill(1, 50);
    },
  },
  {
    name: 'local_memory_of_blocks',
    before: '#pragma OPENCL EXTENSION cl_khr_device_enqueue_local_arg_types : enable',
    body: `enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(12, 6), ^(local uint *a, local uchar *b) { uint l = get_local_id(0); a[l] = in[get_global_id(0) + g]; b[5 - l] = l * 3; barrier(CLK_LOCAL_MEM_FENCE); o[12 * g + get_global_id(0)] = a[(l + 1) % 6] * 31 + b[l]; }, 24, 6);`,
    global: 5,
    words: 60,
    reference(o, input) {
      for (let g = 0; g < 5; g++)
        for (let x = 0; x < 12; x++) {
          const l = x % 6;
          o[12 * g + x] = mix(input[g + x - l + ((l + 1) % 6)]!, 3 * (5 - l));
        }
    },
  },
];

const plainBlocks: Case = {
  name: 'blocks_that_are_called',
  body: 'uint k = in[g] & 7; uint (^twice)(uint) = ^(uint x) { return x * 2 + k; }; uint4 v = vload4(0, in + g); uint (^at)(uint4, int) = ^uint(uint4 p, int i) { return i & 1 ? p.y : p.w; }; o[g] = twice(twice(g)) * 31 + at(v, k) + ^(uint z) { return z ^ k; }(v.x);',
  global: 63,
  words: 63,
  reference(o, input) {
    for (let g = 0; g < 63; g++) {
      const k = input[g]! & 7;
      o[g] = mix(2 * (2 * g + k) + k, k & 1 ? input[g + 1]! : input[g + 3]!) + ((input[g]! ^ k) >>> 0);
    }
  },
};

export const PIPES_AND_QUEUES: readonly Case[] = [...PIPES, ...QUEUES.map(withQueue), plainBlocks];
