// SPDX-License-Identifier: MIT
//
// The TypeScript declarations of the module that an import of a `.cl` file gives. They are in `saxpy.d.cl.ts` beside `saxpy.cl`, where
// TypeScript looks with `allowArbitraryExtensions`.
import { basename } from 'node:path';
import type { Member, Parameter, ScalarName, Shape, Signatures, Struct } from './signature';

/** The typed arrays for memory that holds each scalar. */
const ARRAYS: Readonly<Record<ScalarName, string>> = {
  char: 'Int8Array',
  uchar: 'Uint8Array | Uint8ClampedArray',
  short: 'Int16Array',
  ushort: 'Uint16Array',
  int: 'Int32Array',
  uint: 'Uint32Array',
  long: 'BigInt64Array',
  ulong: 'BigUint64Array',
  half: 'Halves',
  float: 'Float32Array',
  double: 'Float64Array',
};

const isWide = (scalar: ScalarName): boolean => scalar === 'long' || scalar === 'ulong';
const numberOf = (scalar: ScalarName): string => (isWide(scalar) ? 'bigint' : 'number');
/** Scripts may pass a whole number for a 64-bit integer, too. */
const argumentOf = (scalar: ScalarName): string => (isWide(scalar) ? 'bigint | number' : 'number');

/** The declarations' file for a source file. */
export const declarationsFile = (file: string): string => file.replace(/(\.[^./\\]+)$/, '.d$1.ts');

export function declarationsText(file: string, { kernels, structs }: Signatures): string {
  const body = [
    ...structs.map(structText),
    '/** The kernels by name: what `KernelModule.build` gives for a device. */',
    'export interface Kernels {',
    ...kernels.map(({ name, parameters }) => `  ${name}(${parameters.map(parameterText).join(', ')}): void;`),
    '}',
    '',
    ...kernels
      .filter(({ name }) => isBinding(name))
      .map(
        ({ name }) => `export declare const ${name}: ModuleKernel<ArgumentsOf<Kernels[${quoted(name)}]>>;`,
      ),
    'declare const kernels: KernelModule<Kernels>;',
    'export default kernels;',
    '',
  ].join('\n');
  const imports = IMPORTS.filter((name) => new RegExp(`\\b${name}\\b`).test(body));
  return [
    `// Made of ${basename(file)} by anycl. Do not edit.`,
    `import type { ${imports.join(', ')} } from 'anycl';`,
    '',
    ...(/\bHalves\b/.test(body) ? [HALVES, ''] : []),
    body,
  ].join('\n');
}

const IMPORTS = [
  'ArgumentsOf',
  'CommandQueue',
  'DeviceMemory',
  'Image',
  'KernelModule',
  'LocalArgument',
  'ModuleKernel',
  'Pipe',
  'Sampler',
  'StructArray',
  'StructType',
  'StructView',
];

const HALVES = `/** Float16Array where the program's library has it, else the bits. */
type Halves = typeof globalThis extends { Float16Array: { prototype: infer A } } ? A : Uint16Array;`;

const quoted = (name: string): string => `'${name}'`;

/** Whether a declaration may have this name. Kernels of other names are only in the default export. */
export const isBinding = (name: string): boolean => !RESERVED.has(name) && name !== 'kernels';

const RESERVED: ReadonlySet<string> = new Set(
  `arguments await case catch class debugger default delete eval export extends false finally function implements import in
  instanceof interface let new null package private protected public super this throw true try typeof var void with yield
  Kernels`.split(/\s+/),
);

function parameterText(parameter: Parameter, index: number): string {
  const name = RESERVED.has(parameter.name) ? `argument${index}` : parameter.name;
  return `${name}: ${typeOf(parameter)}`;
}

const OBJECTS = {
  local: 'LocalArgument',
  image: 'Image',
  sampler: 'Sampler',
  pipe: 'Pipe',
  queue: 'CommandQueue',
} as const;

function typeOf(parameter: Parameter): string {
  switch (parameter.kind) {
    case 'value':
      return valueType(parameter.shape);
    case 'memory':
      return memoryType(parameter.element);
    default:
      return OBJECTS[parameter.kind];
  }
}

function valueType(shape: Shape): string {
  switch (shape.kind) {
    case 'scalar':
      return argumentOf(shape.scalar);
    case 'vector': {
      const component = isWide(shape.scalar) ? '(bigint | number)' : 'number';
      return `readonly [${Array.from({ length: shape.count }, () => component).join(', ')}] | ${ARRAYS[shape.scalar]}`;
    }
    case 'struct':
      return shape.struct.name;
    case 'bytes':
      return 'ArrayBufferView';
  }
}

function memoryType(element: Shape | 'unknown' | 'pointer-sized'): string {
  if (element === 'unknown') return 'DeviceMemory';
  if (element === 'pointer-sized') return 'DeviceMemory<Uint32Array> | DeviceMemory<BigUint64Array>';
  const bytes = 'DeviceMemory<Uint8Array>';
  if (element.kind === 'struct' || element.kind === 'bytes') return bytes;
  return ARRAYS[element.scalar]
    .split(' | ')
    .map((array) => `DeviceMemory<${array}>`)
    .join(' | ');
}

function structText({ name, size, members }: Struct): string {
  return [
    `/** ${size} bytes. */`,
    `export interface ${name} extends StructView {`,
    ...members.flatMap(memberLines),
    '}',
    `export declare const ${name}: StructType<${name}>;`,
    '',
  ].join('\n');
}

function memberLines({ name, element, count }: Member): string[] {
  if (element.kind === 'struct') {
    const type = element.struct.name;
    return count === undefined
      ? [`  get ${name}(): ${type};`, `  set ${name}(value: ArrayBufferView);`]
      : [
          `  get ${name}(): StructArray<${type}>;`,
          `  set ${name}(value: StructArray<${type}> | ArrayBufferView);`,
        ];
  }
  if (element.kind !== 'scalar') return [];
  const number = numberOf(element.scalar);
  if (count === undefined) return [`  ${name}: ${number};`];
  const array = ARRAYS[element.scalar].split(' | ')[0];
  return [`  get ${name}(): ${array};`, `  set ${name}(values: ArrayLike<${number}>);`];
}
