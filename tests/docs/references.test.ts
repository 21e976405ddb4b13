// SPDX-License-Identifier: MIT
//
// What the documentation names exists: files and folders, npm scripts, environment variables, and identifiers of the source.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root } from '../helpers/command';
import { FOREIGN_NAMES } from './foreign-names';
import { blocksOf } from './markdown-blocks';

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The documents that describe the tree as it is. The changelog and the decision records describe the tree as it was. */
const documents = tracked.filter(
  (path) =>
    path.endsWith('.md') && !/^(CHANGELOG\.md|docs\/adr\/|docs\/(builtins|api-coverage)\.md)/.test(path),
);
const SOURCE = /\.(ts|mjs|cjs|js|json|cc|h|c|inc|py|sh|cl|txt|gyp|yml|yaml|cfg)$/;
const source = tracked
  .filter(
    (path) =>
      (SOURCE.test(path) || path === '.ci/run') &&
      !path.startsWith('tests/docs/') &&
      path !== 'package-lock.json',
  )
  .map(read)
  .join('\n');
const words = new Set(source.match(/[A-Za-z_$][\w$]*/g));
const scripts = Object.keys(
  (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts,
);

const folders = new Set<string>();
for (const path of tracked)
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.add(folder);
/** Made by a build, so that it is in no clone. */
const BUILT = /^(dist|build|prebuilds|node_modules)(\/|$)/;

/** Whether a path, or the end of one, exists in the tree. Braces and stars match several names. */
function exists(path: string, document: string): boolean {
  const braces = /^(.*)\{([^}]*)\}(.*)$/.exec(path);
  if (braces)
    return braces[2]!.split(',').every((part) => exists(`${braces[1]}${part.trim()}${braces[3]}`, document));
  const plain = path.replace(/\/$/, '').replace(/^\.\//, '');
  if (BUILT.test(plain)) return true;
  const candidates = [plain, normalize(join(dirname(document), plain))];
  if (plain.includes('*') || plain.includes('…')) {
    const pattern = plain.split(/[*…]+/).map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
    const expression = new RegExp(`(^|/)${pattern.join('[^/]*')}$`);
    return tracked.some((file) => expression.test(file));
  }
  return (
    candidates.some((name) => tracked.includes(name) || folders.has(name)) ||
    tracked.some((file) => file.endsWith(`/${plain}`)) ||
    [...folders].some((folder) => folder.endsWith(`/${plain}`))
  );
}

/** Pages that are made with the site, whose builder checks links to them. */
const SITE = /^\/(reference|playground)\//;

const FILE = /^[\w.@{}*,…/-]+\.(ts|mjs|cjs|cc|c|h|cl|md|json|gyp|inc|spvasm|py|sh|ir|dot|txt)$/;
const FOLDER = /^[\w.{},-]+(\/[\w.{},-]+)*\/$/;
/** An identifier that only a program has: mixed case, an underscore or a call. */
const IDENTIFIER = /^(?=.*[a-z])(?=.*[A-Z_(])[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*(\(\))?$/;

function problemsOf(document: string): string[] {
  const problems: string[] = [];
  const text = read(document);
  /** Files that the reader of a guide writes. */
  const written = new Set(blocksOf(text).flatMap(({ file }) => file ?? []));
  const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/^ {4,}.*$/gm, '');
  for (const [, span] of prose.matchAll(/`([^`\n]+)`/g)) {
    const name = span!.split(' ')[0]!;
    if (/^[~/$<-]|^\w+:/.test(name)) continue;
    if (FILE.test(name) || FOLDER.test(name)) {
      if (!exists(name, document) && !FOREIGN_NAMES.has(name) && !written.has(name))
        problems.push(`no file or folder '${name}'`);
    } else if (span === name && IDENTIFIER.test(name)) {
      const missing = name
        .replace('()', '')
        .split('.')
        .find((word) => !words.has(word));
      if (missing && !FOREIGN_NAMES.has(name)) problems.push(`no '${missing}' in the source`);
    }
  }
  for (const [, target] of prose.matchAll(/\]\(([^)#\s]+)[^)]*\)/g))
    if (!/^\w+:/.test(target!) && !SITE.test(target!) && !exists(target!, document))
      problems.push(`a link to '${target}', which is not there`);
  for (const [, script] of text.matchAll(/npm run ([\w:-]+)/g))
    if (!scripts.includes(script!)) problems.push(`no npm script '${script}'`);
  for (const [variable] of text.matchAll(/\bANYCL_[A-Z_]+\b/g))
    if (!words.has(variable)) problems.push(`no environment variable ${variable}`);
  return [...new Set(problems)];
}

test.each(documents)('%s names what exists', (document) => {
  expect(problemsOf(document)).toEqual([]);
});

test('a name that does not exist is found', () => {
  expect(exists('ts/jit/no-such-file.ts', 'README.md')).toBe(false);
  expect(exists('ts/jit/{index,no-such-file}.ts', 'README.md')).toBe(false);
  expect(words.has('NoSuchIdentifierAnywhere'.concat('AtAll'))).toBe(false);
});
