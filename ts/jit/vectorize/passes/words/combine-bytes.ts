// SPDX-License-Identifier: MIT
//
// A word of four bytes that are computed alike, such as the digits of a number as characters: the operations are done once on all four
// (Op.Bytes), instead of on each, which is taken out of words and put into one again.
//
//     f(w >> 6 & 63) | f(w & 63) << 8 | …     becomes     f((w >> 6 & 63) | (w & 63) << 8 | …)
import type { Divergence } from '../../../analyses/divergence';
import type { Uses } from '../../../analyses/uses';
import { constantAmount, constantOf, Leaves, makeInst } from '../../../ir/build';
import { orderOf } from '../../../ir/byte-order';
import type { BytesOp } from '../../../ir/bytes';
import { type Func, type Inst, Op, Type, type Value } from '../../../ir/ir';
import { Replacements } from '../../../ir/rewrite';
import { removeDeadCode } from '../../../passes/dead-code';
import { BYTE_ARITHMETIC, BYTE_COMPARISONS, EACH_BYTE, LOGIC, WORD } from './byte-words';

/** The longest chain of operations. */
const DEEPEST = 24;
const BITS = 8;
const BYTE = 0xff;
/** The least number of fields that are moved by one permutation rather than by shifts. */
const LEAST_ALIKE = 2;

/** Returns whether it changed the function, which invalidates the analyses. */
export function combineBytes(func: Func, divergence: Divergence, uses: Uses): boolean {
  const replaced = new Replacements(func);
  let leaves: Leaves | undefined;
  for (const block of func.blocks) {
    const insts: Inst[] = [];
    let keptBits: ReadonlyMap<string, Value> = new Map();
    for (const inst of block.insts) {
      const terms = Number.isNaN(divergence.stride[inst.id]!) ? termsOf(inst, uses) : undefined;
      if (terms) {
        leaves ??= new Leaves(func);
        const combiner = new Combiner(func, inst, divergence, leaves, keptBits);
        const word = combiner.word(terms.bytes);
        if (word && combiner.isWorthIt(terms, uses)) {
          insts.push(...combiner.insts);
          keptBits = combiner.keptBits;
          replaced.set(inst, word);
        }
      }
      insts.push(inst);
    }
    block.insts = insts;
  }
  if (!leaves) return false;
  replaced.apply(func);
  removeDeadCode(func);
  return true;
}

/** How many operations on single bytes of words `combineBytes` would do on whole words with a gain, as far as their forms say. */
export function countCombined(func: Func, divergence: Divergence, uses: Uses): number {
  const combined = new Set<Inst>();
  for (const { insts } of func.blocks)
    for (const inst of insts) {
      const terms = Number.isNaN(divergence.stride[inst.id]!) ? termsOf(inst, uses) : undefined;
      const found = new Set<Inst>();
      if (terms && findAlike(terms.bytes, divergence, found, DEEPEST))
        for (const each of found) combined.add(each);
    }
  return combined.size;
}

/** Finds the operations on bytes that are computed alike from bytes of words. Returns whether there is nothing else. */
function findAlike(
  values: readonly Value[],
  divergence: Divergence,
  found: Set<Inst>,
  depth: number,
): boolean {
  const [first] = values as [Value];
  if (values.every((value) => constantOf(value) !== undefined)) return true;
  if (values.every(isTakenOrMasked)) {
    // Fields that are moved one by one cost as much as the packing.
    if (!areAlike(fieldsOf(values))) return false;
    for (const value of values) if (!isTaken(value)) found.add(value);
    return true;
  }
  if (values.every((value) => value === first) && divergence.stride[first.id] === 0) return true;
  if (first.kind !== 'inst' || depth === 0 || (first.type !== Type.I8 && first.type !== Type.I1))
    return false;
  const insts = values.filter(
    (value): value is Inst => value.kind === 'inst' && value.op === first.op && value.type === first.type,
  );
  if (insts.length < WORD || !isCombinable(first)) return false;
  if (insts.every((inst) => found.has(inst))) return true;
  for (const inst of insts) found.add(inst);
  return first.operands.every((_, i) =>
    findAlike(
      insts.map(({ operands }) => operands[i]!),
      divergence,
      found,
      depth - 1,
    ),
  );
}

/** Whether there is an operation on four bytes that does the same as this one on one. */
function isCombinable({ op, type, operands }: Inst): boolean {
  const comparison = BYTE_COMPARISONS[op];
  if (comparison) return operands[0]!.type === Type.I8;
  if (op === Op.Shl || op === Op.LShr) return type === Type.I8 && constantAmount(operands[1]!) !== undefined;
  if (op === Op.Select) return type === Type.I8;
  return BYTE_ARITHMETIC[op] !== undefined || LOGIC.has(op) || op === Op.Not || op === Op.LookUpBytes;
}

