// SPDX-License-Identifier: MIT
import { type Id, NO_ID } from '../../spirv/module';
import type {
  BlockLiteral,
  CaseStmt,
  DefaultStmt,
  FunctionDecl,
  VariableDecl,
} from '../frontend/ast/checked';
import type { Place } from './place';

/** The state of a function while its body is lowered, and later for the entry points that reach it. */
export class FunctionState {
  readonly places = new Map<VariableDecl, Place>();
  readonly labels = new Map<string, Id>();
  /** The globals and functions that it refers to: an entry point lists all reachable ones. */
  readonly globals = new Set<Id>();
  readonly callees = new Set<Id>();
  /** Whether a floating-point operation in it must not be contracted. */
  contractionOff = false;
  /** The place of a result that is passed by address. */
  resultPlace: Place | undefined;
  breakTarget: Id = NO_ID;
  continueTarget: Id = NO_ID;
  /** The blocks of the case labels of the switches that are open. */
  readonly cases = new Map<CaseStmt | DefaultStmt, Id>();
  /** Of a checked program: variables that pointers are kept to. */
  readonly pointedTo = new Set<VariableDecl>();
  /** Whether it has a goto: blocks may then be after those that they dominate. */
  hasGoto = false;

  constructor(
    readonly id: Id,
    readonly declaration: FunctionDecl,
    /** The block literal whose function it is. */
    readonly block?: BlockLiteral,
  ) {}
}
