// SPDX-License-Identifier: MIT
//
// A vector plan as text: the kernel's IR, with what was decided beside each line. `anycl compile --emit=plan`.
import { type Inst, Op, Type, type Value } from '../ir/ir';
import { print } from '../ir/print';
import type { AccessGroup, VectorPlan } from './plan';

export function printPlan(plan: VectorPlan): string {
  const text = print(plan.kernel.func, {
    inst: (inst) => noteOf(plan, inst).join(', '),
    block: (block, name) => {
      const params = block.params.map((p) => `${name(p)} ${valueNote(plan, p).join(' ')}`);
      return [...params, ...loopNotes(plan, block.id)].join(', ');
    },
  });
  return `; tile: ${plan.lanes} x ${plan.rows}\n${text}${regionNotes(plan)}`;
}

function noteOf(plan: VectorPlan, inst: Inst): string[] {
  const notes = inst.type === Type.Void ? [] : valueNote(plan, inst);
  if (inst.op === Op.Load || inst.op === Op.Store) notes.push(...accessNotes(plan, inst));
  if (inst.op === Op.Branch) notes.push(...branchNotes(plan, inst));
  return notes;
}

function valueNote(plan: VectorPlan, v: Value): string[] {
  const shape = plan.shapeOf(v);
  const stride = shape === 'affine' ? ` ${plan.divergence.stride[v.id]}` : '';
  const width = shape === 'packed' ? ` ${plan.packed.get(v.id)}` : '';
  const notes = [`${shape}${stride}${width}`];
  if (plan.rows > 1 && plan.rowsOf(v) === 1) notes.push('shared by rows');
  if (plan.isInline(v)) notes.push('inline');
  if (plan.isLiveOut(v)) notes.push(`live-out ${plan.liveOuts.get(v)} (${plan.kernel.liveOuts.how(v)})`);
  return notes;
}

function accessNotes(plan: VectorPlan, inst: Inst): string[] {
  const { pattern, triples, test } = plan.accessOf(inst);
  const group = plan.groups.get(inst);
  const notes = [`${pattern} access`];
  if (group) notes.push(groupNote(group));
  if (inst.facts.memoryOrder !== undefined) notes.push('in memory order');
  if (triples) notes.push('three bytes apart');
  if (test?.clamped) notes.push('contiguous within bounds');
  else if (test)
    notes.push(test.wrapped ? 'contiguous unless it wraps around' : 'contiguous if a test says so');
  if (plan.laneBases.has(inst.operands[0]!)) notes.push("from the lanes' bases");
  if (plan.kernel.ownElements.has(inst)) notes.push('may write back');
  else if (plan.kernel.soleWrites.stores.has(inst))
    notes.push('may write back in launches that alone write the argument');
  return notes;
}

const groupNote = ({ members }: AccessGroup): string => `one of ${members.length} made together`;

function branchNotes(plan: VectorPlan, branch: Inst): string[] {
  const notes: string[] = [];
  for (const region of plan.regions.values())
    for (const block of region.control.order) {
      if (region.original(block) !== branch.block || block.terminator !== branch) continue;
      if (!region.control.isDivergentBranch(block)) notes.push('uniform branch');
      else {
        const side = region.guardedSide(block);
        notes.push(side === undefined ? 'divergent branch' : `guard, target ${side} unmasked`);
      }
      return notes;
    }
  return notes;
}

function loopNotes(plan: VectorPlan, id: number): string[] {
  for (const region of plan.regions.values())
    for (const block of region.control.order) {
      if (block.id !== id || !region.control.loopHeadedBy(block)) continue;
      if (!region.control.divergentLoopHeaders.has(block)) return ['uniform loop'];
      return [
        region.stayingSide(block) === undefined ? 'divergent loop' : 'divergent loop with an unmasked copy',
      ];
    }
  return [];
}

function regionNotes({ kernel }: VectorPlan): string {
  const { list, collectives } = kernel.regions;
  if (list.length === 1) return '';
  return list
    .map(({ needs, provides }, i) => {
      const before = collectives[i] ? ` after ${Op[collectives[i].op]}` : '';
      return `; region ${i}${before}: needs ${needs.size} values, provides ${provides.size}\n`;
    })
    .join('');
}
