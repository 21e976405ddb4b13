// SPDX-License-Identifier: MIT
//
// Programs with a planted fault: `//!` names what is reported at its line.
import { type KernelValue, local, openSync, type Session, type TypedArray } from '../../ts';

interface Program {
  readonly source: string;
  readonly launch: (
    buffer: (data: TypedArray) => KernelValue,
    cl: Session,
  ) => readonly [Range, ...(KernelValue | null)[]];
  readonly options?: string;
}
interface Range {
  readonly global: number[];
  readonly local?: number[];
}

const range = (global: number | number[], size?: number): Range => ({
  global: [global].flat(),
  ...(size === undefined ? {} : { local: [size] }),
});
const floats = (n: number) => Float32Array.from({ length: n }, (_, i) => i);
const ints = (n: number, at = (i: number) => i) => Int32Array.from({ length: n }, (_, i) => at(i));

const PROGRAMS: Readonly<Record<string, Program>> = {
  'columns of rows that are too short': {
    source: `
kernel void k(global int *a, int rows, int pitch) {
  int x = get_global_id(0);
  for (int i = 1; i < rows; i++) a[i * pitch + x] = x; //!race
}`,
    launch: (buffer) => [range(32, 8), buffer(ints(400)), 10, 31],
  },
  'a stride that is too short': {
    source: `
kernel void k(global int *a, int n, int stride) {
  int x = get_global_id(0);
  for (int i = x; i < n; i += stride) a[i] = x; //!race
}`,
    launch: (buffer) => [range(32, 8), buffer(ints(300)), 300, 30],
  },
  'the last of the strides': {
    source: `
kernel void k(global const int *a, global int *o, int n) {
  for (int i = get_global_id(0); i <= n; i += get_global_size(0))
    o[i] = a[i]; //!out-of-bounds
}`,
    launch: (buffer) => [range(32, 8), buffer(ints(300)), buffer(ints(301)), 300],
  },
  'row over': {
    source: `
kernel void k(global float *o) {
  float a[3][4];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) a[i][j] = j;
  int i = get_global_id(0);
  o[i] = a[1][i]; //!index-out-of-bounds
}`,
    launch: (buffer) => [range(8), buffer(floats(8))],
  },
  'row over in an argument': {
    source: `
kernel void k(global int (*rows)[8], global int *o, int n) {
  int i = get_global_id(0);
  o[i] = rows[i][n]; //!index-out-of-bounds
}`,
    launch: (buffer) => [range(7), buffer(ints(64)), buffer(ints(8)), 8],
  },
  'row over in a member that a pointer leads to': {
    source: `
typedef struct { int n; int a[4]; } T;
kernel void k(global T *t, global int *o) {
  int i = get_global_id(0);
  global int (*a)[4] = &t->a;
  o[i] = (*a)[i & 3];
  o[i] += (*a)[i]; //!index-out-of-bounds
}`,
    launch: (buffer) => [range(7), buffer(ints(10)), buffer(ints(8))],
  },
  'a vector of which one component is used': {
    source: `
kernel void k(global float *o, global const float *p) {
  int i = get_global_id(0);
  o[i] = vload4(0, p + i).x; //!out-of-bounds
}`,
    launch: (buffer) => [range(8), buffer(floats(8)), buffer(floats(10))],
  },
  'a component of a private vector': {
    source: `
kernel void k(global float *o) {
  float own[8];
  int i = get_global_id(0);
  for (int j = 0; j < 8; j++) own[j] = j;
  o[i] = vload4(0, own + i).x; //!out-of-bounds
}`,
    launch: (buffer) => [range(8), buffer(floats(8))],
  },
  'a race with a component that nothing uses': {
    source: `
kernel void k(global float *o, local float *t) {
  int l = get_local_id(0);
  t[l] = l;
  if (l < 4) t[l + 32] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  float4 v = vload4(0, t + l); //!race
  t[l] = v.x;                  //!race
  o[l] = 0;
}`,
    launch: (buffer) => [range(32, 32), buffer(floats(32)), local(160)],
  },
  'a used component that was never written': {
    source: `
kernel void k(global float *o, local float *t) {
  if (get_local_id(0) < 2) t[get_local_id(0)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  float4 v = vload4(0, t); //!uninitialized
  o[get_global_id(0)] = v.x + v.z;
}`,
    launch: (buffer) => [range(8, 8), buffer(floats(8)), local(16)],
  },
  'local arg': {
    source: `
kernel void k(global float *o, local float *t) {
  int l = get_local_id(0);
  t[l] = l; //!out-of-bounds
  barrier(CLK_LOCAL_MEM_FENCE);
  o[l] = t[0];
}`,
    launch: (buffer) => [range(32, 32), buffer(floats(32)), local(64)],
  },
  'priv over': {
    source: `
kernel void k(global int *o) {
  int a[4];
  int i = get_global_id(0);
  for (int j = 0; j <= 4; j++)
    a[j] = j; //!out-of-bounds
  o[i] = a[i & 3];
}`,
    launch: (buffer) => [range(4), buffer(ints(4))],
  },
  indirect: {
    source: `
kernel void k(global const int *p, global float *y) {
  int i = get_global_id(0);
  y[p[i]] = i; //!out-of-bounds
}`,
    launch: (buffer) => [range(8), buffer(ints(8, (i) => i * 3)), buffer(floats(8))],
  },
  'const over': {
    source: `
constant int t[4] = {1, 2, 3, 4};
kernel void k(global int *o) {
  int i = get_global_id(0);
  o[i] = t[i]; //!out-of-bounds
}`,
    launch: (buffer) => [range(8), buffer(ints(8))],
  },
  'struct over': {
    source: `
typedef struct { int a[4]; int n; } S;
kernel void k(global S *s) {
  int i = get_global_id(0);
  s->a[i] = 1; //!index-out-of-bounds
}`,
    launch: (buffer) => [range(5), buffer(ints(5))],
  },
  'atomic over': {
    source: `
kernel void k(global const int *x, global int *h) {
  int i = get_global_id(0);
  atomic_inc(&h[x[i]]); //!out-of-bounds
}`,
    launch: (buffer) => [range(16), buffer(ints(16)), buffer(ints(8))],
  },
  'tail tile': {
    source: `
kernel void k(global const float *a, global float *o) {
  local float t[18];
  int l = get_local_id(0), i = get_global_id(0);
  t[l + 1] = a[i];
  if (l == 0) t[0] = a[i];
  if (l == 15)
    t[17] = a[i + 1]; //!out-of-bounds
  barrier(CLK_LOCAL_MEM_FENCE);
  o[i] = t[l] + t[l + 2];
}`,
    launch: (buffer) => [range(32, 16), buffer(floats(32)), buffer(floats(32))],
  },
  'async over': {
    source: `
kernel void k(global const int *x, global int *o) {
  local int t[32];
  event_t e = async_work_group_copy(t, x + get_group_id(0) * 32, 32, 0); //!out-of-bounds
  wait_group_events(1, &e);
  o[get_global_id(0)] = t[get_local_id(0)];
}`,
    launch: (buffer) => [range(64, 32), buffer(ints(60)), buffer(ints(64))],
  },
  'null call': {
    source: `
int get(global int *p) {
  return *p; //!null-pointer
}
kernel void k(global int *o) {
  int i = get_global_id(0);
  global int *p = i == 2 ? 0 : o + i;
  o[i] = get(p);
}`,
    launch: (buffer) => [range(4), buffer(ints(4))],
  },
  'wild int': {
    source: `
kernel void k(global int *o) {
  global int *p = (global int *)(size_t)0x7ffff0;
  o[get_global_id(0)] = *p; //!no-object|out-of-bounds|null
}`,
    launch: (buffer) => [range(1), buffer(ints(4))],
  },
  'misalign vec': {
    source: `
kernel void k(global float *c, global float4 *o) {
  int i = get_global_id(0);
  o[i] = *(global float4 *)(c + 1); //!misaligned
}`,
    launch: (buffer) => [range(1), buffer(floats(16)), buffer(floats(4))],
  },
  'dangling block': {
    source: `
kernel void k(global int *o) {
  int *p;
  {
    int y[4] = {1, 2, 3, 4};
    p = y;
  }
  o[get_global_id(0)] = p[2]; //!uninitialized
}`,
    launch: (buffer) => [range(2), buffer(ints(2))],
    options: '-cl-std=CL3.0',
  },
  'uninit var': {
    source: `
kernel void k(global const int *x, global int *o) {
  int i = get_global_id(0);
  int v;
  if (x[i] > 4) v = 1;
  o[i] = v; //!uninitialized
}`,
    launch: (buffer) => [range(8), buffer(ints(8)), buffer(ints(8))],
    options: '-w',
  },
  'uninit local': {
    source: `
kernel void k(global int *o) {
  local int t[32];
  int l = get_local_id(0);
  if (l < 16) t[l] = l;
  barrier(CLK_LOCAL_MEM_FENCE);
  o[l] = t[31 - l]; //!uninitialized
}`,
    launch: (buffer) => [range(32, 32), buffer(ints(32))],
  },
  'uninit branch': {
    source: `
kernel void k(global int *o) {
  int n;
  int i = get_global_id(0);
  if (n > i) //!uninitialized
    o[i] = 1;
}`,
    launch: (buffer) => [range(8), buffer(ints(8))],
    options: '-w',
  },
  'uninit member': {
    source: `
typedef struct { int a, b; } S;
kernel void k(global S *o) {
  S s;
  s.a = 1;
  o[get_global_id(0)] = s; //!uninitialized
}`,
    launch: (buffer) => [range(2), buffer(ints(4))],
    options: '-w',
  },
  'race reduce': {
    source: `
kernel void k(global const int *x, global int *o) {
  local int t[64];
  int l = get_local_id(0);
  t[l] = x[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = 32; s > 0; s >>= 1) {
    if (l < s) t[l] += t[l + s]; //!race
  }
  if (l == 0) o[0] = t[0];
}`,
    launch: (buffer) => [range(64, 64), buffer(ints(64)), buffer(ints(1))],
  },
  'race second tile': {
    source: `
kernel void k(global const int *x, global int *o) {
  local int t[32];
  int l = get_local_id(0), s = 0;
  for (int m = 0; m < 2; m++) {
    t[l] = x[m * 32 + l]; //!race
    barrier(CLK_LOCAL_MEM_FENCE);
    s += t[31 - l]; //!race
  }
  o[l] = s;
}`,
    launch: (buffer) => [range(32, 32), buffer(ints(64)), buffer(ints(32))],
  },
  'race wrong fence': {
    source: `
kernel void k(global int *o) {
  local int t[64];
  int l = get_local_id(0);
  t[l] = l;
  barrier(CLK_GLOBAL_MEM_FENCE);
  o[l] = t[63 - l]; //!race
}`,
    launch: (buffer) => [range(64, 64), buffer(ints(64))],
  },
  'race groups': {
    source: `
kernel void k(global int *a) {
  int i = get_global_id(0), n = get_global_size(0);
  int v = a[(i + 1) % n]; //!race
  barrier(CLK_GLOBAL_MEM_FENCE);
  a[i] = v; //!race
}`,
    launch: (buffer) => [range(64, 16), buffer(ints(64))],
  },
  'race scatter': {
    source: `
kernel void k(global const int *p, global int *o) {
  int i = get_global_id(0);
  o[p[i]] = i; //!race
}`,
    launch: (buffer) => [range(64), buffer(ints(64, (i) => i >> 1)), buffer(ints(64))],
  },
  'race mixed': {
    source: `
kernel void k(global int *c) {
  int i = get_global_id(0);
  atomic_inc(c);
  if (i == 5)
    c[0] = 0; //!race
}`,
    launch: (buffer) => [range(16), buffer(ints(1))],
  },
  'race byte': {
    source: `
kernel void k(global uchar *a) {
  int i = get_global_id(0);
  a[i >> 1] |= (i & 1) ? 0xf0 : 0x0f; //!race
}`,
    launch: (buffer) => [range(64), buffer(new Uint8Array(32))],
  },
  'div loop': {
    source: `
kernel void k(global int *o) {
  int l = get_local_id(0);
  for (int i = 0; i < l % 3 + 1; i++)
    barrier(CLK_LOCAL_MEM_FENCE); //!divergent-barrier
  o[l] = l;
}`,
    launch: (buffer) => [range(32, 32), buffer(ints(32))],
  },
  'div copy': {
    source: `
kernel void k(global int *x, global int *o) {
  local int t[16];
  int l = get_local_id(0);
  event_t e = 0;
  if (l == 0)
    e = async_work_group_copy(t, x, 16, 0); //!divergent-copy
  wait_group_events(1, &e);
  o[l] = t[l];
}`,
    launch: (buffer) => [range(16, 16), buffer(ints(16)), buffer(ints(16))],
  },
  unwaited: {
    source: `
kernel void k(global int *x, global int *o) {
  local int t[16];
  event_t e = async_work_group_copy(t, x, 16, 0); //!raceunwaited
  barrier(CLK_LOCAL_MEM_FENCE);
  o[get_local_id(0)] = t[get_local_id(0)]; //!race
}`,
    launch: (buffer) => [range(16, 16), buffer(ints(16)), buffer(ints(16))],
    options: '-w',
  },
  'img write': {
    source: `
kernel void k(write_only image2d_t a) {
  int2 p = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(a, p, (float4)1); //!image-out-of-bounds
}`,
    launch: (_, cl) => [range([16, 16]), cl.context.createImage({ width: 13, height: 16, format: 'rgba8' })],
  },
  'printf bad': {
    source: `
kernel void k(global float *x) {
  printf("%d\\n", x[0]); //!printf-format
}`,
    launch: (buffer) => [range(1), buffer(floats(1))],
    options: '-w',
  },
  'assert bad': {
    source: `
kernel void k(global const int *x) {
  int i = get_global_id(0);
  assert(x[i] < 10); //!assertion
}`,
    launch: (buffer) => [range(16), buffer(ints(16))],
  },
};

