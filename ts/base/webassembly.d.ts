// SPDX-License-Identifier: MIT
//
// The part of the WebAssembly JavaScript interface that anycl uses: neither ES2023's library nor @types/node declares it,
// and the browser's library declares too much.

declare namespace WebAssembly {
  type ImportValue = Memory | ((...args: number[]) => number | bigint | undefined);

  class Module {
    static imports(module: Module): { readonly module: string; readonly name: string }[];
    constructor(bytes: Uint8Array);
  }

  class Instance {
    constructor(module: Module, imports?: Record<string, Record<string, ImportValue>>);
    readonly exports: Record<string, unknown>;
  }

  class Memory {
    constructor(descriptor: { initial: number; maximum?: number; shared?: boolean });
    readonly buffer: SharedArrayBuffer;
    /** Returns the former size; both in pages of 64 KiB. */
    grow(pages: number): number;
  }

  class RuntimeError extends Error {}
  class CompileError extends Error {}

  function validate(bytes: Uint8Array): boolean;
  function compile(bytes: Uint8Array): Promise<Module>;
  function instantiate(
    module: Module,
    imports?: Record<string, Record<string, ImportValue>>,
  ): Promise<Instance>;
}
