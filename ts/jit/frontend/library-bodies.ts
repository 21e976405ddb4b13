// SPDX-License-Identifier: MIT
//
// Library functions that a kernel calls many times, as image and video kernels do by the hundred: such a function is translated
// and simplified once for each set of constant arguments, and its calls copy the result.
import type { KernelSignature } from '../../base/kernel-abi';
import type { FunctionDefinition, Id } from '../../spirv/module';
import { addBlock, constantOf, makeInst } from '../ir/build';
import { predecessors } from '../ir/cfg';
import { type Block, type Func, type Inst, Op, Target, Type, type Value } from '../ir/ir';
import type { ModuleIndex } from './module-index';
import { type FunctionBodies, Translation } from './translation';

/**
 * The number of calls with the same constants that are translated in place: most kernels have no more calls, and the kernel's
 * passes optimize a body that is translated in place.
 */
const FIRST_CALLS = 3;

/** Simplifies a body before it is copied: the passes that make it smaller in any context. */
export type SimplifyBody = (body: Func, signature: KernelSignature) => void;

interface Body {
  calls: number;
  func?: Func;
}

/** The bodies of one kernel's library functions. */
export class LibraryBodies implements FunctionBodies {
  private readonly bodies = new Map<FunctionDefinition, Map<string, Body>>();

  constructor(
    private readonly simplify: SimplifyBody,
    private readonly signature: KernelSignature,
  ) {}

  bodyOf(
    t: Translation,
    index: ModuleIndex,
    f: FunctionDefinition,
    args: readonly Value[][],
    translateBody: (t: Translation) => void,
  ): Func | undefined {
    const body = this.entry(f, args.flat());
    if (++body.calls <= FIRST_CALLS) return undefined;
    if (!body.func) {
      body.func = translate(t, index, f, args, translateBody);
      this.simplify(body.func, this.signature);
    }
    return body.func;
  }

  private entry(f: FunctionDefinition, args: readonly Value[]): Body {
    const known = this.bodies.get(f) ?? new Map<string, Body>();
    this.bodies.set(f, known);
    const constants = args.map(describe).join(' ');
    const body = known.get(constants) ?? { calls: 0 };
    known.set(constants, body);
    return body;
  }
}

/** The part of an argument on which a body depends. The type follows from the function. */
function describe(arg: Value): string {
  const bits = constantOf(arg);
  if (bits === undefined) return '?';
  return Object.is(bits, -0) ? '-0' : String(bits);
}

function translate(
  caller: Translation,
  index: ModuleIndex,
  f: FunctionDefinition,
  args: readonly Value[][],
  translateBody: (t: Translation) => void,
): Func {
  const typesOf = (id: Id) => index.types.leaves(index.types.get(id)).map((leaf) => leaf.type);
  const flat = args.flat();
  const t = new Translation(
    index.nameOf(f.definition.result),
    caller.context,
    flat.map((arg) => arg.type),
    typesOf(f.definition.type),
  );
  const block = addBlock(t.func);
  t.builder.jump(block);
  t.builder.block = block;
  t.enterModule(index);
  let at = 0;
  f.parameters.forEach((parameter, k) => {
    t.values[parameter.result] = args[k]!.map((arg) => {
      const number = at++;
      const bits = constantOf(arg);
      return bits === undefined
        ? t.builder.leaves.leaf(Op.Parameter, arg.type, { index: number })
        : t.const(arg.type, bits);
    });
  });
  translateBody(t);
  return t.func;
}

/** Copies a body to the builder's position; the builder is positioned after it. Returns the results. */
export function copyBody(t: Translation, body: Func, args: readonly Value[]): Value[] {
  return new BodyCopy(t, body, args).run();
}

class BodyCopy {
  private readonly values: Value[];
  private readonly blocks = new Map<Block, Block>();
  private readonly exit: Block | undefined;
  /** For a body with one return: its results, and the block of it. */
  private end: { readonly block: Block; readonly results: Value[] } | undefined;

  constructor(
    private readonly t: Translation,
    private readonly body: Func,
    args: readonly Value[],
  ) {
    this.values = new Array<Value>(body.idBound);
    for (const inst of body.entry.insts) this.values[inst.id] = this.leaf(inst, args);
    const returns = body.blocks.filter(({ terminator }) => terminator.op === Op.Return).length;
    if (returns === 1) return;
    this.exit = t.newBlock();
    for (const type of body.results) t.param(this.exit, type);
  }

  run(): Value[] {
    const { builder } = this.t;
    const blocks = this.body.blocks.slice(1);
    for (const block of blocks) this.blocks.set(block, this.emptyCopy(block));
    // The blocks come after their dominators, so operands already have copies.
    for (const block of blocks) {
      builder.block = this.blocks.get(block)!;
      for (const inst of block.insts) this.values[inst.id] = this.copy(inst);
      this.terminate(block);
    }
    const { exit, end } = this;
    builder.block = end ? end.block : exit!;
    return end ? end.results : [...exit!.params];
  }

  private leaf({ op, type, facts }: Inst, args: readonly Value[]): Value {
    const { leaves } = this.t.builder;
    switch (op) {
      case Op.Parameter:
        return args[facts.index!]!;
      case Op.Const:
        return leaves.constant(type, facts.bits!);
      case Op.PrivateAlloca:
        return leaves.alloca(facts.size!, facts.align!);
      default:
        return leaves.leaf(op, type, facts);
    }
  }

  /** A block with its parameters. The first one continues the caller's block, unless it is a loop header. */
  private emptyCopy(block: Block): Block {
    const { t, body } = this;
    const [start] = body.entry.targets;
    const isFirst = block === start!.block;
    if (isFirst && block.params.length === 0 && predecessors(body.blocks).get(block)!.length === 1)
      return t.builder.block;
    const copy = t.newBlock();
    for (const param of block.params) this.values[param.id] = t.param(copy, param.type);
    if (isFirst) t.builder.jump(copy, this.of(start!.arguments));
    return copy;
  }

  private of(values: readonly Value[]): Value[] {
    return values.map(({ id }) => this.values[id]!);
  }

  private copy({ op, type, operands, facts }: Inst): Inst {
    return this.t.builder.emit(op, type, this.of(operands), facts);
  }

  private terminate({ terminator, targets }: Block): void {
    const { t, exit } = this;
    const { builder } = t;
    const operands = this.of(terminator.operands);
    if (terminator.op !== Op.Return) {
      const { block } = builder;
      const { op, facts } = terminator;
      block.terminator = makeInst(t.func, block, op, Type.Void, operands, facts, builder.position);
      block.targets = targets.map((to) => new Target(this.blocks.get(to.block)!, this.of(to.arguments)));
    } else if (exit) builder.jump(exit, operands);
    else this.end = { block: builder.block, results: operands };
  }
}
