// SPDX-License-Identifier: MIT
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { commandLineDocs, manualPage } from './manual';

const root = join(__dirname, '..', '..');

test.each([
  ['man/anycl.1', manualPage],
  ['docs/cli.md', commandLineDocs],
])('%s is as the table of commands has it (BLESS=1 rewrites it)', (file, generate) => {
  const path = join(root, file);
  if (process.env.BLESS) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, generate());
  }
  expect(readFileSync(path, 'utf8')).toBe(generate());
});
