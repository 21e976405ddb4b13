// SPDX-License-Identifier: MIT
//
// Kernels as WebAssembly in the disk cache, so that the second process that runs a kernel does without the JIT. An entry is
// a module of one kernel with what is known of the kernel beside it; the program is known by a digest of its SPIR-V.
import type { Host } from '../../base/host';
import type { KernelBinary, KernelModule, ModuleKind } from '../../base/kernel-abi';
import type { JitOptions, JitProgram } from '../../jit/compiled';
import { BUILD } from './build-id';
import { decodeWithHeader, encodeWithHeader } from './header-and-bytes';

const MAGIC = 'ANYCLK\x01\n';

/** In the order in which they are likely to be there. */
const KINDS: readonly ModuleKind[] = ['whole-tiles', 'any'];

/** What a kernel's code is known by, but for what follows from its program. */
type KernelFacts = Omit<KernelBinary, 'signature' | 'module' | 'remarks' | 'printfFormats'>;

interface Entry extends KernelModule {
  readonly facts: KernelFacts;
}

/** The kernel as `jit` compiles it. @param digest of the program's SPIR-V */
export function kernelCached(
  host: Host,
  jit: JitProgram,
  digest: string,
  name: string,
  settings: JitOptions,
): KernelBinary {
  if (BUILD === undefined) return jit.compileKernel(name, settings);
  const keyOf = (kind: ModuleKind) => ['kernel', BUILD!, digest, name, JSON.stringify(settings), kind];
  const entries = new Map<ModuleKind, Entry>();
  for (const kind of KINDS) {
    const stored = host.cacheRead(keyOf(kind));
    const entry = stored && decodeEntry(stored);
    if (entry) entries.set(kind, entry);
  }
  let compiled: KernelBinary | undefined;
  const compile = () => {
    compiled ??= jit.compileKernel(name, settings);
    return compiled;
  };
  const [first] = entries.values();
  const facts = first?.facts ?? factsOf(compile());
  return {
    ...facts,
    signature: jit.binary.kernels.get(name)!,
    // Modules that print are not stored: they share a table of formats, which grows as they are written.
    get printfFormats() {
      return compiled?.printfFormats ?? [];
    },
    remarks: () => compile().remarks(),
    module(kind) {
      const entry = entries.get(kind) ?? entries.get('any');
      if (entry) return entry;
      const made = compile().module(kind);
      if (compile().printfFormats.length === 0) host.cacheWrite(keyOf(kind), encodeEntry({ facts, ...made }));
      return made;
    },
  };
}

function factsOf({ signature, module, remarks, printfFormats, ...facts }: KernelBinary): KernelFacts {
  return facts;
}

function encodeEntry({ facts, scratch, wasm }: Entry): Uint8Array {
  return encodeWithHeader(MAGIC, { facts, scratch }, wasm);
}

function decodeEntry(bytes: Uint8Array): Entry | undefined {
  const found = decodeWithHeader(MAGIC, bytes);
  if (!found) return undefined;
  const { facts, scratch } = found.facts as Omit<Entry, 'wasm'>;
  return { facts, scratch, wasm: found.bytes };
}
