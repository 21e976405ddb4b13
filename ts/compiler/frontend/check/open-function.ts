// SPDX-License-Identifier: MIT
import type { Location } from '../../diagnostics/diagnostic';
import type { CaseStmt, DefaultStmt } from '../ast/checked';
import type * as Syntax from '../ast/syntax';
import type { ScalarType, Type } from '../types';
import type { FunctionEntity, FunctionState } from './symbols';

/** A `switch` whose body is being checked. */
export interface CaseRange {
  readonly first: bigint;
  readonly last: bigint;
  readonly at: Location;
}

export interface OpenSwitch {
  readonly type: ScalarType;
  /** The type before promotion. */
  readonly switched: Type | undefined;
  /** In the order of the source. */
  readonly cases: (CaseStmt | DefaultStmt)[];
  readonly seen: Map<bigint, Location>;
  /** Its long ranges. */
  readonly ranges: CaseRange[];
  /** The place of its `default`. */
  defaultAt: Location | undefined;
}

/** The properties of a function or block from its declaration. */
export interface FunctionTraits {
  readonly state: FunctionState;
  /** Of a block, the function around it. */
  readonly entity: FunctionEntity | undefined;
  /** Undefined in a block whose result is still to be inferred. */
  readonly result: Type | undefined;
  readonly isKernel: boolean;
  readonly isBlock: boolean;
  /** Whether its declaration is wrong, so that its result type is unknown. */
  readonly isBroken?: boolean;
  /** Whether some of its parameters are unknown because of a syntax error. */
  readonly hasUnknownParameters?: boolean;
  /** The functions and blocks that it calls. */
  readonly callees: Set<FunctionEntity>;
  /** Depth of the scope of its outermost block. */
  readonly depth: number;
}

/** The function or block whose body is being checked. */
export class OpenFunction {
  readonly state: FunctionState;
  readonly entity: FunctionEntity | undefined;
  result: Type | undefined;
  /** Whether the first `return` of a block without an explicit result type has decided the type. */
  resultIsInferred = false;
  readonly isKernel: boolean;
  readonly isBlock: boolean;
  readonly isBroken: boolean;
  readonly hasUnknownParameters: boolean;
  readonly callees: Set<FunctionEntity>;
  readonly depth: number;
  /** The switches around the current statement, innermost last. */
  readonly switches: OpenSwitch[] = [];
  /** How many statements around the current one a `break` may leave, and a `continue`. */
  breakables = 0;
  loops = 0;
  readonly labels = new Map<string, Location>();
  readonly gotos: Syntax.GotoStmt[] = [];

  constructor(traits: FunctionTraits) {
    this.state = traits.state;
    this.entity = traits.entity;
    this.result = traits.result;
    this.isKernel = traits.isKernel;
    this.isBlock = traits.isBlock;
    this.isBroken = traits.isBroken === true;
    this.hasUnknownParameters = traits.hasUnknownParameters === true;
    this.callees = traits.callees;
    this.depth = traits.depth;
  }
}
