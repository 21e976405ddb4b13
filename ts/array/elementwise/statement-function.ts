// SPDX-License-Identifier: MIT
//
// `elementwise('z = a * x + y')`: statements of OpenCL C about one element, as a function of arrays.
import type { NDArray } from '../array';
import { checkDType, commonType, type DType, type Promote } from '../dtype';
import { fail, shown } from '../errors';
import { type Scope, scoped } from '../fusion';
import { Group, Node, type Operand } from '../node';
import { checkOptions } from '../options';
import { broadcastShapes, checkShape, type Shape, sizeOf } from '../shape';
import type { Space, Storage } from '../space';
import type { Task } from '../task';
import type { KernelWriter } from '../writer';
import { dense, elementwiseKernel } from './elementwise';
import { type HasNode, nodeOf, scalar } from './operands';
import type { InputNames, OutputNames, OutputTypes } from './statement-types';
import { readStatements, type Statements } from './statements';

/** Arguments of an elementwise function, by name. */
export type Arguments<S extends string> = Readonly<Record<InputNames<S>, NDArray | number | bigint>>;

/** Options of a call of an elementwise function. */
export interface CallOptions {
  /** The shape of the results, where no argument says it. */
  readonly shape?: number | Shape;
}

type ArrayTypes<A> = { [K in keyof A]: A[K] extends NDArray<infer D> ? D : never }[keyof A];
/** The common type of the arrays among the arguments, if there are at most two types. */
type Together<D extends DType> = [D] extends [never] ? DType : IsUnion<D> extends true ? Promote<D, D> : D;
type IsUnion<D, E = D> = D extends D ? ([E] extends [D] ? false : true) : never;
type ResultType<T, Name, D extends DType> = Name extends keyof T ? (T[Name] extends DType ? T[Name] : D) : D;

/** One result as an array, several by name. */
export type Results<S extends string, T, D extends DType> =
  IsUnion<OutputNames<S>> extends true
    ? { readonly [Name in OutputNames<S>]: NDArray<ResultType<T, Name, D>> }
    : string extends OutputNames<S>
      ? NDArray<D>
      : NDArray<ResultType<T, OutputNames<S>, D>>;

/** A function of arrays made of statements. */
export interface Elementwise<S extends string, T> {
  /** Computes the results for these arguments, by their names. */
  <const A extends Arguments<S>>(
    args: A & Readonly<Record<Exclude<keyof A, InputNames<S>>, never>>,
    options?: CallOptions,
  ): Results<S, T, Together<ArrayTypes<A>>>;
  /** The statements that it was made of. */
  readonly source: S;
}

interface Call {
  readonly statements: Statements;
  readonly operands: ReadonlyMap<string, Operand>;
  readonly shape: Shape;
  readonly outputs: readonly { readonly name: string; readonly dtype: DType }[];
}

