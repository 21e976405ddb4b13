// SPDX-License-Identifier: MIT
//
// Checked runs: each kind of fault is reported at its line, with the work-items and the object; correct kernels have none.

import { type Fault, type KernelValue, local, OpenCLError, openSync, type Session } from '../../ts';
import { compile } from '../../ts/compiler/compile';
import { encode } from '../../ts/spirv/encode';

const FAULTS = `
float helper(global const float *p, int i) {
  return p[i];                                         // line 3
}
kernel void read_behind(global float *out, global const float *in, int n) {
  int i = get_global_id(0);
  out[i] = helper(in, i + n);
}
kernel void write_before(global int *out) {
  out[(int)get_global_id(0) - 2] = 1;                  // line 10
}
kernel void private_array(global int *out) {
  int a[4], n = get_global_id(0);
  for (int i = 0; i <= 4; i++) a[i] = i;               // line 14
  out[n] = a[n & 3];
}
kernel void local_array(global int *out) {
  local int a[8];
  a[get_local_id(0) + 1] = 1;                          // line 19
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = 0;
}
kernel void local_argument(global int *out, local int *a) {
  a[get_local_id(0) * 2] = 1;                          // line 24
  out[get_global_id(0)] = 0;
}
kernel void null(global int *out, global int *nothing) {
  out[get_global_id(0)] = nothing[get_global_id(0)];   // line 28
}
kernel void from_integer(global int *out) {
  out[get_global_id(0)] = *(global int *)0x7ffffff0;   // line 31
}
kernel void misaligned(global int *out, global int *in) {
  out[get_global_id(0)] = *(global int *)((global char *)in + 2); // line 34
}
kernel void never_set(global int *out, int n) {
  int x, i = get_global_id(0);
  if (i < n) x = 2;
  out[i] = x;                                          // line 39
}
kernel void never_written(global int *out, global int *empty) {
  out[get_global_id(0)] = empty[get_global_id(0)];     // line 42
}
kernel void half_of_an_array(global int *out) {
  int a[4], n = get_global_id(0);
  a[n & 1] = 3;
  out[n] = a[n & 3];                                   // line 47
}
kernel void no_barrier(global int *out) {
  local int tmp[8];
  int i = get_local_id(0);
  tmp[i] = i;                                          // line 52
  out[get_global_id(0)] = tmp[7 - i];                  // line 53
}
kernel void wrong_fence(global int *out) {
  int i = get_global_id(0);
  out[i] = i;                                          // line 57
  barrier(CLK_LOCAL_MEM_FENCE);
  if (out[i ^ 1] == 77) out[0] = 1;                    // line 59
}
kernel void between_groups(global int *out) {
  out[0] += get_global_id(0);                          // line 62
}
kernel void not_atomic(global int *out) {
  if (get_global_id(0) == 0) out[0] = 5;               // line 65
  else atomic_inc(out);                                // line 66
}
kernel void divergent(global int *out) {
  if (get_local_id(0) < 3) barrier(CLK_LOCAL_MEM_FENCE); // line 69
  out[get_global_id(0)] = 1;
}
kernel void two_barriers(global int *out) {
  if (get_local_id(0) < 3) barrier(CLK_LOCAL_MEM_FENCE);
  else barrier(CLK_LOCAL_MEM_FENCE);                   // line 74
  out[get_global_id(0)] = 1;
}
`;

const CORRECT = `
kernel void sum(global int *out, local int *tmp) {
  int i = get_local_id(0);
  tmp[i] = out[get_global_id(0)];
  for (int n = get_local_size(0) / 2; n > 0; n /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n) tmp[i] += tmp[i + n];
  }
  if (i == 0) out[get_global_id(0)] = tmp[0];
}
kernel void same_value(global int *out, local int *tmp) { out[0] = 1; *tmp = 2; }
kernel void counting(global int *out, local int *tmp) {
  if (get_local_id(0) == 0) *tmp = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(tmp);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) atomic_add(out, *tmp);
}
// The last group adds up what the others have written.
kernel void last_group(global int *out, local int *tmp) {
  int groups = get_num_groups(0);
  if (get_local_id(0) != 0) return;
  out[1 + get_group_id(0)] = 3;
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  if (atomic_inc(out) != groups) return;
  int sum = 0;
  for (int i = 0; i < groups; i++) sum += out[1 + i];
  out[1] = sum;
}
struct pair { char a; int b; int c[2]; };
struct pair made(int b) { struct pair p; p.a = 1; p.b = b; return p; }
kernel void padding(global int *out, local int *tmp) {
  struct pair p = made(3), q = p;
  float4 v;
  v.xyz = (float3)(1, 2, 3);
  v *= 2;
  int3 w = convert_int3(v.xyz);
  out[get_global_id(0)] = q.b + w.z;
}
kernel void pointers(global int *out, local int *tmp) {
  int mine[2] = {1, 2};
  int *p = get_global_id(0) & 1 ? mine : mine + 1;
  int *other = p;
  *other += 1;
  vstore2((int2)(mine[0], mine[1]), 0, mine);
  out[get_global_id(0)] = mine[0];
}
kernel void copies(global int *out, local int *tmp) {
  event_t e = async_work_group_copy(tmp, out + get_group_id(0) * get_local_size(0), get_local_size(0), 0);
  wait_group_events(1, &e);
  out[get_global_id(0)] = tmp[get_local_id(0)] + 1;
}
`;

