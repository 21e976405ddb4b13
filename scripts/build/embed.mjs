// SPDX-License-Identifier: MIT
// Puts the source of the device's threads into the chunks, and makes a module of the built-in library. So programs that are bundled
// need no further files, except for the compiler's thread.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Replaces ts/host/node/embedded.ts and ts/host/browser/embedded.ts. */
export function embed(root, out) {
  return {
    name: 'embed',
    setup(bundler) {
      bundler.onResolve({ filter: /^\.\/(?:library|checker)\.mjs$/ }, ({ path }) => ({
        path,
        external: true,
      }));
      bundler.onLoad({ filter: /browser.embedded\.ts$/ }, () => ({
        contents: `export const library = () => Uint8Array.from(atob(require('./library.mjs')), (byte) => byte.charCodeAt(0));`,
      }));
      bundler.onLoad({ filter: /node.embedded\.ts$/ }, () => ({
        contents: `
          import { existsSync } from 'node:fs';
          import { join } from 'node:path';
          import { folder } from './place';
          export const workerSource = () => ${JSON.stringify(readFileSync(join(out, 'worker.cjs'), 'utf8'))};
          export const checkerSource = () => Buffer.from(require('./checker.mjs'), 'base64').toString('latin1');
          export const library = () => Buffer.from(require('./library.mjs'), 'base64');
          const beside = (name) => {
            const file = join(folder, name);
            return existsSync(file) ? file : undefined;
          };
          export const workerFile = () => beside('worker.cjs');
          export const compilerFile = () => beside('compiler.cjs');
          // A bundled program has the chunks already.
          export const loadSteps = (chunk) => require.steps?.(chunk) ?? [].values();`,
        resolveDir: join(root, 'ts/host/node'),
      }));
    },
  };
}

/** A file as an ES module of one string, which the package reads at the first use: the built-in library, and the checker. */
export function writeStringModule(out, from, to) {
  const base64 = readFileSync(join(out, from)).toString('base64');
  writeFileSync(join(out, to), `export default "${base64}";\n`);
}
/** The built-in library for browsers. @param library the file */
export const embedForBrowser = (library) => ({
  name: 'embed-for-browser',
  setup(bundler) {
    bundler.onLoad({ filter: /browser.embedded\.ts$/ }, () => ({
      contents: [
        `const base64 = () => ${JSON.stringify(readFileSync(library).toString('base64'))};`,
        'export const library = () => Uint8Array.from(atob(base64()), (byte) => byte.charCodeAt(0));',
      ].join('\n'),
    }));
  },
});
