// SPDX-License-Identifier: MIT
//
// Kernels as WebAssembly in the disk cache, so that the second process that runs a kernel does without the JIT. An entry is
// a module of one kernel with what is known of the kernel beside it; the program is known by a digest of its SPIR-V.
import type { Host } from '../../../base/host';
import type { AtomicsKind, KernelBinary, ModuleKind } from '../../../base/kernel-abi';
import { finish, type Steps } from '../../../base/steps';
import type { JitOptions, JitProgram } from '../../../jit/compiled';
import { BUILD } from './build-id';
import { decodeKernel, encodeKernel, type KernelFacts, type StoredKernel } from './stored-kernel';

type Variant = `${ModuleKind}, ${AtomicsKind}`;

/** In the order of their probability. */
const VARIANTS: readonly Variant[] = [
  'whole-tiles, shared',
  'any, shared',
  'whole-tiles, privatized',
  'any, privatized',
];

export interface StoredProgram {
  /** The digest of the program's SPIR-V. */
  digest(): string;
  /** Whether no kernel of it can be in the cache; then it is not looked up. */
  readonly isNew: boolean;
}

/** The kernel as `jit` compiles it, in steps. */
export function* kernelCached(
  host: Host,
  jit: JitProgram,
  program: StoredProgram,
  name: string,
  settings: JitOptions,
): Steps<KernelBinary> {
  const check = host.settings.debug.has('verify');
  const compiling = () => jit.kernelSteps(name, settings, check ? { check } : undefined);
  // A checked module, or one that counts, is useless without its table.
  if (BUILD === undefined || settings.checks || settings.coverage) return yield* compiling();
  const keyOf = (variant: Variant) => [
    'kernel',
    BUILD!,
    program.digest(),
    name,
    JSON.stringify(settings),
    variant,
  ];
  const sealing = (variant: Variant) => ({ key: keyOf(variant), secret: () => host.cacheSecret() });
  const entries = new Map<Variant, StoredKernel>();
  for (const variant of program.isNew ? [] : VARIANTS) {
    const [known] = entries.values();
    if (known?.facts.privatized.length === 0 && variant.endsWith('privatized')) break;
    const stored = host.cacheRead(keyOf(variant));
    const entry = stored && decodeKernel(stored, sealing(variant), (code) => host.isWasm(code));
    if (entry) entries.set(variant, entry);
    yield;
  }
  // The cache's contents cannot be verified, so the kernel is compiled again.
  let compiled = check ? yield* compiling() : undefined;
  const compile = function* (): Steps<KernelBinary> {
    compiled ??= yield* compiling();
    return compiled;
  };
  const [first] = entries.values();
  // The modules of a kernel must agree in these properties.
  const bounded = [...entries.values()].every((entry) => entry.facts.bounded);
  const facts = first ? { ...first.facts, bounded } : factsOf(yield* compile());
  return {
    ...facts,
    signature: jit.binary.kernels.get(name)!,
    // Modules that print are not stored: they share a table of formats, which grows as they are emitted.
    get printfFormats() {
      return compiled?.printfFormats ?? [];
    },
    remarks: () => finish(compile()).remarks(),
    module(kind, atomics) {
      return finish(this.moduleSteps(kind, atomics));
    },
    *moduleSteps(kind, atomics = 'shared') {
      const variant: Variant = `${kind}, ${atomics}`;
      const entry = entries.get(variant) ?? entries.get(`any, ${atomics}`);
      if (entry) return entry;
      const binary = yield* compile();
      const made = yield* binary.moduleSteps(kind, atomics);
      if (binary.printfFormats.length === 0)
        host.cacheWrite(() => ({
          key: keyOf(variant),
          bytes: encodeKernel({ facts, ...made }, sealing(variant)),
        }));
      return made;
    },
  };
}

/** The properties of a kernel in a cache entry. */
export function factsOf({
  signature,
  module,
  moduleSteps,
  remarks,
  printfFormats,
  checks,
  counters,
  ...facts
}: KernelBinary): KernelFacts {
  return facts;
}
