// SPDX-License-Identifier: MIT
import { foreignSpirv, hasForeignCompiler } from '../../../tests/helpers/foreign-spirv';
import { type Invocation, type Outcome, runInterpreted } from '../../../tests/helpers/interpreted-kernel';
import { describeNeeding } from '../../../tests/helpers/needs';
import { decode } from '../../spirv/decode';
import { verify } from '../ir/verify';
import { optimize } from '../pipeline';
import { Program } from './program';

const foreign = describeNeeding('clang-15 and llvm-spirv-15', hasForeignCompiler());
const noLibrary = { moduleOf: () => undefined };

/** Runs at each optimization level and pointer width, with and without the passes; all must agree. */
function run(source: string, kernel: string, invocation: Invocation): Outcome {
  let outcome: Outcome | undefined;
  for (const target of ['spir', 'spir64'] as const)
    for (const level of [0, 1, 2] as const)
      for (const optimized of [false, true]) {
        const module = decode(foreignSpirv(source, { target, level }));
        const program = new Program(module, noLibrary);
        const { func, signature } = program.translate(kernel);
        verify(func, 'translation');
        if (optimized) optimize(func, { signature, constants: program.image, fuse: false }, { check: true });
        const result = runInterpreted(func, signature, program.binary, invocation);
        // Addresses of strings depend on the layout.
        for (const record of result.printed)
          record.values = record.values.filter((v) => v < 8192n || v > 10000n);
        outcome ??= result;
        expect({ target, level, optimized, ...result }).toEqual({ target, level, optimized, ...outcome });
      }
  return outcome!;
}

const floats = (bytes: Uint8Array) => [...new Float32Array(bytes.buffer.slice(0))];
const ints = (bytes: Uint8Array) => [...new Int32Array(bytes.buffer.slice(0))];

