// SPDX-License-Identifier: MIT
//
// A kernel's signature: its arguments, their places in the dispatch block, and its attributes.
import {
  DISPATCH,
  type KernelArgument,
  type KernelSignature,
  LOCAL_MEMORY_ALIGN,
  type ScalarName,
  SUB_GROUP_SIZES,
} from '../../base/kernel-abi';
import {
  AccessQualifier,
  Decoration,
  ExecutionMode,
  FunctionParameterAttribute,
  Op,
  StorageClass,
} from '../../spirv/grammar.gen';
import type { EntryPoint, Id, Instruction } from '../../spirv/module';
import { Type } from '../ir/ir';
import { bytesOf } from '../ir/types';
import { JitError } from '../jit-error';
import type { ModuleIndex } from './module-index';
import { packetSizeOf } from './packet-size';
import type { TypeInfo } from './types';

const SCALAR_NAMES: Partial<Record<Type, readonly [signed: ScalarName, unsigned: ScalarName]>> = {
  [Type.I1]: ['bool', 'bool'],
  [Type.I8]: ['char', 'uchar'],
  [Type.I16]: ['short', 'ushort'],
  [Type.I32]: ['int', 'uint'],
  [Type.I64]: ['long', 'ulong'],
  [Type.F16]: ['half', 'half'],
  [Type.F32]: ['float', 'float'],
  [Type.F64]: ['double', 'double'],
};

const VECTOR_HINT_TYPES = ['char', 'short', 'int', 'long', 'half', 'float', 'double'];

/**
 * The lists in OpString that compilers write, such as `kernel_arg_type.NAME.int,float*,`, and anycl's list of
 * VecTypeHint's unsigned types.
 */
function argumentStrings(index: ModuleIndex, list: string, kernel: string): string[] {
  const prefix = `${list}.${kernel}.`;
  for (const text of index.stringsLike(prefix))
    if (text.startsWith(prefix)) return text.slice(prefix.length).split(',');
  return [];
}

export function kernelSignature(
  index: ModuleIndex,
  entry: EntryPoint,
  staticLocalBytes: number,
): KernelSignature {
  const definition = index.functions.get(entry.function);
  if (!definition || definition.blocks.length === 0)
    throw new JitError(`the kernel '${entry.name}' has no body`);
  const typeNames = argumentStrings(index, 'kernel_arg_type', entry.name);
  const baseTypes = argumentStrings(index, 'kernel_arg_base_type', entry.name);
  const qualifiers = argumentStrings(index, 'kernel_arg_type_qual', entry.name);
  const names = parameterNames(index, definition.definition.result, definition.parameters, entry.name);
  let offset: number = DISPATCH.arguments;
  const args = definition.parameters.map((parameter, i) => {
    const type = typeNames[i] ?? '';
    const described = describe(index, parameter, names[i]!, {
      type,
      baseType: baseTypes[i] || type,
      qualifiers: qualifiers[i] ?? '',
    });
    const align = described.kind === 'value' ? valueAlign(index, parameter) : described.size;
    offset = Math.ceil(offset / align) * align;
    const argument: KernelArgument = { ...described, offset };
    offset += argument.size;
    return argument;
  });
  const modes = index.modesOf(entry.function);
  const triple = (mode: ExecutionMode, byId?: ExecutionMode) => {
    const found = modes.find((m) => m.mode === mode || m.mode === byId);
    if (!found) return undefined;
    const at = (i: number) =>
      found.ids ? Number(index.constants.integer(found.operands[i]! as Id)) : found.operands[i]!;
    return [at(0), at(1), at(2)] as const;
  };
  const required = triple(ExecutionMode.LocalSize, ExecutionMode.LocalSizeId);
  const hint = triple(ExecutionMode.LocalSizeHint, ExecutionMode.LocalSizeHintId);
  const vectorHint = modes.find((m) => m.mode === ExecutionMode.VecTypeHint)?.operands[0];
  const subGroupSize = modes.find((m) => m.mode === ExecutionMode.SubgroupSize)?.operands[0];
  if (subGroupSize !== undefined && !SUB_GROUP_SIZES.includes(subGroupSize))
    throw new JitError(
      `kernel '${entry.name}' asks for sub-groups of ${subGroupSize} work-items; the device has them of ${SUB_GROUP_SIZES.join(', ')}`,
    );
  const attributes: string[] = [];
  if (required) attributes.push(`reqd_work_group_size(${required.join(',')})`);
  if (hint) attributes.push(`work_group_size_hint(${hint.join(',')})`);
  if (vectorHint !== undefined) {
    const [written] = argumentStrings(index, 'vec_type_hint', entry.name);
    attributes.push(`vec_type_hint(${written ?? vectorHintName(vectorHint)})`);
  }
  if (subGroupSize !== undefined) attributes.push(`intel_reqd_sub_group_size(${subGroupSize})`);
  return {
    name: entry.name,
    arguments: args,
    dispatchBytes: Math.ceil(offset / 16) * 16,
    attributes,
    ...(required ? { requiredLocalSize: required } : {}),
    ...(subGroupSize !== undefined ? { requiredSubGroupSize: subGroupSize } : {}),
    staticLocalBytes,
    privateBytes: 0,
  };
}

