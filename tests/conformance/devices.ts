// SPDX-License-Identifier: MIT
import type { BackendContext, BackendDevice, BackendEvent, BackendQueue } from '../../ts/backend/backend';
import { DeviceInfo, PlatformInfo, QueueFlags, QueueInfo } from '../../ts/backend/cl.gen';
import { decodeInfo } from '../../ts/backend/info';
import { backends } from '../../ts/backend/registry';

export interface TestDevice {
  readonly name: string;
  readonly device: BackendDevice;
}

/** Every device of every backend that computes. */
export const testDevices: readonly TestDevice[] = backends().flatMap((backend) =>
  backend.platforms().flatMap((platform) =>
    platform.devices().map((device) => ({
      name: `${decodeInfo('string', platform.info(PlatformInfo.NAME))}: ${decodeInfo('string', device.info(DeviceInfo.NAME))}`,
      device,
    })),
  ),
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
