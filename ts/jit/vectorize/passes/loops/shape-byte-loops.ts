// SPDX-License-Identifier: MIT
//
// Forms of loops over a work-item's own bytes that pack-byte-loops.ts takes: one limit, and states of a byte.
//
//     k < a && k < b                                 becomes   k < min(a, b)
//     inside = c > ' ', an int in the next iteration   becomes   a truth value in the next iteration, which is extended there
import type { Divergence } from '../../../analyses/divergence';
import { addParam, constantOf, Leaves, makeInst } from '../../../ir/build';
import { edgesWithArguments, type Loop } from '../../../ir/cfg';
import {
  type Block,
  type BlockParam,
  type Func,
  type Inst,
  Op,
  type Target,
  Type,
  type Value,
} from '../../../ir/ir';
import { Replacements } from '../../../ir/rewrite';
import { patternOf } from '../../access';
import { limitOf } from './constant-steps';

const LARGEST: Partial<Record<Type, number>> = { [Type.I1]: 1, [Type.I8]: 255 };

export function shapeByteLoops(func: Func, divergence: Divergence): boolean {
  let changed = false;
  for (const loop of divergence.flow.allLoops) {
    if (loop.blocks.size > 2 || !readsOwnBytes(loop, divergence)) continue;
    if (mergeLimits(func, loop)) changed = true;
    if (narrowStates(func, loop)) changed = true;
  }
  return changed;
}

function readsOwnBytes({ blocks }: Loop, divergence: Divergence): boolean {
  return [...blocks].some((block) =>
    block.insts.some((inst) => {
      if (inst.op !== Op.Load || inst.type !== Type.I8) return false;
      const pattern = patternOf(divergence, inst, block);
      return pattern === 'scattered' || pattern === 'strided';
    }),
  );
}

/** The block before a loop, if there is only one. */
function entryOf(func: Func, { header, blocks }: Loop): Block | undefined {
  const entries = func.blocks.filter(
    (block) => !blocks.has(block) && block.targets.some((target) => target.block === header),
  );
  return entries.length === 1 ? entries[0] : undefined;
}

function mergeLimits(func: Func, loop: Loop): boolean {
  const [both] = loop.header.terminator.operands;
  if (both?.kind !== 'inst' || both.op !== Op.And || both.type !== Type.I1) return false;
  const limits = both.operands.map((test) =>
    test.kind === 'inst' && loop.blocks.has(test.block) ? limitOf(test) : undefined,
  );
  const [a, b] = limits;
  if (!a || !b || a.count !== b.count || a.less !== b.less) return false;
  if ([a, b].some(({ limit }) => loop.blocks.has(limit.block))) return false;
  const before = entryOf(func, loop);
  if (!before) return false;
  const extreme = a.less === Op.SLt ? Op.SMin : Op.UMin;
  const { position } = both;
  const limit = makeInst(func, before, extreme, a.limit.type, [a.limit, b.limit], {}, position);
  before.insts.push(limit);
  both.op = a.less;
  both.operands = [a.count, limit];
  return true;
}

/** Gives header parameters that are extended from a byte or a truth value in each iteration that type. */
function narrowStates(func: Func, { header, blocks }: Loop): boolean {
  const targets = edgesWithArguments(func).get(header) ?? [];
  const replaced = new Replacements(func);
  const leaves = new Leaves(func);
  const extensions: Inst[] = [];
  for (const param of [...header.params]) {
    const type = stateOf(param, header, targets);
    const at = header.params.indexOf(param);
    if (type === undefined || !targets.some(({ arguments: list }) => blocks.has(list[at]!.block))) continue;
    const given = targets.map((target) => narrowed(target.arguments[at]!, type, leaves)!);
    header.params = header.params.filter((p) => p !== param);
    const narrow = addParam(func, header, type);
    for (const [i, target] of targets.entries())
      target.arguments = [...target.arguments.filter((_, k) => k !== at), given[i]!];
    const { position } = header.terminator;
    const extension = makeInst(func, header, Op.ZExt, param.type, [narrow], {}, position);
    extensions.push(extension);
    replaced.set(param, extension);
  }
  if (extensions.length === 0) return false;
  header.insts = [...extensions, ...header.insts];
  replaced.apply(func);
  return true;
}

/** The type that a parameter is extended from on all edges. */
function stateOf(param: BlockParam, header: Block, targets: readonly Target[]): Type | undefined {
  if (param.type !== Type.I32) return undefined;
  const at = header.params.indexOf(param);
  const values = targets.map((target) => target.arguments[at]!);
  const extended = values.find((value) => isExtension(value));
  const type = extended?.kind === 'inst' ? extended.operands[0]!.type : undefined;
  const most = type === undefined ? undefined : LARGEST[type];
  if (most === undefined) return undefined;
  const fits = (value: Value) => {
    const constant = constantOf(value);
    if (constant !== undefined) return Number(constant) >= 0 && Number(constant) <= most;
    return isExtension(value) && value.operands[0]!.type === type;
  };
  return values.every(fits) ? type : undefined;
}

const isExtension = (value: Value): value is Inst => value.kind === 'inst' && value.op === Op.ZExt;

function narrowed(value: Value, type: Type, leaves: Leaves): Value | undefined {
  const constant = constantOf(value);
  if (constant === undefined) return isExtension(value) ? value.operands[0]! : undefined;
  return leaves.constant(type, type === Type.I8 ? (Number(constant) << 24) >> 24 : Number(constant));
}
