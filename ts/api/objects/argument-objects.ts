// SPDX-License-Identifier: MIT
//
// Whether an object of the API, or local memory, can be the argument that a kernel declares. Some drivers take any handle
// and crash when the kernel runs.
import type { LocalArgument } from '../../backend/backend-queue';
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import type { KernelArgumentInfo } from '../arguments/arguments';
import { Buffer, MemoryObject } from './buffer';
import type { Context } from './context';
import { Image } from './image';
import { describe, withArticle } from './lifetime';
import { Pipe } from './pipe';
import { Sampler } from './sampler';
import { Svm } from './svm';

/** Opaque types, what they take, and what clSetKernelArg says where it is something else. */
const OPAQUE = [
  { type: /^image\d/, takes: Image, what: 'an Image', code: ErrorCode.INVALID_MEM_OBJECT },
  { type: /^sampler_t$/, takes: Sampler, what: 'a Sampler', code: ErrorCode.INVALID_SAMPLER },
] as const;

type Problem = readonly [code: ErrorCode, detail: string];

/** Throws where `object` cannot be this argument; drivers that keep no argument information let all pass. */
export function checkObjectFits(object: object, argument: KernelArgumentInfo, kernel: string): void {
  report(objectProblem(object, argument), argument, kernel);
}

function objectProblem(object: object, argument: KernelArgumentInfo): Problem | undefined {
  const { typeName } = argument;
  if (
    typeName === 'queue_t' &&
    (object instanceof MemoryObject || object instanceof Svm || object instanceof Sampler)
  )
    return [ErrorCode.INVALID_DEVICE_QUEUE, `is a queue_t and takes a CommandQueue, not ${describe(object)}`];
  const opaque = OPAQUE.find(({ type }) => type.test(typeName));
  if (opaque) {
    if (object instanceof opaque.takes) return undefined;
    return [opaque.code, `is ${withArticle(typeName)} and takes ${opaque.what}, not ${describe(object)}`];
  }
  const other = OPAQUE.find(({ takes }) => object instanceof takes);
  if (other && (argument.isPointer || argument.value)) {
    const code = argument.isPointer ? ErrorCode.INVALID_MEM_OBJECT : ErrorCode.INVALID_ARG_VALUE;
    return [code, `is ${withArticle(typeName)} and cannot be ${describe(object)}`];
  }
  if (object instanceof Buffer) {
    const refusal = argument.refuses(object.type.name);
    return refusal === undefined ? undefined : [ErrorCode.INVALID_ARG_VALUE, refusal];
  }
  const isShared = object instanceof Svm;
  if (argument.isPointer && !(isShared && argument.addressSpace !== 'local')) {
    return [ErrorCode.INVALID_MEM_OBJECT, `is ${withArticle(typeName)} and cannot be ${describe(object)}`];
  }
  // A pipe's type is that of its packets.
  if (argument.value && !(object instanceof Pipe)) {
    return [ErrorCode.INVALID_ARG_VALUE, `is ${withArticle(typeName)} by value, not ${describe(object)}`];
  }
  return undefined;
}

/** Throws where the argument is no local memory, or where no device has so much of it. */
export function checkLocalFits(
  local: LocalArgument,
  argument: KernelArgumentInfo,
  context: Context,
  kernel: string,
): void {
  report(localProblem(local, argument, context), argument, kernel);
}

function localProblem(
  { bytes }: LocalArgument,
  argument: KernelArgumentInfo,
  context: Context,
): Problem | undefined {
  const { typeName, addressSpace } = argument;
  if (typeName !== '' && !(argument.isPointer && (addressSpace === 'local' || addressSpace === 'unknown'))) {
    return [ErrorCode.INVALID_ARG_VALUE, `is ${withArticle(typeName)} and no local memory`];
  }
  if (bytes === 0) return [ErrorCode.INVALID_ARG_SIZE, 'needs at least one byte of local memory'];
  if (bytes <= context.localMemory) return undefined;
  return [
    ErrorCode.OUT_OF_RESOURCES,
    `is given ${bytes} bytes of local memory, a work-group has ${context.localMemory}`,
  ];
}

function report(problem: Problem | undefined, argument: KernelArgumentInfo, kernel: string): void {
  if (problem === undefined) return;
  const name = argument.name ? ` ('${argument.name}')` : '';
  throw new OpenCLError(
    problem[0],
    'clSetKernelArg',
    `argument ${argument.index}${name} of kernel '${kernel}' ${problem[1]}`,
  );
}
