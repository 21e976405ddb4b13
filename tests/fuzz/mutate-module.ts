// SPDX-License-Identifier: MIT
//
// Modules with one change in them, by word or by instruction, as someone who attacks a device would make them.
import { Chance } from './chance';

const HEADER_WORDS = 5;
const BOUND = 3;

interface Mutable {
  readonly words: number[];
  /** The index of the first instruction. */
  readonly starts: readonly number[];
  readonly chance: Chance;
}

/** A mutation: changes `words` and returns a description. */
type Mutation = (m: Mutable) => string;

const NUMBERS = [
  0, 1, 2, 3, 4, 7, 8, 16, 31, 32, 64, 255, 0x7fff, 0xffff, 0x3fffff, 0x7fffffff, 0x80000000, 0xffffffff,
];

const countAt = (m: Mutable, at: number): number => m.words[at]! >>> 16;
const setCount = (m: Mutable, at: number, count: number): void => {
  m.words[at] = ((count << 16) | (m.words[at]! & 0xffff)) >>> 0;
};

/** The place of an operand of some instruction, and of that instruction. */
function operand(m: Mutable): { at: number; start: number } {
  for (;;) {
    const start = m.chance.pick(m.starts);
    const count = countAt(m, start);
    if (count > 1) return { at: start + m.chance.integer(1, count - 1), start };
  }
}

const MUTATIONS: readonly Mutation[] = [
  function anyWord(m) {
    const at = m.chance.integer(0, m.words.length - 1);
    m.words[at] = changed(m, m.words[at]!);
    return `word ${at}`;
  },
  function operandNumber(m) {
    const { at } = operand(m);
    m.words[at] = changed(m, m.words[at]!);
    return `operand at ${at}`;
  },
  function operandId(m) {
    const { at } = operand(m);
    m.words[at] = m.chance.integer(1, m.words[BOUND]! - 1);
    return `id at ${at}`;
  },
  function operandOfAnother(m) {
    const { at } = operand(m);
    m.words[at] = m.words[operand(m).at]!;
    return `operand of another at ${at}`;
  },
  function opcode(m) {
    const start = m.chance.pick(m.starts);
    const other = m.words[m.chance.pick(m.starts)]! & 0xffff;
    const near = (m.words[start]! & 0xffff) + m.chance.integer(-3, 3);
    const op = m.chance.with(0.5) ? other : near & 0xffff;
    m.words[start] = ((m.words[start]! & 0xffff0000) | op) >>> 0;
    return `opcode at ${start}`;
  },
  function remove(m) {
    const start = m.chance.pick(m.starts);
    m.words.splice(start, countAt(m, start));
    return `removed at ${start}`;
  },
  function repeat(m) {
    const start = m.chance.pick(m.starts);
    const to = m.chance.with(0.5) ? start : m.chance.pick(m.starts);
    m.words.splice(to, 0, ...m.words.slice(start, start + countAt(m, start)));
    return `repeated from ${start} at ${to}`;
  },
  function move(m) {
    const [from, to] = [m.chance.pick(m.starts), m.chance.pick(m.starts)].sort((a, b) => b - a) as [
      number,
      number,
    ];
    m.words.splice(to, 0, ...m.words.splice(from, countAt(m, from)));
    return `moved from ${from} to ${to}`;
  },
  function shorten(m) {
    const { at, start } = operand(m);
    m.words.splice(at, 1);
    setCount(m, start, countAt(m, start) - 1);
    return `operand removed at ${at}`;
  },
  function lengthen(m) {
    const { at, start } = operand(m);
    m.words.splice(at, 0, m.chance.with(0.5) ? m.words[at]! : changed(m, m.words[at]!));
    setCount(m, start, countAt(m, start) + 1);
    return `operand added at ${at}`;
  },
  function exchange(m) {
    const start = m.chance.pick(m.starts);
    const count = countAt(m, start);
    if (count < 3) return operandSwap(m);
    const [a, b] = [m.chance.integer(1, count - 1), m.chance.integer(1, count - 1)];
    [m.words[start + a], m.words[start + b]] = [m.words[start + b]!, m.words[start + a]!];
    return `operands ${a} and ${b} exchanged at ${start}`;
  },
];

function operandSwap(m: Mutable): string {
  const [a, b] = [operand(m).at, operand(m).at];
  [m.words[a], m.words[b]] = [m.words[b]!, m.words[a]!];
  return `words ${a} and ${b} exchanged`;
}

function changed(m: Mutable, word: number): number {
  const { chance } = m;
  switch (chance.integer(0, 3)) {
    case 0:
      return (word + chance.pick([-1, 1, -2, 2])) >>> 0;
    case 1:
      return (word ^ (2 ** chance.integer(0, 31))) >>> 0;
    case 2:
      return chance.pick(NUMBERS);
    default:
      return chance.integer(0, 64);
  }
}

function startsOf(words: readonly number[]): number[] {
  const starts: number[] = [];
  for (let at = HEADER_WORDS; at < words.length; at += Math.max(1, words[at]! >>> 16)) starts.push(at);
  return starts;
}

/** The module with one change, or with a few, as the seed decides; the same seed makes the same mutant. */
export function mutateModule(module: Uint8Array, seed: number): { bytes: Uint8Array; what: string } {
  const chance = new Chance(seed);
  const words = [...new Uint32Array(module.slice().buffer)];
  const done: string[] = [];
  for (let rest = chance.with(0.8) ? 1 : chance.integer(2, 4); rest > 0; rest--)
    done.push(chance.pick(MUTATIONS)({ words, starts: startsOf(words), chance }));
  return { bytes: new Uint8Array(Uint32Array.from(words).buffer), what: done.join(', ') };
}
