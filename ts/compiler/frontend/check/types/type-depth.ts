// SPDX-License-Identifier: MIT
//
// How deep a type is: typedefs and records build up what no declarator of one line could, and every later stage walks
// types by recursion.
import type { Type } from '../../types';

/** As deep as one declarator may be. */
export const TYPE_DEPTH_LIMIT = 1000;

const depths = new WeakMap<Type, number>();

/** Levels of pointers, arrays, functions and members; each type's is remembered, so that its parts are never walked twice. */
export function depthOf(type: Type): number {
  switch (type.kind) {
    case 'pointer':
      return remembered(type, () => depthOf(type.pointee.type));
    case 'array':
      return remembered(type, () => depthOf(type.element.type));
    case 'function':
      return remembered(type, () => deepest([type.result, ...type.parameters.map((each) => each.type)]));
    case 'block':
      return remembered(type, () => depthOf(type.signature));
    case 'record': {
      // A pointer to a record that is not complete yet ends there.
      const { fields } = type;
      return fields ? remembered(type, () => deepest(fields.map((field) => field.type.type))) : 1;
    }
    default:
      return 0;
  }
}

const deepest = (types: readonly Type[]): number =>
  types.reduce((depth, type) => Math.max(depth, depthOf(type)), 0);

function remembered(type: Type, inner: () => number): number {
  let depth = depths.get(type);
  if (depth === undefined) {
    // Stands for a record that contains a pointer to itself while its members are walked.
    depths.set(type, 1);
    depth = inner() + 1;
    depths.set(type, depth);
  }
  return depth;
}
