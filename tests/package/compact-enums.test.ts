// SPDX-License-Identifier: MIT
// scripts/build/compact-enums.mjs: an enum that is looked up in a text must be the object that esbuild writes.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { buildSync } from 'esbuild';

const script = join(__dirname, '../..', 'scripts', 'build', 'compact-enums.mjs');
const members = Array.from({ length: 50 }, (_, i) => `Member${i} = ${i * 100}`);
// Two names for one value: a look-up by value finds the last one.
const source = `enum E { ${[...members, 'Alias = 300', 'Big = 4294967295', 'Low = -1'].join(', ')} } globalThis.E = E;`;
const options = { write: false, bundle: true, format: 'cjs', logLevel: 'silent' } as const;
const code = buildSync({ ...options, stdin: { contents: source, loader: 'ts' } }).outputFiles[0]!.text;

const QUESTIONS = `[
  E.Member1, E.Member49, E.Alias, E.Big, E.Low, E[300], E[4900], E['4294967295'], E[-1], E[1], E.Member, E.constructor,
  'Alias' in E, 'toString' in E, 7 in E, 700 in E, E[Symbol.iterator],
  Object.keys(E).length, Object.entries(E).filter(([name]) => name.startsWith('Member4')),
  inspect({ E }), Object.getOwnPropertySymbols(E).length, JSON.stringify(E),
]`;

function answers(which: 'compact' | 'plain'): unknown[] {
  const run = `import { inspect } from 'node:util';
    import { compactEnums } from ${JSON.stringify(script)};
    const code = ${JSON.stringify(code)};
    const text = ${JSON.stringify(which)} === 'compact' ? compactEnums(code) : code;
    if (text !== code && !text.includes('E = $enum(')) throw new Error('not compacted');
    if (text === code && ${JSON.stringify(which)} === 'compact') throw new Error('not recognized');
    globalThis.inspect = inspect;
    (0, eval)(text);
    console.log(JSON.stringify((0, eval)(${JSON.stringify(QUESTIONS)})));`;
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', run], { encoding: 'utf8' }),
  ) as unknown[];
}

test('a compacted enum answers as the object does', () => {
  const plain = answers('plain');
  // Inherited properties are not members.
  plain[11] = null;
  plain[13] = false;
  expect(answers('compact')).toEqual(plain);
});
