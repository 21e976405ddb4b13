// SPDX-License-Identifier: MIT
//
// Ids that are taken apart, as kernels of one dimension do that work on rows, planes or channels:
//
//     x = id % w,  y = id / w,  o[id] = a[y] * b[x]
//
// The work-items of a tile share the quotient, and their remainders are consecutive, unless the tile goes across a multiple of the
// divisor. So there are two copies of what follows the first division, of which the tile takes one:
//
//     if (last - first / w * w < w)  { y = first / w,  x = id - y * w  ... }    the same y for all, x affine
//     else                           { y = id / w,     x = id % w      ... }
import { type Divergence, X, Y } from '../../analyses/divergence';
import { addBlock, branchTo, constantOf, isPrologueOp, Leaves, makeInst } from '../../ir/build';
import { reversePostorder } from '../../ir/cfg';
import { copyBlocks } from '../../ir/copy-blocks';
import { type Block, type Func, type Inst, Op, Target, Type, type Value } from '../../ir/ir';
import { isPure } from '../../ir/rewrite';
import type { Tile } from '../tile';

/** There are two copies of the code. */
const MOST_INSTRUCTIONS = 100;
/** Operations on ids and arguments from which a dividend is computed. */
const DEEPEST = 12;
/** Of smaller divisors, in tiles, many tiles go across a multiple. */
const LEAST_TILES = 2;
/** Below it, numbers grow by less than 2^31 from a tile's first work-item to its last one. */
const LEAST_LONG_STRIDE = 2 ** 16;

/** The operations with quotients, and those with remainders. */
const DIVISIONS: Partial<Record<Op, { readonly isSigned: boolean; readonly isRemainder: boolean }>> = {
  [Op.SDiv]: { isSigned: true, isRemainder: false },
  [Op.UDiv]: { isSigned: false, isRemainder: false },
  [Op.SRem]: { isSigned: true, isRemainder: true },
  [Op.URem]: { isSigned: false, isRemainder: true },
};

/** Divisions of one affine number by one that all work-items share. */
interface Division {
  readonly isSigned: boolean;
  readonly dividend: Value;
  readonly divisor: Value;
  readonly quotients: Inst[];
  readonly remainders: Inst[];
}

/** Where the copies begin. */
interface Split {
  readonly block: Block;
  /** The number of the block's instructions that stay before the copies. */
  readonly at: number;
  /** The block, and all that it dominates. */
  readonly region: ReadonlySet<Block>;
  readonly divisions: readonly Division[];
  /** What is computed before it, in order. */
  readonly earlier: readonly Inst[];
}

/** Returns whether it changed the function, which invalidates the analyses. */
export function splitAtQuotients(func: Func, divergence: Divergence, tile: Tile): boolean {
  const split = new Search(func, divergence, tile).find();
  if (!split) return false;
  divide(func, split, divergence, tile);
  func.blocks = reversePostorder(func);
  return true;
}

class Search {
  private readonly available = new Map<Value, boolean>();
  private readonly earlier: Inst[] = [];
  private block!: Block;
  private region!: ReadonlySet<Block>;

  constructor(
    private readonly func: Func,
    private readonly divergence: Divergence,
    private readonly tile: Tile,
  ) {}

  find(): Split | undefined {
    const { dominators } = this.divergence.flow;
    for (const block of dominators.order) {
      const first = block.insts.findIndex((inst) => this.isDivision(inst));
      if (first < 0 || this.divergence.flow.loopOf(block)) continue;
      // From the start on, if a kernel begins with it: then each copy has a loop over tiles of its own (emit/unmasked-copies.ts).
      const at = dominators.idomOf(block) === this.func.entry ? 0 : first;
      const region = this.dominated(block);
      if (!isCopyable(region, block, at)) continue;
      this.block = block;
      this.region = region;
      for (const inst of block.insts.slice(0, at)) this.available.set(inst, true);
      const divisions = this.divisions();
      // Stores of both copies are to one place then.
      for (const { insts } of region)
        for (const { op, operands } of insts) if (op === Op.Store) this.isAvailable(operands[0]!);
      return divisions.length > 0 ? { block, at, region, divisions, earlier: this.earlier } : undefined;
    }
    return undefined;
  }

  private isDivision({ op, type, operands, block }: Inst): boolean {
    if (!DIVISIONS[op] || type !== Type.I32) return false;
    const { divergence } = this;
    const dims = this.tile.rows > 1 ? X | Y : X;
    const [dividend, divisor] = operands as [Value, Value];
    const known = constantOf(divisor);
    const stride = divergence.strideAt(dividend, block);
    return (
      stride !== 0 &&
      Math.abs(stride) < LEAST_LONG_STRIDE &&
      (divergence.dimsAt(dividend, block) & dims) === X &&
      (divergence.dimsAt(divisor, block) & dims) === 0 &&
      (known === undefined || Number(known) >= Math.abs(stride) * this.tile.lanes * LEAST_TILES)
    );
  }

  private dominated(block: Block): Set<Block> {
    const found = new Set([block]);
    for (const at of found)
      for (const child of this.divergence.flow.dominators.childrenOf(at)) found.add(child);
    return found;
  }

