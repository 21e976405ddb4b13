// SPDX-License-Identifier: MIT
//
// A planned kernel as launches see it: its modules, which are emitted when a launch requests one, and its properties.
import type { CounterTable } from '../base/coverage';
import type { KernelBinary, KernelSignature } from '../base/kernel-abi';
import { finish } from '../base/steps';
import { costPerItem, type launchFacts } from './analyses/launch-facts';
import { emitSteps } from './emit/module';
import type { Guards } from './guard-accesses';
import type { privatizedArguments } from './passes/privatize-atomics';
import { accessGroups } from './vectorize/access';
import { BLOCK_SIDE } from './vectorize/column-major';
import type { KernelPlan } from './vectorize/kernel-plan';
import { remarksOn } from './vectorize/remarks';
import type { Choice, Tile } from './vectorize/tile';

interface Planned {
  readonly signature: KernelSignature;
  readonly counters?: CounterTable | undefined;
  readonly plan: KernelPlan;
  readonly tile: Choice;
  readonly facts: ReturnType<typeof launchFacts>;
  readonly privatized: ReturnType<typeof privatizedArguments>;
  readonly guards: Guards;
}

/** Checks do more when a group begins than plain code does. */
const CHECKED_SIZE = [256, 4, 1] as const;

export function kernelBinary({
  signature,
  counters,
  plan,
  tile,
  facts,
  privatized,
  guards,
}: Planned): KernelBinary {
  const isChecked = guards.checks !== undefined;
  const { interchanged } = plan.func;
  const usualSize = isChecked ? CHECKED_SIZE : preferredLocalSize(tile, plan);
  return {
    signature,
    moduleSteps: (kind, atomics = 'shared') =>
      emitSteps(atomics === 'shared' ? plan : { ...plan, privatized }, tile.lanes, tile.rows, kind),
    module(kind, atomics) {
      return finish(this.moduleSteps(kind, atomics));
    },
    privatized,
    ...(plan.soleWrites.arguments.length > 0 ? { soleWrites: plan.soleWrites.arguments } : {}),
    lanes: tile.lanes,
    rows: tile.rows,
    localBytes: signature.staticLocalBytes,
    preferredLocalSize: signature.requiredLocalSize ?? usualSize,
    bounded: facts.bounded && !isChecked,
    costIsGuess: facts.hasLoops || isChecked,
    // Checked groups are alike, if none is smaller than others.
    groupsUnobservable: facts.groupsUnobservable && !isChecked,
    ...(dependsOnSeparate(plan, tile) ? { dependsOnSeparate: true } : {}),
    ...(interchanged ? { interchanged } : {}),
    ...(tile.wide ? { wide: true } : {}),
    costPerItem: costPerItem(facts, tile.lanes),
    printfFormats: plan.printfFormats,
    ...guards,
    ...(counters ? { counters } : {}),
    remarks: () => remarksOn(plan, tile, privatized),
  };
}

/** Whether the code depends on arguments being separate. Accesses are grouped only when code is emitted. */
function dependsOnSeparate({ func, divergence }: KernelPlan, { lanes }: Tile): boolean {
  const maybe = lanes > 1 && func.blocks.some((b) => b.insts.some((i) => i.facts.invariant === 'ifSeparate'));
  if (maybe) for (const block of func.blocks) accessGroups(func, block, divergence, () => true);
  return func.dependsOnSeparate;
}

/** Long rows, so that remainders are rare, and as many rows as a tile has; or square blocks. */
function preferredLocalSize(
  tile: Tile,
  { columnMajor, func }: KernelPlan,
): readonly [number, number, number] {
  if (columnMajor) return [BLOCK_SIDE, BLOCK_SIDE, 1];
  return func.interchanged ? [tile.rows, 64, 1] : [64, tile.rows, 1];
}
