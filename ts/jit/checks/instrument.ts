// SPDX-License-Identifier: MIT
//
// Adds calls of the device's checks to a kernel (docs/adr/0028-checked-runs.md). It runs before all passes that move or remove
// accesses, after private variables have become values.

import {
  CHECK_OF_FAULT,
  type Check,
  type CheckSite,
  type CheckTable,
  FAULTY_COPY,
  MOST_SHOWN,
} from '../../base/checks';
import type { KernelSignature } from '../../base/kernel-abi';
import { isUndefined } from '../ir/build';
import { type Block, type Func, type Inst, Op, Type, type Value } from '../ir/ir';
import { bytesOf } from '../ir/types';
import { spaceOfRoot } from '../passes/memory-roots';
import { isGroupWide, isSubGroupWide } from '../regions/split';
import { AccessLimits } from './access-limits';
import { Captured } from './captured';
import { Inserter } from './inserter';
import { unusedLoads } from './keep-accesses';
import { loopHeaders } from './loop-headers';
import { Provenance } from './provenance';
import { bytesAt, type Span, spanAt } from './span';
import { type MemoryNames, placeOf, TableBuilder } from './table';
import { UndefinedValues } from './undefined-values';

export function addChecks(
  func: Func,
  signature: KernelSignature,
  names: MemoryNames,
  checks: readonly Check[],
  countsTraffic = false,
  indexes: ReadonlyMap<Inst, number> = new Map(),
  hasPatterns = false,
): CheckTable {
  const table = new TableBuilder(checks, countsTraffic, signature, names);
  new Instrumenter(func, signature, table, indexes, hasPatterns, names.captures).run();
  const { sites, regions, granule } = table;
  return { checks, sites, regions, granule, ...(countsTraffic ? { countsTraffic } : {}) };
}

const CHANGES: Partial<Record<Op, 'perhaps' | 'never'>> = {
  [Op.AtomicLoad]: 'never',
  [Op.AtomicCmpXchg]: 'perhaps',
};
const NO_BLOCKS: ReadonlySet<Block> = new Set();
const ATOMICS = new Set([Op.AtomicLoad, Op.AtomicStore, Op.AtomicRmw, Op.AtomicCmpXchg]);

function synchronization({ op, facts: { scope, orders } }: Inst): CheckSite {
  if (op === Op.Barrier) return { action: 'barrier', orders: { local: true, global: true, ...orders } };
  // Those of a work-group are carried out between two barriers.
  const all = { local: true, global: true };
  return { action: 'collective', ...(scope === 'work-group' ? { orders: all } : {}) };
}

class Instrumenter {
  private readonly provenance: Provenance;
  private readonly into: Inserter;
  private readonly undefinedValues: UndefinedValues;
  private readonly hasGroupOperations: boolean;
  private readonly hasSubGroupOperations: boolean;
  private readonly hasAtomics: boolean;
  private readonly limits: AccessLimits;
  private readonly unused: ReadonlySet<Inst>;
  private readonly captured: Captured;

  constructor(
    private readonly func: Func,
    signature: KernelSignature,
    private readonly table: TableBuilder,
    /** Of each access in the kernel's summary. */
    private readonly indexes: ReadonlyMap<Inst, number>,
    hasPatterns: boolean,
    captures: MemoryNames['captures'],
  ) {
    this.captured = new Captured(func, captures);
    this.provenance = new Provenance(func, signature);
    this.hasGroupOperations = func.blocks.some(({ insts }) =>
      insts.some((inst) => isGroupWide(inst) || inst.op === Op.AsyncEvent),
    );
    this.hasSubGroupOperations = func.blocks.some(({ insts }) => insts.some(isSubGroupWide));
    this.hasAtomics = func.blocks.some(({ insts }) => insts.some(({ op }) => ATOMICS.has(op)));
    this.undefinedValues = new UndefinedValues(
      func,
      (load) => this.mayBeUnwritten(load),
      (store) => this.isObservable(store),
      ({ facts: { index } }) => this.table.undefinedVariable(index),
    );
    this.into = new Inserter(func);
    this.unused = unusedLoads(func);
    this.limits = new AccessLimits(func, signature, this.into.leaves, hasPatterns);
  }

  run(): void {
    const { func, into, undefinedValues } = this;
    const { entry } = func;
    const start = entry.targets[0]!.block;
    const loops = this.table.has('loops') ? loopHeaders(func) : NO_BLOCKS;
    undefinedValues.addParams(into);
    for (const block of func.blocks) {
      if (block === entry) continue;
      into.startBlock(block);
      const { insts } = block;
      if (block === start) this.begin();
      if (loops.has(block)) this.iteration(block);
      for (let at = 0; at < insts.length; ) at += this.step(insts, at);
      into.at(block.terminator);
      this.uses(block.terminator, block.terminator.operands);
      if (block.terminator.op === Op.Unreachable && this.table.has('assertions'))
        into.call('report', this.site(block.terminator, { action: 'trap' }), into.i32(1), into.item);
      if (block.terminator.op === Op.Return) this.arrive(block.terminator, { action: 'end' });
      into.endBlock();
    }
    undefinedValues.passArguments(into);
    this.limits.addTo(start);
  }

