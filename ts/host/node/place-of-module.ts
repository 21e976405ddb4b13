// SPDX-License-Identifier: MIT
//
// place.ts for an ES module. Some bundlers leave no `import.meta.url` in what they make of it, and webpack warns of an imported
// `createRequire` whose argument it cannot evaluate.
import Module from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const url: string | undefined = import.meta.url;
export const folder: string = url?.startsWith('file:') ? dirname(fileURLToPath(url)) : process.cwd();
export const load: NodeJS.Require = Module.createRequire(url?.startsWith('file:') ? url : `${folder}/`);
