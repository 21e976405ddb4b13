// SPDX-License-Identifier: MIT
//
// The built-in library as one array of bytes in the bundle: scripts/build/library.mjs writes it, the JIT reads of it what a
// kernel calls. [u32 bytes of the index, the index as JSON, SPIR-V modules …], the words of a module as LEB128: most are ids,
// which take one byte or two.
import type { Library } from '../../../jit/compiled';
import { decode } from '../../../spirv/decode';
import { Decoration, LinkageType, Op } from '../../../spirv/grammar.gen';
import { readString } from '../../../spirv/literal-string';
import type { Module } from '../../../spirv/module';

export interface LibraryModule {
  /** The functions that it exports. */
  readonly names: readonly string[];
  readonly spirv: Uint8Array;
}

interface IndexEntry {
  readonly names: readonly string[];
  readonly offset: number;
  readonly size: number;
  /** How many words the module has. */
  readonly words: number;
}

/** The names of the functions that a module exports. */
export function exportedNames(module: Module): string[] {
  const names: string[] = [];
  for (const { op, operands } of module.annotations) {
    if (op !== Op.Decorate || operands[1] !== Decoration.LinkageAttributes) continue;
    const name = readString(operands, 2);
    if (name && operands[name.next] === LinkageType.Export) names.push(name.text);
  }
  return names;
}

export function encodeLibrary(modules: readonly LibraryModule[]): Uint8Array {
  let offset = 0;
  const packed = modules.map(({ spirv }) => packWords(spirv));
  const index: IndexEntry[] = modules.map(({ names, spirv }, i) => {
    const size = packed[i]!.length;
    const entry = { names, offset, size, words: spirv.length >> 2 };
    offset += size;
    return entry;
  });
  const header = new TextEncoder().encode(JSON.stringify(index).padEnd(4));
  const start = (4 + header.length + 3) & ~3;
  const bytes = new Uint8Array(start + offset);
  new DataView(bytes.buffer).setUint32(0, header.length, true);
  bytes.set(header, 4);
  packed.forEach((module, i) => {
    bytes.set(module, start + index[i]!.offset);
  });
  return bytes;
}

/** Little-endian words as LEB128. */
function packWords(spirv: Uint8Array): Uint8Array {
  const view = new DataView(spirv.buffer, spirv.byteOffset, spirv.byteLength);
  const bytes: number[] = [];
  for (let at = 0; at < spirv.length; at += 4) {
    let word = view.getUint32(at, true);
    for (; word > 0x7f; word >>>= 7) bytes.push((word & 0x7f) | 0x80);
    bytes.push(word);
  }
  return Uint8Array.from(bytes);
}

function unpackWords(packed: Uint8Array, words: number): Uint8Array {
  const spirv = new Uint8Array(4 * words);
  const view = new DataView(spirv.buffer);
  let at = 0;
  for (let word = 0; word < words; word++) {
    let value = 0;
    let byte = 0x80;
    for (let shift = 0; byte & 0x80; shift += 7) {
      byte = packed[at++]!;
      value |= (byte & 0x7f) << shift;
    }
    view.setUint32(4 * word, value, true);
  }
  return spirv;
}

/** @param read returns the file's bytes, when the first function is needed; undefined if there is no file. */
export function openLibrary(read: () => Uint8Array | undefined): Library {
  let places: ReadonlyMap<string, IndexEntry> | undefined;
  let bytes: Uint8Array | undefined;
  let start = 0;
  const decoded = new Map<IndexEntry, Module>();
  const index = (): ReadonlyMap<string, IndexEntry> => {
    const found = new Map<string, IndexEntry>();
    bytes = read();
    if (!bytes) return found;
    const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    start = (4 + size + 3) & ~3;
    const entries = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + size))) as IndexEntry[];
    for (const entry of entries) for (const name of entry.names) found.set(name, entry);
    return found;
  };
  return {
    moduleOf(name) {
      places ??= index();
      const entry = places.get(name);
      if (!entry || !bytes) return undefined;
      let module = decoded.get(entry);
      if (!module) {
        const from = start + entry.offset;
        module = decode(unpackWords(bytes.subarray(from, from + entry.size), entry.words));
        decoded.set(entry, module);
      }
      return module;
    },
  };
}
