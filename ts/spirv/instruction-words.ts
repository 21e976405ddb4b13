// SPDX-License-Identifier: MIT
//
// The outermost form of a binary (SPIR-V 2.3): a header, and instructions with their lengths.
export const MAGIC = 0x07230203;
export const HEADER_WORDS = 5;

/** The start and the end of each instruction that is completely inside the binary. */
export function* instructions(words: Uint32Array): Generator<readonly [op: number, at: number, end: number]> {
  for (let at = HEADER_WORDS; at < words.length; ) {
    const end = at + (words[at]! >>> 16);
    if (end === at || end > words.length) return;
    yield [words[at]! & 0xffff, at, end];
    at = end;
  }
}

/**
 * Why the bytes must not be passed to a driver: PoCL 7.1 ends the process for some truncated modules. Modules in the other
 * byte order and the meaning of instructions are not checked.
 */
export function brokenForm(il: Uint8Array): string | undefined {
  if (il.byteLength % 4 !== 0 || il.byteLength < HEADER_WORDS * 4)
    return `a module has whole words, and at least ${HEADER_WORDS} of them: these are ${il.byteLength} bytes`;
  const words = new Uint32Array(new Uint8Array(il).buffer);
  if (words[0] !== MAGIC) return undefined;
  let after = HEADER_WORDS;
  for (const [, , end] of instructions(words)) after = end;
  return after === words.length
    ? undefined
    : `the instruction at byte ${after * 4} does not end before the module does, at byte ${il.byteLength}`;
}
