// SPDX-License-Identifier: MIT
//
// Arguments to whose memory a kernel writes nothing but the element of each work-item: different ones for different work-items. Where
// nothing else writes that memory during a launch, inactive lanes may write back the old contents of their elements: no other
// store can come between the load and the store of such a vector. docs/adr/0049 has the reasoning, and what launches check.
import { type KernelSignature, offsetOfWords, type SoleWrite } from '../../base/kernel-abi';
import { type Divergence, X } from '../analyses/divergence';
import { constantAmount, constantOf } from '../ir/build';
import { type Block, type Func, type Inst, Op, Type, type Value } from '../ir/ir';
import { isPure } from '../ir/rewrite';
import { takenBranches } from '../ir/taken-branches';
import { bytesOf } from '../ir/types';
import { MemoryRoots } from '../passes/memory-roots';
import { patternOf } from './access';

/** A store whose inactive lanes may write back the old contents. */
export interface SoleStore {
  readonly sole: SoleWrite;
  /** Only work-items that have executed this block have elements of their own. Undefined: all. */
  readonly after: Block | undefined;
}

export interface SoleWrites {
  readonly arguments: readonly SoleWrite[];
  readonly stores: ReadonlyMap<Inst, SoleStore>;
}

export const NO_SOLE_WRITES: SoleWrites = { arguments: [], stores: new Map() };

/** `first`: offset of the first word of the dispatch block that is not taken. */
export function soleWrites(
  func: Func,
  divergence: Divergence,
  signature: KernelSignature,
  first: number,
): SoleWrites {
  if (func.addressBits === 64 || !hasConditionalStore(func, divergence)) return NO_SOLE_WRITES;
  const written = storesByArgument(func, signature);
  const sole: SoleWrite[] = [];
  const stores = new Map<Inst, SoleStore>();
  for (const [argument, all] of written ?? []) {
    const found = elementsOf(all, divergence, signature);
    if (!found || !all.some((store) => isConditional(store.block, divergence))) continue;
    const { elementBytes, pitch, guarded } = found;
    const offset = offsetOfWords(first, sole.length);
    const own = { argument, elementBytes, offset, ...(pitch ? { pitch } : {}) };
    sole.push(own);
    for (const store of all) stores.set(store, { sole: own, after: guarded?.get(store) });
  }
  return { arguments: sole, stores };
}

// --- which stores ---

function hasConditionalStore({ blocks }: Func, divergence: Divergence): boolean {
  return blocks.some(
    (block) =>
      block.insts.some((i) => i.op === Op.Store && isOfGlobal(i)) && isConditional(block, divergence),
  );
}

const isOfGlobal = ({ facts: { space } }: Inst): boolean => space !== 'private' && space !== 'local';

/** Whether a block may be executed by some lanes of a tile on a condition other than a test of ids, which most tiles pass as a whole. */
function isConditional(block: Block, { flow, dims, stride }: Divergence): boolean {
  const { dominators } = flow;
  for (let at = dominators.idomOf(block); at; at = dominators.idomOf(at)) {
    if (at.targets.length < 2) continue;
    const [condition] = at.terminator.operands as [Value];
    const isOfTile = (dims[condition.id]! & X) === 0 || isOfIds(condition, stride);
    if (!isOfTile && flow.influenceOf(at)(block)) return true;
  }
  return false;
}

/** Whether a condition compares values that are affine along x. */
function isOfIds(condition: Value, stride: Float64Array): boolean {
  if (!Number.isNaN(stride[condition.id]!)) return true;
  if (condition.kind !== 'inst') return false;
  const { op, operands } = condition;
  if (op === Op.Not || op === Op.And || op === Op.Or) return operands.every((o) => isOfIds(o, stride));
  return op >= Op.Eq && op <= Op.UGe && operands.every((o) => !Number.isNaN(stride[o.id]!));
}

/**
 * The stores to each argument's memory. Without those to which the kernel writes in other ways; undefined if it may write to any
 * memory.
 */
