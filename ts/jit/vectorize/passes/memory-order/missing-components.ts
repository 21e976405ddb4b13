// SPDX-License-Identifier: MIT
//
// Components that a kernel does not compute, in memory order (memory-order.ts): of `(float4)(p.xyz * s, p.w)` the fourth product, which a
// permutation then replaces by `p.w`. They are any numbers, as nobody uses them: only operations that are cheap and the same operands'
// other components are computed, and loads are of vectors of which other components are loaded.
import { accessedBytes, accessedType, offsetOf } from '../../../ir/accesses';
import { makeInst } from '../../../ir/build';
import { type Block, type Func, type Inst, Op, Type, type Value } from '../../../ir/ir';
import { isPure } from '../../../ir/rewrite';
import { bytesOf } from '../../../ir/types';

/** What is known of a slice. */
export interface Known {
  /** The list of components to which a value belongs. */
  listOf(value: Value): readonly Value[] | undefined;
  /** Whether all work-items have one value. */
  isShared(value: Value): boolean;
  isAlike(a: Inst, b: Inst): boolean;
}

/** Components of one kind, in part: those that the kernel computes are at their places. */
type Given = readonly (Inst | undefined)[];

interface Filled {
  readonly components: readonly Inst[];
  /** Of what was added, in the unit of conversions.ts. */
  readonly cost: number;
}

/** Vectors of four components of 32 bits are loaded as a whole. */
const COMPONENTS = 4;
const COMPONENT_BYTES = 4;
const VECTOR_BYTES = 16;
/** Longer chains of operations are not followed: each link is a recursive call. */
const DEEPEST = 32;

export class MissingComponents {
  /** What is made, in an order in which operands precede their users. */
  private readonly made = new Set<Value>();
  private readonly filled = new Map<string, Filled>();
  /** The block's own instructions. */
  private byComputation: ReadonlyMap<string, Inst> | undefined;

  constructor(
    private readonly func: Func,
    private readonly block: Block,
    /** The places of the block's instructions. What is made has the place of what it follows. */
    private readonly own: Map<Value, number>,
  ) {}

  has(value: Value): boolean {
    return this.made.has(value);
  }

  /** Whether an operation may be done on numbers that nobody uses. */
  mayCompute({ op, operands, type }: Inst): boolean {
    return isPure(op) && operands.length > 0 && costOf(op, type) < Number.POSITIVE_INFINITY;
  }

  /**
   * A vector of 16 bytes of which half or more is accessed from place `at` of the list on, with accesses to the rest; and how many of the list
   * it has. Stores that are added have no value yet.
   */
  fillRecord(accesses: readonly Inst[], at: number): { record: readonly Inst[]; of: number } | undefined {
    const first = accesses[at]!;
    if (accessedBytes(first) !== COMPONENT_BYTES) return undefined;
    const start = Math.floor(offsetOf(first) / VECTOR_BYTES) * VECTOR_BYTES;
    const given: (Inst | undefined)[] = new Array<undefined>(COMPONENTS).fill(undefined);
    let of = 0;
    for (let i = at; i < accesses.length && offsetOf(accesses[i]!) < start + VECTOR_BYTES; i++, of++) {
      const access = accesses[i]!;
      const place = (offsetOf(access) - start) / COMPONENT_BYTES;
      if (accessedType(access) !== accessedType(first) || !Number.isInteger(place) || given[place])
        return undefined;
      given[place] = access;
    }
    if (of * 2 < COMPONENTS) return undefined;
    const last = Math.max(...given.map((access) => (access ? this.own.get(access)! : -1)));
    const record = given.map((access, k) => {
      if (access) return access;
      const facts = { ...first.facts, offset: start + k * COMPONENT_BYTES, align: COMPONENT_BYTES };
      // The source does not access it.
      const added = first.op === Op.Load ? { ...facts, speculative: true } : facts;
      return this.make(first, first.operands, added, last);
    });
    return { record, of };
  }

  /** One number of each structure, computed for each component. */
  repeat(value: Inst, count: number): Filled {
    const key = `${count} of ${value.id}`;
    const before = this.filled.get(key);
    if (before) return before;
    const place = this.own.get(value)!;
    const components = Array.from({ length: count }, () =>
      this.make(value, value.operands, value.facts, place),
    );
    this.filled.set(key, { components, cost: 0 });
    return { components, cost: (count - 1) * costOf(value.op, value.type) };
  }

