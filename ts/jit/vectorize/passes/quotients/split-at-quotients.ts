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
import { type Divergence, X, Y } from '../../../analyses/divergence';
import { Uses } from '../../../analyses/uses';
import { addBlock, branchTo, constantOf, isPrologueOp, Leaves, makeInst } from '../../../ir/build';
import { reversePostorder } from '../../../ir/cfg';
import { copyBlocks } from '../../../ir/copy-blocks';
import { type Block, type Func, type Inst, Op, Target, Type, type Value } from '../../../ir/ir';
import { isPure } from '../../../ir/rewrite';
import { bytesOf } from '../../../ir/types';
import type { Tile } from '../../tile';
import { constantQuotient } from './constant-quotients';

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
  /** Or the operations of a quotient by a constant (constant-quotients.ts). */
  readonly divisor: Value | readonly Inst[];
  readonly quotients: Inst[];
  readonly remainders: Inst[];
}

/** One of them. */
type Part = Omit<Division, 'quotients' | 'remainders'> & { readonly isRemainder: boolean };

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
  private readonly leaves: Leaves;
  private readonly uses: Uses;
  private block!: Block;
  private region!: ReadonlySet<Block>;

  constructor(
    private readonly func: Func,
    private readonly divergence: Divergence,
    private readonly tile: Tile,
  ) {
    this.leaves = new Leaves(func);
    this.uses = new Uses(func);
  }

  find(): Split | undefined {
    const { dominators } = this.divergence.flow;
    for (const block of dominators.order) {
      const first = block.insts.findIndex((inst) => this.partOf(inst));
      if (first < 0 || this.divergence.flow.loopOf(block)) continue;
      // From the start on, if a kernel begins with it: then each copy has a loop over tiles of its own (emit/control/unmasked-copies.ts).
      const at = dominators.idomOf(block) === this.func.entry ? 0 : first;
      const region = this.dominated(block);
      if (!isCopyable(region, block, at)) continue;
      this.block = block;
      this.region = region;
      for (const inst of block.insts.slice(0, at)) this.available.set(inst, true);
      const divisions = this.divisions();
      if (divisions.every((division) => this.isOnlyIndex(division))) return undefined;
      // Stores of both copies are to one place then.
      for (const { insts } of region)
        for (const { op, operands } of insts) if (op === Op.Store) this.isAvailable(operands[0]!);
      return { block, at, region, divisions, earlier: this.earlier };
    }
    return undefined;
  }

  /**
   * Whether only remainders are needed, as indices of elements that are neighbours: each access tests that by itself, and for less
   * (contiguity.ts).
   */
  private isOnlyIndex({ dividend, quotients, remainders }: Division): boolean {
    if (quotients.length > 0) return false;
    const stride = this.divergence.strideAt(dividend, remainders[0]!.block);
    /** Bytes from a work-item to the next one. */
    const scales = new Map<Value, number>(remainders.map((inst) => [inst, stride]));
    for (const [value, scale] of scales) {
      if (this.uses.paramsGiven(value).length > 0) return false;
      for (const user of this.uses.usersOf(value)) {
        const accessed = accessedBytes(user, value);
        if (accessed === scale) continue;
        const factor = accessed === undefined ? factorOf(user, value) : undefined;
        if (factor === undefined) return false;
        scales.set(user, scale * factor);
      }
    }
    return true;
  }

  /** What an instruction computes from an affine number that is taken apart. */
  private partOf(inst: Inst): Part | undefined {
    if (inst.type !== Type.I32 || !Number.isNaN(this.divergence.strideAt(inst, inst.block))) return undefined;
    const kind = DIVISIONS[inst.op];
    const [dividend, divisor] = inst.operands as [Value, Value];
    const { block } = inst;
    if (kind) return this.isSplit(dividend, divisor, block) ? { ...kind, dividend, divisor } : undefined;
    const found = constantQuotient(inst);
    if (found) {
      const { isSigned, divisor: known, chain } = found;
      if (!this.isSplit(found.dividend, known, block)) return undefined;
      return { isSigned, dividend: found.dividend, divisor: chain, isRemainder: false };
    }
    const power = powerOfTwo(inst);
    if (power === undefined || !this.isSplit(dividend, power, block)) return undefined;
    return { isSigned: false, isRemainder: inst.op === Op.And, dividend, divisor: this.leaves.i32(power) };
  }

  private isSplit(dividend: Value, divisor: Value | number, block: Block): boolean {
    const { divergence, tile } = this;
    const dims = tile.rows > 1 ? X | Y : X;
    const stride = divergence.strideAt(dividend, block);
    if (stride === 0 || !(Math.abs(stride) < LEAST_LONG_STRIDE)) return false;
    if ((divergence.dimsAt(dividend, block) & dims) !== X) return false;
    const known = typeof divisor === 'number' ? divisor : constantOf(divisor);
    if (known !== undefined) return Number(known) >= leastDivisor(stride, tile);
    return (divergence.dimsAt(divisor as Value, block) & dims) === 0;
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
        const part = this.partOf(inst);
        if (!part) continue;
        const { isSigned, isRemainder, dividend, divisor } = part;
        if (!this.isAvailable(dividend)) continue;
        if (!isChain(divisor) && !this.isAvailable(divisor)) continue;
        let same = found.find(
          (d) => d.isSigned === isSigned && d.dividend === dividend && d.divisor === divisor,
        );
        if (!same) {
          same = { isSigned, dividend, divisor, quotients: [], remainders: [] };
          found.push(same);
        }
        (isRemainder ? same.remainders : same.quotients).push(inst);
      }
    // Not what is a part of another quotient, such as the sign of its dividend.
    const parts = new Set(found.flatMap(({ divisor }) => (isChain(divisor) ? divisor.slice(0, -1) : [])));
    return found.filter(({ divisor }) => !isChain(divisor) || !parts.has(divisor.at(-1)!));
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

