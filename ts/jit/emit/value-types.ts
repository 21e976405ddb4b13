// SPDX-License-Identifier: MIT
//
// The WebAssembly types of the kernel IR's types, and the instructions that depend on them.
import { halfBits } from '../../base/half';
import { ValType } from '../../wasm/function-builder';
import { Wasm } from '../../wasm/opcodes';
import { Type } from '../ir/ir';

export function valTypeOf(type: Type): ValType {
  switch (type) {
    case Type.I64:
      return ValType.I64;
    case Type.F32:
      return ValType.F32;
    case Type.F64:
      return ValType.F64;
    default:
      return ValType.I32;
  }
}

export function isWide(type: Type): boolean {
  return type === Type.I64 || type === Type.F64;
}

const HELD: Partial<Record<ValType, { readonly load: Wasm; readonly store: Wasm }>> = {
  [ValType.I64]: { load: Wasm.i64_load, store: Wasm.i64_store },
  [ValType.F32]: { load: Wasm.f32_load, store: Wasm.f32_store },
  [ValType.F64]: { load: Wasm.f64_load, store: Wasm.f64_store },
};
const HELD_WORD = { load: Wasm.i32_load, store: Wasm.i32_store };

/** The load and store of a scalar in the form of its local: narrow ones are words. */
export function heldAccess(type: Type): { readonly load: Wasm; readonly store: Wasm } {
  return HELD[valTypeOf(type)] ?? HELD_WORD;
}

export function extractOf(type: Type): Wasm {
  switch (type) {
    case Type.I64:
      return Wasm.i64x2_extract_lane;
    case Type.F32:
      return Wasm.f32x4_extract_lane;
    case Type.F64:
      return Wasm.f64x2_extract_lane;
    default:
      return Wasm.i32x4_extract_lane;
  }
}

export function replaceOf(type: Type): Wasm {
  switch (type) {
    case Type.I64:
      return Wasm.i64x2_replace_lane;
    case Type.F32:
      return Wasm.f32x4_replace_lane;
    case Type.F64:
      return Wasm.f64x2_replace_lane;
    default:
      return Wasm.i32x4_replace_lane;
  }
}

/** A vector of one number. */
export function splatBytes(type: Type, bits: number | bigint): Uint8Array {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  const wide = isWide(type);
  for (let at = 0; at < 16; at += wide ? 8 : 4) {
    if (type === Type.I64) view.setBigInt64(at, BigInt(bits), true);
    else if (type === Type.F64) view.setFloat64(at, Number(bits), true);
    else if (type === Type.F32) view.setFloat32(at, Number(bits), true);
    else if (type === Type.F16) view.setInt32(at, halfBits(Number(bits)), true);
    else view.setInt32(at, type === Type.I1 ? -Number(bits) : Number(bits), true);
  }
  return bytes;
}

/** A vector of different integers. */
export function laneBytes(type: Type, values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  values.forEach((value, i) => {
    if (isWide(type)) view.setBigInt64(i * 8, BigInt(value), true);
    else view.setInt32(i * 4, value | 0, true);
  });
  return bytes;
}

export function splatOf(type: Type): Wasm {
  switch (type) {
    case Type.I64:
      return Wasm.i64x2_splat;
    case Type.F32:
      return Wasm.f32x4_splat;
    case Type.F64:
      return Wasm.f64x2_splat;
    default:
      return Wasm.i32x4_splat;
  }
}
