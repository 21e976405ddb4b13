// SPDX-License-Identifier: MIT
//
// Which narrow values are packed, sixteen bytes or eight halves to a vector, instead of one to each 32 bits (the bytes of eight lanes are
// half a vector): contiguous loads, the values computed from them, and values that are narrowed for packed arithmetic or stores.
import type { Divergence } from '../analyses/divergence';
import { constantOf } from '../ir/build';
import { type Block, type Func, type Inst, Op, type Target, Type, type Value } from '../ir/ir';
import { isNearlyPacked, isOfTriples, isReversed, patternOf, TRIPLE } from './access';

/** Bits of an element. */
export type PackedWidth = 8 | 16;

/** Operations on packed operands of the result's type. */
const ARITHMETIC = new Set([
  Op.Add,
  Op.Sub,
  Op.Mul,
  Op.And,
  Op.Or,
  Op.Xor,
  Op.Not,
  Op.Neg,
  Op.Abs,
  Op.PopCount,
  Op.Clz,
  Op.PermuteBytes,
  Op.LookUpBytes,
  Op.SMin,
  Op.SMax,
  Op.UMin,
  Op.UMax,
  Op.SAddSat,
  Op.UAddSat,
  Op.SSubSat,
  Op.USubSat,
  Op.SAvgR,
  Op.UAvgR,
]);
const SHIFTS = new Set([Op.Shl, Op.LShr, Op.AShr, Op.Rotl]);

export function isComparison(op: Op): boolean {
  return op >= Op.Eq && op <= Op.UGe;
}

/** Lanes whose bytes are a whole vector. */
export const LANES_OF_BYTES = 16;

/** The width at which values of a type are packed in a tile with this many lanes, if they can be. */
function packedWidth(type: Type, lanes: number): PackedWidth | undefined {
  if (type === Type.I8 && lanes >= 8) return 8;
  return type === Type.I16 && lanes >= 8 ? 16 : undefined;
}

export interface PackingInputs {
  readonly func: Func;
  readonly divergence: Divergence;
  readonly lanes: number;
  /** Bytes of an element of interleaved private memory; undefined for accesses to other memory. */
  interleavedBytes(access: Inst): number | undefined;
  /** Whether a load is made lane by lane, at any addresses. */
  isGathered(load: Inst): boolean;
  /** Whether a store of a byte is made together with others, as whole pixels. */
  isGrouped(store: Inst): boolean;
  /** Whether other code requires the value in 32 bits. */
  isExcluded(v: Value): boolean;
}

/** By value id: the widths of packed values. */
export function choosePacked(inputs: PackingInputs): Map<number, PackedWidth> {
  const { func, lanes } = inputs;
  const hasNarrow = func.blocks.some((b) => b.insts.some((i) => packedWidth(i.type, lanes)));
  return hasNarrow ? new Packing(inputs).run() : new Map();
}

interface Edge {
  readonly from: Block;
  readonly target: Target;
}

function edgesInto(joins: ReadonlySet<Block>, { blocks }: Func): ReadonlyMap<Block, readonly Edge[]> {
  const edges = new Map<Block, Edge[]>();
  if (joins.size === 0) return edges;
  for (const from of blocks)
    for (const target of from.targets) {
      if (!joins.has(target.block)) continue;
      const list = edges.get(target.block);
      if (list) list.push({ from, target });
      else edges.set(target.block, [{ from, target }]);
    }
  return edges;
}

/** Definitions precede uses in block order, so one pass over the instructions finds everything. */
class Packing {
  private readonly packed = new Map<number, PackedWidth>();
  private readonly users = new Map<number, Inst[]>();

  constructor(private readonly inputs: PackingInputs) {}

  run(): Map<number, PackedWidth> {
    const { func, isExcluded } = this.inputs;
    this.findUsers();
    const isNarrow = ({ type }: Value) => packedWidth(type, this.inputs.lanes) !== undefined;
    const joins = new Set(func.blocks.filter(({ params }) => params.some(isNarrow)));
    const edges = edgesInto(joins, func);
    const seen = new Set<Block>();
    for (const block of func.blocks) {
      if (joins.has(block)) this.packParams(block, edges.get(block) ?? [], seen);
      seen.add(block);
      for (const inst of block.insts) {
        if (!this.isVector(inst) || isExcluded(inst)) continue;
        const width = inst.type === Type.I1 ? this.truthWidth(inst, block) : this.numberWidth(inst, block);
        if (width) this.packed.set(inst.id, width);
      }
    }
    return this.packed;
  }

  /** Where paths join, numbers stay packed that are packed on each path. `seen`: the blocks before; a loop's last one is not. */
  private packParams(block: Block, edges: readonly Edge[], seen: ReadonlySet<Block>): void {
    if (!edges.every(({ from }) => seen.has(from))) return;
    for (const [i, param] of block.params.entries()) {
      const width = packedWidth(param.type, this.inputs.lanes);
      if (!width || !this.isVector(param) || this.inputs.isExcluded(param)) continue;
      const incoming = edges.map(({ from, target }) => ({ from, value: target.arguments[i]! }));
      if (
        incoming.every(({ from, value }) => this.fitsAsOperand(value, from, width)) &&
        incoming.some(({ value }) => this.isPacked(value))
      )
        this.packed.set(param.id, width);
    }
  }

