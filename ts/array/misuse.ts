// SPDX-License-Identifier: MIT
//
// What users of typed arrays try on arrays of a device. Without errors, elements would be undefined, assignments without effect, and
// JSON would show the internals.
import { fail } from './errors';

/** The names of elements. */
const INDEX = /^(?:0|[1-9]\d*)$/;

/** Objects of a class that inherits from this one have no properties with such names, so each use of one comes to this end of the chain. */
const guard = new Proxy(Object.create(Object.prototype), {
  get(target, key, receiver) {
    if (isIndex(key))
      fail(
        `[${key}]`,
        `the elements are on the device: \`(await x.read())[${key}]\`, or \`x.slice(${key})\` for an array`,
      );
    return Reflect.get(target, key, receiver);
  },
  set(target, key, value, receiver) {
    if (isIndex(key))
      fail(
        `[${key}] =`,
        'arrays do not change: make another one, by `nd.where(…)`, by `x.scatter(…)`, or from a typed array',
      );
    return Reflect.set(target, key, value, receiver);
  },
});

const isIndex = (key: string | symbol): key is string => typeof key === 'string' && INDEX.test(key);

/** Throws where elements are accessed by their indices, and where an object becomes JSON. */
export function refuseMisuse(base: { readonly prototype: object }): void {
  Object.setPrototypeOf(base.prototype, guard);
  const toJSON = (): never =>
    fail('toJSON', 'the elements are on the device: `JSON.stringify(await x.toArray())`');
  Object.defineProperty(base.prototype, 'toJSON', { value: toJSON, configurable: true });
}
