// SPDX-License-Identifier: MIT
//
// The sites and the objects that a kernel's calls of checks refer to by number.
import {
  type Check,
  type CheckRegion,
  type CheckSite,
  type CheckTable,
  ORIGIN,
  type SourcePlace,
} from '../../base/checks';
import type { KernelSignature } from '../../base/kernel-abi';
import { type Inst, Op } from '../ir/ir';

/** A variable in local memory or in the program's globals. */
export interface Variable {
  readonly name: string;
  readonly offset: number;
  readonly size: number;
}

/** The front end's knowledge of a kernel's memory that the IR does not have. */
export interface MemoryNames {
  readonly locals: readonly Variable[];
  /** The variable that an offset in the program's globals is in. */
  global(offset: number): Variable | undefined;
  /** By the ids of private allocations. */
  readonly privates: ReadonlyMap<number, string>;
  /** Of a block: its captured variables, by their offset from its first argument. */
  readonly captures: ReadonlyMap<number, string>;
}

export class TableBuilder implements CheckTable {
  readonly sites: CheckSite[] = [];
  readonly regions: CheckRegion[] = [];
  granule: 1 | 4 = 4;
  private readonly origins = new Map<string, number>();
  private readonly numbers = new Map<Inst, number>();

  constructor(
    readonly checks: readonly Check[],
    readonly countsTraffic: boolean,
    private readonly signature: KernelSignature,
    private readonly names: MemoryNames,
  ) {
    for (const [argument, { name, kind }] of signature.arguments.entries())
      this.regions.push({ kind: 'argument', name, argument, ...(kind === 'local' ? { isLocal: true } : {}) });
    for (const { name, offset, size } of names.locals)
      this.regions.push({ kind: 'local', name, offset, size });
  }

  has(check: Check): boolean {
    return this.checks.includes(check);
  }

  site(site: CheckSite): number {
    const { offset = 0, size = 4, align = 4 } = site;
    if (offset % 4 !== 0 || size % 4 !== 0 || align % 4 !== 0) this.granule = 1;
    return this.sites.push(site) - 1;
  }

  /** The origin (`ORIGIN`) of what a private variable holds before it is written. */
  undefinedVariable(id: number | undefined): number {
    const text = (id !== undefined && this.names.privates.get(id)) || '';
    let origin = this.origins.get(text);
    if (origin === undefined) {
      origin = ORIGIN.ofSite(this.sites.push({ action: 'use', text }) - 1);
      this.origins.set(text, origin);
    }
    return origin;
  }

  region(index: number): CheckRegion | undefined {
    return this.regions[index];
  }

  /** The number of the object that pointers with this origin point into; -1 if unknown. */
  regionOf(root: Inst | undefined): number {
    if (!root) return -1;
    let number = this.numbers.get(root);
    if (number === undefined) {
      number = this.find(root);
      this.numbers.set(root, number);
    }
    return number;
  }

  private find({ op, facts, id }: Inst): number {
    const count = this.signature.arguments.length;
    if (op === Op.Argument) return facts.index!;
    if (op === Op.LocalBase) {
      const at = this.names.locals.findIndex(({ offset }) => offset === facts.offset);
      return at < 0 ? -1 : count + at;
    }
    if (op === Op.PrivateAlloca) {
      const name = this.names.privates.get(id) ?? '';
      return this.regions.push({ kind: 'private', name, size: facts.size! }) - 1;
    }
    const variable = this.names.global(facts.offset ?? 0);
    return variable ? this.regions.push({ kind: 'program', ...variable }) - 1 : -1;
  }
}

export function placeOf({ position }: Inst): SourcePlace {
  const { file, line, column } = position!;
  return { file, line, column };
}