  /** At an operation of the group, or the end: the kernel's operations of sub-groups must come before or after it. */
  private arrive(inst: Inst, facts: CheckSite): void {
    const { into, table } = this;
    const isSeen = table.has('barriers') || table.has('races') || table.countsTraffic;
    const byGroup = this.hasGroupOperations && isSeen;
    const bySubGroup = this.hasSubGroupOperations && table.has('barriers');
    if (!byGroup && !bySubGroup) return;
    const site = this.site(inst, facts);
    if (bySubGroup) this.arriveWithSubGroup(site);
    if (byGroup) into.call('arrive', site, into.item);
  }

  private arriveWithSubGroup(site: number): void {
    const { into } = this;
    const leaf = (op: Op) => into.leaves.leaf(op, Type.I32);
    into.call('subGroup', site, into.item, leaf(Op.SubGroupId), leaf(Op.SubGroupSize));
  }

  private get checksWritten(): boolean {
    return this.table.has('uninitialized');
  }

  private iteration(header: Block): void {
    const { into } = this;
    const first = header.insts[0] ?? header.terminator;
    into.at(first);
    into.call('step', this.site(first, { action: 'step' }), into.item);
  }

  private begin(): void {
    const { into } = this;
    const groups = ([0, 1, 2] as const).map((dimension) =>
      into.leaves.leaf(Op.GroupId, Type.I32, { dimension }),
    );
    into.call('begin', this.table.site({ action: 'begin' }), ...groups, into.item);
  }

  /** Adds the checks of the instruction at `at`, and copies it and the ones that its check covers too; returns how many. */
  private step(insts: readonly Inst[], at: number): number {
    const { into } = this;
    const inst = insts[at]!;
    into.at(inst);
    if (inst.op === Op.Load || inst.op === Op.Store) return this.accesses(insts, at);
    if (inst.op === Op.Assert) {
      this.assertion(inst);
      return 1;
    }
    if (ATOMICS.has(inst.op)) this.atomic(inst);
    else if (inst.op === Op.Copy) this.copy(inst);
    else if (inst.op === Op.AsyncEvent) return this.asyncEvent(insts, at);
    else if (inst.op === Op.WaitEvents) {
      const [count, list] = inst.operands as [Value, Value];
      into.call('waitEvents', this.site(inst, { action: 'wait' }), count, list, into.item);
      return 1;
    } else if (inst.op === Op.AsyncCopy) this.asyncCopy(inst);
    else {
      if (isGroupWide(inst)) this.arrive(inst, synchronization(inst));
      else if (isSubGroupWide(inst)) this.subGroupOperation(inst);
      if (inst.op >= Op.Load) this.uses(inst, inst.operands);
    }
    into.pass(inst);
    if (inst.op === Op.AtomicCmpXchg) this.exchanged(inst);
    if (inst.op === Op.Fence && this.table.has('races'))
      into.call('fence', this.site(inst, { action: 'use' }), into.item);
    this.undefinedValues.follow(inst, into);
    return 1;
  }

  private subGroupOperation(inst: Inst): void {
    const { table } = this;
    if (table.has('barriers') || (table.has('races') && inst.op === Op.Barrier))
      this.arriveWithSubGroup(this.site(inst, { ...synchronization(inst), isOfSubGroup: true }));
  }

  private assertion(inst: Inst): void {
    const { into } = this;
    const [condition, ...values] = inst.operands as [Value, ...Value[]];
    const { fault, text, shown, index } = inst.facts;
    if (!this.table.has(CHECK_OF_FAULT[fault!])) return;
    this.uses(inst, inst.operands);
    const failed = into.emit(Op.ZExt, Type.I32, [into.emit(Op.Not, Type.I1, [condition])]);
    const site = this.site(inst, {
      action: fault!,
      ...(text === undefined ? {} : { text }),
      ...(index === undefined ? {} : { region: index }),
      ...(values.length > 0 ? { shown: shown! } : {}),
    });
    if (values.length === 0) into.call('report', site, failed, into.item);
    else {
      while (values.length < MOST_SHOWN) values.push(into.leaves.constant(Type.I64, 0n));
      into.call('reportValues', site, failed, into.item, ...values);
    }
  }

  private site(inst: Inst, site: CheckSite): number {
    const { position } = inst;
    if (position?.instruction) return this.table.site({ ...site, instruction: position.instruction });
    return this.table.site(position ? { ...site, place: placeOf(inst) } : site);
  }