/** Kernels that enqueue others. */
const DEVICE_SIDE: Readonly<Record<string, Program>> = {
  'block over': {
    source: `
kernel void k(global int *o, int n) {
  if (get_global_id(0) == 0)
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(n), ^{
      o[get_global_id(0)] = 1; //!no-object
    });
}`,
    launch: (buffer) => [range(1), buffer(ints(8)), 9],
    options: '-cl-std=CL2.0',
  },
  'block in a block': {
    source: `
kernel void k(global int *o, int n) {
  if (get_global_id(0) == 0)
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2), ^{
      if (get_global_id(0) == 1)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(n), ^{
          o[get_global_id(0) & 3] += 1; //!race
        });
    });
}`,
    launch: (buffer) => [range(4), buffer(ints(8)), 8],
    options: '-cl-std=CL2.0',
  },
};

/** The lines with a mark, and the kinds of faults that it names. */
const marks = (source: string): [number, string[]][] =>
  source.split('\n').flatMap((line, k): [number, string[]][] => {
    const kinds = /\/\/!(\S+)/.exec(line)?.[1];
    return kinds === undefined ? [] : [[k + 1, kinds.split('|')]];
  });

let cl: Session;
beforeAll(() => {
  cl = openSync({ device: 'software', check: 'all' });
});
afterAll(() => cl.close());

