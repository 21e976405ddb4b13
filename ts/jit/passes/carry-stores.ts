// SPDX-License-Identifier: MIT
//
// What an iteration stores and the next one loads, as in `x[k] += x[k - 1] * a[k]`, is carried there as a value:
//
//     b(k):     Load x[k - 1] … Store x[k], v            becomes
//     first = Load x[k0 - 1];  b(k, first):  … Store x[k], v;  on to b(k + 1, v)
//
// Each iteration would wait for the store of the one before, and vectors need one gather less. The first load is one that the source
// does anyway: only loops of one block are changed.
import { addParam, constantAmount, constantOf, makeInst } from '../ir/build';
import { dominatorsOf, naturalLoops, type OwnLoop } from '../ir/cfg';
import { type Block, type Func, type Inst, Op, type Target, Type, type Value } from '../ir/ir';
import { preheader } from '../ir/preheader';
import { isPure, Replacements } from '../ir/rewrite';
import { bytesOf } from '../ir/types';
import { isSeparate, type MemoryRoots } from './memory-roots';

/** The most values that a loop carries so, each of which takes registers. */
const MOST_CARRIED = 4;
/** The depth to which the operations of an address are analysed. */
const DEEPEST = 8;
const CARRIED_TYPES: ReadonlySet<Type> = new Set([Type.F32, Type.F64, Type.I32, Type.I64]);

/** Returns whether a load became a value of the iteration before. */
export function carryStores(func: Func, rootsOf: () => MemoryRoots): boolean {
  const replaced = new Replacements(func);
  let roots: MemoryRoots | undefined;
  let changed = false;
  for (const loop of naturalLoops(dominatorsOf(func))) {
    const { header } = loop;
    if (loop.blocks.size > 1 || !header.insts.every(isKnown)) continue;
    const again = header.targets.filter((t) => t.block === header);
    const stores = header.insts.filter((inst) => inst.op === Op.Store);
    if (again.length !== 1 || stores.length === 0) continue;
    const accesses = new Accesses(header, again[0]!);
    const pairs = header.insts
      .filter((inst) => inst.op === Op.Load && CARRIED_TYPES.has(inst.type))
      .flatMap((load) => {
        const store = accesses.storeBefore(load, stores);
        if (!store) return [];
        roots ??= rootsOf();
        return accesses.staysUntil(load, store, stores, func, roots) ? [{ load, store }] : [];
      });
    for (const { load, store } of pairs.slice(0, MOST_CARRIED)) {
      replaced.set(load, carry(func, loop, load, store, again[0]!));
      changed = true;
    }
  }
  replaced.apply(func);
  return changed;
}

function isKnown({ op, facts }: Inst): boolean {
  return isPure(op) || ((op === Op.Load || op === Op.Store) && !facts.volatile && facts.space !== 'private');
}

/** Replaces a load; returns the value that takes its place. */
function carry(func: Func, loop: OwnLoop, load: Inst, store: Inst, again: Target): Value {
  const { header } = loop;
  const before = preheader(func, loop);
  const entry = before.targets[0]!;
  const copies = new Map<Value, Value>();
  /** What an operand of the address is in the first iteration. */
  const first = (value: Value): Value => {
    if (value.block !== header) return value;
    if (value.kind === 'param') return entry.arguments[header.params.indexOf(value)]!;
    let copy = copies.get(value);
    if (!copy) {
      const inst = makeInst(func, before, value.op, value.type, value.operands.map(first), value.facts);
      before.insts.push(inst);
      copies.set(value, inst);
      copy = inst;
    }
    return copy;
  };
  const initial = makeInst(
    func,
    before,
    Op.Load,
    load.type,
    [first(load.operands[0]!)],
    load.facts,
    load.position,
  );
  before.insts.push(initial);
  const carried = addParam(func, header, load.type);
  entry.arguments = [...entry.arguments, initial];
  again.arguments = [...again.arguments, store.operands[1]!];
  header.insts = header.insts.filter((inst) => inst !== load);
  return carried;
}

/** An address as a sum of multiples of values, and a constant, modulo 2 ** 32. */
interface Sum {
  readonly factors: Map<Value, number>;
  constant: number;
}

