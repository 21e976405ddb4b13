// SPDX-License-Identifier: MIT
//
// Adjacent bytes and halves of each work-item, such as the components of a uchar4, are loaded and stored as one word. Contiguous
// words are then one vector access, others one access per lane instead of four.

import type { Divergence } from '../../../analyses/divergence';
import { accessedBytes, accessedType, offsetOf } from '../../../ir/accesses';
import { constantAmount, constantOf, Leaves, makeInst } from '../../../ir/build';
import { type Block, type Func, type Inst, Op, Type, type Value } from '../../../ir/ir';
import { Replacements } from '../../../ir/rewrite';
import { bitsOf, bytesOf } from '../../../ir/types';
import { removeDeadCode } from '../../../passes/dead-code';
import { isOfTriples, wholeTriples } from '../../access';
import { groupNeighbours } from '../../neighbours';

const WORD = 4;

/** Returns whether it changed the function, which invalidates the analyses. */
export function joinNarrowAccesses(func: Func, divergence: Divergence): boolean {
  const blocks = func.blocks.filter(({ insts }) => insts.some(isNarrowAccess));
  if (blocks.length === 0) return false;
  const joiner = new Joiner(func, divergence);
  for (const block of blocks) joiner.block(block);
  return joiner.finish();
}

function isNarrowAccess({ op, type, operands }: Inst): boolean {
  if (op !== Op.Load && op !== Op.Store) return false;
  const accessed = op === Op.Store ? operands[1]!.type : type;
  return accessed === Type.I8 || accessed === Type.I16 || accessed === Type.F16;
}

/** Accesses from one address within one word or half a word. */
interface Window {
  readonly members: readonly Inst[];
  readonly start: number;
  readonly bytes: number;
}

class Joiner {
  private readonly leaves: Leaves;
  private readonly replaced: Replacements;
  /** The new instructions, by the instruction before which they are inserted. */
  private readonly before = new Map<Inst, Inst[]>();
  private readonly dropped = new Set<Inst>();
  private readonly extracted = new Map<Inst, { word: Inst; shift: number; width: number }>();

  constructor(
    private readonly func: Func,
    private readonly divergence: Divergence,
  ) {
    this.leaves = new Leaves(func);
    this.replaced = new Replacements(func);
  }

  block(block: Block): void {
    const windows = groupNeighbours<Window>(this.func, block, {
      isCandidate: (access) => this.isCandidate(access, block),
      divide: (accesses, isStore) => this.windows(accesses, block, isStore),
    });
    for (const window of windows)
      if (window.members[0]!.op === Op.Store) this.store(window, block);
      else this.load(window, block);
  }

  private isCandidate(access: Inst, block: Block): boolean {
    if (!isNarrowAccess(access)) return false;
    const type = accessedType(access);
    const { facts } = access;
    if (facts.volatile || facts.space === 'private' || facts.space === 'generic') return false;
    if (access.facts.memoryOrder !== undefined) return false;
    const stride = this.divergence.strideAt(access.operands[0]!, block);
    return stride !== 0 && stride !== bytesOf(type);
  }

  private windows(accesses: readonly Inst[], block: Block, store: boolean): Window[] {
    // One permutation handles the bytes of four lanes (emit/memory/triples.ts).
    if (
      accesses.every((i) => isOfTriples(this.divergence, i, block)) &&
      (!store || wholeTriples(accesses).length > 0)
    )
      return [];
    const sorted = [...accesses].sort((a, b) => offsetOf(a) - offsetOf(b));
    const stride = this.divergence.strideAt(accesses[0]!.operands[0]!, block);
    // Contiguous words are one vector, even if not all of a word is used.
    const exact = stride === 2 || stride === WORD ? stride : undefined;
    const result: Window[] = [];
    for (let i = 0; i < sorted.length; ) {
      const first = offsetOf(sorted[i]!);
      const start = exact && !store ? Math.floor(first / exact) * exact : first;
      const limit = exact ?? WORD;
      let end = i;
      while (end < sorted.length && offsetOf(sorted[end]!) + accessedBytes(sorted[end]!) <= start + limit)
        end++;
      if (end === i) {
        i++;
        continue;
      }
      let members = sorted.slice(i, end);
      let span = offsetOf(members.at(-1)!) + accessedBytes(members.at(-1)!) - start;
      if (store) {
        const isDense = () =>
          members.every((m, k) => offsetOf(m) === start + k * accessedBytes(members[0]!)) &&
          members.every((m) => accessedBytes(m) === accessedBytes(members[0]!));
        if (span === 3) {
          members = members.slice(0, 2);
          span = 2;
        }
        if (members.length > 1 && (span === 2 || span === WORD) && isDense())
          result.push({ members: accesses.filter((a) => members.includes(a)), start, bytes: span });
        i += members.length;
        continue;
      }
      if (exact || members.length > 1)
        result.push({
          members: accesses.filter((a) => members.includes(a)),
          start,
          bytes: exact ?? (span <= 2 ? 2 : WORD),
        });
      i = end;
    }
    return result;
  }

