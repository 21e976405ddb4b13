// SPDX-License-Identifier: MIT
//
// Lets `import … from 'electron'` find the stand-in beside this file: node --import ./stand-in/register.mjs --test
import { register } from 'node:module';

const standIn = new URL('./index.mjs', import.meta.url).href;
const hooks = `export const resolve = (specifier, context, next) =>
  specifier === 'electron' ? { url: ${JSON.stringify(standIn)}, shortCircuit: true } : next(specifier, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
