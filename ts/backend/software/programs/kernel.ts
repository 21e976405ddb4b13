// SPDX-License-Identifier: MIT
//
// A kernel with its arguments, and the answers to queries about it.
import {
  type KernelArgument,
  type KernelSignature,
  subGroupSizeFor,
  subGroupSizeOf,
} from '../../../base/kernel-abi';
import {
  ArgAccessQualifier,
  ArgAddressQualifier,
  ArgTypeQualifier,
  ErrorCode,
  KernelExecInfo,
  KernelSubGroupInfo,
} from '../../../cl/constants.gen';
import { answerInfo } from '../../../cl/encode-info';
import {
  kernelArgInfo,
  kernelInfo,
  kernelSubGroupInfo,
  kernelWorkGroupInfo,
} from '../../../cl/info-keys.gen';
import { OpenCLError } from '../../../cl/opencl-error';
import type { Device } from '../../../device/device';
import type { BackendDevice } from '../../backend';
import type { BackendSvm } from '../../backend-objects';
import type { BackendArgument, BackendKernel, BackendQueue } from '../../backend-queue';
import { MAX_WORK_GROUP_SIZE } from '../device/limits';
import type { SoftwareSvm } from '../memory/svm';
import { RefCounted } from '../ref-counted';
import type { CodeKind, Executable } from './executable';
import { type ArgumentValue, convertArgument } from './kernel-arguments';
import type { LaunchPlan } from './launch-plan';
import { chooseLocalSize } from './nd-range';
import { type Compared, codeForArguments, comparedArguments, usualCode } from './separate-arguments';

const ADDRESS_QUALIFIERS = {
  global: ArgAddressQualifier.GLOBAL,
  local: ArgAddressQualifier.LOCAL,
  constant: ArgAddressQualifier.CONSTANT,
  private: ArgAddressQualifier.PRIVATE,
} satisfies Record<KernelArgument['addressSpace'], ArgAddressQualifier>;

const ACCESS_QUALIFIERS = {
  none: ArgAccessQualifier.NONE,
  read_only: ArgAccessQualifier.READ_ONLY,
  write_only: ArgAccessQualifier.WRITE_ONLY,
  read_write: ArgAccessQualifier.READ_WRITE,
} satisfies Record<KernelArgument['access'], ArgAccessQualifier>;

const TYPE_QUALIFIERS = {
  const: ArgTypeQualifier.CONST,
  restrict: ArgTypeQualifier.RESTRICT,
  volatile: ArgTypeQualifier.VOLATILE,
  pipe: ArgTypeQualifier.PIPE,
} satisfies Record<KernelArgument['typeQualifiers'][number], ArgTypeQualifier>;

/**
 * Keys of clSetKernelExecInfo that list memory which a kernel may access. A kernel can access all of its context's memory.
 */
const VISIBLE_WITHOUT: ReadonlySet<number> = new Set([
  KernelExecInfo.SVM_PTRS,
  KernelExecInfo.SVM_INDIRECT_ACCESS_KHR,
  KernelExecInfo.DEVICE_PTRS_EXT,
]);

/** Keys of clGetKernelSubGroupInfo that depend on a work-group's size. */
const NEEDS_INPUT: ReadonlySet<number> = new Set([
  KernelSubGroupInfo.MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
  KernelSubGroupInfo.SUB_GROUP_COUNT_FOR_NDRANGE,
  KernelSubGroupInfo.LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
]);

export class SoftwareKernel extends RefCounted implements BackendKernel {
  readonly values: (ArgumentValue | undefined)[];
  /** Shared memory that the kernel may access through pointers in memory. */
  indirect: readonly SoftwareSvm[] = [];
  /** The plan of the last launch. */
  plan: LaunchPlan | undefined;
  /** Counts the changes of arguments. */
  version = 0;
  /** The arguments whose memory decides which code runs, if there are any; the last decision, and the arguments that it is of. */
  readonly compared: Compared | undefined;
  comparedCode: CodeKind = 'guarded';
  comparedVersion = -1;
  /** Whether launches run the same code whatever the arguments are, when that is known. */
  onlyCode: CodeKind | 'either' | undefined;

