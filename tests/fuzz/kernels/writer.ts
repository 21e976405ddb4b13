// SPDX-License-Identifier: MIT
//
// The state of a random kernel that is being written: what is in scope, which functions there are, and how much may
// still be written. The functions that write each construct take it; those that they need of each other stand in `Rules`.
import { Chance } from '../chance';
import {
  type ArrayVariable,
  FLOATS,
  type Helper,
  INTEGERS,
  type ObjectType,
  type Place,
  type RecordType,
  type RecordVariable,
  type ResultBuffer,
  scalar,
  type ValueType,
  type Variable,
} from './model';
import { OVERLAP } from './overlaps';

export interface Rules {
  expression(w: Writer, type: ValueType, depth: number, uniform: boolean): string;
  condition(w: Writer, depth: number, uniform: boolean): string;
  statements(w: Writer, count: number, place: Place): string;
}

/** The places of a work-item's elements: consecutive, with a stride, or by column. */
export type Layout = 'rows' | 'planes' | 'columns';

export class Writer {
  readonly chance: Chance;
  scope: Variable[] = [];
  records: RecordVariable[] = [];
  arrays: ArrayVariable[] = [];
  readonly recordTypes: RecordType[] = [];
  readonly helpers: Helper[] = [];
  /** Labels that a forward goto may jump to from here. */
  readonly labels: { readonly name: string; readonly uniform: boolean }[] = [];
  /** The result type of the current function. */
  result: ObjectType | undefined;
  /** Whether the code is in the kernel, which has work-item functions and buffers. */
  inKernel = false;
  /** Whether expressions may use sub-groups. */
  subGroups = false;
  /** Whether statements in uniform control flow may have barriers. */
  barriers = false;
  /** The format of the kernel's images, if it has any. */
  image: 'float' | 'int' | 'uint' | undefined;
  /** The remaining depth of nested statements. */
  budget = 0;
  depth = 0;
  readonly layouts: Record<ResultBuffer, Layout>;
  /** Which of four neighbouring work-items have memory that overlaps that of the others. */
  readonly overlapping: number;
  /** The words from one work-item's such memory to the next one's. */
  readonly overlapStride: number;
  private next = 0;

  /** `portable`: only code whose results are the same, bit by bit, in every OpenCL implementation. */
  constructor(
    seed: number,
    readonly portable: boolean,
    private readonly rules: Rules,
  ) {
    this.chance = new Chance(seed);
    const layout = () => this.chance.pick(['rows', 'planes', 'columns'] as const);
    this.overlapping = seed & 3;
    this.overlapStride = (seed >> 2) % 3 === 0 ? OVERLAP.shiftedStride : OVERLAP.stride;
    this.layouts = { out: 'rows', slots: layout(), bytes: layout(), shorts: layout(), floats: layout() };
  }

  expression(type: ValueType, depth: number, uniform = false): string {
    return this.rules.expression(this, type, depth, uniform);
  }

  condition(depth: number, uniform = false): string {
    return this.rules.condition(this, depth, uniform);
  }

  block(place: Place): string {
    this.depth++;
    const inner = { ...place, indent: `${place.indent}  ` };
    const text = this.rules.statements(this, this.chance.integer(1, 3), inner);
    this.depth--;
    return `{\n${text}${place.indent}}\n`;
  }

  statements(count: number, place: Place): string {
    return this.rules.statements(this, count, place);
  }

  fresh(prefix: string): string {
    return `${prefix}${this.next++}`;
  }

  type(): ValueType {
    const { chance } = this;
    const base = chance.with(0.25)
      ? chance.pick(FLOATS)
      : chance.with(0.5)
        ? chance.pick(['int', 'uint'] as const)
        : chance.pick(INTEGERS);
    return { base, count: chance.pick([1, 1, 1, 1, 1, 1, 2, 3, 4, 8]) };
  }

  integerType(): ValueType {
    return scalar(this.chance.pick(INTEGERS));
  }

  /** Puts a structure into the scope, and each of its members. */
  addRecord(name: string, type: RecordType): void {
    this.records.push({ name, type });
    for (const member of type.members)
      this.scope.push({ name: `${name}.${member.name}`, type: member.type, uniform: false, writable: true });
  }
}
