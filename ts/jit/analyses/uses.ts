// SPDX-License-Identifier: MIT
//
// The uses and users of values.
import { blankTable } from '../../base/table';
import type { Block, Func, Inst, Value } from '../ir/ir';
import type { Analysis } from './analyses';

export const USES: Analysis<Uses> = { name: 'uses', compute: (func) => new Uses(func) };

export class Uses {
  readonly count: Uint32Array;
  /** Whether all uses are by instructions of the block that defines the value. */
  private readonly local: Uint8Array;
  /** By value id; allocated with its full length, see `Replacements`. */
  private readonly allUsers: (Inst[] | undefined)[];
  private readonly receivers: (Value[] | undefined)[];

  constructor(func: Func) {
    this.count = new Uint32Array(func.idBound);
    this.allUsers = blankTable<Inst[]>(func.idBound);
    this.receivers = blankTable<Value[]>(func.idBound);
    this.local = new Uint8Array(func.idBound).fill(1);
    for (const block of func.blocks) {
      for (const inst of block.insts) this.note(inst, block);
      this.note(block.terminator, block);
      for (const operand of block.terminator.operands) this.local[operand.id] = 0;
      for (const { block: to, arguments: args } of block.targets)
        for (let i = 0; i < args.length; i++) {
          const { id } = args[i]!;
          this.count[id]!++;
          this.local[id] = 0;
          const all = this.receivers[id];
          if (all) all.push(to.params[i]!);
          else this.receivers[id] = [to.params[i]!];
        }
    }
  }

  private note(inst: Inst, block: Block): void {
    for (const operand of inst.operands) {
      const { id } = operand;
      this.count[id]!++;
      const all = this.allUsers[id];
      if (all) all.push(inst);
      else this.allUsers[id] = [inst];
      if (operand.block !== block) this.local[id] = 0;
    }
  }

  usersOf(v: Value): readonly Inst[] {
    return this.allUsers[v.id] ?? [];
  }

  /** The block parameters that a value is passed to. */
  paramsGiven(v: Value): readonly Value[] {
    return this.receivers[v.id] ?? [];
  }

  onlyUser(v: Value): Inst | undefined {
    const user = this.count[v.id] === 1 ? this.allUsers[v.id]?.[0] : undefined;
    return user?.block === v.block ? user : undefined;
  }

  isBlockLocal(v: Value): boolean {
    return v.kind === 'inst' && this.local[v.id] === 1;
  }
}
