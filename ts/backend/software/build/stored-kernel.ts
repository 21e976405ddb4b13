// SPDX-License-Identifier: MIT
//
// A kernel's module with what is known of the kernel, as the disk cache holds it. What is read is checked for its shape:
// numbers of the device's memory layout that were somebody else's would be wrong results or traps. Its code is
// validated as any WebAssembly is: what is not a module, or a damaged one, is compiled again. That a kernel ends is believed
// of code that this user's own processes have stored here, which their secret proves: it may run on the calling thread.
import { isAccessSummary } from '../../../base/access-summary';
import type { KernelBinary, KernelModule, PrivatizedArgument } from '../../../base/kernel-abi';
import { decodeWithHeader, encodeWithHeader } from './header-and-bytes';
import { siphash } from './siphash';

const MAGIC = 'ANYCLK\x04\n';

/** The identity of a kernel's code within its program. */
export type KernelFacts = Omit<
  KernelBinary,
  'signature' | 'module' | 'moduleSteps' | 'remarks' | 'printfFormats' | 'checks' | 'counters'
>;

export interface StoredKernel extends KernelModule {
  readonly facts: KernelFacts;
}

/** The data for an entry's keyed hash. */
export interface Sealing {
  /** The key of the entry. */
  readonly key: readonly string[];
  /** Undefined if the user has none. */
  readonly secret: () => Uint8Array | undefined;
}

export function encodeKernel(kernel: StoredKernel, sealing: Sealing): Uint8Array {
  const { facts, scratch, wasm } = kernel;
  const seal = facts.bounded ? sealOf(kernel, sealing) : undefined;
  return encodeWithHeader(MAGIC, { facts, scratch, seal }, wasm);
}

/**
 * Undefined if the bytes are not a stored kernel, or one of another user or machine. `isWasm`: whether the engine would compile the
 * code; the host knows, as engines may need flags for it.
 */
export function decodeKernel(
  bytes: Uint8Array,
  sealing: Sealing,
  isWasm: (code: Uint8Array) => boolean,
): StoredKernel | undefined {
  const found = decodeWithHeader(MAGIC, bytes);
  if (!found || !isRecord(found.facts)) return undefined;
  const { facts, scratch, seal } = found.facts;
  if (!isFacts(facts) || !isScratch(scratch) || !isWasm(found.bytes)) return undefined;
  const kernel = { facts, scratch, wasm: found.bytes };
  if (!facts.bounded) return kernel;
  // Without a secret, `bounded` cannot be trusted.
  if (!sealing.secret()) return { ...kernel, facts: { ...facts, bounded: false } };
  return seal === sealOf(kernel, sealing) ? kernel : undefined;
}

function sealOf({ facts, scratch, wasm }: StoredKernel, { key, secret }: Sealing): string | undefined {
  const own = secret();
  return own && siphash(own, encodeWithHeader(MAGIC, { key, facts, scratch }, wasm));
}

type Rule = (value: unknown) => boolean;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCount: Rule = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isPositive: Rule = (value) => isCount(value) && value !== 0;
const isFlag: Rule = (value) => value === undefined || typeof value === 'boolean';

const RMW: readonly unknown[] = [
  'add',
  'and',
  'or',
  'xor',
  'smin',
  'smax',
  'umin',
  'umax',
] satisfies PrivatizedArgument['rmw'][];

const isCollected: Rule = (value) =>
  isRecord(value) &&
  isCount(value.argument) &&
  RMW.includes(value.rmw) &&
  (value.elementBytes === 4 || value.elementBytes === 8) &&
  isCount(value.offset);

const isSoleWrite: Rule = (value) =>
  isRecord(value) &&
  isCount(value.argument) &&
  isPositive(value.elementBytes) &&
  isCount(value.offset) &&
  (value.pitch === undefined || isPitch(value.pitch));

const isPitch: Rule = (value) =>
  isRecord(value) &&
  isPositive(value.scale) &&
  (value.factor === 'global size' || isCount(value.factor)) &&
  typeof value.isGuarded === 'boolean';

/** One rule for each fact, so that TypeScript requires a rule for a new fact. */
const FACTS: Readonly<Record<keyof Required<KernelFacts>, Rule>> = {
  soleWrites: (value) => value === undefined || (Array.isArray(value) && value.every(isSoleWrite)),
  privatized: (value) => Array.isArray(value) && value.every(isCollected),
  lanes: isPositive,
  rows: isPositive,
  localBytes: isCount,
  preferredLocalSize: (value) => Array.isArray(value) && value.length === 3 && value.every(isPositive),
  costPerItem: (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0,
  bounded: isFlag,
  costIsGuess: isFlag,
  groupsUnobservable: isFlag,
  interchanged: isFlag,
  accesses: (value) => value === undefined || isAccessSummary(value),
  dependsOnSeparate: isFlag,
  wide: isFlag,
};

function isFacts(value: unknown): value is KernelFacts {
  return isRecord(value) && Object.entries(FACTS).every(([name, rule]) => rule(value[name]));
}

function isScratch(value: unknown): value is KernelModule['scratch'] {
  return isRecord(value) && isCount(value.fixed) && isCount(value.perWorkItem);
}