function storesByArgument(func: Func, signature: KernelSignature): ReadonlyMap<number, Inst[]> | undefined {
  const roots = new MemoryRoots(func, signature);
  if (roots.hidesAccesses()) return undefined;
  const stores = new Map<number, Inst[]>();
  const others = new Set<number>();
  for (const { insts } of func.blocks)
    for (const inst of insts) {
      if (!writes(inst)) continue;
      const root = roots.rootOf(inst.operands[0]!);
      if (!root) {
        if (isOfGlobal(inst)) return undefined;
        continue;
      }
      if (root.op !== Op.Argument) continue;
      const index = root.facts.index!;
      const isPlain = inst.op === Op.Store && inst.facts.volatile !== true;
      if (!isPlain || signature.arguments[index]?.kind !== 'buffer') others.add(index);
      else stores.set(index, [...(stores.get(index) ?? []), inst]);
    }
  for (const index of others) stores.delete(index);
  return stores;
}

function writes({ op }: Inst): boolean {
  return (
    op === Op.Store || op === Op.Copy || op === Op.AsyncCopy || (op > Op.AtomicLoad && op <= Op.AtomicCmpXchg)
  );
}

// --- whether they are to own elements ---

interface Elements {
  readonly elementBytes: number;
  readonly pitch: SoleWrite['pitch'];
  /** By store, if rows may overlap: the block that only work-items execute which are inside of their row. */
  readonly guarded: ReadonlyMap<Inst, Block> | undefined;
}

/** The elements of an argument's stores, if all stores of a work-item are to one, which is no other work-item's. */
function elementsOf(
  stores: readonly Inst[],
  divergence: Divergence,
  signature: KernelSignature,
): Elements | undefined {
  const [{ operands, facts, block }] = stores as [Inst];
  const [address, { type }] = operands as [Value, Value];
  const elementBytes = bytesOf(type);
  const isAlike = (store: Inst) =>
    store.operands[0] === address &&
    (store.facts.offset ?? 0) === (facts.offset ?? 0) &&
    bytesOf(store.operands[1]!.type) === elementBytes &&
    store.facts.memoryOrder === undefined;
  if (!stores.every(isAlike) || patternOf(divergence, stores[0]!, block) !== 'contiguous') return undefined;
  const form = formOf(address);
  if (form?.x !== elementBytes) return undefined;
  if (!form.y) return { elementBytes, pitch: undefined, guarded: undefined };
  const { times, scale } = form.y;
  const factor = factorOf(times, signature);
  if (factor === undefined) return undefined;
  const guards = stores.map((store) => guardOf(store, times, divergence));
  const isGuarded = scale === elementBytes && guards.every((guard) => guard !== undefined);
  return {
    elementBytes,
    pitch: { scale, factor, isGuarded },
    guarded: isGuarded ? new Map(stores.map((store, i) => [store, guards[i]!])) : undefined,
  };
}

/** A sum of `x` times the id along x, the id along y times a number, and what is the same for the whole launch. */
interface Form {
  readonly x: number;
  readonly y: { readonly times: Value; readonly scale: number } | undefined;
}

/** Addresses are short sums. */
const DEEPEST = 24;
const UNIFORM: Form = { x: 0, y: undefined };

function formOf(value: Value, depth = 0, known = new Map<Value, Form | undefined>()): Form | undefined {
  if (known.has(value) || depth > DEEPEST) return known.get(value);
  const form = value.kind === 'inst' ? computeForm(value, (v) => formOf(v, depth + 1, known)) : undefined;
  known.set(value, form);
  return form;
}

