// SPDX-License-Identifier: MIT
//
// Words that are taken apart, whose parts are chosen alike, by selects or where paths join, and put together again: the words are chosen
// instead. A struct of a byte and an int that a loop keeps has a byte and three of padding, which join-narrow.ts loads and stores as one
// word: this saves three of four selects.
import { addParam, constantAmount, constantOf, Leaves, makeInst } from '../../../ir/build';
import { edgesWithArguments } from '../../../ir/cfg';
import {
  type Block,
  type BlockParam,
  type Func,
  type Inst,
  Op,
  type Target,
  Type,
  type Value,
} from '../../../ir/ir';
import { Replacements } from '../../../ir/rewrite';
import { bitsOf } from '../../../ir/types';
import { removeDeadCode } from '../../../passes/dead-code';

/** Values that together are the bits of a word, from the lowest on. */
type Parts = readonly Value[];

/** The most places at which the parts of one word are chosen. */
const MOST_CHOICES = 32;

/** Returns whether it changed the function, which invalidates the analyses. */
export function keepWordsWhole(func: Func): boolean {
  let words: WholeWords | undefined;
  for (const block of func.blocks)
    for (const inst of block.insts) {
      const parts = inst.op === Op.Or ? partsOf(inst) : undefined;
      if (!parts?.some(isChosen)) continue;
      words ??= new WholeWords(func);
      words.replace(inst, parts);
    }
  return words?.finish() ?? false;
}

const isChosen = (value: Value): boolean =>
  value.kind === 'param' || (value.kind === 'inst' && value.op === Op.Select);

/** Four extended parts, each shifted, and shifted together with those before it. A long chain is not followed to its end. */
const MOST_STEPS = 16;

/** The parts that a word is put together of; undefined if these are not numbers next to each other that fill it. */
function partsOf(word: Inst): Parts | undefined {
  const { type } = word;
  if (type !== Type.I32 && type !== Type.I16) return undefined;
  const found: { value: Value; shift: number }[] = [];
  let steps = 0;
  const collect = (value: Value, shift: number): boolean => {
    if (value.kind !== 'inst' || found.length > 3 || ++steps > MOST_STEPS) return false;
    const [a, b] = value.operands;
    switch (value.op) {
      case Op.Or:
        return collect(a!, shift) && collect(b!, shift);
      case Op.Shl: {
        const by = constantAmount(b!);
        return by !== undefined && collect(a!, shift + by);
      }
      case Op.ZExt:
        found.push({ value: a!, shift });
        return a!.type !== Type.I1;
      default:
        return false;
    }
  };
  if (!collect(word, 0)) return undefined;
  found.sort((x, y) => x.shift - y.shift);
  let end = 0;
  for (const { value, shift } of found) {
    if (shift !== end) return undefined;
    end += bitsOf(value.type);
  }
  return end === bitsOf(type) ? found.map(({ value }) => value) : undefined;
}

/** The word of which a value has the bits from `shift` on. */
function wordOf(value: Value, shift: number, type: Type): Value | undefined {
  if (value.kind !== 'inst' || value.op !== Op.Trunc) return undefined;
  const [from] = value.operands as [Value];
  if (from.type !== type) return undefined;
  if (shift === 0) return from;
  if (from.kind !== 'inst' || from.op !== Op.LShr || constantAmount(from.operands[1]!) !== shift)
    return undefined;
  return from.operands[0]!;
}

/** The word that the parts are taken from, or that constant parts are. */
function sourceOf(parts: Parts, type: Type): Value | number | undefined {
  let shift = 0;
  let word: Value | undefined;
  let constant = 0;
  for (const part of parts) {
    const from = wordOf(part, shift, type);
    const bits = constantOf(part);
    if ((!from && bits === undefined) || (shift > 0 && from !== word)) return undefined;
    word = from;
    constant |= (Number(bits ?? 0) & (2 ** bitsOf(part.type) - 1)) << shift;
    shift += bitsOf(part.type);
  }
  return word ?? constant;
}

const areSelects = (parts: Parts): parts is readonly Inst[] => {
  const [first] = parts as [Inst];
  return parts.every(
    (part) =>
      part.kind === 'inst' &&
      part.op === Op.Select &&
      part.operands[0] === first.operands[0] &&
      part.block === first.block,
  );
};

const areParams = (parts: Parts): parts is readonly BlockParam[] =>
  parts.every((part) => part.kind === 'param' && part.block === parts[0]!.block);

const keyOf = (parts: Parts): string => parts.map(({ id }) => id).join(' ');

