// SPDX-License-Identifier: MIT
//
// What a load or a store accesses.
import { type Inst, Op, type Type } from './ir';
import { bytesOf } from './types';

export function accessedType(access: Inst): Type {
  return access.op === Op.Store ? access.operands[1]!.type : access.type;
}

export const accessedBytes = (access: Inst): number => bytesOf(accessedType(access));

/** The constant that is added to the address. */
export const offsetOf = ({ facts }: Inst): number => facts.offset ?? 0;
