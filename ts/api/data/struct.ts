// SPDX-License-Identifier: MIT
//
// Structs of OpenCL C in JavaScript: readers and writers over bytes in the device's layout. `anycl types` and imported `.cl`
// modules describe the structs of kernels with `struct`.

import { ErrorCode } from '../../cl/constants.gen';
import { OpenCLError } from '../../cl/opencl-error';
import { throwFrom } from '../errors/caller-stack';
import { describe } from '../errors/describe';
import { isPlain } from '../options/plain-object';
import { SCALARS, type ScalarTypeName } from './scalars';

/** A member: its type, its offset in bytes, and its number of elements where it is a vector or an array. */
export type StructMember = readonly [type: ScalarTypeName | StructType, offset: number, count?: number];

/** One struct: a view of its bytes with a property for each member. Kernel arguments and buffers take it as it is. */
export type StructView = DataView;

/** A struct's class, made by `struct`. */
export interface StructType<T extends StructView = StructView> {
  /** The name of the struct. */
  readonly name: string;
  /** The size of one in bytes, padding included. */
  readonly size: number;
  /** Zeros, or a view of `buffer` from `offset`. */
  new (buffer?: ArrayBufferLike, offset?: number): T;
  /** So many structs one after the other: zeros, or those in `bytes`. */
  array(what: number | ArrayBufferView): StructArray<T>;
}

/** Structs one after the other, as a buffer of the device has them. */
export interface StructArray<T extends StructView = StructView> extends Iterable<T> {
  /** How many structs there are. */
  readonly length: number;
  /** All of them, for `cl.buffer` and `buffer.write`: no copy. */
  readonly bytes: Uint8Array;
  /** The struct at `index`: a view, no copy. @throws RangeError */
  at(index: number): T;
}

const refuse = (name: string, detail: string): never => {
  throw new OpenCLError(ErrorCode.INVALID_VALUE, 'struct', `${name}: ${detail}`);
};

/** Some versions of TypeScript's library have more type parameters than constructors of this class. */
const View: new (buffer: ArrayBufferLike, offset: number, size: number) => DataView = DataView;

/**
 * A class for a struct of OpenCL C, from its layout as `anycl types` prints it: size and offsets in bytes. A scalar member is a
 * number (64 bits: a bigint); a vector or an array is a typed array over the same bytes; a struct is a view, too. Members are
 * assigned numbers, lists of numbers, or structs of the same class.
 * @throws OpenCLError INVALID_VALUE where a member is outside of the struct, or of no known type
 */
export function struct<T extends StructView = StructView>(
  name: string,
  size: number,
  members: Readonly<Record<string, StructMember>>,
): StructType<T> {
  try {
    return structType<T>(name, size, members);
  } catch (error) {
    throwFrom(struct as never, error);
  }
}

function structType<T extends StructView>(
  name: string,
  size: number,
  members: Readonly<Record<string, StructMember>>,
): StructType<T> {
  if (typeof name !== 'string')
    throw new OpenCLError(
      ErrorCode.INVALID_VALUE,
      'struct',
      `\`name\` must be a string, not ${describe(name)}`,
    );
  if (!Number.isSafeInteger(size) || size < 1)
    refuse(name, `\`size\` must be a whole number of bytes, 1 or more, not ${describe(size)}`);
  if (!isPlain(members)) refuse(name, `\`members\` must be an object, not ${describe(members)}`);
  const type = class extends View {
    static readonly size = size;

    constructor(buffer: ArrayBufferLike = new ArrayBuffer(size), offset = 0) {
      super(buffer, offset, size);
    }

    static array(what: number | ArrayBufferView): StructArray {
      return new Structs(type as never, what);
    }
  };
  Object.defineProperty(type, 'name', { value: name });
  for (const [member, description] of Object.entries(members))
    Object.defineProperty(type.prototype, member, {
      enumerable: true,
      ...accessor(`${name}.${member}`, size, description),
    });
  return type as unknown as StructType<T>;
}

