// SPDX-License-Identifier: MIT
//
// The targets of decorations (3.20), and the interface of entry points (3.42.6).
import { requiredInterfaces } from '../entry-interface';
import { Decoration, Op } from '../grammar.gen';
import type { Instruction } from '../module';
import { type Context, isConstantOp } from './context';

/** Whether a decoration may apply to the result of an instruction. */
interface Target {
  readonly name: string;
  readonly takes: (target: Instruction) => boolean;
}

const variable: Target = { name: 'a variable', takes: ({ op }) => op === Op.Variable };

const TARGETS: Partial<Record<Decoration, Target>> = {
  [Decoration.BuiltIn]: {
    name: 'a variable or a constant',
    takes: ({ op }) => op === Op.Variable || isConstantOp(op),
  },
  [Decoration.Constant]: variable,
  [Decoration.SpecId]: {
    name: 'a scalar specialization constant',
    takes: ({ op }) => op === Op.SpecConstant || op === Op.SpecConstantTrue || op === Op.SpecConstantFalse,
  },
};

export function checkDecorations(c: Context): void {
  for (const i of c.module.annotations) {
    kind(c, i);
    if (i.op !== Op.Decorate) continue;
    const decoration: Decoration = i.operands[1]!;
    const rule = TARGETS[decoration];
    const target = c.find(i.operands[0]!);
    if (!rule || !target || target.op === Op.DecorationGroup) continue;
    if (!rule.takes(target))
      c.fail(i, `${Decoration[decoration]} decorates ${rule.name}, not Op${Op[target.op]}`);
  }
  checkInterfaces(c);
}

/** Groups are OpDecorationGroup's, members those of structs. */
function kind(c: Context, i: Instruction): void {
  const target = c.find(i.operands[0]!)?.op;
  if ((i.op === Op.GroupDecorate || i.op === Op.GroupMemberDecorate) && target !== Op.DecorationGroup)
    c.fail(i, `%${i.operands[0]} is not an OpDecorationGroup`);
  if (i.op !== Op.MemberDecorate && i.op !== Op.MemberDecorateString) return;
  const struct = c.find(i.operands[0]!);
  if (struct?.op !== Op.TypeStruct) c.fail(i, `%${i.operands[0]} is not a struct type`);
  if (i.operands[1]! >= struct.operands.length)
    c.fail(i, `member ${i.operands[1]} is beyond the struct's ${struct.operands.length}`);
}

function checkInterfaces(c: Context): void {
  const required = requiredInterfaces(c.module);
  for (const entry of c.module.entryPoints) {
    const listed = new Set<number>(entry.interface);
    for (const used of required(entry))
      if (!listed.has(used))
        c.fail(undefined, `entry point '${entry.name}': its interface does not list %${used}, which it uses`);
  }
}
