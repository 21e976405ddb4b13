// SPDX-License-Identifier: MIT
//
// Addresses of buffers on the software device (cl_ext_buffer_device_address).
import { DevicePointer, openSync, type Session } from '../../ts';

let cl: Session;
beforeAll(() => {
  cl = openSync({ device: 'software' });
});
afterAll(() => cl.close());

test('a kernel takes an address within a buffer, and follows addresses in memory', async () => {
  expect(cl.device.extensions).toContain('cl_ext_buffer_device_address');
  const source = `
kernel void write(global int *at, int value) { at[get_global_id(0)] = value; }
kernel void follow(global size_t *address) { *(global int *)address[0] = 42; }`;
  const { kernels } = await cl.build(source);
  const buffer = cl.buffer(Int32Array.of(1, 2, 3, 4), { deviceAddress: true });
  const address = buffer.info('DEVICE_ADDRESS_EXT');
  await kernels.write!.run({ global: 2 }, new DevicePointer(address + 4n), 7);
  expect(Array.from(await buffer.read())).toEqual([1, 7, 7, 4]);
  const bits = cl.device.info('ADDRESS_BITS');
  const pointers = bits === 64 ? BigUint64Array.of(address + 12n) : Uint32Array.of(Number(address) + 12);
  await kernels.follow!.run({ global: 1 }, cl.buffer(pointers));
  expect(Array.from(await buffer.read())).toEqual([1, 7, 7, 42]);
  expect(buffer.info('PROPERTIES')).toEqual([0x5000n, 1n, 0n]);
});

test('an address is told only of buffers that were created with one', () => {
  expect(() => cl.buffer(4).info('DEVICE_ADDRESS_EXT')).toThrow('CL_INVALID_OPERATION');
});

test('what is not an address of the device is refused', async () => {
  const { kernels } = await cl.build('kernel void k(global int *at, int value) {}');
  expect(() => kernels.k!.setDevicePointer(0, 1n << 40n)).toThrow('CL_INVALID_ARG_VALUE');
  expect(() => kernels.k!.setDevicePointer(1, 64n)).toThrow('CL_INVALID_ARG_VALUE');
});
