// SPDX-License-Identifier: MIT
//
// The links that scripts/docs/reference.mjs writes. VitePress completes those of Markdown; those in a signature are HTML, which any
// static server must find as they are: they name a file that the site has.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, temporaryFolder } from '../helpers/command';

const built = existsSync(join(root, 'dist/index.d.mts'));

(built ? test : test.skip)('links in signatures name files and places of the site', () => {
  const folder = temporaryFolder();
  const script = `import { readModel } from './scripts/docs/model.mjs';
    import { writeReference } from './scripts/docs/reference.mjs';
    writeReference(readModel(process.cwd()), ${JSON.stringify(folder)});`;
  execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, stdio: 'pipe' });
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  const links = pages.flatMap((page) =>
    [...readFileSync(join(folder, page), 'utf8').matchAll(/href="([^"]*)"/g)].map(([, link]) => link!),
  );
  const missing = [...new Set(links)].filter((link) => {
    const [, page, anchor] = /^\/reference\/([\w/-]+)\.html(?:#(.+))?$/.exec(link) ?? [];
    if (page === undefined || !pages.includes(`${page}.md`)) return true;
    const headings = readFileSync(join(folder, `${page}.md`), 'utf8').match(/^## .*$/gm) ?? [];
    return anchor !== undefined && !headings.some((line) => line.toLowerCase().includes(anchor));
  });
  expect(links.length).toBeGreaterThan(500);
  expect(missing).toEqual([]);
});
