// SPDX-License-Identifier: MIT
//
// The execution modes and the argument information of an entry point.
import { Capability, ExecutionMode } from '../../spirv/grammar.gen';
import type { Id } from '../../spirv/module';
import type { FunctionDecl, VariableDecl } from '../frontend/ast/checked';
import type { ScalarKind, Type } from '../frontend/types';
import type { LoweringContext } from './context';

export function declareExecutionModes(
  ctx: LoweringContext,
  id: Id,
  kernel: FunctionDecl,
  contractionOff: boolean,
): void {
  const { builder, language } = ctx;
  const { attributes } = kernel;
  if (attributes.reqdWorkGroupSize)
    builder.executionMode(id, ExecutionMode.LocalSize, attributes.reqdWorkGroupSize);
  if (attributes.workGroupSizeHint)
    builder.executionMode(id, ExecutionMode.LocalSizeHint, attributes.workGroupSizeHint);
  if (attributes.vecTypeHint) {
    const hint = vectorTypeHint(attributes.vecTypeHint);
    if (hint !== undefined) builder.executionMode(id, ExecutionMode.VecTypeHint, [hint]);
    // The mode has no signedness.
    const unsigned = unsignedName(attributes.vecTypeHint);
    if (unsigned !== undefined) builder.debug.string(`vec_type_hint.${kernel.name}.${unsigned}`);
  }
  if (attributes.reqdSubGroupSize !== undefined) {
    builder.capability(Capability.SubgroupDispatch);
    builder.needVersion(0x10100, 'a required sub-group size');
    builder.executionMode(id, ExecutionMode.SubgroupSize, [attributes.reqdSubGroupSize]);
  }
  if (contractionOff) builder.executionMode(id, ExecutionMode.ContractionOff);
  if (language.denormsAreZero) {
    builder.capability(Capability.DenormFlushToZero);
    if (builder.module.version < 0x10400) builder.extension('SPV_KHR_float_controls');
    builder.executionMode(id, ExecutionMode.DenormFlushToZero, [32]);
  }
}

const HINT_CODES: Partial<Record<ScalarKind, number>> = {
  char: 0,
  uchar: 0,
  short: 1,
  ushort: 1,
  int: 2,
  uint: 2,
  long: 3,
  ulong: 3,
  half: 4,
  float: 5,
  double: 6,
};

/** The operand of VecTypeHint: component count and component type. */
function vectorTypeHint(type: Type): number | undefined {
  const element = type.kind === 'vector' ? type.element : type;
  if (element.kind !== 'scalar') return undefined;
  const code = HINT_CODES[element.scalar];
  return code === undefined ? undefined : ((type.kind === 'vector' ? type.count : 1) << 16) | code;
}

function unsignedName(type: Type): string | undefined {
  const element = type.kind === 'vector' ? type.element : type;
  if (element.kind !== 'scalar' || !/^u(char|short|int|long)$/.test(element.scalar)) return undefined;
  return `${element.scalar}${type.kind === 'vector' ? type.count : ''}`;
}

/**
 * Types and qualifiers of the arguments, as strings in llvm-spirv's form. The numbers behind names (typedefs, enumerations) get a
 * list of their own: SPIR-V's integers have no signedness.
 */
export function declareArgumentInfo(ctx: LoweringContext, kernel: FunctionDecl): void {
  const list = (of: (parameter: VariableDecl) => string) =>
    kernel.parameters.map((parameter) => `${of(parameter)},`).join('');
  ctx.builder.debug.string(`kernel_arg_type.${kernel.name}.${list((p) => p.typeName)}`);
  const isNamed = (p: VariableDecl) => !['', p.typeName].includes(numbersOf(p.type.type));
  if (kernel.parameters.some(isNamed))
    ctx.builder.debug.string(
      `kernel_arg_base_type.${kernel.name}.${list((p) => (isNamed(p) ? numbersOf(p.type.type) : ''))}`,
    );
  ctx.builder.debug.string(`kernel_arg_type_qual.${kernel.name}.${list(qualifiers)}`);
}

/** `uint4`, `float*`; empty for types that are neither numbers nor pointers to them. */
function numbersOf(type: Type): string {
  switch (type.kind) {
    case 'scalar':
      return type.scalar;
    case 'enum':
      return type.underlying.scalar;
    case 'vector':
      return `${type.element.scalar}${type.count}`;
    case 'pointer': {
      const pointee = type.pointee.type.kind === 'pointer' ? '' : numbersOf(type.pointee.type);
      return pointee && `${pointee}*`;
    }
    default:
      return '';
  }
}

function qualifiers({ type: { type, restrict } }: VariableDecl): string {
  if (type.kind === 'pipe') return 'pipe';
  if (type.kind !== 'pointer') return '';
  const words: string[] = [];
  if (restrict) words.push('restrict');
  if (type.pointee.const || type.space === 'constant') words.push('const');
  if (type.pointee.volatile) words.push('volatile');
  return words.join(' ');
}
