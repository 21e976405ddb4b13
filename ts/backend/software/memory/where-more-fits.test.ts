// SPDX-License-Identifier: MIT
// The device with 64-bit addresses is named only where it is listed and takes the context's kernels.
import { settingsWith } from '../../../../tests/helpers/settings';
import { ROBUST_PROPERTY } from '../../../base/bounds';
import { has64BitMemories } from '../../../device/memory/memory';
import { NodeHost } from '../../../host/node/node-host';
import type { BackendDevice } from '../../backend';
import { SoftwareBackend } from '..';
import { defaultToolchain } from '../build/default-toolchain';

const GIGABYTE = 2 ** 30;

class MachineWith extends NodeHost {
  constructor(override readonly memoryBytes: number) {
    super(settingsWith({}));
  }
}

const hintOf = (device: BackendDevice, properties: readonly bigint[]) => {
  const context = device.createContext([device], properties);
  const hint = context.whereMoreFits?.();
  context.release();
  return hint;
};

test.each([3, 4, 5, 64])('on a machine with %d GB', async (gigabytes) => {
  const backend = new SoftwareBackend(new MachineWith(gigabytes * GIGABYTE), defaultToolchain);
  try {
    const [usual, wide] = backend.platforms().flatMap((platform) => platform.devices());
    expect(wide !== undefined).toBe(gigabytes > 4 && has64BitMemories());
    const expected = has64BitMemories() ? /open\(\{ device: '64-bit' \}\)/ : /Node\.js 24 or later/;
    const hint = hintOf(usual!, []);
    if (gigabytes > 4) expect(hint).toMatch(expected);
    else expect(hint).toBeUndefined();
    expect(hintOf(usual!, [BigInt(ROBUST_PROPERTY), 1n, 0n])).toBeUndefined();
    if (!wide) return;
    expect(hintOf(wide, [])).toBeUndefined();
    expect(hintOf(wide, [BigInt(ROBUST_PROPERTY), 1n, 0n])).toMatch(/not checked, counted or robust/);
  } finally {
    await backend.shutdown();
  }
});
