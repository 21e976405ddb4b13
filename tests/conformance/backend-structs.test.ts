// SPDX-License-Identifier: MIT
//
// All bytes of structs, those between members too, arrive wherever a struct is copied as a whole. C leaves padding open, but programs
// compare and hash structs, and keep data there. Each shape is copied in each way, on every device.
import type { Buffer, Session } from '../../ts';
import { open } from '../../ts';
import { apiDevices } from './devices';

const ITEMS = 64;
const GROUP = 8;
/** Drivers pass structs by the processor's calling convention or member by member, which may leave padding out. */
const BY_VALUE = /same\(|called\(|changing\(|either\(|aroundOf\(/;
/** What a changed copy's byte `c` is combined with. */
const CHANGE = 0x55;

/** Structs named S with a byte `c`; where that is, and their size. */
const SHAPES: readonly (readonly [name: string, declaration: string, at: number, size: number])[] = [
  ['a byte and an int', 'typedef struct { char c; int i; } S;', 0, 8],
  ['a byte, an int and a short', 'typedef struct { char c; int i; short s; } S;', 0, 12],
  ['a short and a byte before an int', 'typedef struct { short s; char c; int i; } S;', 2, 8],
  ['a byte and a long', 'typedef struct { char c; long l; } S;', 0, 16],
  ['a byte behind a float3', 'typedef struct { float3 v; char c; } S;', 16, 32],
  ['float3 and float', 'typedef struct { float3 v; float f; float3 w; char c; } S;', 48, 64],
  ['vectors of three bytes', 'typedef struct { char3 v[2]; char c; short3 h; } S;', 8, 24],
  ['a byte and a vector', 'typedef struct { char c; int4 v; } S;', 0, 32],
  [
    'a struct and an array of structs',
    'typedef struct { char c; int i; char d; } Part; typedef struct { Part p[2]; char c; Part q; } S;',
    24,
    40,
  ],
  [
    'a packed struct',
    'typedef struct __attribute__((packed)) { char a; short b; } Part; typedef struct { Part p; int i; char c; } S;',
    8,
    12,
  ],
  ['an aligned struct', 'typedef struct __attribute__((aligned(16))) { char c; int i; } S;', 0, 16],
  [
    'a union',
    'typedef struct { char c; union { short h; char b[6]; struct { char x; short y; } p; } u; int i; } S;',
    0,
    12,
  ],
  ['more than is a value', 'typedef struct { char c; int i; float3 v[4]; char d; int j[3]; } S;', 0, 96],
];

/** Kernel bodies that copy `e[g]` to `o[g]`, or what it says, in a work-item with the index `g`; `n` is 1. */
const WAYS: readonly (readonly [name: string, body: string, result?: 'changed' | 'zeros'])[] = [
  ['assigned', 'o[g] = e[g];'],
  ['initialized', 'S t = e[g]; o[g] = t;'],
  ['changed', `S t = e[g]; t.c ^= ${CHANGE}; o[g] = t;`, 'changed'],
  ['in_place', `o[g] = e[g]; S t = o[g]; t.c ^= ${CHANGE}; o[g] = t;`, 'changed'],
  ['scattered', 'int at = (g * 5 + n) % 64; o[at] = e[at];'],
  ['swapped', 'S a = e[g], b = e[g ^ 1], t = a; a = b; b = t; o[g] = b;'],
  ['by_pointer', 'S t = e[g]; S *p = &t; S u = *p; *p = e[0]; *p = u; o[g] = t;'],
  ['in_branches', 'S t; if (g & 1) t = e[g]; else { t = e[0]; t = e[g]; } o[g] = t;'],
  ['in_a_loop', 'S t = e[0]; for (int k = 0; k <= g; k++) t = e[k]; o[g] = t;'],
  ['chosen', 'o[g] = n + (g & 1) > 0 ? e[g] : e[0];'],
  ['chosen_of_two', 'S a = e[g], b = e[g ^ 1]; o[g] = g & n ? a : a; if (g & 1) o[g] = n ? a : b;'],
  ['passed', 'o[g] = same(e[g]);'],
  ['passed_to_a_call', 'o[g] = called(e[g]);'],
  ['changed_by_a_function', 'o[g] = changing(e[g]);', 'changed'],
  ['returned_early', 'o[g] = either(e[g], e[0], n);'],
  ['through_local_memory', 'local S l[8]; l[g & 7] = e[g]; barrier(CLK_LOCAL_MEM_FENCE); o[g] = l[g & 7];'],
  ['through_an_array', 'S a[4]; for (int k = 0; k < 4; k++) a[k] = e[(g & ~3) + k]; o[g] = a[g & 3];'],
  ['from_an_array_initializer', 'S a[2] = { e[g], e[0] }; o[g] = a[0];'],
  ['in_a_struct', 'Around a; a.x = 1; a.s = e[g]; a.y = 2; Around b = a; o[g] = b.s;'],
  ['in_a_struct_initializer', 'Around a = { 1, e[g], 2 }; Around b = aroundOf(a); o[g] = b.s;'],
  ['in_an_array_of_a_struct', 'Row a; for (int k = 0; k < 3; k++) a.s[k] = e[g]; Row b = a; o[g] = b.s[n];'],
  ['of_the_argument', 'o[g] = n ? same(k[g]) : e[g];'],
  ['zeros', 'S t = { 0 }; o[g] = t;', 'zeros'],
];

const source = (declaration: string): string => `${declaration}
typedef struct { char x; S s; char y; } Around;
typedef struct { char z; S s[3]; } Row;
static S same(S s) { return s; }
static __attribute__((noinline)) S called(S s) { S t = same(s); return t; }
static S changing(S s) { s.c ^= ${CHANGE}; return s; }
static S either(S a, S b, int n) { if (n > 0) return a; b.c = 1; return b; }
static Around aroundOf(Around a) { a.x = a.y; return a; }
${WAYS.map(
  ([name, body]) =>
    `kernel void ${name}(global S *o, global const S *e, constant S *k, int n) { int g = get_global_id(0); ${body} }`,
).join('\n')}
kernel void argument(global S *o, S s) { o[get_global_id(0)] = s; }
`;

/** No two structs and no two bytes of one are alike; all are finite numbers. */
const given = (size: number): Uint8Array =>
  Uint8Array.from({ length: ITEMS * size }, (_, i) => 1 + ((i * 29 + (i >> 6) * 7) % 127));

function expected(bytes: Uint8Array, at: number, size: number, result?: 'changed' | 'zeros'): Uint8Array {
  if (result === 'zeros') return new Uint8Array(bytes.length);
  return bytes.map((byte, i) => (result === 'changed' && i % size === at ? byte ^ CHANGE : byte));
}

describe.each(apiDevices)('%s', (_, device) => {
  let session: Session;
  beforeAll(async () => {
    session = await open({ device });
  });
  afterAll(() => session.close());

  test.each(SHAPES)('%s', async (_name, declaration, at, size) => {
    const { kernels } = await session.build(source(declaration));
    const bytes = given(size);
    const e = session.buffer(bytes);
    const differing: string[] = [];
    const compare = async (name: string, output: Buffer<Uint8Array>, wanted: Uint8Array) => {
      const found = await output.read();
      const wrong = found.findIndex((byte, i) => byte !== wanted[i]);
      if (wrong >= 0)
        differing.push(`${name}: byte ${wrong % size} is ${found[wrong]}, not ${wanted[wrong]}`);
    };
    for (const [name, body, result] of WAYS) {
      if (device.type !== 'software' && BY_VALUE.test(body)) continue;
      const o = session.buffer(new Uint8Array(ITEMS * size).fill(0xee));
      await kernels[name]!.run({ global: ITEMS, local: GROUP }, o, e, e, 1);
      await compare(name, o, expected(bytes, at, size, result));
    }
    expect(differing).toEqual([]);
    if (device.type !== 'software') return;
    const o = session.buffer(new Uint8Array(ITEMS * size).fill(0xee));
    const one = bytes.slice(size, 2 * size);
    await kernels.argument!.run({ global: ITEMS, local: GROUP }, o, one);
    await compare('argument', o, bytes.map((_byte, i) => one[i % size]!)); // biome-ignore format: one line
    expect(differing).toEqual([]);
  });
});
