// SPDX-License-Identifier: MIT
//
// Where this code is, and a `require` from there. The files of the package are functions that are given `__dirname`.
import { createRequire } from 'node:module';

export const folder: string = typeof __dirname === 'string' ? __dirname : process.cwd();
export const load: NodeJS.Require = createRequire(`${folder}/`);
