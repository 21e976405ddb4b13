// SPDX-License-Identifier: MIT
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformSync } from 'esbuild';

const SOURCE = `
declare const log: unknown[];
function* numbers() { yield 1; yield 2; }
export {};
const list = [1, 2, 3];
for (const x of list) if (x === 2) list.push(9); else log.push(x);
outer: for (const [a, b] of [[1, 2], [3, 4]]) { for (const c of [a, b]) { if (c === 3) continue outer; log.push(a, c); } }
const closures: (() => number)[] = [];
for (const x of list) closures.push(() => x);
for (const f of closures) log.push(f());
for (const [k, v] of new Map([['k', 1]])) log.push(k, v);
for (const x of new Set(list)) log.push(x);
for (const x of numbers()) log.push(x);
for (const x of 'ab') log.push(x);
const pair: [number, string] = [5, 'five'];
const [n, s] = pair, [, t] = pair;
let [first = 7, ...rest] = list;
for (let x of list) { x += first; log.push(x); }
for (const { id } of [{ id: 1 }].filter(({ id }) => { for (const y of [id]) log.push(y); return true; })) log.push(id);
if (n > 4) for (const x of list) { if (x > 1) break; log.push(x); } else log.push('never');
log.push(n, s, t, rest);
`;

test('loops over arrays go by index, and do what they did', () => {
  const folder = mkdtempSync(join(tmpdir(), 'anycl-loops-'));
  try {
    mkdirSync(join(folder, 'ts'));
    writeFileSync(join(folder, 'ts', 'a.ts'), SOURCE);
    const compilerOptions = { target: 'es2022', strict: true, types: [] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['ts'] }));
    const script = `import { indexLoops } from ${JSON.stringify(join(__dirname, 'index-loops.mjs'))};
      console.log(JSON.stringify([...indexLoops(${JSON.stringify(folder)}).values()]));`;
    const rewritten = JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }),
    );
    expect(rewritten).toHaveLength(1);
    const run = (text: string): unknown[] => {
      const log: unknown[] = [];
      const { code } = transformSync(text.replace('export {};', ''), { loader: 'ts', target: 'node20' });
      new Function('log', code)(log);
      return log;
    };
    expect(run(rewritten[0])).toEqual(run(SOURCE));
    // Loops over a map, a set, a generator and a string are not changed.
    expect(rewritten[0].match(/ of /g)).toHaveLength(4);
    expect(rewritten[0]).toContain('$pair');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
