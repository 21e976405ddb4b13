// SPDX-License-Identifier: MIT
// Puts the sources of the threads and the built-in library into the bundles (ts/host/node/embedded.ts), so that no bundler has a
// file to lose. As base64 in a function: V8 skips it when parsing, and it is decoded when a kernel calls the library. The
// compiler's thread loads the CommonJS bundle, if that is beside.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const compilerBeside = `
  import { existsSync } from 'node:fs';
  import { join } from 'node:path';
  import { folder } from './place';
  export const compilerSource = () => {
    const file = join(folder, 'anycl.cjs');
    return existsSync(file) ? 'require(' + JSON.stringify(file) + ').internals.serveCompiler()' : undefined;
  };`;

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
          compilerBeside,
          "export const library = () => Buffer.from(base64(), 'base64');",
        ].join('\n'),
        resolveDir: host,
      }));
      if (module)
        bundler.onLoad({ filter: /node.place\.ts$/ }, () => ({
          contents: readFileSync(join(host, 'place-of-module.ts'), 'utf8'),
          loader: 'ts',
        }));
    },
  };
}

/** The same for the compiler's thread, which receives the library when it starts. */
export const embedNothing = {
  name: 'embed-nothing',
  setup(bundler) {
    bundler.onLoad({ filter: /embedded\.ts$/ }, () => ({
      contents: [
        "import { workerData } from 'node:worker_threads';",
        'export const library = () => workerData.library;',
        "const none = () => { throw new Error('the thread of the compiler starts no threads'); };",
        'export { none as workerSource, none as compilerSource };',
      ].join('\n'),
    }));
  },
};

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