/** The bytes of a word, the lowest first, and the instructions that put them together. */
interface Terms {
  readonly bytes: readonly Value[];
  readonly extensions: readonly Inst[];
}

/** Four extended bytes of which a sum of shifted ones is made, if no other sum takes more. */
function termsOf(root: Inst, uses: Uses): Terms | undefined {
  if (root.op !== Op.Or || root.type !== Type.I32) return undefined;
  if (uses.usersOf(root).some(({ op }) => op === Op.Or)) return undefined;
  const bytes: Value[] = [];
  const extensions: Inst[] = [];
  let sums = 0;
  const add = (value: Value): boolean => {
    if (value.kind !== 'inst') return false;
    // More sums than four terms have: a long chain is not followed to its end.
    if (value.op === Op.Or) return ++sums < WORD && value.operands.every(add);
    const by = value.op === Op.Shl ? constantAmount(value.operands[1]!) : 0;
    const extended = value.op === Op.Shl ? value.operands[0]! : value;
    if (by === undefined || by % BITS !== 0 || extended.kind !== 'inst' || extended.op !== Op.ZExt)
      return false;
    const [byte] = extended.operands as [Value];
    if (byte.type !== Type.I8 || bytes[by / BITS]) return false;
    bytes[by / BITS] = byte;
    extensions.push(extended);
    return true;
  };
  return add(root) && extensions.length === WORD ? { bytes, extensions } : undefined;
}

/** Bits of a word that are one of another word's bytes: `word` >> `down` & `mask`. */
interface Field {
  readonly word: Value;
  readonly down: number;
  readonly mask: number;
  /** The byte. */
  readonly place: number;
  /** Whether no other bits than these are set in what is shifted. */
  readonly isByte: boolean;
}

function fieldOf(value: Value, place: number, isByte: boolean): Field {
  const and = value.kind === 'inst' && value.op === Op.And ? constantOf(value.operands[1]!) : undefined;
  const mask = Number(and ?? BYTE) & BYTE;
  const shifted = and === undefined ? value : (value as Inst).operands[0]!;
  const by = shifted.kind === 'inst' && shifted.op === Op.LShr ? constantAmount(shifted.operands[1]!) : 0;
  if (by === undefined || by === 0)
    return {
      word: shifted,
      down: 0,
      mask,
      place,
      isByte: isByte && and === undefined,
    };
  return {
    word: (shifted as Inst).operands[0]!,
    down: by,
    mask,
    place,
    isByte: false,
  };
}

/** Whether two fields are the same bits of bytes of a word, none of which reach into the next byte. */
function isAlike(a: Field, b: Field): boolean {
  const within = a.down % BITS;
  const fits = a.mask << within <= BYTE;
  return fits && a.word === b.word && a.mask === b.mask && b.down % BITS === within;
}

const isTaken = (v: Value): v is Inst & { readonly op: Op.Trunc } =>
  v.kind === 'inst' && v.op === Op.Trunc && v.operands[0]!.type === Type.I32;

/** A byte of a word, or some of its bits. */
function isTakenOrMasked(value: Value): value is Inst {
  if (isTaken(value)) return true;
  if (value.kind !== 'inst' || value.op !== Op.And || value.type !== Type.I8) return false;
  return isTaken(value.operands[0]!) && constantOf(value.operands[1]!) !== undefined;
}

/** The fields that some bytes of a word consist of. */
function fieldsOf(values: readonly Inst[]): readonly Field[] {
  return values.map((value, place) => {
    const kept = isTaken(value) ? BYTE : Number(constantOf(value.operands[1]!));
    const byte = (isTaken(value) ? value : value.operands[0]) as Inst;
    const field = fieldOf(byte.operands[0]!, place, false);
    // Zeros are shifted into the highest one.
    return { ...field, mask: field.mask & kept & (-1 >>> field.down) };
  });
}

/** Whether some of the fields are moved by one permutation. */
const areAlike = (fields: readonly Field[]): boolean =>
  fields.some((field) => fields.filter((other) => isAlike(field, other)).length >= LEAST_ALIKE);

/** Makes the word before an instruction. */
class Combiner {
  readonly insts: Inst[] = [];
  /** Words of which bits of bytes are kept, those of earlier words of the block among them. */
  readonly keptBits: Map<string, Value>;
  private readonly opposites = new Map<Value, Value>();
  private readonly words = new Map<string, Value>();
  /** The operations on single bytes that the word's replace. */
  private readonly combined = new Set<Inst>();

