// SPDX-License-Identifier: MIT
//
// The branches that the pattern of a kernel's accesses depends on: where they go the same way in each work-group, and the addresses
// are the same, the groups do the same accesses in the same order.
import type { Guard } from '../../base/access-summary';
import { ControlDependence } from '../analyses/control-dependence';
import { dominatorsOf } from '../ir/cfg';
import { type Block, type BlockParam, type Func, Op, type Value } from '../ir/ir';
import { takenBranches } from '../ir/taken-branches';
import type { Formulas } from './formulas';

export class Decisions {
  private readonly dependence: ControlDependence;
  private readonly dominators;
  private readonly ofBlocks = new Map<Block, readonly number[]>();
  private readonly ofValues = new Map<Value, readonly number[]>();

  constructor(
    func: Func,
    private readonly formulas: Formulas,
  ) {
    this.dominators = dominatorsOf(func);
    this.dependence = new ControlDependence(this.dominators);
  }

  /** The conditions that decide whether, and how often, a block is executed. */
  reaching(block: Block): readonly number[] {
    return memoized(this.ofBlocks, block, () => this.nodesOf((slice) => slice.block(block)));
  }

  /** The conditions that decide which of several values this one is. */
  choosing(value: Value): readonly number[] {
    return memoized(this.ofValues, value, () => this.nodesOf((slice) => slice.value(value)));
  }

  /** The branches without which a block is not executed. */
  guarding(block: Block): readonly Guard[] {
    return Array.from(takenBranches(this.dominators, block), ({ condition, holds, from }) => ({
      node: this.formulas.value(condition, from),
      holds,
    }));
  }

  private nodesOf(start: (slice: Slice) => void): readonly number[] {
    const slice = new Slice(this.dependence, this.dominators.preds);
    start(slice);
    slice.run();
    return [...slice.conditions].map(([condition, block]) => this.formulas.value(condition, block));
  }
}

function memoized<K>(
  known: Map<K, readonly number[]>,
  key: K,
  find: () => readonly number[],
): readonly number[] {
  const found = known.get(key) ?? find();
  known.set(key, found);
  return found;
}

/** Values and blocks, with the branches that they depend on, and what these depend on. */
class Slice {
  /** With the blocks that test them. */
  readonly conditions = new Map<Value, Block>();
  private readonly branches = new Set<Block>();
  private readonly values = new Set<Value>();
  private readonly blocks = new Set<Block>();
  private readonly work: (() => void)[] = [];

  constructor(
    private readonly dependence: ControlDependence,
    private readonly preds: ReadonlyMap<Block, readonly Block[]>,
  ) {}

  run(): void {
    for (let next = this.work.pop(); next; next = this.work.pop()) next();
  }

  block(block: Block): void {
    if (this.blocks.has(block)) return;
    this.blocks.add(block);
    this.work.push(() => {
      for (const branch of this.dependence.of(block)) this.branch(branch);
    });
  }

  value(value: Value): void {
    if (this.values.has(value)) return;
    this.values.add(value);
    this.work.push(() => {
      if (value.kind === 'param') this.param(value);
      // What comes from memory is unknown, whatever its address depends on.
      else if (value.op < Op.Load) {
        if (value.op === Op.Select) this.conditions.set(value.operands[0]!, value.block);
        for (const operand of value.operands) this.value(operand);
      }
    });
  }

  private branch(block: Block): void {
    if (this.branches.has(block)) return;
    this.branches.add(block);
    const condition = block.terminator.operands[0]!;
    this.conditions.set(condition, block);
    this.value(condition);
    this.block(block);
  }

  /** Its value depends on the edge by which its block was entered. */
  private param(param: BlockParam): void {
    const { block } = param;
    const index = block.params.indexOf(param);
    for (const from of new Set(this.preds.get(block))) {
      if (from.targets.length > 1) this.branch(from);
      this.block(from);
      for (const target of from.targets) if (target.block === block) this.value(target.arguments[index]!);
    }
  }
}
