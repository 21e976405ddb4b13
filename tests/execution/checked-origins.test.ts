// SPDX-License-Identifier: MIT
//
// Checked runs: where the bytes of an uninitialized value come from, and variables that are read outside of their lifetime.

import { type Fault, type KernelValue, openSync, type Session } from '../../ts';

const SOURCE = `
kernel void variable(global int *out, int n) {
  int unset;
  if (get_global_id(0) >= n) unset = 1;
  out[get_global_id(0)] = unset;                     // line 5
}
struct pair { int a; int b; };
kernel void member(global int *out, global struct pair *in) {
  struct pair mine[2];
  int i = get_global_id(0) & 1;
  mine[i] = in[0];                                   // line 11
  if (mine[i].b == 3) out[0] = 1;                    // line 12
}
kernel void stored(global int *out, global int *in) {
  local int part[8];
  int i = get_local_id(0);
  part[i] = in[i] + 1;                               // line 17
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = part[i ^ 1];               // line 19
}
kernel void left(global int *out) {
  int *p;
  {
    int inner[2] = { 1, 2 };
    p = inner;                                       // line 25
  }
  out[get_global_id(0)] = p[get_global_id(0) & 1];   // line 27
}
int *address(int x) { int mine = x, *p = &mine; return p; }
kernel void returned(global int *out) {
  out[get_global_id(0)] = *address(3);               // line 31
}
kernel void again(global int *out) {
  for (int i = 0; i < 2; i++) {
    int once;
    if (i == 0) once = 5;
    out[get_global_id(0)] = once;                    // line 37
  }
}
kernel void correct(global int *out) {
  int sum = 0, *last = 0;
  for (int i = 0; i < 4; i++) {
    int each[2], *p = each;
    p[i & 1] = i;
    if (i == 2) continue;
    { int copy = p[i & 1]; last = &sum; *last += copy; }
    switch (i) { int t; case 1: t = i; sum += t; break; default: t = 0; sum += t; }
  }
  out[get_global_id(0)] = sum;
}
`;

let session: Session;
beforeAll(() => {
  session = openSync({ device: 'software', check: 'all' });
});
afterAll(() => session.close());

function faultsOf(name: string, ...args: readonly KernelValue[]): readonly Fault[] {
  const kernel = session.buildSync(SOURCE).createKernel(name);
  kernel.setArgs(session.buffer(new Int32Array(16)), ...args);
  const event = session.queue.enqueueNDRange(kernel, { global: [8], local: [8] });
  event.waitSync();
  return event.faults;
}

test('a variable without a value', () => {
  const [fault, ...others] = faultsOf('variable', 4);
  expect(others).toEqual([]);
  expect(fault).toMatchObject({
    kind: 'uninitialized',
    place: { line: 5 },
    origin: { object: { kind: 'private', name: 'unset' } },
  });
  expect(fault!.text).toContain("note: it comes from private variable 'unset', which had no value");
});

test('a member of a struct that was copied, by its byte', () => {
  const [fault] = faultsOf('member', session.buffer(Uint8Array, 8));
  expect(fault).toMatchObject({
    place: { line: 12 },
    object: { name: 'mine' },
    origin: { object: { kind: 'argument', name: 'in' }, byte: 4, objectBytes: 8, place: { line: 11 } },
  });
  expect(fault!.text).toMatch(/11:\d+: note: it comes from argument 'in': byte 4 of 8, which is read here/);
});

test('a value that was computed and stored', () => {
  const [fault] = faultsOf('stored', session.buffer(Int32Array, 8));
  expect(fault).toMatchObject({ kind: 'uninitialized' });
  // Where the sum is stored, or where it is read.
  expect([17, 19]).toContain(fault!.place?.line);
});

test.each([
  ['left', 27],
  ['returned', 31],
  ['again', 37],
])('outside of its lifetime: %s', (name, line) => {
  const found = faultsOf(name);
  expect(found.map(({ kind, place }) => [kind, place?.line])).toEqual([['uninitialized', line]]);
});

test('the report shows where the lifetime ended', () => {
  const [fault] = faultsOf('left');
  expect(fault).toMatchObject({ object: { name: 'inner' }, origin: { place: { line: 25 } } });
  expect(fault!.text).toContain('note: the variable has no contents from here on');
});

test('correct', () => {
  expect(faultsOf('correct').map(({ text }) => text)).toEqual([]);
});
