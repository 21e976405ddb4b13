// SPDX-License-Identifier: MIT
//
// Statements as basic blocks of SPIR-V.
import { LoopControl, Op } from '../../spirv/grammar.gen';
import { type Id, NO_ID } from '../../spirv/module';
import type {
  CompoundStmt,
  DoStmt,
  Expr,
  ForStmt,
  IfStmt,
  Stmt,
  SwitchStmt,
  VariableDecl,
  WhileStmt,
} from '../frontend/ast/checked';
import { scalarSize } from '../frontend/scalars';
import type { Type } from '../frontend/types';
import { compare } from './arithmetic';
import type { LoweringContext } from './context';
import { initialize } from './initializers';
import { beginLifetime, endBlock, endFunction, notePointer } from './lifetimes';
import { emitSwitch } from './long-instructions';
import { makeTemporary, storeTo } from './memory';
import { elementKind } from './types';

export function lowerStatement(ctx: LoweringContext, stmt: Stmt): void {
  ctx.at(stmt.location);
  switch (stmt.kind) {
    case 'compound':
      if (ctx.debug && stmt !== ctx.current.declaration.body && stmt.statements.some(declares))
        ctx.inScope(stmt.location, () => lowerCompound(ctx, stmt));
      else lowerCompound(ctx, stmt);
      return;
    case 'declaration':
      for (const variable of stmt.variables) declare(ctx, variable);
      return;
    case 'expression':
      ctx.effect(stmt.expression);
      return;
    case 'if':
      lowerIf(ctx, stmt);
      return;
    case 'for':
      if (ctx.debug && stmt.init && declares(stmt.init))
        ctx.inScope(stmt.location, () => lowerFor(ctx, stmt));
      else lowerFor(ctx, stmt);
      return;
    case 'while':
      lowerWhile(ctx, stmt);
      return;
    case 'do':
      lowerDo(ctx, stmt);
      return;
    case 'switch':
      lowerSwitch(ctx, stmt);
      return;
    case 'case':
    case 'default':
      open(ctx, ctx.current.cases.get(stmt)!);
      lowerStatement(ctx, stmt.body);
      return;
    case 'label':
      open(ctx, labelOf(ctx, stmt.name));
      lowerStatement(ctx, stmt.body);
      return;
    case 'goto':
      ctx.current.hasGoto = true;
      ctx.builder.branch(labelOf(ctx, stmt.target));
      return;
    case 'break':
      ctx.builder.branch(ctx.current.breakTarget);
      return;
    case 'continue':
      ctx.builder.branch(ctx.current.continueTarget);
      return;
    case 'return':
      lowerReturn(ctx, stmt.value);
      return;
    case 'empty':
      return;
  }
}

function lowerCompound(ctx: LoweringContext, stmt: CompoundStmt): void {
  for (const inner of stmt.statements) lowerStatement(ctx, inner);
  if (stmt !== ctx.current.declaration.body) endBlock(ctx, stmt.statements);
}

/** Scopes without declarations are not described. */
const declares = (stmt: Stmt): boolean => stmt.kind === 'declaration' && stmt.variables.length > 0;

/** Opens a block, to which the previous one falls through. */
function open(ctx: LoweringContext, label: Id): void {
  if (ctx.builder.isOpen) ctx.builder.branch(label);
  ctx.builder.label(label);
}

function labelOf(ctx: LoweringContext, name: string): Id {
  const { labels } = ctx.current;
  let label = labels.get(name);
  if (label === undefined) {
    label = ctx.builder.id();
    labels.set(name, label);
  }
  return label;
}

