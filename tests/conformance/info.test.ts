// SPDX-License-Identifier: MIT
//
// Every key of every clGet…Info function on every device: its value has the type that its name promises, or the device
// refuses it with an error of that function. What an OpenCL 1.2 device must know it may not refuse.
import { type Context, OpenCLError } from '../../ts';
import * as keys from '../../ts/cl/info-keys.gen';
import type { InfoTable } from '../../ts/cl/info-values';
import { apiDevices, shutdownAll } from './devices';

afterAll(shutdownAll);

const isNumber = (v: unknown) => typeof v === 'number' && !Number.isNaN(v);
const isList = (of: string) => (v: unknown) => Array.isArray(v) && v.every((e) => typeof e === of);
/** The form of a value of each type; other types are objects. */
const CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  int: isNumber,
  uint: isNumber,
  size: isNumber,
  size_t: isNumber,
  bitfield: isNumber,
  float: isNumber,
  ulong: (v) => typeof v === 'bigint',
  pointer: (v) => typeof v === 'bigint',
  bool: (v) => typeof v === 'boolean',
  string: (v) => typeof v === 'string' && !v.includes('\0'),
  'uint[]': isList('number'),
  'size_t[]': isList('number'),
  'bitfield[]': isList('number'),
  'ulong[]': isList('bigint'),
};

describe.each(apiDevices)('%s', (_, device) => {
  let context: Context;
  /** Each table, the object that answers its keys, and the function that errors name. */
  let queries: [string, InfoTable, (key: string) => unknown, string][];

  beforeAll(async () => {
    context = device.createContext();
    const queue = context.createQueue({ profiling: true });
    const buffer = context.createBuffer(Float32Array, 64);
    const program = await context
      .createProgram('kernel void k(global float *p) { p[get_global_id(0)] = 1; }')
      .build('-cl-kernel-arg-info');
    const kernel = program.createKernel('k').setArgs(buffer);
    const event = queue.enqueueNDRange(kernel, { global: 64 });
    await event;
    const sampler = context.createSampler();
    queries = [
      ['platformInfo', keys.platformInfo, (k) => device.platform.info(k as never), 'clGetPlatformInfo'],
      ['deviceInfo', keys.deviceInfo, (k) => device.info(k as never), 'clGetDeviceInfo'],
      ['contextInfo', keys.contextInfo, (k) => context.info(k as never), 'clGetContextInfo'],
      ['queueInfo', keys.queueInfo, (k) => queue.info(k as never), 'clGetCommandQueueInfo'],
      ['memInfo', keys.memInfo, (k) => buffer.memoryInfo(k as never), 'clGetMemObjectInfo'],
      ['samplerInfo', keys.samplerInfo, (k) => sampler.info(k as never), 'clGetSamplerInfo'],
      ['programInfo', keys.programInfo, (k) => program.info(k as never), 'clGetProgramInfo'],
      [
        'programBuildInfo',
        keys.programBuildInfo,
        (k) => program.buildInfo(k as never),
        'clGetProgramBuildInfo',
      ],
      ['kernelInfo', keys.kernelInfo, (k) => kernel.info(k as never), 'clGetKernelInfo'],
      [
        'kernelWorkGroupInfo',
        keys.kernelWorkGroupInfo,
        (k) => kernel.workGroupInfo(k as never),
        'clGetKernelWorkGroupInfo',
      ],
      ['eventInfo', keys.eventInfo, (k) => event.info(k as never), 'clGetEventInfo'],
    ];
    if (device.info('IMAGE_SUPPORT')) {
      const image = context.createImage({ format: 'rgba8', width: 8, height: 4 });
      queries.push(['imageInfo', keys.imageInfo, (k) => image.info(k as never), 'clGetImageInfo']);
    }
  });
  afterAll(() => context.release());

  test('every key answers in its type, or is refused by its function', () => {
    const wrong: string[] = [];
    for (const [table, entries, ask, functionName] of queries) {
      for (const [key, [, type, since]] of Object.entries(entries)) {
        // Properties of programs and kernels that only custom devices or later calls have.
        const optional = !(Number(since) <= 1.2) || /BINAR|GLOBAL_WORK_SIZE|HOST_PTR|_ARM|_INTEL/.test(key);
        try {
          const value = ask(key);
          if (type !== 'handle' && CHECKS[type] && !CHECKS[type](value))
            wrong.push(`${table}.${key}: ${String(value)} is no ${type}`);
        } catch (error) {
          const own = error instanceof OpenCLError && error.functionName === functionName;
          if (!own) wrong.push(`${table}.${key}: ${String(error)}`);
          else if (!optional && type !== 'handle') wrong.push(`${table}.${key}: refused (${error.codeName})`);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  test('a key that is not there is refused by name and by number', () => {
    for (const [, , ask, functionName] of queries) {
      const refused = expect.objectContaining({ codeName: 'CL_INVALID_VALUE', functionName });
      expect(() => ask('NO_SUCH_KEY')).toThrow(refused);
      expect(() => ask('constructor')).toThrow(refused);
    }
    expect(() => device.info(0x7777)).toThrow(expect.objectContaining({ codeName: 'CL_INVALID_VALUE' }));
  });

  test('binaries are arrays of bytes, by name as well', async () => {
    const program = await context.createProgram('kernel void k(global int *p) { *p = 1; }').build();
    const binaries: readonly Uint8Array[] = program.info('BINARIES');
    expect(binaries.map((b) => b.length)).toEqual(program.info('BINARY_SIZES'));
    expect(binaries[0]!.length).toBeGreaterThan(0);
    // By number, the driver would write to pointers in the caller's memory.
    if (device.platform.kind === 'native') expect(() => program.info(0x1166)).toThrow('program.binaries');
  });
});