  // --- loads and stores

  private accesses(insts: readonly Inst[], at: number): number {
    const { into, undefinedValues } = this;
    const first = insts[at]!;
    const span = spanAt(insts, at);
    const members = insts.slice(at, at + span.count);
    const address = first.operands[0]!;
    this.uses(first, [address]);
    const isLoad = first.op === Op.Load;
    // Bytes whose value is not used need no contents.
    const used = members.filter((inst) => !this.unused.has(inst));
    const isFlagged = isLoad && used.some((inst) => undefinedValues.has(inst));
    const needsContents = isLoad && this.checksWritten && used.length > 0 && !first.facts.isPadding;
    const isDivided = needsContents && !isFlagged && used.length < members.length;
    const checked = this.check(first, address, span, isLoad ? 'read' : 'write', {
      mustBeWritten: needsContents && !isFlagged && !isDivided,
      ...(isLoad && this.hasAtomics && first.facts.volatile ? { isVolatile: true } : {}),
    });
    if (checked && isDivided)
      for (const flag of this.loadFlags(used, checked).values())
        into.call('report', this.site(first, { action: 'uninitialized' }), flag, into.item);
    // What has no contents from here on, in one call.
    const isForgotten = !isLoad && members.every((inst) => isUndefined(inst.operands[1]!));
    const flags = checked && isFlagged ? this.loadFlags(used, checked) : undefined;
    for (const inst of members) {
      if (checked) inst.operands = [checked, ...inst.operands.slice(1)];
      into.pass(inst);
      if (isLoad) undefinedValues.follow(inst, into, flags?.get(inst) ?? into.i32(0));
      else if (!isForgotten) this.stored(inst, bytesAt(inst));
    }
    if (isForgotten) this.stored(first, span);
    return members.length;
  }

  private loadFlags(members: readonly Inst[], address: Value): Map<Inst, Value> {
    const flagOf = (inst: Inst): Value => {
      const { into } = this;
      const bytes = bytesAt(inst);
      const root = this.provenance.rootOf(inst.operands[0]!);
      const region = this.table.regionOf(root);
      const site = this.site(inst, { action: 'read', ...bytes, region });
      const limit = this.limits.of(root, region, this.table.region(region), bytes.size, true);
      if (!limit) return into.call('isUnwritten', site, address, into.item);
      return into.inlineCall('isUnwritten', site, { offset: bytes.offset }, [address, into.item, ...limit]);
    };
    return new Map(members.map((inst) => [inst, flagOf(inst)]));
  }

  /** A value that may be undefined is a fault in global memory. Elsewhere its bytes count as never written. */
  private stored(inst: Inst, { offset, size }: Pick<Span, 'offset' | 'size'>): void {
    const { into, undefinedValues } = this;
    const value = inst.operands[1]!;
    const flag = undefinedValues.flagOf(value);
    if (!flag || !this.checksWritten || inst.facts.isPadding) return;
    if (this.isObservable(inst)) this.uses(inst, [value]);
    else
      into.call(
        'stored',
        this.site(inst, { action: isUndefined(value) ? 'use' : 'write', offset, size }),
        flag,
        inst.operands[0]!,
        into.item,
      );
  }

  /** The address to access; undefined where no check is needed. */
  private check(
    inst: Inst,
    address: Value,
    { offset, size, count }: Pick<Span, 'offset' | 'size' | 'count'>,
    action: 'read' | 'write' | 'atomic' | 'copy',
    more: Partial<CheckSite> = {},
  ): Value | undefined {
    const { into, table, provenance } = this;
    if (provenance.isOfLibrary(inst, address)) return undefined;
    const root = provenance.rootOf(address);
    const region = table.regionOf(root);
    const align = inst.facts.align ?? 1;
    const access = more.access ?? this.indexes.get(inst);
    const accesses = access === undefined ? {} : { access, accesses: count };
    const captured = root ? undefined : this.captured.nameOf(address);
    const named = captured ? { captured } : {};
    const site = this.site(inst, { action, offset, size, align, region, ...more, ...accesses, ...named });
    const base = root?.op === Op.PrivateAlloca ? root : into.i32(0);
    const limit =
      action !== 'copy' &&
      !table.countsTraffic &&
      this.limits.of(root, region, table.region(region), size, action === 'read');
    if (!limit) return into.call('access', site, address, base, into.item);
    return into.inlineCall('access', site, { offset, align }, [address, base, into.item, ...limit]);
  }

