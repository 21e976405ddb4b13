// SPDX-License-Identifier: MIT
//
// What a debugger knows of a kernel: the types, variables and functions of its source, and what becomes of them at each instruction.
import type { Block, Func, Inst, SourcePosition, Value } from '../ir/ir';

/** A type of the source. Offsets and sizes are bytes in memory; a value has the scalars of all parts in their order. */
export type DebugType =
  | {
      readonly kind: 'scalar';
      readonly name: string;
      readonly size: number;
      readonly as: 'int' | 'uint' | 'float' | 'bool';
    }
  | {
      readonly kind: 'pointer';
      readonly name: string;
      readonly size: number;
      readonly to: DebugType | undefined;
    }
  | {
      readonly kind: 'vector' | 'array';
      readonly name: string;
      readonly size: number;
      readonly element: DebugType;
      readonly count: number;
    }
  | {
      readonly kind: 'struct';
      readonly name: string;
      readonly size: number;
      readonly members: readonly {
        readonly name: string;
        readonly offset: number;
        readonly type: DebugType;
      }[];
    }
  | { readonly kind: 'opaque'; readonly name: string; readonly size: number };

export interface DebugVariable {
  readonly name: string;
  readonly type: DebugType;
  /** The scope of its declaration, if it is known. */
  readonly scope: number | undefined;
}

/** What a work-item passes on its way. */
export type Marker =
  | { readonly kind: 'enter'; readonly name: string; readonly from: SourcePosition | undefined }
  | { readonly kind: 'leave' }
  | { readonly kind: 'scope'; readonly scope: number }
  /** The variable has these scalars from here on. */
  | { readonly kind: 'value'; readonly variable: DebugVariable; readonly values: readonly Value[] }
  /** The variable is in memory. */
  | { readonly kind: 'address'; readonly variable: DebugVariable; readonly address: Value };

export interface DebugTable {
  /** After an instruction, or at the start of a block. */
  readonly markers: ReadonlyMap<Inst | Block, readonly Marker[]>;
  /** The scope that a scope is in. */
  parentOf(scope: number): number | undefined;
}

export interface DebugCode {
  readonly func: Func;
  readonly table: DebugTable;
}
