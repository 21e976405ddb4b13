// SPDX-License-Identifier: MIT
//
// Checks that an object of the API, or local memory, fits the argument that a kernel declares. Some drivers accept any handle
// and crash when the kernel runs.

import type { LocalArgument } from '../../backend/backend-queue';
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import type { KernelArgumentInfo } from '../arguments/arguments';
import { describe, withArticle } from '../errors/describe';
import { Buffer } from './buffer';
import { Image } from './image';
import { MemoryObject } from './memory-object';
import { Pipe } from './pipe';
import { Sampler } from './sampler';
import { Svm } from './svm';

/** The opaque types, with the class that each accepts and clSetKernelArg's error code for other objects. */
const OPAQUE = [
  { type: /^image(?:\d|$)/, takes: Image, what: 'an Image', code: ErrorCode.INVALID_MEM_OBJECT },
  { type: /^sampler_t$/, takes: Sampler, what: 'a Sampler', code: ErrorCode.INVALID_SAMPLER },
] as const;

type Problem = readonly [code: ErrorCode, detail: string];

/** Throws if `object` cannot be this argument. Without argument information from the driver, every object is accepted. */
export function checkObjectFits(object: object, argument: KernelArgumentInfo, kernel: string): void {
  report(objectProblem(object, argument), argument, kernel);
}

function objectProblem(object: object, argument: KernelArgumentInfo): Problem | undefined {
  const { typeName, baseType } = argument;
  if (
    baseType === 'queue_t' &&
    (object instanceof MemoryObject || object instanceof Svm || object instanceof Sampler)
  )
    return [ErrorCode.INVALID_DEVICE_QUEUE, `is a queue_t and takes a CommandQueue, not ${describe(object)}`];
  const opaque = OPAQUE.find(({ type }) => type.test(baseType));
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
  // The declared type of a pipe is its packets' type.
  if (argument.value && !(object instanceof Pipe)) {
    return [ErrorCode.INVALID_ARG_VALUE, `is ${withArticle(typeName)} by value, not ${describe(object)}`];
  }
  return undefined;
}

/** Throws if the argument is not local memory, or if a work-group has fewer bytes `available`. */
export function checkLocalFits(
  local: LocalArgument,
  argument: KernelArgumentInfo,
  available: number,
  kernel: string,
): void {
  report(localProblem(local, argument, available), argument, kernel);
}

function localProblem(
  { bytes }: LocalArgument,
  argument: KernelArgumentInfo,
  available: number,
): Problem | undefined {
  const { typeName, addressSpace } = argument;
  if (typeName !== '' && !(argument.isPointer && (addressSpace === 'local' || addressSpace === 'unknown'))) {
    return [ErrorCode.INVALID_ARG_VALUE, `is ${withArticle(typeName)}, not local memory`];
  }
  if (bytes === 0) return [ErrorCode.INVALID_ARG_SIZE, 'needs at least one byte of local memory'];
  if (bytes <= available) return undefined;
  return [
    ErrorCode.OUT_OF_RESOURCES,
    `is given ${bytes} bytes of local memory, but a work-group has ${available}`,
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
