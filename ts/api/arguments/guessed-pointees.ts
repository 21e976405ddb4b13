// SPDX-License-Identifier: MIT
//
// LLVM's pointers have no types. Translators from it guess a kernel's pointers by the first use, and make pointers to bytes of the rest. Only
// what compilers write as a string tells the types of the source, as `kernel_arg_type.NAME.int,float*,`.
const WRITTEN = new TextEncoder().encode('kernel_arg_type.');

/** Whether a SPIR-V module does not tell the types of its kernels' arguments as they were written. */
export function hasGuessedPointees(il: Uint8Array): boolean {
  for (let at = il.indexOf(WRITTEN[0]!); at >= 0; at = il.indexOf(WRITTEN[0]!, at + 1))
    if (WRITTEN.every((byte, i) => il[at + i] === byte)) return false;
  return true;
}
