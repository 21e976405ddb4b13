// SPDX-License-Identifier: MIT
// The whole software backend: what the conformance suite cannot ask of every driver.

import { settingsWith } from '../../../tests/helpers/settings';
import {
  ChannelOrder,
  ChannelType,
  DeviceInfo,
  ErrorCode,
  KernelInfo,
  MemFlags,
  MemObjectType,
  ProgramBinaryType,
  ProgramBuildInfo,
} from '../../cl/constants.gen';
import { decodeInfo } from '../../cl/info-values';
import { StopCode } from '../../cl/stop-codes';
import { NodeHost } from '../../host/node/node-host';
import { Capability } from '../../spirv/grammar.gen';
import type { BackendContext, BackendDevice } from '../backend';
import type { BackendQueue } from '../backend-queue';
import { type BackendKernel, LocalArgument } from '../backend-queue';
import { SoftwareBackend } from '.';
import { defaultToolchain } from './build/default-toolchain';
import { EXTENSIONS, FEATURES } from './device/capabilities';

class TestHost extends NodeHost {
  written = '';

  constructor() {
    super(settingsWith({ ANYCL_TIMEOUT: '500', ANYCL_CACHE: '0' }));
  }

  override writeOut(bytes: Uint8Array): void {
    this.written += Buffer.from(bytes).toString();
  }
}

const host = new TestHost();
const backend = new SoftwareBackend(host, defaultToolchain);
const device: BackendDevice = backend.platforms()[0]!.devices()[0]!;
let context: BackendContext;
let queue: BackendQueue;
beforeAll(() => {
  context = device.createContext([device], []);
  queue = context.createQueue(device, []);
});
afterAll(() => backend.shutdown());

async function kernelOf(source: string, options = ''): Promise<BackendKernel> {
  const program = context.createProgramWithSource([source]);
  await program.build([device], options);
  return program.createKernel(program.kernelNames()[0]!);
}

const failed = async (kernel: BackendKernel): Promise<{ status: number; failure: string | undefined }> => {
  const event = queue.enqueueKernel(kernel, { global: [1] }, undefined, true)!;
  const status = await new Promise<number>((resolve) => event.onComplete(resolve));
  return { status, failure: event.failure };
};

test('a kernel calls a kernel of another program that it is linked with', async () => {
  const programs = [
    'kernel void add(global int *p, int by) { p[get_global_id(0)] += by; }',
    `extern kernel void add(global int *p, int by);
     kernel void twice(global int *p) { add(p, 1); add(p, 10); }`,
  ].map((source) => context.createProgramWithSource([source]));
  for (const program of programs) await program.compile([device], '', new Map());
  const library = await context.linkProgram([device], '-create-library', [programs[0]!]);
  const linkings = [programs, [library, programs[1]!]].map((inputs) =>
    context.linkProgram([device], '', inputs),
  );
  const executables = await Promise.all(linkings);
  const reloaded = context.createProgramWithBinary([device], executables[0]!.binaries());
  await reloaded.build([device], '');
  for (const linked of [...executables, reloaded]) {
    const buffer = context.createBuffer(MemFlags.COPY_HOST_PTR, 8, new Int32Array([100, 200]));
    const [twice, add] = [linked.createKernel('twice'), linked.createKernel('add')];
    twice.setArg(0, buffer);
    add.setArg(0, buffer);
    add.setArg(1, new Int32Array([1000]));
    queue.enqueueKernel(twice, { global: [2] }, undefined, false);
    queue.enqueueKernel(add, { global: [2] }, undefined, false);
    const data = new Int32Array(2);
    queue.enqueue({ op: 'readBuffer', buffer, offset: 0, into: data }, undefined, false);
    await queue.finish();
    expect([...data]).toEqual([1111, 1211]);
  }
});

test('a program made from a binary says of which type the binary is', async () => {
  const source = context.createProgramWithSource(['int f(void) { return 1; }']);
  await source.compile([device], '', new Map());
  const loaded = context.createProgramWithBinary([device], source.binaries());
  const type = decodeInfo('int', loaded.buildInfo(device, ProgramBuildInfo.BINARY_TYPE));
  expect(type).toBe(ProgramBinaryType.COMPILED_OBJECT);
});

