// SPDX-License-Identifier: MIT
//
// Control flow: visits a function's blocks in an order in which definitions precede uses, and inlines calls by translating the
// callee in place. Phis become block parameters.
import { reversePostorder } from '../../base/dominators';
import { LoopControl, Op } from '../../spirv/grammar.gen';
import type { FunctionDefinition, Id, Instruction, Block as SourceBlock } from '../../spirv/module';
import { type Block, type InstFacts, Type, type Value } from '../ir/ir';
import { ARITHMETIC } from './arithmetic';
import { assertArithmetic, callDeviceFunction } from './assertions';
import { ATOMICS } from './atomics';
import { BLOCK_ACCESS } from './block-access';
import { COMPOSITES } from './composites';
import { CONVERSIONS } from './conversions';
import { count } from './counters';
import { DEVICE_ENQUEUE } from './device-enqueue';
import { GROUPS } from './groups';
import { IMAGES } from './images';
import { copyBody } from './library-bodies';
import { lifetime } from './lifetimes';
import { MEMORY } from './memory';
import type { ModuleIndex } from './module-index';
import { openclStd } from './opencl-std';
import { callOutOfLine, isOutOfLine } from './out-of-line';
import { PIPES } from './pipes';
import type { Handler, HandlerTable, Translation } from './translation';

let handlers: (Handler | undefined)[] | undefined;

function handlerOf(op: Op): Handler | undefined {
  if (!handlers) {
    handlers = [];
    const tables: HandlerTable[] = [
      ARITHMETIC,
      CONVERSIONS,
      COMPOSITES,
      MEMORY,
      ATOMICS,
      GROUPS,
      IMAGES,
      PIPES,
      DEVICE_ENQUEUE,
      BLOCK_ACCESS,
      { [Op.LifetimeStart]: lifetime, [Op.LifetimeStop]: lifetime },
    ];
    for (const table of tables)
      for (const [key, handler] of Object.entries(table)) handlers[Number(key)] = handler;
  }
  return handlers[op];
}

/** One function being translated in place: an inlined call, or the kernel itself. */
interface Frame {
  readonly function: FunctionDefinition;
  /** The target of returns, with parameters for the result; undefined for a function that is not inlined. */
  readonly exit: Block | undefined;
  readonly sources: ReadonlyMap<Id, SourceBlock>;
  /** The block of each label. */
  readonly blocks: Map<Id, Block>;
  readonly edges: PendingEdge[];
}

const frameOf = (f: FunctionDefinition, exit?: Block): Frame => ({
  function: f,
  exit,
  sources: new Map(f.blocks.map((block) => [block.label, block])),
  blocks: new Map(),
  edges: [],
});

/** A jump whose arguments are known once all blocks of its function are translated. */
interface PendingEdge {
  readonly from: Block;
  readonly target: number;
  readonly source: Id;
  readonly to: SourceBlock;
}

const NO_LINE = { file: '', line: 0, column: 0 } as const;

export class FunctionTranslator {
  private readonly stack: Frame[] = [];

  constructor(private readonly t: Translation) {
    t.callLibrary = (name, args, what) => this.callLibrary(name, args, what);
  }

  /** Translates the body of the kernel, or of a function that it calls, at the builder's position. */
  outermost(f: FunctionDefinition): void {
    if (this.t.index === this.t.context.modules.own) this.t.context.debug?.enter(this.t, f);
    this.body(frameOf(f));
  }

  private callLibrary(name: string, args: Value[], what: string): Value[] {
    const t: Translation = this.t;
    const found = t.context.modules.libraryFunction(name);
    if (!found) t.fail(`${what} is not supported by the software device (its library has no ${name})`);
    const lists: Value[][] = [];
    let at = 0;
    for (const parameter of found.function.parameters) {
      const width = found.index.types.get(parameter.type).width;
      lists.push(args.slice(at, at + width));
      at += width;
    }
    if (at !== args.length) t.fail(`the library's ${name} takes ${at} scalars, not ${args.length}`);
    const { index, function: f } = found;
    const { bodies } = t.context;
    if (!bodies || isOutOfLine(t, index, f)) return this.call(index, f, lists);
    const body = bodies.bodyOf(t, index, f, lists, (inner) => new FunctionTranslator(inner).outermost(f));
    return body ? copyBody(t, body, args) : this.call(index, f, lists);
  }

