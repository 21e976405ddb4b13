// SPDX-License-Identifier: MIT
import type { Id } from '../../spirv/module';
import type { AddressSpace, Type } from '../frontend/types';

/** Where an object lies: a pointer, and steps from there that become one access chain when the address is needed. */
export interface Place {
  /** Points to the object, or with steps to what they start from. */
  readonly pointer: Id;
  /** Moves by that many objects first (OpInBoundsPtrAccessChain); NO_ID for none. */
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