  constructor(
    readonly device: Device,
    readonly executable: Executable,
    readonly signature: KernelSignature,
    private readonly onRelease: () => void,
    /**
     * Whether arguments keep their objects alive. clSetKernelArg must not, but callers need it if they do not release memory
     * explicitly.
     */
    private readonly holdsArguments = true,
  ) {
    super();
    this.values = new Array<ArgumentValue | undefined>(signature.arguments.length).fill(undefined);
    const hasKinds = !device.checked && !device.isRobust && !device.coverage;
    this.compared = hasKinds ? comparedArguments(signature) : undefined;
    executable.retain();
  }

  info(param: number): Uint8Array {
    const { signature } = this;
    const answers = {
      FUNCTION_NAME: signature.name,
      NUM_ARGS: signature.arguments.length,
      REFERENCE_COUNT: this.referenceCount,
      ATTRIBUTES: () => signature.attributes.join(' '),
    };
    return answerInfo(kernelInfo, answers, 'clGetKernelInfo', param);
  }

  argInfo(index: number, param: number): Uint8Array {
    const argument = this.signature.arguments[index];
    if (!argument) throw this.badIndex(index, 'clGetKernelArgInfo');
    const answers = {
      ADDRESS_QUALIFIER: ADDRESS_QUALIFIERS[argument.addressSpace],
      ACCESS_QUALIFIER: ACCESS_QUALIFIERS[argument.access],
      TYPE_NAME: argument.typeName,
      TYPE_QUALIFIER: argument.typeQualifiers.reduce((bits: number, name) => bits | TYPE_QUALIFIERS[name], 0),
      NAME: argument.name,
    };
    return answerInfo(kernelArgInfo, answers, 'clGetKernelArgInfo', param);
  }

  baseType(index: number): string | undefined {
    const argument = this.signature.arguments[index];
    if (!argument) return undefined;
    const { kind, scalar = argument.pointee } = argument;
    const numbers = scalar && `${scalar.type}${scalar.components > 1 ? scalar.components : ''}`;
    if (kind === 'image') return kind;
    return kind === 'buffer' || kind === 'local' ? `${numbers ?? 'void'}*` : numbers;
  }

  workGroupInfo(_device: BackendDevice, param: number): Uint8Array {
    const { signature } = this;
    const answers = {
      WORK_GROUP_SIZE: () => product(signature.requiredLocalSize ?? [MAX_WORK_GROUP_SIZE]),
      COMPILE_WORK_GROUP_SIZE: signature.requiredLocalSize ?? [0, 0, 0],
      LOCAL_MEM_SIZE: () => signature.staticLocalBytes + this.argumentLocalBytes(),
      PREFERRED_WORK_GROUP_SIZE_MULTIPLE: () => this.lanes(),
      PRIVATE_MEM_SIZE: signature.privateBytes,
    };
    return answerInfo(kernelWorkGroupInfo, answers, 'clGetKernelWorkGroupInfo', param);
  }

  subGroupInfo(_device: BackendDevice, param: number, input: readonly number[]): Uint8Array {
    const { signature } = this;
    if (input.length === 0 && NEEDS_INPUT.has(param)) {
      throw new OpenCLError(
        ErrorCode.INVALID_VALUE,
        'clGetKernelSubGroupInfo',
        'the answer depends on a local size, or on a number of sub-groups, which is missing',
      );
    }
    const local = param === KernelSubGroupInfo.LOCAL_SIZE_FOR_SUB_GROUP_COUNT ? [] : input;
    const width = subGroupSizeFor(signature, local);
    const answers = {
      // In these work-groups sub-groups are single work-items (subGroupSizeFor).
      MAX_NUM_SUB_GROUPS: MAX_WORK_GROUP_SIZE / (signature.requiredSubGroupSize ?? 1),
      COMPILE_NUM_SUB_GROUPS: 0,
      COMPILE_SUB_GROUP_SIZE_INTEL: signature.requiredSubGroupSize ?? 0,
      MAX_SUB_GROUP_SIZE_FOR_NDRANGE: width,
      SUB_GROUP_COUNT_FOR_NDRANGE: Math.ceil(product(local) / width),
      LOCAL_SIZE_FOR_SUB_GROUP_COUNT: () => {
        const items = (input[0] ?? 0) * subGroupSizeOf(signature);
        return items <= MAX_WORK_GROUP_SIZE ? [items, 1, 1] : [0, 0, 0];
      },
    };
    return answerInfo(kernelSubGroupInfo, answers, 'clGetKernelSubGroupInfo', param);
  }

