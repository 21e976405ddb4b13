// SPDX-License-Identifier: MIT
// Programs and kernels over the Backend interface.

import type { BackendProgram } from '../../ts/backend/backend';
import { type BackendArgument, type BackendKernel, LocalArgument } from '../../ts/backend/backend-queue';
import {
  BuildStatus,
  DeviceInfo,
  ErrorCode,
  KernelArgInfo,
  KernelInfo,
  KernelWorkGroupInfo,
  MemFlags,
  ProgramBuildInfo,
  ProgramInfo,
} from '../../ts/cl/constants.gen';
import { decodeInfo } from '../../ts/cl/info-values';
import { type Bench, completion, openBench, shutdownAll, testDevices } from './devices';

afterAll(shutdownAll);

const SOURCE = `
kernel void saxpy(float a, global const float *x, global float *y) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}
kernel void ids(global uint *out) {
  size_t i = get_global_id(0) - get_global_offset(0);
  size_t j = get_global_id(1) - get_global_offset(1);
  out[j * get_global_size(0) + i] = get_global_id(0) + 1000 * get_global_id(1) + 1000000 * get_group_id(0);
}
kernel void reverse(global int *data, local int *scratch) {
  size_t l = get_local_id(0);
  scratch[l] = data[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = scratch[get_local_size(0) - 1 - l];
}
kernel void count(global uint *counter) { atomic_inc(counter); }
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void eight(global uint *out) {
  out[get_global_id(0)] = get_local_size(0);
}
constant int table[4] = {3, 1, 4, 1};
kernel void lookup(global int *out) { out[get_global_id(0)] = table[get_global_id(0) & 3]; }
`;

