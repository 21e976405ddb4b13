// SPDX-License-Identifier: MIT
//
// Checked runs: faults that are not of memory. Assertions and traps, arithmetic, coordinates of images, formats of printf, loops
// without an end.
import { type Event, type Fault, type KernelValue, openSync, type Session } from '../../ts';

const SOURCE = `
#include <assert.h>
kernel void assertion(global int *p) {
  assert(p[get_global_id(0)] < 3);
}
kernel void trap(global int *p) {
  if (p[get_global_id(0)] == 3) __builtin_trap();
  p[get_global_id(0)] = 0;
}
kernel void arithmetic(global int *p, global int *q) {
  int i = get_global_id(0);
  q[i] = p[i] + 2147483646;                            // line 12
  q[i] = 10 / (p[i] - 2);                              // line 13
  q[i] = INT_MIN / (p[i] - 2);                         // line 14
  q[i] = 1 << (p[i] * 20);                             // line 15
  q[i] = (uchar)(p[i] * 200.0f);                       // line 16
  q[i] = -(INT_MIN + p[i]);                            // line 17
  q[i] = p[i] * 1500000000;                            // line 18
  uint wraps = p[i];
  q[i] = wraps * 3000000000u - 7u;
  q[i] = convert_uchar_sat(p[i] * 200.0f) + (p[i] << 3);
  short narrow = p[i] + 32767;
  q[i] = narrow;
}
kernel void images(write_only image2d_t to, read_only image2d_t from, sampler_t none, global float4 *p) {
  int i = get_global_id(0);
  write_imagef(to, (int2)(i, 1), (float4)(1));         // line 27
  p[i] = read_imagef(from, (int2)(1, i));              // line 28
  p[i] = read_imagef(from, none, (int2)(i, 0));        // line 29
  p[i] = read_imagef(from, CLK_ADDRESS_CLAMP, (int2)(i, -5));
}
kernel void formats(global int *p) {
  if (p[get_global_id(0)] < 4) return;
  printf("%d\\n", 2.0f);                               // line 34
  printf("%s\\n", p[0]);                               // line 35
  printf("%d %d\\n", 1);                               // line 36
  printf("%v4f %u %ld %c\\n", (float4)(1), 1u, 2L, 'a');
}
kernel void endless(global int *p) {
  int i = get_global_id(0);
  while (p[i] == 2) p[i] = 2;                          // line 41
  for (int k = 0; k < 90; k++) p[i] += k;
}
`;

let session: Session;
beforeAll(() => {
  session = openSync({ device: 'software', check: ['all', 'arithmetic', 'loops'], checkBudget: 100 });
});
afterAll(() => session.close());

const ints = () => session.buffer(new Int32Array([0, 1, 2, 3]));

function launch(source: string, name: string, args: readonly KernelValue[], options = ''): Event {
  const kernel = session.buildSync(source, `-w ${options}`).createKernel(name);
  kernel.setArgs(...args);
  const event = session.queue.enqueueNDRange(kernel, { global: [4] });
  try {
    event.waitSync();
  } catch {
    // A trap: the test looks at the event.
  }
  return event;
}

const found = (faults: readonly Fault[]) =>
  faults
    .map(({ kind, place, count, message }) => `${place?.line}: ${kind} (${count}): ${message}`)
    .sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
const faultsOf = (name: string, ...args: readonly KernelValue[]) => found(launch(SOURCE, name, args).faults);

test('an assertion is reported with its text', () => {
  expect(faultsOf('assertion', ints())).toEqual([
    '4: assertion (1): assertion failed: p[get_global_id(0)] < 3',
  ]);
});

test.each([
  ['NDEBUG', SOURCE, '-DNDEBUG'],
  ['its own macro', '#define assert(x) (void)(x)\nkernel void assertion(global int *p) { assert(*p); }', ''],
  ['its own function', 'void assert(int x) {}\nkernel void assertion(global int *p) { assert(*p); }', ''],
])('a program that has %s has no assertions', (_, source, options) => {
  expect(found(launch(source, 'assertion', [ints()], options).faults)).toEqual([]);
});

