// SPDX-License-Identifier: MIT
//
// A function's body: blocks with labels and gotos between them. Values become variables; those of OpPhi are assigned on the edges
// into the block.
import { Op } from '../grammar.gen';
import type { Block, FunctionDefinition, Id, Instruction } from '../module';
import { forEachId } from '../operands';
import { ARITHMETIC } from './arithmetic';
import { ATOMICS } from './atomics';
import { Body, type Expressions, type Statements } from './body';
import type { Calls } from './calls';
import { COMPOSITES } from './composites';
import { CONVERSIONS } from './conversions';
import { GROUPS } from './groups';
import { IMAGES } from './images';
import { MEMORY, POINTERS } from './memory';
import { EXTENDED } from './opencl-std';
import { inexpressible } from './tables';
import type { Translation } from './translation';

const EXPRESSIONS: Expressions = { ...ARITHMETIC, ...CONVERSIONS, ...POINTERS };
const STATEMENTS: Statements = {
  ...MEMORY,
  ...COMPOSITES,
  ...ATOMICS,
  ...GROUPS,
  ...IMAGES,
  ...EXTENDED,
};

/** The text between a function's braces. `bind` gives parameters their text. */
export function functionBody(
  t: Translation,
  calls: Calls,
  f: FunctionDefinition,
  bind: (body: Body) => void,
): string {
  const writer = new FunctionWriter(t, calls, f);
  bind(writer.body);
  return writer.write();
}

class FunctionWriter {
  readonly body: Body;
  private readonly phis = new Map<Id, Instruction[]>();
  /** Blocks that are jumped to. */
  private readonly targets = new Set<Id>();

  constructor(
    private readonly t: Translation,
    private readonly calls: Calls,
    private readonly f: FunctionDefinition,
  ) {
    this.body = new Body(t, singleUses(t, f));
    for (const block of f.blocks) {
      const phis = block.instructions.filter((i) => i.op === Op.Phi);
      this.phis.set(block.label, phis);
      for (const phi of phis) this.body.declare(phi.result, phi.type);
    }
  }

  write(): string {
    const { body } = this;
    const ordered = dominanceOrder(this.t, this.f.blocks);
    const starts: number[] = [];
    ordered.forEach((block, at) => {
      starts.push(body.lines.length);
      body.line(`_b${block.label}:;`);
      for (const i of block.instructions.slice(0, -1)) this.instruction(i);
      this.terminator(block, block.instructions.at(-1)!, ordered[at + 1]?.label);
    });
    // Removes labels without jumps.
    const labels = new Map(ordered.map((block, at) => [starts[at]!, block.label]));
    const lines = body.lines.filter((_, at) => {
      const label = labels.get(at);
      return label === undefined || this.targets.has(label);
    });
    return [...body.variables, ...lines].map((line) => `  ${line}\n`).join('');
  }

  private instruction(i: Instruction): void {
    const { body } = this;
    const expression = EXPRESSIONS[i.op];
    if (expression) {
      body.define(i, expression(body, i));
      return;
    }
    const statement = STATEMENTS[i.op];
    if (statement) {
      statement(body, i);
      return;
    }
    switch (i.op) {
      case Op.Phi:
      case Op.Nop:
      case Op.Line:
      case Op.NoLine:
      case Op.LoopMerge:
      case Op.SelectionMerge:
      case Op.AssumeTrueKHR:
        return;
      case Op.Undef:
        body.alias(i.result, this.t.constants.expression(i.result)!);
        return;
      case Op.ExpectKHR:
      case Op.CopyLogical:
        body.define(i, body.get(i.operands[0]!));
        return;
      case Op.FunctionCall:
        this.call(i);
        return;
      default:
        inexpressible(`Op${Op[i.op] ?? i.op}`);
    }
  }

  private call(i: Instruction): void {
    const { body } = this;
    const [callee, ...args] = i.operands as [Id, ...Id[]];
    const locals = [...this.calls.localsOf(callee)].map((id) => body.get(id));
    body.set(i, `${this.calls.nameOf(callee)}(${[...body.gets(args), ...locals].join(', ')})`);
  }

  private terminator(block: Block, i: Instruction, next: Id | undefined): void {
    const { body } = this;
    switch (i.op) {
      case Op.Branch:
        for (const line of this.edge(block.label, i.operands[0]! as Id, next)) body.line(line);
        return;
      case Op.BranchConditional:
        this.conditional(block, i, next);
        return;
      case Op.Switch:
        this.switch(block, i);
        return;
      case Op.Return:
        body.line('return;');
        return;
      case Op.ReturnValue:
        body.line(`return ${body.get(i.operands[0]!)};`);
        return;
      case Op.Unreachable: {
        const { kind } = body.info(this.f.definition.type);
        if (kind === 'void') body.line('return;');
        else if (kind === 'struct' || kind === 'array') body.line('for (;;);');
        else body.line(`return (${this.t.types.name(this.f.definition.type)})0;`);
        return;
      }
      default:
        inexpressible(`Op${Op[i.op] ?? i.op}`);
    }
  }

  private conditional(block: Block, i: Instruction, next: Id | undefined): void {
    const { body } = this;
    const [condition, yes, no] = i.operands as [Id, Id, Id];
    const text = body.get(condition);
    if (yes === next && no !== next) {
      const whenYes = this.edge(block.label, yes, next);
      body.line(`if (!${text}) { ${this.edge(block.label, no, undefined).join(' ')} }`);
      for (const line of whenYes) body.line(line);
      return;
    }
    body.line(`if ${inParentheses(text)} { ${this.edge(block.label, yes, undefined).join(' ')} }`);
    for (const line of this.edge(block.label, no, next)) body.line(line);
  }

