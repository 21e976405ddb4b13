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
  readonly lower: number;
  readonly upper: number;
  readonly table: readonly number[];
}

export interface LookUps {
  /** By how many places the source moves up first, down if negative. */
  readonly shift: number;
  readonly lookUps: readonly LookUp[];
  /** The instructions of all this. */
  readonly cost: number;
}

/** The cheapest look-ups for a number of so many bytes; undefined if there are none, as the source's bits do not fit after any shift. */
export function lookUpsFor(bits: MovedBits, bytes: number): LookUps | undefined {
  let best: LookUps | undefined;
  for (let distance = 0; distance < 8 * bytes; distance++)
    for (const shift of distance === 0 ? [0] : [distance, -distance]) {
      const pieces = piecesOf(bits, bytes, shift);
      if (!pieces) continue;
      const lookUps = group(pieces, bytes);
      const cost = costOf(lookUps, bytes) + (shift === 0 ? 0 : 1);
      if (!best || cost < best.cost) best = { shift, lookUps, cost };
    }
  return best;
}

/** Undefined if the shift loses bits. */
function piecesOf({ parts }: MovedBits, bytes: number, shift: number): Piece[] | undefined {
  const moves = new Map<number, number[]>();
  for (const { by, mask } of parts)
    for (let bit = 0; bit < 8 * bytes; bit++) {
      if (((mask >>> bit) & 1) === 0) continue;
      const at = bit - by + shift;
      if (at < 0 || at >= 8 * bytes) return undefined;
      const key = (bit >> 3) * 8 + (at >> 2);
      const piece = moves.get(key) ?? [0, 0, 0, 0];
      piece[at & 3]! |= 1 << (bit & 7);
      moves.set(key, piece);
    }
  return [...moves].map(([key, piece]) => ({ to: key >> 3, from: key & 7, moves: piece }));
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
  let lower = 0;
  let upper = 0;
  for (const { to, from, moves: own } of pieces) {
    order[to] = from >> 1;
    const mask = own.reduce((bits, move, i) => bits | (move ? 1 << i : 0), 0) << (8 * to);
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