  private findUsers(): void {
    for (const { insts, terminator } of this.inputs.func.blocks)
      for (const inst of [...insts, terminator])
        for (const { id } of inst.operands) {
          const list = this.users.get(id);
          if (list) list.push(inst);
          else this.users.set(id, [inst]);
        }
  }

  private isVector(v: Value): boolean {
    return Number.isNaN(this.inputs.divergence.stride[v.id]!);
  }

  /** Whether a value is one scalar for all lanes where `block` uses it. */
  private isShared(v: Value, block: Block): boolean {
    return !this.isVector(v) && !this.inputs.divergence.isTemporallyDivergent(v, block);
  }

  private isPacked(v: Value): boolean {
    return this.packed.has(v.id);
  }

  /** The width of a packed number. */
  private numberWidth(inst: Inst, block: Block): PackedWidth | undefined {
    const width = packedWidth(inst.type, this.inputs.lanes);
    return width && this.isPackable(inst, block, width) ? width : undefined;
  }

  private isPackable(inst: Inst, block: Block, width: PackedWidth): boolean {
    const { op, operands } = inst;
    if (op === Op.Load)
      return (
        this.isContiguous(inst) ||
        inst.facts.repeated !== undefined ||
        (this.inputs.isGathered(inst) && this.onlyFeedsPacked(inst)) ||
        (this.isTakenFromVectors(inst) &&
          (isReversed(this.inputs.divergence, inst, block) || this.onlyFeedsPacked(inst)))
      );
    if (ARITHMETIC.has(op)) return this.fits(operands, block, width);
    switch (op) {
      case Op.Select:
        return (
          operands.slice(1).every((o) => this.fitsAsOperand(o, block, width)) &&
          operands.some((o) => this.isPacked(o))
        );
      case Op.Shl:
      case Op.LShr:
      case Op.AShr:
      case Op.Rotl:
        return this.fits(operands, block, width);
      case Op.ZExt:
      case Op.SExt:
        return this.isPackableExtension(inst);
      case Op.FToS:
      case Op.FToU:
        return this.onlyFeedsPacked(inst) || this.usersOf(inst).every((user) => this.isPartOfWord(user));
      case Op.Trunc:
        return this.isPacked(operands[0]!) || this.onlyFeedsPacked(inst);
      default:
        return false;
    }
  }

  private isPackableExtension(inst: Inst): boolean {
    const [source] = inst.operands as [Value];
    if (source.type === Type.I1) return inst.op === Op.ZExt && this.isPacked(source);
    if (source.type !== Type.I8) return false;
    return this.packed.get(source.id) === 8 || this.onlyFeedsPacked(inst);
  }

  /** Whether all users of a value that is narrowed, widened or taken out of vectors will probably be packed. */
  private onlyFeedsPacked(inst: Inst): boolean {
    const isOfPixels = this.isOfPixels(inst);
    return this.usersOf(inst).every(
      (user) =>
        ARITHMETIC.has(user.op) ||
        (isOfPixels && user.type === Type.I16 && (user.op === Op.ZExt || user.op === Op.SExt)) ||
        (user.op === Op.Store && user.operands[0] !== inst && this.isStoredPacked(user)) ||
        (user.op === Op.Select && user.type === inst.type) ||
        (user.op === Op.Shl && user.operands[0] === inst && constantOf(user.operands[1]!) !== undefined) ||
        (SHIFTS.has(user.op) && this.isVector(user.operands[1]!) && user.operands[1]!.type === inst.type) ||
        (isComparison(user.op) && this.onlyDecidesNarrow(user)),
    );
  }

  /**
   * Whether a number is extended for a word that is put together from packed numbers, or such that may be. Their vectors are interleaved
   * then (emit/arithmetic/interleave.ts), and narrowing clamps what becomes an integer.
   */
  private isPartOfWord(extension: Inst): boolean {
    if (extension.op !== Op.ZExt) return false;
    let word = extension;
    for (;;) {
      const [user, ...others] = this.usersOf(word);
      if (!user || others.length > 0) break;
      const isMoved = user.op === Op.Shl && user.operands[0] === word && word.op === Op.ZExt;
      if (user.op !== Op.Or && !(isMoved && constantOf(user.operands[1]!) !== undefined)) break;
      word = user;
    }
    return word.op === Op.Or && this.isOfPackedParts(word, extension.operands[0]!.type);
  }