  private load({ members, start, bytes }: Window, block: Block): void {
    const [first] = members as [Inst];
    if (members.length === 1 && bytes === bytesOf(first.type)) return;
    const { invariant: _, isPadding: __, ...facts } = { ...first.facts, offset: start, align: 1 };
    const [known] = members.map((m) => m.facts.invariant);
    const invariant = members.every((m) => m.facts.invariant === known) && known;
    const word = makeInst(
      this.func,
      block,
      Op.Load,
      bytes === 2 ? Type.I16 : Type.I32,
      [first.operands[0]!],
      invariant ? { ...facts, invariant } : facts,
      first.position,
    );
    this.put(first, word);
    for (const member of members) {
      const shift = ((member.facts.offset ?? 0) - start) * 8;
      const width = bytesOf(member.type) * 8;
      const half = member.type === Type.F16;
      const low =
        width === bitsOf(word.type) ? word : this.part(first, word, shift, half ? Type.I16 : member.type);
      if (!half && low !== word) this.extracted.set(member, { word, shift, width });
      this.replaced.set(member, half ? this.emit(first, Op.Bitcast, Type.F16, [low]) : low);
      this.dropped.add(member);
    }
  }

  private part(at: Inst, word: Inst, shift: number, type: Type): Inst {
    const { type: whole } = word;
    const shifted = () => this.emit(at, Op.LShr, whole, [word, this.leaves.constant(whole, shift)]);
    const part = this.emit(at, Op.Trunc, type, [shift === 0 ? word : shifted()]);
    if (shift > 0 && shift + bitsOf(type) === bitsOf(whole)) part.facts = { noUnsignedWrap: true };
    return part;
  }

  /** A widened part of a word, in at most two instructions. */
  private widen(user: Inst): Value | undefined {
    const { op, type } = user;
    const source = user.operands[0];
    const part = source?.kind === 'inst' ? this.extracted.get(source) : undefined;
    if (!part) return undefined;
    const { word, shift, width } = part;
    const signed = op === Op.SExt || op === Op.SToF;
    if (word.type === Type.I16) {
      if (type !== Type.I16 || (op !== Op.ZExt && op !== Op.SExt)) return undefined;
      const eight = this.leaves.constant(Type.I16, 8);
      if (!signed && shift === 0)
        return this.emit(user, Op.And, Type.I16, [word, this.leaves.constant(Type.I16, 0xff)]);
      const up = shift === 0 ? this.emit(user, Op.Shl, Type.I16, [word, eight]) : word;
      return this.emit(user, signed ? Op.AShr : Op.LShr, Type.I16, [up, eight]);
    }
    const i32 = () => {
      const left = 32 - shift - width;
      if (signed) {
        const up = left === 0 ? word : this.emit(user, Op.Shl, Type.I32, [word, this.leaves.i32(left)]);
        return this.emit(user, Op.AShr, Type.I32, [up, this.leaves.i32(32 - width)]);
      }
      const down = shift === 0 ? word : this.emit(user, Op.LShr, Type.I32, [word, this.leaves.i32(shift)]);
      if (left === 0) return down;
      return this.emit(user, Op.And, Type.I32, [down, this.leaves.i32(2 ** width - 1)]);
    };
    if ((op === Op.ZExt || op === Op.SExt) && type === Type.I32) return i32();
    if ((op === Op.SToF || op === Op.UToF) && type === Type.F32)
      return this.emit(user, Op.SToF, Type.F32, [i32()]);
    return undefined;
  }