/** A Buffer at an odd address: its `slice` is the same memory. */
function oddBuffer(bytes: Uint8Array): Buffer {
  const odd = Buffer.alloc(bytes.length + 1).subarray(1);
  odd.set(bytes);
  return odd;
}

test.each(['IL', 'binary'] as const)(
  'a program of %s is made of a copy, wherever the bytes are',
  async (kind) => {
    const source = context.createProgramWithSource(['kernel void k(global int *p) { p[0] = 5; }']);
    await source.build([device], '');
    const binary = source.binaries()[0]!;
    const spirv = new Uint8Array([3, 2, 35, 7]);
    const start = Buffer.from(binary).indexOf(spirv);
    const given = oddBuffer(kind === 'IL' ? binary.subarray(start) : binary);
    const program =
      kind === 'IL' ? context.createProgramWithIL(given) : context.createProgramWithBinary([device], [given]);
    given.fill(0);
    await program.build([device], '');
    const kernel = program.createKernel('k');
    const buffer = context.createBuffer(0, 4);
    kernel.setArg(0, buffer);
    expect(await failed(kernel)).toEqual({ status: 0, failure: undefined });
  },
);

test("a kernel's attributes are told as they were written", async () => {
  const kernel = await kernelOf(
    '__attribute__((vec_type_hint(uchar2))) __attribute__((reqd_work_group_size(2, 1, 1))) kernel void k() {}',
  );
  const attributes = decodeInfo('string', kernel.info(KernelInfo.ATTRIBUTES));
  expect(attributes).toBe('reqd_work_group_size(2,1,1) vec_type_hint(uchar2)');
  const signed = await kernelOf('__attribute__((vec_type_hint(int))) kernel void k() {}');
  expect(decodeInfo('string', signed.info(KernelInfo.ATTRIBUTES))).toBe('vec_type_hint(int)');
});

test('what the device says of versions has the form that the specification demands', () => {
  const text = (param: number): string => decodeInfo('string', device.info(param));
  expect(text(DeviceInfo.OPENCL_C_VERSION)).toMatch(/^OpenCL C \d\.\d /);
  expect(text(DeviceInfo.LATEST_CONFORMANCE_VERSION_PASSED)).toMatch(/^v\d{4}-\d\d-\d\d-\d\d$/);
  const capabilities = decodeInfo('uint[]', device.info(DeviceInfo.SPIRV_CAPABILITIES));
  expect(capabilities).toEqual(expect.arrayContaining([Capability.Kernel, Capability.Addresses]));
  expect(new Set(capabilities).size).toBe(capabilities.length);
});

test('depth images have two dimensions, as OpenCL C has no others', () => {
  const hasDepth = (type: MemObjectType): boolean =>
    context.supportedImageFormats(0, type).some(({ order }) => order === ChannelOrder.DEPTH);
  const types = [
    MemObjectType.IMAGE1D,
    MemObjectType.IMAGE2D,
    MemObjectType.IMAGE2D_ARRAY,
    MemObjectType.IMAGE3D,
  ];
  expect(types.map(hasDepth)).toEqual([false, true, true, false]);
  const format = { order: ChannelOrder.DEPTH, type: ChannelType.FLOAT };
  const size = {
    width: 4,
    height: 4,
    depth: 4,
    arraySize: 0,
    rowPitch: 0,
    slicePitch: 0,
    mipLevels: 0,
    samples: 0,
  };
  expect(() => context.createImage(0, format, { type: MemObjectType.IMAGE3D, ...size })).toThrow(
    'CL_IMAGE_FORMAT_NOT_SUPPORTED',
  );
});

test('printf writes in order, when the kernel has run', async () => {
  const kernel = await kernelOf(
    'kernel void k(global int *p) { printf("%d %s %v2f|%5.1f\\n", p[get_global_id(0)], "text", (float2)(1, 2), 0.25); }',
  );
  kernel.setArg(0, context.createBuffer(MemFlags.COPY_HOST_PTR, 8, new Int32Array([7, -8])));
  host.written = '';
  queue.enqueueKernel(kernel, { global: [2], local: [1] }, undefined, false);
  await queue.finish();
  expect(host.written.split('\n').sort()).toEqual([
    '',
    '-8 text 1.000000,2.000000|  0.2',
    '7 text 1.000000,2.000000|  0.2',
  ]);
});

