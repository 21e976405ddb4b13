// SPDX-License-Identifier: MIT
//
// Parses the kernel IR's text form (ir/print.ts), for tests of passes. `;` starts a comment.
import { Leaves, makeInst } from './build';
import { Block, BlockParam, Func, type Inst, type InstFacts, Op, Target, Type, type Value } from './ir';

/** Throws an error that names the first invalid line. The functions are in the order of the text. */
export function parse(text: string): Func[] {
  const functions = new Map<string, Func>();
  let reader: FunctionReader | undefined;
  text.split('\n').forEach((whole, at) => {
    const line = whole.replace(/^;.*| {2};.*$/, '').trim();
    if (line === '') return;
    try {
      const header = /^func (\S+?)(?:\((.*)\): (\w+))? \{$/.exec(line);
      if (header) {
        const [, name, params, result] = header as unknown as [string, string, string?, string?];
        const types = params ? params.split(', ').map(typeOf) : [];
        reader = new FunctionReader(new Func(name, types, result ? [typeOf(result)] : []), functions);
      } else if (!reader) throw new Error("'func NAME {' is missing");
      else if (line === '}') {
        reader.finish();
        functions.set(reader.func.name, reader.func);
        reader = undefined;
      } else reader.line(line);
    } catch (error) {
      throw new Error(`line ${at + 1}: ${(error as Error).message}: ${line}`);
    }
  });
  if (reader) throw new Error("a function has no end: '}' is missing");
  return [...functions.values()];
}

const RESULT = /^(%\d+): (\w+) = (.*)$/;
const LITERAL = /^(-?[\d.]+(?:e[+-]?\d+)?|NaN|-?Infinity)(?::(\w+))?$/;
const OPERATION = /^(\w+)(?: ([^[]*?))?(?: \[(.*)\])?(?: (b\d.*))?$/;

class FunctionReader {
  private readonly blocks = new Map<string, Block>();
  private readonly values = new Map<string, Value>();
  private readonly calls: { readonly inst: Inst; readonly callee: string }[] = [];
  /** Operands may be values of blocks that come later in the text. */
  private readonly pending: (() => void)[] = [];
  private block: Block | undefined;
  private leaves: Leaves | undefined;

  constructor(
    readonly func: Func,
    private readonly functions: ReadonlyMap<string, Func>,
  ) {}

  line(line: string): void {
    const label = /^(b\d+)(?:\((.*)\))?:$/.exec(line);
    if (label) this.startBlock(label[1]!, label[2]);
    else this.instruction(line);
  }

  finish(): void {
    for (const resolve of this.pending) resolve();
    for (const { inst, callee } of this.calls) {
      const func = callee === this.func.name ? this.func : this.functions.get(callee);
      if (!func) throw new Error(`'${callee}' is not defined before its call`);
      inst.facts = { ...inst.facts, callee: func };
    }
  }

  private startBlock(name: string, params: string | undefined): void {
    const block = this.blockOf(name);
    this.func.blocks.push(block);
    this.block = block;
    for (const param of params?.split(', ') ?? []) {
      const [id, type] = param.split(': ') as [string, string];
      const made = new BlockParam(this.func.freshId(), typeOf(type));
      made.block = block;
      block.params.push(made);
      this.values.set(id, made);
    }
  }

  private blockOf(name: string): Block {
    const block = this.blocks.get(name) ?? new Block(this.func.freshId());
    this.blocks.set(name, block);
    return block;
  }

  private instruction(line: string): void {
    const { block, func } = this;
    if (!block) throw new Error('an instruction outside of a block');
    const [, id, type, rest] = RESULT.exec(line) ?? [];
    const [, name, operands, facts, targets] = split(rest ?? line);
    const op = Op[name as keyof typeof Op];
    if (op === undefined) throw new Error(`'${name}' is not an operation`);
    const inst = makeInst(func, block, op, type ? typeOf(type) : Type.Void, []);
    inst.facts = this.factsOf(facts ?? '', inst);
    if (id) this.values.set(id, inst);
    this.later(operands, (values) => {
      inst.operands = values;
    });
    if (op < Op.Jump) {
      block.insts.push(inst);
      return;
    }
    block.terminator = inst;
    for (const [, to, args] of targets?.matchAll(/(b\d+)(?:\(([^)]*)\))?/g) ?? []) {
      const target = new Target(this.blockOf(to!));
      block.targets.push(target);
      this.later(args, (values) => {
        target.arguments = values;
      });
    }
  }

  /** Calls `use` with the values of a list, once all are known. */
  private later(list: string | undefined, use: (values: Value[]) => void): void {
    if (list) this.pending.push(() => use(list.split(', ').map((text) => this.valueOf(text))));
  }

  private valueOf(text: string): Value {
    const [, number, type = 'I32'] = LITERAL.exec(text) ?? [];
    if (number === undefined) {
      const value = this.values.get(text);
      if (!value) throw new Error(`'${text}' is not defined`);
      return value;
    }
    this.leaves ??= new Leaves(this.func);
    return this.leaves.constant(typeOf(type), type === 'I64' ? BigInt(number) : Number(number));
  }

  private factsOf(text: string, inst: Inst): InstFacts {
    const facts: Record<string, unknown> = {};
    for (const [, key, value] of text.matchAll(/(\w+)(?: (\{.*?\}(?=, \w|$)|[^,]*))?(?:, |$)/g)) {
      if (key === 'callee') this.calls.push({ inst, callee: value! });
      else facts[key!] = factOf(key!, value);
    }
    return facts;
  }
}

function split(operation: string): RegExpExecArray {
  const parts = OPERATION.exec(operation);
  if (!parts) throw new Error('not an instruction');
  // `Jump b1` has no operands.
  if (parts[2] && /^b\d/.test(parts[2])) [parts[2], parts[4]] = ['', parts[2]];
  return parts;
}

function factOf(key: string, value: string | undefined): unknown {
  if (value === undefined) return true;
  if (key === 'cases') return value === '' ? [] : value.split(' ').map(BigInt);
  if (value.startsWith('{')) return JSON.parse(value);
  return /^-?\d/.test(value) ? Number(value) : value;
}

function typeOf(name: string): Type {
  const type = Type[name as keyof typeof Type];
  if (type === undefined) throw new Error(`'${name}' is not a type`);
  return type;
}