  private store({ members, start, bytes }: Window, block: Block): void {
    const last = members.at(-1)!;
    const type = bytes === 2 ? Type.I16 : Type.I32;
    let word: Value | undefined;
    for (const member of members) {
      const value = member.operands[1]!;
      const shift = ((member.facts.offset ?? 0) - start) * 8;
      const width = bytesOf(value.type) * 8;
      const part = this.widened(last, value, type, shift + width === bytes * 8);
      const placed: Value =
        shift === 0 ? part : this.emit(last, Op.Shl, type, [part, this.leaves.constant(type, shift)]);
      word = word ? this.emit(last, Op.Or, type, [word, placed]) : placed;
      this.dropped.add(member);
    }
    const { isPadding: _, ...facts } = { ...last.facts, offset: start, align: 1 };
    const store = makeInst(
      this.func,
      block,
      Op.Store,
      Type.Void,
      [last.operands[0]!, word!],
      facts,
      last.position,
    );
    this.put(last, store);
  }

  /** Extends a value to a word; if it is the `highest` part, its upper bits may be arbitrary. */
  private widened(at: Inst, value: Value, type: Type, highest: boolean): Value {
    if (value.type === Type.F16) {
      const bits = this.emit(at, Op.Bitcast, Type.I16, [value]);
      return type === Type.I16 ? bits : this.emit(at, Op.ZExt, type, [bits]);
    }
    const constant = constantOf(value);
    if (constant !== undefined)
      return this.leaves.constant(type, Number(constant) & (value.type === Type.I8 ? 0xff : 0xffff));
    if (value.kind === 'inst' && value.op === Op.Trunc && value.operands[0]!.type === type) {
      const [whole] = value.operands as [Value];
      if (highest || unsignedBits(whole) <= bytesOf(value.type) * 8) return whole;
      return this.emit(at, Op.And, type, [
        whole,
        this.leaves.constant(type, value.type === Type.I8 ? 0xff : 0xffff),
      ]);
    }
    return this.emit(at, Op.ZExt, type, [value]);
  }

  private emit(at: Inst, op: Op, type: Type, operands: Value[]): Inst {
    const inst = makeInst(this.func, at.block, op, type, operands, {}, at.position);
    this.put(at, inst);
    return inst;
  }

  private put(at: Inst, inst: Inst): void {
    const list = this.before.get(at);
    if (list) list.push(inst);
    else this.before.set(at, [inst]);
  }

  finish(): boolean {
    if (this.dropped.size === 0) return false;
    for (const block of this.func.blocks)
      for (const inst of block.insts) {
        const wider = this.extracted.size > 0 ? this.widen(inst) : undefined;
        if (wider) this.replaced.set(inst, wider);
      }
    for (const block of this.func.blocks) {
      if (!block.insts.some((i) => this.before.has(i))) continue;
      block.insts = block.insts.flatMap((inst) => {
        const made = this.before.get(inst);
        const kept = this.dropped.has(inst) ? [] : [inst];
        return made ? [...made, ...kept] : kept;
      });
    }
    this.replaced.apply(this.func);
    removeDeadCode(this.func);
    return true;
  }
}

/** How many low bits of a value may be other than zero. */
function unsignedBits(value: Value): number {
  const constant = constantOf(value);
  if (typeof constant === 'bigint') return 64;
  if (constant !== undefined) return constant < 0 ? 64 : 32 - Math.clz32(constant);
  if (value.kind !== 'inst') return 64;
  const bits = (i: number) => unsignedBits(value.operands[i]!);
  switch (value.op) {
    case Op.ZExt:
      return value.operands[0]!.type === Type.I1 ? 1 : bytesOf(value.operands[0]!.type) * 8;
    case Op.And:
    case Op.UMin:
      return Math.min(bits(0), bits(1));
    case Op.SMin:
      // The minimum of any number and one below 0 is below 0.
      return value.operands.every(isNatural) ? Math.min(bits(0), bits(1)) : 64;
    case Op.LShr: {
      const by = constantAmount(value.operands[1]!);
      return by === undefined ? 64 : bytesOf(value.type) * 8 - by;
    }
    case Op.Select:
      return Math.max(bits(1), bits(2));
    default:
      return 64;
  }
}

function isNatural(value: Value): boolean {
  const constant = value.kind === 'inst' && value.op === Op.SMax ? constantOf(value.operands[1]!) : undefined;
  return (constant !== undefined && Number(constant) >= 0) || unsignedBits(value) < bitsOf(value.type);
}