const isCount = (value: unknown, least: number): boolean =>
  Number.isSafeInteger(value) && (value as number) >= least;

/** Refuses what scripts give that are not checked by TypeScript. */
function checkMember(name: string, member: StructMember): void {
  if (!Array.isArray(member))
    refuse(name, `a member is [type, offset] or [type, offset, count], not ${describe(member)}`);
  const [type, offset, count] = member;
  if (!isCount(offset, 0)) refuse(name, `its offset is a whole number of bytes, not ${describe(offset)}`);
  if (count !== undefined && !isCount(count, 1))
    refuse(name, `its count is a whole number from 1, not ${describe(count)}`);
  if (typeof type === 'function' ? isCount(type.size, 1) : Object.hasOwn(SCALARS, type)) return;
  const [, scalar = '', size] = /^(\w*?[a-z])(2|3|4|8|16)$/.exec(String(type)) ?? [];
  const hint = Object.hasOwn(SCALARS, scalar) ? `: a vector is ['${scalar}', ${offset}, ${size}]` : '';
  refuse(name, `${describe(type)} is not a scalar type of OpenCL C${hint}`);
}

function accessor(name: string, size: number, member: StructMember): PropertyDescriptor {
  checkMember(name, member);
  const [type, offset, count] = member;
  const bytes = typeof type === 'function' ? type.size : SCALARS[type].bytes;
  if (offset + bytes * (count ?? 1) > size)
    refuse(name, `it ends at byte ${offset + bytes * (count ?? 1)}, and the struct at ${size}`);
  if (typeof type === 'function') return structAccessor(name, type, offset, count);
  const { get, set, array } = SCALARS[type];
  if (count === undefined)
    return {
      get(this: DataView) {
        return get(this, offset);
      },
      set(this: DataView, value: never) {
        set(this, offset, value);
      },
    };
  return {
    get(this: DataView) {
      return new array(this.buffer, this.byteOffset + offset, count);
    },
    set(this: DataView, values: ArrayLike<never>) {
      if (values?.length !== count) refuse(name, `it takes ${count} values, not ${values?.length}`);
      for (let i = 0; i < count; i++) set(this, offset + i * bytes, values[i]!);
    },
  };
}

function structAccessor(
  name: string,
  type: StructType,
  offset: number,
  count: number | undefined,
): PropertyDescriptor {
  const bytesOf = (view: DataView) =>
    new Uint8Array(view.buffer, view.byteOffset + offset, type.size * (count ?? 1));
  return {
    get(this: DataView) {
      return count === undefined
        ? new type(this.buffer, this.byteOffset + offset)
        : type.array(bytesOf(this));
    },
    set(this: DataView, value: ArrayBufferView | StructArray) {
      const given = 'bytes' in value ? value.bytes : value;
      const target = bytesOf(this);
      if (given.byteLength !== target.length)
        refuse(name, `it takes ${target.length} bytes, not ${given.byteLength}`);
      target.set(new Uint8Array(given.buffer, given.byteOffset, given.byteLength));
    },
  };
}

class Structs implements StructArray {
  readonly bytes: Uint8Array;
  readonly length: number;

  constructor(
    private readonly type: StructType,
    what: number | ArrayBufferView,
  ) {
    const { name, size } = type;
    this.bytes =
      typeof what === 'number'
        ? new Uint8Array(what * size)
        : new Uint8Array(what.buffer, what.byteOffset, what.byteLength);
    this.length = this.bytes.length / size;
    if (!Number.isInteger(this.length))
      refuse(name, `${this.bytes.length} bytes are not a whole number of structs of ${size}`);
  }

  at(index: number): StructView {
    if (!Number.isInteger(index) || index < 0 || index >= this.length)
      throw new RangeError(`there are ${this.length} structs ${this.type.name}; there is no ${index}`);
    return new this.type(this.bytes.buffer, this.bytes.byteOffset + index * this.type.size);
  }

  *[Symbol.iterator](): Iterator<StructView> {
    for (let i = 0; i < this.length; i++) yield this.at(i);
  }
}
