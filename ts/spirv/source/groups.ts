// SPDX-License-Identifier: MIT
//
// Barriers, fences, asynchronous copies and the functions of work-groups and sub-groups.
import { GroupOperation, MemorySemantics, Op, Scope } from '../grammar.gen';
import type { Id } from '../module';
import { memoryScope, order, semanticsOf } from './atomics';
import type { Body, Statement, Statements } from './body';
import { inexpressible } from './tables';

const FLAGS: ReadonlyArray<readonly [number, string]> = [
  [MemorySemantics.WorkgroupMemory, 'CLK_LOCAL_MEM_FENCE'],
  [MemorySemantics.CrossWorkgroupMemory, 'CLK_GLOBAL_MEM_FENCE'],
  [MemorySemantics.ImageMemory, 'CLK_IMAGE_MEM_FENCE'],
];

function fenceFlags(b: Body, semantics: number): string {
  if (semantics & MemorySemantics.ImageMemory) b.t.needVersion2();
  const flags = FLAGS.filter(([bit]) => semantics & bit).map(([, name]) => name);
  return flags.length > 0 ? flags.join(' | ') : '0';
}

/** `work_group` or `sub_group`. */
function group(b: Body, scope: number): string {
  switch (b.t.tables.integer(scope)) {
    case Scope.Workgroup:
      return 'work_group';
    case Scope.Subgroup:
      b.t.extension('cl_khr_subgroups');
      return 'sub_group';
    default:
      return inexpressible('a group that is neither work-group nor sub-group');
  }
}

const barrier: Statement = (b, i) => {
  const [execution, memory, semanticsId] = i.operands as [Id, Id, Id];
  const flags = fenceFlags(b, semanticsOf(b, semanticsId));
  const kind = group(b, execution);
  if (kind === 'work_group' && b.t.tables.integer(memory) === Scope.Workgroup) b.line(`barrier(${flags});`);
  else {
    b.t.needVersion2();
    b.line(`${kind}_barrier(${flags}, ${memoryScope(b, memory)});`);
  }
};

const fence: Statement = (b, i) => {
  const [scope, semanticsId] = i.operands as [Id, Id];
  const semantics = semanticsOf(b, semanticsId);
  const flags = fenceFlags(b, semantics);
  if (flags === '0') return;
  if (b.t.tables.integer(scope) === Scope.Workgroup && !(semantics & MemorySemantics.ImageMemory)) {
    const name =
      semantics & MemorySemantics.Acquire
        ? 'read_mem_fence'
        : semantics & MemorySemantics.Release
          ? 'write_mem_fence'
          : 'mem_fence';
    b.line(`${b.t.builtin(name)}(${flags});`);
    return;
  }
  b.t.needVersion2();
  b.line(`atomic_work_item_fence(${flags}, ${order(semantics)}, ${memoryScope(b, scope)});`);
};

const copy: Statement = (b, i) => {
  const [, to, from, count, stride, event] = i.operands as [Id, Id, Id, Id, Id, Id];
  const args = b.gets([to, from, count]);
  if (b.t.tables.integer(stride) === 1)
    b.set(i, `${b.t.builtin('async_work_group_copy')}(${[...args, b.get(event)].join(', ')})`);
  else
    b.set(
      i,
      `${b.t.builtin('async_work_group_strided_copy')}(${[...args, b.get(stride), b.get(event)].join(', ')})`,
    );
};

const wait: Statement = (b, i) => {
  const [, count, events] = i.operands as [Id, Id, Id];
  b.line(`${b.t.builtin('wait_group_events')}(${b.signed(count)}, ${b.get(events)});`);
};

const vote =
  (name: string): Statement =>
  (b, i) =>
    b.set(i, `${need(b, i.operands[0]!)}_${name}(${b.get(i.operands[1]!)}) != 0`);

function need(b: Body, scope: number): string {
  b.t.needVersion2();
  return group(b, scope);
}

const broadcast: Statement = (b, i) => {
  const [scope, value, at] = i.operands as [Id, Id, Id];
  const { count } = b.info(b.typeOf(at));
  const where = b.get(at);
  const ids = count === 1 ? [where] : Array.from({ length: count }, (_, c) => `${where}.s${c}`);
  b.set(i, `${need(b, scope)}_broadcast(${[b.get(value), ...ids].join(', ')})`);
};

const KINDS: Partial<Record<GroupOperation, string>> = {
  [GroupOperation.Reduce]: 'reduce',
  [GroupOperation.InclusiveScan]: 'scan_inclusive',
  [GroupOperation.ExclusiveScan]: 'scan_exclusive',
};

const reduce =
  (name: string, isSigned = false): Statement =>
  (b, i) => {
    const [scope, operation, value] = i.operands as [Id, GroupOperation, Id];
    const kind = KINDS[operation] ?? inexpressible(`the group operation ${GroupOperation[operation]}`);
    const text = isSigned ? b.signed(value) : b.get(value);
    b.set(i, b.unsigned(i.type, `${need(b, scope)}_${kind}_${name}(${text})`));
  };

export const GROUPS: Statements = {
  [Op.ControlBarrier]: barrier,
  [Op.MemoryBarrier]: fence,
  [Op.GroupAsyncCopy]: copy,
  [Op.GroupWaitEvents]: wait,
  [Op.GroupAll]: vote('all'),
  [Op.GroupAny]: vote('any'),
  [Op.GroupBroadcast]: broadcast,
  [Op.GroupIAdd]: reduce('add'),
  [Op.GroupFAdd]: reduce('add'),
  [Op.GroupFMin]: reduce('min'),
  [Op.GroupUMin]: reduce('min'),
  [Op.GroupSMin]: reduce('min', true),
  [Op.GroupFMax]: reduce('max'),
  [Op.GroupUMax]: reduce('max'),
  [Op.GroupSMax]: reduce('max', true),
};