  /** Inlines a call; the builder is positioned after it. */
  private call(index: ModuleIndex, f: FunctionDefinition, args: readonly Value[][]): Value[] {
    const t: Translation = this.t;
    const name = index.nameOf(f.definition.result);
    if (this.stack.some((frame) => frame.function === f))
      t.fail(`the function '${name}' calls itself; OpenCL C has no recursion`);
    if (f.blocks.length === 0) t.fail(`the function '${name}' is declared but defined in no module`);
    if (isOutOfLine(t, index, f))
      return [callOutOfLine(t, index, f, args, (inner) => new FunctionTranslator(inner).outermost(f))];
    const caller = t.index;
    const { builder } = t;
    const position = builder.position;
    t.enterModule(index);
    f.parameters.forEach((parameter, at) => {
      const types = t.leafTypes(index.types.get(parameter.type));
      if (args[at]!.some((value, k) => value.type !== types[k]))
        t.fail(`a call of '${name}' passes another type than its parameter ${at + 1} has`);
      t.values[parameter.result] = args[at]!;
    });
    const { debug } = t.context;
    if (index === t.context.modules.own) debug?.enter(t, f);
    const exit = t.newBlock();
    const results = t.leafTypes(index.types.get(f.definition.type)).map((type) => t.param(exit, type));
    this.body(frameOf(f, exit));
    t.enterModule(caller);
    builder.block = exit;
    builder.position = position;
    if (index === t.context.modules.own) debug?.leave(t);
    return results;
  }

  private body(frame: Frame): void {
    const t: Translation = this.t;
    const { builder } = t;
    this.stack.push(frame);
    if (this.stack.length > 500) t.fail('calls are nested more than 500 deep');
    const own = t.index === t.context.modules.own;
    const order = reachable(t, frame.function, frame.sources);
    this.makeBlocks(frame, order);
    const name = t.index.nameOf(frame.function.definition.result);
    let number = 0;
    for (const source of order) {
      builder.block = frame.blocks.get(source.label)!;
      if (own) t.context.counters?.enter(t, source);
      let unroll: InstFacts | undefined;
      for (const i of source.instructions) {
        number++;
        if (own) {
          if (i.line) builder.position = t.index.position(i);
          else if (t.context.checks && !builder.position?.file)
            builder.position = { ...NO_LINE, instruction: { function: name, number } };
          t.context.debug?.line(t, source, i);
        }
        if (i.op === Op.LoopMerge) unroll = unrollHint(i);
        else if (i.op !== Op.Phi) this.instruction(frame, source, i, unroll);
        if (own) t.context.debug?.instruction(t, i);
      }
    }
    this.passArguments(frame.edges);
    this.stack.pop();
  }

  /** Creates a block for each of the function's, with parameters for its phis. */
  private makeBlocks({ blocks }: Frame, order: readonly SourceBlock[]): void {
    const t: Translation = this.t;
    order.forEach((source, at) => {
      // The first block continues the caller's block.
      const block = at === 0 ? t.builder.block : t.newBlock();
      blocks.set(source.label, block);
      if (at === 0) return;
      for (const i of source.instructions) {
        if (i.op === Op.Line) continue;
        if (i.op !== Op.Phi) break;
        const types = t.leafTypes(t.type(i));
        t.set(
          i,
          types.map((type) => t.param(block, type)),
        );
      }
    });
  }

  /** Fills the edges' arguments from the phis of the blocks that they enter. */
  private passArguments(edges: readonly PendingEdge[]): void {
    const t: Translation = this.t;
    for (const edge of edges) {
      const args: Value[] = [];
      for (const i of edge.to.instructions) {
        if (i.op !== Op.Phi) break;
        const at = i.operands.findIndex((id, k) => (k & 1) === 1 && id === edge.source);
        if (at < 0) t.fail(`OpPhi %${i.result} has no value for its predecessor %${edge.source}`);
        args.push(...t.get(i.operands[at - 1]!));
      }
      edge.from.targets[edge.target]!.arguments = args;
    }
  }

  private instruction(frame: Frame, source: SourceBlock, i: Instruction, unroll: InstFacts = {}): void {
    const t: Translation = this.t;
    const { builder } = t;
    switch (i.op) {
      case Op.SelectionMerge:
      case Op.Nop:
        return;
      case Op.Branch: {
        const label = i.operands[0]! as Id;
        builder.jump(frame.blocks.get(label)!, [], unroll);
        this.addEdge(frame, source, 0, label);
        return;
      }
      case Op.BranchConditional: {
        const [condition, yes, no] = i.operands as [Id, Id, Id];
        const value = t.scalar(condition);
        const targets = [yes, no].map((label, number) => this.target(frame, source, i, number, label));
        builder.branch(value, targets[0]!, targets[1]!, unroll);
        return;
      }
      case Op.Switch:
        this.switch(i, (number, label) => this.target(frame, source, i, number, label));
        return;
      case Op.Return:
      case Op.ReturnValue: {
        const values = i.op === Op.ReturnValue ? t.get(i.operands[0]!) : [];
        if (frame.exit) builder.jump(frame.exit, values);
        else builder.return(values);
        return;
      }
      case Op.Unreachable:
      case Op.AbortKHR:
        builder.unreachable();
        return;
      case Op.FunctionCall:
        this.functionCall(i);
        return;
      case Op.ExtInst:
        extendedInstruction(t, source, i);
        return;
      default:
        simpleInstruction(t, i);
    }
  }

