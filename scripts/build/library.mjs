// SPDX-License-Identifier: MIT
// Compiles kernels/lib with the project's own compiler into dist/library.bin: several SPIR-V modules per source file, since
// a kernel's first launch waits until those that it needs are decoded.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const OPTIONS = '-cl-std=CL3.0';

/** @param root the repository's folder; @param out where to write library.bin */
export async function buildLibrary(root, out) {
  const folder = join(root, 'kernels/lib');
  if (!existsSync(folder) || !existsSync(join(root, 'ts/compiler/compile.ts'))) return;
  const tools = await loadTools(root);
  const files = readdirSync(folder).sort();
  const text = (name) => readFileSync(join(folder, name), 'utf8');
  const headers = new Map(files.filter((name) => name.endsWith('.h')).map((name) => [name, text(name)]));
  const modules = [];
  for (const name of files.filter((name) => name.endsWith('.cl'))) {
    const { module, log } = tools.compile({
      name,
      text: text(name),
      options: OPTIONS,
      headers,
      target: 'spir',
    });
    if (log) process.stderr.write(log);
    if (!module) throw new Error(`kernels/lib/${name} does not compile`);
    const spirv = tools.encode(module);
    const cutOut = (isWanted) => {
      const cut = tools.decode(spirv);
      tools.extract(cut, isWanted);
      return cut;
    };
    for (const type of new Set(tools.exportedNames(module).map(typeOf)))
      for (const part of tools.libraryParts(cutOut((name) => typeOf(name) === type))) {
        const cut = cutOut((name) => part.includes(name));
        modules.push({ names: tools.exportedNames(cut), spirv: tools.encode(cut) });
      }
  }
  writeFileSync(join(out, 'library.bin'), tools.encodeLibrary(modules));
}

/** Functions of different types are in different modules, as most kernels use one type. */
const typeOf = (name) => /_(f16|f32|f64|i32)(_[fi])?$/.exec(name)?.[1];

/** The compiler, bundled for this process alone. */
async function loadTools(root) {
  const folder = mkdtempSync(join(tmpdir(), 'anycl-'));
  try {
    const outfile = join(folder, 'tools.cjs');
    const contents = [
      "export { compile } from './ts/compiler/compile';",
      "export { decode } from './ts/spirv/decode';",
      "export { encode } from './ts/spirv/encode';",
      "export { extract } from './ts/spirv/optimize/extract';",
      "export { libraryParts } from './ts/spirv/optimize/library-parts';",
      "export { encodeLibrary, exportedNames } from './ts/backend/software/build/library-file';",
    ].join('\n');
    await build({
      absWorkingDir: root,
      stdin: { contents, resolveDir: root, loader: 'ts' },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      logLevel: 'warning',
    });
    return createRequire(import.meta.url)(outfile);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