  /** The divisions whose operands are known at the first one. */
  private divisions(): Division[] {
    const found: Division[] = [];
    for (const { insts } of this.region)
      for (const inst of insts) {
        if (!this.isDivision(inst)) continue;
        const [dividend, divisor] = inst.operands as [Value, Value];
        if (!this.isAvailable(dividend) || !this.isAvailable(divisor)) continue;
        const { isSigned, isRemainder } = DIVISIONS[inst.op]!;
        let same = found.find(
          (d) => d.isSigned === isSigned && d.dividend === dividend && d.divisor === divisor,
        );
        if (!same) {
          same = { isSigned, dividend, divisor, quotients: [], remainders: [] };
          found.push(same);
        }
        (isRemainder ? same.remainders : same.quotients).push(inst);
      }
    return found;
  }

  /** Whether a value is known before the first division, or can be computed there from such values by scalars. */
  private isAvailable(value: Value, depth = 0): boolean {
    if (!this.region.has(value.block)) return true;
    const known = this.available.get(value);
    if (known !== undefined) return known;
    if (value.kind === 'param') return value.block === this.block;
    const isScalar = !Number.isNaN(this.divergence.strideAt(value, value.block));
    const can =
      isScalar &&
      depth < DEEPEST &&
      isPure(value.op) &&
      !isPrologueOp(value.op) &&
      !DIVISIONS[value.op] &&
      value.operands.every((operand) => this.isAvailable(operand, depth + 1));
    this.available.set(value, can);
    if (can) this.earlier.push(value);
    return can;
  }
}

/** Whether there may be two copies of what follows the first division. */
function isCopyable(region: ReadonlySet<Block>, block: Block, at: number): boolean {
  let size = -at;
  for (const { insts } of region) {
    size += insts.length;
    if (insts.some(({ op }) => !isPure(op) && op !== Op.Load && op !== Op.Store)) return false;
  }
  return block.terminator.op !== Op.Unreachable && size <= MOST_INSTRUCTIONS;
}

function divide(func: Func, split: Split, divergence: Divergence, { lanes }: Tile): void {
  const { block, at, region, divisions, earlier } = split;
  const { position } = block.insts[at]!;
  const moved = new Set(earlier);
  for (const other of region)
    if (other !== block) other.insts = other.insts.filter((inst) => !moved.has(inst));

  // The first division and what follows it become a block of their own.
  const rest = addBlock(func);
  rest.insts = block.insts.slice(at).filter((inst) => !moved.has(inst));
  rest.terminator = block.terminator;
  rest.targets = block.targets;
  for (const inst of [...rest.insts, rest.terminator]) inst.block = rest;
  block.insts = [...block.insts.slice(0, at), ...earlier];
  for (const inst of earlier) inst.block = block;

  const leaves = new Leaves(func);
  const emit = (op: Op, type: Type, operands: readonly Value[]): Inst => {
    const inst = makeInst(func, block, op, type, operands, {}, position);
    block.insts.push(inst);
    return inst;
  };
  const known = new Map<Value, Value>();
  const tests = divisions.flatMap(({ isSigned, dividend, divisor, quotients, remainders }) => {
    const ends = [Op.TileFirst, Op.TileLast].map((op) => emit(op, Type.I32, [dividend])) as [Inst, Inst];
    const [least, most] = divergence.stride[dividend.id]! > 0 ? ends : (ends.toReversed() as [Inst, Inst]);
    const quotient = emit(isSigned ? Op.SDiv : Op.UDiv, Type.I32, [least, divisor]);
    const multiple = emit(Op.Mul, Type.I32, [quotient, divisor]);
    for (const inst of quotients) known.set(inst, quotient);
    if (remainders.length > 0) {
      const remainder = emit(Op.Sub, Type.I32, [dividend, multiple]);
      for (const inst of remainders) known.set(inst, remainder);
    }
    // Numbers that wrap between the first and the last work-item fail the test, and so do those below 0. From -3 to 4, the quotient by 100
    // is 0 and the remainders are the numbers themselves.
    const grows = isSigned
      ? emit(Op.SGe, Type.I1, [most, leaves.i32(0)])
      : emit(Op.ULe, Type.I1, [least, most]);
    const end = emit(Op.Sub, Type.I32, [most, multiple]);
    const isWithin = emit(isSigned ? Op.SLt : Op.ULt, Type.I1, [end, divisor]);
    const smallest = leaves.i32(Math.abs(divergence.stride[dividend.id]!) * lanes * LEAST_TILES);
    const isLarge = emit(isSigned ? Op.SGe : Op.UGe, Type.I1, [divisor, smallest]);
    return [isLarge, grows, isWithin];
  });
  const test = tests.reduce((all, one) => emit(Op.And, Type.I1, [all, one]));

  const copies = copyBlocks(
    func,
    [...region].map((b) => (b === block ? rest : b)),
    known,
  );
  const shared = copies.blocks.get(rest)!;
  branchTo(func, block, test, [new Target(shared), new Target(rest)], position);
  block.terminator.facts = { splitsTiles: true };
}
