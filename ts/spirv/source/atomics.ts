// SPDX-License-Identifier: MIT
//
// Atomics: relaxed ones as the functions of OpenCL C 1.x, those that order memory (or work on generic pointers) as
// functions of C11 that OpenCL C 2.0 has.
import { MemorySemantics, Op, Scope, StorageClass } from '../grammar.gen';
import type { Id, Instruction } from '../module';
import type { Body, Statement, Statements } from './body';
import { inexpressible } from './tables';

const ORDERS: ReadonlyArray<readonly [number, string]> = [
  [MemorySemantics.SequentiallyConsistent, 'memory_order_seq_cst'],
  [MemorySemantics.AcquireRelease, 'memory_order_acq_rel'],
  [MemorySemantics.Release, 'memory_order_release'],
  [MemorySemantics.Acquire, 'memory_order_acquire'],
];

const SCOPES: Partial<Record<Scope, string>> = {
  [Scope.CrossDevice]: 'memory_scope_all_svm_devices',
  [Scope.Device]: 'memory_scope_device',
  [Scope.Workgroup]: 'memory_scope_work_group',
  [Scope.Subgroup]: 'memory_scope_sub_group',
  [Scope.Invocation]: 'memory_scope_work_item',
};

function known(b: Body, id: number, what: string): number {
  return b.t.tables.integer(id) ?? inexpressible(`${what} chosen at run time`);
}

export const order = (semantics: number): string =>
  ORDERS.find(([bit]) => semantics & bit)?.[1] ?? 'memory_order_relaxed';

export const memoryScope = (b: Body, id: number): string =>
  SCOPES[known(b, id, 'a memory scope') as Scope] ?? inexpressible('such a memory scope');

export const semanticsOf = (b: Body, id: number): number => known(b, id, 'a memory order');

/** Name in 1.x (`atomic_add`), name in C11, and whether operands are signed. */
const OPERATIONS: Partial<Record<Op, readonly [string, string, boolean?]>> = {
  [Op.AtomicExchange]: ['xchg', 'exchange'],
  [Op.AtomicIAdd]: ['add', 'fetch_add'],
  [Op.AtomicISub]: ['sub', 'fetch_sub'],
  [Op.AtomicSMin]: ['min', 'fetch_min', true],
  [Op.AtomicUMin]: ['min', 'fetch_min'],
  [Op.AtomicSMax]: ['max', 'fetch_max', true],
  [Op.AtomicUMax]: ['max', 'fetch_max'],
  [Op.AtomicAnd]: ['and', 'fetch_and'],
  [Op.AtomicOr]: ['or', 'fetch_or'],
  [Op.AtomicXor]: ['xor', 'fetch_xor'],
  [Op.AtomicIIncrement]: ['inc', 'fetch_add'],
  [Op.AtomicIDecrement]: ['dec', 'fetch_sub'],
  [Op.AtomicFAddEXT]: ['', 'fetch_add'],
  [Op.AtomicFMinEXT]: ['', 'fetch_min'],
  [Op.AtomicFMaxEXT]: ['', 'fetch_max'],
};

const EXTENDED_64: ReadonlySet<string> = new Set(['min', 'max', 'and', 'or', 'xor']);

interface Target {
  /** The atomic object's type, signed where the operation is. */
  readonly type: string;
  readonly space: string;
  readonly bits: number;
  /** Whether the functions of OpenCL C 1.x are enough. */
  readonly plain: boolean;
}

function target(b: Body, pointer: number, isSigned: boolean, semantics: number): Target {
  const { types } = b.t;
  const pointerType = b.typeOf(pointer);
  const pointee = types.pointee(pointerType);
  const { bits } = b.info(pointee);
  const storage = types.storage(pointerType);
  return {
    type: isSigned ? types.signed(pointee) : types.name(pointee),
    space: types.space(storage),
    bits,
    plain:
      order(semantics) === 'memory_order_relaxed' &&
      (storage === StorageClass.CrossWorkgroup || storage === StorageClass.Workgroup),
  };
}

const asPlain = (b: Body, { type, space }: Target, pointer: number): string =>
  `(volatile ${type} ${space} *)${b.get(pointer)}`;

function asC11(b: Body, { type, space }: Target, pointer: number): string {
  b.t.needVersion2();
  return `(volatile atomic_${type} ${space} *)${b.get(pointer)}`;
}

/** atomic_add, or atom_add of the extensions for 64 bits. */
function plainName(b: Body, { bits }: Target, name: string): string {
  if (bits !== 64) return `atomic_${name}`;
  b.t.extension(EXTENDED_64.has(name) ? 'cl_khr_int64_extended_atomics' : 'cl_khr_int64_base_atomics');
  return `atom_${name}`;
}