/** The mode has no signedness; the default is signed. */
function vectorHintName(hint: number): string {
  const components = hint >>> 16;
  return `${VECTOR_HINT_TYPES[hint & 0xffff] ?? 'int'}${components > 1 ? components : ''}`;
}

/** If an entry point only calls the function of its name, that function has the parameters' names. */
function parameterNames(
  index: ModuleIndex,
  id: Id,
  parameters: readonly Instruction[],
  kernel: string,
): string[] {
  const named = (list: readonly Instruction[]) => list.map((p) => index.names.get(p.result));
  let found = named(parameters);
  if (found.some((n) => n === undefined)) {
    const twin = index.exports.get(kernel);
    if (twin && twin.definition.result !== id && twin.parameters.length === parameters.length)
      found = found.map((n, i) => n ?? named(twin.parameters)[i]);
  }
  return found.map((n, i) => n ?? `arg${i}`);
}

function valueAlign(index: ModuleIndex, parameter: Instruction): number {
  const info = index.types.get(parameter.type);
  return info.kind === 'pointer' ? index.types.pointee(info).align : info.align;
}

function scalarOf(info: TypeInfo, unsigned: boolean): { type: ScalarName; components: number } | undefined {
  const element = info.kind === 'vector' ? info.element! : info;
  if (element.kind !== 'scalar') return undefined;
  const names = SCALAR_NAMES[element.scalar];
  return names && { type: names[unsigned ? 1 : 0], components: info.kind === 'vector' ? info.count : 1 };
}

const UNSIGNED = /^(?:u(?:char|short|int|long)|size_t|uintptr_t)(?:\d|\W|$)|unsigned/;

/** What the module's strings say of a parameter; empty where there is none. */
interface Written {
  readonly type: string;
  /** The type that a typedef names; `type` if it is none. */
  readonly baseType: string;
  readonly qualifiers: string;
}

type Described = Omit<KernelArgument, 'offset'>;
type Qualifier = KernelArgument['typeQualifiers'][number];

/** A parameter, with what the module says of it. */
interface Parameter {
  readonly index: ModuleIndex;
  readonly id: Id;
  readonly info: TypeInfo;
  readonly written: Written;
  readonly attributes: ReadonlySet<FunctionParameterAttribute>;
  readonly isUnsigned: boolean;
  /** The fields that most kinds of arguments share. */
  readonly common: Pick<Described, 'name' | 'align' | 'access' | 'addressSpace'>;
}

function describe(index: ModuleIndex, parameter: Instruction, name: string, written: Written): Described {
  const attributes = new Set(
    index
      .decorationsOf(parameter.result)
      .filter((d) => d.operands[1] === Decoration.FuncParamAttr)
      .map((d) => d.operands[2]! as FunctionParameterAttribute),
  );
  const p: Parameter = {
    index,
    id: parameter.result,
    info: index.types.get(parameter.type),
    written,
    attributes,
    isUnsigned: UNSIGNED.test(written.baseType) || attributes.has(FunctionParameterAttribute.Zext),
    common: { name, align: 4, access: 'none', addressSpace: 'private' },
  };
  if (p.info.kind === 'opaque') return describeObject(p);
  const isMemory = p.info.kind === 'pointer' && p.info.storage !== StorageClass.Function;
  return isMemory ? describeMemory(p) : describeValue(p);
}

/** A buffer, or local memory. */
function describeMemory(p: Parameter): Described {
  const { index, id, info, common } = p;
  const pointee = index.types.pointee(info);
  const element = scalarOf(pointee, p.isUnsigned);
  const align = Math.max(pointee.align, index.decoration(id, Decoration.Alignment)?.[0] ?? 1);
  const isLocal = info.storage === StorageClass.Workgroup;
  if (isLocal && align > LOCAL_MEMORY_ALIGN)
    throw new JitError(
      `the local argument '${common.name}' is aligned to ${align} bytes; the device aligns local memory to ${LOCAL_MEMORY_ALIGN} at most`,
    );
  const isConstant = info.storage === StorageClass.UniformConstant;
  return {
    ...common,
    kind: isLocal ? 'local' : 'buffer',
    size: bytesOf(info.scalar),
    align,
    typeName: typeNameOf(p, pointee, '*'),
    addressSpace: isLocal ? 'local' : isConstant ? 'constant' : 'global',
    typeQualifiers: memoryQualifiers(p),
    ...(element ? { pointee: element } : {}),
  };
}