  private addEdge({ sources, edges }: Frame, source: SourceBlock, target: number, label: Id): void {
    const to = sources.get(label)!;
    if (to.instructions[0]?.op === Op.Phi)
      edges.push({ from: this.t.builder.block, target, source: source.label, to });
  }

  /** The block that a target of a branch leads into: one that counts, where coverage counts it. */
  private target(frame: Frame, source: SourceBlock, i: Instruction, number: number, label: Id): Block {
    const t: Translation = this.t;
    const { builder } = t;
    const to = frame.blocks.get(label)!;
    const counter = t.context.counters?.counterOfWay(i, number);
    if (counter === undefined) {
      this.addEdge(frame, source, number, label);
      return to;
    }
    const from = builder.block;
    const between = t.newBlock();
    builder.block = between;
    count(t, counter);
    builder.jump(to);
    this.addEdge(frame, source, 0, label);
    builder.block = from;
    return between;
  }

  private functionCall(i: Instruction): void {
    const t: Translation = this.t;
    const callee = t.index.functions.get(i.operands[0]! as Id);
    if (!callee) t.fail(`OpFunctionCall %${i.result} calls something that is not a function`);
    const args = i.operands.slice(1).map((id) => t.get(id));
    const isDeclaration = callee.blocks.length === 0;
    if (isDeclaration && callDeviceFunction(t, t.index.nameOf(callee.definition.result), args)) return;
    t.set(i, this.call(t.index, callee, args));
  }

  private switch(i: Instruction, targetOf: (number: number, label: Id) => Block): void {
    const t: Translation = this.t;
    const value = t.scalar(i.operands[0]!);
    const words = value.type === Type.I64 ? 2 : 1;
    const cases: bigint[] = [];
    const targets: Block[] = [];
    const otherwise = targetOf(0, i.operands[1]! as Id);
    for (let at = 2; at + words < i.operands.length; at += words + 1) {
      const low = BigInt(i.operands[at]! >>> 0);
      const literal = words === 2 ? (BigInt(i.operands[at + 1]! >>> 0) << 32n) | low : low;
      cases.push(BigInt.asIntN(value.type === Type.I64 ? 64 : 32, literal));
      targets.push(targetOf(cases.length, i.operands[at + words]! as Id));
    }
    t.builder.switch(value, canonicalCases(value.type, cases), targets, otherwise);
  }
}

function extendedInstruction(t: Translation, source: SourceBlock, i: Instruction): void {
  const set = t.index.extInstSets.get(i.operands[0]! as Id) ?? '';
  if (set === 'OpenCL.std') openclStd(t, source.instructions, i);
  else if (!/^(NonSemantic|OpenCL\.DebugInfo|SPIRV\.debug|DebugInfo)/.test(set))
    t.fail(`the extended instructions of '${set}' are not supported`);
}

/** An instruction that leaves control flow as it is. */
function simpleInstruction(t: Translation, i: Instruction): void {
  const handler = handlerOf(i.op);
  if (!handler) t.fail(`Op${Op[i.op]} is not supported by the software device`);
  if (t.context.checks) assertArithmetic(t, i);
  handler(t, i);
}

/** Case values as signed numbers of the selector's width. */
function canonicalCases(type: Type, cases: bigint[]): bigint[] {
  const bits = type === Type.I8 ? 8 : type === Type.I16 ? 16 : type === Type.I32 ? 32 : 64;
  return cases.map((c) => BigInt.asIntN(bits, c));
}

function unrollHint(i: Instruction): InstFacts | undefined {
  const control = i.operands[2] ?? 0;
  if (control & LoopControl.DontUnroll) return { unroll: 1 };
  if (control & LoopControl.PartialCount) {
    // The literals follow in the order of the bits; count those before this one.
    let at = 3;
    for (let bit = LoopControl.DependencyLength; bit < LoopControl.PartialCount; bit *= 2)
      if (control & bit) at++;
    return { unroll: i.operands[at] ?? 0 };
  }
  return control & LoopControl.Unroll ? { unroll: 0 } : undefined;
}

/** The reachable blocks in reverse postorder. */
function reachable(
  t: Translation,
  f: FunctionDefinition,
  sources: ReadonlyMap<Id, SourceBlock>,
): SourceBlock[] {
  const blockOf = (label: Id) => sources.get(label) ?? t.fail(`a branch to %${label}, which is not a block`);
  return reversePostorder(f.blocks[0]!, ({ instructions }) =>
    t.index.targetsOf(instructions.at(-1)!).map(blockOf),
  );
}
