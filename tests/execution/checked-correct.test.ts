// SPDX-License-Identifier: MIT
//
// Everyday programs that are correct: locks, queues, scans, tiles, asynchronous copies, pipes, atomics that order, device-side queues. The
// checks of `all` find nothing in them, neither in a first launch nor in a later one.
import { type KernelValue, local, openSync, type Session, type TypedArray } from '../../ts';

type Launch = readonly [
  kernel: string,
  range: { readonly global: number | readonly number[]; readonly local?: number | readonly number[] },
  ...KernelValue[],
];
interface Program {
  readonly source: string;
  readonly launches: (buffer: (data: TypedArray) => KernelValue, cl: Session) => readonly Launch[];
  readonly options?: string;
}

const floats = (n: number) => Float32Array.from({ length: n }, (_, i) => i);
const ints = (n: number, at = (i: number) => i) => Int32Array.from({ length: n }, (_, i) => at(i));
const words = (n: number, at = (i: number) => i) => Uint32Array.from({ length: n }, (_, i) => at(i));

const PROGRAMS: Readonly<Record<string, Program>> = {
  'columns and strides': {
    source: `
kernel void columns(global float *a, int rows, int columns) {
  int x = get_global_id(0);
  if (x >= columns) return;
  for (int i = 1; i < rows; i++) a[i * columns + x] += a[(i - 1) * columns + x];
}
kernel void strides(global const float *a, global float *o, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) o[i] += a[i] * 2;
}
`,
    launches: (buffer) => [
      ['columns', { global: 32, local: 8 }, buffer(floats(600)), 20, 30],
      ['strides', { global: 64, local: 16 }, buffer(floats(1000)), buffer(floats(1000)), 1000],
    ],
  },
  'look-back scan': {
    source: `
kernel void k(global const int *a, global int *o, global atomic_int *flags, global int *sums, global int *ends) {
  local int base;
  int l = get_local_id(0), last = get_local_size(0) - 1, g = get_group_id(0);
  int v = work_group_scan_inclusive_add(a[get_global_id(0)]);
  if (l == last) {
    int before = 0;
    sums[g] = v;
    if (g > 0) atomic_store_explicit(&flags[g], 1, memory_order_release, memory_scope_device);
    for (int i = g - 1; i >= 0;) {
      int flag = atomic_load_explicit(&flags[i], memory_order_acquire, memory_scope_device);
      if (flag == 2) {
        before += ends[i];
        break;
      }
      if (flag == 1) before += sums[i--];
    }
    ends[g] = before + v;
    atomic_store_explicit(&flags[g], 2, memory_order_release, memory_scope_device);
    base = before;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  o[get_global_id(0)] = base + v;
}
`,
    launches: (buffer, cl) => [
      [
        'k',
        { global: 128, local: 32 },
        buffer(ints(128)),
        cl.buffer(Int32Array, 128),
        buffer(new Int32Array(4)),
        cl.buffer(Int32Array, 4),
        cl.buffer(Int32Array, 4),
      ],
    ],
    options: '-cl-std=CL2.0',
  },
  'tree reduce': {
    source: `
kernel void k(global const float *x, global float *o, local float *t, int n) {
  int l = get_local_id(0), i = get_global_id(0);
  t[l] = i < n ? x[i] : 0;
  for (int s = get_local_size(0) / 2; s > 0; s >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < s) t[l] += t[l + s];
  }
  if (l == 0) o[get_group_id(0)] = t[0];
}
`,
    launches: (buffer) => [
      ['k', { global: 256, local: 64 }, buffer(floats(200)), buffer(floats(4)), local(256), 200],
    ],
  },
  'pointers to the ends of rows': {
    source: `
struct S { int head; int a[3]; int tail; };
kernel void k(global int (*rows)[8], global int *o, global struct S *s) {
  int i = get_global_id(0), own[3][4], sum = 0;
  for (int j = 0; j < 12; j++) own[j / 4][j % 4] = j;
  int *end = &own[1][4];
  for (int *p = own[1]; p != end; p++) sum += *p;
  sum += end[-1] + *(&own[2][4] - 1) + (&rows[i][8])[-1] + (&s[i].a[3])[-2];
  global int *all = rows[0];
  for (int j = 0; j < 56; j++) sum += all[j];
  global int (*last)[8] = rows + 8;
  o[i] = sum + last[-1][7];
}
`,
    launches: (buffer) => [
      ['k', { global: 7 }, buffer(ints(64)), buffer(ints(7)), buffer(new Uint8Array(7 * 20))],
    ],
  },
  'components that nobody wrote, and nothing uses': {
    source: `
typedef struct { float4 at; float weight, unused; } Point;
kernel void k(global float *o, local float *t, global Point *p) {
  int l = get_local_id(0);
  if (l < 2) t[l * 3] = l;
  Point own;
  own.at.xy = (float2)(l, 1);
  own.weight = 2;
  p[l].at.x = l;
  p[l].weight = own.weight;
  barrier(CLK_LOCAL_MEM_FENCE);
  float4 v = vload4(0, t);
  vload4(0, t + 1);
  Point copy = p[l];
  float4 at = p[l].at;
  o[l] = v.x + v.w + own.at.y + copy.weight + at.x;
}
`,
    launches: (buffer, cl) => [
      ['k', { global: 8, local: 8 }, buffer(floats(8)), local(20), cl.buffer(8 * 32)],
    ],
  },
  packed: {
    source: `
typedef struct __attribute__((packed)) {
  char c;
  int v;
  short s;
} P;
kernel void k(global P *p, global int *o) {
  int i = get_global_id(0);
  o[i] = p[i].v + p[i].s + p[i].c;
  p[i].v = i;
}
`,
    launches: (buffer) => [['k', { global: 8 }, buffer(new Uint8Array(56)), buffer(ints(8))]],
  },
  'pointer ptr': {
    source: `
void put(global int **p, int v) {
  **p = v;
  (*p)++;
}
kernel void k(global int *o) {
  global int *p = o + get_global_id(0) * 4;
  for (int i = 0; i < 4; i++) put(&p, i);
}
`,
    launches: (buffer) => [['k', { global: 16 }, buffer(ints(64))]],
  },
  spin: {
    source: `
kernel void k(global int *lock, global int *n) {
  for (int i = 0; i < 4; i++) {
    bool done = false;
    while (!done) {
      if (atomic_cmpxchg(lock, 0, 1) == 0) {
        n[0]++;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(lock, 0);
        done = true;
      }
    }
  }
}
`,
    launches: (buffer) => [['k', { global: 4, local: 1 }, buffer(ints(1)), buffer(ints(1))]],
  },
  'queue append': {
    source: `
kernel void k(global const int *x, global int *q, global int *count, int n) {
  int i = get_global_id(0);
  if (i < n && x[i] % 3 == 0) q[atomic_inc(count)] = x[i];
}
`,
    launches: (buffer) => [['k', { global: 64 }, buffer(ints(60)), buffer(ints(64)), buffer(ints(1)), 60]],
  },
  'last group': {
    source: `
kernel void k(global const int *x, global int *part, global int *done, global int *out) {
  local int t[32];
  local int last;
  int l = get_local_id(0);
  t[l] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 16; s > 0; s >>= 1) {
    if (l < s) t[l] += t[l+s];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) {
    part[get_group_id(0)] = t[0];
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_device);
    last = atomic_fetch_add_explicit((global atomic_int*)done, 1, memory_order_acq_rel, memory_scope_device) == get_num_groups(0) - 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (last && l == 0) {
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_device);
    int s = 0;
    for (int i = 0; i < get_num_groups(0); i++) s += part[i];
    *out = s;
  }
}
`,
    launches: (buffer) => [
      ['k', { global: 128, local: 32 }, buffer(ints(128)), buffer(ints(4)), buffer(ints(1)), buffer(ints(1))],
    ],
    options: '-cl-std=CL3.0',
  },
  'subgroup local': {
    source: `
kernel void k(global int *x) {
  local int t[64];
  int l = get_local_id(0);
  t[l] = x[l];
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  int first = l - get_sub_group_local_id();
  int s = 0;
  for (int i = 0; i < get_sub_group_size(); i++) s += t[first + i];
  x[l] = s;
}
`,
    launches: (buffer) => [['k', { global: 64, local: 64 }, buffer(ints(64))]],
    options: '-cl-std=CL3.0',
  },
  enqueue: {
    source: `
kernel void k(global int *x) {
  int i = get_global_id(0);
  if (i == 0) {
    queue_t q = get_default_queue();
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(16), ^{ x[get_global_id(0) + 16] = get_global_id(0); });
  }
  x[i] = i;
}
`,
    launches: (buffer) => [['k', { global: 16 }, buffer(ints(32))]],
    options: '-cl-std=CL3.0',
  },
  'async copy': {
    source: `
kernel void k(global const int *x, global int *o) {
  local int t[32];
  event_t e = async_work_group_copy(t, x + get_group_id(0) * 32, 32, 0);
  wait_group_events(1, &e);
  int l = get_local_id(0);
  int v = t[31 - l];
  barrier(CLK_LOCAL_MEM_FENCE);
  t[l] = v;
  barrier(CLK_LOCAL_MEM_FENCE);
  e = async_work_group_copy(o + get_group_id(0) * 32, t, 32, 0);
  wait_group_events(1, &e);
}
`,
    launches: (buffer) => [['k', { global: 96, local: 32 }, buffer(ints(96)), buffer(ints(96))]],
  },
  'double buffer': {
    source: `
kernel void k(global const int *x, global int *o, int n) {
  local int t[2][32];
  int l = get_local_id(0), cur = 0, s = 0;
  t[0][l] = x[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 1; i <= n; i++) {
    if (i < n) t[1 - cur][l] = x[i * 32 + l];
    s += t[cur][31 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    cur = 1 - cur;
  }
  o[l] = s;
}
`,
    launches: (buffer) => [['k', { global: 32, local: 32 }, buffer(ints(128)), buffer(ints(32)), 4]],
  },
  'bytes tail': {
    source: `
kernel void k(global const uchar *s, global uchar *d, int n) {
  int i = get_global_id(0) * 3;
  for (int j = 0; j < 3 && i + j < n; j++) d[i + j] = s[i + j] ^ 0x20;
}
`,
    launches: (buffer) => [['k', { global: 16 }, buffer(new Uint8Array(47)), buffer(new Uint8Array(47)), 47]],
  },
  'atomic float': {
    source: `
void add(volatile global float *p, float v) {
  union {
    uint u;
    float f;
  }
  o, n;
  do {
    o.f = *p;
    n.f = o.f + v;
  } while (atomic_cmpxchg((volatile global uint *)p, o.u, n.u) != o.u);
}
kernel void k(global const float *x, global float *s) {
  add(s, x[get_global_id(0)]);
}
`,
    launches: (buffer) => [['k', { global: 64 }, buffer(floats(64)), buffer(floats(1))]],
  },
  ticket: {
    source: `
kernel void k(global atomic_int *t, global int *o) {
  int m = atomic_fetch_add(t, 1);
  o[m] = get_global_id(0);
}
`,
    launches: (buffer) => [['k', { global: 64 }, buffer(ints(1)), buffer(ints(64))]],
    options: '-cl-std=CL3.0',
  },
  'flag release': {
    source: `
kernel void k(global int *data, global atomic_int *flag, global int *o) {
  if (get_group_id(0) == 0) {
    data[0] = 42;
    atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
  } else if (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device)) o[0] = data[0];
}
`,
    launches: (buffer) => [['k', { global: 2, local: 1 }, buffer(ints(1)), buffer(ints(1)), buffer(ints(1))]],
    options: '-cl-std=CL3.0',
  },
  'image in place': {
    source: `
kernel void k(read_write image2d_t a) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(a, p, read_imagef(a, p) * 0.5f);
}
`,
    launches: (_, cl) => [
      [
        'k',
        { global: [8, 8] },
        cl.context.createImage({ width: 8, height: 8, format: 'rgba8' }, new Uint8Array(256)),
      ],
    ],
    options: '-cl-std=CL3.0',
  },
  wavefront: {
    source: `
kernel void k(global const int *x, global int *m, int d, int n) {
  int j = get_global_id(0);
  int i = d - j;
  if (j < n && i >= 0 && i < n) m[i*n+j] = x[i*n+j] + max(i ? m[(i-1)*n+j] : 0, j ? m[i*n+j-1] : 0);
}
`,
    launches: (buffer) => {
      const x = buffer(ints(64)),
        m = buffer(ints(64));
      return Array.from({ length: 15 }, (_, d): Launch => ['k', { global: 8 }, x, m, d, 8]);
    },
  },
  'radix pass': {
    source: `
kernel void k(global const uint *in, global uint *out) {
  local uint f[64], z;
  int l = get_local_id(0);
  uint v = in[l];
  for (int b = 0; b < 4; b++) {
    f[l] = !((v >> b) & 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
      uint s = 0;
      for (int i = 0; i < 64; i++) {
        uint q = f[i];
        f[i] = s;
        s += q;
      }
      z = s;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint at = (v >> b) & 1 ? z + l - f[l] : f[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[at] = v;
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
    v = out[l];
    barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE);
  }
}
`,
    launches: (buffer) => [
      ['k', { global: 64, local: 64 }, buffer(words(64, (i) => (i * 7) & 15)), buffer(words(64))],
    ],
  },
  'generic ptr': {
    source: `
int get(int *p) {
  return *p;
}
kernel void k(global int *g) {
  local int l[8];
  int p = 5;
  int i = get_local_id(0);
  l[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  g[i] = get(&g[i]) + get(&l[7 - i]) + get(&p);
}
`,
    launches: (buffer) => [['k', { global: 8, local: 8 }, buffer(ints(8))]],
    options: '-cl-std=CL3.0',
  },
  pipes: {
    source: `
kernel void w(write_only pipe int p, global const int *x) {
  int v = x[get_global_id(0)];
  write_pipe(p, &v);
}
kernel void r(read_only pipe int p, global int *o) {
  int v;
  if (read_pipe(p, &v) == 0) o[get_global_id(0)] = v;
}
`,
    launches: (buffer, cl) => {
      const p = cl.context.createPipe(4, 32);
      return [
        ['w', { global: 16 }, p, buffer(ints(16))],
        ['r', { global: 16 }, p, buffer(ints(16))],
      ];
    },
    options: '-cl-std=CL3.0',
  },
  escape: {
    source: `
int *pick(int *a, int *b, int c) {
  return c ? a : b;
}
kernel void k(global int *o) {
  int x = 1, y = 2;
  int i = get_global_id(0);
  *pick(&x, &y, i & 1) = i;
  o[i] = x * 10 + y;
}
`,
    launches: (buffer) => [['k', { global: 16 }, buffer(ints(16))]],
  },
  'nested struct': {
    source: `
typedef struct {
  float4 m[3];
  int n;
} X;
typedef struct {
  X x;
  short t[5];
} Y;
kernel void k(global Y *y) {
  int i = get_global_id(0);
  y[i].x.m[2].y += 1;
  y[i].x.n++;
  y[i].t[4] = i;
  Y c = y[i];
  c.t[0] = 9;
  y[i] = c;
}
`,
    launches: (buffer) => [['k', { global: 4 }, buffer(new Uint8Array(4 * 80))]],
  },
};

let cl: Session;
beforeAll(() => {
  cl = openSync({ device: 'software', check: 'all' });
  cl.context.createQueue({ onDevice: { default: true } });
});
afterAll(() => cl.close());

test.each(Object.entries(PROGRAMS))('%s', async (_, { source, launches, options = '' }) => {
  const { kernels } = await cl.build(source, options);
  for (let round = 0; round < 2; round++)
    for (const [name, { global, local: size }, ...args] of launches((data) => cl.buffer(data), cl)) {
      const kernel = kernels[name]!;
      for (const [at, value] of args.entries()) kernel.setArg(at, value);
      const range = { global: [global].flat(), ...(size === undefined ? {} : { local: [size].flat() }) };
      const event = cl.queue.enqueueNDRange(kernel, range);
      await event;
      expect(event.faults.map(({ text }) => text)).toEqual([]);
    }
});
