// SPDX-License-Identifier: MIT
//
// Words of 32 bits whose fields come from packed shorts and bytes, as a pixel of 8 bits a channel from one of 5, 6 and 5: each half is computed in
// sixteen bits, eight work-items to a vector, and both are interleaved. A field is some bits of a number, moved. Fields of a number that move as
// far are one, with one shift and one mask.
import type { Divergence } from '../../../analyses/divergence';
import type { Uses } from '../../../analyses/uses';
import { constantAmount, constantOf, Leaves, makeInst } from '../../../ir/build';
import { type Func, type Inst, Op, Type, type Value } from '../../../ir/ir';
import { replaceInsts } from '../../../ir/rewrite';
import { bitsOf } from '../../../ir/types';
import { removeDeadCode } from '../../../passes/dead-code';
import { packedHalves } from '../narrow/packed-halves';

const HALF = 16;
const ALL = 2 ** 32 - 1;
const ALL_OF_HALF = 2 ** HALF - 1;
/** The largest word that is split: values that it is computed from, one that it uses twice counted twice. */
const MOST_VALUES = 96;
/** To interleave two halves, or to extend one half. */
const JOIN = 2;

/** Bits of a byte or short, those of `bits` in the word, after a shift to the left by `by`, or to the right. */
interface Field {
  readonly number: Value;
  readonly by: number;
  readonly bits: number;
}

/** What a condition adds to the word: bits where it holds, and bits where it does not. */
interface Choice {
  readonly condition: Value;
  readonly yes: number;
  readonly no: number;
}

/** The word as an or of these. */
interface Word {
  readonly fields: readonly Field[];
  readonly choices: readonly Choice[];
  readonly constant: number;
}

/** Returns whether it changed the function. */
export function splitWords(func: Func, divergence: Divergence, uses: Uses): boolean {
  const isShort = ({ op, operands: [a] }: Inst) => op === Op.ZExt && a!.type === Type.I16;
  if (!func.blocks.some(({ insts }) => insts.some(isShort))) return false;
  const splitter = new Splitter(func, divergence, uses);
  return splitter.run();
}

class Splitter {
  private readonly leaves: Leaves;
  private readonly packed: ReadonlySet<Value>;
  /** Of the word that is taken apart: all that it is computed from, up to numbers and conditions. */
  private parts = new Set<Inst>();
  private fields: Field[] = [];
  private choices: Choice[] = [];
  private constant = 0;
  private values = 0;

  constructor(
    private readonly func: Func,
    private readonly divergence: Divergence,
    private readonly uses: Uses,
  ) {
    this.leaves = new Leaves(func);
    this.packed = packedHalves(func, divergence);
  }

  run(): boolean {
    const changed = replaceInsts(this.func, (inst, before) => {
      const made = this.isWhole(inst) ? this.split(inst) : [];
      before.push(...made);
      return made.at(-1);
    });
    if (changed) removeDeadCode(this.func);
    return changed;
  }

  /** Whether a value is a word, and not a part of another one. */
  private isWhole(inst: Inst): boolean {
    if (inst.op !== Op.Or || inst.type !== Type.I32 || !Number.isNaN(this.divergence.stride[inst.id]!))
      return false;
    return !this.uses
      .usersOf(inst)
      .some((user) => user.op === Op.Or || user.op === Op.And || user.op === Op.Shl);
  }

  /** The halves and what joins them; nothing if the word stays. */
  private split(word: Inst): readonly Inst[] {
    this.parts = new Set();
    this.fields = [];
    this.choices = [];
    this.constant = 0;
    this.values = 0;
    if (!this.collect(word, 0, ALL, word)) return [];
    if (!this.fields.some(({ number }) => number.type === Type.I16)) return [];
    const found = { fields: this.fields, choices: this.choices, constant: this.constant };
    const made: Inst[] = [];
    const make = (op: Op, type: Type, ...operands: Value[]) => {
      const inst = makeInst(this.func, word.block, op, type, operands, {}, word.position);
      made.push(inst);
      return inst;
    };
    const lower = this.half(halfOf(found, 0), make);
    const upper = this.half(halfOf(found, HALF), make);
    // Vectors for eight work-items: those of sixteen bits are one, those of 32 are two.
    const isJoined = constantOf(lower) === undefined && constantOf(upper) === undefined;
    const instructions = made.filter(({ op }) => op !== Op.ZExt).length + (isJoined ? JOIN : 2 * JOIN);
    if (instructions >= 2 * this.instructionsOf(word)) return [];
    const [low, high] = [make(Op.ZExt, Type.I32, lower), make(Op.ZExt, Type.I32, upper)];
    make(Op.Or, Type.I32, low, make(Op.Shl, Type.I32, high, this.leaves.i32(HALF)));
    return made;
  }

