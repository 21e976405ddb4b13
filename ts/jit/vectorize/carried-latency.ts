// SPDX-License-Identifier: MIT
//
// Loops in which each 64-bit product or quotient waits for the one of the iteration before, such as a hash of a text, a modular power or
// Euclid's algorithm. One lane waits for each of them; the lanes of vectors wait at the same time.
import { constantOf } from '../ir/build';
import type { Dominators, Loop } from '../ir/cfg';
import { type Inst, Op, Type, type Value } from '../ir/ir';

/**
 * Cycles from the operands of a long operation on 64 bits to its result, and of any other operation. Engines multiply by the reciprocals of
 * constants.
 */
const CYCLES = {
  product: 4,
  highProduct: 12,
  quotient: 20,
  byConstant: 6,
  remainderByConstant: 12,
  other: 1,
};

/**
 * The cycles from a loop's carried value to the same in the next iteration, by the longest path through long operations; 0 if no carried
 * value depends on one of itself.
 */
export function carriedLatency(loop: Loop, { index }: Dominators): number {
  if (loop.latches.length !== 1) return 0;
  const blocks = [...loop.blocks].sort((a, b) => index.get(a)! - index.get(b)!);
  const insts = blocks.flatMap((block) => block.insts);
  if (!insts.some(isLong)) return 0;
  const again = loop.latches[0]!.targets.find((t) => t.block === loop.header)!;
  let longest = 0;
  loop.header.params.forEach((param, i) => {
    if (param.type !== Type.I64 && param.type !== Type.I32) return;
    const path = pathsFrom(param, insts).get(again.arguments[i]!);
    if (path?.isLong) longest = Math.max(longest, path.cycles);
  });
  return longest;
}

function cyclesOf({ op, type, operands }: Inst): number {
  if (type !== Type.I64) return CYCLES.other;
  switch (op) {
    case Op.Mul:
    case Op.SMulWide:
    case Op.UMulWide:
      return CYCLES.product;
    case Op.SMulHi:
    case Op.UMulHi:
      return CYCLES.highProduct;
    case Op.SDiv:
    case Op.UDiv:
      return constantOf(operands[1]!) === undefined ? CYCLES.quotient : CYCLES.byConstant;
    case Op.SRem:
    case Op.URem:
      return constantOf(operands[1]!) === undefined ? CYCLES.quotient : CYCLES.remainderByConstant;
    default:
      return CYCLES.other;
  }
}

function isLong(inst: Inst): boolean {
  return cyclesOf(inst) > CYCLES.other;
}

interface Path {
  readonly cycles: number;
  /** Whether it goes through a long operation. */
  readonly isLong: boolean;
}

/**
 * The longest path from a loop's parameter to each value that depends on it within one iteration. The instructions are in the order of
 * their blocks, each after its operands.
 */
function pathsFrom(param: Value, insts: readonly Inst[]): ReadonlyMap<Value, Path> {
  const paths = new Map<Value, Path>([[param, { cycles: 0, isLong: false }]]);
  for (const inst of insts) {
    let longest: Path | undefined;
    for (const operand of inst.operands) {
      const path = paths.get(operand);
      if (path && !(longest && longest.cycles >= path.cycles)) longest = path;
    }
    if (longest)
      paths.set(inst, { cycles: longest.cycles + cyclesOf(inst), isLong: longest.isLong || isLong(inst) });
  }
  return paths;
}