  private isOfPackedParts(word: Value, type: Type): boolean {
    if (constantOf(word) !== undefined || !this.isVector(word)) return !this.isVector(word);
    if (word.kind !== 'inst') return false;
    const [a, b] = word.operands as [Value, Value];
    switch (word.op) {
      case Op.Or:
        return this.isOfPackedParts(a, type) && this.isOfPackedParts(b, type);
      case Op.Shl:
        return constantOf(b) !== undefined && this.isOfPackedParts(a, type);
      case Op.ZExt:
        return a.type === type && a.kind === 'inst' && (this.isPacked(a) || isConversionOfFloat(a));
      default:
        return false;
    }
  }

  /** Whether a load is probably made with others as whole vectors, so that packed bytes are cheaper than words. */
  private isOfPixels(inst: Inst): boolean {
    return (
      inst.op === Op.Load &&
      this.inputs.lanes >= LANES_OF_BYTES &&
      isOfTriples(this.inputs.divergence, inst, inst.block)
    );
  }

  /** Whether a truth value only chooses between narrow values, or becomes one. */
  private onlyDecidesNarrow(truth: Inst): boolean {
    return this.usersOf(truth).every((user) => {
      if (user.type === Type.I1) return !isComparison(user.op) && this.onlyDecidesNarrow(user);
      const isNarrow = user.type === Type.I8 || user.type === Type.I16;
      return isNarrow && (user.op === Op.Select || user.op === Op.ZExt);
    });
  }

  private usersOf(inst: Inst): readonly Inst[] {
    return this.users.get(inst.id) ?? [];
  }

  private isStoredPacked(store: Inst): boolean {
    return this.isContiguous(store) || (store.operands[1]!.type === Type.I8 && this.inputs.isGrouped(store));
  }

  /** Whether a load's elements are a few elements apart, which permutations of whole vectors bring together. */
  private isTakenFromVectors(load: Inst): boolean {
    return (
      this.inputs.interleavedBytes(load) === undefined &&
      isNearlyPacked(this.inputs.divergence, load, load.block)
    );
  }

  private isContiguous(access: Inst): boolean {
    if (access.facts.volatile) return false;
    const pattern = patternOf(this.inputs.divergence, access, access.block);
    return pattern === (this.inputs.interleavedBytes(access) === undefined ? 'contiguous' : 'uniform');
  }

  /** Whether all operands of an operation are packed or uniform, and at least one is packed. */
  private fits(operands: readonly Value[], block: Block, width: PackedWidth): boolean {
    return (
      operands.every((o) => this.fitsAsOperand(o, block, width)) && operands.some((o) => this.isPacked(o))
    );
  }

  private fitsAsOperand(v: Value, block: Block, width: PackedWidth): boolean {
    return this.isVector(v) ? this.packed.get(v.id) === width : this.isShared(v, block);
  }

  /** The width of the masks of a comparison of packed values, or of a combination of such masks. */
  private truthWidth(inst: Inst, block: Block): PackedWidth | undefined {
    const { op, operands } = inst;
    if (isComparison(op)) {
      const width = packedWidth(operands[0]!.type, this.inputs.lanes);
      return width && this.fits(operands, block, width) ? width : undefined;
    }
    if (op !== Op.And && op !== Op.Or && op !== Op.Xor && op !== Op.Not) return undefined;
    let widest: PackedWidth | undefined;
    for (const o of operands) {
      if (this.isShared(o, block)) continue;
      const width = this.packed.get(o.id);
      if (!width) return undefined;
      if (!widest || width > widest) widest = width;
    }
    return widest;
  }
}

/** The width at which an instruction operates on packed numbers where there are enough lanes, judged only by the instruction. */
export function packableWidth(block: Block, inst: Inst, divergence: Divergence): PackedWidth | undefined {
  const { op, operands } = inst;
  const type = op === Op.Store ? operands[1]!.type : isComparison(op) ? operands[0]!.type : inst.type;
  const width = type === Type.I8 ? 8 : type === Type.I16 ? 16 : undefined;
  if (!width) return undefined;
  if (op === Op.Load || op === Op.Store) {
    const pattern = patternOf(divergence, inst, block);
    const isInOrder =
      pattern === 'contiguous' || pattern === 'repeated' || isOfPixel(divergence, inst, block);
    return !inst.facts.volatile && (isInOrder || isReversed(divergence, inst, block)) ? width : undefined;
  }
  const isExtension = op === Op.ZExt || op === Op.SExt;
  const isPacked =
    ARITHMETIC.has(op) || SHIFTS.has(op) || op === Op.Select || isComparison(op) || isExtension;
  return isPacked ? width : undefined;
}

const isConversionOfFloat = ({ op }: Inst): boolean => op === Op.FToS || op === Op.FToU;

/** Whether neighbouring work-items access bytes three apart, and store all three. */
function isOfPixel(divergence: Divergence, access: Inst, block: Block): boolean {
  if (!isOfTriples(divergence, access, block)) return false;
  const isSibling = (i: Inst) => i.op === Op.Store && i.operands[0] === access.operands[0];
  return access.op === Op.Load || block.insts.filter(isSibling).length >= TRIPLE;
}
