// SPDX-License-Identifier: MIT
//
// tests/compile/*.cl -> *.spvasm beside it. `// options: …` in the first line are build options. BLESS=1 rewrites what is
// expected. Whatever is expected is also valid for spirv-val, and llvm-spirv takes it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from '../../ts/spirv/encode';
import { disassemble } from '../../ts/spirv/text';
import { compiledModule } from '../helpers/compiled-module';
import { llvmSpirv, spirvVal, testWith } from '../helpers/spirv-tools';

const folder = join(__dirname, '..', 'compile');
const files = readdirSync(folder).filter((name) => name.endsWith('.cl'));

function compiled(name: string) {
  const text = readFileSync(join(folder, name), 'utf8');
  const options = /^\/\/ options: (.*)$/m.exec(text)?.[1] ?? '';
  const version = /^\/\/ spirv-version: (1\.[0-6])$/m.exec(text)?.[1] as '1.4' | undefined;
  const target = /^\/\/ target: (spir|spir64)$/m.exec(text)?.[1] as 'spir' | undefined;
  return compiledModule({
    name,
    text,
    options,
    ...(version && { spirvVersion: version }),
    ...(target && { target }),
  });
}

test.each(files)('%s', (name) => {
  const path = join(folder, name.replace(/\.cl$/, '.spvasm'));
  const text = disassemble(compiled(name));
  if (process.env.BLESS === '1') writeFileSync(path, text);
  expect(existsSync(path)).toBe(true);
  expect(text).toBe(readFileSync(path, 'utf8'));
});

testWith('spirv-val').each(files)('%s is valid', (name) => {
  expect(spirvVal(encode(compiled(name)))).toBe('');
});

testWith('llvm-spirv-15').each(files)('llvm-spirv takes %s', (name) => {
  expect(llvmSpirv(encode(compiled(name)))).toBe('');
});
