// SPDX-License-Identifier: MIT
//
// Reductions and scans as callers request them: along which axes, and which axes remain.

import { type DType, isFloat } from '../dtype';
import { scalar } from '../elementwise/operands';
import { fail, shown } from '../errors';
import { Node, privately } from '../node';
import { checkAxes, checkOptions } from '../options';
import { checkAxis, contiguous, type Shape, shapeText, transposed } from '../shape';
import { allAxes } from '../writer';
import { type Accumulator, custom, REDUCTIONS, type ReductionName } from './accumulators';
import { reduceNode } from './reduce';
import { scanNode } from './scan';

/** Options of reductions. */
export interface AxisOptions {
  /** The axis, or axes, to reduce; all by default. Numbers below 0 count from the last. */
  readonly axis?: number | readonly number[];
  /** Keep each reduced axis with one element, so that the result broadcasts against the array. */
  readonly keepAxes?: boolean;
}

/** Options of scans. */
export interface ScanOptions {
  /** The axis to scan along; by default the last. */
  readonly axis?: number;
  /** Leave the element itself out: the first result is the neutral element. */
  readonly exclusive?: boolean;
}

function reduction(
  node: Node,
  options: AxisOptions | undefined,
  functionName: string,
  dtype: DType,
  accumulator: () => Accumulator,
  ofNothing: boolean,
): Node {
  node.checkAlive(functionName);
  const { shape, space } = node;
  const { axis, keepAxes } = options ?? {};
  const list = axis === undefined ? allAxes(shape) : checkAxes(axis, shape.length, functionName);
  if (new Set(list).size !== list.length)
    fail(
      functionName,
      `\`axis\` names an axis twice: ${shown(axis)} of an array of shape ${shapeText(shape)}`,
    );
  const axes = [...list].sort((a, b) => a - b);
  if (!ofNothing && axes.some((each) => shape[each] === 0))
    fail(functionName, `an array of shape ${shapeText(shape)} has no ${functionName}`);
  const kept: Shape = keepAxes
    ? shape.map((n, each) => (axes.includes(each) ? 1 : n))
    : shape.filter((_, each) => !axes.includes(each));
  return new Node(space, dtype, kept, {
    kind: 'task',
    run: () => reduceNode(node, axes, accumulator(), dtype),
  });
}

export function namedReduction(node: Node, name: ReductionName, options: AxisOptions | undefined): Node {
  checkOptions(options, ['axis', 'keepAxes'], name);
  const { result, accumulator, ofNothing } = REDUCTIONS[name];
  return reduction(node, options, name, result(node.dtype), () => accumulator(node.dtype), ofNothing);
}

/** A number as OpenCL C has it. */
function literal(value: number | bigint, dtype: DType, functionName: string): string {
  const { value: checked } = scalar(value, dtype, functionName);
  if (!isFloat(dtype))
    return dtype === 'uint64' ? `${checked}ul` : dtype === 'int64' ? `${checked}l` : `${checked}`;
  if (!Number.isFinite(checked))
    return Number.isNaN(checked) ? 'NAN' : checked > 0 ? 'INFINITY' : '-INFINITY';
  const text = /[.e]/.test(String(checked)) ? String(checked) : `${checked}.0`;
  return dtype === 'float64' ? text : `${text}f`;
}

function checkExpression(expression: unknown, functionName: string): asserts expression is string {
  if (typeof expression !== 'string' || !/\ba\b/.test(expression) || !/\bb\b/.test(expression))
    fail(
      functionName,
      `the expression must use the operands a and b, such as 'a + b', not ${shown(expression)}`,
    );
}

export function customReduction(
  node: Node,
  expression: string,
  options: AxisOptions & { readonly neutral: number | bigint },
): Node {
  checkExpression(expression, 'reduce');
  checkOptions(options, ['neutral', 'axis', 'keepAxes'], 'reduce');
  const neutral = literal(options?.neutral, node.dtype, 'reduce');
  return reduction(
    node,
    options,
    'reduce',
    node.dtype,
    () => custom(node.dtype, node.dtype, expression, neutral),
    true,
  );
}

/** What a function makes of the last axis, along another one: the axis becomes the last, and goes back afterwards. */
export function alongAxis(
  node: Node,
  given: number | undefined,
  functionName: string,
  make: (node: Node) => Node,
): Node {
  node.checkAlive(functionName);
  const { shape } = node;
  const axis = checkAxis(given ?? -1, shape.length, functionName);
  if (axis === shape.length - 1) return make(node);
  const order = [...allAxes(shape).filter((each) => each !== axis), axis];
  const back = allAxes(shape).map((each) => order.indexOf(each));
  return privately(() => permuted(make(permuted(node, order)), back));
}

const scan = (
  node: Node,
  options: ScanOptions | undefined,
  functionName: string,
  dtype: DType,
  accumulator: Accumulator,
): Node =>
  alongAxis(
    node,
    options?.axis,
    functionName,
    (of) =>
      new Node(of.space, dtype, of.shape, {
        kind: 'task',
        run: () => scanNode(of, accumulator, dtype, options?.exclusive ?? false),
      }),
  );

/** A view of a node with the axes in another order. */
export function permuted(base: Node, order: readonly number[]): Node {
  const change = (layout: Parameters<typeof transposed>[0]) => transposed(layout, order, 'transpose');
  const { shape } = change(contiguous(base.shape));
  return new Node(base.space, base.dtype, shape, { kind: 'view', base, change });
}

export function namedScan(node: Node, name: ReductionName, options: ScanOptions | undefined): Node {
  checkOptions(options, ['axis', 'exclusive'], `cum${name}`);
  const { result, accumulator } = REDUCTIONS[name];
  return scan(node, options, `cum${name}`, result(node.dtype), accumulator(node.dtype));
}

export function customScan(
  node: Node,
  expression: string,
  options: ScanOptions & { readonly neutral: number | bigint },
): Node {
  checkExpression(expression, 'scan');
  checkOptions(options, ['neutral', 'axis', 'exclusive'], 'scan');
  const neutral = literal(options?.neutral, node.dtype, 'scan');
  return scan(node, options, 'scan', node.dtype, custom(node.dtype, node.dtype, expression, neutral));
}
