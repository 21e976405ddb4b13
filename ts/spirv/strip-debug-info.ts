// SPDX-License-Identifier: MIT
//
// Removes OpenCL.DebugInfo.100 from a binary, for drivers that reject modules with it (Mesa's, up to 26.2). Its instructions are
// for debuggers and change no result. It works on the binary, as it needs nothing else of the module.
import { Op } from './grammar.gen';
import { HEADER_WORDS, instructions, MAGIC } from './instruction-words';
import { readString } from './literal-string';

export const DEBUG_INFO = 'OpenCL.DebugInfo.100';

/** The module without its debug information; the same array if it has none, or has the other byte order. */
export function withoutDebugInfo(il: Uint8Array): Uint8Array {
  const words = new Uint32Array(new Uint8Array(il).buffer, 0, il.byteLength >> 2);
  const set = words[0] === MAGIC ? debugImport(words) : undefined;
  if (set === undefined) return il;

  const dropped = new Set([set]);
  for (const [op, at] of instructions(words))
    if (op === Op.ExtInst && words[at + 3] === set) dropped.add(words[at + 2]!);
  /** The position of the id that must be removed with the set: the instruction's own, or the one that it names. */
  const idAt = (op: number): number => (op === Op.ExtInst ? 2 : 1);
  const kept: Uint32Array[] = [words.subarray(0, HEADER_WORDS)];
  for (const [op, at, end] of instructions(words)) {
    const mayGo = op === Op.ExtInst || op === Op.ExtInstImport || op === Op.Name;
    if (!mayGo || !dropped.has(words[at + idAt(op)]!)) kept.push(words.subarray(at, end));
  }
  const stripped = new Uint32Array(kept.reduce((sum, part) => sum + part.length, 0));
  let to = 0;
  for (const part of kept) {
    stripped.set(part, to);
    to += part.length;
  }
  return new Uint8Array(stripped.buffer);
}

/** The id of the set, which is imported before the memory model. */
function debugImport(words: Uint32Array): number | undefined {
  for (const [op, at] of instructions(words)) {
    if (op === Op.MemoryModel) return undefined;
    if (op === Op.ExtInstImport && readString(words, at + 2)?.text === DEBUG_INFO) return words[at + 1];
  }
  return undefined;
}
