// SPDX-License-Identifier: MIT
//
// Sums to which all four bytes of words contribute alike, or three of them: as they are, their differences from another word's bytes, without signs, or the squares of these, as
// block matching adds them up. So do several counts of words' bits. The four are computed together (Op.Bytes) and added up by pairs:
//
//     abs((v & 255) - (w & 255)) + abs((v >> 8 & 255) - (w >> 8 & 255)) + …     becomes     sum of the bytes of (max(v, w) - min(v, w))
import type { Divergence } from '../../../analyses/divergence';
import type { Uses } from '../../../analyses/uses';
import { constantAmount, constantOf, Leaves, makeInst } from '../../../ir/build';
import type { BytesOp } from '../../../ir/bytes';
import { type Block, type Func, type Inst, Op, Type, type Value } from '../../../ir/ir';
import { Replacements } from '../../../ir/rewrite';
import { removeDeadCode } from '../../../passes/dead-code';
import { isInnerSum, isSum, type SignedTerm, termsOf } from '../products/sum-terms';

const WORD = 4;
/** With two, what masks the other two and adds them up takes as many instructions. */
const FEWEST = 3;
const BITS = 8;
const BYTE = 0xff;
/** So many counts of the bits of one byte fit a byte. */
const MOST_COUNTS = Math.floor(BYTE / BITS);
/** The terms of longer sums stay as they are. With fewer, sums of two bytes are far below the 15 bits that are added up in the end. */
const MOST_TERMS = 64;

/** A byte of a word. */
interface ByteOf {
  readonly word: Value;
  readonly place: number;
}

/** What one byte contributes: the byte, its difference from one of another word, or the square of that. */
interface Contribution {
  readonly kind: 'byte' | 'difference' | 'square';
  readonly words: readonly Value[];
  readonly place: number;
}

/** Terms of the bytes at all places, or at all but one. */
interface Group {
  readonly kind: Contribution['kind'] | 'bits';
  readonly words: readonly Value[];
  /** The bits of the bytes that contribute. */
  readonly mask: number;
  readonly terms: readonly SignedTerm[];
}

/** Returns whether it changed the function. */
export function sumBytes(func: Func, divergence: Divergence, uses: Uses): boolean {
  const summer = new Summer(func, divergence, uses);
  const changed = func.blocks.filter((block) => summer.sumsIn(block)).length > 0;
  if (!changed) return false;
  summer.replaced.apply(func);
  removeDeadCode(func);
  return true;
}

const hasType = ({ type }: Inst): boolean => type === Type.I32 || type === Type.I16;

class Summer {
  readonly replaced: Replacements;
  private leaves: Leaves | undefined;
  private block!: Block;
  /** By instruction of the block: its place. */
  private readonly places = new Map<Value, number>();
  /** What is added after each place. */
  private readonly added = new Map<number, Inst[]>();

  constructor(
    private readonly func: Func,
    private readonly divergence: Divergence,
    private readonly uses: Uses,
  ) {
    this.replaced = new Replacements(func);
  }

  /** Returns whether it changed the block. */
  sumsIn(block: Block): boolean {
    const roots = block.insts.filter((i) => hasType(i) && isSum(i) && this.isVector(i) && !this.isInner(i));
    if (roots.length === 0) return false;
    this.block = block;
    this.places.clear();
    this.added.clear();
    for (const [i, inst] of block.insts.entries()) this.places.set(inst, i);
    const changed = roots.filter((root) => this.replace(root)).length > 0;
    if (changed) block.insts = block.insts.flatMap((inst, i) => [inst, ...(this.added.get(i) ?? [])]);
    return changed;
  }

  private isVector(v: Value): boolean {
    return Number.isNaN(this.divergence.stride[v.id]!);
  }

  private isInner(sum: Inst): boolean {
    return isInnerSum(sum, this.uses, (v) => this.isVector(v));
  }

