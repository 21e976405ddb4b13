// SPDX-License-Identifier: MIT
//
// The order of code in memory order (memory-order.ts): one component after the other.
import { accessedBytes, offsetOf } from '../../../ir/accesses';
import { type Block, type Func, type Inst, Op } from '../../../ir/ir';
import { isUnwritten, type MemoryRoots } from '../../../passes/memory-roots';

/**
 * Orders the code component by component, so that few vectors are live at once. A component's store then comes before another
 * component's loads, which gives the same only where structures are either identical or disjoint. Elsewhere stores stay after the
 * loads that precede them.
 */
export function oneComponentAfterAnother(
  func: Func,
  block: Block,
  components: ReadonlyMap<Inst, number>,
  roots: () => MemoryRoots,
): void {
  const { insts } = block;
  const first = insts.findIndex((i) => components.has(i));
  const last = insts.findLastIndex((i) => components.has(i));
  const span = insts.slice(first, last + 1);
  if (span.some((i) => i.op >= Op.Load && !components.has(i))) return;
  const ordered: Inst[] = span.filter((i) => !components.has(i));
  const accessing = span.filter((i) => components.has(i));
  const stages = stagesOf(accessing);
  const byComponent = (list: readonly Inst[]) =>
    [...list].sort((a, b) => stages.get(a)! - stages.get(b)! || components.get(a)! - components.get(b)!);
  if (mayOverlapPartly(func, accessing, components, roots)) {
    for (const phase of phasesOf(accessing)) {
      ordered.push(...byComponent(phase.filter((i) => i.op !== Op.Store)));
      ordered.push(...phase.filter((i) => i.op === Op.Store));
    }
  } else ordered.push(...byComponent(accessing));
  insts.splice(first, span.length, ...ordered);
}

/**
 * How many permutations lead to each instruction: they need all components of what they permute. Accesses stay in the order of these
 * stages.
 */
function stagesOf(insts: readonly Inst[]): ReadonlyMap<Inst, number> {
  const stages = new Map<Inst, number>();
  let ofAccesses = 0;
  for (const inst of insts) {
    const isAccess = inst.op === Op.Load || inst.op === Op.Store;
    let stage = isAccess ? ofAccesses : 0;
    for (const operand of inst.operands) stage = Math.max(stage, stages.get(operand as Inst) ?? 0);
    if (inst.op === Op.PermuteComponents) stage++;
    if (isAccess) ofAccesses = stage;
    stages.set(inst, stage);
  }
  return stages;
}

/** Divides instructions before each load that follows a store. */
function phasesOf(insts: readonly Inst[]): Inst[][] {
  const phases: Inst[][] = [[]];
  let stored = false;
  for (const inst of insts) {
    if (inst.op === Op.Load && stored) {
      phases.push([]);
      stored = false;
    }
    stored ||= inst.op === Op.Store;
    phases.at(-1)!.push(inst);
  }
  return phases;
}

/** A structure that is accessed: its first component, and where that is. */
interface Structure {
  readonly first: Inst;
  readonly start: number;
  bytes: number;
}

/** Whether a structure that is stored may overlap another one without being the same. */
function mayOverlapPartly(
  func: Func,
  accessing: readonly Inst[],
  components: ReadonlyMap<Inst, number>,
  roots: () => MemoryRoots,
): boolean {
  const structures = new Map<string, Structure>();
  for (const inst of accessing) {
    if (inst.op !== Op.Load && inst.op !== Op.Store) continue;
    const size = accessedBytes(inst);
    const start = offsetOf(inst) - components.get(inst)! * size;
    const key = `${inst.op} ${inst.operands[0]!.id} ${start}`;
    const known = structures.get(key);
    if (known) known.bytes += size;
    else structures.set(key, { first: inst, start, bytes: size });
  }
  const all = [...structures.values()];
  return all.some(
    (a) => a.first.op === Op.Store && all.some((b) => a !== b && !areIdenticalOrDisjoint(func, a, b, roots)),
  );
}

function areIdenticalOrDisjoint(func: Func, a: Structure, b: Structure, roots: () => MemoryRoots): boolean {
  if (b.first.facts.invariant === true) return true;
  // A component of others is of other work-items' structures.
  const isSameForm = a.bytes === b.bytes && accessedBytes(a.first) === accessedBytes(b.first);
  if (a.first.operands[0] === b.first.operands[0])
    return (
      (a.start === b.start && isSameForm) || a.start + a.bytes <= b.start || b.start + b.bytes <= a.start
    );
  const isAligned = ({ first, bytes }: Structure) => (first.facts.align ?? 1) >= bytes;
  if (isSameForm && isAligned(a) && isAligned(b)) return true;
  if (isUnwritten(func, b.first)) return true;
  return !roots().mayAlias(roots().access(a.first), roots().access(b.first));
}
