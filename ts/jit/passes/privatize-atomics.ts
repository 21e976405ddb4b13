// SPDX-License-Identifier: MIT
//
// Privatized atomics: arguments whose memory the kernel only adds to (or takes minima of, …) by atomics whose results nobody
// uses. If no other argument of a launch reaches that memory, nothing can observe the order of the additions before the launch
// ends: each worker may add to a copy of its own, and the copies are merged at the end. docs/adr/0015 has the reasoning.
import { type KernelSignature, offsetOfWords, type PrivatizedArgument } from '../../base/kernel-abi';
import { type Func, type Inst, Op, type Rmw, type Scope, Type, type Value } from '../ir/ir';
import { bytesOf } from '../ir/types';
import { MemoryRoots, spaceOfRoot } from './memory-roots';

/** Operations that commute, by the operation that merges the copies. */
const MERGED_BY: Partial<Record<Rmw, PrivatizedArgument['rmw']>> = {
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

/** Offset of the first word after the arguments in the dispatch block. */
export const endOfArguments = ({ dispatchBytes }: KernelSignature): number =>
  Math.ceil(dispatchBytes / 4) * 4;

/** Marks the atomics that may be privatized with the argument that they access (`facts.privatized`). */
export function privatizeAtomics(func: Func, signature: KernelSignature): boolean {
  const all = instructions(func);
  const roots = new MemoryRoots(func, signature);
  if (!all.every((inst) => isKnown(inst, roots, signature))) return false;
  const users = usersOf(all, func);
  const found: { index: number; atomics: Inst[] }[] = [];
  for (const inst of func.entry.insts) {
    const index = inst.facts.index!;
    if (inst.op !== Op.Argument || signature.arguments[index]?.kind !== 'buffer') continue;
    const atomics = onlyAtomics(inst, users);
    if (atomics) found.push({ index, atomics });
  }
  const privatized = new Set(found.flatMap(({ atomics }) => atomics));
  if (privatized.size === 0 || ordersOthers(all, privatized)) return false;
  for (const { index, atomics } of found)
    for (const atomic of atomics) atomic.facts = { ...atomic.facts, privatized: index };
  return true;
}

/** The arguments of the marked atomics. */
export function privatizedArguments(func: Func, signature: KernelSignature): PrivatizedArgument[] {
  const marked = new Map<number, Inst>();
  for (const { insts } of func.blocks)
    for (const inst of insts)
      if (inst.op === Op.AtomicRmw && inst.facts.privatized !== undefined)
        marked.set(inst.facts.privatized, inst);
  if (marked.size === 0) return [];
  const first = endOfArguments(signature);
  const inOrder = func.entry.insts.filter((i) => i.op === Op.Argument && marked.has(i.facts.index!));
  return inOrder.map(({ facts: { index } }, i) => {
    const { facts, type } = marked.get(index!)!;
    return {
      argument: index!,
      rmw: MERGED_BY[facts.rmw!]!,
      elementBytes: bytesOf(type) as PrivatizedArgument['elementBytes'],
      offset: offsetOfWords(first, i),
    };
  });
}

function instructions(func: Func): Inst[] {
  return func.blocks.flatMap((block) => [...block.insts, block.terminator]);
}

/** The users of each value; undefined stands for an argument of a block parameter. */
function usersOf(all: readonly Inst[], func: Func): (Inst | undefined)[][] {
  const users = Array.from({ length: func.idBound }, (): (Inst | undefined)[] => []);
  for (const inst of all) for (const operand of inst.operands) users[operand.id]!.push(inst);
  for (const { targets } of func.blocks)
    for (const target of targets)
      for (const argument of target.arguments) users[argument.id]!.push(undefined);
  return users;
}

/** The atomics on addresses based on `argument`, if it has no other use and their operations commute. */
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
    MERGED_BY[inst.facts.rmw!] === MERGED_BY[first.facts.rmw!] && inst.type === first.type;
  return atomics.every(alike) ? atomics : undefined;
}

function isUnused(inst: Inst, users: readonly (readonly (Inst | undefined)[])[]): boolean {
  return (
    inst.op === Op.AtomicRmw &&
    MERGED_BY[inst.facts.rmw!] !== undefined &&
    (inst.type === Type.I32 || inst.type === Type.I64) &&
    users[inst.id]!.length === 0
  );
}

/** Whether the memory that an instruction accesses is known: an address loaded from memory may point anywhere. */
function isKnown(inst: Inst, roots: MemoryRoots, signature: KernelSignature): boolean {
  // Out-of-line functions are the library's rare paths: their parameters are numbers, and they read only its tables.
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

/** Whether an address was read from the descriptor of an image or pipe, whose data a launch can locate. */
function isOfObject(address: Value, roots: MemoryRoots, signature: KernelSignature): boolean {
  if (address.kind === 'param') return false;
  if (address.op === Op.Add) return address.operands.some((o) => isOfObject(o, roots, signature));
  if (address.op !== Op.Load) return false;
  const root = roots.rootOf(address.operands[0]!);
  const kind = root?.op === Op.Argument ? signature.arguments[root.facts.index!]?.kind : undefined;
  return kind === 'image' || kind === 'pipe';
}

/**
 * Whether the order of a privatized atomic among other atomics could be observed: it cannot if neither has an order stronger than
 * relaxed.
 */
function ordersOthers(all: readonly Inst[], privatized: ReadonlySet<Inst>): boolean {
  const shared = all.filter((inst) => isSharedAtomic(inst) && !privatized.has(inst));
  if (shared.length === 0) return false;
  const relaxed = (inst: Inst) => inst.facts.relaxed === true;
  const fences = all.some(
    (i) =>
      (i.op === Op.Fence && isWide(i.facts.scope)) || (i.op === Op.Barrier && isWide(i.facts.memoryScope)),
  );
  return fences || !shared.every(relaxed) || ![...privatized].every(relaxed);
}

function isWide(scope: Scope | undefined): boolean {
  return scope === 'device' || scope === 'all-devices';
}

function isSharedAtomic(inst: Inst): boolean {
  if (inst.op < Op.AtomicLoad || inst.op > Op.AtomicCmpXchg) return false;
  return inst.facts.space !== 'local' && inst.facts.space !== 'private';
}
