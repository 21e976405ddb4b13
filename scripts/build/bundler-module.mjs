// SPDX-License-Identifier: MIT
// The ES module that bundlers take: it imports the files of chunks that ts/host/node/load-chunk.ts reads.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param files the files of chunks that the API loads, and when
 * @param names the API's exports
 */
export function writeBundlerModule(out, files, names) {
  const code = `import library from "./library.mjs";
${files.map((file) => `import ${file}Chunks from "./${file}.mjs";`).join('\n')}
import Module from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

// Some bundlers remove \`import.meta.url\`, and webpack warns of an imported \`createRequire\` whose argument it cannot evaluate.
const url = import.meta.url;
const isFile = url !== undefined && url.startsWith("file:");
const folder = isFile ? dirname(fileURLToPath(url)) : process.cwd();
const loadBuiltin = process.getBuiltinModule ?? Module.createRequire(isFile ? url : folder + "/");
const makers = { ${files.map((file) => `...${file}Chunks`).join(', ')}, library: () => library };
const chunks = {};
const load = (id) => {
  if (!id.startsWith("./")) return loadBuiltin(id);
  const name = id.slice(2, -4);
  return (chunks[name] ??= makers[name](load, folder));
};
const anycl = load("./anycl.mjs");
export default anycl;
export const { ${names.join(', ')} } = anycl;
`;
  writeFileSync(join(out, 'bundler.mjs'), code);
}
