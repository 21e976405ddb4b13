// SPDX-License-Identifier: MIT
//
// The public form of Fourier transforms: of real or complex numbers, along any axes.
import type { NDArray } from '../array';
import { commonType, type DType } from '../dtype';
import { type HasNode, map, nodeOf } from '../elementwise/operands';
import { conversionTo } from '../elementwise/operators';
import { fail } from '../errors';
import { type Node, privatelyAll } from '../node';
import { checkAxes, checkNames, checkOptions } from '../options';
import { shapeText } from '../shape';
import type { Space } from '../space';
import { allAxes } from '../writer';
import { forward, inverse, type Parts } from './fourier';
import { permuted } from './reductions';

/** Complex numbers: two arrays of the same shape. */
export interface ComplexArrays<D extends DType = DType> {
  /** The real parts. */
  readonly re: NDArray<D>;
  /** The imaginary parts. */
  readonly im: NDArray<D>;
}

/** The type of a transform's parts: doubles of doubles, floats of all else. */
export type TransformOf<D extends DType> = D extends 'float64' ? 'float64' : 'float32';

/** Options of `fft` and `ifft`. */
export interface TransformOptions {
  /** The axis, or axes, to transform; by default the last. Numbers below 0 count from the last. */
  readonly axis?: number | readonly number[];
}

/** Numbers as they are given: an array of real ones, or both parts. */
type Given = HasNode | { readonly re: HasNode; readonly im: HasNode };

function partsOf(space: Space, given: Given, functionName: string): Parts {
  const { re, im } = given as Partial<ComplexArrays>;
  if (re !== undefined && im === undefined) checkNames(given, ['re', 'im'], 'x', functionName);
  const [first, second] = re === undefined ? [given] : [re, im];
  const nodes = (second === undefined ? [first] : [first, second]).map((each) =>
    nodeOf(each, space, functionName),
  );
  const [real, imaginary] = nodes as [Node, Node?];
  if (imaginary && shapeText(real.shape) !== shapeText(imaginary.shape))
    fail(
      functionName,
      `the real parts have the shape ${shapeText(real.shape)}, the imaginary ones ${shapeText(imaginary.shape)}`,
    );
  const common = commonType(
    nodes.map(({ dtype }) => dtype),
    functionName,
  );
  const dtype = common === 'float64' ? 'float64' : 'float32';
  const as = (node: Node): Node =>
    node.dtype === dtype ? node : map(space, conversionTo(dtype), [{ node }]);
  return { re: as(real), im: imaginary && as(imaginary) };
}

/** The Fourier transform along axes, or its inverse. */
export function transformed(
  space: Space,
  given: Given,
  options: TransformOptions | undefined,
  functionName: 'fft' | 'ifft',
): Required<Parts> {
  checkOptions(options, ['axis'], functionName);
  return privatelyAll(
    () => transformedAlong(space, given, options, functionName),
    ({ re, im }) => [re, im],
  );
}

function transformedAlong(
  space: Space,
  given: Given,
  options: TransformOptions | undefined,
  functionName: 'fft' | 'ifft',
): Required<Parts> {
  const parts = partsOf(space, given, functionName);
  const { shape } = parts.re;
  const { axis = -1 } = options ?? {};
  const axes = checkAxes(axis, shape.length, functionName);
  const empty = axes.find((each) => shape[each] === 0);
  if (axes.length === 0 || new Set(axes).size !== axes.length || empty !== undefined)
    fail(
      functionName,
      `an array of shape ${shapeText(shape)} has no transform along the axes ${shapeText(axes)}: each is given once, and has elements`,
    );
  let result = parts;
  for (const each of axes) result = along(result, each, functionName);
  return result as Required<Parts>;
}

function along(parts: Parts, axis: number, functionName: 'fft' | 'ifft'): Required<Parts> {
  const direction = functionName === 'fft' ? forward : inverse;
  const rank = parts.re.shape.length;
  if (axis === rank - 1) return direction(parts);
  const order = [...allAxes(parts.re.shape).filter((each) => each !== axis), axis];
  const back = allAxes(parts.re.shape).map((each) => order.indexOf(each));
  const { re, im } = direction({ re: permuted(parts.re, order), im: parts.im && permuted(parts.im, order) });
  return { re: permuted(re, back), im: permuted(im, back) };
}
