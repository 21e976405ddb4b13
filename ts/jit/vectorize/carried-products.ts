// SPDX-License-Identifier: MIT
//
// Loops in which each 64-bit product waits for the one of the iteration before, such as a hash of a text. One lane waits for each
// of them; the lanes of vectors wait at the same time.
import type { Loop } from '../ir/cfg';
import { type Inst, Op, Type, type Value } from '../ir/ir';

/** Cycles from the operands of an instruction to its result. */
const PRODUCT = 4;
const OTHER = 1;

/**
 * The cycles from a loop's carried 64-bit value to the same in the next iteration, by the longest path through products; 0 if no
 * carried value depends on a product of itself.
 */
export function carriedProductLatency(loop: Loop): number {
  if (loop.latches.length !== 1) return 0;
  const again = loop.latches[0]!.targets.find((t) => t.block === loop.header)!;
  let longest = 0;
  loop.header.params.forEach((param, i) => {
    if (param.type !== Type.I64) return;
    const path = new Paths(loop, param).to(again.arguments[i]!);
    if (path?.hasProduct) longest = Math.max(longest, path.cycles);
  });
  return longest;
}

interface Path {
  readonly cycles: number;
  readonly hasProduct: boolean;
}

/** The longest paths within one iteration from a loop's parameter. */
class Paths {
  private readonly known = new Map<Value, Path | undefined>();

  constructor(
    private readonly loop: Loop,
    from: Value,
  ) {
    this.known.set(from, { cycles: 0, hasProduct: false });
  }

  /** Undefined where a value does not depend on the parameter. */
  to(value: Value): Path | undefined {
    if (this.known.has(value)) return this.known.get(value);
    this.known.set(value, undefined);
    const path = value.kind === 'inst' && this.loop.blocks.has(value.block) ? this.through(value) : undefined;
    this.known.set(value, path);
    return path;
  }

  private through(inst: Inst): Path | undefined {
    let longest: Path | undefined;
    for (const operand of inst.operands) {
      const path = this.to(operand);
      if (path && !(longest && longest.cycles >= path.cycles)) longest = path;
    }
    if (!longest) return undefined;
    const isProduct = inst.op === Op.Mul && inst.type === Type.I64;
    return {
      cycles: longest.cycles + (isProduct ? PRODUCT : OTHER),
      hasProduct: longest.hasProduct || isProduct,
    };
  }
}