  private atomic(inst: Inst): void {
    const address = inst.operands[0]!;
    this.uses(inst, inst.operands);
    const type = inst.op === Op.AtomicStore ? inst.operands[1]!.type : inst.type;
    const [offset, size] = [inst.facts.offset ?? 0, bytesOf(type)];
    const { scope } = inst.facts;
    const allGroups = scope === undefined || scope === 'device' || scope === 'all-devices';
    const mustBeWritten = this.checksWritten && inst.op !== Op.AtomicStore;
    const changes = CHANGES[inst.op];
    const checked = this.check(inst, address, { offset, size, count: 1 }, 'atomic', {
      allGroups,
      mustBeWritten,
      releases: !inst.facts.relaxed,
      ...(changes ? { changes } : {}),
    });
    if (checked) inst.operands = [checked, ...inst.operands.slice(1)];
  }

  /** Only after the operation is it known whether memory has changed. */
  private exchanged(inst: Inst): void {
    const { into } = this;
    const [address, expected] = inst.operands as [Value, Value];
    if (!this.table.has('races') || this.provenance.isOfLibrary(inst, address)) return;
    const isDone = into.emit(Op.ZExt, Type.I32, [into.emit(Op.Eq, Type.I1, [inst, expected])]);
    const bytes = { offset: inst.facts.offset ?? 0, size: bytesOf(inst.type) };
    const region = this.table.regionOf(this.provenance.rootOf(address));
    into.call(
      'exchanged',
      this.site(inst, { action: 'atomic', ...bytes, region }),
      address,
      into.item,
      isDone,
    );
  }

  private copy(inst: Inst): void {
    const { into } = this;
    const [to, from] = inst.operands as [Value, Value];
    this.uses(inst, inst.operands);
    const bytes = { offset: 0, size: inst.facts.size!, count: 1 };
    const first = this.indexes.get(inst);
    const source = this.check(inst, from, bytes, 'read', first === undefined ? {} : { access: first + 1 });
    const target = this.check(inst, to, bytes, 'write');
    if (source && target && this.checksWritten)
      into.call(
        'copied',
        this.site(inst, {
          action: 'copy',
          offset: 0,
          size: bytes.size,
          region: this.table.regionOf(this.provenance.rootOf(to)),
        }),
        target,
        source,
        into.item,
      );
    inst.operands = [target ?? to, source ?? from];
  }

  /** The copy that follows is made only where all of it is inside of its objects. */
  private asyncEvent(insts: readonly Inst[], at: number): number {
    const { into, table, provenance } = this;
    const [inst, copy] = [insts[at]!, insts[at + 1]!];
    this.uses(inst, inst.operands);
    const [to, from, count] = inst.operands as [Value, Value, Value];
    inst.facts = {
      check: 'asyncCopy',
      site: this.site(inst, {
        action: 'copy',
        offset: 0,
        size: inst.facts.size!,
        align: inst.facts.size! % 4 === 0 ? 4 : 1,
        region: table.regionOf(provenance.rootOf(to)),
        source: table.regionOf(provenance.rootOf(from)),
        gather: inst.facts.gather === true,
      }),
    };
    inst.op = Op.Check;
    inst.operands = [...inst.operands, into.item];
    into.pass(inst);
    const isRight = into.emit(Op.SLt, Type.I1, [inst, into.i32(FAULTY_COPY)]);
    const made = into.emit(Op.Select, Type.I32, [isRight, count, into.i32(0)]);
    copy.operands = [to, from, made, ...copy.operands.slice(3)];
    into.pass(copy);
    return 2;
  }

  /** Where barriers are not checked: all work-items write parts of the target. It counts as written. */
  private asyncCopy(inst: Inst): void {
    this.uses(inst, inst.operands);
    this.check(inst, inst.operands[0]!, { offset: 0, size: inst.facts.size!, count: 1 }, 'copy');
  }

  // --- undefined values

  /** Copies of structs are marked as generic, whatever they copy. */
  private isObservable({ facts: { space, isCopied }, operands }: Inst): boolean {
    // As a copy of memory that was not divided: its bytes are in the state of those that they are copied from.
    if (isCopied) return false;
    const root = spaceOfRoot(this.provenance.rootOf(operands[0]!));
    return space === 'global' || root === 'global';
  }

  private mayBeUnwritten(load: Inst): boolean {
    // Padding is copied with the members, whatever it is.
    if (load.facts.isPadding) return false;
    if (!this.checksWritten || this.provenance.isOfLibrary(load, load.operands[0]!)) return false;
    return this.provenance.rootOf(load.operands[0]!)?.op !== Op.ProgramBase;
  }

  /** Reports the use of values that may be undefined. */
  private uses(inst: Inst, values: readonly Value[]): void {
    if (!this.checksWritten) return;
    const { into } = this;
    for (const value of new Set(values)) {
      const flag = this.undefinedValues.flagOf(value);
      if (flag) into.call('report', this.site(inst, { action: 'uninitialized' }), flag, into.item);
    }
  }
}
