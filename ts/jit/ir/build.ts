// SPDX-License-Identifier: MIT
//
// Creates instructions. The entry block is a prologue: it holds constants, arguments, the environment and private allocations,
// nothing with an effect, and jumps to the body. So a constant can be added to a function at any time.
import {
  Block,
  BlockParam,
  type Func,
  Inst,
  type InstFacts,
  Op,
  type SourcePosition,
  Target,
  Type,
  type Value,
} from './ir';
import { bitsOf, canonical } from './types';

/** Operations without operands whose value does not depend on their position; they are in the prologue. */
export function isPrologueOp(op: Op): boolean {
  return op <= Op.SubGroupLocalId;
}

export function addBlock(func: Func): Block {
  const block = new Block(func.freshId());
  func.blocks.push(block);
  return block;
}

export function addParam(func: Func, block: Block, type: Type): BlockParam {
  const param = new BlockParam(func.freshId(), type);
  param.block = block;
  block.params.push(param);
  return param;
}

export function makeInst(
  func: Func,
  block: Block,
  op: Op,
  type: Type,
  operands: readonly Value[],
  facts: InstFacts = {},
  position?: SourcePosition,
): Inst {
  const inst = new Inst(func.freshId(), op, type, operands, facts);
  inst.block = block;
  if (position) inst.position = position;
  return inst;
}

/** Ends a block with a branch. */
export function branchTo(
  func: Func,
  block: Block,
  test: Value,
  [then, otherwise]: readonly [Target, Target],
  position?: SourcePosition,
): void {
  block.terminator = makeInst(func, block, Op.Branch, Type.Void, [test], {}, position);
  block.targets = [then, otherwise];
}

/** Leads the edges that enter a loop to another block than its header. */
export function redirectEntries(
  func: Func,
  { header, blocks }: { readonly header: Block; readonly blocks: { has(block: Block): boolean } },
  to: Block,
): void {
  for (const block of func.blocks)
    if (!blocks.has(block))
      for (const target of block.targets) if (target.block === header) target.block = to;
}

/** The leaf values of a function, each created once. */
export class Leaves {
  /** By type. Found when the first one is asked for: most passes need none. */
  private constants: Map<number | bigint | string, Inst>[] | undefined;
  private readonly others = new Map<string, Inst>();

  constructor(private readonly func: Func) {}

  private table(type: Type): Map<number | bigint | string, Inst> {
    this.constants ??= this.find();
    this.constants[type] ??= new Map();
    return this.constants[type];
  }

  private find(): Map<number | bigint | string, Inst>[] {
    const constants: Map<number | bigint | string, Inst>[] = [];
    for (const inst of this.func.entry.insts) {
      if (inst.op !== Op.Const) continue;
      constants[inst.type] ??= new Map();
      constants[inst.type]!.set(key(inst.facts.bits!), inst);
    }
    return constants;
  }

  constant(type: Type, value: number | bigint): Inst {
    const bits = canonical(type, value);
    const table = this.table(type);
    const k = key(bits);
    let inst = table.get(k);
    if (!inst) {
      inst = makeInst(this.func, this.func.entry, Op.Const, type, [], { bits });
      this.func.entry.insts.push(inst);
      table.set(k, inst);
    }
    return inst;
  }

  i32(value: number): Inst {
    return this.constant(Type.I32, value);
  }

  undef(type: Type): Inst {
    return this.leaf(Op.Undef, type);
  }

  /** A value of the environment, such as `GlobalId` of a dimension or an `Argument`. */
  leaf(op: Op, type: Type, facts: InstFacts = {}): Inst {
    const k = `${op} ${type} ${facts.dimension ?? facts.index ?? ''} ${facts.offset ?? ''}`;
    let inst = this.others.get(k);
    if (!inst) {
      inst = makeInst(this.func, this.func.entry, op, type, [], facts);
      this.func.entry.insts.push(inst);
      this.others.set(k, inst);
    }
    return inst;
  }

  alloca(size: number, align: number): Inst {
    const inst = makeInst(this.func, this.func.entry, Op.PrivateAlloca, Type.I32, [], { size, align });
    this.func.entry.insts.push(inst);
    return inst;
  }
}

/** Negative zero is a separate constant. */
function key(bits: number | bigint): number | bigint | string {
  return Object.is(bits, -0) ? '-0' : bits;
}

/** The value of a constant instruction; undefined for anything else. */
export function constantOf(value: Value): number | bigint | undefined {
  return value.kind === 'inst' && value.op === Op.Const ? value.facts.bits : undefined;
}

/** Whether a value is the constant 0, or -0. */
export const isZero = (value: Value): boolean => Number(constantOf(value)) === 0;

/** Whether the value is always undefined. */
export const isUndefined = (value: Value): boolean => value.kind === 'inst' && value.op === Op.Undef;

/** Whether a value is the same wherever it is used, so that nothing has to keep it. */
export const isConstant = (value: Value): boolean => constantOf(value) !== undefined || isUndefined(value);

/** The amount of a shift or rotation by a constant, modulo the width. Undefined if the amount is not constant. */
export function constantAmount(amount: Value): number | undefined {
  const constant = constantOf(amount);
  if (typeof constant === 'bigint') return Number(constant & 63n);
  return constant === undefined ? undefined : constant & (bitsOf(amount.type) - 1);
}

/** Appends to one block. */
export class Builder {
  position: SourcePosition | undefined;
  /** Whether what is emitted accesses objects of the library. */
  isOfLibrary = false;
  block: Block;
  readonly leaves: Leaves;

  constructor(
    readonly func: Func,
    block?: Block,
    leaves?: Leaves,
  ) {
    if (func.blocks.length === 0) addBlock(func);
    this.block = block ?? func.entry;
    this.leaves = leaves ?? new Leaves(func);
  }

  emit(op: Op, type: Type, operands: readonly Value[], facts: InstFacts = {}): Inst {
    const own = this.isOfLibrary ? { ...facts, isOfLibrary: true } : facts;
    const inst = makeInst(this.func, this.block, op, type, operands, own, this.position);
    this.block.insts.push(inst);
    return inst;
  }

  constant(type: Type, value: number | bigint): Inst {
    return this.leaves.constant(type, value);
  }

  i32(value: number): Inst {
    return this.leaves.constant(Type.I32, value);
  }

  private terminate(op: Op, operands: readonly Value[], facts: InstFacts = {}): void {
    this.block.terminator = makeInst(this.func, this.block, op, Type.Void, operands, facts, this.position);
  }

  jump(to: Block, args: readonly Value[] = [], facts: InstFacts = {}): void {
    this.terminate(Op.Jump, [], facts);
    this.block.targets = [new Target(to, args)];
  }

  branch(condition: Value, then: Block, otherwise: Block, facts: InstFacts = {}): void {
    this.terminate(Op.Branch, [condition], facts);
    this.block.targets = [new Target(then), new Target(otherwise)];
  }

  switch(value: Value, cases: bigint[], targets: Block[], otherwise: Block): void {
    this.terminate(Op.Switch, [value], { cases });
    this.block.targets = [otherwise, ...targets].map((block) => new Target(block));
  }

  return(values: readonly Value[] = []): void {
    this.terminate(Op.Return, values);
  }

  unreachable(): void {
    this.terminate(Op.Unreachable, []);
  }
}
