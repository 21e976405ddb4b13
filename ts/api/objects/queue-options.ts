// SPDX-License-Identifier: MIT
//
// Options of queues, and the property list that OpenCL makes of them (without the closing 0).
import { QueueFlags, QueueInfo, QueuePriority, QueueProperty, QueueThrottle } from '../../cl/constants.gen';
import { unsupported } from '../errors/refusals';
import { handleFor } from '../internals';
import type { Properties } from '../options/context-options';
import type { Device } from './device';
import type { CommandQueue } from './queue';

/** Options of `context.createQueue`. */
export interface QueueOptions {
  /** Keep the times of each command: `event.profile`. */
  readonly profiling?: boolean;
  /** Commands may run in any order that their wait lists allow. */
  readonly outOfOrder?: boolean;
  /** Default: the context's first device. */
  readonly device?: Device;
  /**
   * A device-side queue (`queue_t`): kernels enqueue into it, not the host, and it is out-of-order. `size` is in
   * bytes; `default` makes it the result of get_default_queue.
   */
  readonly onDevice?: { readonly size?: number; readonly default?: boolean };
  /** cl_khr_priority_hints */
  readonly priority?: 'high' | 'medium' | 'low';
  /** cl_khr_throttle_hints: how much power the device may use for it. */
  readonly throttle?: 'high' | 'medium' | 'low';
  /** Further properties (cl_queue_properties) by number, as pairs of name and value. */
  readonly properties?: Properties;
}

const PRIORITY = {
  high: QueuePriority.HIGH_KHR,
  medium: QueuePriority.MED_KHR,
  low: QueuePriority.LOW_KHR,
} as const;
const THROTTLE = {
  high: QueueThrottle.HIGH_KHR,
  medium: QueueThrottle.MED_KHR,
  low: QueueThrottle.LOW_KHR,
} as const;

export function queueProperties(options: QueueOptions): bigint[] {
  const { onDevice, priority, throttle } = options;
  const bits =
    (options.outOfOrder || onDevice ? QueueFlags.OUT_OF_ORDER_EXEC_MODE_ENABLE : 0) |
    (options.profiling ? QueueFlags.PROFILING_ENABLE : 0) |
    (onDevice ? QueueFlags.ON_DEVICE : 0) |
    (onDevice?.default ? QueueFlags.ON_DEVICE_DEFAULT : 0);
  const list: (number | bigint)[] = bits === 0 ? [] : [QueueInfo.PROPERTIES, bits];
  if (onDevice?.size !== undefined) list.push(QueueInfo.SIZE, onDevice.size);
  if (priority) list.push(QueueProperty.PRIORITY_KHR, PRIORITY[priority]);
  if (throttle) list.push(QueueProperty.THROTTLE_KHR, THROTTLE[throttle]);
  return [...list, ...(options.properties ?? []).flat()].map(BigInt);
}

/** Whether a property list is that of a device-side queue. */
export function isOnDevice(properties: readonly bigint[]): boolean {
  const key = BigInt(QueueInfo.PROPERTIES);
  return properties.some(
    (value, i) => i % 2 === 1 && properties[i - 1] === key && (value & BigInt(QueueFlags.ON_DEVICE)) !== 0n,
  );
}

/** `queue.setProperty` */
export function setQueueProperty(
  queue: CommandQueue,
  property: 'out-of-order' | 'profiling',
  on: boolean,
): void {
  const functionName = 'clSetCommandQueueProperty';
  const handle = queue[handleFor](functionName);
  if (!handle.setProperty) throw unsupported(functionName, 'OpenCL 1.0, which later versions took back');
  const { OUT_OF_ORDER_EXEC_MODE_ENABLE, PROFILING_ENABLE } = QueueFlags;
  handle.setProperty(property === 'profiling' ? PROFILING_ENABLE : OUT_OF_ORDER_EXEC_MODE_ENABLE, on);
}
