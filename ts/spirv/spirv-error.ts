// SPDX-License-Identifier: MIT

/** A module that breaks a rule of the SPIR-V specification: an error of its producer. */
export class SpirvError extends Error {
  override readonly name = 'SpirvError';
  constructor(
    /** The rule that is broken, as a sentence. */
    readonly rule: string,
    /** The position in the binary, in words; undefined for modules that were not decoded from a binary. */
    readonly wordOffset?: number,
  ) {
    super(wordOffset === undefined ? rule : `${rule} (at word ${wordOffset})`);
  }
}
