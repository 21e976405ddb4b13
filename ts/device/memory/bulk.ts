// SPDX-License-Identifier: MIT
//
// Fills and copies within a shared WebAssembly memory by its own instructions. Those of typed arrays are several times slower
// there, because they have to access shared memory in words.

import type { AddressBits } from '../../base/kernel-abi';

/**
 * (module
 *   (import "env" "memory" (memory 1 65536 shared))
 *   (func (export "fill") (param i32 i32 i32) (memory.fill (local.get 0) (local.get 1) (local.get 2)))
 *   (func (export "copy") (param i32 i32 i32) (memory.copy (local.get 0) (local.get 1) (local.get 2))))
 */
const CODE = [
  '0061736d01000000', // the header
  '0107016003' + '7f7f7f00', // (i32, i32, i32) -> ()
  '02120103' + '656e7606' + '6d656d6f7279' + '020301808004', // the memory
  '0303020000',
  '070f02' + '0466696c6c0000' + '04636f70790001',
  '0a1a02' + '0b00200020012002fc0b000b' + '0c00200020012002fc0a00000b',
].join('');

/** The same for a memory with 64-bit addresses, of up to 262144 pages: addresses and sizes are i64. */
const CODE_64 = [
  '0061736d01000000',
  '010d02' + '60037e7f7e00' + '60037e7e7e00',
  '02120103' + '656e7606' + '6d656d6f7279' + '020701808010',
  '0303020001',
  '070f02' + '0466696c6c0000' + '04636f70790001',
  '0a1a02' + '0b00200020012002fc0b000b' + '0c00200020012002fc0a00000b',
].join('');

/** Below that many bytes, typed arrays are as fast. */
const LEAST = 4096;

interface Instructions {
  fill(at: number, byte: number, size: number): void;
  copy(to: number, from: number, size: number): void;
}

/** By their code. */
const compiled = new Map<string, WebAssembly.Module>();

function exportsOf<T>(code: string, memory: WebAssembly.Memory): T {
  const module =
    compiled.get(code) ??
    new WebAssembly.Module(Uint8Array.from(code.match(/../g)!, (byte) => Number.parseInt(byte, 16)));
  compiled.set(code, module);
  return new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as T;
}

function instructionsOf(memory: WebAssembly.Memory, addressBits: AddressBits): Instructions {
  if (addressBits === 32) {
    const { fill, copy } = exportsOf<Instructions>(CODE, memory);
    return {
      fill: (at, byte, size) => fill(at | 0, byte, size | 0),
      copy: (to, from, size) => copy(to | 0, from | 0, size | 0),
    };
  }
  const { fill, copy } = exportsOf<{
    fill(at: bigint, byte: number, size: bigint): void;
    copy(to: bigint, from: bigint, size: bigint): void;
  }>(CODE_64, memory);
  return {
    fill: (at, byte, size) => fill(BigInt(at), byte, BigInt(size)),
    copy: (to, from, size) => copy(BigInt(to), BigInt(from), BigInt(size)),
  };
}

/** The instructions of the memory of which a buffer is a view; made when they are first used. */
const instructions = new WeakMap<ArrayBufferLike, () => Instructions>();

/** Has `fill` and `copyWithin` use the memory's instructions. Called again when the memory has grown. */
export function registerMemory(memory: WebAssembly.Memory, addressBits: AddressBits): void {
  let made: Instructions | undefined;
  instructions.set(memory.buffer, () => {
    made ??= instructionsOf(memory, addressBits);
    return made;
  });
}

/** As Uint8Array.fill of all bytes. */
export function fillBytes(target: Uint8Array, byte: number): void {
  const found = target.length < LEAST ? undefined : instructions.get(target.buffer);
  if (found) found().fill(target.byteOffset, byte, target.length);
  else target.fill(byte);
}

/** As Uint8Array.copyWithin. */
export function copyBytesWithin(bytes: Uint8Array, to: number, from: number, size: number): void {
  const found = size < LEAST ? undefined : instructions.get(bytes.buffer);
  if (found) found().copy(bytes.byteOffset + to, bytes.byteOffset + from, size);
  else bytes.copyWithin(to, from, from + size);
}
