// SPDX-License-Identifier: MIT
//
// Values and nouns as error messages name them.

/** A value: its class, or its type and value. */
export function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `'${value.length > 40 ? `${value.slice(0, 40)}…` : value}'`;
    case 'number':
    case 'bigint':
      return `${typeof value} ${value}`;
    case 'function':
      return `the function ${typeof value.name === 'string' && value.name ? value.name : '(anonymous)'}`;
    case 'object': {
      if (value === null) return 'null';
      const name: unknown = value.constructor?.name;
      // Bundlers name a class that refers to itself _Name.
      return withArticle(typeof name === 'string' && name ? name.replace(/^_(?=[A-Z])/, '') : 'object');
    }
    default:
      return String(value);
  }
}

/** `an int*`, `a uint` */
export const withArticle = (noun: string): string =>
  `${/^([aeio]|un)/i.test(noun) || /^ND[A-Z]/.test(noun) ? 'an' : 'a'} ${noun}`;

/** `1 argument`, `2 arguments` */
export const pluralize = (n: number, what: string): string => `${n} ${what}${n === 1 ? '' : 's'}`;

/** The message about an object of another context. */
export const ofAnotherContext = (type: string): string =>
  `is ${withArticle(type)} of another context: objects of different contexts cannot be used together`;
