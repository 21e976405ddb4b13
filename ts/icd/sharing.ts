// SPDX-License-Identifier: MIT
//
// Memory that this process and the client both see: pages of the staging memory, mapped over part of a WebAssembly memory. The
// functions are in the client's library, which is also an addon of Node.js (native/icd/server_memory.cc).

export interface Sharing {
  /** Maps the file's bytes from `offset` over `bytes`, which must be whole pages. */
  share(bytes: Uint8Array, file: number, offset: number): void;
  /** Maps zeros that no other process sees. */
  unshare(bytes: Uint8Array): void;
}

/** Undefined if the library is not an addon for this Node.js. */
export function loadSharing(library: string): Sharing | undefined {
  const module = { exports: {} as Sharing };
  try {
    process.dlopen(module, library);
  } catch {
    return undefined;
  }
  return module.exports;
}
