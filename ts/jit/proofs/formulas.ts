// SPDX-License-Identifier: MIT
//
// Values as formulas (`SummaryNode`), each at a place in the control flow, whose conditions refine it.
import type { Arithmetic, IdKind, SummaryCondition, SummaryNode } from '../../base/access-summary';
import type { KernelSignature } from '../../base/kernel-abi';
import { dominatorsOf } from '../ir/cfg';
import { type Block, type BlockParam, type Func, type Inst, Op, type Value } from '../ir/ir';
import { bitsOf, isFloat } from '../ir/types';
import type { MemoryRoots } from '../passes/memory-roots';
import { type Condition, type ControlConditions, comparisonOf, type Edge, swapped } from './conditions';
import { ValueNumbers } from './value-numbers';

/** A kernel whose formulas are larger is not worth the time. */
const MOST_NODES = 3000;
const MOST_DEPTH = 200;

const ARITHMETIC: ReadonlyMap<Op, Arithmetic> = new Map([
  [Op.Add, 'add'],
  [Op.Sub, 'sub'],
  [Op.Mul, 'mul'],
  [Op.Shl, 'shl'],
  [Op.LShr, 'lshr'],
  [Op.AShr, 'ashr'],
  [Op.And, 'and'],
  [Op.Or, 'or'],
  [Op.Xor, 'xor'],
  [Op.SDiv, 'sdiv'],
  [Op.UDiv, 'udiv'],
  [Op.SRem, 'srem'],
  [Op.URem, 'urem'],
  [Op.SMin, 'smin'],
  [Op.SMax, 'smax'],
  [Op.UMin, 'umin'],
  [Op.UMax, 'umax'],
]);

const IDS: ReadonlyMap<Op, IdKind> = new Map([
  [Op.GlobalId, 'global'],
  [Op.LocalId, 'local'],
  [Op.GroupId, 'group'],
  [Op.GlobalSize, 'global-size'],
  [Op.EnqueuedLocalSize, 'local-size'],
  [Op.LocalSize, 'group-size'],
  [Op.NumGroups, 'groups'],
  [Op.GlobalOffset, 'global-offset'],
  [Op.LocalLinearId, 'linear-local'],
]);

/** The formulas have grown too large. */
export class TooLarge extends Error {}

/** A place in the control flow, and what holds there. */
interface Place {
  readonly key: string;
  readonly conditions: readonly Condition[];
}

export class Formulas {
  readonly nodes: SummaryNode[] = [];
  private readonly numbers = new ValueNumbers();
  private readonly known = new Map<string, number>();
  private readonly loops = new Map<string, number>();
  private readonly dominators;
  /** Values whose comparisons say nothing. */
  private readonly unstable: ReadonlySet<Value>;
  private depth = 0;

  /**
   * `isStable`: memory that was compared still has the same contents where it is read again. It may not if another kernel writes
   * it, and a pass may read it twice.
   */
  constructor(
    func: Func,
    private readonly signature: KernelSignature,
    private readonly roots: MemoryRoots,
    private readonly conditions: ControlConditions,
    isStable: boolean,
  ) {
    this.dominators = dominatorsOf(func);
    this.unstable = isStable ? new Set() : valuesFromMemory(func);
  }

  /** A value in a block. */
  value(value: Value, block: Block): number {
    return this.at(value, this.inBlock(block), undefined);
  }

  /** An address in a block, relative to the object that it is derived from. */
  address(address: Value, root: Inst, block: Block): number {
    return this.at(address, this.inBlock(block), root);
  }

  condition({ a, by, b }: Condition, block: Block): SummaryCondition {
    return { by, a: this.value(a, block), b: this.value(b, block), width: bitsOf(a.type) };
  }

  private inBlock(block: Block): Place {
    return { key: `${block.id}`, conditions: this.conditions.at(block) };
  }

  private onEdge(edge: Edge): Place {
    const { from, target } = edge;
    return { key: `${from.id}>${from.targets.indexOf(target)}`, conditions: this.conditions.on(edge) };
  }

  private add(node: SummaryNode): number {
    if (this.nodes.length >= MOST_NODES) throw new TooLarge();
    return this.nodes.push(node) - 1;
  }

  private unknown({ type }: Value): number {
    return this.add({ op: 'unknown', width: isFloat(type) ? 64 : bitsOf(type) });
  }

