// SPDX-License-Identifier: MIT
//
// The examples in the documentation of classes and functions run, and write what they say.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, temporaryFolder } from '../helpers/command';
import { type Block, EXPECT_OUTPUT, partsOf } from './markdown-blocks';

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'ts'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'));

/** `@example` in a comment: a block of which each line begins with an asterisk. */
function examplesOf(path: string): (Block & { readonly path: string })[] {
  const text = readFileSync(join(root, path), 'utf8');
  return [...text.matchAll(/@example\n \* ```ts\n([\s\S]*?)\n \* ```/g)].map((match) => ({
    path,
    language: 'ts',
    text: match[1]!.replace(/^ \* ?/gm, ''),
    line: text.slice(0, match.index).split('\n').length + 2,
    file: undefined,
  }));
}

const examples = files.flatMap(examplesOf);
const NAMES =
  "import * as anycl from 'anycl'; import { arrays } from 'anycl/array'; import * as testing from 'anycl/testing';";

test('each example of the reference runs', () => {
  const folder = temporaryFolder();
  const names = Object.keys(require(join(root, 'dist/index.cjs')) as object).join(', ');
  const modules = examples.map((example, i) => {
    const [part] = partsOf([example]);
    const file = join(folder, `example-${i}.mjs`);
    writeFileSync(file, `export default async (cl, { ${names}, arrays, testing }) => {\n${part!.code}\n};`);
    return { file, place: `${example.path}:${example.line}` };
  });
  const runner = `${EXPECT_OUTPUT}\n${NAMES}
const session = await anycl.open({ device: 'software' });
for (const { file, place } of ${JSON.stringify(modules)}) {
  try {
    await (await import(file)).default(session, { ...anycl, arrays, testing });
  } catch (error) {
    console.error(place, error);
    process.exitCode = 1;
  }
}
session.close();`;
  // Inside of the package, which may import itself by name.
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', runner], {
    cwd: root,
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

test('there is an example for every class, so there are many', () => {
  expect(examples.length).toBeGreaterThan(30);
});
