// SPDX-License-Identifier: MIT
// Puts the worker's source and the built-in library into the bundles (ts/host/node/embedded.ts), so that no bundler has a
// file to lose. As base64 in a function: V8 reads over it, and decodes it where a kernel calls the library.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param module the bundle is an ES module, which has `import.meta.url` instead of `__dirname` */
export function embed(root, out, { module = false } = {}) {
  const host = join(root, 'ts/host/node');
  return {
    name: 'embed',
    setup(bundler) {
      bundler.onLoad({ filter: /embedded\.ts$/ }, () => ({
        contents: [
          `export const workerSource = () => ${JSON.stringify(readFileSync(join(out, 'worker.cjs'), 'utf8'))};`,
          `const base64 = () => ${JSON.stringify(readFileSync(join(out, 'library.bin')).toString('base64'))};`,
          "export const library = () => Buffer.from(base64(), 'base64');",
        ].join('\n'),
      }));
      if (module)
        bundler.onLoad({ filter: /node.place\.ts$/ }, () => ({
          contents: readFileSync(join(host, 'place-of-module.ts'), 'utf8'),
          loader: 'ts',
        }));
    },
  };
}
