// SPDX-License-Identifier: MIT

/** A module that breaks a rule of the SPIR-V specification: the fault of whoever made it. */
export class SpirvError extends Error {
  override readonly name = 'SpirvError';
  constructor(
    /** The rule that is broken, as a sentence. */
    readonly rule: string,
    /** Where in the binary, in words from its start; undefined for modules that never were binary. */
    readonly wordOffset?: number,
  ) {
    super(wordOffset === undefined ? rule : `${rule} (at word ${wordOffset})`);
  }
}
