// SPDX-License-Identifier: MIT
//
// How bits are moved by look-ups: each byte of a result is an or of what tables have for four bits of the source each. One instruction looks
// up all bytes of a vector in one table, so bytes share a table as far as they move the bits of their four in the same way.
import type { MovedBits } from './moved-bits';

/** Four bits of the source that a byte of the result depends on. */
interface Piece {
  /** Which byte of the result. */
  readonly to: number;
  /** Which four bits of the source, from the lowest ones on. */
  readonly from: number;
  /** For each of the four bits, the bits of the byte that it becomes; 0 if it is not used. */
  readonly moves: readonly number[];
}

/** A look-up for all bytes of the result. */
export interface LookUp {
  /** For each byte of the result, the source's byte with its four bits; undefined if it has none. */
  readonly order: readonly (number | undefined)[];
  /** The bits to take where they are the lower four of a byte, and where they are the upper four, after they have moved down. */
  readonly lower: bigint;
  readonly upper: bigint;
  readonly table: readonly number[];
}

export interface LookUps {
  /** By how many places the source moves up first, down if negative. */
  readonly shift: number;
  readonly lookUps: readonly LookUp[];
  /** The instructions of all this. */
  readonly cost: number;
}

/** The cheapest look-ups for a number of this many bytes; undefined if there are none, as the source's bits do not fit after any shift. */
export function lookUpsFor(bits: MovedBits, bytes: number): LookUps | undefined {
  let best: LookUps | undefined;
  const moved = movedBits(bits, bytes);
  for (let distance = 0; distance < 8 * bytes; distance++)
    for (const shift of distance === 0 ? [0] : [distance, -distance]) {
      const pieces = piecesOf(moved, bytes, shift);
      if (!pieces) continue;
      const lookUps = group(pieces, bytes);
      const cost = costOf(lookUps, bytes) + (shift === 0 ? 0 : 1);
      if (!best || cost < best.cost) best = { shift, lookUps, cost };
    }
  return best;
}

/** A bit of the result, and the place from which it has moved. */
interface MovedBit {
  readonly to: number;
  readonly from: number;
}

function movedBits({ parts }: MovedBits, bytes: number): readonly MovedBit[] {
  const moved: MovedBit[] = [];
  for (const { by, mask } of parts)
    for (let to = 0; to < 8 * bytes; to++) if ((mask >> BigInt(to)) & 1n) moved.push({ to, from: to - by });
  return moved;
}

/** Groups of four bits in the longest number. */
const MOST_GROUPS = 16;

/** Undefined if the shift loses bits. */
function piecesOf(moved: readonly MovedBit[], bytes: number, shift: number): Piece[] | undefined {
  const moves = new Map<number, number[]>();
  for (const { to, from } of moved) {
    const at = from + shift;
    if (at < 0 || at >= 8 * bytes) return undefined;
    const key = (to >> 3) * MOST_GROUPS + (at >> 2);
    const piece = moves.get(key) ?? [0, 0, 0, 0];
    piece[at & 3]! |= 1 << (to & 7);
    moves.set(key, piece);
  }
  return [...moves].map(([key, piece]) => ({
    to: Math.floor(key / MOST_GROUPS),
    from: key % MOST_GROUPS,
    moves: piece,
  }));
}

/** What shares a table: the moves that it makes, and at most one piece for each byte. */
interface Group {
  readonly moves: number[];
  readonly pieces: Piece[];
}

function group(pieces: readonly Piece[], bytes: number): LookUp[] {
  const groups: Group[] = [];
  const used = ({ moves }: Piece) => moves.filter((move) => move !== 0).length;
  // Those that say most of a table come first.
  for (const piece of [...pieces].sort((a, b) => used(b) - used(a))) {
    let fitting = groups.find((one) => fits(one, piece));
    if (!fitting) {
      fitting = { moves: [0, 0, 0, 0], pieces: [] };
      groups.push(fitting);
    }
    for (const [i, move] of piece.moves.entries()) fitting.moves[i]! |= move;
    fitting.pieces.push(piece);
  }
  return groups.map((one) => lookUp(one, bytes));
}

function fits(group: Group, piece: Piece): boolean {
  const agrees = (move: number, i: number) => !move || !group.moves[i] || group.moves[i] === move;
  return piece.moves.every(agrees) && group.pieces.every(({ to }) => to !== piece.to);
}

function lookUp({ moves, pieces }: Group, bytes: number): LookUp {
  const order: (number | undefined)[] = Array.from({ length: bytes }, () => undefined);
  let lower = 0n;
  let upper = 0n;
  for (const { to, from, moves: own } of pieces) {
    order[to] = from >> 1;
    const used = own.reduce((bits, move, i) => bits | (move ? 1 << i : 0), 0);
    const mask = BigInt(used) << BigInt(8 * to);
    if (from & 1) upper |= mask;
    else lower |= mask;
  }
  const entry = (places: number) =>
    moves.reduce((bits, move, i) => ((places >> i) & 1 ? bits | move : bits), 0);
  return { order, lower, upper, table: Array.from({ length: 16 }, (_, places) => entry(places)) };
}

/** Whether bytes are already in an order, as far as it says. */
export function isInPlace(order: LookUp['order']): boolean {
  return order.every((from, to) => from === undefined || from === to);
}

/** What tells permutations apart. */
export function keyOf(order: LookUp['order']): string {
  return isInPlace(order) ? '' : order.join();
}

/** Permutations and shifts by four that look-ups share count once. */
function costOf(lookUps: readonly LookUp[], bytes: number): number {
  const permutations = new Set(lookUps.map(({ order }) => keyOf(order)).filter((key) => key !== ''));
  const shifts = new Set(lookUps.filter(({ upper }) => upper).map(({ order }) => keyOf(order)));
  // Bytes have no shifts of their own.
  let cost = permutations.size + shifts.size * (bytes === 1 ? 2 : 1) + lookUps.length - 1;
  for (const { lower, upper } of lookUps) cost += lower && upper ? 4 : 2;
  return cost;
}