/** The bytes of the element that an instruction loads or stores at a value. */
function accessedBytes({ op, type, operands }: Inst, at: Value): number | undefined {
  if (op === Op.Load) return bytesOf(type);
  return op === Op.Store && operands[1] !== at ? bytesOf(operands[1]!.type) : undefined;
}

/** By what an instruction that makes an address of an index multiplies it. */
function factorOf({ op, operands }: Inst, index: Value): number | undefined {
  if (op === Op.Add || op === Op.SExt || op === Op.ZExt) return 1;
  const by = operands[0] === index ? operands[1] && constantOf(operands[1]) : undefined;
  if (by === undefined) return undefined;
  return op === Op.Mul ? Number(by) : op === Op.Shl ? 2 ** Number(by) : undefined;
}

/** The divisor of a shift or a mask that is a quotient or a remainder of unsigned numbers by a power of two. */
function powerOfTwo({ op, operands }: Inst): number | undefined {
  const by = operands[1] && constantOf(operands[1]);
  if (by === undefined) return undefined;
  if (op === Op.LShr && Number(by) < 31) return 2 ** Number(by);
  const limit = Number(by) + 1;
  return op === Op.And && limit > 1 && (limit & Number(by)) === 0 ? limit : undefined;
}

const leastDivisor = (stride: number, { lanes }: Tile): number => Math.abs(stride) * lanes * LEAST_TILES;

/** Whether there may be two copies of what follows the first division. */
function isCopyable(region: ReadonlySet<Block>, block: Block, at: number): boolean {
  let size = -at;
  for (const { insts } of region) {
    size += insts.length;
    if (insts.some(({ op }) => !isPure(op) && op !== Op.Load && op !== Op.Store)) return false;
  }
  return block.terminator.op !== Op.Unreachable && size <= MOST_INSTRUCTIONS;
}

const isChain = (divisor: Division['divisor']): divisor is readonly Inst[] => Array.isArray(divisor);

/** The operations of a chain on another number. */
function repeat(
  chain: readonly Inst[],
  dividend: Value,
  number: Inst,
  emit: (op: Op, type: Type, operands: readonly Value[]) => Inst,
): Inst {
  const made = new Map<Value, Inst>([[dividend, number]]);
  for (const inst of chain)
    made.set(
      inst,
      emit(
        inst.op,
        inst.type,
        inst.operands.map((o) => made.get(o) ?? o),
      ),
    );
  return made.get(chain.at(-1)!)!;
}

function divide(func: Func, split: Split, divergence: Divergence, tile: Tile): void {
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
    const stride = divergence.stride[dividend.id]!;
    const ends = [Op.TileFirst, Op.TileLast].map((op) => emit(op, Type.I32, [dividend])) as [Inst, Inst];
    const [least, most] = stride > 0 ? ends : (ends.toReversed() as [Inst, Inst]);
    // Numbers that wrap between the first and the last work-item fail a test.
    if (isChain(divisor)) {
      const [first, last] = [least, most].map((number) => repeat(divisor, dividend, number, emit)) as [
        Inst,
        Inst,
      ];
      for (const inst of quotients) known.set(inst, first);
      const grows = emit(isSigned ? Op.SLe : Op.ULe, Type.I1, [least, most]);
      return [grows, emit(Op.Eq, Type.I1, [first, last])];
    }
    const quotient = emit(isSigned ? Op.SDiv : Op.UDiv, Type.I32, [least, divisor]);
    const multiple = emit(Op.Mul, Type.I32, [quotient, divisor]);
    for (const inst of quotients) known.set(inst, quotient);
    if (remainders.length > 0) {
      const remainder = emit(Op.Sub, Type.I32, [dividend, multiple]);
      for (const inst of remainders) known.set(inst, remainder);
    }
    // So do numbers below 0. From -3 to 4, the quotient by 100 is 0 and the remainders are the numbers themselves.
    const grows = isSigned
      ? emit(Op.SGe, Type.I1, [most, leaves.i32(0)])
      : emit(Op.ULe, Type.I1, [least, most]);
    const end = emit(Op.Sub, Type.I32, [most, multiple]);
    const isWithin = emit(isSigned ? Op.SLt : Op.ULt, Type.I1, [end, divisor]);
    const smallest = leaves.i32(leastDivisor(stride, tile));
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
