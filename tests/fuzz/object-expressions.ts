// SPDX-License-Identifier: MIT
//
// Places in objects, and expressions over them, for random-objects.ts.
import { Chance } from './chance';
import {
  type Base,
  bitsOf,
  type Composite,
  FLOATS,
  INTEGERS,
  isFloat,
  isUnsigned,
  type Shape,
  Shapes,
  sameShape,
  typeName,
  type Value,
  value,
} from './shapes';

export interface Variable {
  readonly name: string;
  readonly shape: Shape;
  readonly writable: boolean;
  /** It is a pointer to this many objects of the shape. */
  readonly reach?: number;
  /** It, or its pointee, is in local memory. */
  readonly isLocal?: boolean;
  /** Another name of a pointer that may outlive it; it is not changed. */
  readonly isAlias?: boolean;
}

export interface Place {
  readonly text: string;
  readonly shape: Shape;
  readonly writable: boolean;
  /** In a record that no pointers lead into. */
  readonly isClosed: boolean;
  readonly isLocal: boolean;
  /** The variable's place in the list: a variable outlives those after it. */
  readonly root: number;
}

export interface Parameter {
  readonly shape: Shape;
  /** A pointer to this many. */
  readonly reach?: number;
}

export interface Helper {
  readonly name: string;
  readonly result: Shape;
  readonly parameters: readonly Parameter[];
}

export const COMPONENTS = '01234567';
const wideOf = (base: Base): Base => (bitsOf(base) === 64 ? 'ulong' : 'uint');
const unsignedOf = (base: Base): Base => (isUnsigned(base) ? base : (`u${base}` as Base));

export class ObjectExpressions {
  protected readonly chance: Chance;
  protected readonly shapes: Shapes;
  protected scope: Variable[] = [];
  protected readonly helpers: Helper[] = [];
  /** The depth of nested indices. */
  private indices = 0;

  constructor(seed: number) {
    this.chance = new Chance(seed);
    this.shapes = new Shapes(this.chance);
  }

  // ---- places

  protected index(length: number): string {
    const { chance } = this;
    if (length === 1) return '0';
    if (this.indices > 1 || chance.with(0.4)) return `${chance.integer(0, length - 1)}`;
    this.indices++;
    const any = this.expression(value(chance.pick(['int', 'uint', 'uchar'])), 1);
    this.indices--;
    return `${any} & ${length - 1}`;
  }

  private start(root: number): Place {
    const { name, shape, writable, reach, isLocal = false } = this.scope[root]!;
    const place = { shape, writable, isClosed: false, isLocal, root };
    if (reach === undefined) return { ...place, text: name };
    const text = reach === 1 && this.chance.with(0.6) ? `(*${name})` : `${name}[${this.index(reach)}]`;
    return { ...place, text };
  }

  /** One step into an aggregate; half of the time through a pointer. */
  private step(place: Place): Place {
    const { chance } = this;
    const { text, shape } = place;
    if (shape.kind === 'array') {
      const at = this.index(shape.length);
      const next = !place.isClosed && chance.with(0.2) ? `(*(${text} + (${at})))` : `${text}[${at}]`;
      return { ...place, text: next, shape: shape.element };
    }
    if (shape.kind !== 'record') return place;
    const field = chance.pick(shape.fields);
    const detour = !place.isClosed && chance.with(0.2);
    return {
      ...place,
      text: detour ? `(&${text})->${field.name}` : `${text}.${field.name}`,
      shape: field.shape,
      isClosed: place.isClosed || shape.isClosed,
    };
  }

  /** A place within a variable that `fits`; undefined if random choice finds none. */
  protected place(fits: (place: Place) => boolean): Place | undefined {
    for (let attempt = 0; attempt < 6; attempt++) {
      let at = this.start(this.chance.integer(0, this.scope.length - 1));
      for (let depth = 0; depth < 8; depth++) {
        if (fits(at)) return at;
        if (at.shape.kind === 'value') break;
        at = this.step(at);
      }
    }
    return undefined;
  }

