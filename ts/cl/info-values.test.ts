// SPDX-License-Identifier: MIT
import { ErrorCode } from './constants.gen';
import { errorName } from './error-names';
import { deviceInfo } from './info-keys.gen';
import { decodeInfo, type InfoValue } from './info-values';

describe('info values', () => {
  it('types a key by its table', () => {
    const sizes: InfoValue<typeof deviceInfo, 'MAX_WORK_ITEM_SIZES'> = decodeInfo(
      deviceInfo.MAX_WORK_ITEM_SIZES[1],
      new Uint8Array(new BigUint64Array([4n, 2n, 1n]).buffer),
    );
    expect(sizes).toEqual([4, 2, 1]);
  });

  it('reads strings up to their NUL', () => {
    expect(decodeInfo('string', new TextEncoder().encode('PoCL\0junk'))).toBe('PoCL');
    expect(decodeInfo('string', new Uint8Array(0))).toBe('');
  });

  it('reads versions and names', () => {
    const bytes = new Uint8Array(136);
    new DataView(bytes.buffer).setUint32(0, (3 << 22) | (1 << 12) | 7, true);
    bytes.set(new TextEncoder().encode('cl_khr_fp64'), 4);
    expect(decodeInfo('versions', bytes)[0]).toEqual({
      name: 'cl_khr_fp64',
      version: { major: 3, minor: 1, patch: 7 },
    });
  });

  it('takes a 32-bit answer where 64 bits are due', () => {
    expect(decodeInfo('bitfield', new Uint8Array([5, 0, 0, 0]))).toBe(5);
  });

  it('names errors', () => {
    expect(errorName(ErrorCode.INVALID_KERNEL_ARGS)).toBe('CL_INVALID_KERNEL_ARGS');
    expect(errorName(-1001)).toBe('CL_PLATFORM_NOT_FOUND_KHR');
    expect(errorName(-4242)).toBe('UNKNOWN_ERROR_-4242');
  });
});