test('assertions are predefined, and cost nothing where nothing is checked', () => {
  const plain = openSync({ device: 'software' });
  const source = 'kernel void k(global int *p) { assert(*p == 9); p[get_global_id(0)] = 1; }';
  const kernel = plain.buildSync(source).createKernel('k');
  const buffer = plain.buffer(new Int32Array(1));
  kernel.setArgs(buffer);
  plain.queue.enqueueNDRange(kernel, { global: [1] }).waitSync();
  expect([...buffer.readSync()]).toEqual([1]);
  plain.close();
  expect(launch(source, 'k', [ints()]).faults.map(({ kind }) => kind)).toContain('assertion');
});

test.each([true, false])('a trap ends the launch, checked: %s', (isChecked) => {
  const own = isChecked ? session : openSync({ device: 'software' });
  const kernel = own.buildSync(SOURCE, '-w').createKernel('trap');
  kernel.setArgs(own.buffer(new Int32Array([0, 1, 2, 3])));
  const event = own.queue.enqueueNDRange(kernel, { global: [4] });
  expect(() => event.waitSync()).toThrow(/kernel 'trap' trapped: __builtin_trap\(\)/);
  expect(event.faults.map(({ kind, place }) => [kind, place?.line])).toEqual(isChecked ? [['trap', 7]] : []);
  // The device goes on.
  const fine = own.buffer(new Int32Array([0, 1, 2, 4]));
  kernel.setArgs(fine);
  own.queue.enqueueNDRange(kernel, { global: [4] }).waitSync();
  expect([...fine.readSync()]).toEqual([0, 0, 0, 0]);
  if (!isChecked) own.close();
});

test('arithmetic is reported with the operands, and only where it is a fault', () => {
  expect(faultsOf('arithmetic', ints(), ints())).toEqual([
    '12: overflow (2): signed overflow: 2 + 2147483646',
    '13: division-by-zero (1): division by zero: of 10',
    '14: division-by-zero (1): division by zero: of -2147483648',
    '14: overflow (1): signed overflow: -2147483648 / -1',
    '15: shift-too-wide (2): a value of 32 bits is shifted by 40; the device takes the amount modulo 32',
    '16: conversion (2): 400 is outside of the range of uint of 8 bits',
    '17: overflow (1): signed overflow: -(-2147483648)',
    '18: overflow (2): signed overflow: 2 * 1500000000',
  ]);
});

test('coordinates must be inside of an image, unless a sampler says what is outside', () => {
  const image = () => session.image({ width: 3, height: 2, format: 'rgba8' });
  const none = session.sampler({ addressing: 'none' });
  const out = session.buffer(new Float32Array(16));
  expect(faultsOf('images', image(), image(), none, out)).toEqual([
    "27: image-out-of-bounds (1): the kernel accesses image 'to' at (3, 1), outside of its 3 x 2 elements",
    "28: image-out-of-bounds (2): the kernel accesses image 'from' at (1, 2), outside of its 3 x 2 elements",
    "29: image-out-of-bounds (1): the kernel accesses image 'from' at (3, 0), outside of its 3 x 2 elements",
  ]);
});

test("printf's arguments are compared with its format", () => {
  const four = session.buffer(new Int32Array([0, 1, 2, 4]));
  expect(faultsOf('formats', four)).toEqual([
    "34: printf-format (1): printf: '%d' is given a float of 64 bits (argument 1)",
    "35: printf-format (1): printf: '%s' is given an integer of 32 bits (argument 1)",
    '36: printf-format (1): printf: the format has 2 conversions, the call 1 arguments',
  ]);
});

test('a loop without an end is ended', () => {
  expect(faultsOf('endless', ints())).toEqual([
    '41: endless-loop (1): a work-item has done as many iterations of loops as it may: does this loop end?',
  ]);
});
