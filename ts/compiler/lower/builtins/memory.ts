// SPDX-License-Identifier: MIT
//
// Loads and stores of vectors, and conversions of pointers between address spaces.
import { Op, OpenCLStd, StorageClass } from '../../../spirv/grammar.gen';
import { roundingOf } from './conversions';
import { type Emitter, NO_ID, u32 } from './site';

const instruction = (name: string): OpenCLStd => OpenCLStd[name as keyof typeof OpenCLStd];

/** vloadn and its variants take the number of components as a literal. */
const vload: Emitter = ({ builder: b, args, type, data }) =>
  b.openClStd(instruction(data[0]!), type, [...args, b.countOf(type)]);

/** vstore_half…_rtX: the rounding mode is a literal. */
const vstoreRounded: Emitter = ({ builder: b, args, type, data }) => {
  b.openClStd(instruction(data[0]!), type, [...args, roundingOf(data[1]!)]);
  return NO_ID;
};

const STORAGE: Readonly<Record<string, StorageClass>> = {
  global: StorageClass.CrossWorkgroup,
  local: StorageClass.Workgroup,
  private: StorageClass.Function,
};

/** to_global, to_local, to_private: null if the pointer has another address space. */
const toSpace: Emitter = ({ builder: b, args, type, data }) =>
  b.emit(Op.GenericCastToPtrExplicit, type, [args[0]!, STORAGE[data[0]!]!]);

/** get_fence: the storage of a generic pointer as cl_mem_fence_flags, which are SPIR-V's bits shifted right by 8. */
const getFence: Emitter = ({ builder: b, args, type }) => {
  const semantics = b.emit(Op.GenericPtrMemSemantics, type, [args[0]!]);
  const shifted = b.emit(Op.ShiftRightLogical, type, [semantics, u32(b, 8)]);
  return b.emit(Op.BitwiseAnd, type, [shifted, u32(b, 3)]);
};

export const memoryEmitters = {
  vload,
  vstore_rounded: vstoreRounded,
  to_space: toSpace,
  get_fence: getFence,
};
