// SPDX-License-Identifier: MIT
//
// Parameters that many methods have, and groups of options.
import { CHECKS } from '../../base/checks';
import { ErrorCode } from '../../cl/constants.gen';
import { describe, pluralize } from '../errors/describe';
import {
  address,
  bytes,
  count,
  either,
  fields,
  flag,
  handle,
  infoKey,
  instance,
  iterations,
  type Kind,
  kind,
  list,
  oneOf,
  optional,
  options,
  signal,
  size,
  text,
  typedArray,
  uint,
  view,
  withCode,
} from './kinds';

/** A device of any platform, for methods that create a context. */
export const anyDevice = instance('Device', 'a Device (one of platform.devices)', ErrorCode.INVALID_DEVICE);
/** A device of the context. Drivers treat other devices as their own, and read beyond their memory. */
export const device: Kind = {
  ...anyDevice,
  accepts: (value, context) =>
    anyDevice.accepts(value, context) &&
    (context === undefined || (context as { readonly devices: readonly unknown[] }).devices.includes(value)),
  fault: (value, context) =>
    anyDevice.accepts(value, context)
      ? {
          part: '',
          detail: `is ${describe(value)} that the context was not made for: it must be one of context.devices`,
          code: ErrorCode.INVALID_DEVICE,
        }
      : anyDevice.fault(value, context),
};
export const queue = instance(
  'CommandQueue',
  'a CommandQueue (of context.createQueue)',
  ErrorCode.INVALID_COMMAND_QUEUE,
);
export const buffer = instance('Buffer', 'a Buffer (of context.createBuffer)', ErrorCode.INVALID_MEM_OBJECT);
export const image = instance('Image', 'an Image (of context.createImage)', ErrorCode.INVALID_MEM_OBJECT);
export const mapping = instance('Mapping', 'a Mapping (of a map)');
export const memory = instance(
  'MemoryObject',
  'a memory object, such as a Buffer or an Image',
  ErrorCode.INVALID_MEM_OBJECT,
);
export const svm = instance('Svm', 'an Svm (of context.createSvm)');
export const svmOrView = either('an Svm, a typed array, a Buffer of Node.js or a DataView', svm, view);
export const semaphore = instance(
  'Semaphore',
  'a Semaphore (of context.createSemaphore)',
  ErrorCode.INVALID_SEMAPHORE_KHR,
);
export const program = instance('Program', 'a Program (of context.createProgram)', ErrorCode.INVALID_PROGRAM);
export const kernel = instance('Kernel', 'a Kernel (of program.createKernel)', ErrorCode.INVALID_KERNEL);
const event = instance(
  'Event',
  'an Event (what enqueuing a command returns)',
  ErrorCode.INVALID_EVENT_WAIT_LIST,
);

export const key = infoKey;
export const buildOptions = optional(text);
export const source = either('OpenCL C as a string, or SPIR-V as a Uint8Array', text, bytes);
/** A typed array's class, such as Float32Array, of any realm. */
const elementType = kind("a typed array's class", (value) => {
  if (typeof value !== 'function') return false;
  const { BYTES_PER_ELEMENT: width, prototype } = value as Uint8ArrayConstructor;
  return Number.isInteger(width) && prototype?.BYTES_PER_ELEMENT === width;
});
export const properties = list(
  kind(
    'a pair of a property and its value, both whole numbers or bigints of 64 bits',
    (pair) => Array.isArray(pair) && pair.length === 2 && pair.every((word) => handle.accepts(word)),
  ),
);

/** Members of the options of all commands. */
export const command = { waitFor: list(event, ErrorCode.INVALID_EVENT_WAIT_LIST) };
export const onQueue = { ...command, queue };
/** Members of options of commands that can be ended. */
export const stops = { timeout: count, signal };
export const waiting = options({ signal });

/** An array of `least` to `most` elements, without holes. */
function tuple(what: string, least: number, most: number, inner: Kind): Kind {
  const elements = list(inner);
  const array = kind(what, (value) => Array.isArray(value) && value.length >= least && value.length <= most);
  return {
    what,
    copy: (value, context) => (array.accepts(value) ? elements.copy!(value, context) : value),
    accepts: (value, context) => array.accepts(value) && elements.accepts(value, context),
    fault: (value, context) => {
      if (array.accepts(value)) return elements.fault(value, context);
      const fault = array.fault(value, context);
      return Array.isArray(value)
        ? { ...fault, detail: `has ${pluralize(value.length, 'element')}: it must be ${what}` }
        : fault;
    },
  };
}

