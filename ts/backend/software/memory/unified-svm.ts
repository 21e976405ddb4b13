// SPDX-License-Identifier: MIT
//
// cl_khr_unified_svm: the types of shared virtual memory that the device has. All of them are the same memory, which host and
// kernels reach at any time; only memory that the device did not allocate cannot be shared.
import {
  UnifiedSvmCapabilities as Can,
  ErrorCode,
  MemFlags,
  SvmAllocAccessFlags,
  SvmAllocProperty,
} from '../../../cl/constants.gen';
import { answerInfo } from '../../../cl/encode-info';
import { svmPointerInfo } from '../../../cl/info-keys.gen';
import { OpenCLError } from '../../../cl/opencl-error';

const DEVICE_USE =
  Can.SINGLE_ADDRESS_SPACE_KHR |
  Can.DEVICE_READ_KHR |
  Can.DEVICE_WRITE_KHR |
  Can.DEVICE_ATOMIC_ACCESS_KHR |
  Can.INDIRECT_ACCESS_KHR;
const HOST_USE = Can.HOST_READ_KHR | Can.HOST_WRITE_KHR;
const CONCURRENT = Can.CONCURRENT_ACCESS_KHR | Can.CONCURRENT_ATOMIC_ACCESS_KHR;
const ANY_DEVICE = Can.DEVICE_UNASSOCIATED_KHR | Can.CONTEXT_ACCESS_KHR;

/** The types, in the order in which they are suggested. */
export const UNIFIED_SVM_TYPES: readonly number[] = [
  // CL_SVM_TYPE_MACRO_COARSE_GRAIN_BUFFER_KHR, the type of clSVMAlloc
  DEVICE_USE | ANY_DEVICE | Can.HOST_MAP_KHR,
  // CL_SVM_TYPE_MACRO_FINE_GRAIN_BUFFER_KHR
  DEVICE_USE | ANY_DEVICE | Can.HOST_MAP_KHR | HOST_USE | CONCURRENT,
  // CL_SVM_TYPE_MACRO_DEVICE_KHR
  DEVICE_USE | Can.DEVICE_OWNED_KHR,
  // CL_SVM_TYPE_MACRO_HOST_KHR
  DEVICE_USE | ANY_DEVICE | Can.HOST_OWNED_KHR | HOST_USE | CONCURRENT,
  // CL_SVM_TYPE_MACRO_SINGLE_DEVICE_SHARED_KHR
  DEVICE_USE | HOST_USE | CONCURRENT,
];

/** The first type with the required capabilities. */
export function suggestedSvmType(required: number): number {
  const found = UNIFIED_SVM_TYPES.findIndex((has) => (has & required) === required);
  if (found >= 0) return found;
  const detail =
    required & Can.SYSTEM_ALLOCATED_KHR
      ? 'kernels of the software device reach no memory that it has not allocated'
      : `no type has all of 0x${required.toString(16)}`;
  throw new OpenCLError(ErrorCode.INVALID_VALUE, 'clGetSVMSuggestedTypeIndexKHR', detail);
}

/** The parameters of an allocation. */
export interface UnifiedSvm {
  readonly type: number;
  readonly properties: readonly bigint[];
  readonly accessFlags: bigint;
}

interface Allocation {
  readonly address: bigint;
  readonly size: number;
  readonly unified: UnifiedSvm;
}

/** The parameters of clSVMAlloc. */
export const ofSvmAlloc = (flags: number): UnifiedSvm => ({
  type: flags & MemFlags.SVM_FINE_GRAIN_BUFFER ? 1 : 0,
  properties: [],
  accessFlags: 0n,
});

/** @param properties key, value, …, without the closing 0 and the device. */
export function readUnifiedSvm(
  type: number,
  properties: readonly bigint[],
  isAssociated: boolean,
): UnifiedSvm & { readonly align: number } {
  const refuse = (code: ErrorCode, detail: string) =>
    new OpenCLError(code, 'clSVMAllocWithPropertiesKHR', detail);
  const has = UNIFIED_SVM_TYPES[type];
  if (has === undefined)
    throw refuse(ErrorCode.INVALID_VALUE, `there is no type ${type}; there are ${UNIFIED_SVM_TYPES.length}`);
  if ((has & Can.DEVICE_UNASSOCIATED_KHR) === 0 && !isAssociated)
    throw refuse(ErrorCode.INVALID_DEVICE, `memory of type ${type} is of one device: name it`);
  let align = 0;
  let accessFlags = 0n;
  for (let at = 0; at < properties.length; at += 2) {
    const value = properties[at + 1]!;
    switch (Number(properties[at])) {
      case SvmAllocProperty.ALIGNMENT_KHR:
        align = Number(value);
        if (align > 128 || (align & (align - 1)) !== 0)
          throw refuse(ErrorCode.INVALID_VALUE, `an alignment is a power of two up to 128, not ${align}`);
        break;
      case SvmAllocProperty.ACCESS_FLAGS_KHR:
        accessFlags = value;
        if ((value & ~BigInt(ALL_ACCESS_FLAGS)) !== 0n)
          throw refuse(ErrorCode.INVALID_PROPERTY, `unknown access flags 0x${value.toString(16)}`);
        break;
      default:
        throw refuse(ErrorCode.INVALID_PROPERTY, `unknown property 0x${properties[at]!.toString(16)}`);
    }
  }
  return { type, properties, accessFlags, align };
}

/** clGetSVMPointerInfoKHR */
export function unifiedSvmInfo(svm: Allocation, param: number): Uint8Array {
  const { type, properties, accessFlags } = svm.unified;
  const answers = {
    TYPE_INDEX_KHR: type,
    CAPABILITIES_KHR: UNIFIED_SVM_TYPES[type]!,
    PROPERTIES_KHR: properties.length > 0 ? [...properties, 0n] : [],
    ACCESS_FLAGS_KHR: Number(accessFlags),
    BASE_PTR_KHR: svm.address,
    SIZE_KHR: svm.size,
  };
  return answerInfo(svmPointerInfo, answers, 'clGetSVMPointerInfoKHR', param);
}

const ALL_ACCESS_FLAGS =
  SvmAllocAccessFlags.HOST_NOREAD_KHR |
  SvmAllocAccessFlags.HOST_NOWRITE_KHR |
  SvmAllocAccessFlags.DEVICE_NOREAD_KHR |
  SvmAllocAccessFlags.DEVICE_NOWRITE_KHR;