function computeForm(inst: Inst, of: (value: Value) => Form | undefined): Form | undefined {
  const { op, operands, facts, type } = inst;
  if (op === Op.GlobalId && facts.dimension === 0) return { x: 1, y: undefined };
  if (operands.length === 0) return isOfLaunch(op) ? UNIFORM : undefined;
  if (!isPure(op)) return undefined;
  const row = op === Op.Mul ? productOfRow(inst) : undefined;
  if (row) return row;
  const [a, b] = operands.map(of);
  if (operands.every((operand) => isUniform(of(operand)))) return UNIFORM;
  if (type !== Type.I32 || !a || !b) return undefined;
  switch (op) {
    case Op.Add:
      return a.y && b.y ? undefined : { x: a.x + b.x, y: a.y ?? b.y };
    case Op.Sub:
      return isUniform(b) ? a : undefined;
    case Op.Shl:
      return scaled(a, 2 ** (constantAmount(operands[1]!) ?? Number.NaN));
    case Op.Mul:
      return scaled(a, Number(constantOf(operands[1]!)));
    default:
      return undefined;
  }
}

/** The product of the id along y and another number. */
function productOfRow({ operands, type }: Inst): Form | undefined {
  const isRow = (v: Value) => v.kind === 'inst' && v.op === Op.GlobalId && v.facts.dimension === 1;
  const [left, right] = operands as [Value, Value];
  if (type !== Type.I32 || !(isRow(left) || isRow(right))) return undefined;
  return { x: 0, y: { times: isRow(left) ? right : left, scale: 1 } };
}

const isUniform = (form: Form | undefined): boolean => form?.x === 0 && form.y === undefined;

function scaled({ x, y }: Form, by: number): Form | undefined {
  if (!(by > 0 && by < 2 ** 16)) return undefined;
  return { x: x * by, y: y && { times: y.times, scale: y.scale * by } };
}

/** Whether what an operation of the environment gives is the same for all work-items of a launch. */
function isOfLaunch(op: Op): boolean {
  switch (op) {
    case Op.Const:
    case Op.Argument:
    case Op.ProgramBase:
    case Op.GlobalSize:
    case Op.NumGroups:
    case Op.GlobalOffset:
    case Op.EnqueuedLocalSize:
    case Op.WorkDim:
      return true;
    default:
      return false;
  }
}

type Factor = NonNullable<SoleWrite['pitch']>['factor'];

/** A number of 32 bits that launches know. */
function factorOf(value: Value, { arguments: args }: KernelSignature): Factor | undefined {
  if (value.kind !== 'inst' || value.type !== Type.I32) return undefined;
  const { op, facts } = value;
  if (op === Op.GlobalSize && facts.dimension === 0) return 'global size';
  const isNumber =
    op === Op.Argument &&
    (facts.offset ?? 0) === 0 &&
    args[facts.index!]?.kind === 'value' &&
    args[facts.index!]!.size === 4;
  return isNumber ? facts.index! : undefined;
}

// --- guards ---

/** A block that dominates a store, and which a work-item executes only if its id along x is below `width`. */
function guardOf(store: Inst, width: Value, { flow: { dominators } }: Divergence): Block | undefined {
  for (const { condition, holds, to } of takenBranches(dominators, store.block))
    if (impliesBelow(condition, holds, width)) return to;
  return undefined;
}

/** Whether a condition that has the value `holds` implies that the id along x is below `width`. */
function impliesBelow(condition: Value, holds: boolean, width: Value): boolean {
  if (condition.kind !== 'inst') return false;
  const { op, operands } = condition;
  const [a, b] = operands as [Value, Value];
  const isBelow = (x: Value, limit: Value) =>
    limit === width && x.kind === 'inst' && x.op === Op.GlobalId && x.facts.dimension === 0;
  switch (op) {
    case Op.Not:
      return impliesBelow(a, !holds, width);
    case Op.And:
    case Op.Or:
      return (op === Op.And) === holds && operands.some((o) => impliesBelow(o, holds, width));
    case Op.SLt:
    case Op.ULt:
      return holds && isBelow(a, b);
    case Op.SGt:
    case Op.UGt:
      return holds && isBelow(b, a);
    case Op.SGe:
    case Op.UGe:
      return !holds && isBelow(a, b);
    case Op.SLe:
    case Op.ULe:
      return !holds && isBelow(b, a);
    default:
      return false;
  }
}
