// SPDX-License-Identifier: MIT
//
// Wrong uses of the command line: each ends soon, with the status of its kind, and one message without a stack.
import { join } from 'node:path';
import { anycl, node, SAXPY, temporaryFolder, writerIn } from '../helpers/command';

const folder = temporaryFolder();
const file = writerIn(folder);
const saxpy = file('saxpy.cl', SAXPY);
const one = file('one.cl', 'kernel void f(global int *a) { a[get_global_id(0)] = 1; }');
const spirv = join(folder, 'one.spv');
const noise = file(
  'noise.bin',
  Uint8Array.from({ length: 999 }, (_, i) => (i * 7919) >> 3),
);
beforeAll(() => {
  expect(anycl('compile', one, '-o', spirv).status).toBe(0);
});

function refused(status: number, words: readonly string[], says: RegExp, input?: string): void {
  const outcome =
    input === undefined
      ? anycl(...words)
      : node('dist/cli.cjs', words, { env: { ANYCL_DEVICE: 'software' }, input });
  expect(outcome.stderr).toMatch(says);
  expect(outcome.stderr).not.toMatch(/^ {4}at |TypeError|RangeError/m);
  expect(outcome.status).toBe(status);
}

const run = (...args: string[]): string[] => ['run', one, '--global', '4', ...args];

describe('sizes', () => {
  test.each(['-4', '4.5', '1e3', '', '4,', '1,2,3,4', '4x4', '99999999999999999999'])(
    '--global %j',
    (size) => {
      refused(2, ['run', one, '--global', size, '--arg', 'int[4]=zero'], /--global takes one to three sizes/);
    },
  );

  test('more work-items than a kernel can count', () => {
    const words = ['run', one, '--global', '100000000000', '--arg', 'int[4]=zero'];
    refused(1, words, /100000000000 work-items in dimension 0 are more than 2\^32 - 1/);
  });

  test.each<[string, number, RegExp]>([
    ['3', 1, /the local size 3 does not divide the global size 4/],
    ['0', 1, /`range\.local` is 0: a work-group has at least one work-item/],
    ['100000', 1, /a local size of 100000 exceeds \d+/],
    ['2,2', 2, /--local 2,2: --global 4 has one dimension/],
  ])('--local %s', (size, status, says) => {
    refused(status, run('--local', size, '--arg', 'int[4]=zero'), says);
  });
});

describe('--arg', () => {
  test.each<[string, number, RegExp]>([
    ['int[4]', 2, /--arg 'int\[4\]': expected .*, such as 'int\[4\]=zero'/],
    ['int', 2, /expected .*, such as 'float=2\.5'/],
    ['', 2, /--arg '': expected /],
    ['foo[4]=zero', 2, /'foo' is not a scalar or vector type of OpenCL C/],
    ['int[0]=zero', 2, /a buffer needs at least one element/],
    [
      'int[99999999999999]=zero',
      1,
      /there is no memory for the 399999999999996 bytes of int\[99999999999999\]/,
    ],
    ['int[]=range=0:10:0', 2, /range=0:10:0 is empty: steps of 0 from 0 do not lead to 10/],
    ['int[]=range=10:0', 2, /range=10:0 is empty: steps of 1 from 10 do not lead to 0/],
    ['int[]=1,2,x', 2, /'x' is not an integer/],
    ['int[4]=fill=x', 2, /'x' is not an integer/],
    ['int[]=@nothing', 1, /cannot read 'nothing': no such file/],
    ['int[]=@.', 1, /cannot read '\.': it is a folder/],
    ['int=3', 1, /argument 0 \('a'\) is an int\*, which takes int\[COUNT\]=CONTENTS/],
    ['float[4]=zero', 1, /argument 0 \('a'\) of kernel 'f' points to int, but the buffer holds Float32Array/],
    ['local:int[4]', 1, /argument 0 \('a'\) is an int\*/],
    ['sampler:foo', 2, /'foo' is none of none, clamp/],
    [`image2d:rgba8=@${noise}`, 2, /the size is missing: image2d:rgba8\[WIDTH,HEIGHT\]/],
  ])('%s', (spec, status, says) => {
    refused(status, run('--arg', spec), says);
  });

  test('too few', () => refused(1, run(), /kernel 'f' takes 1 argument, and --arg gives 0/));
  test('too many', () => {
    refused(
      1,
      ['run', saxpy, '-g', '1', ...Array(4).fill(['-a', 'float=1']).flat()],
      /takes 3 arguments, and --arg gives 4/,
    );
  });
  test.each(['7', '-1', 'x'])('--print %s', (index) => {
    refused(2, run('--arg', 'int[4]=zero', '--print', index), /there is 1 argument, counted from 0/);
  });
});

