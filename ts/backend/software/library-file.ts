// SPDX-License-Identifier: MIT
//
// The built-in library as one array of bytes in the bundle: scripts/build/library.mjs writes it, the JIT reads of it what a
// kernel calls. [u32 bytes of the index, the index as JSON, SPIR-V modules …]
import type { Library } from '../../jit/compiled';
import { decode } from '../../spirv/decode';
import { Decoration, LinkageType, Op } from '../../spirv/grammar.gen';
import { readString } from '../../spirv/literal-string';
import type { Module } from '../../spirv/module';

export interface LibraryModule {
  /** The functions that it exports. */
  readonly names: readonly string[];
  readonly spirv: Uint8Array;
}

interface IndexEntry {
  readonly names: readonly string[];
  readonly offset: number;
  readonly size: number;
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
  const index: IndexEntry[] = modules.map(({ names, spirv }) => {
    const entry = { names, offset, size: spirv.length };
    offset += spirv.length;
    return entry;
  });
  const header = new TextEncoder().encode(JSON.stringify(index).padEnd(4));
  const start = (4 + header.length + 3) & ~3;
  const bytes = new Uint8Array(start + offset);
  new DataView(bytes.buffer).setUint32(0, header.length, true);
  bytes.set(header, 4);
  modules.forEach(({ spirv }, i) => {
    bytes.set(spirv, start + index[i]!.offset);
  });
  return bytes;
}

/** @param read gives the file's bytes when the first function is asked for; undefined if there is no file. */
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
        module = decode(bytes.subarray(start + entry.offset, start + entry.offset + entry.size));
        decoded.set(entry, module);
      }
      return module;
    },
  };
}
