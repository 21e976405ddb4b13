// SPDX-License-Identifier: MIT
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { anycl, SAXPY, temporaryFolder, writerIn } from '../helpers/command';

const folder = temporaryFolder();
const file = writerIn(folder);

const saxpy = file('saxpy.cl', SAXPY);

describe('anycl run', () => {
  test('runs a kernel and prints a buffer', () => {
    const { status, stdout, stderr } = anycl(
      'run',
      saxpy,
      '--kernel',
      'saxpy',
      '--global',
      '4',
      '--arg',
      'float=2.5',
      '--arg',
      'float[4]=range',
      '--arg',
      'float[4]=zero',
      '--print',
      '2',
    );
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '0 2.5 5 7.5\n', stderr: '' });
  });

  test('keeps a kernel inside of its arguments with --robust', () => {
    const file = join(folder, 'outside.cl');
    writeFileSync(
      file,
      `kernel void outside(global int *a, global int *b) {
  int i = get_global_id(0);
  for (int j = -4096; j < 4096; j++) if (j < 0 || j > 3) a[j] = 9;
  b[i] += 1;
}`,
    );
    const flags = [
      '--robust',
      '--global',
      '1',
      '--arg',
      'int[4]=zero',
      '--arg',
      'int[4]=range',
      '--print',
      '1',
    ];
    const { status, stdout, stderr } = anycl('run', file, ...flags);
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '1 1 2 3\n', stderr: '' });
  });

  test('reports times as JSON, one entry a repetition', () => {
    const { status, stdout } = anycl(
      'run',
      saxpy,
      '--kernel',
      'saxpy',
      '--global',
      '64',
      '--arg',
      'float=1',
      '--arg',
      'float[64]=random',
      '--arg',
      'float[64]=zero',
      '--repeat',
      '3',
      '--json',
    );
    expect(status).toBe(0);
    const report = JSON.parse(stdout) as {
      device: string;
      build_ms: number;
      runs_ms: number[];
      kernel_ms: number[];
    };
    expect(Object.keys(report)).toEqual(['device', 'build_ms', 'runs_ms', 'kernel_ms']);
    expect(report.runs_ms).toHaveLength(3);
    expect(report.kernel_ms.every((ms) => ms >= 0 && ms < 10_000)).toBe(true);
  });

  test('saves raw bytes, .npy and .png, and reads .npy back', () => {
    const out = (name: string): string => join(folder, name);
    const first = anycl(
      'run',
      saxpy,
      '--kernel',
      'saxpy',
      '--global',
      '4',
      '--arg',
      'float=2',
      '--arg',
      'float[4]=range',
      '--arg',
      'float[4]=zero',
      '--save',
      `2=${out('y.npy')}`,
      '--save',
      `2=${out('y.bin')}`,
    );
    expect(first.status).toBe(0);
    expect([...new Float32Array(readFileSync(out('y.bin')).buffer.slice(0))].slice(0, 4).length).toBe(4);
    const again = anycl(
      'run',
      saxpy,
      '--kernel',
      'saxpy',
      '--global',
      '4',
      '--arg',
      'float=1',
      '--arg',
      `float[]=@${out('y.npy')}`,
      '--arg',
      `float[4]=@${out('y.bin')}`,
      '--print',
      '2',
    );
    expect(again.stdout).toBe('0 4 8 12\n');

    const shade = file(
      'shade.cl',
      'kernel void shade(global uchar4 *p) { size_t x = get_global_id(0), y = get_global_id(1); p[y * get_global_size(0) + x] = (uchar4)(x, y, 7, 255); }',
    );
    expect(
      anycl(
        'run',
        shade,
        '--kernel',
        'shade',
        '--global',
        '5,3',
        '--arg',
        'uchar4[15]=zero',
        '--save',
        `0=${out('shade.png')}`,
      ).status,
    ).toBe(0);
    const png = PNG.sync.read(readFileSync(out('shade.png')));
    expect([png.width, png.height, ...png.data.subarray(4 * 14, 4 * 15)]).toEqual([5, 3, 4, 2, 7, 255]);
  });

  test('images of halves are printed and saved as their values', () => {
    const png = join(folder, 'half.png');
    const source =
      'kernel void f(write_only image2d_t i) { write_imagef(i, (int2)(get_global_id(0), 0), 0.5f); }';
    const { status, stdout, stderr } = anycl(
      ...['run', file('half.cl', source), '--global', '2,1', '--arg', 'image2d:rgba16f[2,1]=zero'],
      ...['--print', '0', '--save', `0=${png}`],
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toBe('(0.5, 0.5, 0.5, 0.5) (0.5, 0.5, 0.5, 0.5)\n');
    expect([...PNG.sync.read(readFileSync(png)).data]).toEqual(Array(8).fill(128));
    const copy = join(folder, 'copy.png');
    const same = 'kernel void f(read_only image2d_t i) {}';
    anycl(
      ...['run', file('same.cl', same), '--global', '2,1', '--arg', `image2d:rgba16f=@${png}`],
      ...['--save', `0=${copy}`],
    );
    expect([...PNG.sync.read(readFileSync(copy)).data]).toEqual(Array(8).fill(128));
  });

  test('takes vectors by value and local memory', () => {
    const path = file(
      'local.cl',
      'kernel void f(int4 v, local int *t, global int *out) { int i = get_local_id(0); t[i] = v.w + i; barrier(CLK_LOCAL_MEM_FENCE); out[get_global_id(0)] = t[get_local_size(0) - 1 - i]; }',
    );
    const { stdout } = anycl(
      'run',
      path,
      '--kernel',
      'f',
      '--global',
      '8',
      '--local',
      '4',
      '--arg',
      'int4=1,2,3,-4',
      '--arg',
      'local:int[4]',
      '--arg',
      'int[8]=zero',
      '--print',
      '2',
    );
    expect(stdout).toBe('-1 -2 -3 -4 -1 -2 -3 -4\n');
  });

  test.each([
    [
      'a syntax error',
      ['bad.cl', 'kernel void f(global int *a) { a[0] = 1 }'],
      1,
      /bad\.cl:1:\d+: error: expected ';'/,
    ],
    [
      'an unknown function',
      ['unknown.cl', 'kernel void f(global int *a) { a[0] = frobnicate(1); }'],
      1,
      /unknown\.cl:1:\d+: error: .*frobnicate/,
    ],
  ])("%s is the input's fault", (_, [name, source], status, message) => {
    const outcome = anycl(
      'run',
      file(name!, source!),
      '--kernel',
      'f',
      '--global',
      '1',
      '--arg',
      'int[1]=zero',
    );
    expect(outcome.status).toBe(status);
    expect(outcome.stderr).toMatch(message);
    expect(outcome.stderr).not.toMatch(/\n\s+at /);
  });

  const run = (...args: string[]) => anycl('run', saxpy, '--kernel', 'saxpy', '--global', '4', ...args);
  const good = ['--arg', 'float=1', '--arg', 'float[4]=range', '--arg', 'float[4]=zero'];
  test.each<[string, () => ReturnType<typeof run>, number, RegExp]>([
    ['too few arguments', () => run('--arg', 'float=1'), 1, /3 arguments/],
    [
      'a wrong argument type',
      () => run('--arg', 'float=1', '--arg', 'int[4]=range', '--arg', 'float[4]=zero'),
      1,
      /points to float/,
    ],
    [
      'a value of another type',
      () => run('--arg', 'int=1', '--arg', 'float[4]=range', '--arg', 'float[4]=zero'),
      1,
      /argument 0 \('a'\) is a float/,
    ],
    [
      'a buffer for a value',
      () => run('--arg', 'float[1]=zero', '--arg', 'float[4]=range', '--arg', 'float[4]=zero'),
      1,
      /argument 0 \('a'\) is a float, which takes float=VALUE/,
    ],
    [
      'a value for a buffer',
      () => run('--arg', 'float=1', '--arg', 'float=2', '--arg', 'float[4]=zero'),
      1,
      /argument 1 \('x'\) is a float\*, which takes float\[COUNT\]=CONTENTS/,
    ],
    ['a malformed argument', () => run('--arg', 'floot=1'), 2, /'floot' is not .* did you mean 'float'\?/],
    [
      'groups of other dimensions',
      () => run(...good, '--local', '2,2'),
      2,
      /--local 2,2: --global 4 has one dimension/,
    ],
    [
      'a buffer larger than memory',
      () => run('--arg', 'float=1', '--arg', 'float[99999999999999]=zero', '--arg', 'float[1]=zero'),
      1,
      /no memory for .* bytes/,
    ],
    ['an unknown option', () => run('--frob'), 2, /unknown option/],
    [
      'a missing kernel',
      () => anycl('run', saxpy, '--kernel', 'nope', '--global', '1'),
      1,
      /no kernel 'nope'.*'saxpy'/,
    ],
    [
      'a missing file',
      () => anycl('run', join(folder, 'missing.cl'), '--kernel', 'f', '--global', '1'),
      1,
      /no such file/,
    ],
    ['no such device', () => run(...good, '--device', 'no-such-device'), 3, /no device 'no-such-device'/],
    ['a wrong size', () => anycl('run', saxpy, '--kernel', 'saxpy', '--global', 'x', ...good), 2, /--global/],
    [
      'a local size that does not fit',
      () => run(...good, '--local', '100000'),
      1,
      /WORK_(GROUP|ITEM)_SIZE.*100000/,
    ],
    [
      'a file too small for its buffer',
      () => run('--arg', 'float=1', '--arg', `float[4000]=@${saxpy}`, '--arg', 'float[4]=zero'),
      1,
      /needs 16000/,
    ],
    ['nothing at all', () => anycl('run'), 2, /required/],
  ])('%s gives its message and status', (_, act, status, message) => {
    const outcome = act();
    expect(outcome.stderr).toMatch(message);
    expect(outcome.status).toBe(status);
    expect(outcome.stderr).not.toMatch(/\n\s+at /);
  });

  test('--timeout ends a kernel that does not end', () => {
    const path = file('endless.cl', 'kernel void endless(global int *a) { while (1) a[0]++; }');
    const { status, stdout, stderr } = anycl(
      'run',
      path,
      '--global',
      '4',
      '--arg',
      'int[4]=zero',
      '--timeout',
      '50',
      '--print',
      '0',
    );
    expect(stderr).toMatch(/ANYCL_COMMAND_TIMED_OUT .*kernel 'endless' ran for more than 50 ms/);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  });

  test('a kernel out of bounds or dividing by zero does not bring the process down', () => {
    const path = file(
      'wild.cl',
      `kernel void far(global int *a) { a[get_global_id(0) + 1000000000] = 1; }
kernel void zero(global int *a, int d) { a[get_global_id(0)] = get_global_id(0) / d + get_global_id(0) % d; }`,
    );
    const far = anycl('run', path, '--kernel', 'far', '--global', '16', '--arg', 'int[16]=zero');
    expect(far.status).toBe(1);
    expect(far.stderr).toMatch(/anycl: .*far/);
    const zero = anycl(
      'run',
      path,
      '--kernel',
      'zero',
      '--global',
      '16',
      '--arg',
      'int[16]=zero',
      '--arg',
      'int=0',
    );
    expect(zero.status).toBe(0);
  });
});
