// SPDX-License-Identifier: MIT
//
// What a kernel reaches: functions, local variables, library functions, large constants.
import { Op, StorageClass } from '../../spirv/grammar.gen';
import type { FunctionDefinition, Id, Instruction } from '../../spirv/module';
import type { Library } from '../compiled';
import { JitError } from '../jit-error';
import { isAddress } from './constants';
import { ENQUEUE_LIBRARY, libraryCalls } from './library-calls';
import { ModuleIndex } from './module-index';
import { constantContents } from './private-variables';

/** Private variables with an initializer of more scalars than this are copied from memory. */
export const LARGE_INITIALIZER = 16;

/** A 32-bit address space holds at least two such memories: of the calling thread, and of one worker. */
const MOST_VARIABLE = 2 ** 31 - 2 ** 16;

/**
 * The number of an instruction's first operands that can be pointers to variables, if literals follow them.
 */
const ID_OPERANDS: Partial<Record<Op, number>> = {
  [Op.Load]: 1,
  [Op.Store]: 2,
  [Op.CopyMemory]: 2,
  [Op.CopyMemorySized]: 3,
  [Op.CompositeExtract]: 1,
  [Op.CompositeInsert]: 2,
  [Op.VectorShuffle]: 2,
  [Op.LoopMerge]: 0,
  [Op.SelectionMerge]: 0,
  [Op.Branch]: 0,
  [Op.BranchConditional]: 1,
  [Op.Switch]: 1,
  [Op.LifetimeStart]: 1,
  [Op.LifetimeStop]: 1,
};

interface Summary {
  readonly callees: readonly Id[];
  readonly locals: readonly Id[];
  readonly libraryNames: readonly string[];
  readonly largeConstants: readonly Id[];
}

export interface Reached {
  /** The kernel's local variables, in the module's order. */
  readonly locals: readonly Id[];
  /** The library's modules with functions that the kernel reaches. */
  readonly libraryModules: ReadonlySet<ModuleIndex>;
  readonly largeConstants: readonly { readonly index: ModuleIndex; readonly id: Id }[];
  /** Whether it enqueues blocks or markers, or uses events. */
  readonly enqueues: boolean;
}

/** The modules of a program: its own and those of the library, each indexed when first asked for. */
export class Modules {
  private readonly indexes = new Map<unknown, ModuleIndex>();
  private readonly summaries = new Map<FunctionDefinition, Summary>();

  constructor(
    readonly own: ModuleIndex,
    private readonly library: Library,
  ) {}

  libraryFunction(name: string): { index: ModuleIndex; function: FunctionDefinition } | undefined {
    const module = this.library.moduleOf(name);
    if (!module) return undefined;
    let index = this.indexes.get(module);
    if (!index) {
      index = new ModuleIndex(module);
      this.indexes.set(module, index);
    }
    const found = index.exports.get(name);
    return found && { index, function: found };
  }

  reach(kernel: FunctionDefinition): Reached {
    const locals = new Set<Id>();
    const libraryModules = new Set<ModuleIndex>();
    const largeConstants: { index: ModuleIndex; id: Id }[] = [];
    const seen = new Set<FunctionDefinition>();
    const work: { index: ModuleIndex; function: FunctionDefinition }[] = [];
    let enqueues = false;
    const visit = (index: ModuleIndex, f: FunctionDefinition | undefined) => {
      if (!f || seen.has(f)) return;
      seen.add(f);
      work.push({ index, function: f });
    };
    visit(this.own, kernel);
    for (let next = work.pop(); next; next = work.pop()) {
      const { index } = next;
      const summary = this.summary(index, next.function);
      for (const callee of summary.callees) visit(index, index.functions.get(callee));
      if (index === this.own) for (const id of summary.locals) locals.add(id);
      for (const id of summary.largeConstants) largeConstants.push({ index, id });
      for (const name of summary.libraryNames) {
        const found = this.libraryFunction(name);
        if (!found) continue;
        enqueues ||= name.startsWith(ENQUEUE_LIBRARY);
        libraryModules.add(found.index);
        visit(found.index, found.function);
      }
    }
    return { locals: [...locals].sort((a, b) => a - b), libraryModules, largeConstants, enqueues };
  }

  private summary(index: ModuleIndex, f: FunctionDefinition): Summary {
    let summary = this.summaries.get(f);
    if (!summary) {
      summary = summarize(index, f);
      this.summaries.set(f, summary);
    }
    return summary;
  }
}

function summarize(index: ModuleIndex, f: FunctionDefinition): Summary {
  const callees: Id[] = [];
  const locals: Id[] = [];
  const largeConstants: Id[] = [];
  const libraryNames = new Set<string>();
  const note = (id: Id) => {
    const i = index.find(id);
    // Most operands are results of instructions.
    if (i) for (const leaf of constantRoots(index, i)) if (isLocalVariable(index, leaf)) locals.push(leaf);
  };
  for (const block of f.blocks)
    for (const i of block.instructions) {
      if (i.op === Op.FunctionCall) callees.push(i.operands[0]! as Id);
      if (i.op === Op.Variable) {
        const initializer = i.operands[1] as Id | undefined;
        const { size, width } = index.types.pointee(index.types.get(i.type));
        checkVariable(index, i.result, size);
        const contents = constantContents(index, i.result);
        if (contents && index.find(contents)?.op !== Op.Variable) largeConstants.push(contents);
        else if (initializer && width > LARGE_INITIALIZER) largeConstants.push(initializer);
        continue;
      }
      for (const name of libraryCalls(index, i)) libraryNames.add(name);
      const end = Math.min(ID_OPERANDS[i.op] ?? i.operands.length, i.operands.length);
      for (let at = i.op === Op.ExtInst ? 2 : 0; at < end; at++) note(i.operands[at]! as Id);
    }
  return { callees, locals, libraryNames: [...libraryNames], largeConstants };
}

/** Rejects a private or local variable that is too large for the device, however few work-items there are. */
export function checkVariable(index: ModuleIndex, id: Id, size: number): void {
  if (size > MOST_VARIABLE)
    throw new JitError(
      `the variable '${index.nameOf(id)}' takes ${size} bytes of a work-item's or work-group's memory; the device has room for variables of ${MOST_VARIABLE} bytes at most`,
    );
}

function isLocalVariable(index: ModuleIndex, id: Id): boolean {
  const i: Instruction | undefined = index.find(id);
  return i?.op === Op.Variable && i.operands[0] === StorageClass.Workgroup;
}

/** The variables whose address is part of a constant. */
function constantRoots(index: ModuleIndex, { op, result }: Instruction): readonly Id[] {
  if (op === Op.Variable) return [result];
  if (op !== Op.SpecConstantOp && op !== Op.ConstantComposite) return NO_VARIABLES;
  const leaves = index.constants.leaves(result);
  return leaves?.flatMap((leaf) => (isAddress(leaf) ? [leaf.variable] : [])) ?? NO_VARIABLES;
}

const NO_VARIABLES: readonly Id[] = [];