test('a kernel that leaves the memory fails with its name; the next one runs', async () => {
  const kernel = await kernelOf('kernel void outside(global int *p) { p[0x30000000] = 1; }');
  kernel.setArg(0, context.createBuffer(0, 4));
  expect(await failed(kernel)).toEqual({
    status: ErrorCode.OUT_OF_RESOURCES,
    failure: expect.stringContaining("kernel 'outside' trapped: memory access out of bounds"),
  });
});

test('a kernel that never ends fails; the next one runs', async () => {
  const kernel = await kernelOf('kernel void endless(volatile global int *p) { while (p[0] == 0) ; }');
  const buffer = context.createBuffer(MemFlags.COPY_HOST_PTR, 4, new Int32Array(1));
  kernel.setArg(0, buffer);
  expect(await failed(kernel)).toEqual({
    status: StopCode.COMMAND_TIMED_OUT,
    failure: expect.stringContaining("kernel 'endless' made no progress for 500 ms"),
  });
  queue.enqueue({ op: 'writeBuffer', buffer, offset: 0, from: new Int32Array([1]) }, undefined, false);
  expect((await failed(kernel)).status).toBe(0);
});

test('shared virtual memory is what the host sees', async () => {
  const svm = context.svmAlloc(0, 64, 0);
  const kernel = await kernelOf(
    'kernel void k(global int *p) { p[get_global_id(0)] = get_global_id(0) * 3; }',
  );
  kernel.setArg(0, svm);
  queue.enqueueKernel(kernel, { global: [16] }, undefined, false);
  queue.finishSync();
  expect(new Int32Array(svm.bytes.buffer, svm.bytes.byteOffset, 16)[5]).toBe(15);
  svm.free();
});

test('a mapped buffer is the device’s memory itself', async () => {
  const buffer = context.createBuffer(0, 4096);
  const { mapped } = queue.mapBuffer(buffer, 1, 0, 4096, undefined);
  expect(mapped.bytes.buffer).toBeInstanceOf(SharedArrayBuffer);
  const again = context.createBuffer(MemFlags.USE_HOST_PTR, 4096, mapped.bytes);
  queue.enqueue(
    { op: 'fillBuffer', buffer: again, pattern: new Uint8Array([9]), offset: 0, size: 4096 },
    undefined,
    false,
  );
  await queue.finish();
  expect(mapped.bytes[4095]).toBe(9);
});

test('program-scope variables live as long as the program', async () => {
  const kernel = await kernelOf(
    'global int counter = 5; kernel void k(global int *p) { p[0] = counter++; }',
    '-cl-std=CL3.0',
  );
  const buffer = context.createBuffer(0, 4);
  kernel.setArg(0, buffer);
  const out = new Int32Array(1);
  for (const expected of [5, 6, 7]) {
    queue.enqueueKernel(kernel, { global: [1] }, undefined, false);
    queue.enqueue({ op: 'readBuffer', buffer, offset: 0, into: out }, undefined, false);
    queue.finishSync();
    expect(out[0]).toBe(expected);
  }
});

test('nothing is left of many objects', async () => {
  const kernel = await kernelOf('kernel void k(global int *p, local int *l) { p[get_global_id(0)] = 1; }');
  const used = (): number =>
    (context as unknown as { services: { device: { memory: { used: number } } } }).services.device.memory
      .used;
  const before = used();
  for (let round = 0; round < 20; round++) {
    for (let i = 0; i < 500; i++) {
      const buffer = context.createBuffer(0, 1 + ((i * 7919) % 5000));
      kernel.setArg(0, buffer);
      kernel.setArg(1, new LocalArgument(16));
      queue.enqueueKernel(kernel, { global: [1] }, undefined, false);
      buffer.release();
    }
    await queue.finish();
  }
  kernel.setArg(0, null);
  expect(used()).toBe(before);
});