const MORE = `
struct s { int a; char b[4]; int c; };
kernel void member(global int *out, local int *tmp) {
  struct s mine = {1, {2, 3, 4, 5}, 6};
  out[get_global_id(0)] = mine.b[get_local_id(0)];       // line 5
}
kernel void row(global int *out, local int *tmp) {
  int a[4][4];
  for (int i = 0; i < 16; i++) a[i / 4][i % 4] = i;
  out[get_global_id(0)] = a[1][get_local_id(0)];         // line 10
}
kernel void reads(global int *out, global const int *in) { out[get_global_id(0)] = in[get_global_id(0)]; }
`;
const ATOMICS = `
kernel void components(global int4 *out, local int *tmp) {
  int i = get_global_id(0);
  if (i < 4) { if (i & 1) out[i / 2].xy = (int2)(i); else out[i / 2].zw = (int2)(i); }
}
kernel void failed_exchange(global int *out, local int *tmp) {
  if (get_local_id(0) == 0) tmp[0] = 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tmp[0];
  atomic_cmpxchg(tmp, 9, 1);
}
kernel void last_item(global atomic_int *out, local int *tmp) {
  local atomic_int count;
  if (get_local_id(0) == 0) atomic_init(&count, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  tmp[get_local_id(0)] = 1;
  if (atomic_fetch_add(&count, 1) < get_local_size(0) - 1) return;
  int sum = 0;
  for (int i = 0; i < get_local_size(0); i++) sum += tmp[i];
  atomic_store(out + get_group_id(0), sum);
}
`;

let session: Session;
beforeAll(() => {
  session = openSync({ device: 'software', check: 'all' });
});
afterAll(() => session.close());

/** The faults of 16 work-items in two groups. */
function faultsOf(source: string, name: string, ...args: readonly KernelValue[]): readonly Fault[] {
  const kernel = session.buildSync(source, '-cl-std=CL2.0').createKernel(name);
  kernel.setArgs(...args);
  const event = session.queue.enqueueNDRange(kernel, { global: [16], local: [8] });
  event.waitSync();
  return event.faults;
}

const ints = () => session.buffer(new Int32Array(16).fill(1));
const floats = () => session.buffer(new Float32Array(16));

interface Expected {
  readonly kind: Fault['kind'];
  readonly line: number;
  readonly object?: string;
  readonly byte?: number;
  readonly item?: number;
  readonly otherLine?: number;
}

const EXPECTED: Readonly<
  Record<string, { args?: () => readonly KernelValue[]; faults: readonly Expected[] }>
