// SPDX-License-Identifier: MIT

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compiledModule } from '../../../tests/helpers/compiled-module';
import { compile } from '../../compiler/compile';
import { encode } from '../encode';
import { toSource } from '.';
import { hexFloat } from './constants';

const root = join(__dirname, '../../..');
const kernels = ['kernels/examples', 'bench/kernels'].flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.cl'))
    .map((name) => `${folder}/${name}`),
);
const hasValidator = spawnSync('spirv-val', ['--version']).status === 0;
const hasClang = spawnSync('clang-15', ['--version']).status === 0;
if (!hasValidator) console.warn('skipped: modules are not validated, for there is no spirv-val');
if (!hasClang) console.warn('skipped: sources are not checked, for there is no clang-15');

const folder = mkdtempSync(join(tmpdir(), 'anycl-source-'));
afterAll(() => rmSync(folder, { recursive: true }));

function translated(text: string, options = '') {
  const module = compiledModule({ name: 'a.cl', text, options });
  return toSource(module);
}

test.each(kernels)('%s is OpenCL C again', (name) => {
  const { source, options } = translated(readFileSync(join(root, name), 'utf8'));
  const again = compile({ name: 'b.cl', text: source, options });
  expect(again.log).toBe('');
  if (hasValidator) {
    const path = join(folder, 'b.spv');
    writeFileSync(path, encode(again.module!));
    const checked = spawnSync('spirv-val', ['--target-env', 'opencl2.2', path], { encoding: 'utf8' });
    expect(checked.stdout + checked.stderr).toBe('');
  }
  if (hasClang) {
    const path = join(folder, 'b.cl');
    writeFileSync(path, source);
    const flags = '-x cl -cl-std=CL1.2 -target spir64 -w -Xclang -finclude-default-header -fsyntax-only';
    const checked = spawnSync('clang-15', [...flags.split(' '), path], { encoding: 'utf8' });
    expect(checked.stderr).toBe('');
  }
});

test('kernels keep their names, arguments and attributes', () => {
  const { source, options } = translated(
    '__attribute__((reqd_work_group_size(8, 4, 1))) kernel void scale(global float *restrict data, const int count, float4 by) { if (get_global_id(0) < count) data[get_global_id(0)] *= by.y; }',
  );
  expect(source).toContain('__attribute__((reqd_work_group_size(8, 4, 1)))');
  expect(source).toMatch(/kernel void scale\(float global \* ?restrict data, int count, float4 by\)/);
  expect(options).toBe('-cl-std=CL1.2 -cl-kernel-arg-info');
});

test('floats are exact', () => {
  const { source } = translated('kernel void f(global float *a) { a[0] = 0.1f; a[1] = NAN; a[2] = -0.0f; }');
  expect(source).toContain('0x1.99999ap-4f');
  expect(source).toMatch(/as_float\(0x[7f]fc00000u\)/);
  expect(source).toContain('(-0.0f)');
  for (const value of [5e-324, 1.7976931348623157e308, -0.1, 123456789.25])
    expect(Number.isFinite(parseHex(hexFloat(value))) && parseHex(hexFloat(value))).toBe(value);
});

function parseHex(text: string): number {
  const [, sign, lead, fraction = '', exponent] = /^(-?)0x(\d)(?:\.([\da-f]+))?p(-?\d+)$/.exec(text)!;
  const mantissa = Number.parseInt(lead! + fraction, 16) / 16 ** fraction.length;
  const magnitude = Number(exponent);
  // In two steps: 2^-1022 times a fraction is exact, and so are smaller numbers.
  return (
    (sign ? -1 : 1) * mantissa * 2 ** Math.trunc(magnitude / 2) * 2 ** (magnitude - Math.trunc(magnitude / 2))
  );
}

test('newer functions ask for a newer language', () => {
  const { source, options } = translated(
    'kernel void f(volatile global atomic_int *a) { atomic_fetch_add_explicit(a, 1, memory_order_acq_rel, memory_scope_device); }',
    '-cl-std=CL3.0',
  );
  expect(source).toContain('memory_order_acq_rel, memory_scope_device');
  expect(options).toContain('-cl-std=CL3.0');
});

test('an exported function that has a kernel’s name gives way to the kernel', () => {
  const { module } = compile({
    name: 'a.cl',
    text: 'void twin(global int *a) { *a = 1; } kernel void user(global int *a) { twin(a); }',
    options: '',
  });
  module!.entryPoints[0] = { ...module!.entryPoints[0]!, name: 'twin' };
  expect(compile({ name: 'b.cl', text: toSource(module!).source, options: '' }).log).toBe('');
});

test('infinities and NaNs stand in initializers', () => {
  const { source, options } = translated(
    'constant float a[2] = { INFINITY, NAN }; kernel void f(global float *o) { *o = a[get_global_id(0)]; }',
  );
  expect(compile({ name: 'b.cl', text: source, options }).log).toBe('');
});

test('what cannot be said is named', () => {
  expect(() =>
    translated('kernel void f(read_only pipe int p, global int *o) { read_pipe(p, o); }', '-cl-std=CL3.0'),
  ).toThrow(/OpTypePipe/);
});
