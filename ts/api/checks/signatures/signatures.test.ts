// SPDX-License-Identifier: MIT
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SIGNATURES } from '.';

interface Class {
  readonly name: string;
  readonly prototype: object;
}

const guarded: [keyof typeof SIGNATURES, Class][] = [];

/** Does not wrap the methods. */
jest.mock('../guard', () => ({
  guard: (name: keyof typeof SIGNATURES, type: Class) => void guarded.push([name, type]),
}));

/** The names of a function's parameters in its source; `{…}` for destructured ones. */
function parametersOf(method: object): string[] {
  const source = String(method);
  let depth = 0;
  let name = '';
  const names: string[] = [];
  for (const c of source.slice(source.indexOf('(') + 1)) {
    if (depth === 0 && (c === ',' || c === ')')) {
      if (name.trim()) names.push(name.trim().replace(/\s*=[\s\S]*$/, ''));
      name = '';
      if (c === ')') return names;
      continue;
    }
    if ('([{'.includes(c)) depth++;
    if (')]}'.includes(c)) depth--;
    name += c;
  }
  return names;
}

const API = join(__dirname, '..', '..');
/** Every class that a file of the API exports. */
const classes = ['.', 'objects', 'interop', 'arguments']
  .flatMap((folder) => readdirSync(join(API, folder)).map((file) => join(folder, file)))
  .filter((file) => /^(?!public).*(?<!\.test)\.ts$/.test(file))
  .flatMap((file): unknown[] => Object.values(require(join(API, file))))
  .filter((value): value is Class => typeof value === 'function' && String(value).startsWith('class'));

const methods = (object: object): [string, object][] =>
  Object.entries(Object.getOwnPropertyDescriptors(object)).flatMap(([key, { value }]) =>
    typeof value === 'function' && key !== 'constructor' ? [[key, value]] : [],
  );

/** The arguments of each class's call of `guard`. */
const known = new Map(guarded.map(([name, type]) => [type, SIGNATURES[name]]));
/** Classes whose objects have no methods for scripts. */
const DATA = new Set(['DevicePointer', 'KernelArgumentInfo']);

test('whatever waits takes a signal, and nothing else for one', () => {
  const { signal } = new AbortController();
  const waiting = Object.entries(SIGNATURES).flatMap(([name, signatures]) =>
    Object.entries(signatures)
      .filter(([, { rejects }]) => rejects)
      .map(([key, { parameters }]) => {
        // A rest parameter takes a kernel's arguments, whatever they are.
        const kinds = Object.entries(parameters).flatMap(([part, kind]) =>
          part.startsWith('...') ? [] : [kind],
        );
        // Beside the range that a launch needs, too.
        const takes = (value: unknown) =>
          kinds.some((kind) =>
            [{}, { global: 1 }].some((other) => kind.accepts({ ...other, signal: value })),
          );
        return `${name}.${key}: ${takes(signal)}, ${takes(1)}`;
      }),
  );
  expect(waiting.length).toBeGreaterThan(6);
  expect(waiting.filter((text) => !text.endsWith(': true, false'))).toEqual([]);
});

test('whatever can be given back is disposed of by `using`', () => {
  const holders = classes.filter(({ prototype }) =>
    ['release', 'close', 'unmap'].some((name) => name in prototype),
  );
  expect(holders.length).toBeGreaterThan(12);
  expect(holders.filter(({ prototype }) => !(Symbol.dispose in prototype))).toEqual([]);
  // Classes whose objects may have running commands.
  const waiting = holders.filter(({ prototype }) => Symbol.asyncDispose in prototype);
  expect(waiting.map(({ name }) => name).sort()).toEqual(['CommandQueue', 'Mapping', 'Session']);
});

test('the classes of the API are all guarded, each once', () => {
  expect(guarded.map(([name]) => name).sort()).toEqual(Object.keys(SIGNATURES).sort());
  expect(classes.length).toBeGreaterThan(20);
  const missing = classes.filter((type) => !known.has(type) && !DATA.has(type.name));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

describe.each(classes.map((type) => [type.name, type] as const))('%s', (_, type) => {
  const signatures = known.get(type) ?? {};
  const own = methods(type.prototype);

  test('each method is in the table with its parameters, unless it has none', () => {
    const declared = own.map(([key, method]) => [key, parametersOf(method).length] as const);
    const tabled = own.map(([key]) => [
      key,
      Object.hasOwn(signatures, key) ? Object.keys(signatures[key]!.parameters).length : 0,
    ]);
    if (!DATA.has(type.name)) expect(Object.fromEntries(tabled)).toEqual(Object.fromEntries(declared));
  });

  test('each signature is of a method, and names its parameters as the method does', () => {
    for (const [key, { parameters }] of Object.entries(signatures)) {
      const isStatic = key.startsWith('static ');
      const home = methods(isStatic ? (type as unknown as object) : type.prototype);
      const method = new Map(home).get(key.replace('static ', ''));
      expect([key, method === undefined]).toEqual([key, false]);
      parametersOf(method!).forEach((name, i) => {
        const named = Object.keys(parameters)[i];
        if (!name.startsWith('{')) expect(`${key}: ${named}`).toBe(`${key}: ${name.replace('... ', '...')}`);
      });
    }
  });

  test('what returns a promise rejects, the rest throws', () => {
    for (const [key, method] of own) {
      if (!Object.hasOwn(signatures, key) || key === 'finish') continue;
      const isAsync = String(method).startsWith('async');
      expect(`${key}: ${signatures[key]!.rejects}`).toBe(`${key}: ${isAsync}`);
    }
  });
});
