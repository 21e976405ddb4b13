// SPDX-License-Identifier: MIT
// What the package exports, with its documentation, as api-extractor reads it out of the built declarations. The reference
// (reference.mjs) and the check that everything is documented (check.mjs) use it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiModel } from '@microsoft/api-extractor-model';
import { extractDeclarations } from '../build/extract-declarations.mjs';

/** The package's entries, and the declarations of each. `anycl/register` exports nothing: importing it is its use. */
export const ENTRIES = {
  anycl: 'index',
  'anycl/array': 'array',
  'anycl/testing': 'testing',
  'anycl/bundler': 'bundler-plugins',
};

/** @returns for each entry its items by the name that users import them by */
export function readModel(root) {
  const folder = mkdtempSync(join(tmpdir(), 'anycl-docs-'));
  try {
    return new Map(Object.entries(ENTRIES).map(([name, file]) => [name, entryOf(root, name, file, folder)]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function entryOf(root, name, file, folder) {
  const declarations = join(root, 'dist', `${file}.d.cts`);
  const json = join(folder, `${file}.api.json`);
  extractDeclarations(root, declarations, {
    docModel: { enabled: true, apiJsonFilePath: json, includeForgottenExports: true },
  });
  const api = new ApiModel().loadPackage(json);
  const exported = exportedNames(readFileSync(declarations, 'utf8'));
  const items = [];
  const hidden = new Map();
  for (const item of api.entryPoints[0].members) {
    const publicName = exported.get(item.displayName);
    if (publicName === undefined) hidden.set(item.displayName, item);
    else items.push({ name: publicName, item });
  }
  if (items.length === 0) throw new Error(`${declarations} exports nothing`);
  return { name, items: items.filter(({ item }) => item.kind !== 'Namespace'), hidden };
}

/** Public names by the names inside of the file: classes such as Event are declared by another name. */
function exportedNames(text) {
  const names = new Map();
  for (const [, name] of text.matchAll(/^export declare (?:abstract )?(?:\w+) (\w+)/gm))
    names.set(name, name);
  for (const [, inside, name] of text.matchAll(/^export \{ (\w+) as (\w+) \}/gm)) names.set(inside, name);
  return names;
}
