// SPDX-License-Identifier: MIT
//
// From the value of a kernel argument to what the backend takes. Objects and local memory must fit what the kernel declares: some
// drivers accept any handle, and crash when the kernel runs.
import { type BackendArgument, LocalArgument } from '../../backend/backend-queue';
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { encodeArgument, type KernelArgumentInfo } from '../arguments/arguments';
import { describe, pluralize, withArticle } from '../errors/describe';
import { argumentFor, isConstructed, limits } from '../internals';
import { Buffer } from './buffer';
import type { Context } from './context';
import { Handle } from './handle';
import { Image } from './image';
import type { Kernel } from './kernel';
import { checkedLocal, type KernelValue } from './kernel-values';
import { MemoryObject } from './memory-object';
import { Pipe } from './pipe';
import type { CommandQueue } from './queue';
import { Sampler } from './sampler';
import { Svm } from './svm';

/** The opaque types, with the class that each accepts and clSetKernelArg's error code for other objects. */
const OPAQUE = [
  { type: /^image(?:\d|$)/, takes: Image, what: 'an Image', code: ErrorCode.INVALID_MEM_OBJECT },
  { type: /^sampler_t$/, takes: Sampler, what: 'a Sampler', code: ErrorCode.INVALID_SAMPLER },
  { type: /^pipe /, takes: Pipe, what: 'a Pipe', code: ErrorCode.INVALID_MEM_OBJECT },
] as const;

const FUNCTION_NAME = 'clSetKernelArg';

type ArgumentObject = Extract<KernelValue, Sampler | CommandQueue | Svm | MemoryObject>;

/** Throws unless the kernel has an argument `index`. */
export function checkIndex(kernel: Kernel, index: number, functionName: string): void {
  const { argumentCount, name } = kernel;
  if (Number.isInteger(index) && index >= 0 && index < argumentCount) return;
  const which = typeof index === 'number' ? String(index) : describe(index);
  const named = kernel.arguments.find(
    (argument) => argument.name !== '' && argument.name === (index as unknown),
  );
  throw new OpenCLError(
    ErrorCode.INVALID_ARG_INDEX,
    functionName,
    named
      ? `\`index\` is the argument's position, and '${named.name}' of kernel '${name}' is argument ${named.index}`
      : `kernel '${name}' has ${pluralize(argumentCount, 'argument')}; there is no argument ${which} (\`index\`)`,
  );
}

/** Checks and converts a value for argument `index`, which the kernel has. */
export function backendArgument(kernel: Kernel, index: number, value: KernelValue): BackendArgument {
  if (Handle[isConstructed](value)) return objectArgument(kernel, index, value);
  const argument = kernel.arguments[index]!;
  if (value instanceof LocalArgument) {
    checkedLocal(value.bytes);
    checkLocalFits(value, argument, kernel.program.context[limits].localMemory, kernel.name);
    return value;
  }
  return encodeArgument(value, argument, index, kernel.name);
}

function objectArgument(kernel: Kernel, index: number, object: ArgumentObject): BackendArgument {
  const fail = (code: number, detail: string): never => {
    throw new OpenCLError(code, FUNCTION_NAME, `argument ${index} of kernel '${kernel.name}' ${detail}`);
  };
  const { context } = object as { context?: Context };
  if (context !== undefined && context !== kernel.program.context) {
    const code = object instanceof MemoryObject ? ErrorCode.INVALID_MEM_OBJECT : ErrorCode.INVALID_CONTEXT;
    return fail(code, `is ${describe(object)} that belongs to another context`);
  }
  checkObjectFits(object, kernel.arguments[index]!, kernel.name);
  const handle = object[argumentFor](FUNCTION_NAME);
  if (handle === undefined) fail(ErrorCode.INVALID_ARG_VALUE, `cannot be ${describe(object)}`);
  return handle as BackendArgument;
}

/** How a kernel is declared, for errors; empty where the driver does not tell. */
export function prototypeOf(kernel: Kernel): string {
  const known = kernel.arguments.filter(({ typeName }) => typeName !== '');
  if (known.length !== kernel.argumentCount) return '';
  return `${kernel.name}(${known.map(({ typeName, name }) => `${typeName} ${name}`).join(', ')})`;
}

type Problem = readonly [code: ErrorCode, detail: string];

/** Throws if `object` cannot be this argument. Without argument information from the driver, every object is accepted. */
function checkObjectFits(object: object, argument: KernelArgumentInfo, kernel: string): void {
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
  if (argument.value) {
    return [ErrorCode.INVALID_ARG_VALUE, `is ${withArticle(typeName)} by value, not ${describe(object)}`];
  }
  return undefined;
}

/** Throws if the argument is not local memory, or if a work-group has fewer bytes `available`. */
function checkLocalFits(
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
    FUNCTION_NAME,
    `argument ${argument.index}${name} of kernel '${kernel}' ${problem[1]}`,
  );
}
