// SPDX-License-Identifier: MIT
// Makes dist/playground/: static files for any server. The page is bundled for browsers; its threads import the package's own files of
// chunks. `anycl playground` serves those of dist/; the copies here are for other servers, and not in the package.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, transform } from 'esbuild';
import { THREADS } from './chunks.mjs';

/** Files of chunks that the threads reach. */
const CHUNK_FILES = ['base', 'compiler', 'anycl', 'toolchain', 'seldom', 'playground'];

/** Imports the files, and evaluates the chunk of one thread. */
const threadModule = (thread) => `import library from "./library.mjs";
${CHUNK_FILES.map((file) => `import ${file} from "./${file}.mjs";`).join('\n')}

const makers = { ${CHUNK_FILES.map((file) => `...${file}`).join(', ')}, library: () => library };
const chunks = {};
const load = (id) => {
  const name = id.slice("./".length, -".mjs".length);
  return (chunks[name] ??= makers[name](load));
};
load("./${thread}.mjs");
`;

/** @param options of esbuild */
export async function buildPlayground(root, dist, options) {
  const out = join(dist, 'playground');
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  // The page is minified, because it is loaded over the network.
  await build({
    ...options,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    entryPoints: ['ts/playground/page.ts'],
    outdir: out,
    loader: { '.cl': 'text' },
    minify: true,
  });
  for (const thread of THREADS) writeFileSync(join(out, `${thread}.js`), threadModule(thread));
  for (const file of CHUNK_FILES) {
    const text = readFileSync(join(dist, `${file}.mjs`), 'utf8');
    const { code } = await transform(text, { format: 'esm', target: 'es2022', minify: true });
    writeFileSync(join(out, `${file}.mjs`), code);
  }
  copyFileSync(join(dist, 'library.mjs'), join(out, 'library.mjs'));
  for (const name of ['index.html', 'style.css', 'photo.webp'])
    copyFileSync(join(root, 'ts/playground', name), join(out, name));
}
