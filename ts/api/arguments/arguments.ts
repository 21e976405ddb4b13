// SPDX-License-Identifier: MIT
//
// What kernels declare of their arguments, and how JavaScript's values become argument bytes.

import type { BackendArgument, BackendKernel } from '../../backend/backend-queue';
import { ArgTypeQualifier, ErrorCode, KernelArgInfo } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { arrayHolds, encodeValue, parseValueType, type ValueType } from '../data/element-types';
import { firstMisfit, limitsOf, numberArray, SCALARS, type ScalarTypeName } from '../data/scalars';
import { checkView } from '../data/transfers';
import type { NumberArray } from '../data/typed-arrays';
import { describe, withArticle } from '../errors/describe';

/** The address space of a pointer argument; `private` for values, `unknown` where the driver does not report it. */
export type ArgumentAddressSpace = 'global' | 'local' | 'constant' | 'private' | 'unknown';

const ADDRESS_SPACES: Readonly<Record<number, ArgumentAddressSpace>> = {
  4507: 'global',
  4508: 'local',
  4509: 'constant',
  4510: 'private',
};
const ACCESS: Readonly<Record<number, KernelArgumentInfo['access']>> = {
  4512: 'read_only',
  4513: 'write_only',
  4514: 'read_write',
  4515: 'none',
};

/**
 * One argument as the kernel declares it; `unknown` and empty strings if the driver does not report it.
 *
 * @example
 * ```ts
 * const { scale } = (await cl.build('kernel void scale(float a, global float *x) { *x *= a; }')).kernels;
 * for (const { name, typeName, addressSpace } of scale.arguments) console.log(name, typeName, addressSpace);
 * ```
 */
export class KernelArgumentInfo {
  /** Whether it is a pointer: memory is given for it. */
  readonly isPointer: boolean;
  /** For values: the type, also behind a typedef or an enumeration; undefined for structs and unknown types. */
  readonly value: ValueType | undefined;
  /** For numbers: an array of one element that encodes them. */
  readonly box: NumberArray | undefined;
  /** Whether the array may hold another number than it was given: the nearest one. */
  readonly rounds: boolean;
  /** For pointers: the pointee, if it is a scalar or vector. */
  readonly pointee: ValueType | undefined;

  constructor(
    /** The position, from 0. */
    readonly index: number,
    /** The name of the parameter. */
    readonly name: string,
    /** The type as it is written, such as `float*`. */
    readonly typeName: string,
    /** The address space of a pointer. */
    readonly addressSpace: ArgumentAddressSpace,
    /** For images and pipes, how the kernel accesses them; `none` for others. */
    readonly access: 'none' | 'read_only' | 'write_only' | 'read_write',
    /** @internal The type behind a typedef or an enumeration, as far as it is known. */
    readonly baseType = typeName,
  ) {
    const pointer = /^(.*\S)\s*\*$/.exec(baseType);
    this.isPointer = pointer !== null;
    this.value = pointer ? undefined : parseValueType(baseType);
    this.box = this.value?.components === 1 ? numberArray(this.value.scalar) : undefined;
    this.rounds = this.value !== undefined && SCALARS[this.value.scalar].domain === 'float';
    this.pointee = pointer ? parseValueType(pointer[1]!) : undefined;
  }

  /** As it is declared, such as `float* x`. */
  toString(): string {
    return `${this.typeName} ${this.name}`.trim();
  }

  /** @internal The same with a type's own name, where only that of a typedef is known, or none. */
  declaredAs(typeName: string): KernelArgumentInfo {
    if (typeName === '' || this.value !== undefined || this.pointee !== undefined) return this;
    return new KernelArgumentInfo(this.index, this.name, typeName, this.addressSpace, this.access);
  }

