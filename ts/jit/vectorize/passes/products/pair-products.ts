// SPDX-License-Identifier: MIT
//
// Sums of products of 16-bit numbers, as in conversions of colours, filters and mixers: two products and their sum are one instruction
// (`hdot` of Op.Bytes), whose operands are words of two halves. Such a word is two packed numbers that are interleaved, which costs less than
// to extend them; or it exists, as a pixel or as a sample of two channels.
//
//     a * 298 + b * 409 + c     becomes     hdot(a | b << 16, 298 | 409 << 16) + c
import type { Divergence } from '../../../analyses/divergence';
import type { Uses } from '../../../analyses/uses';
import { Leaves, makeInst } from '../../../ir/build';
import { type Block, type Func, type Inst, Op, Type, type Value } from '../../../ir/ir';
import { Replacements } from '../../../ir/rewrite';
import { removeDeadCode } from '../../../passes/dead-code';
import { Ranges } from '../../ranges';
import { LowBits } from '../narrow/low-bits';
import { LowValues } from '../narrow/low-values';
import { packedHalves } from '../narrow/packed-halves';
import { keyOf, type WordHalf, wordHalfOf } from '../words/word-halves';
import { isInnerSum, isSum } from './sum-terms';
import { sumOf, type Term } from './sums-of-products';

const HALF = 16;
const HALF_MASK = 0xffff;
/** Where an eighth of a vector is a number of a work-item. */
const LEAST_LANES_OF_PACKED = 8;

/** Returns whether it changed the function, which invalidates the analyses. */
export function pairProducts(func: Func, divergence: Divergence, uses: Uses, lanes: number): boolean {
  const isVector = (v: Value) => Number.isNaN(divergence.stride[v.id]!);
  const isFactor = (i: Inst) => i.type === Type.I32 && (i.op === Op.Mul || i.op === Op.AShr) && isVector(i);
  let factors = 0;
  for (const { insts } of func.blocks) for (const inst of insts) if (isFactor(inst)) factors++;
  if (factors < 2) return false;
  const pairing = new Pairing(func, divergence, uses, lanes);
  let changed = false;
  for (const block of func.blocks) if (block !== func.entry && pairing.pairIn(block)) changed = true;
  if (!changed) return false;
  pairing.replaced.apply(func);
  removeDeadCode(func);
  return true;
}

/** A factor and a weight of a term, or one of the two that are its weight together. */
interface Unit {
  readonly term: Term;
  readonly factor: Value;
  readonly weight: number | Value;
}

/** Where the halves of words come from that are factors or weights. */
interface Source {
  /** The same for what can be in one word. */
  readonly key: string;
  readonly half?: WordHalf;
}

interface Sourced extends Unit {
  readonly sources: readonly [Source, Source];
}

type Pair = readonly [Sourced, Sourced];

const NUMBER: Source = { key: 'number' };
const SHARED: Source = { key: 'shared' };
const PACKED: Source = { key: 'packed' };

class Pairing {
  readonly replaced: Replacements;
  private readonly leaves: Leaves;
  private readonly lowBits: LowBits;
  private readonly lowValues: LowValues;
  private readonly ranges: Ranges;
  private readonly packed: ReadonlySet<Value>;
  /** By instruction of a block: its place in it, from 1 on. */
  private readonly places = new Map<Value, number>();
  /** What is added after each place; at 0 before the first instruction. */
  private readonly added: Inst[][] = [];
  /** The words of a block, by what is in them. */
  private readonly words = new Map<string, Value>();
  private block!: Block;

  constructor(
    private readonly func: Func,
    private readonly divergence: Divergence,
    private readonly uses: Uses,
    private readonly lanes: number,
  ) {
    this.replaced = new Replacements(func);
    this.leaves = new Leaves(func);
    this.ranges = new Ranges(func);
    this.packed = packedHalves(func, divergence);
    this.lowBits = new LowBits(this.ranges, (v) => !this.isVector(v));
    for (const { insts } of func.blocks) for (const inst of insts) this.lowBits.measure(inst);
    this.lowValues = new LowValues({
      leaves: this.leaves,
      ranges: this.ranges,
      lowBits: this.lowBits,
      emit: (op, type, operands, of) => this.emit(op, type, operands, this.placeOf(of)),
    });
  }

