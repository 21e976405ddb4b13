// SPDX-License-Identifier: MIT
// scripts/compact-enums.mjs: an enum that is looked up in a text must be the object that esbuild writes.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const script = join(__dirname, '../..', 'scripts', 'compact-enums.mjs');
const members = Array.from({ length: 50 }, (_, i) => [`Member${i}`, i * 100] as const);
// Two names for one value: by value the last one is found. 49e2 is how esbuild writes 4900.
const all = [...members, ['Alias', 300], ['Big', 4294967295], ['Low', -1]] as const;
const assignments = all.map(([name, value]) => `E2[E2.${name}=${value}]="${name}"`).join(',');

const QUESTIONS = `[
  E.Member1, E.Member49, E.Alias, E.Big, E.Low, E[300], E[4900], E['4294967295'], E[-1], E[1], E.Member, E.constructor,
  'Alias' in E, 'toString' in E, 7 in E, 700 in E, E[Symbol.iterator],
  Object.keys(E).length, Object.entries(E).filter(([name]) => name.startsWith('Member4')),
]`;

function answers(code: string): unknown {
  const run = `import { compactEnums } from ${JSON.stringify(script)};
    const code = ${JSON.stringify(code)};
    const text = process.argv[1] === 'compact' ? compactEnums(code) : code;
    if (process.argv[1] === 'compact' && !text.includes('E=$enum(')) throw new Error('not compacted');
    console.log(JSON.stringify((0, eval)(text + ';' + ${JSON.stringify(QUESTIONS)})));`;
  const [compact, plain] = ['compact', 'plain'].map((which) =>
    execFileSync(process.execPath, ['--input-type=module', '-e', run, which], { encoding: 'utf8' }),
  );
  // What every object inherits is no member.
  const inherited = JSON.parse(plain!) as unknown[];
  inherited[11] = null;
  inherited[13] = false;
  return { compact: JSON.parse(compact!), plain: inherited };
}

test('a compacted enum answers as the object does', () => {
  const { compact, plain } = answers(
    `"use strict";var E=(E2=>(${assignments.replace('=4900]', '=49e2]')},E2))(E||{});`,
  ) as { compact: unknown; plain: unknown };
  expect(compact).toEqual(plain);
});
