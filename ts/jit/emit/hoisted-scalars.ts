// SPDX-License-Identifier: MIT
//
// Scalars that are computed before the loops over work-items: values of a launch's arguments alone, such as an amount clamped to a byte,
// before all of them, and values that are the same for all tiles of a row, such as the address of an image's row, before the loop over its
// tiles. V8 of Node.js 20 and 22 hoists cheap ones by itself, but no conversions and divisions; newer ones move nothing out of loops that
// they do not peel (docs/jit.md).
import type { ValType } from '../../wasm/function-builder';
import { isPrologueOp } from '../ir/build';
import { type Inst, Op, type Value } from '../ir/ir';
import { isPure } from '../ir/rewrite';
import { scalarOperation } from './arithmetic/operations';
import type { Context } from './context';
import { Since } from './invariants';
import { valTypeOf } from './value-types';

/** What no V8 hoists. */
const EXPENSIVE = new Set([Op.FToS, Op.FToU, Op.SDiv, Op.UDiv, Op.SRem, Op.URem, Op.FDiv, Op.FRem, Op.FSqrt]);

/**
 * The longest chain of operations on arguments that is computed before the loops. Each of them takes a local, and the recursion that
 * computes them must end.
 */
const LONGEST_CHAIN = 64;

/** From where on the environment's values are the same, if they do not differ between the tiles of a row. */
const OF_ENVIRONMENT: Partial<Record<Op, Since>> = {
  [Op.Argument]: Since.Launch,
  [Op.Const]: Since.Launch,
  [Op.WorkDim]: Since.Call,
  [Op.GlobalSize]: Since.Call,
  [Op.GlobalOffset]: Since.Call,
  [Op.NumGroups]: Since.Call,
  [Op.EnqueuedLocalSize]: Since.Call,
  [Op.LocalSize]: Since.Call,
  [Op.GroupId]: Since.Call,
};

/** From where on a value is the same: that of the operand that changes most often. */
function since(c: Context, v: Value): Since {
  if (v.kind !== 'inst') return Since.Tile;
  let known: Since | undefined = c.since[v.id] || sinceOfGiven(v);
  if (known === undefined) {
    known = isOperation(c, v) ? Math.min(...v.operands.map((operand) => since(c, operand))) : Since.Tile;
    if (known === Since.Launch || known === Since.Call) {
      const chain = 1 + Math.max(...v.operands.map((operand) => c.chains[operand.id]!));
      c.chains[v.id] = chain;
      if (chain > LONGEST_CHAIN) known = Since.Tile;
    }
    c.since[v.id] = known;
  }
  return known;
}

/** The same of the environment's values, which are computed nowhere. */
function sinceOfGiven({ op, facts }: Inst): Since | undefined {
  const isIdOfRow = (op === Op.GlobalId || op === Op.LocalId) && (facts.dimension ?? 0) > 0;
  return isIdOfRow ? Since.Row : OF_ENVIRONMENT[op];
}

function isOperation(c: Context, inst: Inst): boolean {
  return (
    !isPrologueOp(inst.op) &&
    isPure(inst.op) &&
    inst.operands.length > 0 &&
    !inst.facts.isIndex &&
    !c.isVector(inst)
  );
}

/** Whether a value is computed from arguments and constants. */
export function isOfArguments(c: Context, v: Value): boolean {
  return v.kind === 'inst' && sinceOfGiven(v) === undefined && since(c, v) === Since.Launch;
}

/** Whether a scalar is worth a local of its own before the loops. */
export function isWorthHoisting(c: Context, inst: Inst): boolean {
  return since(c, inst) === Since.Row
    ? c.invariants.hasRoomInRow
    : EXPENSIVE.has(inst.op) && isOfArguments(c, inst);
}

/** Leaves such a value on the stack: a local that is set before the loops has it. */
export function pushHoisted(c: Context, inst: Inst, row: number): void {
  if (isOfArguments(c, inst)) pushOfArguments(c, inst);
  else pushOfRow(c, inst, row);
}

function pushOfArguments(c: Context, inst: Inst): void {
  c.invariants.push(`scalar ${inst.id}`, valTypeOf(inst.type), undefined, () =>
    compute(c, inst, 0, pushOfArguments),
  );
}

function pushOfRow(c: Context, inst: Inst, row: number): void {
  const at = c.rowsOf(inst) > 1 ? row : 0;
  c.invariants.pushOfRow(`${inst.id} ${at}`, valTypeOf(inst.type), () => compute(c, inst, row, pushOfRow));
}

/** Leaves the vector on the stack that `splat` makes from a value that is computed from arguments. */
export function pushHoistedSplat(
  c: Context,
  inst: Inst,
  key: string,
  type: ValType,
  splat: () => void,
): void {
  c.invariants.push(`${key} ${inst.id}`, type, undefined, () => {
    compute(c, inst, 0, pushOfArguments);
    splat();
  });
}

/**
 * Computes a value, and with `push` its operands, before the same loop. It uses no local that the kernel's code sets, because that code
 * comes later.
 */
function compute(c: Context, inst: Inst, row: number, push: typeof pushOfRow): void {
  scalarOperation(c, inst, (i, extend) => {
    const operand = inst.operands[i] as Inst;
    if (sinceOfGiven(operand) !== undefined) c.scalarExtended(operand, row, extend);
    else {
      push(c, operand, row);
      c.extendScalar(operand, extend);
    }
  });
}
