// SPDX-License-Identifier: MIT
//
// Scalars of the kernel IR in memory.
import { halfBits, halfValue } from '../../base/half';
import { Type } from './ir';

/** A value of any scalar type: a bigint of 64-bit integers. */
export type Scalar = number | bigint;

export function read(memory: DataView, at: number, type: Type): Scalar {
  switch (type) {
    case Type.I8:
      return memory.getInt8(at);
    case Type.I16:
      return memory.getInt16(at, true);
    case Type.I64:
      return memory.getBigInt64(at, true);
    case Type.F16:
      return halfValue(memory.getUint16(at, true));
    case Type.F32:
      return memory.getFloat32(at, true);
    case Type.F64:
      return memory.getFloat64(at, true);
    default:
      return memory.getInt32(at, true);
  }
}

export function write(memory: DataView, at: number, type: Type, value: Scalar): void {
  switch (type) {
    case Type.I8:
      memory.setInt8(at, Number(value));
      return;
    case Type.I16:
      memory.setInt16(at, Number(value), true);
      return;
    case Type.I64:
      memory.setBigInt64(at, BigInt(value), true);
      return;
    case Type.F16:
      memory.setUint16(at, halfBits(Number(value)), true);
      return;
    case Type.F32:
      memory.setFloat32(at, Number(value), true);
      return;
    case Type.F64:
      memory.setFloat64(at, Number(value), true);
      return;
    default:
      memory.setInt32(at, Number(value), true);
  }
}