foreign('kernels by clang', () => {
  test('vectors, structs by value, private arrays, loops', () => {
    const source = `
      struct S { float4 a; int b[3]; char c; };
      float4 helper(float4 x, int i) { float arr[4] = {x.x, x.y, x.z, x.w}; return arr[i & 3] + x.yzwx; }
      __kernel void k(__global float4 *out, __global const float4 *in, struct S s, float3 v) {
        size_t i = get_global_id(0);
        float4 acc = 0;
        for (int j = 0; j < 10; j++) {
          acc += helper(in[i], j + i);
          if (acc.x > 100) break;
        }
        out[i] = acc + s.a * (float)s.b[i & 1] + v.z + s.c;
      }`;
    const s = new DataView(new ArrayBuffer(32));
    [1, 2, 3, 4].forEach((v, i) => {
      s.setFloat32(i * 4, v, true);
    });
    [5, 6, 7].forEach((v, i) => {
      s.setInt32(16 + i * 4, v, true);
    });
    s.setInt8(28, -3);
    const { buffers } = run(source, 'k', {
      global: [2],
      args: [
        { buffer: new Float32Array(8) },
        { buffer: new Float32Array([1, 2, 3, 4, 5, 6, 7, 8]) },
        { value: s },
        { value: new Float32Array([0, 0, 10, 0]) },
      ],
    });
    expect(floats(buffers[0]!)).toEqual([55, 70, 85, 60, 125, 140, 155, 134]);
  });

  test('local memory and barriers', () => {
    const source = `
      __kernel void reverse(__global int *data, __local int *scratch) {
        __local int twice[8];
        int l = get_local_id(0), n = get_local_size(0);
        scratch[l] = data[get_global_id(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        twice[l] = scratch[n - 1 - l] * 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        data[get_global_id(0)] = twice[l] + twice[0];
      }`;
    const { buffers } = run(source, 'reverse', {
      global: [8],
      local: [4],
      args: [{ buffer: new Int32Array([1, 2, 3, 4, 5, 6, 7, 8]) }, { local: 16 }],
    });
    expect(ints(buffers[0]!)).toEqual([16, 14, 12, 10, 32, 30, 28, 26]);
  });

  test('integers of all widths, switches, constants in memory', () => {
    const source = `
      __constant uchar table[5] = {3, 1, 4, 1, 5};
      int classify(int x) {
        switch (x % 5) { case 0: return 10; case 1: return 20; case -2: case 3: x += 7; break; default: return x; }
        return x * 3;
      }
      __kernel void k(__global long *out, __global const int *in, uint u, short s) {
        int i = get_global_id(0);
        long sum = classify(in[i]);
        sum = sum * 1000 + table[i % 5];
        sum += (uchar)(in[i] * 77) + (short)(s * in[i]) - (ulong)u / 7 + in[i] / 3 + in[i] % 9 + (uint)in[i] / 10u + (uint)in[i] % 12u;
        sum ^= (long)in[i] << (i + 33);
        sum += mul_hi(in[i], 0x12345678) + clz(in[i]) + popcount(u) + rotate(u, (uint)i) + mad_sat(in[i], 1 << 30, 5)
          + add_sat((char)in[i], (char)100) + abs(in[i]) + hadd(in[i], 5) + rhadd(in[i], 5) + max(in[i], 3) + clamp(in[i], -5, 5)
          + upsample((short)in[i], (ushort)u) + abs_diff(in[i], 10) + (in[i] / -4) + (in[i] % 8) + (in[i] >> 2);
        out[i] = sum;
      }`;
    const input = [0, 1, 2, 3, -2, -7, 123456, -2147483648, 2147483647, 99];
    const { buffers } = run(source, 'k', {
      global: [input.length],
      args: [
        { buffer: new BigInt64Array(input.length) },
        { buffer: new Int32Array(input) },
        { value: new Uint32Array([4000000001]) },
        { value: new Int16Array([-321]) },
      ],
    });
    expect([...new BigInt64Array(buffers[0]!.buffer)].map(String)).toMatchSnapshot();
  });

  test('conversions', () => {
    const source = `
      __kernel void k(__global float *f, __global int *n) {
        int i = get_global_id(0);
        float x = f[i];
        n[i * 8 + 0] = convert_int_rte(x);
        n[i * 8 + 1] = convert_uchar_sat(x);
        n[i * 8 + 2] = convert_char_sat_rtp(x);
        n[i * 8 + 3] = convert_short_sat(n[i * 8 + 0] * 1000);
        n[i * 8 + 4] = as_int(convert_float_rtz(n[i * 8 + 0] * 16777213));
        n[i * 8 + 5] = as_int((float)(long)x);
        n[i * 8 + 6] = isnan(x) + 2 * isinf(x) + 4 * (x != x) + 8 * signbit(x) + 16 * isnormal(x) + 32 * (x < 3.0f);
        ushort h; vstore_half(x, 0, (half *)&h);
        n[i * 8 + 7] = as_int(vload_half(0, (half *)&h));
      }`;
    const input = [0, -0, 1.5, 2.5, -3.7, 300, 1e9, -1e9, Number.NaN, Number.POSITIVE_INFINITY, 1e-5];
    const { buffers } = run(source, 'k', {
      global: [input.length],
      args: [{ buffer: new Float32Array(input) }, { buffer: new Int32Array(input.length * 8) }],
    });
    const rows = ints(buffers[1]!);
    expect(input.map((x, i) => [x, ...rows.slice(i * 8, i * 8 + 8)].join(' '))).toMatchSnapshot();
  });

  test('atomics, pointers to pointers, program-scope variables, printf', () => {
    const source = `
      __global int counter = 5;
      __global int *__constant cell = &counter;
      void bump(int *p, int by) { *p += by; }
      __kernel void k(__global int *data, __global volatile int *sum) {
        int mine = data[get_global_id(0)];
        int *p = &mine;
        int **pp = &p;
        bump(*pp, 3);
        int old = atomic_add(sum, mine);
        atomic_max(sum + 1, mine);
        atomic_cmpxchg(sum + 2, 7, mine);
        if (get_global_id(0) == 1) printf("%d %s %v2d %f\\n", mine, "text", (int2)(old, 4), 1.5f);
        data[get_global_id(0)] = *cell + mine;
      }`;
    const { buffers, printed } = run(source, 'k', {
      global: [3],
      args: [{ buffer: new Int32Array([1, 2, 4]) }, { buffer: new Int32Array([0, 0, 7]) }],
    });
    expect(ints(buffers[0]!)).toEqual([9, 10, 12]);
    expect(ints(buffers[1]!)).toEqual([16, 7, 4]);
    expect(printed).toHaveLength(1);
    expect(printed[0]!.format.format).toBe('%d %s %v2d %f\n');
    expect(printed[0]!.format.arguments.map((a) => `${a.type}${a.components}`)).toEqual([
      'i321',
      'string1',
      'i322',
      'f641',
    ]);
  });
});