class WholeWords {
  private readonly edges: ReadonlyMap<Block, readonly Target[]>;
  private readonly users = new Map<Value, Inst[]>();
  private readonly leaves: Leaves;
  private readonly replaced: Replacements;
  private readonly made = new Map<string, Value>();
  /** New selects, by the instruction after which they are inserted. */
  private readonly after = new Map<Inst, Inst[]>();
  private hasChanged = false;

  constructor(private readonly func: Func) {
    this.edges = edgesWithArguments(func);
    this.leaves = new Leaves(func);
    this.replaced = new Replacements(func);
    for (const block of func.blocks)
      for (const inst of [...block.insts, block.terminator])
        for (const operand of inst.operands) {
          const list = this.users.get(operand);
          if (list) list.push(inst);
          else this.users.set(operand, [inst]);
        }
  }

  /** Replaces a word if its parts are those of words that are chosen alike. */
  replace(word: Inst, parts: Parts): void {
    const choices = new Map<string, Parts>();
    if (!this.canKeep(parts, word.type, choices)) return;
    // A part that is needed alone, too, is still chosen: only the others are saved.
    const alone = parts.filter((_, at) => [...choices.values()].some((each) => this.isUsedAlone(each[at]!)));
    if (parts.length - alone.length < 2) return;
    this.replaced.set(word, this.keep(parts, word.type));
    this.hasChanged = true;
  }

  private isUsedAlone(value: Value): boolean {
    return (this.users.get(value) ?? []).some(
      (user) => !(user.op === Op.Select && user.operands[0] !== value) && !this.isPutTogether(user),
    );
  }

  private isPutTogether(inst: Inst): boolean {
    return (
      inst.op === Op.ZExt && (this.users.get(inst) ?? []).every(({ op }) => op === Op.Or || op === Op.Shl)
    );
  }

  /** Collects the places where the parts are chosen. */
  private canKeep(parts: Parts, type: Type, choices: Map<string, Parts>): boolean {
    if (sourceOf(parts, type) !== undefined) return true;
    const key = keyOf(parts);
    if (choices.has(key)) return true;
    if (choices.size === MOST_CHOICES) return false;
    choices.set(key, parts);
    if (areSelects(parts)) return [1, 2].every((at) => this.canKeep(operandsAt(parts, at), type, choices));
    return (
      areParams(parts) &&
      (this.edges.get(parts[0]!.block) ?? []).every((edge) =>
        this.canKeep(argumentsOf(edge, parts), type, choices),
      )
    );
  }

  private keep(parts: Parts, type: Type): Value {
    const key = keyOf(parts);
    const source = this.made.get(key) ?? sourceOf(parts, type);
    if (source !== undefined) return typeof source === 'number' ? this.leaves.constant(type, source) : source;
    if (areSelects(parts)) {
      const operands = [1, 2].map((at) => this.keep(operandsAt(parts, at), type));
      // In a loop, its own operands may lead back to it.
      const select = this.made.get(key) ?? this.select(parts, type, operands);
      this.made.set(key, select);
      return select;
    }
    const { block } = parts[0] as BlockParam;
    const at = block.params.length;
    const param = addParam(this.func, block, type);
    this.made.set(key, param);
    const edges = this.edges.get(block) ?? [];
    // The words that it is given may be further parameters of the block.
    for (const edge of edges) edge.arguments = [...edge.arguments, param];
    for (const edge of edges) {
      const word = this.keep(argumentsOf(edge, parts as readonly BlockParam[]), type);
      edge.arguments = edge.arguments.with(at, word);
    }
    return param;
  }

  private select(parts: readonly Inst[], type: Type, chosen: readonly Value[]): Value {
    const { block, operands } = parts[0]!;
    const last = block.insts.findLast((inst) => parts.includes(inst))!;
    const made = makeInst(this.func, block, Op.Select, type, [operands[0]!, ...chosen], {}, last.position);
    const list = this.after.get(last);
    if (list) list.push(made);
    else this.after.set(last, [made]);
    return made;
  }

  finish(): boolean {
    if (!this.hasChanged) return false;
    for (const block of this.func.blocks)
      if (block.insts.some((inst) => this.after.has(inst)))
        block.insts = block.insts.flatMap((inst) => [inst, ...(this.after.get(inst) ?? [])]);
    this.replaced.apply(this.func);
    removeDeadCode(this.func);
    return true;
  }
}

const operandsAt = (parts: readonly Inst[], at: number): Parts => parts.map((part) => part.operands[at]!);

const argumentsOf = (edge: Target, parts: readonly BlockParam[]): Parts =>
  parts.map((part) => edge.arguments[part.block.params.indexOf(part)]!);
