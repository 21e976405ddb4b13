// SPDX-License-Identifier: MIT
//
// What is done with the variables of functions. Some are accessed by the types of their members alone: no pointer to one is cast, passed,
// stored or compared, so that nothing but a copy of a whole struct reads its padding. Some have the contents of one constant whenever they
// are defined, such as tables: code reads the constant, in the program's memory, instead of a copy for each work-item.
import { Decoration, MemoryAccess, Op, StorageClass } from '../../spirv/grammar.gen';
import type { FunctionDefinition, Id, Instruction } from '../../spirv/module';
import { isAddress } from './constants';
import type { ModuleIndex } from './module-index';

/** How an instruction may use a pointer to a typed variable: as its first operand only. */
const LEADS_ON: ReadonlySet<Op> = new Set([Op.AccessChain, Op.InBoundsAccessChain]);
/** How else it may use one to a variable that it only reads. */
const ALSO_LEADS_ON: ReadonlySet<Op> = new Set([Op.Bitcast, Op.PtrAccessChain, Op.InBoundsPtrAccessChain]);
const ACCESSES: ReadonlySet<Op> = new Set([Op.Load, Op.Store, Op.LifetimeStart, Op.LifetimeStop]);

class Uses {
  isTyped = true;
  /** Whether nothing else is written, and no pointer goes elsewhere. */
  isWrittenWhole = true;
  /** What is written to the whole variable: constants, and variables in constant memory that are copied. */
  readonly contents = new Set<Id>();

  constructor(readonly variable: Id) {}
}

interface Found {
  readonly typed: ReadonlySet<Id>;
  /** By variable, and by each pointer into it. */
  readonly constants: ReadonlyMap<Id, Id>;
}

const known = new WeakMap<ModuleIndex, Found>();

function variablesOf(index: ModuleIndex): Found {
  let found = known.get(index);
  if (!found) {
    const typed = new Set<Id>();
    const constants = new Map<Id, Id>();
    for (const f of index.module.functions)
      for (const [pointer, uses] of usesOf(index, f)) {
        if (pointer === uses.variable && uses.isTyped) typed.add(pointer);
        const [contents] = uses.contents;
        if (uses.isWrittenWhole && uses.contents.size === 1) constants.set(pointer, contents!);
      }
    found = { typed, constants };
    known.set(index, found);
  }
  return found;
}

export function isTypedVariable(index: ModuleIndex, variable: Id): boolean {
  return variablesOf(index).typed.has(variable);
}

/** Of a pointer into a variable: the constant, or the variable in constant memory, that has its contents whenever they are defined. */
export function constantContents(index: ModuleIndex, pointer: Id): Id | undefined {
  return variablesOf(index).constants.get(pointer);
}

/** By pointer: the uses of the variable that it leads into. */
function usesOf(index: ModuleIndex, { blocks }: FunctionDefinition): ReadonlyMap<Id, Uses> {
  const roots = new Map<Id, Uses>();
  // A block comes after its dominators, so that pointers come before their uses; only phis may come earlier.
  for (const { instructions } of blocks)
    for (const i of instructions) {
      if (i.op === Op.Variable) roots.set(i.result, declared(index, i));
      // Numbers among the operands may look like pointers, which only loses these.
      i.operands.forEach((operand, at) => {
        const uses = roots.get(operand as Id);
        if (uses) use(index, uses, i, at, roots);
      });
    }
  for (const { instructions } of blocks)
    for (const { op, operands } of instructions)
      if (op === Op.Phi)
        for (const operand of operands) {
          const uses = roots.get(operand as Id);
          if (uses) uses.isTyped = uses.isWrittenWhole = false;
        }
  return roots;
}

function declared(index: ModuleIndex, i: Instruction): Uses {
  const uses = new Uses(i.result);
  const { kind } = index.types.pointee(index.types.get(i.type));
  // Others become values.
  if ((kind !== 'array' && kind !== 'struct') || index.decoration(i.result, Decoration.Volatile))
    uses.isWrittenWhole = false;
  else if (i.operands[1] !== undefined) note(index, uses, i.operands[1] as Id);
  return uses;
}

/** The use of a pointer as one of an instruction's operands. */
function use(index: ModuleIndex, uses: Uses, i: Instruction, at: number, roots: Map<Id, Uses>): void {
  const { op, operands, result } = i;
  const leadsOn = at === 0 && LEADS_ON.has(op);
  if (leadsOn || (at === 0 && ALSO_LEADS_ON.has(op))) roots.set(result, uses);
  if (!leadsOn && (at > 0 || !ACCESSES.has(op))) uses.isTyped = false;
  if (!uses.isWrittenWhole) return;
  if (at > 0) uses.isWrittenWhole = false;
  else if (op === Op.Store || op === Op.CopyMemorySized) {
    const written = op === Op.Store ? operands[1]! : copied(index, uses, i);
    const access = operands[op === Op.Store ? 2 : 3] ?? 0;
    const isWhole = origin(index, operands[0] as Id) === uses.variable;
    if (written !== undefined && isWhole && (access & MemoryAccess.Volatile) === 0)
      note(index, uses, written as Id);
    else uses.isWrittenWhole = false;
  } else if (op === Op.Load) {
    if (((operands[1] ?? 0) & MemoryAccess.Volatile) !== 0) uses.isWrittenWhole = false;
  } else if (!roots.has(result) && op !== Op.LifetimeStart && op !== Op.LifetimeStop)
    uses.isWrittenWhole = false;
}

/** The variable in constant memory that is copied to the whole of another one. */
function copied(index: ModuleIndex, { variable }: Uses, { operands }: Instruction): Id | undefined {
  const size = (id: Id) => index.types.pointee(index.types.get(index.definition(id).type)).size;
  const from = origin(index, operands[1] as Id);
  const i = index.find(from);
  const isConstant = i?.op === Op.Variable && i.operands[0] === StorageClass.UniformConstant;
  const bytes = index.constants.tryInteger(operands[2] as Id);
  return isConstant && bytes === size(variable) && bytes <= size(from) ? from : undefined;
}

/** What a pointer is cast from. */
function origin(index: ModuleIndex, pointer: Id): Id {
  let i = index.find(pointer);
  while (i?.op === Op.Bitcast) i = index.find(i.operands[0] as Id);
  return i?.result ?? pointer;
}

function note(index: ModuleIndex, uses: Uses, contents: Id): void {
  if (uses.contents.has(contents)) return;
  const i = index.find(contents);
  if (i?.op === Op.Variable) {
    uses.contents.add(contents);
    return;
  }
  // Addresses of local memory have no place in a program's.
  const leaves = index.constants.leaves(contents);
  if (leaves && !leaves.some(isAddress)) uses.contents.add(contents);
  else uses.isWrittenWhole = false;
}
