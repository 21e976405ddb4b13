// SPDX-License-Identifier: MIT
//
// The counters of a program that counts what it executes: one for each basic block of its own module, and one for each way of a
// branch that leads into a block with several predecessors. Inlined copies of a function share its counters. The front end adds
// to them with atomics of one constant address, which the emitter makes once for all active lanes (emit/atomics/one-address.ts).
import {
  type AccessCount,
  COUNTER_BYTES,
  type CountedBlock,
  type CountedFunction,
  type CountedLine,
  type CounterTable,
} from '../../base/coverage';
import { OpenCLStd as E, Op, StorageClass } from '../../spirv/grammar.gen';
import type { FunctionDefinition, Id, Instruction, Block as SourceBlock } from '../../spirv/module';
import { Op as Ir, Type } from '../ir/ir';
import { isNoCode, kindOf } from './instruction-kinds';
import type { ModuleIndex } from './module-index';
import type { BlockCounters, Translation } from './translation';
import { ADDRESS_SPACES } from './types';

export class Counters implements BlockCounters {
  readonly table: CounterTable;
  private count = 0;
  private readonly ofBlock = new Map<SourceBlock, number>();
  /** By the branch and the number of the way. */
  private readonly ofWay = new Map<Instruction, (number | undefined)[]>();

  constructor(private readonly index: ModuleIndex) {
    const functions = index.module.functions.filter(({ blocks }) => blocks.length > 0);
    for (const { blocks } of functions) for (const block of blocks) this.ofBlock.set(block, this.count++);
    const counted = functions.map((f) => this.functionOf(f));
    this.table = { counters: this.count, functions: counted };
  }

  /** Counts that a work-item enters a block; the builder is at its start. */
  enter(t: Translation, block: SourceBlock): void {
    count(t, this.ofBlock.get(block)!);
  }

  /** The counter to add to on a way of a branch; undefined if a block's counter says it. */
  counterOfWay(end: Instruction, way: number): number | undefined {
    return this.ofWay.get(end)?.[way];
  }

  private functionOf(f: FunctionDefinition): CountedFunction {
    const { index } = this;
    const labels = new Map(f.blocks.map((block) => [block.label, block]));
    const entries = new Map<Id, number>();
    for (const { instructions } of f.blocks)
      for (const label of index.targetsOf(instructions.at(-1)!))
        entries.set(label, (entries.get(label) ?? 0) + 1);
    return {
      name: index.nameOf(f.definition.result),
      place: index.position(f.definition),
      blocks: f.blocks.map((block) => this.blockOf(block, labels, entries)),
    };
  }

  private blockOf(
    { instructions, label }: SourceBlock,
    labels: ReadonlyMap<Id, SourceBlock>,
    entries: ReadonlyMap<Id, number>,
  ): CountedBlock {
    const { index } = this;
    const end = instructions[instructions.length - 1]!;
    const code = instructions.filter((i) => !isNoCode(index, i));
    const ways = index.targetsOf(end);
    const counter = this.ofBlock.get(labels.get(label)!)!;
    const facts = {
      counter,
      lines: linesOf(index, code),
      kinds: kindsOf(index, code),
      accesses: accessesOf(index, code),
    };
    if (ways.length < 2) return facts;
    const known = ways.map((way) =>
      entries.get(way) === 1 ? this.ofBlock.get(labels.get(way)!) : undefined,
    );
    // The other ways leave the count of one.
    const rest = known.indexOf(undefined);
    const own: (number | undefined)[] = [];
    known.forEach((counter, at) => {
      if (counter === undefined && at !== rest) own[at] = this.count++;
    });
    const counters = known.map((counter, at) => counter ?? own[at]);
    this.ofWay.set(end, own);
    return { ...facts, branch: { place: index.position(end), ways: counters } };
  }
}

