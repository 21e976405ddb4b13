// SPDX-License-Identifier: MIT
//
// Variables, loads and stores.
import { BuiltIn, Decoration, MemoryAccess, Op, StorageClass } from '../grammar.gen';
import type { Id, Instruction } from '../module';
import { type AddressOperands, addressOf, elementAddressOf } from './addresses';
import type { Body, Expressions, Statements } from './body';
import { inexpressible } from './tables';

interface AccessOperands {
  readonly volatile: boolean;
  /** 0: the type's own. */
  readonly align: number;
}

function accessOperands(b: Body, pointer: number, operands: readonly number[]): AccessOperands {
  const mask = operands[0] ?? 0;
  const { tables } = b.t;
  return {
    volatile:
      (mask & MemoryAccess.Volatile) !== 0 ||
      tables.decoration(pointer as Id, Decoration.Volatile) !== undefined,
    align: mask & MemoryAccess.Aligned ? operands[1]! : 0,
  };
}

/** The object that a pointer points to, as an lvalue. */
function object(b: Body, pointer: number, access: AccessOperands): string {
  const { types } = b.t;
  const type = b.typeOf(pointer);
  const pointee = types.pointee(type);
  const name = types.access(pointee, access.align, b.t.reinterprets);
  const text = b.get(pointer);
  if (!access.volatile && name === types.name(pointee)) return `*${text}`;
  return `*(${access.volatile ? 'volatile ' : ''}${name} ${types.space(types.storage(type))} *)${text}`;
}

/** The functions for built-in variables: with a dimension, or without. */
const WORK_ITEM: Partial<Record<BuiltIn, { name: string; dimensions?: boolean }>> = {
  [BuiltIn.GlobalInvocationId]: { name: 'get_global_id', dimensions: true },
  [BuiltIn.LocalInvocationId]: { name: 'get_local_id', dimensions: true },
  [BuiltIn.WorkgroupId]: { name: 'get_group_id', dimensions: true },
  [BuiltIn.GlobalSize]: { name: 'get_global_size', dimensions: true },
  [BuiltIn.WorkgroupSize]: { name: 'get_local_size', dimensions: true },
  [BuiltIn.EnqueuedWorkgroupSize]: { name: 'get_enqueued_local_size', dimensions: true },
  [BuiltIn.NumWorkgroups]: { name: 'get_num_groups', dimensions: true },
  [BuiltIn.GlobalOffset]: { name: 'get_global_offset', dimensions: true },
  [BuiltIn.WorkDim]: { name: 'get_work_dim' },
  [BuiltIn.GlobalLinearId]: { name: 'get_global_linear_id' },
  [BuiltIn.LocalInvocationIndex]: { name: 'get_local_linear_id' },
  [BuiltIn.SubgroupSize]: { name: 'get_sub_group_size' },
  [BuiltIn.SubgroupMaxSize]: { name: 'get_max_sub_group_size' },
  [BuiltIn.NumSubgroups]: { name: 'get_num_sub_groups' },
  [BuiltIn.NumEnqueuedSubgroups]: { name: 'get_enqueued_num_sub_groups' },
  [BuiltIn.SubgroupId]: { name: 'get_sub_group_id' },
  [BuiltIn.SubgroupLocalInvocationId]: { name: 'get_sub_group_local_id' },
};

const SINCE_2_0: ReadonlySet<string> = new Set([
  'get_enqueued_local_size',
  'get_global_linear_id',
  'get_local_linear_id',
]);

/** The call that gives a component of a built-in variable. */
export function workItemCall(b: Body, variable: Id, dimension: string): string {
  const kind = b.t.tables.decoration(variable, Decoration.BuiltIn)![0]! as BuiltIn;
  const found = WORK_ITEM[kind] ?? inexpressible(`the built-in variable ${BuiltIn[kind] ?? kind}`);
  if (SINCE_2_0.has(found.name) || found.name.includes('sub_group')) b.t.needVersion2();
  return `${b.t.builtin(found.name)}(${found.dimensions ? dimension : ''})`;
}

export const isBuiltIn = (b: Body, pointer: number): boolean =>
  b.t.tables.decoration(pointer as Id, Decoration.BuiltIn) !== undefined;