function declare(ctx: LoweringContext, variable: VariableDecl): void {
  // Static and local variables belong to the module.
  if (variable.storage !== 'local-scope') return;
  const { type, volatile } = variable.type;
  const align = Math.max(variable.attributes.align ?? 0, ctx.types.layout(type).align);
  const place = { ...makeTemporary(ctx, type, align), volatile };
  ctx.builder.debug.name(place.pointer, variable.name);
  ctx.current.places.set(variable, place);
  ctx.debug?.declare(variable, place.pointer);
  if (!variable.init) beginLifetime(ctx, variable);
  else {
    initialize(ctx, place, variable.init);
    notePointer(ctx, variable.init);
  }
}

/** `if … else if …` may be long: its links are followed without recursion. */
function lowerIf(ctx: LoweringContext, stmt: IfStmt): void {
  const { builder } = ctx;
  const ends: Id[] = [];
  for (let at = stmt; ; ) {
    const condition = ctx.condition(at.condition);
    const then = builder.id();
    const done = builder.id();
    const otherwise = at.otherwise ? builder.id() : done;
    builder.branchIf(condition, then, otherwise);
    builder.label(then);
    lowerStatement(ctx, at.then);
    if (builder.isOpen) builder.branch(done);
    ends.push(done);
    if (at.otherwise === undefined) break;
    builder.label(otherwise);
    if (at.otherwise.kind === 'if') {
      at = at.otherwise;
      ctx.at(at.location);
      continue;
    }
    lowerStatement(ctx, at.otherwise);
    if (builder.isOpen) builder.branch(done);
    break;
  }
  for (let done = ends.pop(); done !== undefined; done = ends.pop()) {
    builder.label(done);
    const outer = ends.at(-1);
    if (outer !== undefined) builder.branch(outer);
  }
}

/** Lowers a loop's body, in which `break` and `continue` lead to these blocks. */
function lowerBody(ctx: LoweringContext, body: Stmt, breakTarget: Id, continueTarget: Id): void {
  const state = ctx.current;
  const { breakTarget: outerBreak, continueTarget: outerContinue } = state;
  state.breakTarget = breakTarget;
  state.continueTarget = continueTarget;
  lowerStatement(ctx, body);
  state.breakTarget = outerBreak;
  state.continueTarget = outerContinue;
}

/** Opens a loop's header. It has OpLoopMerge only for an unroll hint; SPIR-V kernels do not need it otherwise. */
function openHeader(ctx: LoweringContext, merge: Id, next: Id, unroll: number | undefined): Id {
  const { builder } = ctx;
  const header = builder.id();
  open(ctx, header);
  if (unroll === undefined) return header;
  builder.emitVoid(Op.LoopMerge, [merge, next, ...loopControl(ctx, unroll)]);
  const start = builder.id();
  builder.branch(start);
  builder.label(start);
  return header;
}

const VERSION_1_4 = 0x10400;

function loopControl(ctx: LoweringContext, unroll: number): number[] {
  if (unroll === 1) return [LoopControl.DontUnroll];
  if (unroll > 1 && ctx.builder.module.version >= VERSION_1_4) return [LoopControl.PartialCount, unroll];
  return [LoopControl.Unroll];
}

function lowerFor(ctx: LoweringContext, stmt: ForStmt): void {
  const { builder } = ctx;
  if (stmt.init) lowerStatement(ctx, stmt.init);
  const body = builder.id();
  const step = builder.id();
  const done = builder.id();
  const header = openHeader(ctx, done, step, stmt.unroll);
  if (stmt.condition) {
    ctx.at(stmt.condition.location);
    builder.branchIf(ctx.condition(stmt.condition), body, done);
  } else builder.branch(body);
  builder.label(body);
  lowerBody(ctx, stmt.body, done, step);
  open(ctx, step);
  if (stmt.step) ctx.effect(stmt.step);
  builder.branch(header);
  builder.label(done);
}