  /** The components, with those that are missing. */
  fill(given: Given, known: Known, depth = 0): Filled {
    const key = given.map((inst) => inst?.id ?? '').join();
    const before = this.filled.get(key);
    if (before) return before;
    const first = given.find((inst) => inst !== undefined)!;
    let cost = 0;
    const columns = first.operands.map((_, i) =>
      this.column(
        given.map((inst) => inst?.operands[i]),
        known,
        depth,
      ),
    );
    for (const column of columns) cost += column.cost;
    const last = Math.max(...given.map((inst) => (inst ? this.own.get(inst)! : -1)));
    const reused = new Set<Inst>();
    const components = given.map((inst, k) => {
      if (inst) return inst;
      const operands = columns.map((column) => column.at(k));
      const same = this.computed(first, operands, known);
      // An instruction is one component of one vector.
      if (same && !given.includes(same) && !reused.has(same) && !known.listOf(same)) {
        reused.add(same);
        return same;
      }
      cost += costOf(first.op, first.type);
      const place = Math.max(last, ...operands.map((o) => this.own.get(o) ?? -1));
      return this.make(first, operands, first.facts, place);
    });
    // What is used again costs nothing more.
    this.filled.set(key, { components, cost: 0 });
    return { components, cost };
  }

  /**
   * What the block computes of operands as `like` is computed: what one vector leaves out may be there for another one, such as the fourth
   * component of a position by whose first three velocities change.
   */
  private computed(like: Inst, operands: readonly Value[], known: Known): Inst | undefined {
    this.byComputation ??= new Map(
      this.block.insts
        .filter(({ op }) => isPure(op))
        .map((inst) => [computationOf(inst.op, inst.operands), inst]),
    );
    const same = this.byComputation.get(computationOf(like.op, operands));
    return same && known.isAlike(same, like) ? same : undefined;
  }

  /** What missing components have as one of their operands, given what the others have. */
  column(
    given: readonly (Value | undefined)[],
    known: Known,
    depth = 0,
  ): { at: (k: number) => Value; cost: number } {
    const values = given.filter((v) => v !== undefined);
    const first = values[0]!;
    const anyOf = { at: () => first, cost: 0 };
    if (values.every((v) => v === first) || values.every(known.isShared)) return anyOf;
    const list = known.listOf(first);
    const isOfList = list?.length === given.length && values.every((v) => list.includes(v));
    if (list) return isOfList ? { at: (k) => list[k]!, cost: 0 } : anyOf;
    const isOneWay =
      new Set(values).size === values.length &&
      values.every(
        (v): v is Inst =>
          v.kind === 'inst' &&
          this.own.has(v) &&
          this.mayCompute(v) &&
          !known.listOf(v) &&
          known.isAlike(v, first as Inst),
      );
    if (!isOneWay || depth >= DEEPEST) return anyOf;
    const { components, cost } = this.fill(given as Given, known, depth + 1);
    return { at: (k) => components[k]!, cost };
  }

  private make(like: Inst, operands: readonly Value[], facts: Inst['facts'], place: number): Inst {
    const inst = makeInst(this.func, this.block, like.op, like.type, operands, facts, like.position);
    this.made.add(inst);
    this.own.set(inst, place);
    return inst;
  }

  /** Inserts what is made and used. */
  insert(used: { has(inst: Inst): boolean }): void {
    const { block, own } = this;
    const places = new Map<number, Inst[]>();
    for (const inst of this.made as ReadonlySet<Inst>) {
      if (!used.has(inst)) continue;
      this.made.delete(inst);
      const place = own.get(inst)!;
      places.set(place, [...(places.get(place) ?? []), inst]);
    }
    if (places.size === 0) return;
    block.insts = block.insts.flatMap((inst) => [inst, ...(places.get(own.get(inst)!) ?? [])]);
  }
}

/** Equal for the same operation on the same operands. */
const computationOf = (op: Op, operands: readonly Value[]): string =>
  `${op} ${operands.map(({ id }) => id).join()}`;

/** The cost of one component for four work-items; infinity for what is done one work-item at a time, or is long. */
function costOf(op: Op, type: Type): number {
  switch (op) {
    case Op.SDiv:
    case Op.UDiv:
    case Op.SRem:
    case Op.URem:
    case Op.FRem:
    case Op.Fma:
    case Op.InMemoryOrder:
    case Op.PermuteComponents:
      return Number.POSITIVE_INFINITY;
    case Op.FDiv:
    case Op.FSqrt:
      return type === Type.F64 ? 8 : 4;
    default:
      return bytesOf(type) === 8 ? 2 : 1;
  }
}
