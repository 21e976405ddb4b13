// SPDX-License-Identifier: MIT
//
// Reductions and scans of a sub-group, on its active lanes.

import { ValType } from '../../../wasm/function-builder';
import { Inst, Op } from '../../ir/ir';
import { COMBINE, identityOf } from '../../ir/reductions';
import { pushLane, scalarOperation } from '../arithmetic/operations';
import { Extend } from '../arithmetic/tables';
import type { Context } from '../context';
import { activeMask, selectLanes } from '../control/masks';
import { valTypeOf } from '../value-types';
import { clusterOf, placeLane, pushLaneOf } from './lanes';

/** Pushes a lane's number of the operation's type. */
type PushLane = (lane: number) => void;

/** Calls `use` with a function that pushes each lane's contribution: for inactive lanes the neutral element. */
function withContributions(c: Context, inst: Inst, use: (push: PushLane) => void): void {
  const { f, mask } = c;
  const value = inst.operands[0]!;
  if (!mask) {
    use((lane) => pushLane(c, value, 0, lane, Extend.None));
    return;
  }
  const { type } = inst;
  const own = Array.from({ length: c.perRow(type) }, (_, part) => {
    const local = c.allocate(ValType.V128);
    c.vector(value, 0, part);
    c.constants.splat(type, identityOf(inst.facts.reduction!, type));
    activeMask(c, 0, part, type);
    selectLanes(c, type);
    f.set(local);
    return local;
  });
  use((lane) => pushLaneOf(c, own, type, lane));
  for (const local of own) c.release(local);
}

/** Combines the values that two functions push. */
function combine(c: Context, inst: Inst, first: () => void, second: () => void): void {
  const value = inst.operands[0]!;
  const one = new Inst(inst.id, COMBINE[inst.facts.reduction!], inst.type, [value, value], {});
  scalarOperation(c, one, (i) => (i === 0 ? first() : second()));
}

export function reduce(c: Context, inst: Inst): void {
  const { f } = c;
  const cluster = Math.min(clusterOf(inst) ?? c.lanes, c.lanes);
  withContributions(c, inst, (push) => {
    // As a balanced tree, to avoid a long dependency chain.
    const sum = (from: number, count: number): void => {
      if (count === 1) push(from);
      else
        combine(
          c,
          inst,
          () => sum(from, count / 2),
          () => sum(from + count / 2, count / 2),
        );
    };
    const registers = c.registersOf(inst);
    if (!c.isVector(inst)) {
      sum(0, c.lanes);
      f.set(registers[0]!);
      return;
    }
    const per = c.perVector(inst.type);
    for (let first = 0; first < c.lanes; first += cluster)
      c.withLocal(valTypeOf(inst.type), (total) => {
        sum(first, cluster);
        f.set(total);
        for (let lane = first; lane < first + cluster; lane++) {
          f.get(total);
          placeLane(c, registers[Math.floor(lane / per)]!, inst.type, lane % per);
        }
      });
  });
}

export function scan(c: Context, inst: Inst): void {
  const { f } = c;
  const { type } = inst;
  const per = c.perVector(type);
  withContributions(c, inst, (push) => {
    const registers = c.registersOf(inst);
    c.withLocal(valTypeOf(type), (sum) => {
      const exclusive = inst.op === Op.GroupScanExclusive;
      c.constant(type, identityOf(inst.facts.reduction!, type));
      f.set(sum);
      for (let lane = 0; lane < c.lanes; lane++) {
        const place = () => {
          f.get(sum);
          placeLane(c, registers[Math.floor(lane / per)]!, type, lane % per);
        };
        if (exclusive) place();
        combine(
          c,
          inst,
          () => f.get(sum),
          () => push(lane),
        );
        f.set(sum);
        if (!exclusive) place();
      }
    });
  });
}
