// SPDX-License-Identifier: MIT
import { addParam, makeInst } from './build';
import type { OwnLoop } from './cfg';
import { Block, type Func, Op, Target, Type } from './ir';

/** The preheader: the only block outside the loop from which its header is entered. It is added if there is none. */
export function preheader(func: Func, loop: OwnLoop): Block {
  const { header } = loop;
  const outside = func.blocks.filter(
    (b) => !loop.blocks.has(b) && b.targets.some((target) => target.block === header),
  );
  const only = outside[0];
  if (outside.length === 1 && only !== func.entry && only!.targets.length === 1) return only!;
  const block = new Block(func.freshId());
  func.blocks.splice(func.blocks.indexOf(header), 0, block);
  const params = header.params.map((p) => addParam(func, block, p.type));
  block.terminator = makeInst(func, block, Op.Jump, Type.Void, []);
  block.targets = [new Target(header, params)];
  for (const from of outside)
    for (const target of from.targets) if (target.block === header) target.block = block;
  for (let outer = loop.parent; outer; outer = outer.parent) outer.blocks.add(block);
  return block;
}
