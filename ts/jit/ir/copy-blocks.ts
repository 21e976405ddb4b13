// SPDX-License-Identifier: MIT
//
// Copies of blocks, such as a loop's.
import { addBlock, addParam, makeInst } from './build';
import { type Block, type Func, type Inst, Target, type Value } from './ir';

export interface BlockCopies {
  readonly blocks: ReadonlyMap<Block, Block>;
  /** A value of the copies for one of the originals; others are the same. */
  readonly copyOf: (value: Value) => Value;
}

/** The edges between the blocks lead to copies. `known`: values that take the place of instructions, which are not copied. */
export function copyBlocks(
  func: Func,
  originals: Iterable<Block>,
  known: ReadonlyMap<Value, Value> = new Map(),
): BlockCopies {
  const blocks = new Map<Block, Block>();
  const values = new Map(known);
  const copyOf = (value: Value) => values.get(value) ?? value;
  for (const from of originals) {
    const to = addBlock(func);
    blocks.set(from, to);
    for (const param of from.params) values.set(param, addParam(func, to, param.type));
  }
  const copy = ({ op, type, operands, facts, position }: Inst, to: Block): Inst =>
    makeInst(func, to, op, type, operands, facts, position);
  for (const [from, to] of blocks)
    for (const inst of from.insts) {
      if (known.has(inst)) continue;
      const made = copy(inst, to);
      to.insts.push(made);
      values.set(inst, made);
    }
  for (const [from, to] of blocks) {
    to.terminator = copy(from.terminator, to);
    for (const inst of [...to.insts, to.terminator]) inst.operands = inst.operands.map(copyOf);
    to.targets = from.targets.map((t) => new Target(blocks.get(t.block) ?? t.block, t.arguments.map(copyOf)));
  }
  return { blocks, copyOf };
}