  /** Returns whether it changed the block. */
  pairIn(block: Block): boolean {
    this.block = block;
    this.places.clear();
    this.words.clear();
    this.added.length = 0;
    this.lowValues.forget();
    for (const [i, inst] of block.insts.entries()) this.places.set(inst, i + 1);
    const roots = block.insts.filter(
      (i) => i.type === Type.I32 && isSum(i) && this.isVector(i) && !this.isInner(i),
    );
    const changed = roots.filter((root) => this.replaceSum(root)).length > 0;
    const addedAt = (place: number) => this.added[place] ?? [];
    if (changed)
      block.insts = [...addedAt(0), ...block.insts.flatMap((inst, i) => [inst, ...addedAt(i + 1)])];
    return changed;
  }

  private isVector(v: Value): boolean {
    return Number.isNaN(this.divergence.stride[v.id]!);
  }

  private isInner(sum: Inst): boolean {
    return isInnerSum(sum, this.uses, (v) => this.isVector(v));
  }

  private replaceSum(root: Inst): boolean {
    const sum = sumOf(root, {
      rangeOf: (v) => this.ranges.of(v),
      isVector: (v) => this.isVector(v),
      isInner: (v) => v.block === root.block && this.isInner(v),
    });
    if (!sum) return false;
    const pairs = pairsOf(sum.terms.flatMap((term) => this.unitsOf(term)));
    if (pairs.length === 0) return false;
    const paired = new Set(pairs.flatMap((pair) => pair.map(({ term }) => term)));
    const rest = sum.terms.filter((term) => !paired.has(term));
    this.replaced.set(root, this.total(root, pairs, rest, sum.constant));
    return true;
  }

  // --- what can be paired ---

  private unitsOf(term: Term): Sourced[] {
    const { factor, weights } = term.product ?? {};
    if (!factor || !weights) return [];
    const units = 'kind' in weights ? [weights] : weights;
    const isApart = units.length > 1;
    return units.flatMap((weight) => {
      const sources = [this.sourceOf(factor), this.sourceOf(weight)] as const;
      const [a, b] = sources;
      // The two weights of a half of a word are of one half, not of both.
      if (!a || !b || (isApart && a.half)) return [];
      return [{ term, factor, weight, sources: [a, b] }];
    });
  }

  private sourceOf(v: number | Value): Source | undefined {
    if (typeof v === 'number') return NUMBER;
    if (!this.isVector(v)) return this.divergence.stride[v.id] === 0 ? SHARED : undefined;
    const half = wordHalfOf(v);
    if (half) return { key: keyOf(half), half };
    const isPacked = this.lanes >= LEAST_LANES_OF_PACKED && this.lowBits.fits(v, HALF) && this.packed.has(v);
    return isPacked ? PACKED : undefined;
  }

  // --- code ---

  private placeOf(v: Value): number {
    return v.block === this.block ? (this.places.get(v) ?? 0) : 0;
  }

  private emit(op: Op, type: Type, operands: Value[], place: number, facts: Inst['facts'] = {}): Inst {
    const { position } = this.block.insts[Math.max(0, place - 1)]!;
    const inst = makeInst(this.func, this.block, op, type, operands, facts, position);
    this.added[place] ??= [];
    this.added[place].push(inst);
    return inst;
  }

  /** The sum of the pairs' products, each where its last term is, and at the end of the other terms. */
  private total(root: Inst, pairs: readonly Pair[], rest: readonly Term[], constant: number): Value {
    const end = this.placeOf(root);
    const sums: { positive?: Value; negative?: Value } = {};
    const add = (value: Value, isNegative: boolean, place: number) => {
      const side = isNegative ? 'negative' : 'positive';
      const sum = sums[side];
      sums[side] = sum ? this.emit(Op.Add, Type.I32, [sum, value], place) : value;
    };
    const placed = pairs.map((pair) => ({
      pair,
      place: Math.max(...pair.map(({ term }) => this.placeOf(term.value))),
    }));
    placed.sort((a, b) => a.place - b.place);
    for (const { pair, place } of placed) {
      const isNegative = typeof pair[0].weight !== 'number' && pair[0].term.isNegative;
      add(this.dot(pair, place), isNegative, place);
    }
    for (const { value, isNegative } of rest) add(value, isNegative, end);
    if (constant !== 0 || !sums.positive) add(this.leaves.i32(constant), false, end);
    const { positive, negative } = sums;
    return negative ? this.emit(Op.Sub, Type.I32, [positive!, negative], end) : positive!;
  }

