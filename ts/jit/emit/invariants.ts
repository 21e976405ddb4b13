// SPDX-License-Identifier: MIT
//
// Loop invariants: what is computed before the outermost loop in which it does not change. V8 keeps such values in registers, but
// that of Node.js 24 and newer moves nothing out of loops that it does not peel (docs/jit.md).
import { invariant } from '../../base/invariant';
import type { FunctionBuilder, Gap, ValType } from '../../wasm/function-builder';
import { type Block, Op, type Value } from '../ir/ir';

/**
 * From where on a value is the same: for one tile of work-items, for a row of tiles, for a call of the function, or for the launch. The later
 * ones are available before more code.
 */
export enum Since {
  Tile = 1,
  Row,
  Call,
  Launch,
}

/** The most values of a row. Each takes a local, of which engines allow 50,000 in a function. */
const MOST_OF_ROW = 4096;

/** Names an invariant within its loop: equal keys are equal values. */
export type Key = string | number;

/** Code that is executed many times, with a gap before it for its invariants. */
interface Repeated {
  readonly gap: Gap;
  /** The loop's blocks; undefined for the function's loops over work-items. */
  readonly blocks: ReadonlySet<Block> | undefined;
  /** Locals with invariants, by their key. */
  readonly hoisted: Map<Key, number>;
}

export class Invariants {
  /** The loops around the code that is being emitted, the outermost first. */
  private readonly loops: Repeated[] = [];
  /** The loop over the tiles of a row, if the function has one. */
  private row: Repeated | undefined;

  constructor(private readonly f: FunctionBuilder) {}

  /** Opens a loop, just before its code. */
  open(blocks: ReadonlySet<Block> | undefined): void {
    this.loops.push({ gap: this.f.gap(), blocks, hoisted: new Map() });
  }

  close(): void {
    this.loops.pop();
  }

  /** Leaves the result of `emit` for the value `from` on the stack; it is computed in the outermost possible loop. */
  push(key: Key, type: ValType, from: Value | undefined, emit: () => void): void {
    const outside = from ? this.loops.find((loop) => isFromOutside(from, loop)) : this.loops[0];
    if (outside) this.pushBefore(outside, key, type, emit);
    else emit();
  }

  /** Whether there is a loop over the tiles of a row, and room for one more value before it. */
  get hasRoomInRow(): boolean {
    return this.row !== undefined && this.row.hoisted.size < MOST_OF_ROW;
  }

  /** Opens the loop over the tiles of a row, just before its code. */
  openRow(): void {
    this.row = { gap: this.f.gap(), blocks: undefined, hoisted: new Map() };
  }

  closeRow(): void {
    this.row = undefined;
  }

  /** Leaves the result of `emit` on the stack; it is computed before the tiles of a row. */
  pushOfRow(key: Key, type: ValType, emit: () => void): void {
    invariant(this.row, 'there is no loop over the tiles of a row');
    this.pushBefore(this.row, key, type, emit);
  }

  private pushBefore({ gap, hoisted }: Repeated, key: Key, type: ValType, emit: () => void): void {
    const { f } = this;
    let local = hoisted.get(key);
    if (local === undefined) {
      const made = f.local(type);
      f.fill(gap, () => {
        emit();
        f.set(made);
      });
      hoisted.set(key, made);
      local = made;
    }
    f.get(local);
  }
}

const isFromOutside = (v: Value, { blocks }: Repeated): boolean =>
  blocks ? !blocks.has(v.block) : isSameInCall(v);

/** Whether a value is available at the start of a call, and the same for all its work-items. */
function isSameInCall(v: Value): boolean {
  return v.kind === 'inst' && v.op === Op.Argument;
}
