// SPDX-License-Identifier: MIT
// The package as a stranger gets it: packed, installed without scripts into an empty folder, and every JavaScript of the README
// run on each supported version of Node.js (from the npm registry, in named versions).
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, temporaryFolder } from '../helpers/command';
import { hasNodeVersions, NODE_VERSIONS, nodeOf } from '../helpers/node-versions';

const onLinux = hasNodeVersions ? test.each(NODE_VERSIONS) : test.skip.each(NODE_VERSIONS);
const npm = (args: readonly string[], cwd: string) =>
  execFileSync('npm', [...args, '--silent'], { cwd, encoding: 'utf8' });

const readme = readFileSync(join(root, 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/```(?:js|ts)\n(.*?)```/gs)].map((match) => match[1]!);
const folder = temporaryFolder();

beforeAll(() => {
  npm(['pack', '--ignore-scripts', '--pack-destination', folder], root);
  writeFileSync(join(folder, 'package.json'), '{}');
  npm(['install', '--ignore-scripts', './anycl-0.1.0.tgz'], folder);
}, 120_000);

function run(node: string, args: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(node, args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

test('the package has no script that package managers warn of', () => {
  // npm 11 counts prepare among them where a package comes from a tarball or from git.
  const packed = JSON.parse(readFileSync(join(folder, 'node_modules/anycl/package.json'), 'utf8')) as {
    scripts: object;
  };
  const run = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'];
  expect(Object.keys(packed.scripts).filter((name) => run.includes(name))).toEqual([]);
});

test('the README has a program, and the package no dependency', () => {
  expect(blocks.length).toBeGreaterThan(0);
  expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))).not.toHaveProperty('dependencies');
});

onLinux(
  'the README’s programs and an example run on Node.js %s',
  (version) => {
    const node = nodeOf(version);
    for (const [i, block] of blocks.entries()) {
      writeFileSync(join(folder, `block${i}.mjs`), block);
      const comment = /console\.log\(.*\/\/ (.*)$/m.exec(block)?.[1];
      expect(run(node, [`block${i}.mjs`]).trim()).toBe(comment?.trim() ?? expect.anything());
    }
    expect(run(node, ['node_modules/anycl/examples/mandelbrot.mjs', '--device', 'software'])).toContain(
      'mandelbrot',
    );
    expect(run(node, ['-p', "typeof require('anycl').open"]).trim()).toBe('function');
    const same =
      "import anycl, { open } from 'anycl'; import { createRequire } from 'node:module'; console.log(open === createRequire(import.meta.url)('anycl').open && anycl.open === open)";
    expect(run(node, ['--input-type=module', '-e', same]).trim()).toBe('true');
    expect(run(node, ['node_modules/anycl/dist/cli.cjs', '--version']).trim()).toBe('0.1.0');
  },
  120_000,
);
