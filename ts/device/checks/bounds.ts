// SPDX-License-Identifier: MIT
//
// Accesses and the objects that they are in, or outside of.
import { type CheckSite, type FaultKind, FORBIDDEN } from '../../base/checks';
import type { FaultRecord } from '../../base/faults';
import { type Extent, NULL_GUARD } from './objects';

interface Fault {
  readonly kind: FaultKind;
  readonly more: Partial<FaultRecord>;
}

/** The fault of an access that is not in its object, or in none. */
export function faultOutside(extent: Extent | undefined, start: number, size: number): Fault | undefined {
  if (!extent) return { kind: start < NULL_GUARD ? 'null-pointer' : 'no-object', more: { address: start } };
  const at = start - extent.base;
  if (at >= 0 && at + size <= extent.size) return undefined;
  if (extent.base === 0) return { kind: 'null-pointer', more: { address: start, ...named(extent) } };
  // The first byte after the end, if the access crosses it.
  const first = at < 0 || at >= extent.size ? at : extent.size;
  return { kind: 'out-of-bounds', more: { ...named(extent), at: first, bytes: extent.size } };
}

/** The fault of an access to a buffer that kernels may only read, or only write, or that the host has mapped. */
export function faultOfAccess(
  extent: Extent | undefined,
  action: CheckSite['action'],
): FaultKind | undefined {
  if (!extent || extent.forbidden === 0) return undefined;
  const { forbidden } = extent;
  const isRead = action === 'read';
  if (forbidden & (isRead ? FORBIDDEN.reads : FORBIDDEN.writes)) return 'forbidden-access';
  const whileMapped = isRead ? FORBIDDEN.readsWhileMapped : FORBIDDEN.writesWhileMapped;
  return forbidden & whileMapped ? 'mapped-access' : undefined;
}

/** What a report says about an address. */
export function where(extent: Extent | undefined, address: number): Partial<FaultRecord> {
  return extent ? { ...named(extent), at: address - extent.base, bytes: extent.size } : { address };
}

function named({ of, index }: Extent): Pick<FaultRecord, 'object'> {
  return { object: { of, index } };
}
