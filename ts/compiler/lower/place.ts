// SPDX-License-Identifier: MIT
import type { Id } from '../../spirv/module';
import type { AddressSpace, Type } from '../frontend/types';

/** The place of an object: a pointer, and steps from there that become one access chain when the address is needed. */
export interface Place {
  /** Points to the object, or with steps to the object where they start. */
  readonly pointer: Id;
  /** Advances by this many objects first (OpInBoundsPtrAccessChain); NO_ID for none. */
  readonly element: Id;
  /** Then into members, elements and components (OpInBoundsAccessChain). */
  readonly steps: readonly Id[];
  /** The object's type. */
  readonly type: Type;
  readonly space: AddressSpace;
  /** Known alignment of the object, in bytes. */
  readonly align: number;
  readonly volatile: boolean;
}
