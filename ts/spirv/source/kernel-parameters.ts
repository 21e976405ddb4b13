// SPDX-License-Identifier: MIT
//
// A kernel's parameters with their original names and types, as clGetKernelArgInfo must report them.
import { FunctionParameterAttribute, StorageClass } from '../grammar.gen';
import type { Id, Instruction } from '../module';
import type { Translation } from './translation';

export interface KernelParameter {
  /** Its text in the kernel's parameter list. */
  readonly declaration: string;
  /** The parameter as an operand of the type that the module gives it. */
  readonly value: string;
}

const WRITTEN =
  /^(u?(?:char|short|int|long)|half|float|double|size_t|ptrdiff_t|u?intptr_t)(2|3|4|8|16)?(\*?)$/;
const SPELLED_OUT = /^unsigned (char|short|int|long)/;
const BITS: Readonly<Record<string, number>> = {
  char: 8,
  short: 16,
  int: 32,
  long: 64,
  half: 16,
  float: 32,
  double: 64,
};

/** The written type without pointer, where it is a built-in one with the same representation. */
function writtenType(t: Translation, text: string, type: Id, isPointer: boolean): string | undefined {
  const match = WRITTEN.exec(text.replace(SPELLED_OUT, 'u$1').replace(/\s+/g, ''));
  if (!match || (match[3] === '*') !== isPointer) return undefined;
  const [, base, count = ''] = match as unknown as [string, string, string | undefined];
  const info = t.types.info(type);
  // A kernel may have a pointer to a type such as size_t, but no parameter of that type.
  if (/_t$/.test(base))
    return isPointer && info.bits === t.types.pointerBits && count === '' ? base : undefined;
  const isFloat = base === 'half' || base === 'float' || base === 'double';
  if (info.kind !== (isFloat ? 'float' : 'int')) return undefined;
  return info.bits === BITS[base.replace(/^u/, '')] && info.count === Number(count || 1)
    ? base + count
    : undefined;
}

export function kernelParameter(
  t: Translation,
  kernel: string,
  parameter: Instruction,
  name: string,
  at: number,
): KernelParameter {
  const { types, tables } = t;
  const own = types.name(parameter.type);
  const written = tables.argumentStrings('kernel_arg_type', kernel)[at] ?? '';
  const info = types.info(parameter.type);
  if (info.kind === 'pointer') {
    const pointee = types.pointee(parameter.type);
    const storage = types.storage(parameter.type);
    // A struct that is passed by value arrives as the address of a copy.
    if (storage === StorageClass.Function)
      return { declaration: `${types.name(pointee)} ${name}`, value: `(&${name})` };
    const qualifiers = (tables.argumentStrings('kernel_arg_type_qual', kernel)[at] ?? '').split(' ');
    const isRestrict =
      qualifiers.includes('restrict') ||
      tables.hasAttribute(parameter.result, FunctionParameterAttribute.NoAlias);
    const isConst = qualifiers.includes('const') && storage !== StorageClass.UniformConstant;
    const type = writtenType(t, written, pointee, true) ?? types.name(pointee);
    const qualified = `${isConst ? 'const ' : ''}${qualifiers.includes('volatile') ? 'volatile ' : ''}${type}`;
    const declaration = `${qualified} ${types.space(storage)} *${isRestrict ? ' restrict' : ''} ${name}`;
    return { declaration, value: qualified === types.name(pointee) ? name : `((${own})${name})` };
  }
  const type = writtenType(t, written, parameter.type, false) ?? own;
  if (type === own) return { declaration: `${own} ${name}`, value: name };
  return {
    declaration: `${type} ${name}`,
    value: info.count > 1 ? `as_${own}(${name})` : `((${own})${name})`,
  };
}
