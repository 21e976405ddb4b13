// SPDX-License-Identifier: MIT
//
// Reassociates the addresses of accesses in loops, and in the loop over a row's tiles, into an invariant and a varying part:
//
//     in the loop:   %1 = row * n,  %2 = %1 + k,  %3 = %2 << 4,  %4 = a + %3,  Load %4
//     becomes
//     before it:     %5 = %1 << 4,  %6 = a + %5
//     in the loop:   %7 = k << 4,  %8 = %6 + %7,  Load %8
//
// Where the invariant part is divergent, each lane's stays in a register, so that a gather costs one addition per lane. Addresses
// wrap, so sums may be taken in any order. What becomes unused is dead code.
import { constantAmount, constantOf, Leaves, makeInst } from '../../../ir/build';
import { type Dominators, dominatorsOf } from '../../../ir/cfg';
import { Block, type Func, type Inst, Op, Target, Type, type Value } from '../../../ir/ir';
import { type Scope, Scopes } from './address-scopes';

/** The depth to which the operations of an address are analysed. */
const DEEPEST = 8;
/** Addresses of more terms are not reassociated. */
const MOST_TERMS = 6;
/** The limit of factors, far below a wrap. */
const LARGEST_FACTOR = 2 ** 24;

export function reassociateAddresses(func: Func): boolean {
  return new Reassociation(func).run();
}

class Reassociation {
  private readonly dominators: Dominators;
  private readonly scopes: Scopes;
  private readonly leaves: Leaves;
  /** By scope: the values that are computed before the loop. */
  private readonly invariants = new Map<Scope, Sums>();
  /** Equal addresses remain one value, in dominated blocks too: by this, later passes recognize accesses to one place. */
  private readonly known = new Map<Value, { readonly sum: Value; readonly block: Block }>();
  private changed = false;

  constructor(private readonly func: Func) {
    this.dominators = dominatorsOf(func);
    this.scopes = new Scopes(func);
    this.leaves = new Leaves(func);
  }

  run(): boolean {
    for (const block of this.func.blocks) {
      const scope = this.scopes.of(block);
      if (scope) this.rewriteAccesses(block, scope);
    }
    return this.changed;
  }

  private rewriteAccesses(block: Block, scope: Scope): void {
    const here = new Sums(this.func, this.leaves, block, []);
    for (const inst of block.insts) {
      if (isSharedAccess(inst)) this.rewriteAddress(inst, scope, here);
      here.insts.push(inst);
    }
    block.insts = here.insts;
  }

  private rewriteAddress(access: Inst, scope: Scope, here: Sums): void {
    const address = access.operands[0]!;
    const sum = this.reassociated(address, scope, here);
    if (sum === address) return;
    access.operands = access.operands.with(0, sum);
    this.changed = true;
  }

  /** An address as the sum of its two parts if that pays; otherwise itself. */
  private reassociated(address: Value, scope: Scope, here: Sums): Value {
    const known = this.known.get(address);
    if (known && this.dominators.dominates(known.block, here.block)) return known.sum;
    const parts = partsOf(address, scope);
    const sum = parts ? this.sumOf(parts, scope, here) : address;
    this.known.set(address, { sum, block: here.block });
    return sum;
  }

  private sumOf({ invariant, varying }: Parts, scope: Scope, here: Sums): Value {
    const base = this.before(scope, here).sum(invariant);
    return here.operation(Op.Add, base, here.sum(varying));
  }

  /** A block between the prologue, which has no computations, and the loop that follows it. */
  private afterPrologue(): Block {
    const { func } = this;
    const [entry, ...others] = func.blocks as [Block, ...Block[]];
    const block = new Block(func.freshId());
    block.terminator = makeInst(func, block, Op.Jump, Type.Void, []);
    block.targets = entry.targets;
    entry.targets = [new Target(block)];
    func.blocks = [entry, block, ...others];
    return block;
  }

  private before(scope: Scope, here: Sums): Sums {
    if (!scope.before) return here;
    let sums = this.invariants.get(scope);
    if (!sums) {
      const block = scope.before === this.func.entry ? this.afterPrologue() : scope.before;
      sums = new Sums(this.func, this.leaves, block, block.insts);
      this.invariants.set(scope, sums);
    }
    return sums;
  }
}

