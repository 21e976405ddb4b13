// SPDX-License-Identifier: MIT
//
// Translators from LLVM break rules of SPIR-V on which the meaning of a kernel does not depend. Drivers accept their modules, so programs are
// made from them as well: they are repaired before they are validated. `anycl validate` judges a module as it is.
import { reversePostorder } from '../base/dominators';
import { dropAliasScopes } from './alias-scopes';
import { AFTER_MERGE, type SelectorWords, targetsOf, terminatorOf } from './branches';
import { requiredInterfaces } from './entry-interface';
import { Capability, LoopControl, Op } from './grammar.gen';
import type { Block, FunctionDefinition, Id, Instruction, Module } from './module';

/** Repairs a decoded module, which may be invalid, in place. */
export function repair(module: Module): void {
  const selectorWords = selectorWordsIn(module);
  for (const f of module.functions) {
    if (f.blocks.length === 0) continue;
    repairMerges(f);
    repairPhis(f);
    hoistVariables(f);
    orderBlocks(f, selectorWords);
  }
  completeInterfaces(module);
  replaceShader(module);
  dropAliasScopes(module);
  dropUndefinedTargets(module);
}

/** Finds the words of a switch's literals by the selector's type. It searches when the first switch asks: most modules have none. */
function selectorWordsIn(module: Module): SelectorWords {
  let wide: Set<Id> | undefined;
  return (selector) => {
    wide ??= valuesOf64Bits(module);
    return wide.has(selector) ? 2 : 1;
  };
}

function valuesOf64Bits({ globals, functions }: Module): Set<Id> {
  const types = new Set<Id>();
  for (const { op, result, operands } of globals)
    if (op === Op.TypeInt && operands[0] === 64) types.add(result);
  const values = new Set<Id>();
  const add = ({ type, result }: Instruction) => {
    if (types.has(type)) values.add(result);
  };
  globals.forEach(add);
  for (const f of functions) {
    f.parameters.forEach(add);
    for (const b of f.blocks) b.instructions.forEach(add);
  }
  return values;
}

/**
 * A block comes after its dominators (2.16.1). Translators before LLVM 16 keep LLVM's order, which is any. Blocks that each come after a
 * predecessor come after their dominators.
 */
function orderBlocks(f: FunctionDefinition, selectorWords: SelectorWords): void {
  const targets = (b: Block): Id[] => {
    const end: Instruction | undefined = terminatorOf(b);
    return end ? targetsOf(end, selectorWords) : [];
  };
  const entered = new Set<Id>([f.blocks[0]!.label]);
  const isOrdered = f.blocks.every((b) => {
    if (!entered.has(b.label)) return false;
    for (const to of targets(b)) entered.add(to);
    return true;
  });
  if (isOrdered) return;
  const blocks = new Map(f.blocks.map((b) => [b.label, b]));
  const reachable = reversePostorder(f.blocks[0]!, (b) => targets(b).flatMap((to) => blocks.get(to) ?? []));
  const isReachable = new Set(reachable);
  f.blocks = [...reachable, ...f.blocks.filter((b) => !isReachable.has(b))];
}

/**
 * A merge instruction stands before the branch that ends its block (3.42.17), and a merge block belongs to one of them. Translators before
 * LLVM 22 write several for a loop. Of those with the same merge block the first one that controls its loop is kept, or else the first one.
 */
function repairMerges(f: FunctionDefinition): void {
  const kept = new Map<number, Instruction>();
  let changes = false;
  for (const { instructions } of f.blocks)
    instructions.forEach((i, at) => {
      if (!isMerge(i)) return;
      const merge = i.operands[0]!;
      const other = kept.get(merge);
      const stands = at === instructions.length - 2 && precedes(i, instructions[at + 1]!);
      changes ||= other !== undefined || !stands;
      if (!other || (!controls(other) && controls(i))) kept.set(merge, i);
    });
  if (!changes) return;
  const stays = new Set(kept.values());
  for (const b of f.blocks) {
    const merge = b.instructions.find((i) => stays.has(i));
    const others = b.instructions.filter((i) => !isMerge(i));
    const end = others.pop();
    if (!end) continue;
    b.instructions = [...others, ...(merge && precedes(merge, end) ? [merge] : []), end];
  }
}

