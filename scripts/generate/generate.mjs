// SPDX-License-Identifier: MIT
// Runs every generator in scripts/generate/generators/. Each exports `outputs(registry)`: a Map from file to content, made
// from the registry folder (`ANYCL_REGISTRY`, default ../shared/registry), or null where its source is not there.
// `--check` compares instead of writing; where the registry is missing the check says so and passes.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const registry = process.env.ANYCL_REGISTRY ?? join(root, '..', 'shared', 'registry');
const check = process.argv.includes('--check');
const folder = join(root, 'scripts/generate/generators');
let stale = 0;
for (const name of readdirSync(folder)
  .filter((f) => f.endsWith('.mjs'))
  .sort()) {
  const generator = await import(join(folder, name));
  const files = await generator.outputs(existsSync(registry) ? registry : null);
  if (!files) {
    console.log(`${name}: skipped, its registry file is not on this machine`);
    continue;
  }
  for (const [file, content] of files) {
    const path = join(root, file);
    const current = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    if (current === content) continue;
    if (check) {
      console.error(`${file} is stale: run \`npm run generate\` (${name})`);
      stale++;
    } else {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      console.log(`wrote ${file}`);
    }
  }
}
process.exit(stale ? 1 : 0);
