// SPDX-License-Identifier: MIT
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { anycl, node, root, temporaryFolder } from '../helpers/command';

const folder = temporaryFolder();
const source = join(folder, 'add.cl');
writeFileSync(
  source,
  '#ifndef K\n#define K 1\n#endif\nkernel void add(global int *a) { a[get_global_id(0)] += K; }\n',
);

describe('anycl compile', () => {
  test('writes SPIR-V that dis and validate take', () => {
    const out = join(folder, 'add.spv');
    expect(anycl('compile', source, '-o', out, '-DK=3', '-cl-std=CL3.0')).toEqual({
      status: 0,
      signal: null,
      stdout: '',
      stderr: '',
    });
    expect(readFileSync(out).readUInt32LE(0)).toBe(0x07230203);
    expect(anycl('validate', out).status).toBe(0);
    const { stdout } = anycl('dis', out);
    expect(stdout).toMatch(/OpEntryPoint Kernel %\w+ "add"/);
    expect(
      anycl('run', out, '--kernel', 'add', '--global', '4', '--arg', 'int[4]=range', '--print', '0').stdout,
    ).toBe('3 4 5 6\n');
  });

  test('writes over a longer file, all of it', () => {
    const [fresh, over] = ['fresh.spv', 'over.spv'].map((name) => join(folder, name)) as [string, string];
    writeFileSync(over, 'x'.repeat(100_000));
    for (const out of [fresh, over]) expect(anycl('compile', source, '-o', out).status).toBe(0);
    expect(readFileSync(over)).toEqual(readFileSync(fresh));
  });

  test('puts the output beside, in the current folder, when not told where', () => {
    const here = temporaryFolder();
    expect(node('dist/cli.cjs', ['compile', source], { cwd: here }).status).toBe(0);
    expect(existsSync(join(here, 'add.spv'))).toBe(true);
  });

  test.each([
    ['spvasm', /OpCapability Kernel/],
    ['preprocessed', /kernel void add\(global int \*a\)/],
    ['ast', /add/],
    ['ir', /func add \{[\s\S]*Load %\d+/],
    ['ir-vectorized', /func add \{[\s\S]*Store %\d+/],
    ['plan', /; tile: \d+ x \d+\nfunc add/],
    ['wat', /\(module/],
  ])('shows %s', (what, pattern) => {
    const { status, stdout } = anycl('compile', source, `--emit=${what}`);
    expect(stdout).toMatch(pattern);
    expect(status).toBe(0);
  });

  test('takes version and target', () => {
    const { stdout } = anycl('compile', source, '--emit=spvasm', '--spirv-version=1.4', '--target=spir');
    expect(stdout).toMatch(/Version: 1\.4/);
    expect(stdout).toMatch(/OpMemoryModel Physical32 OpenCL/);
  });

  test('links several files', () => {
    const a = join(folder, 'a.cl');
    const b = join(folder, 'b.cl');
    writeFileSync(
      a,
      'int twice(int x); kernel void f(global int *p) { p[get_global_id(0)] = twice(p[get_global_id(0)]); }',
    );
    writeFileSync(b, 'int twice(int x) { return 2 * x; }');
    const out = join(folder, 'ab.spv');
    expect(anycl('compile', a, b, '-o', out)).toEqual({ status: 0, signal: null, stdout: '', stderr: '' });
    expect(
      anycl('run', out, '--kernel', 'f', '--global', '3', '--arg', 'int[3]=range', '--print', '0').stdout,
    ).toBe('0 2 4\n');
  });

  test('several errors a run, each with its line and a caret', () => {
    const bad = join(folder, 'bad.cl');
    writeFileSync(bad, 'kernel void f(global int *a) {\n  a[0] = undeclared;\n  float4 v = a;\n}\n');
    const { status, stderr } = anycl('compile', bad, '-o', join(folder, 'bad.spv'));
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /bad\.cl:2:10: error: use of undeclared identifier 'undeclared'\n.*a\[0\] = undeclared;\n\s+\^/,
    );
    expect(stderr).toMatch(/bad\.cl:3:\d+: error: /);
    expect(stderr).toMatch(/2 errors generated\./);
    expect(existsSync(join(folder, 'bad.spv'))).toBe(false);
  });

  test.each([
    [['compile'], 2],
    [['compile', '--emit=nothing', source], 2],
    [['compile', '--frob', source], 2],
    [['compile', '-cl-frob', source], 2],
    [['compile', '-cl-std=CL9.9', source], 2],
    [['compile', '--cl-ext=cl_khr_fp64', source], 2],
    [['compile', 'missing.cl'], 1],
    [['compile', '--', '--missing.cl'], 1],
    [['compile', source, '-o', join(folder, 'no-such-folder', 'a.spv')], 1],
    [['frobnicate'], 2],
    [['dis', join(root, 'package.json')], 1],
    [['validate', join(root, 'package.json')], 1],
  ])('anycl %j ends with status %i and a message', (args, status) => {
    const outcome = anycl(...args);
    expect(outcome.status).toBe(status);
    expect(outcome.stderr).not.toBe('');
    expect(outcome.stderr).not.toMatch(/\n\s+at /);
  });

  test('a module in the place of a source is refused; an extension that anycl lacks is defined, with a warning', () => {
    const module = join(folder, 'module.spv');
    expect(anycl('compile', source, '-o', module).status).toBe(0);
    const again = anycl('compile', module);
    expect(again.status).toBe(1);
    expect(again.stderr).toMatch(/is SPIR-V and not OpenCL C; anycl dis shows it/);
    const claimed = anycl('compile', source, '--cl-ext=+cl_khr_subgruops', '-o', module);
    expect(claimed.status).toBe(0);
    expect(claimed.stderr).toMatch(/no extension 'cl_khr_subgruops'; did you mean 'cl_khr_subgroups'\?/);
  });
});
