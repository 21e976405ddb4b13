// SPDX-License-Identifier: MIT
//
// Searches of random kernels: loops that look through elements of the input for one that fulfils a condition.
import { index, literal } from './leaves';
import { type Base, bytesOf, INPUT_BYTES, type Place, scalar } from './model';
import type { Writer } from './writer';

const BASES: readonly Base[] = [
  'uchar',
  'char',
  'short',
  'ushort',
  'int',
  'int',
  'uint',
  'long',
  'float',
  'float',
];

/** Declares the number of elements before the one that is found. */
export function elementSearch(w: Writer, { indent }: Place): string {
  const { chance } = w;
  const base = chance.pick(BASES);
  const half = INPUT_BYTES / bytesOf(base) / 2;
  const name = w.fresh('f');
  const start = index(w, half, chance.pick(['x', 'any', 'group']));
  const limit = chance.integer(1, half);
  const array = base === 'float' ? 'fin' : `((global const ${base} *)in)`;
  const element = (moved: number) => `${array}[(${start}) + ${name}${moved > 0 ? ` + ${moved}` : ''}]`;
  const tests = Array.from({ length: chance.integer(1, 2) }, () => {
    const [a, b] = [element(0), chance.with(0.3) ? element(chance.integer(1, 3)) : literal(w, scalar(base))];
    // Most elements pass: so searches are long.
    if (chance.with(0.3) && base !== 'float') return `(${a} & 7) != (${b} & 7)`;
    return chance.with(0.7) ? `${a} != ${b}` : `${a} ${chance.pick(['<', '>', '<=', '>=', '=='])} ${b}`;
  });
  w.scope.push({ name, type: scalar('int'), uniform: false, writable: true });
  const bound = `${name} < ${limit}`;
  const step = chance.with(0.9) ? `${name}++` : `${name} += 2`;
  if (chance.with(0.5))
    return `${indent}int ${name} = 0;\n${indent}while (${chance.with(0.8) ? `${bound} && ${tests.join(' && ')}` : `${tests.join(' && ')} && ${bound}`}) ${step};\n`;
  const end = chance.with(0.7) ? bound : `${name} != ${limit}`;
  const stop = tests.map((test) => `if (!(${test})) break;`).join(' ');
  return `${indent}int ${name} = 0;\n${indent}for (; ${step === `${name}++` ? end : bound}; ${step}) { ${stop} }\n`;
}
