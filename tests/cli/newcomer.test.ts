// SPDX-License-Identifier: MIT
//
// The commands as a newcomer tries them.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VISIBLE } from '../../ts/cli/command-table';
import { anycl, SAXPY, temporaryFolder, writerIn } from '../helpers/command';

const folder = temporaryFolder();
const file = writerIn(folder);
const saxpy = file('saxpy.cl', SAXPY);
const two = file(
  'two.cl',
  'kernel void one(global int4 *p) { p[0].w = 7; } kernel void other(local int *p, uint n) {}',
);
const spirv = join(folder, 'saxpy.spv');
beforeAll(() => {
  expect(anycl('compile', saxpy, '-o', spirv).status).toBe(0);
});

describe('help', () => {
  test.each(VISIBLE.map(({ name }) => name))('of %s has an example', (name) => {
    const { status, stdout } = anycl(name, '--help');
    expect(status).toBe(0);
    expect(stdout).toMatch(new RegExp(`Examples:\\n.*anycl ${name}`));
  });

  test.each([[['help', 'compil']], [['compil', '--help']]])(
    'of no command names the mistake: %j',
    (words) => {
      const { status, stdout, stderr } = anycl(...words);
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/unknown command 'compil'\n\(Did you mean compile\?\)/);
    },
  );

  test('of a command is named where it is used wrongly', () => {
    expect(anycl('info', '--jsn').stderr).toMatch(/Did you mean --json\?\)\n\(see anycl info --help\)/);
  });

  test('of run has the grammar of --arg', () => {
    expect(anycl('run', '--help').stdout).toMatch(/float\[\]=range=0:10:0\.5[\s\S]*fill=1\.5/);
  });
});

describe('run', () => {
  const arg = (...specs: string[]): string[] => specs.flatMap((spec) => ['--arg', spec]);

  test('takes the only kernel, a range with a step, and a fill', () => {
    const { stdout, stderr } = anycl(
      'run',
      saxpy,
      '-g',
      '4',
      ...arg('float=2', 'float[]=range=0:2:0.5', 'float[4]=fill=1'),
      '--print',
      '2',
    );
    expect([stdout, stderr]).toEqual(['1 2 3 4\n', '']);
  });

  test('takes the numbers of a buffer one by one', () => {
    const { stdout, stderr } = anycl(
      'run',
      saxpy,
      '-g',
      '3',
      ...arg('float=2', 'float[3]=2,-2.5,0', 'float[]=-1,1e1,.5'),
      '--print',
      '2',
    );
    expect([stdout, stderr]).toEqual(['3 5 0.5\n', '']);
  });

  test('takes vectors of three, which are as large as those of four', () => {
    const { stdout } = anycl(
      'run',
      file('three.cl', 'kernel void k(global int3 *v) { v[0].x += v[1].z; }'),
      '-g',
      '1',
      ...arg('int3[]=1,2,3,4,5,6'),
      '--print',
      '0',
    );
    expect(stdout).toBe('(7, 2, 3) (4, 5, 6)\n');
  });

  test('fills vectors component by component', () => {
    const { stdout } = anycl(
      'run',
      two,
      '--kernel',
      'one',
      '--global',
      '1',
      ...arg('int4[2]=fill=1,2,3,4'),
      '--print',
      '0',
    );
    expect(stdout).toBe('(1, 2, 3, 7) (1, 2, 3, 4)\n');
  });

  test('with --json writes JSON alone, what is printed as a part of it', () => {
    const { stdout } = anycl(
      'run',
      saxpy,
      '-g',
      '2',
      '--json',
      ...arg('float=1', 'float[2]=range', 'float[2]=fill=nan'),
      '--print',
      '1',
      '--print',
      '2',
    );
    const report = JSON.parse(stdout) as Record<string, unknown>;
    expect(Object.keys(report)).toEqual(['device', 'build_ms', 'runs_ms', 'kernel_ms', 'printed']);
    expect(report.printed).toEqual({ 1: [0, 1], 2: ['NaN', 'NaN'] });
  });

  test.each([
    ['float[]=range=0:1:0', 2, 'is empty: steps of 0 from 0 do not lead to 1'],
    ['int[]=range=0:1:0.5', 2, 'whole numbers'],
    ['float[3]=range=0:2', 2, 'the range has 2 numbers'],
    ['float[4]=ranges', 2, 'fill=VALUE'],
    ['float[4]=1', 2, 'the list has 1 number, the buffer takes 4'],
    ['float[2]=1,x', 2, "'x' is not a number"],
    ['int2[2]=1,2,3', 2, 'elements of 2 numbers expected, 3 numbers given'],
    ['image2d:rgba8[2,1]=1,2,3,4', 2, 'an image has contents from a file, or fill=COLOUR'],
  ])('refuses %s', (spec, status, message) => {
    const outcome = anycl('run', saxpy, '-g', '2', ...arg(spec));
    expect(outcome.status).toBe(status);
    expect(outcome.stderr).toContain(message);
  });

  test('names the kernels where it cannot choose, and those that there are', () => {
    expect(anycl('run', two, '-g', '1')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("'one', 'other'"),
    });
    expect(anycl('run', saxpy, '-g', '1', '-k', 'sapxy')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("it has 'saxpy'"),
    });
    expect(anycl('run', saxpy)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--global is missing'),
    });
  });
});