> = {
  read_behind: {
    args: () => [floats(), floats(), 3],
    faults: [{ kind: 'out-of-bounds', line: 3, object: 'in', byte: 64, item: 13 }],
  },
  write_before: { faults: [{ kind: 'out-of-bounds', line: 10, object: 'out', byte: -8, item: 0 }] },
  private_array: { faults: [{ kind: 'out-of-bounds', line: 14, object: 'a', byte: 16 }] },
  local_array: { faults: [{ kind: 'out-of-bounds', line: 19, object: 'a', byte: 32, item: 7 }] },
  local_argument: {
    args: () => [ints(), local(32)],
    faults: [{ kind: 'out-of-bounds', line: 24, object: 'a', byte: 32, item: 4 }],
  },
  null: { args: () => [ints(), null], faults: [{ kind: 'null-pointer', line: 28 }] },
  from_integer: { faults: [{ kind: 'no-object', line: 31 }] },
  misaligned: {
    args: () => [ints(), ints()],
    faults: [{ kind: 'misaligned', line: 34, object: 'in', byte: 2 }],
  },
  never_set: { args: () => [ints(), 4], faults: [{ kind: 'uninitialized', line: 39, item: 4 }] },
  never_written: {
    args: () => [ints(), session.buffer(Int32Array, 16)],
    faults: [{ kind: 'uninitialized', line: 42, object: 'empty', byte: 0 }],
  },
  half_of_an_array: { faults: [{ kind: 'uninitialized', line: 47, object: 'a', item: 2 }] },
  no_barrier: {
    faults: [{ kind: 'race', line: 52, otherLine: 53, object: 'tmp' }],
  },
  wrong_fence: { faults: [{ kind: 'race', line: 59, otherLine: 57, object: 'out' }] },
  between_groups: { faults: [{ kind: 'race', line: 62, otherLine: 62, object: 'out' }] },
  not_atomic: { faults: [{ kind: 'race', line: 66, otherLine: 65, object: 'out' }] },
  divergent: { faults: [{ kind: 'divergent-barrier', line: 69, otherLine: 71, item: 0 }] },
  two_barriers: { faults: [{ kind: 'divergent-barrier', line: 74, otherLine: 73, item: 3 }] },
};

describe('planted faults', () => {
  test.each(Object.entries(EXPECTED))('%s', (name, { args, faults }) => {
    const found = faultsOf(FAULTS, name, ...(args?.() ?? [ints()]));
    for (const { kind, line, object, byte, item, otherLine } of faults) {
      const fault = found.find((each) => each.kind === kind && each.place?.line === line);
      expect({ found: found.map(({ text }) => text), fault: fault?.kind }).toMatchObject({ fault: kind });
      if (object !== undefined) expect(fault!.object?.name).toBe(object);
      if (byte !== undefined) expect(fault!.byte).toBe(byte);
      if (item !== undefined) expect(fault!.item?.global[0]).toBe(item);
      if (otherLine !== undefined) expect(fault!.other?.place?.line).toBe(otherLine);
    }
    // A fault is reported as what it is, and does not cause others.
    const kinds = new Set(faults.map(({ kind }) => kind));
    expect(
      found
        .filter(({ kind }) => !kinds.has(kind) && !(name === 'no_barrier' && kind === 'uninitialized'))
        .map(({ text }) => text),
    ).toEqual([]);
  });

  test.each([
    ['member', 5, 4],
    ['row', 10, 4],
  ])('an array in a larger object has an end: %s', (name, line, count) => {
    const found = faultsOf(MORE, name, ints(), local(64));
    expect(found).toMatchObject([{ kind: 'index-out-of-bounds', place: { line } }]);
    expect(found[0]!.message).toContain(`index 4 is outside of an array of ${count} elements`);
  });

  test('buffers that kernels may only read or only write', () => {
    const out = session.buffer(new Int32Array(16), { access: 'read-only' });
    const input = session.buffer(new Int32Array(16), { access: 'write-only' });
    const found = faultsOf(MORE, 'reads', out, input);
    expect(found.map(({ kind, object }) => [kind, object?.name]).sort()).toEqual([
      ['forbidden-access', 'in'],
      ['forbidden-access', 'out'],
    ]);
  });

  test.each([
    [
      'write',
      [
        ['mapped-access', 'in'],
        ['mapped-access', 'out'],
      ],
    ],
    ['read', [['mapped-access', 'out']]],
  ] as const)('buffers that the host has mapped to %s', async (mode, expected) => {
    const out = ints();
    const input = session.buffer(new Int32Array(64).fill(1));
    const mappings = [await out.map(mode), await input.map(mode, { offset: 2, length: 1 })];
    const found = faultsOf(MORE, 'reads', out, input);
    expect(found.map(({ kind, object }) => [kind, object?.name]).sort()).toEqual(expected);
    expect(found.find(({ object }) => object?.name === 'out')!.message).toMatch(
      /^the kernel writes 4 bytes of argument 'out', whose buffer the host has mapped: /,
    );
    // A part that is not mapped may be read.
    const part = input.sub(32, 8);
    expect(faultsOf(MORE, 'reads', ints(), part).filter(({ kind }) => kind === 'mapped-access')).toEqual([]);
    for (const mapping of mappings) await mapping.unmap();
    expect(faultsOf(MORE, 'reads', out, input)).toEqual([]);
  });

  test('a buffer may be mapped until a launch begins, and as soon as it has ended', async () => {
    const [out, input] = [ints(), ints()];
    const kernel = session.buildSync(MORE, '-cl-std=CL2.0').createKernel('reads');
    kernel.setArgs(out, input);
    const before = await input.map('write');
    const unmapped = before.unmap();
    const event = session.queue.enqueueNDRange(kernel, { global: [16], local: [8] });
    const after = await out.map('write');
    expect([...(await unmapped, await event, event.faults)]).toEqual([]);
    await after.unmap();
    const freed = ints();
    await freed.map('write');
    freed.release();
    for (let i = 0; i < 4; i++) expect(faultsOf(MORE, 'reads', ints(), ints())).toEqual([]);
  });

  test('faults outside of a buffer change nothing else', () => {
    const [before, buffer, after] = [ints(), ints(), ints()];
    faultsOf(FAULTS, 'write_before', buffer);
    for (const other of [before, after]) expect([...other.readSync()]).toEqual(Array(16).fill(1));
  });

  test('sub-buffers end where they end', () => {
    const whole = session.buffer(new Int32Array(64));
    const part = whole.sub(32, 8);
    const found = faultsOf('kernel void k(global int *p) { p[get_global_id(0)] = 1; }', 'k', part);
    expect(found).toMatchObject([{ kind: 'out-of-bounds', byte: 32, objectBytes: 32, count: 8 }]);
  });

  test('the report is a diagnostic', () => {
    const [fault] = faultsOf(FAULTS, 'write_before', ints());
    expect(fault!.text).toBe(
      `<source>:10:36: error: the kernel writes 4 bytes outside of argument 'out': element -2 of 16 [out-of-bounds]
      out[(int)get_global_id(0) - 2] = 1;                  // line 10
                                       ^
  note: by work-item (0, 0, 0) (local (0, 0, 0) in group (0, 0, 0)) of kernel 'write_before'
  note: 2 times in all`,
    );
  });

  test('a module without lines has functions and instructions', () => {
    const text = 'int get(global int *p) { return p[99]; } kernel void k(global int *p) { p[get(p)] = 1; }';
    const { module } = compile({ name: 'a.cl', text, options: '', target: 'spir' });
    const kernel = session.buildSync(encode(module!)).createKernel('k');
    kernel.setArgs(ints());
    const event = session.queue.enqueueNDRange(kernel, { global: [1] });
    event.waitSync();
    expect(event.faults[0]!.text).toMatch(
      /^function '(get|k)', instruction \d+: error: the kernel reads 4 bytes outside/,
    );
  });

  test('an event throws its faults on demand', () => {
    const kernel = session.buildSync(FAULTS).createKernel('write_before');
    kernel.setArgs(ints());
    const event = session.queue.enqueueNDRange(kernel, { global: [16] });
    event.waitSync();
    expect(() => event.throwIfFaulty()).toThrow(OpenCLError);
    expect(() => event.throwIfFaulty()).toThrow(/outside of argument 'out'/);
  });
});

