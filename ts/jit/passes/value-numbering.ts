// SPDX-License-Identifier: MIT
//
// Common subexpressions over the dominator tree (global value numbering by hashing), loads included: a load is what an
// earlier load or store of the same place left, as long as nothing in between may have written it.
import type { KernelSignature } from '../../base/kernel-abi';
import { Dominators } from '../ir/cfg';
import { type Block, type Func, type Inst, Op, type Value } from '../ir/ir';
import { isCommutative, isPure, Replacements } from '../ir/rewrite';
import { type Access, MemoryRoots } from './memory-roots';

/** Known places of memory that are remembered at a time. */
const MAX_AVAILABLE = 128;

interface Available {
  readonly access: Access;
  readonly value: Value;
}

export function numberValues(func: Func, signature: KernelSignature): boolean {
  return new Numbering(func, new MemoryRoots(func, signature)).run();
}

class Numbering {
  private readonly dominators: Dominators;
  private readonly replaced: Replacements;
  private readonly table = new Map<string, Value>();
  private readonly undo: { key: string; old: Value | undefined }[] = [];
  private changed = false;

  constructor(
    private readonly func: Func,
    private readonly roots: MemoryRoots,
  ) {
    this.dominators = new Dominators(func);
    this.replaced = new Replacements(func);
  }

  run(): boolean {
    const { dominators } = this;
    const stack: { block: Block; next: number; mark: number; memory: Map<string, Available> }[] = [];
    const enter = (block: Block, inherited: Map<string, Available> | undefined) => {
      const preds = dominators.preds.get(block)!;
      // What is known of memory holds where control can come from one place only.
      const memory = preds.length === 1 && inherited ? new Map(inherited) : new Map<string, Available>();
      const mark = this.undo.length;
      this.block(block, memory);
      stack.push({ block, next: 0, mark, memory });
    };
    enter(this.func.entry, undefined);
    while (stack.length > 0) {
      const top = stack[stack.length - 1]!;
      const child = dominators.childrenOf(top.block)[top.next++];
      if (child) enter(child, top.memory);
      else {
        while (this.undo.length > top.mark) {
          const { key, old } = this.undo.pop()!;
          if (old) this.table.set(key, old);
          else this.table.delete(key);
        }
        stack.pop();
      }
    }
    this.replaced.apply(this.func);
    return this.changed;
  }

  private block(block: Block, memory: Map<string, Available>): void {
    let kept = 0;
    for (const inst of block.insts) {
      this.replaced.operandsOf(inst);
      const same = this.visit(inst, memory);
      // A store of what is there already.
      if (same === inst) this.changed = true;
      else if (same) {
        this.replaced.set(inst, same);
        this.changed = true;
      } else block.insts[kept++] = inst;
    }
    block.insts.length = kept;
  }

  /** The value that an instruction repeats; itself for one that does nothing; undefined for all others. */
  private visit(inst: Inst, memory: Map<string, Available>): Value | undefined {
    const { op } = inst;
    if (isPure(op)) {
      // Each allocation is an object of its own.
      return op === Op.PrivateAlloca || op === Op.Undef ? undefined : this.lookUp(keyOf(inst), inst);
    }
    switch (op) {
      case Op.Load: {
        if (inst.facts.volatile) return undefined;
        const key = placeKey(inst, inst);
        if (inst.facts.invariant) return this.lookUp(key, inst);
        const known = memory.get(key);
        if (known) return known.value;
        this.remember(memory, key, { access: this.roots.access(inst), value: inst });
        return undefined;
      }
      case Op.Store: {
        const stored = inst.operands[1]!;
        if (!inst.facts.volatile && memory.get(placeKey(inst, stored))?.value === stored) return inst;
        const access = this.roots.access(inst);
        this.kill(memory, (known) => this.roots.mayAlias(known, access));
        if (!inst.facts.volatile) {
          const value = inst.operands[1]!;
          this.remember(memory, placeKey(inst, value), { access, value });
        }
        return undefined;
      }
      case Op.AtomicStore:
      case Op.AtomicRmw:
      case Op.AtomicCmpXchg: {
        const access = this.roots.access(inst);
        this.kill(memory, (known) => this.roots.mayAlias(known, access));
        return undefined;
      }
      case Op.Copy: {
        const root = this.roots.rootOf(inst.operands[0]!);
        this.kill(memory, (known) => this.roots.mayAlias(known, { root, space: 'generic' }));
        return undefined;
      }
      case Op.AtomicLoad:
      case Op.Fence:
      case Op.Barrier:
      case Op.AsyncCopy:
      case Op.Call:
        // Others' writes become visible; nobody else sees private memory.
        this.kill(memory, (known) => known.space !== 'private');
        return undefined;
      default:
        return undefined;
    }
  }

  private lookUp(key: string, inst: Inst): Value | undefined {
    const known = this.table.get(key);
    if (known) return known;
    this.undo.push({ key, old: undefined });
    this.table.set(key, inst);
    return undefined;
  }

  private remember(memory: Map<string, Available>, key: string, available: Available): void {
    if (memory.size >= MAX_AVAILABLE) memory.delete(memory.keys().next().value!);
    memory.set(key, available);
  }

  private kill(memory: Map<string, Available>, touches: (access: Access) => boolean): void {
    for (const [key, { access }] of memory) if (touches(access)) memory.delete(key);
  }
}

function keyOf(inst: Inst): string {
  let key = `${inst.op},${inst.type}`;
  const { operands } = inst;
  if (isCommutative(inst.op) && operands[0]!.id > operands[1]!.id)
    key += `,${operands[1]!.id},${operands[0]!.id}`;
  else for (const operand of operands) key += `,${operand.id}`;
  const { facts } = inst;
  if (inst.operands.length === 0)
    key += `;${Object.is(facts.bits, -0) ? '-0' : facts.bits};${facts.index};${facts.offset};${facts.dimension}`;
  if (facts.fast) key += JSON.stringify(facts.fast);
  return key;
}

const placeKey = (inst: Inst, value: Value) =>
  `@${inst.operands[0]!.id},${inst.facts.offset ?? 0},${value.type}`;