describe.each(testDevices.map(({ name, device }) => [name, device] as const))('%s', (name, device) => {
  let bench: Bench;
  let program: BackendProgram;
  beforeAll(async () => {
    bench = openBench(device);
    program = bench.context.createProgramWithSource([SOURCE]);
    await program.build([device], '-cl-kernel-arg-info');
  });
  afterAll(() => {
    program.release();
    bench.close();
  });

  async function run(
    kernel: BackendKernel | string,
    args: readonly BackendArgument[],
    global: readonly number[],
    local?: readonly number[],
    offset?: readonly number[],
  ): Promise<void> {
    const target = typeof kernel === 'string' ? program.createKernel(kernel) : kernel;
    args.forEach((value, index) => {
      target.setArg(index, value);
    });
    const event = bench.queue.enqueueKernel(target, { global, local, offset }, undefined, true);
    expect(await completion(event)).toBe(0);
    event!.release();
    if (typeof kernel === 'string') target.release();
  }

  async function read<T extends ArrayBufferView>(
    memory: ReturnType<Bench['context']['createBuffer']>,
    into: T,
  ): Promise<T> {
    expect(
      await completion(
        bench.queue.enqueue({ op: 'readBuffer', buffer: memory, offset: 0, into }, undefined, true),
      ),
    ).toBe(0);
    return into;
  }

  test.each([1, 3, 64, 1000, 100_000])('saxpy over %i work-items', async (n) => {
    const x = Float32Array.from({ length: n }, (_v, i) => i);
    const y = Float32Array.from({ length: n }, (_v, i) => 2 * i);
    const bx = bench.context.createBuffer(MemFlags.COPY_HOST_PTR, 4 * n, x);
    const by = bench.context.createBuffer(MemFlags.COPY_HOST_PTR, 4 * n, y);
    await run('saxpy', [new Float32Array([0.5]), bx, by], [n]);
    expect(await read(by, new Float32Array(n))).toEqual(x.map((v) => 2.5 * v));
    bx.release();
    by.release();
  });

  test('ids and offsets in two dimensions', async () => {
    const out = bench.context.createBuffer(0, 4 * 12 * 6);
    await run('ids', [out], [12, 6], [4, 2], [5, 7]);
    const values = await read(out, new Uint32Array(72));
    for (let j = 0; j < 6; j++) {
      for (let i = 0; i < 12; i++) {
        expect(values[j * 12 + i]).toBe(i + 5 + 1000 * (j + 7) + 1_000_000 * Math.floor(i / 4));
      }
    }
    out.release();
  });

  test('local memory and barriers', async () => {
    const n = 512;
    const data = bench.context.createBuffer(
      MemFlags.COPY_HOST_PTR,
      4 * n,
      Int32Array.from({ length: n }, (_v, i) => i),
    );
    await run('reverse', [data, new LocalArgument(4 * 64)], [n], [64]);
    const values = await read(data, new Int32Array(n));
    expect([...values]).toEqual(Array.from({ length: n }, (_v, i) => (i & ~63) + 63 - (i & 63)));
    data.release();
  });

  test('atomics count every work-item', async () => {
    const counter = bench.context.createBuffer(MemFlags.COPY_HOST_PTR, 4, new Uint32Array(1));
    await run('count', [counter], [50_000]);
    expect((await read(counter, new Uint32Array(1)))[0]).toBe(50_000);
    counter.release();
  });

  test('a required work-group size is used and insisted on', async () => {
    const out = bench.context.createBuffer(0, 4 * 32);
    // Drivers of OpenCL 1.2 do not choose the required size themselves.
    await run('eight', [out], [32], device.platform.backend.kind === 'software' ? undefined : [8]);
    expect([...(await read(out, new Uint32Array(32)))]).toEqual(new Array(32).fill(8));
    const kernel = program.createKernel('eight');
    kernel.setArg(0, out);
    expect(() => bench.queue.enqueueKernel(kernel, { global: [32], local: [4] }, undefined, false)).toThrow(
      expect.objectContaining({ code: ErrorCode.INVALID_WORK_GROUP_SIZE }),
    );
    expect(
      decodeInfo('size_t[]', kernel.workGroupInfo(device, KernelWorkGroupInfo.COMPILE_WORK_GROUP_SIZE)),
    ).toEqual([8, 1, 1]);
    kernel.release();
    out.release();
  });

  test('constants of the program', async () => {
    const out = bench.context.createBuffer(0, 4 * 8);
    await run('lookup', [out], [8]);
    expect([...(await read(out, new Int32Array(8)))]).toEqual([3, 1, 4, 1, 3, 1, 4, 1]);
    out.release();
  });

  test('local sizes that do not divide are refused for OpenCL C 1.2 and taken for 2.0', async () => {
    const out = bench.context.createBuffer(0, 4 * 100);
    const kernel = program.createKernel('lookup');
    kernel.setArg(0, out);
    expect(() => bench.queue.enqueueKernel(kernel, { global: [100], local: [64] }, undefined, false)).toThrow(
      expect.objectContaining({ code: ErrorCode.INVALID_WORK_GROUP_SIZE }),
    );
    kernel.release();
    out.release();
  });

  test('wrong arguments', () => {
    const kernel = program.createKernel('saxpy');
    const code = (expected: ErrorCode) => expect.objectContaining({ code: expected }) as unknown as Error;
    expect(() => kernel.setArg(0, new Float64Array(1))).toThrow(code(ErrorCode.INVALID_ARG_SIZE));
    expect(() => kernel.setArg(7, null)).toThrow(code(ErrorCode.INVALID_ARG_INDEX));
    kernel.setArg(0, new Float32Array(1));
    expect(() => bench.queue.enqueueKernel(kernel, { global: [1] }, undefined, false)).toThrow(
      code(ErrorCode.INVALID_KERNEL_ARGS),
    );
    expect(() => program.createKernel('nothing')).toThrow(code(ErrorCode.INVALID_KERNEL_NAME));
    kernel.release();
  });

  test('information about programs and kernels', () => {
    expect(decodeInfo('string', program.info(ProgramInfo.KERNEL_NAMES)).split(';').sort()).toEqual(
      ['saxpy', 'ids', 'reverse', 'count', 'eight', 'lookup'].sort(),
    );
    expect(decodeInfo('string', program.info(ProgramInfo.SOURCE))).toBe(SOURCE);
    expect(decodeInfo('int', program.buildInfo(device, ProgramBuildInfo.BUILD_STATUS))).toBe(
      BuildStatus.SUCCESS,
    );
    const kernel = program.createKernel('saxpy');
    expect(decodeInfo('string', kernel.info(KernelInfo.FUNCTION_NAME))).toBe('saxpy');
    expect(decodeInfo('uint', kernel.info(KernelInfo.NUM_ARGS))).toBe(3);
    expect(decodeInfo('string', kernel.argInfo(1, KernelArgInfo.NAME))).toBe('x');
    expect(decodeInfo('string', kernel.argInfo(1, KernelArgInfo.TYPE_NAME))).toBe('float*');
    expect(
      decodeInfo('size_t', kernel.workGroupInfo(device, KernelWorkGroupInfo.WORK_GROUP_SIZE)),
    ).toBeGreaterThan(0);
    kernel.release();
  });

  test('a program that does not compile has a log', async () => {
    const broken = bench.context.createProgramWithSource(['kernel void k(global int *p) { *p = nowhere; }']);
    await expect(broken.build([device], '')).rejects.toMatchObject({
      code: ErrorCode.BUILD_PROGRAM_FAILURE,
      buildLog: expect.stringContaining('nowhere'),
    });
    expect(decodeInfo('int', broken.buildInfo(device, ProgramBuildInfo.BUILD_STATUS))).toBe(
      BuildStatus.ERROR,
    );
    expect(decodeInfo('string', broken.buildInfo(device, ProgramBuildInfo.BUILD_LOG))).toContain('nowhere');
    expect(() => broken.createKernel('k')).toThrow();
    broken.release();
  });

  test('programs are compiled with headers, linked, and go through binaries', async () => {
    const { context, queue } = bench;
    const header = context.createProgramWithSource(['int twice(int x);\n']);
    const lib = context.createProgramWithSource(['#include "twice.h"\nint twice(int x) { return 2 * x; }\n']);
    const main = context.createProgramWithSource([
      '#include "twice.h"\nkernel void k(global int *p) { p[get_global_id(0)] = twice(get_global_id(0)); }\n',
    ]);
    const headers = new Map([['twice.h', header]]);
    await lib.compile([device], '', headers);
    await main.compile([device], '', headers);
    const version = decodeInfo('string', device.info(DeviceInfo.DRIVER_VERSION));
    if (name.startsWith('rusticl') && version.startsWith('22.')) {
      // Mesa 22.3 mixes SPIR-V versions when it links; anycl reports it with the log.
      await expect(context.linkProgram([device], '', [main, lib])).rejects.toMatchObject({
        code: ErrorCode.LINK_PROGRAM_FAILURE,
        buildLog: expect.stringMatching(/./),
      });
      for (const each of [header, lib, main]) each.release();
      return;
    }
    const linked = await context.linkProgram([device], '', [main, lib]);
    const loaded = context.createProgramWithBinary([device], linked.binaries());
    await loaded.build([device], '');
    for (const built of [linked, loaded]) {
      const out = context.createBuffer(0, 16);
      const kernel = built.createKernel('k');
      kernel.setArg(0, out);
      queue.enqueueKernel(kernel, { global: [4] }, undefined, false);
      expect([...(await read(out, new Int32Array(4)))]).toEqual([0, 2, 4, 6]);
      kernel.release();
      out.release();
    }
    await expect(context.linkProgram([device], '', [main])).rejects.toMatchObject({
      code: ErrorCode.LINK_PROGRAM_FAILURE,
    });
    for (const each of [header, lib, main, linked, loaded]) each.release();
  });

  test('a clone has its own arguments', async () => {
    const a = bench.context.createBuffer(MemFlags.COPY_HOST_PTR, 16, new Int32Array(4));
    const b = bench.context.createBuffer(MemFlags.COPY_HOST_PTR, 16, new Int32Array(4));
    const kernel = program.createKernel('lookup');
    kernel.setArg(0, a);
    const copy = kernel.clone();
    copy.setArg(0, b);
    await run(kernel, [], [4]);
    expect([...(await read(b, new Int32Array(4)))]).toEqual([0, 0, 0, 0]);
    await run(copy, [], [4]);
    expect([...(await read(b, new Int32Array(4)))]).toEqual([3, 1, 4, 1]);
    for (const object of [kernel, copy, a, b]) object.release();
  });
});
