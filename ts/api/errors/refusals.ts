// SPDX-License-Identifier: MIT
//
// Errors that many methods throw.
import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { mistake, throwFrom } from './caller-stack';
import { describe } from './describe';

/** The error of a method (`Class.method`, or one of all classes) with an illegal receiver. */
export function illegalReceiver(object: unknown, method: string): TypeError {
  const [type, name] = method.split('.');
  const right = name === undefined ? 'an object of the API' : `a ${type}`;
  return mistake(new TypeError(`${method} was called on ${describe(object)}: it must be called on ${right}`));
}

/** Throws the error of `new` for a class whose objects only the API creates. */
export function throwIllegalConstructor(type: { readonly name: string }): never {
  const detail = `a ${type.name} is not made with \`new\`, but by the methods of the objects that it belongs to`;
  throwFrom(type as never, mistake(new TypeError(detail)));
}

/**
 * The error of a function that the device does not support; `needed` names the extension or version that it
 * requires.
 */
export function unsupported(functionName: string, needed: string): OpenCLError {
  return new OpenCLError(
    ErrorCode.INVALID_OPERATION,
    functionName,
    `it needs ${needed}, which this device does not have`,
  );
}
