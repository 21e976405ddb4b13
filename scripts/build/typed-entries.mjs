// SPDX-License-Identifier: MIT
// The small files of the package's entries for kernels as modules. They load the code from dist/bundler-plugins.cjs.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILES = {
  'bundler-plugins.mjs': `import plugins from './bundler-plugins.cjs';
export const { esbuild, rollup, vite, webpack } = plugins;
`,
  'webpack-loader.cjs': `module.exports = require('./bundler-plugins.cjs').webpackLoader;
`,
  // From Node.js 22.15 on hooks run on the thread that imports, and for \`require\`, too.
  'register.mjs': `import module from 'node:module';
import { loadSync } from './register-hooks.mjs';
if (module.registerHooks) module.registerHooks({ load: loadSync });
else {
  module.register('./register-hooks.mjs', import.meta.url);
  module._extensions['.cl'] = (_, file) => {
    throw new Error(\`require() of \${file} needs Node.js 22.15 or newer; here, use await import() or an ES module\`);
  };
}
`,
  'register-hooks.mjs': `import { fileURLToPath } from 'node:url';
import plugins from './bundler-plugins.cjs';
const anycl = new URL('./index.mjs', import.meta.url).href;
export function loadSync(url, context, nextLoad) {
  if (!/^file:[^?#]*\\.cl(?:[?#]|$)/.test(url)) return nextLoad(url, context);
  const source = plugins.loadForNode(fileURLToPath(url.replace(/[?#].*/, '')), anycl);
  return { format: 'module', shortCircuit: true, source };
}
export const load = async (url, context, nextLoad) => loadSync(url, context, nextLoad);
`,
};

/** @returns the names of what it writes into `out` */
export function writeTypedEntries(out) {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(out, name), text);
  return Object.keys(FILES);
}