function lowerWhile(ctx: LoweringContext, stmt: WhileStmt): void {
  const { builder } = ctx;
  const body = builder.id();
  const done = builder.id();
  // `continue` re-enters the header; with a hint the back edge needs a separate block.
  const next = stmt.unroll === undefined ? undefined : builder.id();
  const header = openHeader(ctx, done, next ?? NO_ID, stmt.unroll);
  builder.branchIf(ctx.condition(stmt.condition), body, done);
  builder.label(body);
  lowerBody(ctx, stmt.body, done, next ?? header);
  if (next !== undefined) open(ctx, next);
  if (builder.isOpen) builder.branch(header);
  builder.label(done);
}

function lowerDo(ctx: LoweringContext, stmt: DoStmt): void {
  const { builder } = ctx;
  const next = builder.id();
  const done = builder.id();
  const header = openHeader(ctx, done, next, stmt.unroll);
  lowerBody(ctx, stmt.body, done, next);
  open(ctx, next);
  ctx.at(stmt.condition.location);
  builder.branchIf(ctx.condition(stmt.condition), header, done);
  builder.label(done);
}

function lowerSwitch(ctx: LoweringContext, stmt: SwitchStmt): void {
  const { builder } = ctx;
  const state = ctx.current;
  const value = ctx.value(stmt.value);
  const isWide = scalarSize(elementKind(stmt.value.type)!) === 8;
  const done = builder.id();
  let otherwise = done;
  const targets: number[] = [];
  for (const label of stmt.cases) {
    const id = builder.id();
    state.cases.set(label, id);
    if (label.kind === 'default') otherwise = id;
    else if (label.last !== undefined)
      branchIfWithin(ctx, stmt.value.type, value, label.value, label.last, id);
    else targets.push(...caseWords(label.value, isWide), id);
  }
  emitSwitch(ctx, value, otherwise, targets, isWide ? 3 : 2);
  const { breakTarget } = state;
  state.breakTarget = done;
  lowerStatement(ctx, stmt.body);
  state.breakTarget = breakTarget;
  open(ctx, done);
  // A case inside a nested statement may come after blocks that it dominates.
  state.hasGoto = state.hasGoto || directLabels(stmt) !== stmt.cases.length;
}

/** Branches to a case of a long range, and goes on where the value is not within it. */
function branchIfWithin(
  ctx: LoweringContext,
  type: Type,
  value: Id,
  first: bigint,
  last: bigint,
  to: Id,
): void {
  const { builder } = ctx;
  const constant = (end: bigint) => builder.constantInt(ctx.types.value(type), end);
  const ends = [
    compare(ctx, '<=', type, constant(first), value),
    compare(ctx, '<=', type, value, constant(last)),
  ];
  const next = builder.id();
  builder.branchIf(ctx.emit(Op.LogicalAnd, builder.bool(), ends), to, next);
  builder.label(next);
}

function caseWords(value: bigint, isWide: boolean): number[] {
  const low = Number(value & 0xffffffffn);
  return isWide ? [low, Number((value >> 32n) & 0xffffffffn)] : [low];
}

/** The number of a switch's labels that are directly in its body. */
function directLabels(stmt: SwitchStmt): number {
  let count = 0;
  for (let inner of stmt.body.kind === 'compound' ? stmt.body.statements : [stmt.body]) {
    for (; inner.kind === 'case' || inner.kind === 'default'; inner = inner.body) count++;
  }
  return count;
}

function lowerReturn(ctx: LoweringContext, value: Expr | undefined): void {
  const { builder } = ctx;
  const { resultPlace } = ctx.current;
  if (!value) {
    endFunction(ctx);
    builder.terminate(Op.Return, []);
    return;
  }
  if (value.type.kind === 'void') {
    ctx.effect(value);
    endFunction(ctx);
    builder.terminate(Op.Return, []);
    return;
  }
  const id = ctx.value(value);
  notePointer(ctx, value);
  endFunction(ctx);
  if (resultPlace) {
    storeTo(ctx, resultPlace, id);
    builder.terminate(Op.Return, []);
  } else builder.terminate(Op.ReturnValue, [id]);
}
