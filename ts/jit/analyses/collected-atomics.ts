// SPDX-License-Identifier: MIT
//
// Arguments whose memory the kernel only adds to (or takes minima of, …) by atomics whose results nobody uses. Where no
// other argument of a launch reaches that memory, nothing can tell when an addition arrives before the launch ends: workers
// may collect them in memory of their own and hand in the sums. docs/adr/0015 has the reasoning.
import type { CollectedArgument, KernelSignature } from '../../base/kernel-abi';
import { type Func, type Inst, Op, type Rmw, type Scope, Type, type Value } from '../ir/ir';
import { bytesOf } from '../ir/types';
import { MemoryRoots, spaceOfRoot } from '../passes/memory-roots';

/** Operations that commute with each other, by the one that hands in what was collected. */
const HANDED_IN_BY: Partial<Record<Rmw, CollectedArgument['rmw']>> = {
  add: 'add',
  sub: 'add',
  and: 'and',
  or: 'or',
  xor: 'xor',
  smin: 'smin',
  smax: 'smax',
  umin: 'umin',
  umax: 'umax',
};

/** Words in the dispatch block for each collected argument. */
const WORDS = 2;

/** Finds the arguments, and marks their atomics by `facts.collected`. To be asked when the passes are through. */
export function collectedArguments(func: Func, signature: KernelSignature): CollectedArgument[] {
  const all = instructions(func);
  if (!all.some((i) => i.op === Op.AtomicRmw)) return [];
  const roots = new MemoryRoots(func, signature);
  if (!all.every((inst) => isKnown(inst, roots, signature))) return [];
  const users = usersOf(all, func);
  const found: { argument: Inst; atomics: Inst[] }[] = [];
  for (const inst of func.entry.insts) {
    if (inst.op !== Op.Argument || signature.arguments[inst.facts.index!]?.kind !== 'buffer') continue;
    const atomics = onlyAtomics(inst, users);
    if (atomics) found.push({ argument: inst, atomics });
  }
  const collected = new Set(found.flatMap(({ atomics }) => atomics));
  if (collected.size === 0 || ordersOthers(all, collected)) return [];
  const first = Math.ceil(signature.dispatchBytes / 4) * 4;
  return found.map(({ argument, atomics }, i) => {
    for (const atomic of atomics) atomic.facts = { ...atomic.facts, collected: true };
    const [{ facts, type }] = atomics as [Inst];
    return {
      argument: argument.facts.index!,
      rmw: HANDED_IN_BY[facts.rmw!]!,
      elementBytes: bytesOf(type) as CollectedArgument['elementBytes'],
      offset: first + i * WORDS * 4,
    };
  });
}

function instructions(func: Func): Inst[] {
  return func.blocks.flatMap((block) => [...block.insts, block.terminator]);
}

/** What uses each value; block parameters count as uses of nobody in particular. */
function usersOf(all: readonly Inst[], func: Func): (Inst | undefined)[][] {
  const users = Array.from({ length: func.idBound }, (): (Inst | undefined)[] => []);
  for (const inst of all) for (const operand of inst.operands) users[operand.id]!.push(inst);
  for (const { targets } of func.blocks)
    for (const target of targets)
      for (const argument of target.arguments) users[argument.id]!.push(undefined);
  return users;
}

/** The atomics on addresses made of `argument`, if it has no other use and they go together. */
function onlyAtomics(argument: Inst, users: readonly (readonly (Inst | undefined)[])[]): Inst[] | undefined {
  const atomics: Inst[] = [];
  const seen = new Set<Value>([argument]);
  for (const value of seen)
    for (const user of users[value.id]!) {
      if (user?.op === Op.Add) seen.add(user);
      else if (user && isUnused(user, users) && user.operands[0] === value && user.operands[1] !== value)
        atomics.push(user);
      else return undefined;
    }
  const [first] = atomics;
  if (!first) return undefined;
  const alike = (inst: Inst) =>
    HANDED_IN_BY[inst.facts.rmw!] === HANDED_IN_BY[first.facts.rmw!] && inst.type === first.type;
  return atomics.every(alike) ? atomics : undefined;
}

function isUnused(inst: Inst, users: readonly (readonly (Inst | undefined)[])[]): boolean {
  return (
    inst.op === Op.AtomicRmw &&
    HANDED_IN_BY[inst.facts.rmw!] !== undefined &&
    (inst.type === Type.I32 || inst.type === Type.I64) &&
    users[inst.id]!.length === 0
  );
}

/** Whether it is known which memory an instruction touches: an address from memory may be anything's. */
function isKnown(inst: Inst, roots: MemoryRoots, signature: KernelSignature): boolean {
  // What is called out of line are the library's rare cases, which take numbers and read its tables.
  switch (inst.op) {
    case Op.Load:
    case Op.Store:
    case Op.AtomicLoad:
    case Op.AtomicStore:
    case Op.AtomicRmw:
    case Op.AtomicCmpXchg:
      return isKnownAddress(inst.operands[0]!, inst, roots, signature);
    case Op.Copy:
    case Op.AsyncCopy:
      return [0, 1].every((at) => isKnownAddress(inst.operands[at]!, undefined, roots, signature));
    default:
      return true;
  }
}

function isKnownAddress(
  address: Value,
  access: Inst | undefined,
  roots: MemoryRoots,
  signature: KernelSignature,
): boolean {
  const root = roots.rootOf(address);
  const space = spaceOfRoot(root) ?? access?.facts.space;
  return (
    root !== undefined || space === 'local' || space === 'private' || isOfObject(address, roots, signature)
  );
}

/** Whether an address was read from the descriptor of an image or pipe, of which a launch knows where its data lies. */
function isOfObject(address: Value, roots: MemoryRoots, signature: KernelSignature): boolean {
  if (address.kind === 'param') return false;
  if (address.op === Op.Add) return address.operands.some((o) => isOfObject(o, roots, signature));
  if (address.op !== Op.Load) return false;
  const root = roots.rootOf(address.operands[0]!);
  const kind = root?.op === Op.Argument ? signature.arguments[root.facts.index!]?.kind : undefined;
  return kind === 'image' || kind === 'pipe';
}

/**
 * Whether an atomic that is collected could be seen in its order among others that are not: only where neither has a
 * stronger order than relaxed does it not matter when each arrives.
 */
function ordersOthers(all: readonly Inst[], collected: ReadonlySet<Inst>): boolean {
  const shared = all.filter((inst) => isSharedAtomic(inst) && !collected.has(inst));
  if (shared.length === 0) return false;
  const relaxed = (inst: Inst) => inst.facts.relaxed === true;
  const fences = all.some(
    (i) =>
      (i.op === Op.Fence && isWide(i.facts.scope)) || (i.op === Op.Barrier && isWide(i.facts.memoryScope)),
  );
  return fences || !shared.every(relaxed) || ![...collected].every(relaxed);
}

function isWide(scope: Scope | undefined): boolean {
  return scope === 'device' || scope === 'all-devices';
}

function isSharedAtomic(inst: Inst): boolean {
  if (inst.op < Op.AtomicLoad || inst.op > Op.AtomicCmpXchg) return false;
  return inst.facts.space !== 'local' && inst.facts.space !== 'private';
}
