// SPDX-License-Identifier: MIT
//
// Arguments whose types are typedefs or enumerations: drivers tell these names only, and the same call works on every device.
import { type Context, OpenCLError, openSync, type Program, type Session } from '../../ts';
import { apiDevices, shutdownAll } from './devices';

const SOURCE = `
#ifndef REAL
#define REAL float
#endif
typedef REAL real;
typedef real real4 __attribute__((ext_vector_type(4)));
typedef unsigned char byte;
enum mode { ADD, NEGATE = 7 };
typedef enum mode mode_t;
typedef struct { int a, b; } Pair;
kernel void numbers(global real *out, real x, real4 v, enum mode m, mode_t n, byte b) {
  out[0] = x; out[1] = v.z; out[2] = m; out[3] = n; out[4] = b;
}
kernel void pair(global int *out, Pair p) { out[0] = p.a - p.b; }
`;

const IMAGES = `
typedef image2d_t picture;
typedef sampler_t way;
kernel void texels(read_only picture from, way how, global float *out) {
  out[get_global_id(0)] = read_imagef(from, how, (int2)(get_global_id(0), 0)).x;
}
kernel void plain(read_only image2d_t from, way how, global float *out) {
  out[get_global_id(0)] = read_imagef(from, how, (int2)(get_global_id(0), 0)).x;
}
`;

afterAll(shutdownAll);

describe.each(apiDevices)('%s', (deviceName, device) => {
  let cl: Session;
  beforeAll(() => {
    cl = openSync({ device });
  });
  afterAll(() => cl.close());

  const results = async (program: Program): Promise<number[]> => {
    const out = cl.buffer(Float32Array, 5);
    await program.createKernel('numbers').run({ global: 1 }, out, 2.5, [1, 2, 3, 4], 7, 1, 255);
    return [...(await out.read())];
  };

  test('take numbers', async () => {
    expect(await results(await cl.build(SOURCE))).toEqual([2.5, 3, 7, 1, 255]);
  });

  test('take numbers if the program was linked', async () => {
    const { context }: { context: Context } = cl;
    const source = context.createProgram(SOURCE);
    await source.compile();
    expect(await results(await context.link([source]))).toEqual([2.5, 3, 7, 1, 255]);
  });

  test('depend on the options of the build', async () => {
    const { numbers } = (await cl.build(SOURCE, '-DREAL=int')).kernels;
    const out = cl.buffer(Int32Array, 5);
    await numbers!.run({ global: 1 }, out, -2, [1, 2, 3, 4], 0, 0, 1);
    expect([...(await out.read())]).toEqual([-2, 3, 0, 0, 1]);
    expect(() => numbers!.setArg(1, 2.5)).toThrow(/whole numbers from -2147483648 to 2147483647/);
  });

  test('refuse what their types do not hold', async () => {
    const { numbers, pair } = (await cl.build(SOURCE)).kernels;
    const out = cl.buffer(Float32Array, 5);
    const codeOf = (act: () => void): string => {
      try {
        act();
      } catch (error) {
        if (error instanceof OpenCLError) return error.codeName;
        throw error;
      }
      return 'nothing was thrown';
    };
    const tries = [
      () => numbers!.setArg(1, [1, 2]),
      () => numbers!.setArg(2, [1, 2, 3]),
      () => numbers!.setArg(5, 256),
      () => numbers!.setArg(1, out),
      () => numbers!.setArg(1, new Uint8Array(3)),
      () => pair!.setArg(1, 1),
    ];
    expect(tries.map(codeOf)).toEqual([
      'CL_INVALID_ARG_SIZE',
      'CL_INVALID_ARG_SIZE',
      'CL_INVALID_ARG_VALUE',
      'CL_INVALID_ARG_VALUE',
      'CL_INVALID_ARG_SIZE',
      'CL_INVALID_ARG_VALUE',
    ]);
  });

  // PoCL would take the handles for bytes, and kernels these for an address.
  const passesHandles = !deviceName.startsWith('Portable Computing Language');
  test(`${passesHandles ? 'take' : 'refuse'} images and samplers, and no other objects`, async () => {
    const { texels, plain } = (await cl.build(IMAGES)).kernels;
    const image = cl.image({ format: 'r32f', width: 4, height: 1 }, new Float32Array([1, 2, 3, 4]));
    const sampler = cl.sampler();
    const out = cl.buffer(Float32Array, 4);
    for (const kernel of [texels!, plain!]) {
      for (const wrong of [out, sampler, new Uint8Array(8), null, 1])
        expect(() => kernel.setArg(0, wrong)).toThrow(OpenCLError);
      for (const wrong of [out, image, new Uint8Array(8), null, 1])
        expect(() => kernel.setArg(1, wrong)).toThrow(OpenCLError);
    }
    if (passesHandles) {
      await texels!.run({ global: 4 }, image, sampler, out);
      expect([...(await out.read())]).toEqual([1, 2, 3, 4]);
    } else {
      expect(() => texels!.setArg(0, image)).toThrow(/'picture', a typedef.*write the image's own type/);
      expect(() => plain!.setArg(1, sampler)).toThrow(/'way', a typedef.*write sampler_t/);
    }
  });
});