describe('files', () => {
  test.each(['run', 'kernels', 'dis', 'validate', 'types', 'compile', 'trace'])(
    '%s of a folder',
    (command) => {
      const size = command === 'run' ? ['-g', '1'] : [];
      refused(1, [command, folder, ...size], /cannot read '.*': it is a folder/);
    },
  );

  test.each(['dis', 'validate'])('%s of noise', (command) => {
    refused(
      1,
      [command, noise],
      /noise\.bin: a module starts with the magic number 0x07230203 \(at word 0\)/,
    );
  });

  test.each(['compile', 'types'])('%s of SPIR-V', (command) => {
    refused(1, [command, spirv], /one\.spv' is SPIR-V and not OpenCL C; anycl /);
  });

  test.each(['dis', 'validate'])('%s of OpenCL C', (command) => {
    refused(1, [command, one], /this is OpenCL C and not SPIR-V; anycl compile .* makes SPIR-V of it/);
  });

  test.each(['dis', 'validate', 'run', 'kernels'])('%s of nothing', (command) => {
    const size = command === 'run' ? ['-g', '1'] : [];
    const outcome = node('dist/cli.cjs', [command, '-', ...size], {
      env: { ANYCL_DEVICE: 'software' },
      input: '',
    });
    expect(outcome.stdout + outcome.stderr).toMatch(/has no kernel|at least 20 bytes; this one has 0/);
  });

  if (process.platform === 'linux')
    test('a device that has no end', () => {
      refused(
        1,
        ['compile', '/dev/zero'],
        /cannot read '\/dev\/zero': it is not a file, and has no end within 1 GiB/,
      );
    });

  test('standard input that is a pipe is read to its end', () => {
    const source = `kernel void longer(global int *a) { ${'a[0]++; '.repeat(20_000)} }`;
    const { stdout } = node('dist/cli.cjs', ['compile', '-', '--emit=spvasm', '-o', '-'], { input: source });
    expect(stdout).toContain('OpEntryPoint Kernel');
    expect(stdout.match(/OpStore/g)!.length).toBeGreaterThanOrEqual(1);
  });

  test.each<[readonly string[], RegExp]>([
    [['-o', join(folder, 'no', 'x.spv')], /cannot write '.*x\.spv': no such folder/],
    [['-o', folder], /cannot write '.*': it is a folder/],
  ])('compile into %j', (output, says) => {
    refused(1, ['compile', one, ...output], says);
  });
});

describe('options', () => {
  test.each<[readonly string[], RegExp]>([
    [['compile'], /no file to compile \(see anycl compile --help\)/],
    [['compile', one, '-o'], /-o needs a value/],
    [['compile', one, '-D'], /-D needs a value/],
    [['compile', one, '--emit=nix'], /--emit is one of spirv, spvasm, .* not 'nix'/],
    [['compile', one, '-cl-std=CL9.9'], /invalid value 'CL9\.9'.*expected one of CL1\.0/],
    [['compile', one, '--target-env=x'], /unknown option '--target-env=x'; did you mean --target\?/],
    [['run', one, '--check=x', '-g', '1'], /--check takes a list of bounds, .* not 'x'/],
    [['run', one, '--repeat', '0', '-g', '1'], /--repeat takes a whole number of at least 1, not '0'/],
    [['run', one, '--timeout', 'x', '-g', '1'], /--timeout takes a whole number/],
    [['run', one], /--global is missing: how many work-items, such as --global 1024/],
    [['run', one, '--options', 'x'], /unknown option '--options'/],
    [['info', '--prop', 'nix'], /--prop nix: there is no such property/],
    [['validate', spirv, '--target-env', 'nix'], /--target-env is one of opencl1\.2, .* not 'nix'/],
    [['playground', '--port', '99999'], /--port takes a number up to 65535, not '99999'/],
    [['completion', 'nix'], /there is completion for bash, zsh, fish, not for 'nix'/],
    [['exec'], /which program\?/],
  ])('%j', (words, says) => {
    refused(2, words, says);
  });

  test.each(['nix', '9:9'])('--device %s', (device) => {
    refused(3, run('--arg', 'int[4]=zero', '--device', device), /no device '.*'; there are /);
  });
});