  /**
   * Why a buffer of such elements cannot be this argument; undefined if it can, or if the type is unknown.
   */
  refuses(arrayName: string): string | undefined {
    if (this.typeName === '') return undefined;
    if (!this.isPointer) {
      return this.value ? `is ${withArticle(this.typeName)} by value, not a buffer` : undefined;
    }
    if (this.addressSpace === 'local') return 'is local memory: give it with local(bytes)';
    if (this.pointee && !arrayHolds(arrayName, this.pointee.scalar)) {
      return `points to ${this.pointee.scalar}, but the buffer holds ${arrayName} elements; make it with a matching type, or as a Uint8Array for raw bytes`;
    }
    return undefined;
  }
}

/** A C string without its terminator. */
function untilZero(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes : bytes.subarray(0, end);
}

/**
 * Queries the driver for each property; those that it does not report (PoCL 7.1: names, for SPIR-V) are
 * unknown. Guessed pointees are not told: a buffer of any type may be meant.
 */
export function readArgumentInfo(
  kernel: BackendKernel,
  count: number,
  hasGuessedPointees = false,
): readonly KernelArgumentInfo[] {
  return Array.from({ length: count }, (_, index) => {
    const ask = (param: number): Uint8Array => {
      try {
        return kernel.argInfo(index, param);
      } catch (error) {
        if (!(error instanceof OpenCLError)) throw error;
        return NOT_TOLD;
      }
    };
    const text = (param: number): string => new TextDecoder().decode(untilZero(ask(param)));
    const word = (param: number): number => {
      const bytes = ask(param);
      return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    };
    // OpenCL tells the type of a pipe's packets.
    const isPipe = (word(KernelArgInfo.TYPE_QUALIFIER) & ArgTypeQualifier.PIPE) !== 0;
    const packet = text(KernelArgInfo.TYPE_NAME);
    const name = isPipe && packet !== '' ? `pipe ${packet}` : packet;
    const told = hasGuessedPointees && name.endsWith('*') ? 'void*' : name;
    const baseType = isOwnName(told) ? told : kernel.baseType?.(index) || told;
    return new KernelArgumentInfo(
      index,
      text(KernelArgInfo.NAME),
      told || baseType,
      ADDRESS_SPACES[word(KernelArgInfo.ADDRESS_QUALIFIER)] ?? 'unknown',
      ACCESS[word(KernelArgInfo.ACCESS_QUALIFIER)] ?? 'none',
      baseType,
    );
  });
}

/** Whether it is a name of OpenCL C or of a struct. Drivers do not tell what is behind another, and finding it out takes time. */
function isOwnName(typeName: string): boolean {
  const bare = typeName.endsWith('*') ? typeName.slice(0, -1) : typeName;
  return (
    parseValueType(bare) !== undefined ||
    /^(?:void$|(?:struct|union|pipe) |image\d|sampler_t$|queue_t$)/.test(bare)
  );
}

/** Zeros are an empty string, and no qualifier of OpenCL. */
const NOT_TOLD = new Uint8Array(4);

/** The classes that arguments of opaque types accept. */
const OBJECTS: readonly (readonly [RegExp, string])[] = [
  [/^image(?:\d|$)/, 'an Image'],
  [/^sampler_t$/, 'a Sampler'],
  [/^pipe\b/, 'a Pipe'],
  [/^queue_t$/, 'a CommandQueue of the device'],
];

/**
 * A number of the same width but another signedness is probably meant as bits: the message says how to pass
 * these.
 */
function bitsHint({ scalar }: ValueType, components: readonly (number | bigint)[]): string {
  const other = (scalar.startsWith('u') ? scalar.slice(1) : `u${scalar}`) as ScalarTypeName;
  if (firstMisfit(other, components) >= 0) return '';
  const literals = components.map((c) => (SCALARS[other].bytes === 8 ? `${c}n` : String(c)));
  return `; for its bits, give new ${SCALARS[other].accepts[0]}([${literals.join(', ')}])`;
}

