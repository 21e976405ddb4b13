// SPDX-License-Identifier: MIT
//
// The kernel IR as text: for snapshots in tests and for `ANYCL_DEBUG=jit`. Values are numbered in the order in which
// they are printed, so that the text does not depend on how a function came about.
import { type Block, type Func, type Inst, Op, type Target, Type, type Value } from './ir';

export function print(func: Func): string {
  const values = new Map<Value, string>();
  const blocks = new Map<Block, string>();
  for (const block of func.blocks) {
    blocks.set(block, `b${blocks.size}`);
    for (const param of block.params) values.set(param, `%${values.size}`);
    for (const inst of block.insts) values.set(inst, `%${values.size}`);
  }
  const name = (v: Value): string => {
    if (v.kind === 'inst' && v.op === Op.Const) return literal(v);
    return values.get(v) ?? '%?';
  };
  const target = (t: Target) =>
    `${blocks.get(t.block) ?? 'b?'}${t.arguments.length > 0 ? `(${t.arguments.map(name).join(', ')})` : ''}`;
  const lines = [`func ${func.name} {`];
  for (const block of func.blocks) {
    const params = block.params.map((p) => `${name(p)}: ${Type[p.type]}`).join(', ');
    lines.push(`${blocks.get(block)}${params ? `(${params})` : ''}:`);
    for (const inst of block.insts) {
      if (inst.op === Op.Const) continue;
      const result = inst.type === Type.Void ? '' : `${name(inst)}: ${Type[inst.type]} = `;
      lines.push(`  ${result}${body(inst, name)}`);
    }
    const end = block.terminator;
    if (!end) lines.push('  (no terminator)');
    else
      lines.push(
        `  ${body(end, name)}${block.targets.length > 0 ? ` ${block.targets.map(target).join(', ')}` : ''}`,
      );
  }
  lines.push('}');
  return `${lines.join('\n')}\n`;
}

function literal(inst: Inst): string {
  const bits = inst.facts.bits!;
  const text = Object.is(bits, -0) ? '-0' : String(bits);
  return inst.type === Type.I32 ? text : `${text}:${Type[inst.type]}`;
}

function body(inst: Inst, name: (v: Value) => string): string {
  const facts: string[] = [];
  for (const [key, value] of Object.entries(inst.facts)) {
    if (value === undefined || key === 'bits' || (key === 'offset' && value === 0)) continue;
    if (key === 'callee') facts.push(`callee ${(value as Func).name}`);
    else if (key === 'cases') facts.push(`cases ${(value as bigint[]).join(' ')}`);
    else if (value === true) facts.push(key);
    else if (typeof value === 'object') facts.push(`${key} ${JSON.stringify(value)}`);
    else if (value !== false) facts.push(`${key} ${value}`);
  }
  const operands = inst.operands.map(name).join(', ');
  return `${Op[inst.op]}${operands ? ` ${operands}` : ''}${facts.length > 0 ? ` [${facts.join(', ')}]` : ''}`;
}
