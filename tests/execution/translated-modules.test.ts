// SPDX-License-Identifier: MIT
//
// Programs of SPIR-V that clang and llvm-spirv make with and without optimization. From loops and switches they make modules that break rules
// of SPIR-V (ts/spirv/repair.ts). The results are those of the source.
import { local, openSync, type Session, type TypedArray } from '../../ts';
import { decode } from '../../ts/spirv/decode';
import { Op } from '../../ts/spirv/grammar.gen';
import { validate } from '../../ts/spirv/validate';
import { shutdownAll } from '../conformance/devices';
import { foreign } from '../helpers/every-tile';
import { foreignSpirv } from '../helpers/foreign-spirv';

const COUNT = 40;

const KERNELS: readonly (readonly [string, string])[] = [
  [
    'loops that end in several places',
    `kernel void k(global const int *in, global int *out, local int *t) {
      int i = get_global_id(0);
      int sum = 0;
      for (int a = 0; a < i; a++) {
        for (int b = a; b < 40; b++) { if (in[b] > a * 3) break; sum += in[(a * b) % 40]; }
        if (sum > 5000) return;
        sum ^= a;
      }
      out[i] = sum;
    }`,
  ],
  [
    'a switch in a loop',
    `kernel void k(global const int *in, global int *out, local int *t) {
      int i = get_global_id(0), state = 0, n = 0;
      for (int a = 0; a <= i; a++)
        switch (in[a]) {
          case 0: state = 1; n++; break;
          case 1: case 2: if (state) { n += 3; continue; } break;
          case 5: n = n * 2 + state; break;
          case 7: out[i] = n; return;
          default: state ^= in[a] & 1;
        }
      out[i] = n * 2 + state;
    }`,
  ],
  [
    'variables in an inner scope',
    `kernel void k(global const int *in, global int *out, local int *t) {
      int i = get_global_id(0);
      if (in[i] < 0) return;
      int h[8];
      for (int a = 0; a < 8; a++) h[a] = a;
      for (int a = 0; a < i; a++) { int s[4] = {a, 1, in[a], 2}; h[in[a] & 7] += s[a & 3]; }
      int sum = 0;
      for (int a = 0; a < 8; a++) sum = sum * 3 + h[a];
      out[i] = sum;
    }`,
  ],
  [
    'local memory, barriers and a table',
    `kernel void k(global const int *in, global int *out, local int *t) {
      int i = get_global_id(0), l = get_local_id(0);
      t[l] = in[i];
      for (int d = 1; d < 8; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int v = l >= d ? t[l - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] += v;
      }
      int weight;
      switch (in[i]) { case 0: weight = 17; break; case 1: weight = 4; break; case 2: weight = -3; break; default: weight = 9; }
      out[i] = t[l] * weight;
    }`,
  ],
  [
    'structs by value, which functions change',
    `typedef struct { int a[4]; char c; } S;
    typedef struct { S s[2]; int n; } T;
    __attribute__((noinline)) int last(S s, int i) { s.a[i & 3] += 5; s.c++; return s.a[1] * 3 + s.c; }
    __attribute__((noinline)) int both(T t, int i) { t.s[1].a[0] -= i; int r = last(t.s[i & 1], i); t.n = r; return t.n + t.s[1].a[0] + t.s[0].c; }
    kernel void k(global const int *in, global int *out, local int *t) {
      int i = get_global_id(0);
      T v;
      for (int a = 0; a < 4; a++) { v.s[0].a[a] = in[(i + a) % 40]; v.s[1].a[a] = a; }
      v.s[0].c = v.s[1].c = i;
      v.n = 7;
      int sum = both(v, i) + last(v.s[0], i + 1) * 7 + last(v.s[0], i + 1);
      out[i] = sum * 31 + v.s[0].a[i & 3] + v.s[0].c + v.s[1].a[0] * 5 + v.n;
    }`,
  ],
];

const inputs = (): Int32Array => Int32Array.from({ length: COUNT }, (_, i) => (i * 7919) % 61);

/** Without types, a pointer to integers may become any, a pointer to bytes included. */
const POINTERS = { 'with types': ['-Xclang', '-no-opaque-pointers'], 'without types': [] };

foreign('modules of a translator', () => {
  let cl: Session;
  beforeAll(() => {
    cl = openSync({ device: 'software' });
  });
  afterAll(() => {
    cl.close();
    return shutdownAll();
  });

  async function run(program: string | Uint8Array): Promise<TypedArray> {
    const { kernels } = await cl.build(program);
    const [input, out] = [cl.buffer(inputs()), cl.buffer(new Int32Array(COUNT))];
    await kernels['k']!.run({ global: COUNT, local: 8 }, input, out, local(Int32Array, 8));
    return out.read();
  }

  describe.each(Object.entries(POINTERS))('pointers %s', (_, flags) => {
    test.each(KERNELS)('%s', async (_, source) => {
      const expected = await run(source);
      expect([...expected].some((v) => v !== 0)).toBe(true);
      for (const level of [0, 1, 2] as const)
        expect(await run(foreignSpirv(source, { level, flags, target: 'spir' }))).toEqual(expected);
    });
  });

  test('hints that accesses do not overlap', async () => {
    const source = `static void add(global int *restrict a, global const int *restrict b, int n) { for (int i = 0; i < n; i++) a[i] += b[i] * i; }
      kernel void k(global const int *in, global int *out, local int *t) {
        int i = get_global_id(0);
        if (i == 0) add(out, in, 40);
      }`;
    const spirv = foreignSpirv(source, { level: 2, extensions: ['SPV_INTEL_memory_access_aliasing'] });
    expect(decode(spirv).annotations.some(({ op }) => op === Op.AliasScopeListDeclINTEL)).toBe(true);
    expect(await run(spirv)).toEqual(await run(source));
  });

  test('some of them break rules, which the validator says', () => {
    const spirv = KERNELS.map(([, source]) =>
      foreignSpirv(source, { level: 1, flags: POINTERS['with types'] }),
    );
    expect(spirv.map((bytes) => validate(decode(bytes))).filter((problem) => problem).length).toBeGreaterThan(
      1,
    );
  });
});
