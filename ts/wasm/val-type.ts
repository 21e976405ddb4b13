// SPDX-License-Identifier: MIT

/** WebAssembly's types of values, by their codes. */
export enum ValType {
  I32 = 0x7f,
  I64 = 0x7e,
  F32 = 0x7d,
  F64 = 0x7c,
  V128 = 0x7b,
}
