// SPDX-License-Identifier: MIT
//
// The objects of random kernels of objects, and the places in them: each value that a member or element holds.
import { type Composite, declarator, type Shape, type Shapes } from '../shapes';
import type { ValueType } from './model';
import type { Writer } from './writer';

export type Space = 'private' | 'local' | 'global' | 'constant';

export interface OwnObject {
  /** An lvalue. */
  readonly name: string;
  readonly shape: Shape;
  readonly space: Space;
}

export interface Objects {
  readonly shapes: Shapes;
  readonly list: OwnObject[];
  /** For each record, a function that takes it and gives it back. */
  readonly functions: { readonly name: string; readonly shape: Composite }[];
}

export interface ValuePlace {
  readonly name: string;
  readonly type: ValueType;
  readonly space: Space;
  /** Whether a pointer may lead there: it is not in a packed record. */
  readonly isAligned: boolean;
}

export const declare = declarator;

/** All values of an object; of a union those of its first member, which covers it. */
export function places({ name, shape, space }: OwnObject, isAligned = true): ValuePlace[] {
  if (shape.kind === 'value')
    return [{ name, type: { base: shape.base, count: shape.count }, space, isAligned }];
  if (shape.kind === 'array')
    return Array.from({ length: shape.length }, (_, i) =>
      places({ name: `${name}[${i}]`, shape: shape.element, space }, isAligned),
    ).flat();
  const fields = shape.isUnion ? shape.fields.slice(0, 1) : shape.fields;
  return fields.flatMap((field) =>
    places({ name: `${name}.${field.name}`, shape: field.shape, space }, isAligned && !isPacked(shape)),
  );
}

const isPacked = (shape: Composite) => shape.isClosed && !shape.isUnion;

/** An index below a power of two. */
export function anyIndex(w: Writer, length: number): string {
  const { chance } = w;
  const scalars = w.scope.filter(
    ({ type }) => type.count === 1 && (type.base === 'uint' || type.base === 'ulong'),
  );
  return chance.pick([
    `${chance.integer(0, length - 1)}`,
    `${chance.integer(0, length - 1)}`,
    `(${chance.pick(['gid', 'x', 'lid', 'y', 'n'])} + ${chance.integer(0, 9)}) & ${length - 1}`,
    scalars.length > 0 ? `${chance.pick(scalars).name} & ${length - 1}` : '0',
  ]);
}

interface Found {
  readonly name: string;
  readonly shape: Shape;
  readonly space: Space;
  readonly isAligned: boolean;
}

/** A way into an object, at indices that may vary, that stops where `stops` says; undefined if it does not come there. */
export function walk(w: Writer, object: OwnObject, stops: (shape: Shape) => boolean): Found | undefined {
  let at: Found = { ...object, isAligned: true };
  for (;;) {
    if (stops(at.shape)) return at;
    const { shape, name } = at;
    if (shape.kind === 'value') return undefined;
    if (shape.kind === 'array')
      at = { ...at, name: `${name}[${anyIndex(w, shape.length)}]`, shape: shape.element };
    else {
      const field = w.chance.pick(shape.fields);
      at = {
        ...at,
        name: `${name}.${field.name}`,
        shape: field.shape,
        isAligned: at.isAligned && !isPacked(shape),
      };
    }
  }
}

/** Some way into some object; undefined if none is found soon. */
export function find(
  w: Writer,
  { list }: Objects,
  stops: (shape: Shape) => boolean,
  fits: (object: OwnObject) => boolean = () => true,
): Found | undefined {
  const usable = list.filter(fits);
  for (let tries = 0; usable.length > 0 && tries < 12; tries++) {
    const found = walk(w, w.chance.pick(usable), stops);
    if (found) return found;
  }
  return undefined;
}

export const isWritable = ({ space }: OwnObject): boolean => space !== 'constant';
