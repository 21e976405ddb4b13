// SPDX-License-Identifier: MIT
//
// The text of public objects in console.log and templates: the class and what identifies the object, without elements.

type Inspect = (value: unknown, options: unknown) => string;

/** Node.js and Deno call this method for console.log. */
const CUSTOM = Symbol.for('nodejs.util.inspect.custom');

/**
 * Gives a class its name, which the bundler changes, and these methods.
 * @param facts of an object, by name
 */
export function showAs<T extends object>(
  name: string,
  type: { readonly prototype: T },
  facts: (object: T) => Readonly<Record<string, string>>,
): void {
  const text = function (this: T): string {
    const all = this instanceof (type as never) ? Object.entries(facts(this)) : [];
    return `${name}${all.length > 0 ? ` { ${all.map(([key, value]) => `${key}: ${value}`).join(', ')} }` : ''}`;
  };
  const inspect = function (this: T, _depth?: number, options?: unknown, inspect?: Inspect): string {
    const isObject = this instanceof (type as never);
    return isObject && inspect ? `${name} ${inspect(facts(this), options)}` : name;
  };
  Object.defineProperty(type, 'name', { value: name });
  Object.defineProperty(type.prototype, 'toString', { value: text, configurable: true, writable: true });
  Object.defineProperty(type.prototype, CUSTOM, { value: inspect, configurable: true });
}