  constructor(
    private readonly func: Func,
    private readonly at: Inst,
    private readonly divergence: Divergence,
    private readonly leaves: Leaves,
    keptBits: ReadonlyMap<string, Value>,
  ) {
    this.keptBits = new Map(keptBits);
  }

  /** Whether nothing else uses what is computed byte by byte, so that none of it remains. */
  isWorthIt({ extensions }: Terms, uses: Uses): boolean {
    const own = new Set<Value>([...this.combined, ...extensions]);
    return (
      this.combined.size > 0 &&
      [...this.combined].every(
        (inst) => uses.usersOf(inst).every((user) => own.has(user)) && uses.paramsGiven(inst).length === 0,
      )
    );
  }

  /** The word of four bytes, or of four conditions as bytes of ones or zeros; undefined if they are not computed alike. */
  word(values: readonly Value[], depth = DEEPEST): Value | undefined {
    const key = values.map(({ id }) => id).join(' ');
    const known = this.words.get(key);
    if (known || depth === 0) return known;
    const made =
      this.shared(values) ?? this.taken(values) ?? this.masked(values) ?? this.computed(values, depth - 1);
    if (made) this.words.set(key, made);
    return made;
  }

  /** Constants, and a value that is the same for all lanes and bytes. */
  private shared(values: readonly Value[]): Value | undefined {
    const [first] = values as [Value];
    const constants = values.map(constantOf);
    if (constants.every((c) => c !== undefined)) {
      const bytes = constants.map((c) => (first.type === Type.I1 ? -Number(c) : Number(c)) & BYTE);
      return this.leaves.i32(bytes.reduce((word, byte, i) => word | (byte << (i * BITS)), 0));
    }
    if (this.divergence.stride[first.id] !== 0 || values.some((value) => value !== first)) return undefined;
    if (first.type === Type.I1) return this.emit(Op.Select, [first, this.leaves.i32(-1), this.leaves.i32(0)]);
    return this.emit(Op.Mul, [this.emit(Op.ZExt, [first]), this.leaves.i32(EACH_BYTE)]);
  }

  /** Bytes that are taken out of words. */
  private taken(values: readonly Value[]): Value | undefined {
    if (!values.every(isTaken)) return undefined;
    const words = values.map(({ operands }) => operands[0]!);
    const [whole] = words as [Value];
    const isByteOf = (v: Value, i: number) =>
      i === 0 ||
      (v.kind === 'inst' &&
        v.op === Op.LShr &&
        v.operands[0] === whole &&
        constantAmount(v.operands[1]!) === i * BITS);
    if (words.every(isByteOf)) return whole;
    return this.ofFields(
      values.map((value, place) => fieldOf(words[place]!, place, value.facts.noUnsignedWrap === true)),
    );
  }

  /** Bytes that are taken out of words, of some of which only some bits are kept. */
  private masked(values: readonly Value[]): Value | undefined {
    if (!values.every(isTakenOrMasked)) return undefined;
    const fields = fieldsOf(values);
    // Otherwise the bytes are masked together.
    if (!areAlike(fields)) return undefined;
    for (const value of values) if (!isTaken(value)) this.combined.add(value);
    return this.ofFields(fields);
  }

  private ofFields(fields: readonly Field[]): Value {
    const parts: Value[] = [];
    const left = new Set(fields);
    for (const field of fields) {
      const alike = [...left].filter((other) => isAlike(field, other));
      if (!left.has(field) || alike.length < LEAST_ALIKE) continue;
      parts.push(this.permuted(alike));
      for (const each of alike) left.delete(each);
    }
    for (const field of left) parts.push(this.placed(field));
    return parts.reduce((word, part) => this.emit(Op.Or, [word, part]));
  }

  /** Fields at the same place within bytes: they are masked together, and their bytes are moved. */
  private permuted(fields: readonly Field[]): Value {
    const [{ word, down, mask }] = fields as [Field];
    const within = down % BITS;
    const key = `${word.id} ${within} ${mask}`;
    const known = this.keptBits.get(key);
    const masked = known ?? this.kept(this.shifted(word, -within), Math.imul(mask, EACH_BYTE), within === 0);
    if (!known) this.keptBits.set(key, masked);
    const order = Array.from({ length: WORD }, (_, place) => {
      const field = fields.find((each) => each.place === place);
      return field && (field.down - within) / BITS;
    });
    if (order.every((from, place) => from === place)) return masked;
    return this.emit(Op.PermuteBytes, [masked], { order: orderOf(order) });
  }