const isMerge = ({ op }: Instruction): boolean => AFTER_MERGE.has(op);

const controls = ({ op, operands }: Instruction): boolean =>
  op === Op.LoopMerge && operands[2] !== LoopControl.None;

/** Whether a merge instruction may stand before a terminator. */
const precedes = (merge: Instruction, { op }: Instruction): boolean =>
  AFTER_MERGE.get(merge.op)!.includes(op);

/** OpPhi names each predecessor once (3.42.17). LLVM's phi names it for each of its edges, as from a switch, with the same value. */
function repairPhis(f: FunctionDefinition): void {
  for (const b of f.blocks)
    for (const i of b.instructions) {
      if (i.op !== Op.Phi) break;
      const { operands } = i;
      const values = new Map<number, number>();
      for (let at = 0; at < operands.length; at += 2) values.set(operands[at + 1]!, operands[at]!);
      const isRepeated = operands.every(
        (value, at) => at % 2 === 1 || values.get(operands[at + 1]!) === value,
      );
      if (values.size * 2 < operands.length && isRepeated && operands.length % 2 === 0)
        i.operands = [...values].flatMap(([from, value]) => [value, from]);
    }
}

/**
 * A function's variables stand at the start of its first block (2.4). LLVM's may stand between its instructions, or in another block: there
 * they are new each time that they are reached, so that one with an initial value cannot be moved.
 */
function hoistVariables(f: FunctionDefinition): void {
  const first = f.blocks[0]!;
  let others = 0;
  const hoisted: Instruction[] = [];
  for (const b of f.blocks)
    for (const i of b.instructions)
      if (i.op !== Op.Variable) others++;
      else if (others > 0 && (b === first || i.operands.length === 1)) hoisted.push(i);
  if (hoisted.length === 0) return;
  const moves = new Set(hoisted);
  for (const b of f.blocks) b.instructions = b.instructions.filter((i) => !moves.has(i));
  first.instructions = [...hoisted, ...first.instructions];
}

/** Interfaces list the variables that their entry points use (2.9). Translators leave out constants that LLVM has made. */
function completeInterfaces(module: Module): void {
  const required = requiredInterfaces(module);
  for (const entry of module.entryPoints) {
    const listed = new Set(entry.interface);
    for (const used of required(entry)) if (!listed.has(used)) entry.interface.push(used);
  }
}

/**
 * OpBitReverse and its like need BitInstructions in a kernel. Translators that do not know that capability declare Shader, with what it
 * implies. Whatever else needs Shader is refused by the validator.
 */
function replaceShader({ capabilities, extensions }: Module): void {
  if (!capabilities.has(Capability.Kernel) || !capabilities.delete(Capability.Shader)) return;
  capabilities.delete(Capability.Matrix);
  capabilities.add(Capability.BitInstructions);
  extensions.add('SPV_KHR_bit_instructions');
}

/** Names and decorations are of ids that exist (2.16.1). llvm-spirv decorates saturating conversions that it writes nowhere. */
function dropUndefinedTargets(module: Module): void {
  const { annotations, debug, globals, functions } = module;
  const defined = new Set<number>([...module.extInstImports.values()]);
  for (const list of [annotations, debug, globals]) for (const i of list) defined.add(i.result);
  for (const { definition, parameters, blocks } of functions) {
    for (const i of [definition, ...parameters]) defined.add(i.result);
    for (const { label, instructions } of blocks) {
      defined.add(label);
      for (const i of instructions) defined.add(i.result);
    }
  }
  const stays = ({ op, operands }: Instruction) =>
    (op !== Op.Decorate && op !== Op.Name) || defined.has(operands[0]!);
  if (!annotations.every(stays)) module.annotations = annotations.filter(stays);
  if (!debug.every(stays)) module.debug = debug.filter(stays);
}