/** Adds 1 to a counter for each work-item that comes here. */
export function count(t: Translation, counter: number): void {
  const base = t.builder.leaves.leaf(Ir.Counters, Type.I32);
  t.emit(Ir.AtomicRmw, Type.I64, [base, t.const(Type.I64, 1n)], {
    rmw: 'add',
    offset: counter * COUNTER_BYTES,
    align: COUNTER_BYTES,
    space: 'global',
    scope: 'device',
    relaxed: true,
  });
}

function linesOf(index: ModuleIndex, code: readonly Instruction[]): CountedLine[] {
  const lines = new Map<string, { place: CountedLine['place']; instructions: number }>();
  for (const i of code) {
    const at = index.position(i);
    const place = at && { file: at.file, line: at.line, column: at.column };
    const key = place ? `${place.line} ${place.file}` : '';
    const known = lines.get(key);
    if (known) known.instructions++;
    else lines.set(key, { place, instructions: 1 });
  }
  return [...lines.values()];
}

function kindsOf(index: ModuleIndex, code: readonly Instruction[]): CountedBlock['kinds'] {
  const kinds: { -readonly [K in keyof CountedBlock['kinds']]: number } = {};
  for (const { op, operands } of code) {
    // A work-item's ids are variables of SPIR-V, but not in memory.
    const isId = op === Op.Load && typeOf(index, operands[0]!).storage === StorageClass.Input;
    const kind = isId ? 'other' : kindOf(op);
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  return kinds;
}

function accessesOf(index: ModuleIndex, code: readonly Instruction[]): AccessCount[] {
  const accesses: AccessCount[] = [];
  const add = (access: AccessCount['access'], pointer: number, bytes: number) => {
    const { storage } = typeOf(index, pointer);
    const space = storage === undefined ? undefined : ADDRESS_SPACES[storage];
    if (space) accesses.push({ space, access, count: 1, bytes });
  };
  for (const i of code) {
    const [first, second] = i.operands as [number, number];
    if (i.op === Op.Load) add('load', first, index.types.get(i.type).size);
    else if (i.op === Op.Store) add('store', first, typeOf(index, second).size);
    else if (i.op === Op.CopyMemory || i.op === Op.CopyMemorySized) {
      const bytes =
        i.op === Op.CopyMemory
          ? index.types.pointee(typeOf(index, first)).size
          : (index.constants.tryInteger(i.operands[2]! as Id) ?? 0);
      add('load', second, bytes);
      add('store', first, bytes);
    } else if (kindOf(i.op) === 'atomic')
      add('atomic', first, index.types.pointee(typeOf(index, first)).size);
    else if (i.op === Op.ExtInst) vectorAccess(index, i, add);
  }
  return accesses;
}

const LOADS: ReadonlySet<number> = new Set([E.vloadn, E.vload_half, E.vload_halfn, E.vloada_halfn]);
const STORES: ReadonlySet<number> = new Set([
  E.vstoren,
  E.vstore_half,
  E.vstore_half_r,
  E.vstore_halfn,
  E.vstore_halfn_r,
  E.vstorea_halfn,
  E.vstorea_halfn_r,
]);

/** vload, vstore and their relatives: this many elements of the pointer's type. */
function vectorAccess(
  index: ModuleIndex,
  { operands, type }: Instruction,
  add: (access: 'load' | 'store', pointer: number, bytes: number) => void,
): void {
  const [set, number, ...args] = operands as [Id, number, ...number[]];
  if (index.extInstSets.get(set) !== 'OpenCL.std') return;
  const bytesAt = (pointer: number) => index.types.pointee(typeOf(index, pointer)).size;
  if (LOADS.has(number)) add('load', args[1]!, bytesAt(args[1]!) * index.types.get(type).width);
  else if (STORES.has(number)) add('store', args[2]!, bytesAt(args[2]!) * typeOf(index, args[0]!).width);
}

const typeOf = (index: ModuleIndex, id: number) => index.types.get(index.definition(id as Id).type);
