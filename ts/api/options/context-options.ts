// SPDX-License-Identifier: MIT
//
// Options of contexts and queues, and the property lists that OpenCL makes of them (without the closing 0).
import {
  ContextProperty,
  ErrorCode,
  QueueFlags,
  QueueInfo,
  QueuePriority,
  QueueProperty,
  QueueThrottle,
} from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import type { Device } from '../objects/device';

/** A property that anycl has no option for, such as a vendor's: its number and value. */
export type Properties = readonly (readonly [key: number, value: number | bigint])[];

export interface ContextOptions {
  /** A GL or EGL context to share objects with (cl_khr_gl_sharing), by the handles of its window system. */
  readonly gl?: {
    readonly context: bigint;
    /** EGLDisplay, GLX Display*, WGL's HDC or CGL's share group, as `system` says. */
    readonly display: bigint;
    readonly system: 'egl' | 'glx' | 'wgl' | 'cgl';
  };
  /** The script synchronizes with the other API itself (CL_CONTEXT_INTEROP_USER_SYNC). */
  readonly interopUserSync?: boolean;
  /** `context.terminate()` will be used (cl_khr_terminate_context). */
  readonly terminable?: boolean;
  /** Local, private memory, or both, start as zeros (cl_khr_initialize_memory). */
  readonly initialize?: 'local' | 'private' | 'both';
  readonly properties?: Properties;
}

const GL_DISPLAYS = {
  egl: ContextProperty.EGL_DISPLAY_KHR,
  glx: ContextProperty.GLX_DISPLAY_KHR,
  wgl: ContextProperty.WGL_HDC_KHR,
  cgl: ContextProperty.CGL_SHAREGROUP_KHR,
} as const;
const INITIALIZE = { local: 1, private: 2, both: 3 } as const;

/** What a device must have for an option. */
const CONTEXT_OPTIONS_NEED: Readonly<Partial<Record<keyof ContextOptions, string>>> = {
  gl: 'cl_khr_gl_sharing',
  terminable: 'cl_khr_terminate_context',
  initialize: 'cl_khr_initialize_memory',
};

/** Drivers pass over properties that they do not know, as often as not. Throws INVALID_PROPERTY. */
export function checkContextOptions(
  devices: readonly Device[],
  options: ContextOptions,
  functionName: string,
): void {
  for (const [name, extension] of Object.entries(CONTEXT_OPTIONS_NEED)) {
    if (!options[name as keyof ContextOptions]) continue;
    const without = devices.find((device) => !device.extensions.includes(extension));
    if (!without) continue;
    const detail = `\`options.${name}\` needs ${extension}, which '${without.name}' does not have`;
    throw new OpenCLError(ErrorCode.INVALID_PROPERTY, functionName, detail);
  }
}

export function contextProperties(options: ContextOptions): bigint[] {
  const list: (number | bigint)[] = [];
  if (options.gl) {
    list.push(ContextProperty.GL_CONTEXT_KHR, options.gl.context);
    list.push(GL_DISPLAYS[options.gl.system], options.gl.display);
  }
  if (options.interopUserSync) list.push(ContextProperty.INTEROP_USER_SYNC, 1);
  if (options.terminable) list.push(ContextProperty.TERMINATE_KHR, 1);
  if (options.initialize) list.push(ContextProperty.MEMORY_INITIALIZE_KHR, INITIALIZE[options.initialize]);
  return [...list, ...(options.properties ?? []).flat()].map(BigInt);
}

export interface QueueOptions {
  /** Keep the times of each command: `event.profile`. */
  readonly profiling?: boolean;
  /** Commands may run in any order that their wait lists allow. */
  readonly outOfOrder?: boolean;
  /** Default: the context's first device. */
  readonly device?: Device;
  /**
   * A queue that kernels enqueue into (`queue_t`); it is out-of-order, and the host enqueues nothing there. `size` in
   * bytes; `default` makes it what get_default_queue gives.
   */
  readonly onDevice?: { readonly size?: number; readonly default?: boolean };
  /** cl_khr_priority_hints */
  readonly priority?: 'high' | 'medium' | 'low';
  /** cl_khr_throttle_hints: how much power the device may take for it. */
  readonly throttle?: 'high' | 'medium' | 'low';
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

/** Whether a property list asks for a queue on the device. */
export function isOnDevice(properties: readonly bigint[]): boolean {
  const key = BigInt(QueueInfo.PROPERTIES);
  return properties.some(
    (value, i) => i % 2 === 1 && properties[i - 1] === key && (value & BigInt(QueueFlags.ON_DEVICE)) !== 0n,
  );
}