  /** The address of `reach` consecutive writable objects, in variables before `before`. */
  protected address(
    shape: Shape,
    reach: number,
    isLocal = false,
    before = this.scope.length,
  ): string | undefined {
    const { chance } = this;
    const found = this.place(
      (p) =>
        p.writable &&
        !p.isClosed &&
        p.isLocal === isLocal &&
        p.root < before &&
        ((reach === 1 && sameShape(p.shape, shape)) ||
          (p.shape.kind === 'array' && p.shape.length >= reach && sameShape(p.shape.element, shape))),
    );
    if (found === undefined) return undefined;
    if (found.shape.kind !== 'array' || sameShape(found.shape, shape)) return `&${found.text}`;
    const room = found.shape.length / reach;
    if (room === 1) return chance.with(0.5) ? found.text : `&${found.text}[0]`;
    const at = this.index(room);
    return chance.with(0.5) ? `${found.text} + (${at})` : `&${found.text}[${at}]`;
  }

  // ---- expressions

  protected condition(depth: number): string {
    const { chance } = this;
    const type = value(chance.with(0.3) ? chance.pick(FLOATS) : chance.pick(INTEGERS));
    const [a, b] = [this.expression(type, depth - 1), this.expression(type, depth - 1)];
    const compare = `${a} ${chance.pick(['<', '>', '<=', '>=', '==', '!='])} ${b}`;
    if (depth > 1 && chance.with(0.3))
      return `(${compare}) ${chance.pick(['&&', '||'])} (${this.condition(depth - 1)})`;
    return `(${compare})`;
  }

  protected expression(shape: Shape, depth: number): string {
    if (shape.kind === 'record') return this.record(shape, depth);
    if (shape.kind === 'array') throw new Error('arrays are not values');
    if (depth <= 0) return this.leaf(shape);
    return isFloat(shape.base) ? this.floating(shape, depth) : this.integral(shape, depth);
  }

  private record(shape: Composite, depth: number): string {
    const { chance } = this;
    const found = this.place((p) => sameShape(p.shape, shape));
    if (depth > 0 && chance.with(0.25)) {
      const call = this.call(shape, depth);
      if (call !== undefined) return call;
    }
    if (depth > 0 && chance.with(0.2))
      return `(${this.condition(1)} ? ${this.record(shape, depth - 1)} : ${this.record(shape, depth - 1)})`;
    if (found !== undefined && chance.with(0.8)) return found.text;
    return `((${shape.name})${this.shapes.initializer(shape)})`;
  }

  /**
   * Only of functions without pointer parameters: the order in which an expression's calls change memory is
   * unspecified.
   */
  private call(result: Shape, depth: number): string | undefined {
    const usable = this.helpers.filter(
      (helper) =>
        helper.parameters.every(({ reach }) => reach === undefined) &&
        (sameShape(helper.result, result) || (helper.result.kind === 'value' && result.kind === 'value')),
    );
    if (usable.length === 0) return undefined;
    const helper = this.chance.pick(usable);
    const gives = helper.result;
    const call = this.callOf(helper, depth)!;
    if (sameShape(gives, result)) return call;
    const [from, to] = [gives as Value, result as Value];
    const part = from.count === 1 ? call : `${call}.s0`;
    return to.count === 1
      ? this.cast(to.base, from.base, part)
      : `(${typeName(to)})(${this.cast(to.base, from.base, part)})`;
  }

  protected callOf({ name, parameters }: Helper, depth: number): string | undefined {
    const list = parameters.map(({ shape, reach }) =>
      reach === undefined ? this.expression(shape, Math.min(depth - 1, 1)) : this.address(shape, reach),
    );
    return list.includes(undefined) ? undefined : `${name}(${list.join(', ')})`;
  }

  /** A scalar in another type, for each value. */
  private cast(to: Base, from: Base, text: string): string {
    return isFloat(from) && !isFloat(to) ? `convert_${to}_sat(${text})` : `((${to})${text})`;
  }

