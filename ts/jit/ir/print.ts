// SPDX-License-Identifier: MIT
//
// The kernel IR as text, which ir/parse.ts parses: for tests, for `anycl compile --emit=ir` and for messages about broken IR.
// Values are numbered in the order in which they are printed, so that the text does not depend on a function's history.
import { type Block, type Func, type Inst, Op, type Target, Type, type Value } from './ir';

/** Comments on instructions and blocks; undefined for none. */
export interface Notes {
  inst(inst: Inst): string | undefined;
  block(block: Block, name: (v: Value) => string): string | undefined;
}

export function print(func: Func, notes?: Notes): string {
  const { name, blockName } = namesOf(func);
  const target = (t: Target) => `${blockName(t.block)}${list(t.arguments.map(name), '(', ')')}`;
  const lines = [`func ${func.name}${signatureOf(func)} {`];
  const add = (line: string, note: string | undefined) => lines.push(note ? `${line}  ; ${note}` : line);
  for (const block of func.blocks) {
    const params = block.params.map((p) => `${name(p)}: ${Type[p.type]}`);
    add(`${blockName(block)}${list(params, '(', ')')}:`, notes?.block(block, name));
    for (const inst of block.insts) {
      if (inst.op === Op.Const) continue;
      const result = inst.type === Type.Void ? '' : `${name(inst)}: ${Type[inst.type]} = `;
      add(`  ${result}${body(inst, name)}`, notes?.inst(inst));
    }
    const end = block.terminator;
    if (!end) lines.push('  (no terminator)');
    else add(`  ${body(end, name)}${list(block.targets.map(target), ' ', '')}`, notes?.inst(end));
  }
  lines.push('}');
  return `${lines.join('\n')}\n`;
}

function namesOf(func: Func): { name: (v: Value) => string; blockName: (b: Block) => string } {
  const values = new Map<Value, string>();
  const blocks = new Map<Block, string>();
  for (const block of func.blocks) {
    blocks.set(block, `b${blocks.size}`);
    for (const param of block.params) values.set(param, `%${values.size}`);
    for (const inst of block.insts) if (isNamed(inst)) values.set(inst, `%${values.size}`);
  }
  return {
    // Also of values that broken IR lacks.
    name: (v) => (v?.kind === 'inst' && v.op === Op.Const ? literal(v) : (values.get(v) ?? '%?')),
    blockName: (b) => blocks.get(b) ?? 'b?',
  };
}

/** Constants are printed where they are used; others have a name if they have a result. */
function isNamed(inst: Inst): boolean {
  return inst.op !== Op.Const && inst.type !== Type.Void;
}

/** The signature of an out-of-line function: `(I32, F32): F32`. */
function signatureOf({ params, result }: Func): string {
  if (result === Type.Void) return '';
  return `(${params.map((type) => Type[type]).join(', ')}): ${Type[result]}`;
}

function list(items: readonly string[], before: string, after: string): string {
  return items.length > 0 ? `${before}${items.join(', ')}${after}` : '';
}

function literal(inst: Inst): string {
  const bits = inst.facts.bits!;
  const text = Object.is(bits, -0) ? '-0' : String(bits);
  return inst.type === Type.I32 ? text : `${text}:${Type[inst.type]}`;
}

function body(inst: Inst, name: (v: Value) => string): string {
  const facts: string[] = [];
  for (const [key, value] of Object.entries(inst.facts)) {
    if (value === undefined || value === false || key === 'bits' || (key === 'offset' && value === 0))
      continue;
    if (key === 'callee') facts.push(`callee ${(value as Func).name}`);
    else if (key === 'cases') facts.push(`cases ${(value as bigint[]).join(' ')}`);
    else if (value === true) facts.push(key);
    else if (typeof value === 'object') facts.push(`${key} ${JSON.stringify(value)}`);
    else facts.push(`${key} ${value}`);
  }
  return `${Op[inst.op]}${list(inst.operands.map(name), ' ', '')}${list(facts, ' [', ']')}`;
}