  /** Adds what a value contributes: its bits, shifted by `by`, as far as they are among `bits` of the word. */
  private collect(v: Value, by: number, bits: number, user: Inst): boolean {
    if (++this.values > MOST_VALUES) return false;
    const constant = constantOf(v);
    if (constant !== undefined) {
      this.constant = (this.constant | (shifted(Number(constant) >>> 0, by) & bits)) >>> 0;
      return true;
    }
    if (v.kind !== 'inst' || v.block !== user.block) return false;
    const [a, b] = v.operands as [Value, Value];
    if (v.op === Op.ZExt && a.type !== Type.I1) {
      if (!this.packed.has(a)) return false;
      this.parts.add(v);
      const own = (shifted(2 ** bitsOf(a.type) - 1, by) & bits) >>> 0;
      if (own !== 0) this.fields.push({ number: a, by, bits: own });
      return true;
    }
    this.parts.add(v);
    switch (v.op) {
      case Op.Or:
        return this.collect(a, by, bits, v) && this.collect(b, by, bits, v);
      case Op.And: {
        const mask = constantOf(b);
        return mask !== undefined && this.collect(a, by, (shifted(Number(mask) >>> 0, by) & bits) >>> 0, v);
      }
      case Op.Shl:
      case Op.LShr: {
        const amount = constantAmount(b);
        if (amount === undefined) return false;
        // What this shift cuts off does not come back with a later one.
        const step = v.op === Op.Shl ? amount : -amount;
        return this.collect(a, by + step, (shifted(shifted(ALL, step), by) & bits) >>> 0, v);
      }
      case Op.Select: {
        const [yes, no] = [constantOf(b), constantOf(v.operands[2]!)];
        if (yes === undefined || no === undefined || !this.packed.has(a)) return false;
        const of = (n: number | bigint) => (shifted(Number(n) >>> 0, by) & bits) >>> 0;
        this.choices.push({ condition: a, yes: of(yes), no: of(no) });
        return true;
      }
      default:
        return false;
    }
  }

  /** How many instructions for each vector of the word become unnecessary. */
  private instructionsOf(word: Inst): number {
    const isOwn = (v: Inst) =>
      this.uses.paramsGiven(v).length === 0 && this.uses.usersOf(v).every((user) => this.parts.has(user));
    return [...this.parts].filter((part) => part === word || isOwn(part)).length;
  }

  /** A half of the word in sixteen bits. */
  private half(
    { fields, choices, constant }: Word,
    make: (op: Op, type: Type, ...operands: Value[]) => Inst,
  ): Value {
    const number = (n: number) => this.leaves.constant(Type.I16, n);
    const terms: Value[] = [];
    for (const { number: source, by, bits } of fields) {
      const half = source.type === Type.I16 ? source : make(Op.ZExt, Type.I16, source);
      const moved = by === 0 ? half : make(by > 0 ? Op.Shl : Op.LShr, Type.I16, half, number(Math.abs(by)));
      const own = shifted(2 ** bitsOf(source.type) - 1, by) & ALL_OF_HALF;
      terms.push(bits === own ? moved : make(Op.And, Type.I16, moved, number(bits)));
    }
    for (const { condition, yes, no } of choices)
      if (yes !== 0 || no !== 0) terms.push(make(Op.Select, Type.I16, condition, number(yes), number(no)));
    if (constant !== 0 || terms.length === 0) terms.push(number(constant));
    return terms.reduce((a, b) => make(Op.Or, Type.I16, a, b));
  }
}

/** The sixteen bits of a word from a place on. Fields of one number that move as far are one there. */
function halfOf({ fields, choices, constant }: Word, from: number): Word {
  const of = (bits: number) => (bits >>> from) & ALL_OF_HALF;
  const merged = new Map<string, Field>();
  for (const { number, by, bits } of fields) {
    if (of(bits) === 0) continue;
    const key = `${number.id} ${by}`;
    merged.set(key, { number, by: by - from, bits: of(bits) | (merged.get(key)?.bits ?? 0) });
  }
  return {
    fields: [...merged.values()],
    choices: choices.map(({ condition, yes, no }) => ({ condition, yes: of(yes), no: of(no) })),
    constant: of(constant),
  };
}

/** Bits of a word after a shift to the left, or to the right. */
function shifted(bits: number, by: number): number {
  if (Math.abs(by) >= 32) return 0;
  return (by >= 0 ? bits << by : bits >>> -by) >>> 0;
}