test('the objects that arguments name are there until the kernel names others', async () => {
  const kernel = await kernelOf('kernel void k(global int *p) { p[get_global_id(0)] = 5; }');
  const named = context.createBuffer(0, 4096);
  kernel.setArg(0, named);
  const copy = kernel.clone!();
  named.release();
  // Of the same size, so that the allocator would reuse the freed memory.
  const others = [0, 1, 2].map(() => context.createBuffer(0, 4096));
  for (const buffer of others)
    queue.enqueue(
      { op: 'fillBuffer', buffer, pattern: new Uint8Array([1]), offset: 0, size: 4096 },
      undefined,
      false,
    );
  for (const each of [kernel, kernel, copy, copy])
    queue.enqueueKernel(each, { global: [1024] }, undefined, false);
  await queue.finish();
  for (const buffer of others) {
    const bytes = new Uint8Array(4096);
    queue.enqueue({ op: 'readBuffer', buffer, offset: 0, into: bytes }, undefined, false);
    await queue.finish();
    expect(bytes.every((byte) => byte === 1)).toBe(true);
    buffer.release();
  }
  expect((named as unknown as { referenceCount: number }).referenceCount).toBe(2);
  kernel.setArg(0, null);
  copy.release();
  expect((named as unknown as { referenceCount: number }).referenceCount).toBe(0);
});

