// SPDX-License-Identifier: MIT
//
// Checked runs: structs are copied with their padding, which has no contents. That is not a fault, but members without contents are.
import { openSync, type Session } from '../../ts';

const SOURCE = `
typedef struct { char a; float x __attribute__((aligned(16))); short b; } Aligned;
typedef struct { char a; float x; double d; short s; } Natural;
typedef struct { char a; float v[20]; double d; short s; } Large;
typedef struct { Natural parts[3]; char c; } Nested;
typedef struct __attribute__((packed)) { char a; int b; } Packed;
typedef struct { char a; float4 v; Packed p; } Vectors;
typedef struct { union { char c; Natural n; } u; int tag; } Tagged;

Natural natural(int i) { Natural n; n.a = i; n.x = 1; n.d = 2; n.s = 3; return n; }

kernel void aligned(global Aligned *out) {
  int i = get_global_id(0);
  Aligned one;
  one.a = 1; one.x = 2; one.b = 3;
  Aligned two = one;
  out[i] = two;
  Aligned three = out[i];
  three.x += 1;
  out[i] = three;
  local Aligned t[4];
  t[i & 3] = three;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = t[3 - (i & 3)];
}
kernel void small(global Natural *out) {
  Natural two[2];
  two[0] = natural(1);
  two[1] = two[0];
  out[get_global_id(0)] = two[get_global_id(0) & 1];
}
kernel void large(global Large *out) {
  Large one;
  one.a = 1; one.d = 1; one.s = 2;
  for (int i = 0; i < 20; i++) one.v[i] = i;
  out[get_global_id(0)] = one;
  Large two = one;
  two.a = 2;
  out[get_global_id(0)] = two;
}
kernel void nested(global Nested *out) {
  Nested one;
  for (int i = 0; i < 3; i++) one.parts[i] = natural(i);
  one.c = 1;
  Nested two = one;
  out[get_global_id(0)] = two;
}
kernel void vectors(global Vectors *out) {
  Vectors one;
  one.a = 1; one.v = (float4)(1); one.p.a = 1; one.p.b = 2;
  out[get_global_id(0)] = one;
}
kernel void tagged(global Tagged *out) {
  Tagged one;
  one.u.c = 1; one.tag = 0;
  Tagged two = one;
  if (two.tag == 0) out[get_global_id(0)] = two;
}
kernel void member(global Aligned *out) {
  Aligned one;
  one.a = 1; one.x = 2;
  out[get_global_id(0)] = one;                 // line 62
}
kernel void used_later(global float *out, int n) {
  Large one;
  for (int i = 0; i < n; i++) one.v[i] = i;
  Large two = one;
  out[get_global_id(0)] = two.v[19];           // line 68
}
`;

let session: Session;
beforeAll(() => {
  session = openSync({ device: 'software', check: 'all' });
});
afterAll(() => session.close());

function faultsOf(name: string, ...more: readonly number[]) {
  const kernel = session.buildSync(SOURCE).createKernel(name);
  kernel.setArgs(session.buffer(Uint8Array, 4 * 128), ...more);
  const event = session.queue.enqueueNDRange(kernel, { global: [4], local: [4] });
  event.waitSync();
  return event.faults;
}

test.each(['aligned', 'small', 'large', 'nested', 'vectors', 'tagged'])(
  'copies are not a fault: %s',
  (name) => {
    expect(faultsOf(name).map(({ text }) => text)).toEqual([]);
  },
);

test('a member without contents', () => {
  const found = faultsOf('member');
  expect(found.map(({ kind, place }) => [kind, place?.line])).toEqual([['uninitialized', 62]]);
});

test('a member that was copied without contents is reported where it is used', () => {
  const found = faultsOf('used_later', 19);
  expect(found.map(({ kind, place }) => [kind, place?.line])).toEqual([['uninitialized', 68]]);
});
