// SPDX-License-Identifier: MIT
// What a program may read with `#include`: through the API the folders of `-I`, on the command line its own folder
// and the working directory, too.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { open, type Session } from '../../ts';
import { node, root, temporaryFolder } from '../helpers/command';

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
  const write = (source: string): string => {
    const file = join(folder, 'own', 'kernel.cl');
    writeFileSync(file, source);
    return file;
  };
  const compile = (source: string, ...options: string[]) =>
    node('dist/cli.cjs', ['compile', write(source), '-o', join(folder, 'out.spv'), ...options]);
  const script = join(root, 'dist/cli.cjs');
  /** With a working directory. */
  const compileIn = (cwd: string, source: string, ...options: string[]) =>
    spawnSync(
      process.execPath,
      [script, 'compile', write(source), '-o', join(folder, 'out.spv'), ...options],
      {
        cwd,
        encoding: 'utf8',
      },
    );

  test("the source's folder and those of -I are read", () => {
    expect(compile(`#include "n.h"\n${KERNEL}`).status).toBe(0);
    expect(compile(`#include "../other/m.h"\n${KERNEL}`, '-I', join(folder, 'other')).status).toBe(0);
    expect(compile(`#include <m.h>\n${KERNEL}`, '-I', join(folder, 'other')).status).toBe(0);
  });

  test('files under the working directory are read, whichever way leads there', () => {
    expect(compileIn(folder, `#include "../other/m.h"\n${KERNEL}`).status).toBe(0);
    expect(compileIn(folder, `#include "${join(folder, 'other', 'm.h')}"\n${KERNEL}`).status).toBe(0);
    // The folders that it may read are not the folders that it searches.
    const { status, stderr } = compileIn(join(folder, 'other'), `#include <m.h>\n${KERNEL}`);
    expect(status).toBe(1);
    expect(stderr).toContain("'m.h' file not found");
  });

  test('no others are: the message names -I where there is such a file', () => {
    for (const [path, says] of [
      ...SECRETS.map((path) => [path, /file not found|name its folder with -I/] as const),
      ['../other/m.h', /^.*kernel\.cl:1:10: fatal error: '\.\.\/other\/m\.h' is outside of .* -I$/m],
      [join(folder, 'other', 'm.h'), /name its folder with -I/],
      ['../other/none.h', /file not found/],
    ] as const) {
      const { status, stderr } = compile(`#include "${path}"\n${KERNEL}`);
      expect([path, status]).toEqual([path, 1]);
      expect(stderr).toMatch(says);
    }
    expect(
      compile('#if __has_include("../other/m.h")\n#error there\n#endif\nkernel void k() {}').status,
    ).toBe(0);
  });

  test('`anycl run` reads the same files', () => {
    const run = (cwd: string, source: string) =>
      spawnSync(
        process.execPath,
        [
          script,
          'run',
          write(source),
          '--kernel',
          'k',
          '--global',
          '1',
          '--device',
          'software',
          '--arg',
          'int[1]=zero',
          '--print',
          '0',
        ],
        { cwd, encoding: 'utf8' },
      );
    const source = `#include "../other/m.h"\n${KERNEL}`;
    expect(run(folder, source)).toMatchObject({ status: 0, stdout: expect.stringContaining('2') });
    expect(run(join(folder, 'own'), source).status).toBe(1);
  });
});
