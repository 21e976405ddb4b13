// SPDX-License-Identifier: MIT
//
// The guides for users are followed to the letter: every block of JavaScript runs in one process for each page, outputs are what
// the comments say, OpenCL C compiles, and the commands of the shell that need nothing but the package end well.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, temporaryFolder } from '../helpers/command';
import { type Block, blocksOf, EXPECT_OUTPUT, partsOf } from './markdown-blocks';

const guides = [
  '../index.md',
  ...readdirSync(join(root, 'docs/guides')).filter(
    (name) => name.endsWith('.md') && !name.startsWith('add-'),
  ),
];

/** GUIDES_NODE names another version's program, to follow the guides there. */
const NODE = process.env.GUIDES_NODE ?? process.execPath;

/** Languages of blocks that nothing here can run: other programs' code and configuration, and output. */
const FOREIGN = new Set(['', 'text', 'python', 'cpp', 'wgsl', 'dockerfile', 'yaml', 'json', 'lua']);
const CODE = new Set(['js', 'mjs', 'ts', 'c', 'sh']);

/** Commands that need nothing but the package; the others install something, do not end, or measure. */
const isRun = (command: string): boolean =>
  /^([A-Z_]+=\S+ )*(npx anycl|node) /.test(command) &&
  !/npx anycl (playground|lsp|exec|bench|build-addon)/.test(command);
const isKnown = (command: string): boolean =>
  isRun(command) || /^(npx anycl|npm|docker|sudo|apt-get|code|cd|export) /.test(command);

interface Finished {
  readonly status: number | null;
  readonly output: string;
}
const WELL: Finished = { status: 0, output: '' };

function run(program: string, args: readonly string[], cwd: string): Promise<Finished> {
  const env = {
    ...process.env,
    ANYCL_DEVICE: 'software',
    NO_COLOR: '1',
    PATH: `${join(cwd, 'bin')}:${process.env.PATH}`,
  };
  const child = spawn(program, args, { cwd, env, timeout: 120_000 });
  let output = '';
  child.stdout.on('data', (text) => (output += String(text)));
  child.stderr.on('data', (text) => (output += String(text)));
  // What a page that ends well has written does not matter.
  return new Promise((resolve) =>
    child.on('close', (status) => resolve({ status, output: status === 0 ? '' : output })),
  );
}

/** A folder in which the package is installed, as it is after the guide's `npm install anycl`. */
function folderFor(blocks: readonly Block[]): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'node_modules'));
  mkdirSync(join(folder, 'bin'));
  for (const name of ['fastify', 'pngjs', 'esbuild'])
    symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  symlinkSync(root, join(folder, 'node_modules/anycl'));
  symlinkSync(join(root, 'examples/electron/stand-in'), join(folder, 'node_modules/electron'));
  const npx = `#!/bin/sh\nshift\nexec "${NODE}" "${join(root, 'dist/cli.cjs')}" "$@"\n`;
  writeFileSync(join(folder, 'bin/npx'), npx, { mode: 0o755 });
  symlinkSync(NODE, join(folder, 'bin/node'));
  for (const { file, text } of blocks) {
    if (file === undefined) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `${text}\n`);
  }
  return folder;
}

/** The page's JavaScript, and its OpenCL C. */
function writeProgram(folder: string, blocks: readonly Block[]): string | undefined {
  const parts = partsOf(blocks);
  const kernels = blocks.filter(({ language, file }) => language === 'c' && file === undefined);
  if (parts.length + kernels.length === 0) return undefined;
  for (const { name, code } of parts) writeFileSync(join(folder, name), code);
  const builds = kernels.map(({ text }) => `await session.build(${JSON.stringify(text)}, '-cl-std=CL3.0');`);
  const compile =
    builds.length === 0
      ? ''
      : `const session = await (await import('anycl')).open();\n${builds.join('\n')}\nsession.close();`;
  const imports = parts.map(({ name }) => `await import('./${name}');`).join('\n');
  writeFileSync(join(folder, 'guide.mjs'), `${EXPECT_OUTPUT}\n${imports}\n${compile}`);
  return 'guide.mjs';
}

const commandsOf = (blocks: readonly Block[]): string[] =>
  blocks
    .filter(({ language, file }) => language === 'sh' && file === undefined)
    .flatMap(({ text }) => text.replace(/\\\n\s*/g, '').split('\n'))
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

test.concurrent.each(guides)(
  '%s',
  async (guide) => {
    const blocks = blocksOf(readFileSync(join(root, 'docs/guides', guide), 'utf8'));
    for (const { language, line } of blocks)
      if (!CODE.has(language) && !FOREIGN.has(language))
        throw new Error(`line ${line}: no rule for a block of '${language}'`);
    for (const { language, text } of blocks) if (language === 'json') JSON.parse(text);
    const commands = commandsOf(blocks);
    expect(commands.filter((command) => !isKnown(command))).toEqual([]);
    const folder = folderFor(blocks);
    const program = writeProgram(folder, blocks);
    const importing = blocks.some(({ text }) => /from '\.\/\w+\.cl'/.test(text));
    const options = importing ? ['--import', 'anycl/register'] : [];
    if (program !== undefined) expect(await run(NODE, [...options, program], folder)).toEqual(WELL);
    const shell = commands.filter(isRun);
    if (shell.length > 0) expect(await run('sh', ['-ec', shell.join('\n')], folder)).toEqual(WELL);
  },
  240_000,
);
