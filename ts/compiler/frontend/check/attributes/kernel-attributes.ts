// SPDX-License-Identifier: MIT
//
// The attributes of kernels that tell the host how to launch them (6.11.2).
import type { Attributes } from '../../ast/checked';
import type * as Syntax from '../../ast/syntax';
import { sameType, type Type } from '../../types';
import type { Checker } from '../checker';
import { checkTypeName } from '../types/type-names';
import { positiveArgument } from './arguments';

type Size3 = readonly [number, number, number];
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** The attributes of one declaration while they are read. */
export interface OpenAttributes {
  readonly isKernel: boolean;
  readonly values: Mutable<Attributes>;
}

export type AttributeMeaning = (c: Checker, open: OpenAttributes, attribute: Syntax.Attribute) => void;

/** The effect of each, by name. If one is given twice, both must agree. */
export const KERNEL_ATTRIBUTES: Readonly<Record<string, AttributeMeaning>> = {
  reqd_work_group_size: (c, open, attribute) =>
    setOnKernel(c, open, attribute, 'reqdWorkGroupSize', workGroupSize(c, attribute), sameSize),
  work_group_size_hint: (c, open, attribute) =>
    setOnKernel(c, open, attribute, 'workGroupSizeHint', workGroupSize(c, attribute), sameSize),
  intel_reqd_sub_group_size: (c, open, attribute) =>
    setOnKernel(
      c,
      open,
      attribute,
      'reqdSubGroupSize',
      positiveArgument(c, attribute, attribute.arguments[0]),
    ),
  vec_type_hint(c, open, attribute) {
    const { name, location } = attribute;
    const type = attribute.type && checkTypeName(c, attribute.type)?.type;
    if (attribute.type === undefined) c.reporter.report('attribute-arguments', location, { name, count: 1 });
    else if (open.isKernel && type !== undefined && !isVectorizable(type))
      c.reporter.report('vec-type-hint', location, {});
    else setOnKernel(c, open, attribute, 'vecTypeHint', type, sameType);
  },
};

/** Undefined for a value that is wrong, which has been reported. */
function setOnKernel<K extends keyof Attributes>(
  c: Checker,
  { isKernel, values }: OpenAttributes,
  { name, location }: Syntax.Attribute,
  key: K,
  value: Attributes[K] | undefined,
  same: (a: NonNullable<Attributes[K]>, b: NonNullable<Attributes[K]>) => boolean = Object.is,
): void {
  if (!isKernel) {
    c.reporter.report('kernel-attribute', location, { name });
    return;
  }
  if (value == null) return;
  const before = values[key];
  if (before != null && !same(before, value)) c.reporter.report('attribute-repeated', location, { name });
  values[key] = value;
}

const sameSize = (a: Size3, b: Size3): boolean => a.every((each, i) => each === b[i]);

const isVectorizable = (type: Type): boolean =>
  type.kind === 'vector' || (type.kind === 'scalar' && type.scalar !== 'bool');

function workGroupSize(c: Checker, attribute: Syntax.Attribute): Size3 | undefined {
  const { arguments: args, name, location } = attribute;
  if (args.length !== 3) {
    c.reporter.report('attribute-arguments', location, { name, count: 3 });
    return undefined;
  }
  const x = positiveArgument(c, attribute, args[0]);
  const y = positiveArgument(c, attribute, args[1]);
  const z = positiveArgument(c, attribute, args[2]);
  return x === undefined || y === undefined || z === undefined ? undefined : [x, y, z];
}
