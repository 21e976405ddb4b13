// SPDX-License-Identifier: MIT
//
// Properties as people and JSON want them: bit fields and enumerations by name with the number beside, no bigints, and each
// property once, although OpenCL took many over from extensions under a second name.
import {
  AffinityDomain,
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
  PartitionProperty,
  QueueFlags,
  SvmCapabilities,
  TerminateCapability,
  UnifiedSvmCapabilities,
  VendorId,
} from '../../cl/constants.gen';
import type { InfoTable } from '../../cl/info-values';
import { OpenCLError } from '../../cl/opencl-error';

/** A value of JSON. */
export type Described =
  | string
  | number
  | boolean
  | null
  | readonly Described[]
  | { readonly [name: string]: Described };

type Names = Readonly<Record<string, number | string>>;

interface Decoder {
  readonly names: Names;
  /** A bit field, or one of several values. */
  readonly are: 'bits' | 'one';
}
const bits = (names: object): Decoder => ({ names: names as Names, are: 'bits' });
const one = (names: object): Decoder => ({ names: names as Names, are: 'one' });

/** By the property's name without its vendor suffix. */
const DECODERS: Readonly<Record<string, Decoder>> = {
  TYPE: bits(DeviceType),
  VENDOR_ID: one(VendorId),
  SINGLE_FP_CONFIG: bits(FpConfig),
  DOUBLE_FP_CONFIG: bits(FpConfig),
  HALF_FP_CONFIG: bits(FpConfig),
  GLOBAL_MEM_CACHE_TYPE: one(MemCacheType),
  LOCAL_MEM_TYPE: one(LocalMemType),
  EXECUTION_CAPABILITIES: bits(ExecCapabilities),
  QUEUE_PROPERTIES: bits(QueueFlags),
  QUEUE_ON_HOST_PROPERTIES: bits(QueueFlags),
  QUEUE_ON_DEVICE_PROPERTIES: bits(QueueFlags),
  COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES: bits(QueueFlags),
  COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES: bits(QueueFlags),
  COMMAND_BUFFER_CAPABILITIES: bits(CommandBufferCapabilities),
  SVM_CAPABILITIES: bits(SvmCapabilities),
  SVM_TYPE_CAPABILITIES: bits(UnifiedSvmCapabilities),
  ATOMIC_MEMORY_CAPABILITIES: bits(AtomicCapabilities),
  ATOMIC_FENCE_CAPABILITIES: bits(AtomicCapabilities),
  DEVICE_ENQUEUE_CAPABILITIES: bits(DeviceEnqueueCapabilities),
  INTEGER_DOT_PRODUCT_CAPABILITIES: bits(IntegerDotProductCapabilities),
  PARTITION_PROPERTIES: one(PartitionProperty),
  PARTITION_TYPE: one(PartitionProperty),
  PARTITION_AFFINITY_DOMAIN: bits(AffinityDomain),
  SINGLE_FP_ATOMIC_CAPABILITIES: bits(FpAtomicCapabilities),
  DOUBLE_FP_ATOMIC_CAPABILITIES: bits(FpAtomicCapabilities),
  HALF_FP_ATOMIC_CAPABILITIES: bits(FpAtomicCapabilities),
  TERMINATE_CAPABILITY: bits(TerminateCapability),
  KERNEL_CLOCK_CAPABILITIES: bits(KernelClockCapabilities),
};

const withoutSuffix = (name: string): string => name.replace(/_(KHR|EXT|ARM|INTEL|NV|AMD|QCOM|IMG)$/, '');

/** The names of a number's bits or value; undefined for properties that are plain numbers. */
export function namesOf(property: string, value: number | bigint): readonly string[] | undefined {
  const key = withoutSuffix(property);
  const decoder = Object.hasOwn(DECODERS, key) ? DECODERS[key]! : undefined;
  if (!decoder) return undefined;
  const entries = Object.entries(decoder.names).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number' && Number.isNaN(Number(entry[0])),
  );
  const number = BigInt(value);
  if (decoder.are === 'one')
    return entries.filter(([, n]) => BigInt(n) === number).map(([name]) => withoutSuffix(name));
  const isSet = (n: number): boolean => n > 0 && n < 2 ** 32 - 1 && (number & BigInt(n)) === BigInt(n);
  return entries.filter(([, n]) => isSet(n)).map(([name]) => withoutSuffix(name));
}

/** A value of `info` as JSON. 64-bit numbers are numbers if they are exact, otherwise strings. */
export function describeValue(property: string, value: unknown): Described {
  if (typeof value === 'number' || typeof value === 'bigint') {
    const number = Number(value);
    const raw = Number.isSafeInteger(number) || typeof value === 'number' ? number : value.toString();
    const names = namesOf(property, value);
    return names ? { names, raw } : raw;
  }
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'boolean' || value === null) return value;
  if (ArrayBuffer.isView(value)) return hex(value);
  if (Array.isArray(value)) return value.map((each) => describeValue(property, each));
  if (typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, describeValue('', each)]));
  return null;
}

const hex = ({ buffer, byteOffset, byteLength }: ArrayBufferView): string =>
  Array.from(new Uint8Array(buffer, byteOffset, byteLength), (b) => b.toString(16).padStart(2, '0')).join('');

/** All properties of a table that an object knows, each once, if possible under the name without a suffix. */
export function knownProperties(
  table: InfoTable,
  read: (name: string) => unknown,
): readonly (readonly [name: string, value: unknown])[] {
  const found = new Map<number, readonly [name: string, value: unknown]>();
  for (const [name, [param]] of Object.entries(table)) {
    const known = found.get(param);
    if (known && withoutSuffix(known[0]) === known[0]) continue;
    try {
      found.set(param, [name, read(name)]);
    } catch (error) {
      // Properties that the driver does not know are omitted.
      if (!(error instanceof OpenCLError)) throw error;
    }
  }
  return [...found.values()];
}