/** The accesses of a loop of one block. */
class Accesses {
  private readonly known = new Map<Inst, Sum>();

  constructor(
    private readonly block: Block,
    private readonly again: Target,
  ) {}

  /** The store of exactly the bytes that a load reads in the next iteration. */
  storeBefore(load: Inst, stores: readonly Inst[]): Inst | undefined {
    const next = this.nextOf(load);
    return (
      next && stores.find((s) => s.operands[1]!.type === load.type && distance(this.sumOf(s), next) === 0)
    );
  }

  /**
   * Whether no other store may change the bytes: neither in the iteration of the store, whose order does not matter, nor in that of the
   * load. Nor may any of the first iteration, as it is loaded before the loop.
   */
  staysUntil(load: Inst, store: Inst, stores: readonly Inst[], func: Func, roots: MemoryRoots): boolean {
    const next = this.nextOf(load)!;
    const size = bytesOf(load.type);
    const own = roots.access(load);
    return stores.every((other) => {
      const sum = this.sumOf(other);
      const otherSize = bytesOf(other.operands[1]!.type);
      const isApart = (from: Sum) => {
        const bytes = distance(sum, from);
        return bytes !== undefined && (bytes >= size || bytes <= -otherSize);
      };
      if (isApart(this.sumOf(load)) && (other === store || isApart(next))) return true;
      if (other === store) return false;
      const aliasing = roots.aliasing(own, roots.access(other));
      return aliasing === 'never'
        ? own.address !== other.operands[0]
        : aliasing === 'if overlapping' && isSeparate(func);
    });
  }

  /** The address of an access. */
  private sumOf(access: Inst): Sum {
    let sum = this.known.get(access);
    if (!sum) {
      sum = { factors: new Map(), constant: access.facts.offset ?? 0 };
      this.add(sum, access.operands[0]!, 1, false, DEEPEST);
      this.known.set(access, sum);
    }
    return sum;
  }

  /** The address of an access in the next iteration, by values of this one. */
  private nextOf(access: Inst): Sum | undefined {
    const sum: Sum = { factors: new Map(), constant: access.facts.offset ?? 0 };
    return this.add(sum, access.operands[0]!, 1, true, DEEPEST) ? sum : undefined;
  }

  /** Adds a multiple of a value, of this iteration or the next; returns false if the latter is not known. */
  private add(sum: Sum, value: Value, factor: number, isNext: boolean, depth: number): boolean {
    if (value.type !== Type.I32) return false;
    const constant = constantOf(value);
    if (constant !== undefined) {
      sum.constant = (sum.constant + Math.imul(factor, Number(constant))) | 0;
      return true;
    }
    if (depth > 0 && value.kind === 'inst') {
      const [a, b] = value.operands as [Value, Value];
      if (value.op === Op.Add || value.op === Op.Sub)
        return (
          this.add(sum, a, factor, isNext, depth - 1) &&
          this.add(sum, b, value.op === Op.Add ? factor : -factor, isNext, depth - 1)
        );
      const times = value.op === Op.Shl ? 2 ** (constantAmount(b) ?? Number.NaN) : constantFactor(value);
      if (!Number.isNaN(times)) return this.add(sum, a, Math.imul(factor, times), isNext, depth - 1);
    }
    if (isNext && value.block === this.block)
      return (
        value.kind === 'param' &&
        this.add(sum, this.again.arguments[this.block.params.indexOf(value)]!, factor, false, depth)
      );
    const total = ((sum.factors.get(value) ?? 0) + factor) | 0;
    if (total === 0) sum.factors.delete(value);
    else sum.factors.set(value, total);
    return true;
  }
}

function constantFactor({ op, operands }: Inst): number {
  const by = op === Op.Mul ? constantOf(operands[1]!) : undefined;
  return by === undefined ? Number.NaN : Number(by);
}

/** The bytes from one address to another; undefined if they are not known. */
function distance(to: Sum, from: Sum): number | undefined {
  if (to.factors.size !== from.factors.size) return undefined;
  for (const [value, factor] of to.factors) if (from.factors.get(value) !== factor) return undefined;
  return (to.constant - from.constant) | 0;
}
