// SPDX-License-Identifier: MIT
//
// cl_khr_unified_svm on the software device.
import { type Context, type Device, platforms } from '../../ts';

const software: Device = platforms()
  .flatMap((platform) => platform.devices)
  .find((device) => device.type === 'software')!;

/** Bits of cl_svm_capabilities_khr. */
const SYSTEM_ALLOCATED = 2;
const DEVICE_OWNED = 4;
const DEVICE_UNASSOCIATED = 8;
const HOST_OWNED = 32;
const HOST_READ = 64;
const CONCURRENT_ATOMIC_ACCESS = 8192;

const types = () => software.info('SVM_TYPE_CAPABILITIES_KHR').map(Number);

let context: Context;
beforeEach(() => {
  context = software.createContext();
});
afterEach(() => context.release());

test('it is claimed, and its types are those of the platform', () => {
  expect(software.extensions).toContain('cl_khr_unified_svm');
  expect(types().length).toBe(5);
  expect(software.platform.info('SVM_TYPE_CAPABILITIES_KHR').map(Number)).toEqual(types());
  expect(types().filter((bits) => bits & SYSTEM_ALLOCATED)).toEqual([]);
});

test('the first type that suffices is suggested', () => {
  for (const required of [0, DEVICE_OWNED, HOST_OWNED, HOST_READ, CONCURRENT_ATOMIC_ACCESS]) {
    const suggested = context.suggestedSvmType(required, 64);
    expect(suggested).toBe(types().findIndex((bits) => (bits & required) === required));
  }
  expect(() => context.suggestedSvmType(SYSTEM_ALLOCATED, 64)).toThrow(/CL_INVALID_VALUE.*not allocated/);
  expect(() => context.suggestedSvmType(DEVICE_OWNED | HOST_OWNED, 64)).toThrow('CL_INVALID_VALUE');
});

test('kernels and host use memory of each type; pointers in it lead to other memory', async () => {
  const program = await context
    .createProgram(
      'struct list { global uint *a, *b; }; kernel void follow(global struct list *l) { *l->a += 5; *l->b += *l->a; }',
    )
    .build();
  const queue = context.createQueue();
  for (let typeIndex = 0; typeIndex < types().length; typeIndex++) {
    const make = (size: number) => context.createUnifiedSvm(size, { typeIndex, device: software });
    const isWide = software.info('ADDRESS_BITS') === 64;
    const [list, a, b] = [make(16), make(4), make(4)];
    await list.map('write', { queue });
    const { buffer, byteOffset } = list.bytes;
    if (isWide) new BigUint64Array(buffer, byteOffset, 2).set([a.address, b.address]);
    else new Uint32Array(buffer, byteOffset, 2).set([Number(a.address), Number(b.address)]);
    await list.unmap({ queue });
    await a.fill(Uint32Array.of(2), { queue });
    await b.fill(Uint32Array.of(30), { queue });
    const kernel = program.createKernel('follow');
    kernel.setArgs(list);
    kernel.useSvm(a, b);
    await queue.enqueueNDRange(kernel, { global: 1 });
    await b.map('read', { queue });
    expect(new DataView(b.bytes.buffer, b.bytes.byteOffset).getUint32(0, true)).toBe(37);
    await b.unmap({ queue });
    for (const svm of [list, a, b]) svm.release();
  }
});

test('memory tells what it was made with', () => {
  const svm = context.createUnifiedSvm(96, { capabilities: HOST_OWNED, align: 32, never: ['device-write'] });
  const type = context.suggestedSvmType(HOST_OWNED, 96);
  expect(svm.info('TYPE_INDEX_KHR')).toBe(type);
  expect(Number(svm.info('CAPABILITIES_KHR'))).toBe(types()[type]);
  expect(svm.info('PROPERTIES_KHR')).toEqual([8314n, 32n, 8313n, 512n, 0n]);
  expect(Number(svm.info('ACCESS_FLAGS_KHR'))).toBe(512);
  expect(svm.info('BASE_PTR_KHR')).toBe(svm.address);
  expect(svm.info('SIZE_KHR')).toBe(96);
  expect(svm.address % 32n).toBe(0n);
  expect(context.createSvm(8).info('TYPE_INDEX_KHR')).toBe(0);
  expect(context.createSvm(8, { fineGrained: true }).info('TYPE_INDEX_KHR')).toBe(1);
});

test('wrong types, alignments and missing devices are refused', () => {
  expect(() => context.createUnifiedSvm(8, { typeIndex: 5 })).toThrow('CL_INVALID_VALUE');
  expect(() => context.createUnifiedSvm(8, { align: 48 })).toThrow('CL_INVALID_VALUE');
  const owned = types().findIndex((bits) => (bits & DEVICE_UNASSOCIATED) === 0);
  expect(() => context.createUnifiedSvm(8, { typeIndex: owned })).toThrow('CL_INVALID_DEVICE');
});