  /** `root`: the value is an address within this object. */
  private at(value: Value, place: Place, root: Inst | undefined): number {
    const key = `${this.numbers.of(value)} ${place.key} ${root ? root.id : ''}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    if (isFloat(value.type) || this.depth > MOST_DEPTH) return this.unknown(value);
    this.depth++;
    const plain = value.kind === 'param' ? this.param(value, root) : this.instruction(value, place, root);
    const node = root ? plain : this.refined(plain, value, place);
    this.depth--;
    this.known.set(key, node);
    return node;
  }

  private refined(node: number, value: Value, place: Place): number {
    if (value.kind === 'inst' && value.op === Op.Const) return node;
    if (this.unstable.has(value)) return node;
    const number = this.numbers.of(value);
    let refined = node;
    for (const condition of place.conditions)
      for (const { a, by, b } of [condition, swapped(condition)]) {
        if (a.type !== value.type || this.numbers.of(a) !== number) continue;
        // While the bound is computed, the value has the conditions so far.
        this.known.set(`${number} ${place.key} `, refined);
        const bound = this.at(b, place, undefined);
        refined = this.add({ op: 'refine', by, a: refined, b: bound, width: bitsOf(value.type) });
      }
    return refined;
  }

  private param(param: BlockParam, root: Inst | undefined): number {
    const { block, type } = param;
    const key = `${param.id} ${root ? root.id : ''}`;
    const known = this.loops.get(key);
    if (known !== undefined) return known;
    const at = block.params.indexOf(param);
    const width = bitsOf(type);
    const first: number[] = [];
    const next: number[] = [];
    const isLoop = this.dominators.preds.get(block)!.some((pred) => this.dominators.dominates(block, pred));
    const node = isLoop
      ? this.add({ op: 'loop', first, next, width })
      : this.add({ op: 'merge', of: first, width });
    this.loops.set(key, node);
    for (const from of new Set(this.dominators.preds.get(block)))
      for (const target of from.targets) {
        if (target.block !== block) continue;
        const given = this.at(target.arguments[at]!, this.onEdge({ from, target }), root);
        (this.dominators.dominates(block, from) ? next : first).push(given);
      }
    return node;
  }

  private instruction(inst: Inst, place: Place, root: Inst | undefined): number {
    const { op, operands, facts } = inst;
    const width = bitsOf(inst.type);
    if (root) return this.derived(inst, place, root);
    if (this.roots.rootOf(inst)) return this.unknown(inst);
    const operand = (at: number) => this.at(operands[at]!, place, undefined);
    const sign = op === Op.Sub ? this.notSmaller(operands[0]!, operands[1]!, place) : undefined;
    if (sign) return this.add({ op: 'difference', by: sign, a: operand(0), b: operand(1), width });
    const arithmetic = ARITHMETIC.get(op);
    if (arithmetic) return this.add({ op: arithmetic, a: operand(0), b: operand(1), width });
    const by = comparisonOf(op);
    if (by)
      return this.add({ op: 'compare', by, a: operand(0), b: operand(1), width: bitsOf(operands[0]!.type) });
    const id = IDS.get(op);
    if (id) return this.add({ op: 'id', of: id, dimension: facts.dimension ?? 0, width });
    switch (op) {
      case Op.Const:
        return this.add({ op: 'constant', value: Number(facts.bits), width });
      case Op.Argument: {
        const argument = this.signature.arguments[facts.index!]!;
        if (argument.kind !== 'value') return this.unknown(inst);
        return this.add({ op: 'argument', offset: argument.offset + (facts.offset ?? 0), width });
      }
      case Op.Not:
        if (width !== 1) return this.unknown(inst);
        return this.add({
          op: 'sub',
          a: this.add({ op: 'constant', value: 1, width: 32 }),
          b: operand(0),
          width: 32,
        });
      case Op.Neg:
        return this.add({
          op: 'sub',
          a: this.add({ op: 'constant', value: 0, width }),
          b: operand(0),
          width,
        });
      case Op.SExt:
      case Op.ZExt:
        return this.add({
          op: op === Op.SExt ? 'sext' : 'zext',
          a: operand(0),
          from: bitsOf(operands[0]!.type),
          width,
        });
      case Op.Trunc:
        return this.add({ op: 'trunc', a: operand(0), width });
      case Op.Select:
        return this.select(inst, place, undefined);
      default:
        return this.unknown(inst);
    }
  }

  /** Whether `a` is known to be no smaller than `b` here. */
  private notSmaller(a: Value, b: Value, place: Place): 'signed' | 'unsigned' | undefined {
    if (this.unstable.has(a) || this.unstable.has(b)) return undefined;
    const [x, y] = [this.numbers.of(a), this.numbers.of(b)];
    for (const condition of place.conditions)
      for (const each of [condition, swapped(condition)]) {
        if (this.numbers.of(each.a) !== x || this.numbers.of(each.b) !== y) continue;
        if (each.by === 'sge' || each.by === 'sgt') return 'signed';
        if (each.by === 'uge' || each.by === 'ugt') return 'unsigned';
      }
    return undefined;
  }

  /** An address: the object's plus a number. */
  private derived(inst: Inst, place: Place, root: Inst): number {
    const { op, operands } = inst;
    const width = bitsOf(inst.type);
    if (inst === root) return this.add({ op: 'constant', value: 0, width });
    if (op === Op.Select) return this.select(inst, place, root);
    if (op !== Op.Add && op !== Op.Sub) return this.unknown(inst);
    const [a, b] = operands.map((operand) =>
      this.at(operand, place, this.roots.rootOf(operand) === root ? root : undefined),
    ) as [number, number];
    return this.add({ op: op === Op.Add ? 'add' : 'sub', a, b, width });
  }

  private select({ operands, type }: Inst, place: Place, root: Inst | undefined): number {
    const condition = operands[0]!;
    const side = (value: Value, holds: boolean): number => {
      const more = this.conditions.of(condition, holds).list;
      const key = `${place.key}?${condition.id}${holds}`;
      return this.at(value, { key, conditions: [...place.conditions, ...more] }, root);
    };
    return this.add({
      op: 'merge',
      of: [side(operands[1]!, true), side(operands[2]!, false)],
      width: bitsOf(type),
    });
  }
}

/** Values that depend on what was read from memory. */
function valuesFromMemory(func: Func): Set<Value> {
  const found = new Set<Value>();
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { insts, targets } of func.blocks) {
      for (const inst of insts)
        if (inst.op >= Op.Load || inst.operands.some((operand) => found.has(operand))) found.add(inst);
      for (const { block, arguments: args } of targets)
        args.forEach((arg, at) => {
          if (found.has(arg)) found.add(block.params[at]!);
        });
    }
  }
  return found;
}