  private switch(block: Block, i: Instruction): void {
    const { body } = this;
    const [selector, otherwise, ...cases] = i.operands as [Id, Id, ...number[]];
    const { bits } = body.info(body.typeOf(selector));
    const words = selectorWords(this.t, i);
    body.line(`switch (${body.get(selector)}) {`);
    for (let at = 0; at < cases.length; at += words + 1) {
      const low = BigInt(cases[at]! >>> 0);
      const value = words === 2 ? (BigInt(cases[at + 1]! >>> 0) << 32n) | low : BigInt.asUintN(bits, low);
      const edge = this.edge(block.label, cases[at + words]! as Id, undefined);
      body.line(`case ${value}${words === 2 ? 'ul' : 'u'}: { ${edge.join(' ')} }`);
    }
    body.line(`default: { ${this.edge(block.label, otherwise, undefined).join(' ')} }`);
    body.line('}');
  }

  /** The code of an edge from one block to another: all phis are assigned at once, then the jump. */
  private edge(from: Id, to: Id, next: Id | undefined): string[] {
    const { body } = this;
    const moves: { phi: Instruction; value: Id }[] = [];
    for (const phi of this.phis.get(to) ?? [])
      for (let at = 0; at < phi.operands.length; at += 2)
        if (phi.operands[at + 1] === from && phi.operands[at] !== phi.result) {
          const value = phi.operands[at]! as Id;
          if (this.t.tables.definition(value).op !== Op.Undef) moves.push({ phi, value });
          break;
        }
    const written = new Set(moves.map(({ phi }) => phi.result));
    const lines: string[] = [];
    const later: string[] = [];
    for (const { phi, value } of moves) {
      const target = body.get(phi.result);
      if (written.has(value)) {
        // Reads all sources before writing any phi.
        const kept = body.temporary(this.t.types.name(phi.type));
        lines.unshift(`${kept} = ${body.get(value)};`);
        later.push(`${target} = ${kept};`);
      } else lines.push(`${target} = ${body.get(value)};`);
    }
    lines.push(...later);
    if (to !== next) {
      lines.push(`goto _b${to};`);
      this.targets.add(to);
    }
    return lines;
  }
}

/** Values with one use, by an instruction of the same block that is not a phi. */
function singleUses(t: Translation, f: FunctionDefinition): Set<Id> {
  const home = new Map<Id, Id>();
  const uses = new Map<Id, number>();
  const extracted = new Map<Id, boolean>();
  for (const block of f.blocks)
    for (const i of block.instructions) if (i.result) home.set(i.result, block.label);
  for (const block of f.blocks)
    for (const i of block.instructions) {
      forEachId(
        i,
        (id) => {
          if (home.get(id) === undefined) return;
          const far = i.op === Op.Phi || home.get(id) !== block.label;
          uses.set(id, (uses.get(id) ?? 0) + (far ? 2 : 1));
          extracted.set(id, (extracted.get(id) ?? true) && i.op === Op.CompositeExtract);
        },
        selectorWords(t, i),
      );
    }
  for (const [id, only] of extracted) if (only) t.onlyExtracted.add(id);
  return new Set([...uses].filter(([, count]) => count === 1).map(([id]) => id));
}

/** Reverse postorder: each block comes after its dominators, so that the text of values exists before their uses. */
function dominanceOrder(t: Translation, blocks: readonly Block[]): Block[] {
  const byLabel = new Map(blocks.map((block) => [block.label, block]));
  const seen = new Set<Id>();
  const order: Block[] = [];
  const stack: { block: Block; successors: Id[] }[] = [];
  const push = (block: Block) => {
    seen.add(block.label);
    stack.push({ block, successors: successorsOf(t, block) });
  };
  push(blocks[0]!);
  while (stack.length > 0) {
    const top = stack.at(-1)!;
    const label = top.successors.shift();
    if (label === undefined) {
      order.push(top.block);
      stack.pop();
    } else if (!seen.has(label)) push(byLabel.get(label) ?? inexpressible(`a jump to %${label}`));
  }
  return order.reverse();
}

function successorsOf(t: Translation, block: Block): Id[] {
  const terminator = block.instructions.at(-1)!;
  const { op, operands } = terminator;
  switch (op) {
    case Op.Branch:
      return [operands[0]! as Id];
    case Op.BranchConditional:
      // The last one visited comes first in the order.
      return [operands[2]! as Id, operands[1]! as Id];
    case Op.Switch:
      return switchTargets(t, terminator).reverse();
    default:
      return [];
  }
}

const selectorWords = (t: Translation, i: Instruction): 1 | 2 =>
  i.op === Op.Switch && t.types.info(t.tables.definition(i.operands[0]!).type).bits === 64 ? 2 : 1;

function switchTargets(t: Translation, i: Instruction): Id[] {
  const targets: Id[] = [];
  forEachId(i, (id, at) => at > 0 && targets.push(id), selectorWords(t, i));
  return targets;
}

/** Compilers warn of doubled parentheses around a comparison. */
function inParentheses(text: string): string {
  if (!text.startsWith('(')) return `(${text})`;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '(') depth++;
    else if (text[i] === ')') depth--;
    if (depth === 0) return i === text.length - 1 ? text : `(${text})`;
  }
  return `(${text})`;
}