/** Whether an instruction accesses memory that work-items share. */
function isSharedAccess({ op, facts }: Inst): boolean {
  return (op === Op.Load || op === Op.Store) && facts.space !== 'private';
}

// --- an address as terms ---

interface Term {
  readonly value: Value;
  /** Negative where the value is subtracted. */
  readonly factor: number;
}

interface Parts {
  readonly invariant: readonly Term[];
  readonly varying: readonly Term[];
}

/** The two parts of an address; undefined if separating them does not pay. */
function partsOf(address: Value, scope: Scope): Parts | undefined {
  const terms: Term[] = [];
  addTerms(address, 1, scope, terms, DEEPEST);
  if (terms.length < 3 || terms.length > MOST_TERMS) return undefined;
  const invariant = terms.filter((term) => !scope.varies(term.value));
  const varying = terms.filter((term) => scope.varies(term.value));
  // It pays only for sums that mix both kinds below the outermost addition.
  if (varying.length === 0 || invariant.length < 2) return undefined;
  // In a loop that counts down from an end, one negation replaces what the sums of each lane cost.
  const isCheap = !isNegative(invariant) && (scope.before !== undefined || !isNegative(varying));
  return isCheap ? { invariant, varying } : undefined;
}

/** Whether a sum begins with a subtraction. */
const isNegative = (terms: readonly Term[]): boolean => terms.every((term) => term.factor < 0);

/** Adds the terms of `value * factor`; the scope decides which operations are split. */
function addTerms(value: Value, factor: number, scope: Scope, terms: Term[], depth: number): void {
  if (depth > 0 && value.kind === 'inst' && scope.isOpen(value)) {
    const [a, b] = value.operands as [Value, Value];
    if (value.op === Op.Add || value.op === Op.Sub) {
      addTerms(a, factor, scope, terms, depth - 1);
      addTerms(b, value.op === Op.Add ? factor : -factor, scope, terms, depth - 1);
      return;
    }
    const scale = constantFactor(value);
    if (scale !== undefined && scale > 0 && Math.abs(factor) * scale < LARGEST_FACTOR) {
      addTerms(a, factor * scale, scope, terms, depth - 1);
      return;
    }
  }
  terms.push({ value, factor });
}

/** The constant factor by which a shift or a product multiplies its first operand. */
function constantFactor({ op, operands }: Inst): number | undefined {
  if (op !== Op.Shl && op !== Op.Mul) return undefined;
  const by = op === Op.Shl ? constantAmount(operands[1]!) : constantOf(operands[1]!);
  if (by === undefined) return undefined;
  return op === Op.Shl ? 2 ** Number(by) : Number(by);
}

// --- terms as an address ---

/** The sums of one block, each operation once. */
class Sums {
  private readonly known = new Map<string, Inst>();

  constructor(
    private readonly func: Func,
    private readonly leaves: Leaves,
    readonly block: Block,
    /** The place where operations are added. */
    readonly insts: Inst[],
  ) {}

  /** The sum of terms. Subtracted terms are last. */
  sum(terms: readonly Term[]): Value {
    const order = [...terms].sort(
      (a, b) => Number(a.factor < 0) - Number(b.factor < 0) || a.value.id - b.value.id,
    );
    let total: Value | undefined;
    for (const { value, factor } of order) {
      const term = this.multiple(value, Math.abs(factor));
      if (factor < 0) total = this.operation(Op.Sub, total ?? this.leaves.constant(value.type, 0), term);
      else total = total ? this.operation(Op.Add, total, term) : term;
    }
    return total!;
  }

  private multiple(value: Value, times: number): Value {
    if (times === 1) return value;
    const shift = Math.log2(times);
    return Number.isInteger(shift)
      ? this.operation(Op.Shl, value, this.leaves.constant(value.type, shift))
      : this.operation(Op.Mul, value, this.leaves.constant(value.type, times));
  }

  operation(op: Op, a: Value, b: Value): Value {
    const key = `${op} ${a.id} ${b.id}`;
    let inst = this.known.get(key);
    if (!inst) {
      inst = makeInst(this.func, this.block, op, a.type, [a, b]);
      this.insts.push(inst);
      this.known.set(key, inst);
    }
    return inst;
  }
}
