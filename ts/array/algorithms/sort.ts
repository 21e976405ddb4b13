// SPDX-License-Identifier: MIT
//
// Stable radix sorts along the last axis. In each pass every run of a row counts its digits, the counts are scanned, and each run
// moves its elements to where its digits begin. Keys travel as integers without sign that have the elements' order.
// sort-pass.ts has the kernels of a pass.
import { DTYPES } from '../dtype';
import { materialize } from '../elementwise/elementwise';
import { Inputs, type Scope, scoped } from '../fusion';
import { Node } from '../node';
import { chunksOf } from '../profile';
import { sizeOf } from '../shape';
import type { Space, Storage } from '../space';
import type { Task } from '../task';
import { allAxes } from '../writer';
import { differingBits, keyCode } from './keys';
import { type Payload, type Place, pass, type Tile, type Work } from './sort-pass';

/** Options of sorting. */
export interface SortOptions {
  /** The axis to sort along; by default the last. */
  readonly axis?: number;
  /** The greatest first. Equal elements stay in their order. */
  readonly descending?: boolean;
}

/** From this many elements on, a processor looks first in which bits keys differ: the other digits need no pass. */
const WORTH_A_LOOK = 1 << 15;

/** Sorts a node's rows. Returns the keys, if they are wanted, and the payload, if there is one. */
export function sortNode(
  given: Node,
  payload: Payload,
  wantsKeys: boolean,
  descending: boolean,
): Task<readonly Storage[]> {
  return scoped(given.space, function* (scope) {
    const { space, shape } = given;
    const { profile } = space;
    const axes = allAxes(shape);
    const length = shape[axes.length - 1] ?? 1;
    const rows = sizeOf(shape.slice(0, -1));
    const cores = profile.style === 'cores';
    const code = keyCode(given.dtype, descending);
    const bits = cores ? 8 : 4;
    const payloadType = payload instanceof Node ? payload.dtype : 'uint32';
    const keyBytes = DTYPES[code.dtype].bytes;
    const tile = tileOf(space, 2 ** bits, keyBytes + (payload === 'none' ? 0 : DTYPES[payloadType].bytes));
    const { length: run, count } =
      rows >= profile.units * 4
        ? { length, count: 1 }
        : chunksOf(length, profile, cores ? 1 : tile.group * tile.perItem, cores ? 4096 : tile.group * 16);
    const keyLength = 8 * keyBytes;
    const looks = cores && keyLength > 8 && rows * length >= WORTH_A_LOOK;
    const node = looks && given.fused ? yield* computed(given, scope) : given;
    const work: Work = {
      node,
      payload,
      payloadType,
      inputs: yield* Inputs.gather(payload instanceof Node ? [node, payload] : [node], scope),
      code,
      rows,
      length,
      run: Math.max(1, run),
      count,
      groups: [
        { variable: 'k', axes: axes.slice(0, -1) },
        { variable: 'r', axes: axes.slice(-1) },
      ],
      bits,
      tile,
      ...(looks ? yield* differingBits(node, code) : { from: 0, to: keyLength }),
    };
    const outputs: Storage[] = [];
    try {
      if (wantsKeys) outputs.push(space.allocate(node.dtype, rows * length));
      if (payload !== 'none') outputs.push(space.allocate(payloadType, rows * length));
      const end: Place = {
        keys: wantsKeys ? outputs[0] : undefined,
        payload: payload === 'none' ? undefined : outputs.at(-1),
      };
      if (rows * length > 0) yield* passes(space, scope, work, end);
      return outputs;
    } catch (error) {
      for (const storage of outputs) storage.release();
      throw error;
    }
  });
}

/** A node's elements in memory, which several kernels are going to read. */
function* computed(node: Node, scope: Scope): Task<Node> {
  const storage = scope.keep(yield* materialize(node));
  return scope.node(storage, node.dtype, node.shape);
}

/** More local memory would leave a compute unit too few groups. */
const MOST_LOCAL_BYTES = 32768;
const PER_ITEM = [16, 8, 4, 2] as const;

/** The largest tile whose keys, payload (together of `bytes`), counters of 16 bits, sums and digits' positions fit in local memory. */
function tileOf({ profile }: Space, buckets: number, bytes: number): Tile {
  const group = Math.min(256, profile.groupSize);
  const others = group * (2 * buckets + 8) + 4 * buckets;
  const room = Math.min(profile.localMemory, MOST_LOCAL_BYTES) - others;
  return { group, perItem: PER_ITEM.find((perItem) => perItem * group * bytes <= room) ?? 1 };
}

function* passes(space: Space, scope: Scope, work: Work, end: Place): Task<void> {
  const n = work.rows * work.length;
  // Equal keys take a pass too: it copies them.
  const digits = Math.max(1, Math.ceil((work.to - work.from) / work.bits));
  const between = (): Place => ({
    keys: scope.temporary(work.code.dtype, n),
    payload: work.payload === 'none' ? undefined : scope.temporary(work.payloadType, n),
  });
  const rooms = Array.from({ length: Math.min(2, digits - 1) }, between);
  let from: Place | undefined;
  for (let digit = 0; digit < digits; digit++) {
    const last = digit === digits - 1;
    const to = last ? end : rooms[digit % rooms.length]!;
    yield* pass(space, work, from, to, digit, last);
    from = to;
  }
}