const threeSizes = tuple('an array of three whole numbers', 3, 3, size);
/** Coordinates in an image: at most one for each dimension. */
const coordinates = tuple('an array of up to three whole numbers', 0, 3, size);
/** The mip level follows the coordinates. */
export const origin = tuple('an array of up to four whole numbers', 0, 4, size);
export const colour = tuple(
  'an array of four numbers',
  4,
  4,
  kind('a number', (value) => typeof value === 'number'),
);
export const workSizeList = tuple('an array of one to three whole numbers', 1, 3, size);
const workSizes = either('a whole number or an array of one to three', size, workSizeList);
const localSizes = withCode(ErrorCode.INVALID_WORK_GROUP_SIZE, workSizes);
const offsets = withCode(ErrorCode.INVALID_GLOBAL_OFFSET, workSizes);
const globalSizes = withCode(ErrorCode.INVALID_GLOBAL_WORK_SIZE, workSizes);
export const range = { global: globalSizes, local: optional(localSizes), offset: optional(offsets) };
/** Missing members keep their values. */
export const rangeChange = { ...range, global: optional(globalSizes) };
export const region = { origin, region: coordinates };
/** In bytes. */
export const span = { offset: size, size };
export const elements = { offset: size, length: size };
export const rect = fields({
  region: threeSizes,
  bufferOrigin: optional(threeSizes),
  hostOrigin: optional(threeSizes),
  bufferRowPitch: optional(size),
  bufferSlicePitch: optional(size),
  hostRowPitch: optional(size),
  hostSlicePitch: optional(size),
});

export const access = oneOf('read-write', 'read-only', 'write-only');
export const hostAccess = oneOf('read-write', 'read-only', 'write-only', 'none');
const external = fields({
  type: withCode(
    ErrorCode.INVALID_PROPERTY,
    oneOf('opaque-fd', 'dma-buf', 'opaque-win32', 'opaque-win32-kmt'),
  ),
  handle,
});
export const memoryOptions = { access, hostAccess, allocHost: flag, useHost: flag, external };
const bufferOptions = { ...memoryOptions, deviceAddress: flag };
export const sharedOptions = { access };
export const mapMode = optional(oneOf('read', 'write', 'read-write', 'write-invalidate'));
const bufferSize = withCode(ErrorCode.INVALID_BUFFER_SIZE, size);
export const bufferParameters = {
  what: either(
    "a typed array, a typed array's class or a whole number of bytes",
    typedArray,
    elementType,
    bufferSize,
    view,
  ),
  lengthOrOptions: optional(either('a length or options', bufferSize, options(bufferOptions))),
  options: options(bufferOptions),
};
export const imageType = oneOf('1d', '1d-array', '1d-buffer', '2d', '2d-array', '3d');
const imageSize = withCode(ErrorCode.INVALID_IMAGE_SIZE, size);
export const shape = fields({
  type: optional(imageType),
  format: text,
  width: imageSize,
  height: optional(imageSize),
  depth: optional(imageSize),
  layers: optional(imageSize),
  rowPitch: optional(size),
  slicePitch: optional(size),
  mipLevels: optional(uint),
  samples: optional(uint),
  buffer: optional(buffer),
});
export const imageParameters = { shape, data: optional(view), options: options(memoryOptions) };
const levelOfDetail = kind('a number from 0', (value) => typeof value === 'number' && value >= 0);
export const samplerOptions = options({
  normalized: flag,
  addressing: oneOf('none', 'clamp-to-edge', 'clamp', 'repeat', 'mirrored-repeat'),
  filter: oneOf('nearest', 'linear'),
  mipFilter: optional(oneOf('nearest', 'linear')),
  lodMin: optional(levelOfDetail),
  lodMax: optional(levelOfDetail),
});
export const semaphoreHandle = withCode(
  ErrorCode.INVALID_PROPERTY,
  oneOf('opaque-fd', 'sync-fd', 'opaque-win32', 'opaque-win32-kmt', 'd3d12-fence'),
);
export const glContext = fields({
  context: address,
  display: address,
  system: oneOf('egl', 'glx', 'wgl', 'cgl'),
});
/** What a context of the software device may be asked for. */
export const softwareOptions = {
  check: either(
    `'all' or an array of ${CHECKS.map((check) => `'${check}'`).join(', ')}`,
    oneOf('all'),
    list(oneOf('all', ...CHECKS)),
  ),
  checkBudget: iterations,
  coverage: either("true, false or 'memory'", flag, oneOf('memory')),
  timeout: count,
  maxMemory: count,
  robust: flag,
};
export const contextOptions = options({
  gl: glContext,
  interopUserSync: flag,
  terminable: flag,
  initialize: oneOf('local', 'private', 'both'),
  ...softwareOptions,
  properties,
});
