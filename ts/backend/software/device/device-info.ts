// SPDX-License-Identifier: MIT
// What the software device says of itself. Everything that is claimed here works; see the tests that run on it.
import { type AddressBits, SUB_GROUP_SIZES } from '../../../base/kernel-abi';
import {
  AtomicCapabilities,
  CommandBufferCapabilities,
  DeviceEnqueueCapabilities,
  DeviceType,
  ExecCapabilities,
  FpAtomicCapabilities,
  FpConfig,
  IntegerDotProductCapabilities,
  KernelClockCapabilities,
  LocalMemType,
  MemCacheType,
  MutableDispatchFields,
  QueueFlags,
  SemaphoreType,
  SvmCapabilities,
  TerminateCapability,
} from '../../../cl/constants.gen';
import type { InfoAnswers } from '../../../cl/encode-info';
import type { deviceInfo, platformInfo } from '../../../cl/info-keys.gen';
import type { DotProductAcceleration, NameVersion, Version } from '../../../cl/info-values';
import { largestMemory } from '../../../device/memory/memory';
import { UPDATABLE } from '../../command-list';
import { BASE_ALIGN } from '../memory/allocate';
import { UNIFIED_SVM_TYPES } from '../memory/unified-svm';
import type { Services } from '../services';
import { EXTENSIONS, FEATURES, versioned } from './capabilities';
import {
  DEVICE_QUEUE_BYTES,
  IMAGE_LIMITS,
  LOCAL_MEMORY_BYTES,
  MAX_PARAMETER_BYTES,
  MAX_WORK_GROUP_SIZE,
  MOST_DEVICE_EVENTS,
  MOST_DEVICE_QUEUES,
  PRINTF_BUFFER_BYTES,
} from './limits';
import { SPIRV_CAPABILITIES, SPIRV_EXTENSIONS } from './spirv-capabilities';
import { partitionKinds } from './sub-devices';

declare const ANYCL_VERSION: string | undefined;
const VERSION = typeof ANYCL_VERSION === 'undefined' ? 'development' : ANYCL_VERSION;

const version = (major: number, minor: number, patch = 0): Version => ({ major, minor, patch });
const named = (names: readonly string[], of: Version): NameVersion[] =>
  names.map((name) => ({ name, version: of }));

const EXTENSIONS_WITH_VERSION = versioned(EXTENSIONS);

const OPENCL_C = [version(1, 0), version(1, 1), version(1, 2), version(2, 0), version(3, 0), version(3, 1)];

const SPIRV = [0, 1, 2, 3, 4, 5, 6].map(
  (minor): NameVersion => ({ name: 'SPIR-V', version: version(1, minor) }),
);

const OPENCL = `OpenCL 3.1 anycl ${VERSION}`;

const NAME: Readonly<Record<AddressBits, string>> = { 32: 'anycl', 64: 'anycl (64-bit)' };

export const platformAnswers = (addressBits: AddressBits): InfoAnswers<typeof platformInfo> => ({
  PROFILE: 'FULL_PROFILE',
  VERSION: OPENCL,
  NAME: NAME[addressBits],
  VENDOR: 'anycl',
  EXTENSIONS: EXTENSIONS.join(' '),
  EXTENSIONS_WITH_VERSION,
  NUMERIC_VERSION: version(3, 1),
  HOST_TIMER_RESOLUTION: 1n,
  SVM_TYPE_CAPABILITIES_KHR: UNIFIED_SVM_TYPES,
  SEMAPHORE_TYPES_KHR: [SemaphoreType.BINARY_KHR],
  ICD_SUFFIX_KHR: 'ANYCL',
});

const FP = FpConfig.DENORM | FpConfig.INF_NAN | FpConfig.ROUND_TO_NEAREST | FpConfig.FMA;

const FLOAT_ATOMICS =
  FpAtomicCapabilities.GLOBAL_FP_ATOMIC_LOAD_STORE_EXT |
  FpAtomicCapabilities.GLOBAL_FP_ATOMIC_ADD_EXT |
  FpAtomicCapabilities.GLOBAL_FP_ATOMIC_MIN_MAX_EXT |
  FpAtomicCapabilities.LOCAL_FP_ATOMIC_LOAD_STORE_EXT |
  FpAtomicCapabilities.LOCAL_FP_ATOMIC_ADD_EXT |
  FpAtomicCapabilities.LOCAL_FP_ATOMIC_MIN_MAX_EXT;

