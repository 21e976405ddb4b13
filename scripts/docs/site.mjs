// SPDX-License-Identifier: MIT
// `npm run docs`: the documentation site as static files in dist/site, with the API reference and the playground.
import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vitepress';
import { readModel } from './model.mjs';
import { writeReference } from './reference.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
if (!existsSync(join(root, 'dist/index.d.mts')))
  throw new Error('there are no types in dist/: run `npm run build` first');

const reference = join(root, 'docs/reference');
const sidebar = writeReference(readModel(root), reference);
writeFileSync(join(reference, 'sidebar.json'), JSON.stringify(sidebar, undefined, 1));

await build(join(root, 'docs'));
cpSync(join(root, 'dist/playground'), join(root, 'dist/site/playground'), { recursive: true });
