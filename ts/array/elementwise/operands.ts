// SPDX-License-Identifier: MIT
//
// Turns the operands that a caller passes to an elementwise operation into nodes.
import { checkElement, commonType, type DType, isFloat } from '../dtype';
import { fail } from '../errors';
import { isNode, Node, type Operand, type Scalar } from '../node';
import { broadcastShapes } from '../shape';
import type { Space } from '../space';
import { materialize } from './elementwise';
import { OPERATORS, type Operator } from './operators';

/** What has a node: an array. */
export interface HasNode {
  readonly node: Node;
}

const BITWISE: readonly Operator[] = [
  OPERATORS.and,
  OPERATORS.or,
  OPERATORS.xor,
  OPERATORS.shl,
  OPERATORS.shr,
];

const isNumber = (value: unknown): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

/** The node of an array, which must be alive and of this context. */
export function nodeOf(value: unknown, space: Space, functionName: string): Node {
  const node = (value as Partial<HasNode> | null | undefined)?.node;
  if (!(node instanceof Node))
    return fail(functionName, `an operand must be an array or a number, not ${describe(value)}`);
  node.checkAlive(functionName);
  if (node.space !== space) fail(functionName, 'the arrays belong to different contexts');
  return node;
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'string') return `the string '${value}'`;
  if (typeof value !== 'object') return `${typeof value} ${String(value)}`;
  const { name } = (value as object).constructor ?? {};
  return ArrayBuffer.isView(value) || Array.isArray(value)
    ? `${name}: make it an array with array()`
    : `${name}`;
}

/** The type that numbers have where no array says one. */
const typeOfNumbers = (values: readonly (number | bigint)[]): DType =>
  values.some((value) => typeof value === 'bigint')
    ? 'int64'
    : values.every(Number.isInteger)
      ? 'int32'
      : 'float32';

/** The node of an operation, which is computed when its elements are first needed. */
export function map(space: Space, operator: Operator, given: readonly (HasNode | number | bigint)[]): Node {
  const { name, keeps = 0 } = operator;
  const items = given.map((value) => (isNumber(value) ? value : nodeOf(value, space, name)));
  const free = items.slice(keeps);
  const typed = (free.length > 0 ? free : items).filter((item) => item instanceof Node);
  const common =
    typed.length > 0
      ? commonType(
          typed.map(({ dtype }) => dtype),
          name,
        )
      : typeOfNumbers(free.filter(isNumber));
  if (isFloat(common) && BITWISE.includes(operator))
    fail(name, `${common} is not a type of integers: convert the array first, with .as('int32')`);
  const computed = operator.computed(common);
  const operands = items.map((item): Operand => (isNumber(item) ? scalar(item, computed, name) : item));
  const shape = broadcastShapes(
    operands.filter(isNode).map((node) => node.shape),
    name,
  );
  const node: Node = new Node(space, operator.result(computed), shape, {
    kind: 'map',
    operator,
    operands,
    computed,
    run: () => materialize(node),
  });
  return node;
}

/** A number as an element of a type. */
export function scalar(value: number | bigint, dtype: DType, functionName: string): Scalar {
  checkElement(value, dtype, functionName);
  return { value: isFloat(dtype) ? Number(value) : value, dtype };
}
