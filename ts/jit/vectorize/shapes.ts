// SPDX-License-Identifier: MIT
//
// The decisions about values on which others of the vector plan depend.
import type { Divergence } from '../analyses/divergence';
import type { Block, Op, Type, Value } from '../ir/ir';
import type { KernelPlan } from './kernel-plan';
import type { PackedWidth } from './packing';

/** The properties of the target machine that plans depend on. */
export interface VectorTarget {
  /** Whether one instruction computes a vector of an operation on operands of a type. */
  hasVectorInstruction(op: Op, type: Type): boolean;
}

/** The part of the vector plan that the plans of evaluation and of regions use. */
export interface ValueShapes {
  readonly kernel: KernelPlan;
  readonly lanes: number;
  readonly rows: number;
  readonly target: VectorTarget;
  readonly divergence: Divergence;
  /** By value id. */
  readonly packed: ReadonlyMap<number, PackedWidth>;
  isVector(v: Value): boolean;
  /** Whether the value is a vector where `block` uses it. */
  isVectorAt(v: Value, block: Block): boolean;
  /** The number of rows for which a value has separate scalars or vectors. */
  rowsOf(v: Value): number;
  /** Vectors per row for a type. */
  perRow(type: Type): number;
  isLiveOut(v: Value): boolean;
  /** Whether a value is evaluated inside the instruction that uses it. Known after the plan of evaluation. */
  isInline(v: Value): boolean;
}