/** The nodes of the results of a call, by name. */
function callElementwise(
  space: Space,
  statements: Statements,
  types: Readonly<Partial<Record<string, DType>>>,
  given: Readonly<Record<string, HasNode | number | bigint>>,
  options: CallOptions = {},
  ofNumbers: DType = 'float32',
): ReadonlyMap<string, Node> {
  const functionName = 'elementwise';
  const { inputs, outputs, pointers } = statements;
  // One argument alone, and not by its name.
  if (!(given instanceof Object) || (given as Partial<HasNode>).node instanceof Node)
    fail(
      functionName,
      `the arguments must be an object, such as { ${inputs.map((name) => `${name}: …`).join(', ')} }, not ${shown(given)}`,
    );
  const missing = inputs.find((name) => !Object.hasOwn(given, name));
  if (missing)
    fail(functionName, `the argument '${missing}' is missing; the statements take ${inputs.join(', ')}`);
  const unknown = Object.keys(given).find((name) => !inputs.includes(name));
  if (unknown)
    fail(
      functionName,
      `there is no argument '${unknown}'; the statements take ${inputs.join(', ') || 'none'}`,
    );

  checkOptions(options, ['shape'], functionName);

  const values = inputs.map((name) => {
    const value = given[name]!;
    return typeof value === 'number' || typeof value === 'bigint'
      ? value
      : nodeOf(value, space, functionName);
  });
  const nodes = values.filter((value) => value instanceof Node);
  const common =
    nodes.length > 0
      ? commonType(
          nodes.map(({ dtype }) => dtype),
          functionName,
        )
      : ofNumbers;
  const operands = new Map<string, Operand>();
  values.forEach((value, k) => {
    operands.set(inputs[k]!, value instanceof Node ? value : scalar(value, common, functionName));
  });
  const elements = inputs.flatMap((name) => {
    const operand = operands.get(name);
    return operand instanceof Node && !pointers.has(name) ? [operand.shape] : [];
  });
  if (options.shape === undefined && elements.length === 0)
    fail(functionName, 'no argument says the shape of the results: give it with `{ shape }`');
  const own = options.shape === undefined ? [] : [checkShape(options.shape, functionName)];
  const call: Call = {
    statements,
    operands,
    shape: broadcastShapes([...own, ...elements], functionName),
    outputs: outputs.map((name) => ({ name, dtype: types[name] ?? common })),
  };
  for (const name of pointers)
    if (!(operands.get(name) instanceof Node))
      fail(functionName, `'${name}' is indexed, and must be an array`);
  for (const { dtype } of call.outputs) space.checkDType(dtype, functionName);
  const group = new Group(() => run(space, call), outputs.length);
  return new Map(
    call.outputs.map(({ name, dtype }, index) => [
      name,
      new Node(space, dtype, call.shape, { kind: 'part', of: group, index }),
    ]),
  );
}

const run = (space: Space, call: Call): Task<readonly Storage[]> =>
  scoped(space, function* (scope: Scope) {
    const { statements, operands, shape, outputs } = call;
    const indexed = new Map<string, Storage>();
    for (const name of statements.pointers)
      indexed.set(name, yield* dense(operands.get(name) as Node, scope));
    const read = [...operands].filter(([name]) => !indexed.has(name));
    const arrays = read.map(([, operand]) => operand);
    return yield* elementwiseKernel(space, shape, arrays, {
      name: 'elementwise',
      title: `elementwise: ${statements.text.replace(/\s+/g, ' ')}`,
      outputs: outputs.map(({ name, dtype }) => ({ name: `out_${name}`, dtype })),
      write: (writer, reader, index) => {
        const texts = read.map(([name, operand]) => [name, reader.value(operand), operand.dtype] as const);
        for (const [name, storage] of indexed) writer.input(storage, name);
        writer.block('', () => {
          if (statements.uses.has('i') && index !== 'i') writer.line(`const size_t i = ${index};`);
          if (statements.uses.has('n'))
            writer.line(`const size_t n = ${writer.int(sizeOf(shape), 'elements')};`);
          for (const [name, text, dtype] of texts)
            writer.line(`const ${writer.type(dtype)} ${name} = ${text};`);
          writeResults(writer, call, index);
        });
      },
    });
  });

function writeResults(writer: KernelWriter, { statements, outputs }: Call, index: string): void {
  for (const { name, dtype } of outputs) writer.line(`${writer.type(dtype)} ${name};`);
  for (const line of statements.text.split('\n')) writer.line(line.trim());
  for (const { name, dtype } of outputs) writer.store(`out_${name}`, index, name, dtype);
}

/** The function that `elementwise` returns. */
export function elementwiseFunction<S extends string, T extends OutputTypes<S>>(
  space: Space,
  source: S,
  types: T,
  wrap: (node: Node) => NDArray,
  /** The type of numbers where no argument is an array. */
  ofNumbers?: DType,
): Elementwise<S, T> {
  const statements = readStatements(source);
  for (const [name, dtype] of Object.entries(types)) {
    checkDType(dtype, 'elementwise');
    if (!statements.outputs.includes(name))
      fail('elementwise', `there is no result '${name}'; there are ${statements.outputs.join(', ')}`);
  }
  const call = (args: Readonly<Record<string, NDArray | number | bigint>>, options?: CallOptions) => {
    const nodes = callElementwise(space, statements, types, args, options, ofNumbers);
    if (nodes.size === 1) return wrap([...nodes.values()][0]!);
    return Object.fromEntries([...nodes].map(([name, node]) => [name, wrap(node)]));
  };
  return Object.assign(call, { source }) as unknown as Elementwise<S, T>;
}