  /** A field at the place of its byte. */
  private placed({ word, down, mask, place, isByte }: Field): Value {
    const up = place * BITS;
    // The upper bits of the last one leave the word.
    const isWhole = isByte || (place === WORD - 1 && mask === BYTE);
    const moved = this.shifted(word, up - down);
    return isWhole && up >= down && down === 0 ? moved : this.kept(moved, mask << up, false);
  }

  /** The bits of a mask. `isAligned`: whether all bits of bytes may remain. */
  private kept(word: Value, mask: number, isAligned: boolean): Value {
    return isAligned && mask === -1 ? word : this.emit(Op.And, [word, this.leaves.i32(mask | 0)]);
  }

  private shifted(word: Value, up: number): Value {
    if (up === 0) return word;
    return this.emit(up > 0 ? Op.Shl : Op.LShr, [word, this.leaves.i32(Math.abs(up))]);
  }

  /** Bytes that one operation computes from operands that are words, too. */
  private computed(values: readonly Value[], depth: number): Value | undefined {
    const [first] = values as [Value];
    if (first.kind !== 'inst' || (first.type !== Type.I8 && first.type !== Type.I1)) return undefined;
    const { op, type } = first;
    const insts = values.filter((v): v is Inst => v.kind === 'inst' && v.op === op && v.type === type);
    if (insts.length < WORD) return undefined;
    const operand = (i: number) =>
      this.word(
        insts.map((inst) => inst.operands[i]!),
        depth,
      );
    const made = this.operation(insts, operand);
    if (made) for (const inst of insts) this.combined.add(inst);
    return made;
  }

  private operation(insts: readonly Inst[], operand: (i: number) => Value | undefined): Value | undefined {
    const [{ op, operands }] = insts as [Inst];
    if (op === Op.Shl || op === Op.LShr) return this.shift(insts, operand);
    if (op === Op.LookUpBytes) return this.lookUp(insts, operand);
    if (!isCombinable(insts[0]!)) return undefined;
    const comparison = BYTE_COMPARISONS[op];
    const bytes = comparison?.[0] ?? BYTE_ARITHMETIC[op];
    const words = operands.map((_, i) => operand(i));
    if (!words.every((word) => word !== undefined)) return undefined;
    const [a, b, c] = words as [Value, Value, Value];
    if (op === Op.Not) return this.not(a);
    if (op === Op.Select) return this.select(a, b, c);
    if (!bytes) return this.emit(op, [a, b]);
    const [, swapped, not] = comparison ?? [];
    const result = this.bytes(bytes, swapped ? [b, a] : [a, b]);
    return not ? this.not(result) : result;
  }

  private shift(insts: readonly Inst[], operand: (i: number) => Value | undefined): Value | undefined {
    const [{ op, type, operands }] = insts as [Inst];
    const amount = constantAmount(operands[1]!);
    const isSame = insts.every((inst) => constantAmount(inst.operands[1]!) === amount);
    if (amount === undefined || amount >= BITS || type !== Type.I8 || !isSame) return undefined;
    const word = operand(0);
    const kept = op === Op.LShr ? BYTE >> amount : (BYTE << amount) & BYTE;
    const each = this.leaves.i32(Math.imul(kept, EACH_BYTE));
    return word && this.emit(Op.And, [this.emit(op, [word, this.leaves.i32(amount)]), each]);
  }

  /** In one table. */
  private lookUp(insts: readonly Inst[], operand: (i: number) => Value | undefined): Value | undefined {
    const [{ facts }] = insts as [Inst];
    if (!insts.every((inst) => inst.facts.table === facts.table && inst.facts.orZero === facts.orZero))
      return undefined;
    const word = operand(0);
    return word && this.emit(Op.LookUpBytes, [word], facts);
  }

  private select(mask: Value, then: Value, otherwise: Value): Value {
    const opposite = this.opposites.get(mask);
    if (opposite) return this.select(opposite, otherwise, then);
    const [a, b] = [constantOf(then), constantOf(otherwise)];
    if (a === undefined || b === undefined) return this.bytes('select', [mask, then, otherwise]);
    const difference = this.emit(Op.And, [mask, this.leaves.i32(Number(a) ^ Number(b))]);
    return this.emit(Op.Xor, [difference, otherwise]);
  }

  private not(word: Value): Value {
    const made = this.emit(Op.Xor, [word, this.leaves.i32(-1)]);
    this.opposites.set(made, word);
    return made;
  }

  private bytes(bytes: BytesOp, operands: readonly Value[]): Value {
    return this.emit(Op.Bytes, operands, { bytes });
  }

  private emit(op: Op, operands: readonly Value[], facts: Inst['facts'] = {}): Inst {
    const inst = makeInst(this.func, this.at.block, op, Type.I32, operands, facts, this.at.position);
    this.insts.push(inst);
    return inst;
  }
}
