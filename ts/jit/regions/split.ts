// SPDX-License-Identifier: MIT
//
// The blocks of a kernel with barriers end where regions may end (regions.ts).
import { makeInst } from '../ir/build';
import { Block, type Func, type Inst, Op, type SourcePosition, Target, Type } from '../ir/ir';

/** Whether all work-items of a group must reach an operation before any continues. */
export function isGroupWide(inst: Inst): boolean {
  switch (inst.op) {
    case Op.Barrier:
      return inst.facts.scope !== 'sub-group' && inst.facts.scope !== 'work-item';
    case Op.GroupAll:
    case Op.GroupAny:
    case Op.GroupBroadcast:
    case Op.GroupReduce:
    case Op.GroupScanInclusive:
    case Op.GroupScanExclusive:
      return inst.facts.scope === 'work-group';
    default:
      return false;
  }
}

/** The same for the work-items of a sub-group. */
export function isSubGroupWide({ op, facts }: Inst): boolean {
  if (facts.scope !== 'sub-group' || facts.byActive) return false;
  return op === Op.Barrier || (op >= Op.GroupAll && op <= Op.GroupScanExclusive);
}

export function hasBarriers(func: Func): boolean {
  return func.blocks.some((b) => b.insts.some(isGroupWide));
}

/** Splits blocks so that each group-wide operation is the last instruction of its block, followed by a jump. */
export function splitAtBarriers(func: Func): boolean {
  if (!hasBarriers(func)) return false;
  func.blocks = func.blocks.flatMap((block) => splitBlock(func, block));
  return true;
}

/** A block, and the blocks that its parts after group-wide operations become. */
function splitBlock(func: Func, block: Block): Block[] {
  if (!block.insts.some(isGroupWide)) return [block];
  const { insts, terminator, targets } = block;
  const parts = [block];
  let part = block;
  part.insts = [];
  for (const inst of insts) {
    inst.block = part;
    if (isGroupWide(inst)) part.insts.push(...copiedOperands(func, part, inst));
    part.insts.push(inst);
    if (!isGroupWide(inst)) continue;
    const rest = new Block(func.freshId());
    jumpTo(func, part, rest, terminator.position);
    parts.push(rest);
    part = rest;
  }
  part.terminator = terminator;
  part.terminator.block = part;
  part.targets = targets;
  return parts;
}

export function jumpTo(func: Func, block: Block, to: Block, position?: SourcePosition): void {
  block.terminator = makeInst(func, block, Op.Jump, Type.Void, [], {}, position);
  block.targets = [new Target(to)];
}

/** Operands of a group operation become separate values, which slots keep. */
function copiedOperands(func: Func, block: Block, inst: Inst): Inst[] {
  if (inst.op === Op.Barrier) return [];
  const copies = inst.operands.map((o) => makeInst(func, block, Op.Bitcast, o.type, [o], {}, inst.position));
  inst.operands = copies;
  return copies;
}

/** Whether a block ends with a group-wide operation, and so do regions. */
export function endsRegion({ insts }: Block): boolean {
  const last = insts[insts.length - 1];
  return last !== undefined && isGroupWide(last);
}