/** Arrays are often given in place of the buffers that are made of them. */
function bufferHint(value: unknown): string {
  if (ArrayBuffer.isView(value)) return '; Session.buffer makes a buffer of it';
  if (Array.isArray(value))
    return '; Session.buffer makes a buffer of a typed array, such as Float32Array.from(array)';
  // As arrays of anycl/array.
  const { buffer } = (value ?? {}) as { readonly buffer?: unknown };
  return typeof buffer === 'function' ? '; `await` its method buffer(), which gives one' : '';
}

/** The bytes of a value argument, or the object that clSetKernelArg accepts for it. */
export function encodeArgument(
  value: unknown,
  argument: KernelArgumentInfo | undefined,
  index: number,
  kernel: string,
): BackendArgument {
  const fail = (code: number, detail: string): never => {
    const name = argument?.name ? ` ('${argument.name}')` : '';
    throw new OpenCLError(code, 'clSetKernelArg', `argument ${index}${name} of kernel '${kernel}' ${detail}`);
  };
  const known = argument !== undefined && argument.typeName !== '';
  if (value === null) {
    if (known && !argument.isPointer)
      return fail(ErrorCode.INVALID_ARG_VALUE, `is ${withArticle(argument.typeName)} and cannot be null`);
    return null;
  }
  if (known && argument.isPointer) {
    const isLocal = argument.addressSpace === 'local';
    return fail(
      ErrorCode.INVALID_ARG_VALUE,
      `is ${withArticle(argument.typeName)} and takes ${isLocal ? 'local(bytes)' : 'a buffer'}, not ${describe(value)}${isLocal ? '' : bufferHint(value)}`,
    );
  }
  const object = OBJECTS.find(([pattern]) => known && pattern.test(argument.baseType))?.[1];
  if (object) {
    return fail(
      ErrorCode.INVALID_ARG_VALUE,
      `is ${withArticle(argument!.typeName)} and takes ${object}, not ${describe(value)}`,
    );
  }
  if (ArrayBuffer.isView(value)) {
    checkView(value, 'clSetKernelArg');
    if (argument?.value && value.byteLength !== argument.value.size) {
      return fail(
        ErrorCode.INVALID_ARG_SIZE,
        `is ${withArticle(argument.typeName)} of ${argument.value.size} bytes, not ${value.byteLength}`,
      );
    }
    return value;
  }
  const components = Array.isArray(value) ? value : [typeof value === 'boolean' ? Number(value) : value];
  if (!components.every((c) => typeof c === 'number' || typeof c === 'bigint')) {
    return fail(
      ErrorCode.INVALID_ARG_VALUE,
      `${known ? `is ${withArticle(argument.typeName)} and ` : ''}cannot take ${describe(value)}${known && !argument.value ? '; give the bytes of a struct as a typed array' : ''}`,
    );
  }
  const type = argument?.value;
  if (!type) {
    return fail(
      ErrorCode.INVALID_ARG_VALUE,
      known
        ? `is ${withArticle(argument.typeName)}: give its bytes as a typed array, such as new Float32Array([1])`
        : 'has a type that the driver does not tell: give its bytes as a typed array, such as new Float32Array([1])',
    );
  }
  if (components.length !== type.components) {
    return fail(
      ErrorCode.INVALID_ARG_SIZE,
      `is ${withArticle(argument.typeName)} and takes ${type.components} numbers, not ${components.length}`,
    );
  }
  const misfit = firstMisfit(type.scalar, components);
  if (misfit >= 0) {
    const which = components.length > 1 ? `component ${misfit} cannot be` : 'cannot be';
    return fail(
      ErrorCode.INVALID_ARG_VALUE,
      `is ${withArticle(argument.typeName)}, whole numbers from ${limitsOf(type.scalar)!.join(' to ')}: ${which} ${describe(components[misfit])}${bitsHint(type, components)}`,
    );
  }
  return encodeValue(type, components);
}
