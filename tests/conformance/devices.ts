// SPDX-License-Identifier: MIT
import { type Device, platforms } from '../../ts';
import { backends } from '../../ts/api/runtime';
import type { BackendContext, BackendDevice } from '../../ts/backend/backend';
import type { BackendEvent } from '../../ts/backend/backend-objects';
import type { BackendQueue } from '../../ts/backend/backend-queue';
import { DeviceInfo, PlatformInfo, QueueFlags, QueueInfo } from '../../ts/cl/constants.gen';
import { decodeInfo } from '../../ts/cl/info-values';

export interface TestDevice {
  readonly name: string;
  readonly device: BackendDevice;
}

/** Whether ANYCL_TEST_PLATFORM, which rusticl.test.ts sets, leaves this platform out. */
const leftOut = (platform: string): boolean => !platform.includes(process.env.ANYCL_TEST_PLATFORM ?? '');

/** Every device of every backend that computes. */
export const testDevices: readonly TestDevice[] = backends().flatMap((backend) =>
  backend.platforms().flatMap((platform) => {
    const platformName = decodeInfo('string', platform.info(PlatformInfo.NAME));
    if (leftOut(platformName)) return [];
    return platform.devices().map((device) => ({
      name: `${platformName}: ${decodeInfo('string', device.info(DeviceInfo.NAME))}`,
      device,
    }));
  }),
);

/** The same devices through the API. */
export const apiDevices: readonly (readonly [name: string, device: Device])[] = platforms()
  .filter((platform) => !leftOut(platform.name))
  .flatMap((platform) =>
    platform.devices.map((device) => [`${platform.name}: ${device.name}`, device] as const),
  );

export interface Bench {
  readonly device: BackendDevice;
  readonly context: BackendContext;
  readonly queue: BackendQueue;
  readonly outOfOrder: BackendQueue;
  close(): void;
}

export function openBench(device: BackendDevice): Bench {
  const context = device.createContext([device], []);
  const flags = (bits: number): readonly bigint[] => [BigInt(QueueInfo.PROPERTIES), BigInt(bits)];
  const queue = context.createQueue(device, flags(QueueFlags.PROFILING_ENABLE));
  const outOfOrder = context.createQueue(device, flags(QueueFlags.OUT_OF_ORDER_EXEC_MODE_ENABLE));
  return {
    device,
    context,
    queue,
    outOfOrder,
    close: () => {
      queue.release();
      outOfOrder.release();
      context.release();
    },
  };
}

/** The status that the event ends with. */
export function completion(event: BackendEvent | undefined): Promise<number> {
  return new Promise((resolve) => event!.onComplete(resolve));
}

export async function shutdownAll(): Promise<void> {
  for (const backend of backends()) {
    if ('shutdown' in backend) await (backend.shutdown as () => Promise<void>)();
  }
}
