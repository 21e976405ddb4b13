// SPDX-License-Identifier: MIT
// The header of a shared library, whatever system it is for: what it is, and what it needs.
import { readFileSync } from 'node:fs';

const ELF_MACHINES = { 62: 'x64', 183: 'arm64' };
const PE_MACHINES = { 34404: 'x64', 43620: 'arm64' };
const MACHO_CPUS = { 16777223: 'x64', 16777228: 'arm64' };
/** <mach-o/loader.h> */
const [MH_DYLIB, MH_BUNDLE] = [6, 8];
const [LC_LOAD_DYLIB, LC_CODE_SIGNATURE, LC_BUILD_VERSION, LC_SYMTAB] = [0xc, 0x1d, 0x32, 0x2];
const PT_DYNAMIC = 2;
const [DT_NEEDED, DT_STRTAB] = [1, 5];
const PT_LOAD = 1;

/**
 * @returns { platform, arch, needs: names of libraries, minimum?: the system's version, signed?: of macOS }
 * @throws Error where the file is none of ELF, PE and Mach-O, or no library
 */
export function readObjectFile(file) {
  const bytes = readFileSync(file);
  if (bytes.readUInt32BE(0) === 0x7f454c46) return readElf(bytes);
  if (bytes.readUInt32LE(0) === 0xfeedfacf) return readMachO(bytes);
  if (bytes.toString('latin1', 0, 2) === 'MZ') return readPe(bytes);
  throw new Error(`${file} is not an ELF, PE or Mach-O file`);
}

const textAt = (bytes, at) => bytes.toString('latin1', at, bytes.indexOf(0, at));

function readElf(bytes) {
  const word = (at) => Number(bytes.readBigUInt64LE(at));
  if (bytes.readUInt16LE(16) !== 3) throw new Error('the ELF file is not a shared library');
  const [start, size, count] = [word(32), bytes.readUInt16LE(54), bytes.readUInt16LE(56)];
  const headers = Array.from({ length: count }, (_, i) => {
    const at = start + i * size;
    return {
      type: bytes.readUInt32LE(at),
      offset: word(at + 8),
      address: word(at + 16),
      size: word(at + 32),
    };
  });
  const toOffset = (address) => {
    const found = headers.find(
      (h) => h.type === PT_LOAD && address >= h.address && address < h.address + h.size,
    );
    return address - found.address + found.offset;
  };
  const dynamic = headers.find(({ type }) => type === PT_DYNAMIC);
  const entries = Array.from({ length: dynamic.size / 16 }, (_, i) => {
    const at = dynamic.offset + i * 16;
    return [word(at), word(at + 8)];
  });
  const strings = toOffset(entries.find(([tag]) => tag === DT_STRTAB)[1]);
  const needs = entries.filter(([tag]) => tag === DT_NEEDED).map(([, name]) => textAt(bytes, strings + name));
  return { platform: 'linux', arch: ELF_MACHINES[bytes.readUInt16LE(18)], needs };
}

function readPe(bytes) {
  const header = bytes.readUInt32LE(0x3c);
  if (bytes.toString('latin1', header, header + 4) !== 'PE\0\0')
    throw new Error('the PE header is not there');
  if (!(bytes.readUInt16LE(header + 22) & 0x2000)) throw new Error('the PE file is not a DLL');
  const optional = header + 24;
  const sections = optional + bytes.readUInt16LE(header + 20);
  const toOffset = (address) => {
    for (let i = 0; i < bytes.readUInt16LE(header + 6); i++) {
      const at = sections + i * 40;
      const start = bytes.readUInt32LE(at + 12);
      if (address >= start && address < start + bytes.readUInt32LE(at + 16))
        return address - start + bytes.readUInt32LE(at + 20);
    }
    throw new Error('the PE file has an address outside of its sections');
  };
  const needs = [];
  // The second data directory, of PE32+: imports, by 20 bytes each.
  for (let at = toOffset(bytes.readUInt32LE(optional + 120)); bytes.readUInt32LE(at + 12) !== 0; at += 20)
    needs.push(textAt(bytes, toOffset(bytes.readUInt32LE(at + 12))));
  return { platform: 'win32', arch: PE_MACHINES[bytes.readUInt16LE(header + 4)], needs };
}

function readMachO(bytes) {
  const kind = bytes.readUInt32LE(12);
  if (kind !== MH_DYLIB && kind !== MH_BUNDLE) throw new Error('the Mach-O file is not a library');
  const found = { platform: 'darwin', arch: MACHO_CPUS[bytes.readUInt32LE(4)], needs: [], signed: false };
  for (let i = 0, at = 32; i < bytes.readUInt32LE(16); i++, at += bytes.readUInt32LE(at + 4)) {
    const command = bytes.readUInt32LE(at) & 0x7fffffff;
    if (command === LC_LOAD_DYLIB) found.needs.push(textAt(bytes, at + bytes.readUInt32LE(at + 8)));
    if (command === LC_CODE_SIGNATURE) found.signed = true;
    if (command === LC_BUILD_VERSION) {
      const version = bytes.readUInt32LE(at + 12);
      found.minimum = `${version >> 16}.${(version >> 8) & 0xff}`;
    }
    if (command === LC_SYMTAB && bytes.readUInt32LE(at + 8) + 16 > bytes.length)
      throw new Error('the symbols of the Mach-O file are outside of it');
  }
  return found;
}