  private replace(root: Inst): boolean {
    const terms = termsOf(root, (sum) => sum.block === root.block && this.isInner(sum));
    const groups = terms.length <= MOST_TERMS ? this.groupsOf(terms) : [];
    if (groups.length === 0) return false;
    this.leaves ??= new Leaves(this.func);
    const placeOf = (group: Group) => Math.max(...group.terms.map(({ value }) => this.places.get(value)!));
    const ordered = groups.map((group) => ({ group, at: placeOf(group) })).sort((a, b) => a.at - b.at);
    const end = this.places.get(root)!;
    // Sums of two bytes each, and those of four.
    let pairs: Value | undefined;
    let total: Value | undefined;
    for (const { group, at } of ordered) {
      const made = this.groupSum(group, at);
      const add = (sum: Value | undefined) => (sum ? this.emit(Op.Add, Type.I32, [sum, made], at) : made);
      if (group.kind === 'square') total = add(total);
      else pairs = add(pairs);
    }
    if (pairs) {
      const four = this.bytes('uhalves', [pairs], end);
      total = total ? this.emit(Op.Add, Type.I32, [total, four], end) : four;
    }
    let sum = root.type === Type.I32 ? total! : this.emit(Op.Trunc, root.type, [total!], end);
    const grouped = new Set(groups.flatMap((group) => group.terms));
    for (const term of terms)
      if (!grouped.has(term))
        sum = this.emit(term.isNegative ? Op.Sub : Op.Add, root.type, [sum, term.value], end);
    this.replaced.set(root, sum);
    return true;
  }

  private groupsOf(terms: readonly SignedTerm[]): readonly Group[] {
    const open = new Map<string, { contribution: Contribution; terms: (SignedTerm | undefined)[] }[]>();
    for (const term of terms) {
      if (term.isNegative || !this.places.has(term.value)) continue;
      const contribution = contributionOf(term.value);
      if (!contribution?.words.every((word) => word.type === Type.I32 && this.isVector(word))) continue;
      const key = `${contribution.kind} ${contribution.words.map(({ id }) => id).join(' ')}`;
      const all = open.get(key) ?? [];
      open.set(key, all);
      let group = all.find((each) => !each.terms[contribution.place]);
      if (!group) {
        group = { contribution, terms: new Array<SignedTerm | undefined>(WORD).fill(undefined) };
        all.push(group);
      }
      group.terms[contribution.place] = term;
    }
    const sums = [...open.values()].flat().flatMap(({ contribution: { kind, words }, terms: found }) => {
      const own = found.filter((term) => term !== undefined);
      if (own.length < FEWEST) return [];
      const mask = found.reduce((bits, term, place) => (term ? bits | (BYTE << (place * BITS)) : bits), 0);
      return [{ kind, words, mask, terms: own }];
    });
    return [...sums, ...this.countsOf(terms)];
  }

  /** Counts of bits that are only added up, so many together that their sums fit bytes. */
  private countsOf(terms: readonly SignedTerm[]): readonly Group[] {
    const counts = terms.filter(({ value, isNegative }) => {
      const isCount = value.kind === 'inst' && value.op === Op.PopCount && value.type === Type.I32;
      return (
        isCount && !isNegative && this.places.has(value) && this.isVector(value) && this.hasOneUse(value)
      );
    });
    const groups: Group[] = [];
    for (let first = 0; first + 1 < counts.length; first += MOST_COUNTS) {
      const own = counts.slice(first, first + MOST_COUNTS);
      const words = own.map(({ value }) => (value as Inst).operands[0]!);
      groups.push({ kind: 'bits', words, mask: -1, terms: own });
    }
    return groups;
  }

  private hasOneUse(value: Value): boolean {
    return this.uses.usersOf(value).length === 1 && this.uses.paramsGiven(value).length === 0;
  }

