// SPDX-License-Identifier: MIT
// What a program may read with `#include`: through the API the folders of `-I`, on the command line its own folder, too.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { open, type Session } from '../../ts';
import { node, temporaryFolder } from '../helpers/command';

const SECRETS = [
  '/proc/self/environ',
  '/etc/passwd',
  '/dev/zero',
  '/dev/stdin',
  '../../../../../../etc/passwd',
];
const KERNEL = 'kernel void k(global int *p) { *p = N; }';

const folder = temporaryFolder();
mkdirSync(join(folder, 'own'));
mkdirSync(join(folder, 'other'));
writeFileSync(join(folder, 'own', 'n.h'), '#define N 1\n');
writeFileSync(join(folder, 'other', 'm.h'), '#define N 2\n');

describe('through the API', () => {
  let cl: Session;
  beforeAll(async () => {
    cl = await open({ device: 'software' });
  });
  afterAll(() => cl.close());

  const buildLog = (source: string, options = '') =>
    cl.build(source, options).then(
      () => '',
      (error) => error.buildLog as string,
    );

  test('no file is read unless a folder is named', async () => {
    for (const path of [...SECRETS, join(folder, 'own', 'n.h'), 'package.json', './package.json'])
      for (const form of [`"${path}"`, `<${path}>`])
        expect(await buildLog(`#include ${form}\n${KERNEL}`, '-DN=1')).toContain('file not found');
    expect(
      await buildLog(
        '#if __has_include("/etc/passwd") || __has_include("package.json")\n#error there\n#endif',
      ),
    ).toBe('');
  });

  test('a folder that is named is read, and nothing outside of it', async () => {
    const options = `-I ${join(folder, 'own')}`;
    expect(await buildLog(`#include "n.h"\n${KERNEL}`, options)).toBe('');
    expect(await buildLog(`#include "${join(folder, 'own', 'n.h')}"\n${KERNEL}`, options)).toBe('');
    for (const path of [...SECRETS, '../other/m.h', join(folder, 'other', 'm.h')])
      expect(await buildLog(`#include "${path}"\n${KERNEL}`, options)).toContain('file not found');
  });
});

describe('on the command line', () => {
  const compile = (source: string, ...options: string[]) => {
    const file = join(folder, 'own', 'kernel.cl');
    writeFileSync(file, source);
    return node('dist/cli.cjs', ['compile', file, '-o', join(folder, 'out.spv'), ...options]);
  };

  test("the source's folder and those of -I are read, and nothing else", () => {
    expect(compile(`#include "n.h"\n${KERNEL}`).status).toBe(0);
    expect(compile(`#include "../other/m.h"\n${KERNEL}`, '-I', join(folder, 'other')).status).toBe(0);
    expect(compile(`#include <m.h>\n${KERNEL}`, '-I', join(folder, 'other')).status).toBe(0);
    for (const path of [...SECRETS, '../other/m.h']) {
      const { status, stderr } = compile(`#include "${path}"\n${KERNEL}`);
      expect([path, status]).toEqual([path, 1]);
      expect(stderr).toContain('file not found');
    }
  });
});
