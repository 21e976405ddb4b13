// SPDX-License-Identifier: MIT
// The command line's bundle shares modules with the library's bundle: `anycl.cjs` exports the modules that the command line
// imports, under `internals`, and these imports become lookups there. The compiler's thread begins there as well.
import { relative } from 'node:path';
import { build } from 'esbuild';

const INTERNALS = 'anycl-internals';

/** A plugin that redirects imports of the library's modules, and the set of those that were imported. */
function redirect(root, library) {
  const used = new Set();
  const plugin = {
    name: 'share-library',
    setup(bundler) {
      bundler.onResolve({ filter: /^\./ }, async (args) => {
        if (args.pluginData === INTERNALS || args.namespace === INTERNALS) return undefined;
        const { resolveDir, kind, importer } = args;
        const { path } = await bundler.resolve(args.path, { resolveDir, kind, importer, pluginData: INTERNALS });
        const name = relative(root, path);
        if (!library.has(name)) return undefined;
        used.add(name);
        return { path: name, namespace: INTERNALS };
      });
      bundler.onLoad({ filter: /.*/, namespace: INTERNALS }, ({ path }) => ({
        contents: `module.exports = require('./anycl.cjs').internals[${JSON.stringify(path)}];`,
      }));
    },
  };
  return { plugin, used };
}

/**
 * Builds the library's bundle and the command line's.
 * @param options of esbuild, for both
 */
export async function buildLibraryAndCommands({ root, library, commands, options }) {
  const { metafile } = await build({ ...options, ...library, write: false, metafile: true });
  const { plugin, used } = redirect(root, new Set(Object.keys(metafile.inputs)));
  await build({ ...options, ...commands, plugins: [plugin, ...options.plugins] });
  const names = [...used].sort();
  const contents = [
    `export * from './${library.entryPoints[0]}';`,
    ...names.map((name, i) => `import * as internal${i} from './${name}';`),
    "import { serveCompiler } from './ts/host/node/serve-compiler';",
    `export const internals = { serveCompiler, ${names.map((name, i) => `${JSON.stringify(name)}: internal${i}`).join(', ')} };`,
  ].join('\n');
  const { entryPoints: _, ...rest } = library;
  await build({ ...options, ...rest, stdin: { contents, resolveDir: root, loader: 'ts' } });
}
