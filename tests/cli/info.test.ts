// SPDX-License-Identifier: MIT
import { findDevice } from '../../ts';
import { anycl } from '../helpers/command';

const info = (...args: string[]) => anycl('info', '--device', 'software', ...args);

test('decodes bit fields, has units, and shows one extension a line', () => {
  const { status, stdout } = info();
  expect(status).toBe(0);
  expect(stdout).toMatch(/TYPE +CPU\n/);
  expect(stdout).toMatch(/SINGLE_FP_CONFIG +DENORM INF_NAN ROUND_TO_NEAREST/);
  expect(stdout).toMatch(/LOCAL_MEM_SIZE +\d+ bytes \(\d+ KiB\)/);
  expect(stdout).toMatch(/PREFERRED_WORK_GROUP_SIZE_MULTIPLE +\d+\n/);
  expect(stdout).toMatch(/EXTENSIONS +cl_\w+\n +cl_\w+\n/);
  expect(stdout).toMatch(/image formats 2d [\s\S]*\brgba8\b/);
  expect(stdout).not.toMatch(/NUMERIC_VERSION_KHR +3\.\d+\.\d+\n[\s\S]* NUMERIC_VERSION +3/);
});

test('JSON has the names and the number', () => {
  const { platforms } = JSON.parse(info('--json').stdout) as {
    platforms: { devices: Record<string, unknown>[] }[];
  };
  const device = platforms[0]!.devices[0]!;
  expect(device).toMatchObject({ TYPE: { names: ['CPU'], raw: 2 }, type: 'software' });
  expect((device.imageFormats as Record<string, string[]>)['2d']).toContain('rgba32f');
  const raw = JSON.parse(info('--json', '--raw').stdout) as {
    platforms: { devices: Record<string, unknown>[] }[];
  };
  expect(raw.platforms[0]!.devices[0]!.TYPE).toBe(2);
});

test('one property, in any case, alone', () => {
  expect(info('--prop', 'cl_device_max_compute_units').stdout).toMatch(/^\d+\n$/);
  expect(info('--prop', 'LOCAL_MEM_SIZE', '--raw').stdout).toMatch(/^\d+\n$/);
});

test('a property that there is not, or not here', () => {
  expect(info('--prop', 'MAX_COMPUTE_UNIT')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('did you mean MAX_COMPUTE_UNITS?'),
  });
  expect(info('--prop', 'WARP_SIZE_NV')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('cl_nv_device_attribute_query'),
  });
});

test('a device describes itself in JSON, and names what an unknown property needs', () => {
  const device = findDevice('software');
  const described = JSON.parse(JSON.stringify(device.describe())) as Record<string, unknown>;
  expect(described).toMatchObject({ NAME: device.name, TYPE: { names: ['CPU'], raw: 2 }, type: 'software' });
  expect(() => device.info('WARP_SIZE_NV')).toThrow(
    /'WARP_SIZE_NV' is not known here: it needs cl_nv_device_attribute_query/,
  );
  expect(() => device.info('MAX_COMPUTE_UNIT' as 'NAME')).toThrow(/did you mean 'MAX_COMPUTE_UNITS'/);
});