  private leaf(shape: Value): string {
    const { chance } = this;
    const { base, count } = shape;
    const exact = chance.with(0.6) ? this.place((p) => sameShape(p.shape, shape)) : undefined;
    if (exact !== undefined) return exact.text;
    const found = chance.with(0.8)
      ? this.place((p) => p.shape.kind === 'value' && (p.shape.count === 1 || p.shape.count >= count))
      : undefined;
    if (found?.shape.kind !== 'value')
      return count === 1 ? `((${base})${this.shapes.literal(shape)})` : `(${this.shapes.literal(shape)})`;
    const { base: from, count: many } = found.shape;
    const parts = Array.from({ length: count }, () => {
      const part = many === 1 ? found.text : `${found.text}.s${COMPONENTS[chance.integer(0, many - 1)]}`;
      return this.cast(base, from, part);
    });
    return count === 1 ? parts[0]! : `((${typeName(shape)})(${parts.join(', ')}))`;
  }

  private floating(shape: Value, depth: number): string {
    const { chance } = this;
    const name = typeName(shape);
    const sub = (other: Shape = shape) => this.expression(other, depth - 1);
    switch (chance.integer(0, 9)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return `(${sub()} ${chance.pick(['+', '-', '*', '/'])} ${sub()})`;
      case 4:
        if (chance.with(0.3)) return `fma(${sub()}, ${sub()}, ${sub()})`;
        return chance.with(0.3)
          ? `${chance.pick(['fmod', 'copysign', 'fdim'])}(${sub()}, ${sub()})`
          : `${chance.pick(['fabs', '-', 'floor', 'rint', 'trunc', 'sqrt', 'ceil', 'round'])}(${sub()})`;
      case 5:
        return `((${name})(${this.condition(1)} ? ${sub()} : ${sub()}))`;
      case 6:
        return `convert_${name}(${sub(value(chance.pick([...INTEGERS, ...FLOATS]), shape.count))})`;
      case 7: {
        const compared = value(shape.base === 'float' ? 'int' : 'long', shape.count);
        return `select(${sub()}, ${sub()}, ${sub(compared)})`;
      }
      case 8:
        return this.call(shape, depth) ?? this.leaf(shape);
      default:
        return this.leaf(shape);
    }
  }

  private integral(shape: Value, depth: number): string {
    const { chance } = this;
    const { base, count } = shape;
    const name = typeName(shape);
    const sub = (other: Shape = shape) => this.expression(other, depth - 1);
    switch (chance.integer(0, 12)) {
      case 0:
      case 1:
      case 2: {
        const op = chance.pick(['+', '-', '*']);
        if (count === 1) return `((${base})((${wideOf(base)})${sub()} ${op} (${wideOf(base)})${sub()}))`;
        const unsigned = typeName(value(unsignedOf(base), count));
        return `as_${name}(as_${unsigned}(${sub()}) ${op} as_${unsigned}(${sub()}))`;
      }
      case 3:
        return `((${name})(${sub()} ${chance.pick(['&', '|', '^'])} ${sub()}))`;
      case 4:
        return `((${name})(${sub()} >> (${sub()} & (${name})7)))`;
      case 5:
        return `((${name})(${this.condition(1)} ? ${sub()} : ${sub()}))`;
      case 6:
        return `convert_${name}_sat(${sub(value(chance.pick([...INTEGERS, ...FLOATS]), count))})`;
      case 7:
        return `${chance.pick(['min', 'max', 'add_sat', 'hadd', 'mul_hi'])}(${sub()}, ${sub()})`;
      case 8:
      case 9:
        return this.call(shape, depth) ?? this.leaf(shape);
      case 10: {
        if (count > 1) return this.leaf(shape);
        const found = this.place((p) => !p.isClosed && p.shape.kind === 'value');
        return found === undefined
          ? this.leaf(shape)
          : `((${base})sizeof(${chance.pick([found.text, typeName(found.shape)])}))`;
      }
      default:
        return this.leaf(shape);
    }
  }
}
