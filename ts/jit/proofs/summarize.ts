// SPDX-License-Identifier: MIT
//
// Summarizes a kernel's accesses before any pass moves or removes one (docs/adr/0036-launch-proofs.md). The summary says nothing
// about a kernel that accesses memory in other ways: such a kernel always runs with checks, or with clamps.
import type {
  AccessSummary,
  SummaryAccess,
  SummaryCondition,
  UnprovenCheck,
} from '../../base/access-summary';
import type { KernelSignature } from '../../base/kernel-abi';
import { flowOf } from '../analyses/postdominators';
import { Provenance } from '../checks/provenance';
import type { MemoryNames } from '../checks/table';
import { dominatorsOf, naturalLoops } from '../ir/cfg';
import { type Block, type Func, type Inst, Op, type Value } from '../ir/ir';
import { bytesOf } from '../ir/types';
import { MemoryRoots } from '../passes/memory-roots';
import { isGroupWide, isSubGroupWide } from '../regions/split';
import { ControlConditions } from './conditions';
import { Decisions } from './decisions';
import { Formulas, TooLarge } from './formulas';

/** Larger functions take longer to summarize than they gain. */
const MOST_BLOCKS = 400;
const ATOMICS = new Set([Op.AtomicLoad, Op.AtomicStore, Op.AtomicRmw, Op.AtomicCmpXchg]);
/** What no formula describes. */
const OPAQUE = new Set([Op.AsyncCopy, Op.EnqueueRegion, Op.Fence]);

/** A summary, and the index of each instruction's first access in it. */
export interface Summarized {
  readonly summary: AccessSummary;
  readonly indexes: ReadonlyMap<Inst, number>;
}

/**
 * `isChecked`: for a checked run. There, the library's own accesses to images and pipes count as correct, as checks of
 * coordinates are assertions.
 */
export function summarizeAccesses(
  func: Func,
  signature: KernelSignature,
  names: MemoryNames,
  isChecked: boolean,
): Summarized | undefined {
  if (func.blocks.length > MOST_BLOCKS) return undefined;
  try {
    return new Summarizer(func, signature, names, isChecked).run();
  } catch (error) {
    if (error instanceof TooLarge) return undefined;
    throw error;
  }
}

interface Origin {
  readonly block: Block;
  readonly pointer: Value;
  readonly isFresh: boolean;
  readonly isPrivate: boolean;
}

class Summarizer {
  private readonly conditions: ControlConditions;
  private readonly provenance: Provenance;
  private readonly formulas: Formulas;
  private readonly accesses: SummaryAccess[] = [];
  /** By access. */
  private readonly origins: Origin[] = [];
  /** The blocks of barriers and other operations of a group. */
  private readonly barriers: Block[] = [];
  private readonly assertions: number[] = [];
  private readonly asserted: { readonly block: Block; readonly condition: Value }[] = [];
  private readonly ids: readonly Inst[];
  private readonly unproven = new Set<UnprovenCheck>();
  private readonly byPattern = new Set<UnprovenCheck>();
  private readonly indexes = new Map<Inst, number>();
  private isKnown = true;

  constructor(
    private readonly func: Func,
    private readonly signature: KernelSignature,
    private readonly names: MemoryNames,
    private readonly isChecked: boolean,
  ) {
    this.ids = func.entry.insts.filter(({ op }) => op === Op.GlobalId);
    this.conditions = new ControlConditions(func);
    this.provenance = new Provenance(func, signature);
    this.formulas = new Formulas(
      func,
      signature,
      new MemoryRoots(func, signature),
      this.conditions,
      isChecked,
    );
  }

  run(): Summarized | undefined {
    for (const inst of this.func.entry.insts) {
      if (inst.op === Op.Undef) this.unproven.add('uninitialized');
      if (OPAQUE.has(inst.op)) return undefined;
    }
    for (const block of dominatorsOf(this.func).order) {
      for (const inst of block.insts) {
        this.visit(inst, block);
        if (!this.isKnown) return undefined;
      }
      if (block.terminator.op === Op.Unreachable) this.unproven.add('assertions');
    }
    const { formulas, accesses, assertions, unproven, byPattern, indexes, isChecked } = this;
    const { nodes } = formulas;
    const summary = { nodes, accesses, assertions, unproven: [...unproven] };
    const patterns = isChecked ? this.patterns() : undefined;
    if (patterns) return { summary: { ...summary, ...patterns, byPattern: [...byPattern] }, indexes };
    return { summary: { ...summary, unproven: [...unproven, ...byPattern] }, indexes };
  }

  /** Undefined where the formulas grow too large. The others hold without these. */
  private patterns(): Pick<AccessSummary, 'accesses' | 'assertionPatterns' | 'barriers'> | undefined {
    const decisions = new Decisions(this.func, this.formulas);
    const inLoops = new Set(naturalLoops(dominatorsOf(this.func)).flatMap(({ blocks }) => [...blocks]));
    try {
      const accesses = this.accesses.map((access, at) => {
        const { block, pointer, isFresh, isPrivate } = this.origins[at]!;
        const pattern = {
          isFresh,
          isPrivate,
          isOnce: !inLoops.has(block),
          reached: decisions.reaching(block),
          chosen: decisions.choosing(pointer),
          guards: isFresh ? decisions.guarding(block) : [],
        };
        return { ...access, pattern };
      });
      const assertionPatterns = this.asserted.map(({ block, condition }) => ({
        reached: decisions.reaching(block),
        chosen: decisions.choosing(condition),
        guards: decisions.guarding(block),
      }));
      const barriers = [...new Set(this.barriers.flatMap((block) => decisions.reaching(block)))];
      return { accesses, assertionPatterns, barriers };
    } catch (error) {
      if (error instanceof TooLarge) return undefined;
      throw error;
    }
  }

