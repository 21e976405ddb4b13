// SPDX-License-Identifier: MIT
//
// Decides which code a launch runs. In a context with checks or robust access, that is the kernel's plain code where its access summary proves
// that no access of this launch can be a fault (docs/adr/0036-launch-proofs.md).
import type { AccessSummary } from '../../../base/access-summary';
import type { NDRange } from '../../../base/nd-range';
import { areAllMarked, mark } from '../../../device/checks/written';
import { forbiddenOf } from '../checks/forbidden';
import { SoftwareMemory } from '../memory/memory';
import type { CodeKind } from '../programs/executable';
import type { SoftwareKernel } from '../programs/kernel';
import type { ArgumentValue } from '../programs/kernel-arguments';
import { type ResolvedRange, resolveNDRange } from '../programs/nd-range';
import { type AlikeObjects, alikeObjects, type CheckedProof } from './alike-objects';
import type { LaunchNumbers } from './evaluate';
import { LaunchWrites, type Run } from './launch-writes';
import type { GivenObject, LaunchToProve } from './objects';
import { type PatternProof, type Proof, proveLaunch, provesBounds } from './prove';
import type { WatchProof } from './watched-bytes';

/** A launch that runs plain code if the first group has no fault. */
export interface Pattern {
  readonly proof: PatternProof;
  readonly writes: LaunchWrites;
  /** Remembers that the first group had no fault. */
  readonly isClean: (found: readonly (readonly Run[])[]) => void;
}

/** A launch that runs watched code, and is checked after all if that has stored to bytes that it should not. */
export interface Watch {
  readonly proof: WatchProof;
  readonly writes: LaunchWrites;
}

export interface LaunchCode {
  readonly code: CodeKind;
  /** The code whose preferences choose a missing local size, if it is not this one. */
  readonly sizesOf?: CodeKind;
  readonly pattern?: Pattern;
  readonly watch?: Watch;
  readonly alike?: AlikeObjects | undefined;
}

const GUARDED: LaunchCode = { code: 'guarded' };
const PLAIN: LaunchCode = { code: 'plain' };

/** The code for a launch that starts now. What a proven launch writes counts as written from here on. */
export function provenCode(kernel: SoftwareKernel, { global, local, offset }: NDRange): LaunchCode {
  const { device, executable, signature } = kernel;
  if (device.coverage === 'memory') return GUARDED;
  const { accesses } = executable.kernel(signature.name);
  if (!accesses) return GUARDED;
  const rangeFor = (code: CodeKind) => resolveNDRange(kernel, global, local, offset, code);
  if (!device.checked) return isRobustWithout(kernel, accesses, rangeFor) ? PLAIN : GUARDED;
  // Plain code prefers other groups; it is compiled only if it may be needed.
  const guarded = rangeFor('guarded');
  const given = givenObjects(kernel);
  const { proof: first, alike } = proofOf(kernel, accesses, guarded, given);
  if (!first) return { code: 'guarded', alike };
  if (first.watch) {
    if (!mayBeWatched(kernel, first.watch)) return GUARDED;
    return { code: 'guarded', watch: { proof: first.watch, writes: writesOf(kernel, guarded, first) } };
  }
  if (first.pattern) return codeOf(kernel, guarded, first);
  const range = rangeFor('plain');
  const isOther = range.local.some((size, d) => size !== guarded.local[d]);
  const proof = isOther ? proofOf(kernel, accesses, range, given).proof : first;
  return proof && !proof.pattern && !proof.watch ? codeOf(kernel, range, proof) : GUARDED;
}

/** Whether what the launch does can be undone: it does nothing but to write these buffers. */
function mayBeWatched(
  { device, executable, signature, values }: SoftwareKernel,
  { objects }: WatchProof,
): boolean {
  return (
    !device.coverage &&
    !signature.enqueues &&
    signature.arguments.every(({ kind }) => kind === 'buffer' || kind === 'value') &&
    objects.every(({ argument }) => {
      const value = values[argument];
      return value?.kind === 'word' && value.uses instanceof SoftwareMemory;
    }) &&
    executable.watches.mayTry(signature.name)
  );
}

function writesOf(
  kernel: SoftwareKernel,
  { groups }: ResolvedRange,
  { written, pattern }: Proof,
): LaunchWrites {
  const { device, values } = kernel;
  return new LaunchWrites({
    memory: () => device.memory.u8,
    bitsOf: (argument) => device.checked!.bitsOf(objectOf(values[argument])!.base) || undefined,
    markStrip: (address, bytes) => markWritten(kernel, device.memory.u8, address, bytes),
    strips: written,
    repeated: pattern?.repeated ?? [],
    groups,
  });
}

function codeOf(kernel: SoftwareKernel, range: ResolvedRange, proof: Proof): LaunchCode {
  const { executable, signature } = kernel;
  const { pattern } = proof;
  const writes = writesOf(kernel, range, proof);
  if (!pattern) {
    writes.mark([]);
    return PLAIN;
  }
  const parts = pattern.repeated.map(({ argument }) => argument);
  const key = `${signature.name} ${keyOf(kernel, range)} ${parts.join()}`;
  const found = executable.cleanPatterns.get(key);
  if (!found) {
    const isClean = (runs: readonly (readonly Run[])[]) => executable.cleanPatterns.set(key, runs);
    return { code: 'guarded', pattern: { proof: pattern, writes, isClean } };
  }
  writes.mark(found);
  return { code: 'plain', sizesOf: 'guarded' };
}