describe('silence', () => {
  const names = [...CORRECT.matchAll(/kernel void (\w+)/g)].map(([, name]) => name!);
  test.each(names)('%s', (name) => {
    expect(faultsOf(CORRECT, name, ints(), local(64)).map(({ text }) => text)).toEqual([]);
  });

  test.each(['components', 'failed_exchange', 'last_item'])('%s', (name) => {
    expect(faultsOf(ATOMICS, name, ints(), local(64)).map(({ text }) => text)).toEqual([]);
  });

  test('the host writes buffers by commands', () => {
    const [out, by] = [ints(), session.buffer(Int32Array, 16)];
    by.write(new Int32Array(16)).waitSync();
    expect(faultsOf(FAULTS, 'never_written', out, by)).toEqual([]);
    const filled = session.buffer(Int32Array, 16);
    filled.fill(3).waitSync();
    expect(faultsOf(FAULTS, 'never_written', out, filled)).toEqual([]);
    const copied = session.buffer(Int32Array, 16);
    filled.copyTo(copied).waitSync();
    expect(faultsOf(FAULTS, 'never_written', out, copied)).toEqual([]);
  });
});

describe('choice', () => {
  test('only what was asked for is checked', () => {
    const own = openSync({ device: 'software', check: ['races'] });
    const kernel = own.buildSync(FAULTS).createKernel('write_before');
    kernel.setArgs(own.buffer(new Int32Array(16)));
    const event = own.queue.enqueueNDRange(kernel, { global: [16] });
    event.waitSync();
    expect(event.faults).toEqual([]);
    own.close();
  });

  test('a word that is not a check is refused', () => {
    expect(() => openSync({ device: 'software', check: ['bound'] as never })).toThrow(/check/);
  });
});