  private visit(inst: Inst, block: Block): void {
    const { op, operands, facts } = inst;
    if (OPAQUE.has(op)) this.isKnown = false;
    else if (op === Op.Load) this.access(inst, block, operands[0]!, 'read', bytesOf(inst.type));
    else if (op === Op.Store) this.access(inst, block, operands[0]!, 'write', bytesOf(operands[1]!.type));
    else if (ATOMICS.has(op)) {
      const type = op === Op.AtomicStore ? operands[1]!.type : inst.type;
      this.access(inst, block, operands[0]!, 'atomic', bytesOf(type));
    } else if (op === Op.Copy) {
      this.access(inst, block, operands[0]!, 'write', facts.size!);
      this.access(inst, block, operands[1]!, 'read', facts.size!);
    } else if (op === Op.Assert) {
      this.assertions.push(this.formulas.value(operands[0]!, block));
      this.asserted.push({ block, condition: operands[0]! });
    } else if (isGroupWide(inst)) {
      this.byPattern.add('barriers');
      this.byPattern.add('races');
      this.barriers.push(block);
    } else if (isSubGroupWide(inst)) {
      this.byPattern.add('barriers');
      // It orders accesses of the sub-group, so a group that does not reach it may have races that the first one has not.
      if (op === Op.Barrier) this.byPattern.add('races');
      this.barriers.push(block);
    }
  }

  private access(inst: Inst, block: Block, pointer: Value, kind: SummaryAccess['kind'], size: number): void {
    if (this.isChecked && this.provenance.isOfLibrary(inst, pointer)) return;
    const root = this.provenance.rootOf(pointer);
    const object = root && this.objectOf(root);
    if (!object) {
      this.isKnown = false;
      return;
    }
    // Memory of a group or a work-item has no contents before the launch, and barriers order accesses to it.
    if (object.isFresh) {
      this.byPattern.add('uninitialized');
      if (root.op !== Op.PrivateAlloca) this.byPattern.add('races');
    } else if (kind !== 'read' && object.bytes !== undefined) this.unproven.add('races');
    const when = kind === 'write' && object.argument !== undefined ? this.whenReached(block) : undefined;
    if (!this.indexes.has(inst)) this.indexes.set(inst, this.accesses.length);
    const isPrivate = root.op === Op.PrivateAlloca;
    this.origins.push({ block, pointer, isFresh: object.isFresh, isPrivate });
    this.accesses.push({
      kind,
      ...(object.argument === undefined ? { bytes: object.bytes! } : { argument: object.argument }),
      address: this.formulas.address(pointer, root, block),
      offset: inst.facts.offset ?? 0,
      size,
      align: inst.op === Op.Copy ? 1 : (inst.facts.align ?? 1),
      ids: this.ids.map((id) => ({
        dimension: id.facts.dimension!,
        id: this.formulas.value(id, block),
      })),
      ...(when ? { when } : {}),
      ...(this.isChecked && object.argument !== undefined ? { under: this.holdingAt(block) } : {}),
    });
  }

  /** Conditions of the control flow that hold in a block. */
  private holdingAt(block: Block): SummaryCondition[] {
    const dominators = dominatorsOf(this.func);
    const all: SummaryCondition[] = [];
    for (let at = block, above = dominators.idomOf(at); above; at = above, above = dominators.idomOf(at))
      for (const condition of this.conditions.entering(above, at).list)
        all.push(this.formulas.condition(condition, above));
    return all;
  }

  /** The memory that pointers derived from an instruction lead into. */
  private objectOf({ op, facts }: Inst): { argument?: number; bytes?: number; isFresh: boolean } | undefined {
    switch (op) {
      case Op.Argument: {
        const index = facts.index!;
        const { kind } = this.signature.arguments[index]!;
        if (kind !== 'buffer' && kind !== 'local') return undefined;
        return { argument: index, isFresh: kind === 'local' };
      }
      case Op.PrivateAlloca:
        return { bytes: facts.size!, isFresh: true };
      case Op.LocalBase: {
        const variable = this.names.locals.find(({ offset }) => offset === facts.offset);
        return variable && { bytes: variable.size, isFresh: true };
      }
      case Op.ProgramBase: {
        const at = facts.offset ?? 0;
        const variable = this.names.global(at);
        return variable?.offset === at ? { bytes: variable.size, isFresh: false } : undefined;
      }
      default:
        return undefined;
    }
  }

  /** The conditions under which, and only under which, a work-item reaches a block. */
  private whenReached(block: Block): SummaryCondition[] | undefined {
    const dominators = dominatorsOf(this.func);
    const flow = flowOf(dominators);
    const all: SummaryCondition[] = [];
    for (let at = block, above = dominators.idomOf(at); above; at = above, above = dominators.idomOf(at)) {
      if (flow.postdominates(at, above)) continue;
      const { list, isAll } = this.conditions.entering(above, at);
      if (!isAll) return undefined;
      for (const condition of list) all.push(this.formulas.condition(condition, above));
    }
    return all;
  }
}
