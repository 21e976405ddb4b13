// SPDX-License-Identifier: MIT
//
// The JavaScript of the module that an import of a `.cl` file gives.
import { isBinding } from './declarations';
import type { Member, Parameter, Shape, Signatures, Struct } from './signature';

export interface ModuleContents {
  readonly name: string;
  readonly source: string;
  readonly options?: string;
  readonly spirv: Uint8Array;
}

/** @param anycl the name by which the module imports the package */
export function moduleCode(
  { spirv, ...contents }: ModuleContents,
  { kernels, structs }: Signatures,
  anycl = 'anycl',
): string {
  const described = {
    ...contents,
    kernels: Object.fromEntries(kernels.map((kernel) => [kernel.name, kernel.parameters.map(typeOf)])),
    spirv: Buffer.from(spirv).toString('base64'),
  };
  const exported = structs.filter(
    ({ name }) => isBinding(name) && !kernels.some((kernel) => kernel.name === name),
  );
  return [
    `import { KernelModule, struct } from ${JSON.stringify(anycl)};`,
    ...structs.map((s) => `const ${local(s)} = ${structCode(s)};`),
    `const kernels = new KernelModule(${JSON.stringify(described)});`,
    'export default kernels;',
    ...kernels
      .filter(({ name }) => isBinding(name))
      .map(({ name }) => `export const ${name} = kernels.kernel(${JSON.stringify(name)});`),
    ...exported.map((s) => `export { ${local(s)} as ${s.name} };`),
    '',
  ].join('\n');
}

/** OpenCL C's own name of an argument's type, without the source's typedefs; empty if there is none. */
function typeOf(parameter: Parameter): string {
  if (parameter.kind === 'value') return nameOf(parameter.shape);
  if (parameter.kind !== 'memory' || typeof parameter.element === 'string') return '';
  const element = nameOf(parameter.element);
  return element === '' ? '' : `${element}*`;
}

function nameOf(shape: Shape): string {
  if (shape.kind === 'scalar') return shape.scalar;
  return shape.kind === 'vector' ? `${shape.scalar}${shape.count}` : '';
}

const local = ({ name }: Struct): string => `struct_${name}`;

function structCode({ name, size, members }: Struct): string {
  const entries = members.map((member) => `${JSON.stringify(member.name)}: ${memberCode(member)}`);
  return `struct(${JSON.stringify(name)}, ${size}, { ${entries.join(', ')} })`;
}

function memberCode({ element, offset, count }: Member): string {
  const type = element.kind === 'struct' ? local(element.struct) : JSON.stringify(typeName(element));
  return `[${[type, offset, ...(count === undefined ? [] : [count])].join(', ')}]`;
}

const typeName = (element: Member['element']): string =>
  element.kind === 'scalar' ? element.scalar : 'uchar';
