// SPDX-License-Identifier: MIT

/** `run` of a compiled kernel (base/kernel-abi.ts). */
export type KernelFunction = (
  dispatch: number,
  x: number,
  y: number,
  z: number,
  groupCount: number,
  local: number,
  scratch: number,
) => void;