/** The qualifiers as they were written, then those that only the decorations of the parameter say. */
function memoryQualifiers(p: Parameter): Qualifier[] {
  const { index, id, info, attributes } = p;
  const isDecorated = (...decorations: readonly Decoration[]): boolean =>
    decorations.some((decoration) => index.decoration(id, decoration));
  const qualifiers = new Set(writtenQualifiers(p));
  if (attributes.has(FunctionParameterAttribute.NoAlias) || isDecorated(Decoration.Restrict))
    qualifiers.add('restrict');
  if (isDecorated(Decoration.Volatile, Decoration.Coherent)) qualifiers.add('volatile');
  if (
    attributes.has(FunctionParameterAttribute.NoWrite) ||
    isDecorated(Decoration.NonWritable) ||
    info.storage === StorageClass.UniformConstant
  )
    qualifiers.add('const');
  return [...qualifiers];
}

/** An image, a sampler, a pipe or a queue. */
function describeObject(p: Parameter): Described {
  const { index, info, written } = p;
  const { operands } = index.definition(info.id);
  const object = { ...p.common, size: 4, typeQualifiers: writtenQualifiers(p) };
  switch (info.op) {
    case Op.TypeImage:
      return {
        ...object,
        kind: 'image',
        addressSpace: 'global',
        access: ACCESS[(operands[7] ?? AccessQualifier.ReadOnly) as AccessQualifier],
        typeName: written.type || imageTypeName(operands),
      };
    case Op.TypeSampler:
      return { ...object, kind: 'sampler', typeName: 'sampler_t' };
    case Op.TypePipe:
      return {
        ...object,
        kind: 'pipe',
        addressSpace: 'global',
        access: ACCESS[operands[0]! as AccessQualifier],
        typeName: written.type || 'pipe',
        typeQualifiers: ['pipe'],
        ...packetSizeOf(index, p.id),
      };
    case Op.TypeQueue:
      return { ...object, kind: 'queue', typeName: 'queue_t' };
    default:
      throw new JitError(`Op${Op[info.op]} cannot be a kernel argument`);
  }
}

/** A scalar, a vector or a struct. Structs are passed by pointer. */
function describeValue(p: Parameter): Described {
  const value = p.info.kind === 'pointer' ? p.index.types.pointee(p.info) : p.info;
  const scalar = scalarOf(value, p.isUnsigned);
  return {
    ...p.common,
    kind: 'value',
    size: value.size,
    typeName: typeNameOf(p, value, ''),
    typeQualifiers: writtenQualifiers(p),
    ...(scalar ? { scalar } : {}),
  };
}

const QUALIFIER = /^(?:const|restrict|volatile|pipe)$/;

function writtenQualifiers({ written: { qualifiers } }: Parameter): Qualifier[] {
  // Most have none.
  if (qualifiers === '') return [];
  return [...new Set(qualifiers.split(/\s+/).filter((word): word is Qualifier => QUALIFIER.test(word)))];
}

/** The name as it was written, or one by the type itself. */
function typeNameOf({ index, written, isUnsigned }: Parameter, info: TypeInfo, suffix: '' | '*'): string {
  if (written.type) return written.type;
  const scalar = scalarOf(info, isUnsigned);
  if (scalar) return `${scalar.type}${scalar.components > 1 ? scalar.components : ''}${suffix}`;
  if (info.kind === 'struct') return `${index.names.get(info.id)?.replace('.', ' ') ?? 'struct'}${suffix}`;
  return `void${suffix}`;
}

const ACCESS: Record<AccessQualifier, KernelArgument['access']> = {
  [AccessQualifier.ReadOnly]: 'read_only',
  [AccessQualifier.WriteOnly]: 'write_only',
  [AccessQualifier.ReadWrite]: 'read_write',
};

/** OpTypeImage: sampled type, dimension, depth, arrayed, multisampled, sampled, format, access. */
function imageTypeName(operands: readonly number[]): string {
  const dimension = ['image1d', 'image2d', 'image3d', '', '', 'image1d_buffer'][operands[1]!] ?? 'image2d';
  return `${dimension}${operands[3] ? '_array' : ''}${operands[4] ? '_msaa' : ''}${operands[2] === 1 ? '_depth' : ''}_t`;
}