test.each([
  ['--ouptut=x', /unknown option '--ouptut=x'; did you mean --output\? \(see anycl compile --help\)/],
  ['--frobnicate', /unknown option '--frobnicate' \(see anycl compile --help\)/],
  ['--emit=spriv', /--emit is one of spirv, .*, not 'spriv'; did you mean 'spirv'\?/],
])('compile names what %s may have meant', (option, message) => {
  const { status, stderr } = anycl('compile', saxpy, option);
  expect(status).toBe(2);
  expect(stderr).toMatch(message);
});

test('compile takes --output=FILE', () => {
  const out = join(folder, 'other.spv');
  expect(anycl('compile', saxpy, `--output=${out}`).status).toBe(0);
  expect(readFileSync(out)).toEqual(readFileSync(spirv));
});

test('kernels shows the signatures of source and SPIR-V', () => {
  expect(anycl('kernels', saxpy).stdout).toBe(
    'kernel void saxpy(float a, global float* x, global float* y)\n',
  );
  expect(anycl('kernels', spirv).stdout).toContain('kernel void saxpy(');
  const { kernels } = JSON.parse(anycl('kernels', two, '--json').stdout) as {
    kernels: { name: string; arguments: { addressSpace: string }[] }[];
  };
  expect(kernels.map(({ name }) => name)).toEqual(['one', 'other']);
  expect(kernels[1]!.arguments[0]!.addressSpace).toBe('local');
});

describe('dis', () => {
  test('by number, with the offset of each instruction', () => {
    const { stdout } = anycl('dis', spirv, '--raw-id', '--offsets');
    const lines = stdout.split('\n').filter((line) => line && !line.startsWith(';'));
    expect(lines[0]).toMatch(/OpCapability \w+ +; 0x00000014$/);
    expect(lines.at(-1)).toMatch(/OpFunctionEnd/);
    const offset = Number.parseInt(/; (0x[0-9a-f]+)$/.exec(lines.at(-1)!)![1]!, 16);
    expect(offset).toBe(readFileSync(spirv).length - 4);
    expect(stdout).not.toContain('%float');
  });

  test('into a file, and in colours', () => {
    const out = join(folder, 'out.spvasm');
    expect(anycl('dis', spirv, '-o', out).stdout).toBe('');
    expect(readFileSync(out, 'utf8')).toBe(anycl('dis', spirv).stdout);
    expect(anycl('dis', spirv, '--color').stdout).toContain('\u001b[');
    expect(anycl('dis', spirv).stdout).not.toContain('\u001b[');
  });
});

describe('validate', () => {
  test('says of a source that it is none', () => {
    const { status, stderr } = anycl('validate', saxpy);
    expect(status).toBe(1);
    expect(stderr).toMatch(/this is OpenCL C and not SPIR-V; anycl compile/);
  });

  test('shows the instruction at fault', () => {
    const words = new Uint32Array(new Uint8Array(readFileSync(spirv)).buffer);
    // The type of the first OpFMul becomes its result.
    for (let at = 5; at < words.length; at += words[at]! >>> 16)
      if ((words[at]! & 0xffff) === 133) words[at + 1] = words[at + 2]!;
    const { status, stderr } = anycl('validate', file('bad.spv', new Uint8Array(words.buffer)));
    expect(status).toBe(1);
    expect(stderr).toMatch(/error: .*OpFMul: .*\n {2}%\d+ = OpFMul %\d+ %\d+ %\d+\n/);
  });

  test('for an environment', () => {
    const newer = join(folder, 'newer.spv');
    anycl('compile', saxpy, '--spirv-version=1.4', '-o', newer);
    expect(anycl('validate', '--target-env', 'opencl2.2', spirv).status).toBe(0);
    expect(anycl('validate', '--target-env', 'opencl2.2', newer)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('SPIR-V 1.4'),
    });
    expect(anycl('validate', '--target-env', 'vulkan1.0', spirv)).toMatchObject({ status: 2 });
  });

  test('for an environment without a capability', () => {
    const generic = join(folder, 'generic.spv');
    const source = 'kernel void f(global int *a, local int *b) { int *c = a; if (*c) c = b; *c = 1; }';
    anycl('compile', '-cl-std=CL2.0', file('generic.cl', new TextEncoder().encode(source)), '-o', generic);
    expect(anycl('validate', '--target-env', 'opencl2.0', generic)).toMatchObject({ status: 0, stderr: '' });
    expect(anycl('validate', '--target-env', 'opencl1.2', generic)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        'OpCapability GenericPointer: opencl1.2 does not take it; OpenCL 2.0 and later do',
      ),
    });
  });
});

describe('completion', () => {
  test.each(['bash', 'zsh', 'fish'])('of %s knows each command and option', (shell) => {
    const { status, stdout } = anycl('completion', shell);
    expect(status).toBe(0);
    for (const { name } of VISIBLE) expect(stdout).toContain(name);
    expect(stdout).toMatch(/raw-id/);
    const parsed = spawnSync(shell, ['-n'], { input: stdout, encoding: 'utf8' });
    if (!parsed.error) expect(parsed.stderr).toBe('');
  });

  test('of a shell that there is not', () => {
    expect(anycl('completion', 'cmd')).toMatchObject({ status: 2 });
  });
});
