// SPDX-License-Identifier: MIT
//
// Accesses to neighbouring components: each lane's components are one vector in memory; four lanes of them are transposed
// in registers.
import { ValType } from '../../../wasm/function-builder';
import { Wasm } from '../../../wasm/opcodes';
import { type Inst, Type } from '../../ir/ir';
import type { AccessGroup } from '../../vectorize/plan';
import type { Context } from '../context';
import { allLanes } from '../control/masks';
import { seed } from '../pairs';
import { holdVector, type MemoryPlan } from './addresses';
import { pushBase } from './base-address';
import { emitStore } from './stores';
import { loadPackedTriples, storeTriples } from './triples';

/** Interleave the low or high halves of two vectors of words. */
const LOW_WORDS = [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23];
const HIGH_WORDS = [8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31];
const LOW_PAIRS = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
const HIGH_PAIRS = [8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31];
const EVEN = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27];
const ODD = [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31];

function componentOf(group: AccessGroup, member: Inst): number {
  return ((member.facts.offset ?? 0) - group.offset) / 4;
}

export function emitGroupedLoad(c: Context, plan: MemoryPlan, group: AccessGroup): void {
  if (group.members[0]!.type === Type.I8) {
    loadPackedTriples(c, plan, group.members, group.offset);
    return;
  }
  const { f } = c;
  const address = group.members[0]!.operands[0]!;
  const stride = c.divergence.strideAt(address, c.block);
  const perRow = c.lanes >> 2;
  const first = group.members[0]!;
  for (const m of group.members) c.registersOf(m);
  const target = (component: number, row: number, part: number) =>
    group.members
      .filter((m) => componentOf(group, m) === component)
      .map((m) => c.registers[m.id]![row * perRow + part]!);
  const put = (component: number, row: number, part: number, push: () => void) => {
    const targets = target(component, row, part);
    if (targets.length === 0) return;
    push();
    for (const t of targets.slice(1)) f.tee(t);
    f.set(targets[0]!);
  };
  const last = Math.max(...group.members.map((m) => componentOf(group, m)));
  const pairs = stride === 8 && last === 1;
  const rowsWanted = c.rowsOf(first);
  const temps = Array.from({ length: 8 }, () => c.allocate(ValType.V128));
  const [r0, r1, r2, r3, t0, t1, t2, t3] = temps as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const shuffled = (x: number, y: number, lanes: readonly number[]) => {
    f.get(x);
    f.get(y);
    f.shuffle(lanes);
  };
  for (let row = 0; row < rowsWanted; row++)
    for (let part = 0; part < perRow; part++) {
      if (pairs) {
        for (const [half, r] of [r0, r1].entries()) {
          const offset = pushBase(c, plan, group, row, part * 4 + half * 2, plan.safeReadAddress);
          f.memory(Wasm.v128_load, offset);
          f.set(r);
        }
        put(0, row, part, () => shuffled(r0, r1, EVEN));
        put(1, row, part, () => shuffled(r0, r1, ODD));
        continue;
      }
      for (const [lane, r] of [r0, r1, r2, r3].entries()) {
        const offset = pushBase(c, plan, group, row, part * 4 + lane, plan.safeReadAddress);
        f.memory(last <= 1 ? Wasm.v128_load64_zero : Wasm.v128_load, offset);
        f.set(r);
      }
      shuffled(r0, r1, LOW_WORDS);
      f.set(t0);
      shuffled(r2, r3, LOW_WORDS);
      f.set(t1);
      put(0, row, part, () => shuffled(t0, t1, LOW_PAIRS));
      put(1, row, part, () => shuffled(t0, t1, HIGH_PAIRS));
      if (last < 2) continue;
      shuffled(r0, r1, HIGH_WORDS);
      f.set(t2);
      shuffled(r2, r3, HIGH_WORDS);
      f.set(t3);
      put(2, row, part, () => shuffled(t2, t3, LOW_PAIRS));
      put(3, row, part, () => shuffled(t2, t3, HIGH_PAIRS));
    }
  for (const t of temps) c.release(t);
}

/** The group's stores; inactive lanes write to the sink. */
export function emitGroupedStore(c: Context, plan: MemoryPlan, group: AccessGroup): void {
  const { f } = c;
  if (group.members[0]!.operands[1]!.type === Type.I8) {
    storeAsTriples(c, plan, group);
    return;
  }
  if (c.mask || c.wide) {
    // Computed once: both paths need the values, and V8 pairs what is stored.
    const values = group.members.map((m) => m.operands[1]!);
    const held = values.map((value) => holdVector(c, value));
    for (const value of values) seed(c, plan.writeSink, value);
    if (c.mask) {
      allLanes(c, c.mask);
      f.if_(true);
      storeTransposed(c, plan, group, undefined);
      f.else_();
      storeTransposed(c, plan, group, plan.writeSink);
      f.end();
    } else storeTransposed(c, plan, group, undefined);
    for (const release of held) release();
  } else storeTransposed(c, plan, group, undefined);
}

function storeAsTriples(c: Context, plan: MemoryPlan, { members }: AccessGroup): void {
  const { f } = c;
  const held = members.map((m) => holdVector(c, m.operands[1]!));
  if (c.mask) {
    allLanes(c, c.mask);
    f.if_(true);
    storeTriples(c, plan, members);
    f.else_();
    for (const m of members) emitStore(c, plan, m);
    f.end();
  } else storeTriples(c, plan, members);
  for (const release of held) release();
}

function storeTransposed(
  c: Context,
  plan: MemoryPlan,
  group: AccessGroup,
  instead: number | undefined,
): void {
  const { f } = c;
  const stride = c.divergence.strideAt(group.members[0]!.operands[0]!, c.block);
  const inPairs = stride === 8 && instead === undefined;
  const sorted = [...group.members].sort((a, b) => componentOf(group, a) - componentOf(group, b));
  const temps = Array.from({ length: 4 }, () => c.allocate(ValType.V128));
  const [t0, t1, t2, t3] = temps as [number, number, number, number];
  const interleave = (
    x: number,
    y: number,
    row: number,
    part: number,
    lanes: readonly number[],
    into: number,
  ) => {
    c.vector(sorted[x]!.operands[1]!, row, part);
    c.vector(sorted[y]!.operands[1]!, row, part);
    f.shuffle(lanes);
    f.set(into);
  };
  for (let row = 0; row < c.rows; row++)
    for (let part = 0; part < c.lanes >> 2; part++) {
      interleave(0, 1, row, part, LOW_WORDS, t0);
      interleave(0, 1, row, part, HIGH_WORDS, t1);
      if (sorted.length === 2) {
        for (let lane = 0; lane < 4; lane += inPairs ? 2 : 1) {
          const offset = pushBase(c, plan, group, row, part * 4 + lane, instead);
          f.get(lane < 2 ? t0 : t1);
          if (inPairs) f.memory(Wasm.v128_store, offset);
          else f.memoryLane(Wasm.v128_store64_lane, offset, lane & 1);
        }
        continue;
      }
      interleave(2, 3, row, part, LOW_WORDS, t2);
      interleave(2, 3, row, part, HIGH_WORDS, t3);
      for (let lane = 0; lane < 4; lane++) {
        const offset = pushBase(c, plan, group, row, part * 4 + lane, instead);
        f.get(lane < 2 ? t0 : t1);
        f.get(lane < 2 ? t2 : t3);
        f.shuffle(lane % 2 === 0 ? LOW_PAIRS : HIGH_PAIRS);
        f.memory(Wasm.v128_store, offset);
      }
    }
  for (const t of temps) c.release(t);
}