async function isFound({ source, launch, options = '' }: Program): Promise<void> {
  const { k } = (await cl.build(source, options)).kernels;
  const [sizes, ...args] = launch((data) => cl.buffer(data), cl);
  for (const [at, value] of args.entries()) k!.setArg(at, value as KernelValue);
  const event = cl.queue.enqueueNDRange(k!, sizes);
  await event;
  const marked = marks(source);
  const found = event.faults.filter(({ kind, place }) =>
    marked.some(([line, kinds]) => place?.line === line && kinds.includes(kind)),
  );
  if (found.length === 0) expect(event.faults.map(({ text }) => text)).toEqual(marked);
}

test.each(Object.entries(PROGRAMS))('%s', (_, program) => isFound(program));

describe('blocks that kernels enqueue', () => {
  beforeEach(() => {
    queue = cl.context.createQueue({ onDevice: { default: true } });
  });
  afterEach(() => queue.release());
  let queue: { release(): void };

  const faultsOf = async (name: string, n: number, global: readonly number[]) => {
    const { k } = (await cl.build(DEVICE_SIDE[name]!.source, '-cl-std=CL2.0')).kernels;
    const event = cl.queue.enqueueNDRange(k!.setArgs(cl.buffer(ints(8)), n), { global });
    await event;
    return event.faults;
  };

  test.each(Object.entries(DEVICE_SIDE))('%s', (_, program) => isFound(program));

  test('a report names the function that the block is in, its place, and the captured variable', async () => {
    const [fault, ...others] = await faultsOf('block over', 9, [1]);
    expect(others).toEqual([]);
    const { kernel, block, text } = fault!;
    expect(kernel).toBe('k');
    const column = DEVICE_SIDE['block over']!.source.split('\n')[3]!.indexOf('^') + 1;
    expect(block).toMatchObject({ line: 4, column });
    expect(text).toMatch(/error: the kernel writes 4 bytes through captured 'o' at the address 0x/);
    expect(text).toMatch(new RegExp(` of the block in 'k' at [^ ]*:4:${column}$`, 'm'));
  });

  test('a race is in the buffer of a captured variable', async () => {
    const faults = await faultsOf('block in a block', 8, [4]);
    for (const { kernel, message, object } of faults) {
      expect(kernel).toBe('k');
      expect(object).toEqual({ kind: 'other', name: 'o' });
      expect(message).toMatch(/4 bytes of the buffer of captured 'o': byte \d+ of 32/);
    }
    expect(faults).not.toEqual([]);
  });
});
