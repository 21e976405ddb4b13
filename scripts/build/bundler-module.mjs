// SPDX-License-Identifier: MIT
// The ES module that bundlers take: it imports the files of chunks that ts/host/node/load-chunk.ts reads.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Evaluates chunks for the entries' modules. */
const CHUNKS = 'bundler-chunks.mjs';

/**
 * @param files the files of chunks that the API loads, and when
 * @param names the API's exports
 */
export function writeBundlerModule(out, files, names) {
  const chunks = `import library from "./library.mjs";
import checker from "./checker.mjs";
${files.map((file) => `import ${file}Chunks from "./${file}.mjs";`).join('\n')}
import Module from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

if (typeof process === "undefined" || !process.versions?.node)
  throw new Error("anycl needs Node.js and cannot run in a web page. Call it on the server, or in the main process of Electron.");

// Some bundlers remove \`import.meta.url\`, and webpack warns of an imported \`createRequire\` whose argument it cannot evaluate.
const url = import.meta.url;
const isFile = url !== undefined && url.startsWith("file:");
const folder = isFile ? dirname(fileURLToPath(url)) : process.cwd();
const loadBuiltin = process.getBuiltinModule ?? Module.createRequire(isFile ? url : folder + "/");
const makers = { ${files.map((file) => `...${file}Chunks`).join(', ')}, library: () => library, checker: () => checker };
const chunks = {};
export const make = (maker) => maker(load, folder);
export const load = (id) => {
  if (!id.startsWith("./")) return loadBuiltin(id);
  const name = id.slice(2, -4);
  return (chunks[name] ??= make(makers[name]));
};
`;
  const main = `import { load } from "./${CHUNKS}";

const anycl = load("./anycl.mjs");
export default anycl;
export const { ${names.join(', ')} } = anycl;
`;
  writeFileSync(join(out, CHUNKS), chunks);
  writeFileSync(join(out, 'bundler.mjs'), main);
}

/**
 * The same for an entry over the API.
 * @param entry the name of the entry
 * @param code the name of its chunk, and of the file
 * @param names its exports
 */
export function writeEntryBundlerModule(out, entry, code, names) {
  const module = `import code from "./${code}.mjs";
import { make } from "./${CHUNKS}";

const entry = make(code["${code}"]);
export default entry;
export const { ${names.join(', ')} } = entry;
`;
  writeFileSync(join(out, `${entry}-bundler.mjs`), module);
}