const modify: Statement = (b, i) => {
  const [pointer, scope, semanticsId, value] = i.operands as [Id, Id, Id, Id | undefined];
  const [plain, c11, isSigned = false] = OPERATIONS[i.op]!;
  const semantics = semanticsOf(b, semanticsId);
  const to = target(b, pointer, isSigned, semantics);
  const operand = value === undefined ? undefined : isSigned ? b.signed(value) : b.get(value);
  let text: string;
  if (to.plain && plain !== '') {
    const name = b.t.builtin(plainName(b, to, plain));
    text = `${name}(${asPlain(b, to, pointer)}${operand === undefined ? '' : `, ${operand}`})`;
  } else {
    text = `${b.t.builtin(`atomic_${c11}_explicit`)}(${asC11(b, to, pointer)}, ${operand ?? '1'}, ${order(semantics)}, ${memoryScope(b, scope)})`;
  }
  b.set(i, b.unsigned(i.type, text));
};

const load: Statement = (b, i) => {
  const [pointer, scope, semanticsId] = i.operands as [Id, Id, Id];
  const semantics = semanticsOf(b, semanticsId);
  const to = target(b, pointer, false, semantics);
  if (to.plain) b.set(i, `*${asPlain(b, to, pointer)}`);
  else
    b.set(
      i,
      `${b.t.builtin('atomic_load_explicit')}(${asC11(b, to, pointer)}, ${order(semantics)}, ${memoryScope(b, scope)})`,
    );
};

const store: Statement = (b, i) => {
  const [pointer, scope, semanticsId, value] = i.operands as [Id, Id, Id, Id];
  const semantics = semanticsOf(b, semanticsId);
  const to = target(b, pointer, false, semantics);
  if (to.plain) b.line(`*${asPlain(b, to, pointer)} = ${b.get(value)};`);
  else
    b.line(
      `${b.t.builtin('atomic_store_explicit')}(${asC11(b, to, pointer)}, ${b.get(value)}, ${order(semantics)}, ${memoryScope(b, scope)});`,
    );
};

const compareExchange: Statement = (b, i) => {
  const [pointer, scope, onSuccess, onFailure, value, comparator] = i.operands as [Id, Id, Id, Id, Id, Id];
  const [success, failure] = [semanticsOf(b, onSuccess), semanticsOf(b, onFailure)];
  const to = target(b, pointer, false, success | failure);
  if (to.plain) {
    const name = b.t.builtin(plainName(b, to, 'cmpxchg'));
    b.set(i, `${name}(${asPlain(b, to, pointer)}, ${b.get(comparator)}, ${b.get(value)})`);
    return;
  }
  const expected = b.temporary(to.type, b.get(comparator));
  b.line(
    `${b.t.builtin('atomic_compare_exchange_strong_explicit')}(${asC11(b, to, pointer)}, &${expected}, ${b.get(value)}, ${order(success)}, ${order(failure)}, ${memoryScope(b, scope)});`,
  );
  b.set(i, expected);
};

const flag =
  (name: string): Statement =>
  (b, i) => {
    const [pointer, scope, semantics] = i.operands as [Id, Id, Id];
    const to = target(b, pointer, false, 0);
    b.t.needVersion2();
    b.set(
      i,
      `${b.t.builtin(name)}((volatile atomic_flag ${to.space} *)${b.get(pointer)}, ${order(semanticsOf(b, semantics))}, ${memoryScope(b, scope)})`,
    );
  };

const clear: Statement = (b, i: Instruction) => {
  const [pointer, scope, semantics] = i.operands as [Id, Id, Id];
  const { space } = target(b, pointer, false, 0);
  b.t.needVersion2();
  b.line(
    `atomic_flag_clear_explicit((volatile atomic_flag ${space} *)${b.get(pointer)}, ${order(semanticsOf(b, semantics))}, ${memoryScope(b, scope)});`,
  );
};

export const ATOMICS: Statements = {
  ...Object.fromEntries(Object.keys(OPERATIONS).map((op) => [op, modify])),
  [Op.AtomicLoad]: load,
  [Op.AtomicStore]: store,
  [Op.AtomicCompareExchange]: compareExchange,
  [Op.AtomicCompareExchangeWeak]: compareExchange,
  [Op.AtomicFlagTestAndSet]: flag('atomic_flag_test_and_set_explicit'),
  [Op.AtomicFlagClear]: clear,
};
