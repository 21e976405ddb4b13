// SPDX-License-Identifier: MIT
//
// Loop invariants: what is computed before the outermost loop in which it does not change. V8 keeps such values in registers, but
// since about version 12 it hoists nothing by itself.
import type { FunctionBuilder, Gap, ValType } from '../../wasm/function-builder';
import { type Block, Op, type Value } from '../ir/ir';

/** Code that is executed many times, with a gap before it for its invariants. */
interface Repeated {
  readonly gap: Gap;
  /** The loop's blocks; undefined for the function's loops over work-items. */
  readonly blocks: ReadonlySet<Block> | undefined;
  /** Locals with invariants, by their key. */
  readonly hoisted: Map<string, number>;
}

export class Invariants {
  /** The loops around the code that is being emitted, the outermost first. */
  private readonly loops: Repeated[] = [];

  constructor(private readonly f: FunctionBuilder) {}

  /** Opens a loop, just before its code. */
  open(blocks: ReadonlySet<Block> | undefined): void {
    this.loops.push({ gap: this.f.gap(), blocks, hoisted: new Map() });
  }

  close(): void {
    this.loops.pop();
  }

  /** Leaves the result of `emit` for the value `from` on the stack; it is computed in the outermost possible loop. */
  push(key: string, type: ValType, from: Value | undefined, emit: () => void): void {
    const { f } = this;
    const outside = this.loops.find(({ blocks }) =>
      blocks ? !from || !blocks.has(from.block) : !from || isSameInCall(from),
    );
    if (!outside) {
      emit();
      return;
    }
    let local = outside.hoisted.get(key);
    if (local === undefined) {
      const made = f.local(type);
      f.fill(outside.gap, () => {
        emit();
        f.set(made);
      });
      outside.hoisted.set(key, made);
      local = made;
    }
    f.get(local);
  }
}

/** Whether a value is available at the start of a call, and the same for all its work-items. */
function isSameInCall(v: Value): boolean {
  return v.kind === 'inst' && v.op === Op.Argument;
}
