// SPDX-License-Identifier: MIT
//
// Where this code is, and a `require` from there. In the ES module that bundlers take, the build puts place-of-module.ts
// in this file's place.
import { createRequire } from 'node:module';

export const folder: string = typeof __dirname === 'string' ? __dirname : process.cwd();
export const load: NodeJS.Require = createRequire(typeof __filename === 'string' ? __filename : `${folder}/`);