test('everything claimed is said to the compiler, too', async () => {
  const names = decodeInfo('string', device.info(DeviceInfo.EXTENSIONS)).split(' ');
  expect(names).toEqual(EXTENSIONS);
  const claimed = [...EXTENSIONS, ...FEATURES].filter((name) =>
    /^(__opencl_c|cl_khr_(fp|int64|subgroup))/.test(name),
  );
  const text = `${claimed.map((name) => `#ifndef ${name}\n#error ${name}\n#endif\n`).join('')}
#ifdef cl_khr_gl_msaa_sharing
#error samples
#endif
kernel void k() {}`;
  await expect(kernelOf(text, '-cl-std=CL3.0')).resolves.toBeDefined();
});

describe('ND-ranges beyond 31 bits', () => {
  const SOURCE = `kernel void last(global uint *o, uint x, uint y) {
      if (get_global_id(0) == x && get_global_id(1) == y) o[0] += 1;
    }`;

  test.each([
    ['2^31 groups in a row', [2 ** 31], [1]],
    ['as many work-items as size_t counts', [2 ** 32 - 1], [4096]],
    ['more groups than 32 bits count', [65536, 65537], [1, 1]],
  ])('%s', async (_, global, local) => {
    const kernel = await kernelOf(SOURCE, '-cl-std=CL2.0');
    const buffer = context.createBuffer(MemFlags.COPY_HOST_PTR, 16, new Uint32Array(4));
    const [x = 0, y = 0] = global.map((size) => size - 1);
    kernel.setArg(0, buffer);
    kernel.setArg(1, new Uint32Array([x]));
    kernel.setArg(2, new Uint32Array([y]));
    // The next command of an in-order queue starts after the last group, not after the first range of groups.
    const event = queue.enqueueKernel(kernel, { global, local }, undefined, true)!;
    queue.enqueueKernel(
      kernel,
      { global: global.map(() => 1), offset: global.map((size) => size - 1) },
      undefined,
      false,
    );
    const read = new Uint32Array(4);
    queue.enqueue({ op: 'readBuffer', buffer, offset: 0, into: read }, undefined, false);
    await queue.finish();
    expect(event.failure).toBeUndefined();
    expect([...read]).toEqual([2, 0, 0, 0]);
  });

  test('what size_t does not hold is refused', async () => {
    const kernel = await kernelOf(SOURCE);
    kernel.setArg(0, null);
    kernel.setArg(1, new Uint32Array(1));
    kernel.setArg(2, new Uint32Array(1));
    const launch = (global: number[], offset?: number[]) => () =>
      queue.enqueueKernel(kernel, { global, ...(offset ? { offset } : {}) }, undefined, false);
    expect(launch([2 ** 32])).toThrow(/CL_INVALID_GLOBAL_WORK_SIZE/);
    expect(launch([1, 1, 2 ** 53])).toThrow(/CL_INVALID_GLOBAL_WORK_SIZE/);
    expect(launch([2 ** 32 - 1], [2])).toThrow(/CL_INVALID_GLOBAL_OFFSET/);
  });
});

describe('memory that does not fit is refused before anything runs, with the sizes', () => {
  const keptOverBarrier = (dimension: string) => `kernel void k(global uint *o, uint n) {
    uint a[${dimension}];
    for (uint j = 0; j < n; j++) a[j] = get_local_id(0) + j;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint s = 0;
    for (uint j = 0; j < n; j++) s += a[j] - j;
    o[get_global_id(0)] = s / n;
  }`;

  test.each([
    ['1 << 20', 1024],
    ['1 << 24', 64],
    ['1 << 28', 4096],
  ])('private memory: a[%s] of %d work-items', async (dimension, items) => {
    const kernel = await kernelOf(keptOverBarrier(dimension));
    kernel.setArg(0, context.createBuffer(0, 4 * items));
    kernel.setArg(1, new Uint32Array([1]));
    // Only the compiled code has the sizes. A launch without an event leaves its error to the queue.
    queue.enqueueKernel(kernel, { global: [items], local: [items] }, undefined, false);
    expect(() => queue.finishSync()).toThrow(
      /CL_OUT_OF_RESOURCES.*a work-group needs \d+ bytes .*the device's memory has 4294900736/,
    );
  });

  test.each([
    [
      'private',
      'kernel void k(global uint *o) { uint a[1L << 40]; a[o[0]] = 1; o[1] = a[o[2]]; }',
      /array is too large/,
    ],
    [
      'private, less than 4 GB',
      'kernel void k(global uint *o) { uint a[0x2fffffff]; a[o[0]] = 1; o[1] = a[o[2]]; }',
      /the variable 'a' takes 3221225468 bytes/,
    ],
    [
      'local',
      'kernel void k(global uint *o) { local uint a[0x3fffffff]; a[o[0]] = 1; o[1] = a[o[2]]; }',
      /4294967292 bytes/,
    ],
    [
      'local, by its alignment',
      'kernel void k(global int *o) { local int a[4] __attribute__((aligned(8192))); a[o[0]] = 1; o[1] = a[o[2]]; }',
      /the local variable '.*a' is aligned to 8192 bytes; the device aligns local memory to 4096 at most/,
    ],
    [
      'a local argument, by its alignment',
      'typedef struct { int a __attribute__((aligned(8192))); } S; kernel void k(local S *s) { s->a = 1; }',
      /the local argument 's' is aligned to 8192 bytes/,
    ],
    [
      'constants',
      'constant int a[1 << 29] = {1}; kernel void k(global int *o) { *o = a[*o]; }',
      /'a' takes 2147483648 bytes/,
    ],
  ])('a variable that can never fit is an error of the build: %s', async (_, source, message) => {
    await expect(kernelOf(source)).rejects.toThrow(message);
  });
});

test('a constant of a gigabyte of zeros takes no time', async () => {
  const kernel = await kernelOf(
    'constant int a[1 << 28] = {1, 2}; kernel void k(global int *o) { int i = get_global_id(0); o[i] = a[o[i]]; }',
  );
  const buffer = context.createBuffer(MemFlags.COPY_HOST_PTR, 16, new Int32Array([0, 1, 2, (1 << 28) - 1]));
  kernel.setArg(0, buffer);
  queue.enqueueKernel(kernel, { global: [4] }, undefined, false);
  const read = new Int32Array(4);
  queue.enqueue({ op: 'readBuffer', buffer, offset: 0, into: read }, undefined, false);
  await queue.finish();
  expect([...read]).toEqual([1, 2, 0, 0]);
});

test('launches that print give their rings back, and print whatever a format asks for', async () => {
  const kernel = await kernelOf('kernel void k() { printf("%2000000000d|%.400000000f\\n", 1, 1.5f); }');
  host.written = '';
  for (let i = 0; i < 1100; i++) {
    queue.enqueueKernel(kernel, { global: [1] }, undefined, false);
    if (i % 100 === 99) await queue.finish();
  }
  expect(host.written.match(/was cut to 65536 characters/g)).toHaveLength(2 * 1100);
}, 60_000);
