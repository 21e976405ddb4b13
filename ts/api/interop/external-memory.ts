// SPDX-License-Identifier: MIT
//
// Memory of other APIs (Vulkan, DMA-BUF), given by a handle of the operating system: cl_khr_external_memory.
import { ErrorCode, ExternalMemoryHandleType } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';

const HANDLE_TYPES = {
  'opaque-fd': ExternalMemoryHandleType.OPAQUE_FD_KHR,
  'dma-buf': ExternalMemoryHandleType.DMA_BUF_KHR,
  'opaque-win32': ExternalMemoryHandleType.OPAQUE_WIN32_KHR,
  'opaque-win32-kmt': ExternalMemoryHandleType.OPAQUE_WIN32_KMT_KHR,
} as const;

/** Memory that another API allocated. The driver then owns the handle, as the extension specifies. */
export interface ExternalMemory {
  /** What kind of handle it is, as the operating system and the other API name it. */
  readonly type: keyof typeof HANDLE_TYPES;
  /** A file descriptor, or the value of a Windows handle. */
  readonly handle: number | bigint;
}

/** The property list of clCreateBufferWithProperties and clCreateImageWithProperties. */
export function externalMemoryProperties(
  external: ExternalMemory | undefined,
  functionName: string,
): bigint[] {
  if (external === undefined) return [];
  const type = HANDLE_TYPES[external.type];
  if (type === undefined)
    throw new OpenCLError(ErrorCode.INVALID_PROPERTY, functionName, `unknown handle type '${external.type}'`);
  return [BigInt(type), BigInt(external.handle)];
}