const NO_ACCELERATION: DotProductAcceleration = {
  signed: false,
  unsigned: false,
  mixedSignedness: false,
  accumulatingSaturatingSigned: false,
  accumulatingSaturatingUnsigned: false,
  accumulatingSaturatingMixedSignedness: false,
};

const GIGABYTE = 2 ** 30;

/** Properties that depend on nothing but the number of workers and the bits of addresses. */
export function deviceAnswers(
  { host, addressBits }: Pick<Services, 'host' | 'addressBits'>,
  workers: number,
): InfoAnswers<typeof deviceInfo> {
  // The first page is never allocated.
  const memory = Math.min(largestMemory(addressBits) - 2 ** 16, host.memoryBytes);
  const isWide = addressBits === 64;
  const uuid = new TextEncoder().encode(isWide ? 'anycl software64' : 'anycl software  ');
  return {
    TYPE: DeviceType.CPU,
    VENDOR_ID: 0x616e7963,
    MAX_COMPUTE_UNITS: workers,
    MAX_WORK_ITEM_DIMENSIONS: 3,
    MAX_WORK_ITEM_SIZES: [MAX_WORK_GROUP_SIZE, MAX_WORK_GROUP_SIZE, MAX_WORK_GROUP_SIZE],
    MAX_WORK_GROUP_SIZE,
    PREFERRED_VECTOR_WIDTH_CHAR: 1,
    PREFERRED_VECTOR_WIDTH_SHORT: 1,
    PREFERRED_VECTOR_WIDTH_INT: 1,
    PREFERRED_VECTOR_WIDTH_LONG: 1,
    PREFERRED_VECTOR_WIDTH_FLOAT: 1,
    PREFERRED_VECTOR_WIDTH_DOUBLE: 1,
    PREFERRED_VECTOR_WIDTH_HALF: 1,
    NATIVE_VECTOR_WIDTH_CHAR: 16,
    NATIVE_VECTOR_WIDTH_SHORT: 8,
    NATIVE_VECTOR_WIDTH_INT: 4,
    NATIVE_VECTOR_WIDTH_LONG: 2,
    NATIVE_VECTOR_WIDTH_FLOAT: 4,
    NATIVE_VECTOR_WIDTH_DOUBLE: 2,
    NATIVE_VECTOR_WIDTH_HALF: 4,
    MAX_CLOCK_FREQUENCY: 0,
    ADDRESS_BITS: addressBits,
    // Buffers of more than 4 GB are above the first 4 GB.
    MAX_MEM_ALLOC_SIZE: isWide
      ? Math.max(Math.floor(memory / 2), memory - 4 * GIGABYTE)
      : Math.min(memory, Math.max(GIGABYTE, Math.floor(memory / 2))),
    IMAGE_SUPPORT: true,
    MAX_READ_IMAGE_ARGS: 128,
    MAX_WRITE_IMAGE_ARGS: 128,
    MAX_READ_WRITE_IMAGE_ARGS: 128,
    IMAGE2D_MAX_WIDTH: IMAGE_LIMITS.width2D,
    IMAGE2D_MAX_HEIGHT: IMAGE_LIMITS.height2D,
    IMAGE3D_MAX_WIDTH: IMAGE_LIMITS.size3D,
    IMAGE3D_MAX_HEIGHT: IMAGE_LIMITS.size3D,
    IMAGE3D_MAX_DEPTH: IMAGE_LIMITS.size3D,
    IMAGE_MAX_BUFFER_SIZE: IMAGE_LIMITS.bufferPixels,
    IMAGE_MAX_ARRAY_SIZE: IMAGE_LIMITS.layers,
    IMAGE_PITCH_ALIGNMENT: 1,
    IMAGE_BASE_ADDRESS_ALIGNMENT: 1,
    MAX_SAMPLERS: 16,
    MAX_PARAMETER_SIZE: MAX_PARAMETER_BYTES,
    MEM_BASE_ADDR_ALIGN: BASE_ALIGN * 8,
    MIN_DATA_TYPE_ALIGN_SIZE: BASE_ALIGN,
    SINGLE_FP_CONFIG: FP | FpConfig.CORRECTLY_ROUNDED_DIVIDE_SQRT,
    DOUBLE_FP_CONFIG: FP | FpConfig.ROUND_TO_ZERO | FpConfig.ROUND_TO_INF,
    HALF_FP_CONFIG: FP,
    GLOBAL_MEM_CACHE_TYPE: MemCacheType.READ_WRITE_CACHE,
    GLOBAL_MEM_CACHELINE_SIZE: 64,
    GLOBAL_MEM_CACHE_SIZE: 2 ** 20,
    GLOBAL_MEM_SIZE: memory,
    MAX_CONSTANT_BUFFER_SIZE: Math.min(memory, GIGABYTE),
    MAX_CONSTANT_ARGS: 128,
    MAX_GLOBAL_VARIABLE_SIZE: 2 ** 26,
    GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE: 2 ** 26,
    LOCAL_MEM_TYPE: LocalMemType.GLOBAL,
    LOCAL_MEM_SIZE: LOCAL_MEMORY_BYTES,
    ERROR_CORRECTION_SUPPORT: false,
    HOST_UNIFIED_MEMORY: true,
    PROFILING_TIMER_RESOLUTION: 1,
    ENDIAN_LITTLE: true,
    AVAILABLE: true,
    COMPILER_AVAILABLE: true,
    LINKER_AVAILABLE: true,
    EXECUTION_CAPABILITIES: ExecCapabilities.KERNEL,
    QUEUE_ON_HOST_PROPERTIES: QueueFlags.OUT_OF_ORDER_EXEC_MODE_ENABLE | QueueFlags.PROFILING_ENABLE,
    QUEUE_ON_DEVICE_PROPERTIES: QueueFlags.OUT_OF_ORDER_EXEC_MODE_ENABLE | QueueFlags.PROFILING_ENABLE,
    QUEUE_ON_DEVICE_PREFERRED_SIZE: DEVICE_QUEUE_BYTES.preferred,
    QUEUE_ON_DEVICE_MAX_SIZE: DEVICE_QUEUE_BYTES.most,
    MAX_ON_DEVICE_QUEUES: MOST_DEVICE_QUEUES,
    MAX_ON_DEVICE_EVENTS: MOST_DEVICE_EVENTS,
    TERMINATE_CAPABILITY_KHR: TerminateCapability.CONTEXT_KHR,
    COMMAND_BUFFER_CAPABILITIES_KHR:
      CommandBufferCapabilities.KERNEL_PRINTF_KHR |
      CommandBufferCapabilities.DEVICE_SIDE_ENQUEUE_KHR |
      CommandBufferCapabilities.SIMULTANEOUS_USE_KHR,
    COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR:
      QueueFlags.OUT_OF_ORDER_EXEC_MODE_ENABLE | QueueFlags.PROFILING_ENABLE,
    COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR: 0,
    // Kernels see all of the context's memory, so that an update of what they use indirectly has no effect.
    MUTABLE_DISPATCH_CAPABILITIES_KHR: UPDATABLE | MutableDispatchFields.EXEC_INFO_KHR,
    DEVICE_ENQUEUE_CAPABILITIES:
      DeviceEnqueueCapabilities.SUPPORTED | DeviceEnqueueCapabilities.REPLACEABLE_DEFAULT,
    BUILT_IN_KERNELS: '',
    BUILT_IN_KERNELS_WITH_VERSION: [],
    NAME: isWide ? 'anycl software device (64-bit)' : 'anycl software device',
    VENDOR: 'anycl',
    DRIVER_VERSION: VERSION,
    PROFILE: 'FULL_PROFILE',
    VERSION: OPENCL,
    NUMERIC_VERSION: version(3, 1),
    // The space after the number is part of the format.
    OPENCL_C_VERSION: 'OpenCL C 1.2 ',
    OPENCL_C_NUMERIC_VERSION_KHR: version(1, 2),
    OPENCL_C_ALL_VERSIONS: OPENCL_C.map((of) => ({ name: 'OpenCL C', version: of })),
    OPENCL_C_FEATURES: named(FEATURES, version(3, 0)),
    EXTENSIONS: EXTENSIONS.join(' '),
    EXTENSIONS_WITH_VERSION,
    IL_VERSION: SPIRV.map(({ version: { major, minor } }) => `SPIR-V_${major}.${minor}`).join(' '),
    ILS_WITH_VERSION: SPIRV,
    SPIR_VERSIONS: '1.2',
    PARTITION_MAX_SUB_DEVICES: workers > 1 ? workers : 0,
    PARTITION_PROPERTIES: partitionKinds(workers),
    PARTITION_AFFINITY_DOMAIN: 0,
    SEMAPHORE_TYPES_KHR: [SemaphoreType.BINARY_KHR],
    PREFERRED_INTEROP_USER_SYNC: true,
    PRINTF_BUFFER_SIZE: PRINTF_BUFFER_BYTES,
    SVM_CAPABILITIES:
      SvmCapabilities.COARSE_GRAIN_BUFFER | SvmCapabilities.FINE_GRAIN_BUFFER | SvmCapabilities.ATOMICS,
    SVM_TYPE_CAPABILITIES_KHR: UNIFIED_SVM_TYPES,
    MAX_PIPE_ARGS: 16,
    PIPE_MAX_ACTIVE_RESERVATIONS: 1024,
    PIPE_MAX_PACKET_SIZE: 4096,
    PIPE_SUPPORT: true,
    PREFERRED_PLATFORM_ATOMIC_ALIGNMENT: 0,
    PREFERRED_GLOBAL_ATOMIC_ALIGNMENT: 0,
    PREFERRED_LOCAL_ATOMIC_ALIGNMENT: 0,
    MAX_NUM_SUB_GROUPS: MAX_WORK_GROUP_SIZE,
    SUB_GROUP_SIZES_INTEL: SUB_GROUP_SIZES,
    SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS: false,
    ATOMIC_MEMORY_CAPABILITIES:
      AtomicCapabilities.ORDER_RELAXED |
      AtomicCapabilities.ORDER_ACQ_REL |
      AtomicCapabilities.ORDER_SEQ_CST |
      AtomicCapabilities.SCOPE_WORK_GROUP |
      AtomicCapabilities.SCOPE_DEVICE |
      AtomicCapabilities.SCOPE_ALL_DEVICES,
    ATOMIC_FENCE_CAPABILITIES:
      AtomicCapabilities.ORDER_RELAXED |
      AtomicCapabilities.ORDER_ACQ_REL |
      AtomicCapabilities.ORDER_SEQ_CST |
      AtomicCapabilities.SCOPE_WORK_ITEM |
      AtomicCapabilities.SCOPE_WORK_GROUP |
      AtomicCapabilities.SCOPE_DEVICE |
      AtomicCapabilities.SCOPE_ALL_DEVICES,
    HALF_FP_ATOMIC_CAPABILITIES_EXT: FLOAT_ATOMICS,
    SINGLE_FP_ATOMIC_CAPABILITIES_EXT: FLOAT_ATOMICS,
    DOUBLE_FP_ATOMIC_CAPABILITIES_EXT: FLOAT_ATOMICS,
    KERNEL_CLOCK_CAPABILITIES_KHR:
      KernelClockCapabilities.SCOPE_DEVICE_KHR |
      KernelClockCapabilities.SCOPE_WORK_GROUP_KHR |
      KernelClockCapabilities.SCOPE_SUB_GROUP_KHR,
    NON_UNIFORM_WORK_GROUP_SUPPORT: true,
    WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT: true,
    GENERIC_ADDRESS_SPACE_SUPPORT: true,
    PREFERRED_WORK_GROUP_SIZE_MULTIPLE: 4,
    // The format requires a date; year 0 means that no version was passed, as in other drivers.
    LATEST_CONFORMANCE_VERSION_PASSED: 'v0000-01-01-00',
    // The kind of device, as 16 bytes that are the same on every machine.
    UUID: uuid,
    DRIVER_UUID: uuid,
    LUID_VALID: false,
    LUID: new Uint8Array(8),
    NODE_MASK: 0,
    INTEGER_DOT_PRODUCT_CAPABILITIES:
      IntegerDotProductCapabilities.INPUT_4x8BIT | IntegerDotProductCapabilities.INPUT_4x8BIT_PACKED,
    INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT: NO_ACCELERATION,
    INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED: NO_ACCELERATION,
    SPIRV_EXTENDED_INSTRUCTION_SETS: ['OpenCL.std'],
    SPIRV_EXTENSIONS,
    SPIRV_CAPABILITIES,
  };
}
