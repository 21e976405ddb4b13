// SPDX-License-Identifier: MIT
//
// The depth of a type: typedefs and records can nest types deeper than a single declarator, and later stages visit types
// recursively.
import type { Type } from '../../types';

/** The same limit as for one declarator. */
export const TYPE_DEPTH_LIMIT = 1000;

const depths = new WeakMap<Type, number>();

/**
 * Levels of pointers, arrays, functions and members; the depth of each type is cached, so that its parts are never visited
 * twice.
 */
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
    // A placeholder while a record's members are visited, as they may point to the record itself.
    depths.set(type, 1);
    depth = inner() + 1;
    depths.set(type, depth);
  }
  return depth;
}