  private dot(pair: Pair, place: number): Value {
    const [{ sources }] = pair;
    // Which of both is in the upper half, where a word exists that has them.
    const isExchanged = sources[0].half?.isUpper ?? sources[1].half?.isUpper ?? false;
    const operands = ([0, 1] as const).map((k) => {
      const [low, high] = pair.map((unit) => (k === 0 ? unit.factor : unit.weight));
      return isExchanged ? this.word(sources[k], high!, low!) : this.word(sources[k], low!, high!);
    });
    const isCrossed =
      sources.every(({ half }) => half) && sources[0].half!.isUpper !== sources[1].half!.isUpper;
    if (isCrossed) operands[1] = this.emit(Op.Rotl, Type.I32, [operands[1]!, this.leaves.i32(HALF)], place);
    return this.emit(Op.Bytes, Type.I32, operands, place, { bytes: 'hdot' });
  }

  /** The word of two halves; of a word that exists, whichever half is which. */
  private word({ key, half }: Source, low: number | Value, high: number | Value): Value {
    if (typeof low === 'number' || typeof high === 'number')
      return this.leaves.i32((Number(low) & HALF_MASK) | (Number(high) << HALF));
    const id = half ? key : `${key} ${low.id} ${high.id}`;
    let word = this.words.get(id);
    if (!word) {
      word = half ? this.wordWith(half) : this.joined(key === PACKED.key, low, high);
      this.words.set(id, word);
    }
    return word;
  }

  /** A word of which both halves have such a number, where its own word is: any copies of the numbers come later. */
  private wordWith({ word, down, mask }: WordHalf): Value {
    if (mask === undefined) return word;
    const { leaves } = this;
    const place = this.placeOf(word);
    const moved = down === 0 ? word : this.emit(Op.LShr, Type.I32, [word, leaves.i32(down)], place);
    return this.emit(Op.And, Type.I32, [moved, leaves.i32(mask | (mask << HALF))], place);
  }

  private joined(arePacked: boolean, low: Value, high: Value): Value {
    const place = Math.max(this.placeOf(low), this.placeOf(high));
    const emit = (op: Op, ...operands: Value[]) => this.emit(op, Type.I32, operands, place);
    const extended = (v: Value) =>
      arePacked ? emit(Op.ZExt, this.lowValues.low(v, HALF)) : emit(Op.And, v, this.leaves.i32(HALF_MASK));
    const lower = extended(low);
    const upper = arePacked ? extended(high) : high;
    return emit(Op.Or, lower, emit(Op.Shl, upper, this.leaves.i32(HALF)));
  }
}

/** Whether a term is nothing but a factor. */
const isPlain = ({ term, factor }: Unit): boolean => term.value === factor;

/** Units whose factors can be in one word, and whose weights can. Both units of a term are in pairs, or none. */
function pairsOf(units: readonly Sourced[]): Pair[] {
  const groups = new Map<string, Sourced[]>();
  for (const unit of units) {
    const [factor, weight] = unit.sources;
    const sign = typeof unit.weight === 'number' ? '' : unit.term.isNegative;
    const key = `${factor.key}, ${weight.key}, ${sign}`;
    groups.set(key, [...(groups.get(key) ?? []), unit]);
  }
  return [...groups.values()].flatMap((group) =>
    group[0]!.sources.some(({ half }) => half) ? pairsOfHalves(group) : pairsInOrder(group),
  );
}

/** Units with opposite halves of one word. */
function pairsOfHalves(units: readonly Sourced[]): Pair[] {
  const pairs: Pair[] = [];
  const alone: Sourced[] = [];
  for (const unit of units) {
    const isOpposite = (other: Sourced) =>
      unit.sources.every(
        ({ half }, k) => half?.isUpper === (other.sources[k]!.half && !other.sources[k]!.half.isUpper),
      );
    const at = alone.findIndex(isOpposite);
    if (at < 0) alone.push(unit);
    else pairs.push([alone.splice(at, 1)[0]!, unit]);
  }
  return pairs;
}

/** Numbers that are not products only make the last pair complete: for them alone, words cost too much. */
function pairsInOrder(units: readonly Sourced[]): Pair[] {
  const products = units.filter((unit) => !isPlain(unit));
  if (products.length % 2 !== 0) {
    const plain = units.find(isPlain);
    const isWhole = ({ term }: Unit) => products.filter((other) => other.term === term).length === 1;
    if (plain) products.push(plain);
    else products.splice(products.findLastIndex(isWhole), 1);
  }
  return products.flatMap((unit, i) => (i % 2 === 0 ? [[unit, products[i + 1]!] as const] : []));
}