  setArg(index: number, value: BackendArgument): void {
    const argument = this.signature.arguments[index];
    if (!argument) throw this.badIndex(index, 'clSetKernelArg');
    this.keep(index, convertArgument(this.device, this.signature.name, index, argument, value));
  }

  /** The arguments of a block: the address of its captured variables, then its local memory. */
  setBlockArguments(literal: RefCounted, address: number, localSizes: readonly number[]): void {
    this.keep(0, { kind: 'word', word: address, uses: literal });
    for (const [i, bytes] of localSizes.entries()) this.keep(i + 1, { kind: 'local', bytes });
  }

  setDevicePointer(index: number, address: bigint): void {
    const argument = this.signature.arguments[index];
    const functionName = 'clSetKernelArgDevicePointerEXT';
    if (!argument) throw this.badIndex(index, functionName);
    if (argument.kind !== 'buffer' || address < 0n || address >= this.device.memory.u8.length)
      throw new OpenCLError(
        ErrorCode.INVALID_ARG_VALUE,
        functionName,
        `argument ${index} ('${argument.typeName} ${argument.name}') of kernel '${this.signature.name}' cannot be the address ${address}`,
      );
    this.keep(index, { kind: 'word', word: Number(address), uses: undefined });
  }

  private keep(index: number, value: ArgumentValue | undefined): void {
    const before = this.values[index];
    this.values[index] = value;
    this.version++;
    if (!this.holdsArguments) return;
    if (value?.kind === 'word') value.uses?.retain();
    if (before?.kind === 'word') before.uses?.release();
  }

  /**
   * Every kernel can access all of the device's memory, so the memory named here is only kept alive while the kernel runs.
   */
  setExecInfo(param: number, value: Uint8Array | readonly BackendSvm[]): void {
    if (param === KernelExecInfo.SVM_PTRS && Array.isArray(value)) this.keepIndirect(value as SoftwareSvm[]);
    if (VISIBLE_WITHOUT.has(param)) return;
    if (param === KernelExecInfo.SVM_FINE_GRAIN_SYSTEM) {
      throw new OpenCLError(
        ErrorCode.INVALID_OPERATION,
        'clSetKernelExecInfo',
        'the device has no fine-grained system memory',
      );
    }
    throw new OpenCLError(ErrorCode.INVALID_VALUE, 'clSetKernelExecInfo', `there is no key ${param}`);
  }

  suggestedLocalSize(
    _queue: BackendQueue,
    global: readonly number[],
    _offset: readonly number[] | undefined,
  ): readonly number[] {
    return chooseLocalSize(
      this,
      global,
      this.values.includes(undefined) ? usualCode(this) : codeForArguments(this),
    );
  }

  clone(holdsArguments = this.holdsArguments): SoftwareKernel {
    this.retain();
    const { device, executable, signature } = this;
    const copy = new SoftwareKernel(device, executable, signature, () => this.release(), holdsArguments);
    for (const [index, value] of this.values.entries()) copy.keep(index, value);
    copy.keepIndirect(this.indirect);
    return copy;
  }

  private keepIndirect(memories: readonly SoftwareSvm[]): void {
    const before = this.indirect;
    this.indirect = memories;
    this.version++;
    if (!this.holdsArguments) return;
    for (const svm of memories) svm.retain();
    for (const svm of before) svm.release();
  }

  protected override destroy(): void {
    for (const index of this.values.keys()) this.keep(index, undefined);
    this.keepIndirect([]);
    this.executable.release();
    this.onRelease();
  }

  private lanes(): number {
    return this.executable.kernel(this.signature.name, usualCode(this)).lanes;
  }

  private argumentLocalBytes(): number {
    return this.values.reduce((sum, value) => sum + (value?.kind === 'local' ? value.bytes : 0), 0);
  }

  private badIndex(index: number, functionName: string): OpenCLError {
    const { name, arguments: all } = this.signature;
    return new OpenCLError(
      ErrorCode.INVALID_ARG_INDEX,
      functionName,
      `kernel '${name}' has ${all.length} arguments; there is no argument ${index}`,
    );
  }
}

function product(sizes: readonly number[]): number {
  return sizes.reduce((all, size) => all * size, 1);
}
