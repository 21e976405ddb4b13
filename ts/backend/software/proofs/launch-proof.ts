// SPDX-License-Identifier: MIT
//
// Decides whether a launch of a context with checks or robust access runs the kernel's plain code: where its access summary proves
// that no access of this launch can be a fault (docs/adr/0036-launch-proofs.md).
import type { AccessSummary } from '../../../base/access-summary';
import { FORBIDDEN } from '../../../base/checks';
import type { NDRange } from '../../../base/nd-range';
import { MemFlags } from '../../../cl/constants.gen';
import { areAllMarked, mark } from '../../../device/checks/written';
import type { SoftwareKernel } from '../kernel';
import type { ArgumentValue } from '../kernel-arguments';
import { SoftwareMemory } from '../memory';
import { type ResolvedRange, resolveNDRange } from '../nd-range';
import type { LaunchNumbers } from './evaluate';
import { type GivenObject, type Proof, proveLaunch, provesBounds } from './prove';

/** Whether the launch may run plain code. What its stores write counts as written from here on. */
export function isProven(kernel: SoftwareKernel, { global, local, offset }: NDRange): boolean {
  const { device, executable, signature } = kernel;
  if (!device.checked && !device.isRobust) return false;
  const { accesses } = executable.kernel(signature.name);
  if (!accesses) return false;
  const rangeFor = (code: 'guarded' | 'plain') => resolveNDRange(kernel, global, local, offset, code);
  if (!device.checked) return isRobustWithout(kernel, accesses, rangeFor);
  const first = rangeFor('guarded');
  if (!proofOf(kernel, accesses, first)) return false;
  // Plain code prefers other groups.
  const proof = proofOf(kernel, accesses, rangeFor('plain'));
  if (!proof) return false;
  const { u8 } = device.memory;
  for (const { address, bytes, step, count } of proof.written)
    for (let at = 0; at < count; at++) markWritten(kernel, u8, address + at * step, bytes);
  return true;
}

function isRobustWithout(
  kernel: SoftwareKernel,
  accesses: AccessSummary,
  rangeFor: (code: 'guarded' | 'plain') => ResolvedRange,
): boolean {
  const proves = (range: ResolvedRange) =>
    provesBounds(
      accesses,
      numbersOf(kernel, range),
      kernel.values.map((value) => objectOf(value)),
    );
  const range = rangeFor('guarded');
  const key = keyOf(kernel, range);
  if (kernel.lastProof?.key === key) return kernel.lastProof.isProven;
  const isProven = proves(range) && proves(rangeFor('plain'));
  kernel.lastProof = { key, isProven };
  return isProven;
}

function keyOf({ values }: SoftwareKernel, { global, local, offset }: ResolvedRange): string {
  const sizes = values.map((value) => {
    if (value?.kind === 'bytes') return value.bytes.join();
    return value?.kind === 'local' ? value.bytes : (objectOf(value)?.size ?? -1);
  });
  return `${global.join()} ${local.join()} ${offset.join()} ${sizes.join(' ')}`;
}

function proofOf(kernel: SoftwareKernel, accesses: AccessSummary, range: ResolvedRange): Proof | undefined {
  const { device, values } = kernel;
  const memory = device.checked!;
  return proveLaunch(accesses, {
    numbers: numbersOf(kernel, range),
    objects: values.map((value) => objectOf(value)),
    checks: memory.checks,
    isWritten: (argument) => {
      const value = values[argument]!;
      const object = objectOf(value)!;
      const bits = memory.bitsOf(object.base);
      return bits === 0 || areAllMarked(device.memory.u8, bits, object.size);
    },
  });
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

function forbiddenOf({ flags }: SoftwareMemory): number {
  if (flags & MemFlags.READ_ONLY) return FORBIDDEN.writes;
  return flags & MemFlags.WRITE_ONLY ? FORBIDDEN.reads : 0;
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
