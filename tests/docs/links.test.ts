// SPDX-License-Identifier: MIT
//
// Links between the documents lead to headings that exist, and the site's contents name each page once.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../helpers/command';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const markdownIn = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name));
const pages = ['docs', 'docs/guides', 'docs/performance'].flatMap(markdownIn);

/** A heading's anchor, as VitePress and GitHub make it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[`*]/g, '')
    .replace(/[^\p{L}\p{N}\s_-]+/gu, '')
    .trim()
    .replace(/\s+/g, '-');

const anchorsOf = (path: string): string[] =>
  [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading!));

test.each([...pages, 'README.md'])('%s: links to headings', (page) => {
  const prose = read(page).replace(/^```[\s\S]*?^```/gm, '');
  const broken = [...prose.matchAll(/\]\(([^)#\s:]*)#([^)\s]+)\)/g)]
    .filter(([, path]) => !path!.startsWith('/'))
    .filter(
      ([, path, anchor]) => !anchorsOf(path === '' ? page : join(dirname(page), path!)).includes(anchor!),
    );
  expect(broken.map(([link]) => link)).toEqual([]);
});

const contents = [...read('docs/.vitepress/contents.mjs').matchAll(/\['([^']+)', '([\w-]+)'\]/g)].map(
  ([, , name]) => name!,
);

test('the contents of the site name every guide and page, and none that is not there', () => {
  const names = pages
    .map((path) => path.replace(/^docs\/(guides\/|performance\/)?|\.md$/g, ''))
    .filter((name) => name !== 'index');
  const inPerformance = markdownIn('docs/performance').map((path) => path.replace(/^.*\/|\.md$/g, ''));
  const wanted = names.filter((name) => name === 'README' || !inPerformance.includes(name));
  expect(contents.filter((name) => !names.includes(name))).toEqual([]);
  expect(wanted.filter((name) => !contents.includes(name))).toEqual([]);
  expect(existsSync(join(root, 'docs/guides/first-kernel.md'))).toBe(true);
});
