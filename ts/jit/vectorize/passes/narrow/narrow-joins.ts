// SPDX-License-Identifier: MIT
//
// Where paths join, a number of which only low bits are used is narrow if it can be computed in so few bits on each path: then the paths
// are narrow arithmetic, and may become selects of packed numbers.
import { addParam } from '../../../ir/build';
import { edgesWithArguments } from '../../../ir/cfg';
import { type Block, type BlockParam, type Func, type Inst, Type, type Value } from '../../../ir/ir';
import type { Replacements } from '../../../ir/rewrite';
import { truncatedParams } from '../../../passes/narrow-params';
import type { Width } from './low-bits';

interface Join {
  readonly param: BlockParam;
  readonly type: Type;
  readonly truncations: readonly Inst[];
}

export class NarrowJoins {
  private readonly joins = new Map<Block, Join[]>();

  constructor(
    private readonly func: Func,
    fits: (v: Value, width: Width) => boolean,
  ) {
    const found = truncatedParams(func);
    if (found.size === 0) return;
    const edges = edgesWithArguments(func);
    for (const [param, truncations] of found) {
      const { block } = param;
      const { type } = truncations[0]!;
      if (param.type !== Type.I32) continue;
      const at = block.params.indexOf(param);
      const targets = edges.get(block) ?? [];
      if (!targets.every((target) => fits(target.arguments[at]!, widthOf(type)))) continue;
      const list = this.joins.get(block) ?? [];
      this.joins.set(block, [...list, { param, type, truncations }]);
    }
  }

  get exist(): boolean {
    return this.joins.size > 0;
  }

  /** Passes the low bits on at the end of a block: `low` makes them there. */
  narrowArguments(block: Block, low: (v: Value, width: Width) => Value): void {
    for (const target of block.targets)
      for (const { param, type } of this.joins.get(target.block) ?? []) {
        const at = target.block.params.indexOf(param);
        target.arguments = target.arguments.with(at, low(target.arguments[at]!, widthOf(type)));
      }
  }

  replaceParams(replaced: Replacements): void {
    for (const [block, joins] of this.joins)
      for (const { param, type, truncations } of joins) {
        const narrow = addParam(this.func, block, type);
        block.params.pop();
        block.params = block.params.map((p) => (p === param ? narrow : p));
        for (const truncation of truncations) replaced.set(truncation, narrow);
      }
  }
}

const widthOf = (type: Type): Width => (type === Type.I8 ? 8 : 16);
