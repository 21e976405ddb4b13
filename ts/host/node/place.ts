// SPDX-License-Identifier: MIT
//
// Where this code is, and a `require` from there. The files of the package are functions that are given `__dirname`.

export const folder: string = typeof __dirname === 'string' ? __dirname : process.cwd();

let made: NodeJS.Require | undefined;

/** Made when it is first used: a process with the software device alone does not load Node.js's code for it. */
export function load(): NodeJS.Require {
  made ??= (require('node:module') as typeof import('node:module')).createRequire(`${folder}/`);
  return made;
}