function isRobustWithout(
  kernel: SoftwareKernel,
  accesses: AccessSummary,
  rangeFor: (code: CodeKind) => ResolvedRange,
): boolean {
  const { executable, signature, values } = kernel;
  const proves = (range: ResolvedRange) =>
    provesBounds(
      accesses,
      numbersOf(kernel, range),
      values.map((value) => objectOf(value)),
    );
  const range = rangeFor('guarded');
  const key = `${signature.name} ${keyOf(kernel, range)}`;
  const known = executable.robustProofs.get(key);
  if (known !== undefined) return known;
  const isProven = proves(range) && proves(rangeFor('plain'));
  executable.robustProofs.set(key, isProven);
  return isProven;
}

function keyOf({ values }: SoftwareKernel, { global, local, offset }: ResolvedRange): string {
  const sizes = values.map((value) => {
    if (value?.kind === 'bytes') return value.bytes.join();
    return value?.kind === 'local' ? value.bytes : (objectOf(value)?.size ?? -1);
  });
  return `${global.join()} ${local.join()} ${offset.join()} ${sizes.join(' ')}`;
}

/** The objects that the arguments give, and which of them have contents: that takes a look at all of their bits. */
interface GivenObjects {
  readonly objects: readonly (GivenObject | undefined)[];
  readonly areWritten: readonly boolean[];
}

function givenObjects({ device, values }: SoftwareKernel): GivenObjects {
  const objects = values.map((value) => objectOf(value));
  const areWritten = objects.map((object) => {
    const bits = object && !object.isLocal ? device.checked!.bitsOf(object.base) : 0;
    return bits === 0 || areAllMarked(device.memory.u8, bits, object!.size);
  });
  return { objects, areWritten };
}

/** Launches in loops repeat few sizes and arguments. A proof depends on these, on where the objects are, and on which have contents. */
function proofOf(
  kernel: SoftwareKernel,
  accesses: AccessSummary,
  range: ResolvedRange,
  { objects, areWritten }: GivenObjects,
): CheckedProof {
  const { device, executable, signature } = kernel;
  const memory = device.checked!;
  const places = objects.map((object, at) => `${object?.base} ${object?.forbidden} ${areWritten[at]}`);
  const key = `${signature.name} ${keyOf(kernel, range)} ${places.join()}`;
  const known = executable.checkedProofs.get(key);
  if (known) return known;
  const table = executable.kernel(signature.name).checks!;
  const launch: LaunchToProve = {
    numbers: numbersOf(kernel, range),
    objects,
    checks: memory.checks,
    hasSite: (access) =>
      table.sites.some(
        ({ access: first, accesses: count }) =>
          first !== undefined && access >= first && access < first + count!,
      ),
    isWritten: (argument) => areWritten[argument]!,
  };
  const proof = proveLaunch(accesses, launch);
  const found = { proof, alike: proof ? undefined : alikeObjects(accesses, launch, table) };
  executable.checkedProofs.set(key, found);
  return found;
}

/** The memory that an argument gives, if its size is known. */
function objectOf(value: ArgumentValue | undefined): GivenObject | undefined {
  if (value?.kind === 'local') return { base: 0, size: value.bytes, forbidden: 0, isLocal: true };
  if (value?.kind !== 'word' || !value.uses) return undefined;
  const { uses, word } = value;
  if (!('address' in uses) || !('size' in uses) || Number(uses.address) !== word || word === 0)
    return undefined;
  const forbidden = uses instanceof SoftwareMemory ? forbiddenOf(uses) : 0;
  return { base: word, size: Number(uses.size), forbidden, isLocal: false };
}

function numbersOf({ signature, values }: SoftwareKernel, range: ResolvedRange): LaunchNumbers {
  const { global, local, offset, groups } = range;
  return {
    global,
    local,
    offset,
    groups,
    argument: (at, width) => {
      const index = signature.arguments.findIndex(
        (argument) => at >= argument.offset && at + width / 8 <= argument.offset + argument.size,
      );
      const value = values[index];
      return value?.kind === 'bytes'
        ? integerAt(value.bytes, at - signature.arguments[index]!.offset, width)
        : undefined;
    },
  };
}

function integerAt(bytes: Uint8Array, at: number, width: number): number | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (at + width / 8 > bytes.length) return undefined;
  if (width === 8) return view.getInt8(at);
  if (width === 16) return view.getInt16(at, true);
  if (width === 32) return view.getInt32(at, true);
  const value = Number(view.getBigInt64(at, true));
  return Number.isSafeInteger(value) ? value : undefined;
}

function markWritten({ device }: SoftwareKernel, u8: Uint8Array, address: number, bytes: number): void {
  const range = device.checked!.rangeOf(address);
  if (range?.bits) mark(u8, range.bits.address, address - range.address, bytes, true);
}
