// SPDX-License-Identifier: MIT
//
// The types of kernels' arguments, read from the source by anycl's compiler: loaded when a driver names a typedef or an
// enumeration.
import { compileToAst } from '../../compiler/compile';
import type { CompileInput } from '../../compiler/compiled';
import { EXTENSIONS } from '../../compiler/frontend/features';
import type { Type } from '../../compiler/frontend/types';

/** By kernel, each argument's type as in `BackendKernel.baseType`; empty for structs. Nothing if the source has errors. */
export type ArgumentTypes = ReadonlyMap<string, readonly string[]>;

/** @param extensions those of the device: the source may declare other types without them */
export function argumentTypes(input: CompileInput, extensions: readonly string[]): ArgumentTypes {
  const absent = EXTENSIONS.filter((name) => !extensions.includes(name)).map((name) => `-${name}`);
  const { unit } = compileToAst({ ...input, extensions: absent.join() });
  const kernels = unit?.functions.filter((f) => f.isKernel && f.body !== undefined) ?? [];
  return new Map(kernels.map((kernel) => [kernel.name, kernel.parameters.map((p) => nameOf(p.type.type))]));
}

function nameOf(type: Type): string {
  switch (type.kind) {
    case 'scalar':
      return type.scalar;
    case 'enum':
      return type.underlying.scalar;
    case 'vector':
      return `${type.element.scalar}${type.count}`;
    case 'pointer': {
      const { type: pointee } = type.pointee;
      return `${(pointee.kind !== 'pointer' && nameOf(pointee)) || 'void'}*`;
    }
    case 'image':
      return 'image';
    case 'opaque':
      return type.name;
    default:
      return '';
  }
}
