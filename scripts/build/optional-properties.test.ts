// SPDX-License-Identifier: MIT
//
// Jest loads no ES modules: another process does.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const SCRIPT = `import(process.argv[1]).then(({ admitUndefined }) => process.stdout.write(admitUndefined(process.argv[2])))`;
const admitUndefined = (types: string): string =>
  execFileSync(process.execPath, ['-e', SCRIPT, join(__dirname, 'optional-properties.mjs'), types], {
    encoding: 'utf8',
  });

test.each([
  ['{ a?: number; }', '{ a?: number | undefined; }'],
  ['{ a?: number }', '{ a?: number | undefined }'],
  ['{ a?: () => void; }', '{ a?: (() => void) | undefined; }'],
  ['{ a?: T extends U ? X : Y; }', '{ a?: (T extends U ? X : Y) | undefined; }'],
  ['{ [K in N]?: Map<K, V>; }', '{ [K in N]?: Map<K, V> | undefined; }'],
  [
    'f(o?: {\n  a?: number;\n  b?: (x: number, y?: string) => void;\n}): void;',
    'f(o?: {\n  a?: number | undefined;\n  b?: ((x: number, y?: string) => void) | undefined;\n}): void;',
  ],
  ['{ a?: { b?: number; }; }', '{ a?: { b?: number | undefined; } | undefined; }'],
])('%s', (types, admitting) => {
  expect(admitUndefined(types)).toBe(admitting);
});

test.each([
  '{ a?: number | undefined; }',
  '{ a?: unknown; }',
  'f(a?: number, b?: string): void;',
  '/** a?: b; */',
])('%s stays', (types) => {
  expect(admitUndefined(types)).toBe(types);
});
