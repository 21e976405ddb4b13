// SPDX-License-Identifier: MIT
//
// Devices of other machines.
import { parseRemoteAddress, REMOTE_ADDRESS_FORM, remoteAddressText } from '../base/remote-address';
import { ErrorCode } from '../cl/constants.gen';
import { OpenCLError } from '../cl/opencl-error';
import { checkArguments } from './checks/guard';
import { list, text } from './checks/kinds';
import { throwTidily } from './errors/caller-stack';
import type { Device } from './objects/device';
import { platforms } from './objects/platform';
import { backends } from './runtime';

const refuse = (code: number, detail: string): OpenCLError => new OpenCLError(code, 'clGetDeviceIDs', detail);

/**
 * Devices that servers (`pocld`) of other machines have, in the order of their addresses. They need PoCL with its remote client as a
 * driver of this machine (docs/guides/remote.md), and become part of `platforms()`. Drivers look for devices once: the first call that
 * looks for devices has to name all remote ones.
 * @param addresses `host:port/device`; left out: port 10998, device 0
 * @throws OpenCLError DEVICE_NOT_AVAILABLE if a server does not answer, INVALID_OPERATION if drivers were loaded before,
 *   DEVICE_NOT_FOUND if no driver can reach other machines
 */
export async function remoteDevices(addresses: readonly string[]): Promise<readonly Device[]> {
  try {
    checkArguments('remoteDevices', 'clGetDeviceIDs', { addresses: list(text) }, [addresses]);
    const parsed = addresses.map((address) => {
      const known = parseRemoteAddress(address);
      if (!known) throw refuse(ErrorCode.INVALID_VALUE, `'${address}' is not ${REMOTE_ADDRESS_FORM}`);
      return known;
    });
    if (parsed.length === 0) throw refuse(ErrorCode.INVALID_VALUE, 'no address is given');
    const [native] = backends('native');
    if (!native?.connect)
      throw refuse(ErrorCode.DEVICE_NOT_FOUND, 'there are no drivers here, and so no remote devices');
    await native.connect(parsed);
    const all = platforms().flatMap((platform) => platform.devices);
    return parsed.map((address) => all.find(({ remote }) => remote === remoteAddressText(address))!);
  } catch (error) {
    throwTidily(error);
  }
}