function load(b: Body, i: Instruction): void {
  const pointer = i.operands[0]!;
  const name = b.t.types.name(i.type);
  const component = b.t.builtInComponents.get(pointer as Id);
  if (component) {
    b.define(i, `(${name})${workItemCall(b, component.variable, b.get(component.index))}`);
    return;
  }
  if (isBuiltIn(b, pointer)) {
    const { count } = b.info(i.type);
    const calls = Array.from({ length: count }, (_, d) => workItemCall(b, pointer as Id, `${d}`));
    if (b.t.onlyExtracted.has(i.result)) return;
    b.set(i, `(${name})(${calls.join(', ')})`);
    return;
  }
  // A sampler of program scope is used by its name.
  if (b.t.tables.definition(i.type).op === Op.TypeSampler) {
    const variable = b.t.tables.definition(pointer);
    if (variable.op !== Op.Variable || variable.operands[1] === undefined)
      inexpressible('a pointer to a sampler');
    b.alias(i.result, b.get(variable.operands[1]!));
    return;
  }
  b.set(i, object(b, pointer, accessOperands(b, pointer, i.operands.slice(1))));
}

function store(b: Body, i: Instruction): void {
  const [pointer, value] = i.operands as [Id, Id];
  b.line(`${object(b, pointer, accessOperands(b, pointer, i.operands.slice(2)))} = ${b.get(value)};`);
}

function copy(b: Body, i: Instruction): void {
  const [target, source] = i.operands as [Id, Id];
  const access = accessOperands(b, target, i.operands.slice(2));
  b.line(`${object(b, target, access)} = ${object(b, source, access)};`);
}

function copySized(b: Body, i: Instruction): void {
  const [target, source, size] = i.operands as [Id, Id, Id];
  const access = accessOperands(b, target, i.operands.slice(3));
  const bytes = b.t.tables.integer(size);
  const space = (id: Id) => b.t.types.space(b.t.types.storage(b.typeOf(id)));
  if (bytes === 0) return;
  if (bytes !== undefined) {
    const align = Math.max(1, access.align);
    const name = b.t.types.bytes(bytes, bytes % align === 0 ? align : 1);
    b.line(`*(${name} ${space(target)} *)${b.get(target)} = *(${name} ${space(source)} *)${b.get(source)};`);
    return;
  }
  const at = b.temporary('size_t');
  b.line(
    `for (${at} = 0; ${at} < ${b.get(size)}; ${at}++) ((uchar ${space(target)} *)${b.get(target)})[${at}] = ((uchar ${space(source)} *)${b.get(source)})[${at}];`,
  );
}

function variable(b: Body, i: Instruction): void {
  const { types, tables } = b.t;
  const type = types.pointee(i.type);
  const name = `_m${i.result}`;
  const align = tables.decoration(i.result, Decoration.Alignment)?.[0] ?? 0;
  const attribute = align > types.align(type) ? ` __attribute__((aligned(${align})))` : '';
  const suffix = types.arraySuffix(type);
  b.variables.push(`${types.name(type)} ${name}${suffix}${attribute};`);
  b.alias(i.result, suffix ? name : `(&${name})`);
  if (i.operands[1] !== undefined) b.line(`${name} = ${b.get(i.operands[1])};`);
}

/** A component of a built-in variable has no address. */
function inBuiltIn(b: Body, i: Instruction): boolean {
  const [base, index] = i.operands as [Id, Id];
  if (b.t.types.storage(i.type) !== StorageClass.Input) return false;
  if (!isBuiltIn(b, base)) inexpressible('an Input variable that is not a built-in one');
  b.t.builtInComponents.set(i.result, { variable: base, index });
  return true;
}

/** What addresses are made of. */
const operandsOf = (b: Body): AddressOperands => ({
  types: b.t.types,
  tables: b.t.tables,
  get: (id) => b.get(id),
  signed: (id) => b.signed(id),
});

const accessChain = (b: Body, i: Instruction): void => {
  if (!inBuiltIn(b, i)) b.define(i, addressOf(operandsOf(b), i.operands[0]!, i.operands.slice(1)));
};

const elementChain = (b: Body, i: Instruction): void =>
  b.define(i, elementAddressOf(operandsOf(b), i.operands[0]!, i.operands[1]!, i.operands.slice(2)));

export const MEMORY: Statements = {
  [Op.Variable]: variable,
  [Op.Load]: load,
  [Op.Store]: store,
  [Op.CopyMemory]: copy,
  [Op.CopyMemorySized]: copySized,
  [Op.AccessChain]: accessChain,
  [Op.InBoundsAccessChain]: accessChain,
  [Op.PtrAccessChain]: elementChain,
  [Op.InBoundsPtrAccessChain]: elementChain,
  [Op.LifetimeStart]: () => {},
  [Op.LifetimeStop]: () => {},
};

export const POINTERS: Expressions = {
  [Op.CopyObject]: (b, i) => b.get(i.operands[0]!),
  [Op.SizeOf]: (b, i) => `(${b.t.types.name(i.type)})sizeof(*${b.get(i.operands[0]!)})`,
};