  /** The sum of four squares, or two sums of two bytes. */
  private groupSum({ kind, words, mask }: Group, at: number): Value {
    if (kind === 'bits') {
      const counts = words.map((word) => this.bytes('popcount', [word], at));
      const sum = counts.reduce((a, b) => this.bytes('add', [a, b], at));
      return this.bytes('upairs', [sum], at);
    }
    const word =
      kind === 'byte'
        ? words[0]!
        : this.bytes('sub', [this.bytes('umax', words, at), this.bytes('umin', words, at)], at);
    const own = mask === -1 ? word : this.emit(Op.And, Type.I32, [word, this.leaves!.i32(mask)], at);
    return kind === 'square' ? this.bytes('udot', [own, own], at) : this.bytes('upairs', [own], at);
  }

  private bytes(bytes: BytesOp, operands: readonly Value[], at: number): Inst {
    return this.emit(Op.Bytes, Type.I32, operands, at, { bytes });
  }

  private emit(op: Op, type: Type, operands: readonly Value[], at: number, facts: Inst['facts'] = {}): Inst {
    const inst = makeInst(this.func, this.block, op, type, operands, facts, this.block.insts[at]!.position);
    const all = this.added.get(at) ?? [];
    this.added.set(at, all);
    all.push(inst);
    return inst;
  }
}

function contributionOf(value: Value): Contribution | undefined {
  if (value.kind !== 'inst') return undefined;
  const byte = byteOf(value);
  if (byte) return { kind: 'byte', words: [byte.word], place: byte.place };
  const [a, b] = value.operands as [Value, Value];
  if (value.op === Op.Mul && a === b) return differenceOf(absoluteOf(a) ?? a, 'square');
  const absolute = absoluteOf(value);
  if (absolute) return differenceOf(absolute, 'difference');
  // The larger byte less the smaller one.
  if (value.op !== Op.ZExt || a.kind !== 'inst' || a.op !== Op.Sub || a.type !== Type.I8) return undefined;
  const [max, min] = a.operands as [Value, Value];
  if (max.kind !== 'inst' || min.kind !== 'inst' || max.op !== Op.UMax || min.op !== Op.UMin)
    return undefined;
  return max.operands.every((operand, i) => operand === min.operands[i])
    ? fromBytes(max.operands, 'difference')
    : undefined;
}

const absoluteOf = (value: Value): Value | undefined =>
  value.kind === 'inst' && value.op === Op.Abs && value.type !== Type.I8 ? value.operands[0] : undefined;

function differenceOf(value: Value, kind: Contribution['kind']): Contribution | undefined {
  if (value.kind !== 'inst' || value.op !== Op.Sub || value.type === Type.I8) return undefined;
  return fromBytes(value.operands, kind);
}

function fromBytes(operands: readonly Value[], kind: Contribution['kind']): Contribution | undefined {
  const [x, y] = operands.map(byteOf);
  return x && y && x.place === y.place ? { kind, words: [x.word, y.word], place: x.place } : undefined;
}

/** The byte of a word that a value is: masked, shifted or truncated, and extended without a sign. */
function byteOf(value: Value): ByteOf | undefined {
  if (value.kind !== 'inst') return undefined;
  const [a, b] = value.operands as [Value, Value];
  if (value.op === Op.ZExt) return a.type === Type.I8 ? byteOf(a) : undefined;
  if (value.op === Op.Trunc)
    return value.type === Type.I8 && a.type === Type.I32 ? shiftedByte(a) : undefined;
  if (value.type !== Type.I32) return undefined;
  if (value.op === Op.And && Number(constantOf(b) ?? 0) === BYTE) return shiftedByte(a);
  const isLast = value.op === Op.LShr && constantAmount(b) === (WORD - 1) * BITS;
  return isLast ? { word: a, place: WORD - 1 } : undefined;
}

function shiftedByte(value: Value): ByteOf {
  const by = value.kind === 'inst' && value.op === Op.LShr ? constantAmount(value.operands[1]!) : undefined;
  return by !== undefined && by > 0 && by % BITS === 0
    ? { word: (value as Inst).operands[0]!, place: by / BITS }
    : { word: value, place: 0 };
}
