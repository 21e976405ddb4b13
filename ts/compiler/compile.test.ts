// SPDX-License-Identifier: MIT
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encode } from '../spirv/encode';
import { Decoration, Op } from '../spirv/grammar.gen';
import { compile, preprocessOnly } from './compile';

const SAXPY = `kernel void saxpy(float a, global const float *x, global float *y) {
  size_t i = get_global_id(0);
  y[i] = a * x[i] + y[i];
}
`;
const input = (text: string, options = '') => ({ name: 'a.cl', text, options });

test('a kernel compiles to a module', () => {
  const { module, diagnostics, log } = compile(input(SAXPY));
  expect(log).toBe('');
  expect(diagnostics).toEqual([]);
  expect(module!.entryPoints.map((entry) => entry.name)).toEqual(['saxpy']);
});

test('source may be bytes', () => {
  const { module } = compile({ ...input(''), text: new TextEncoder().encode(SAXPY) });
  expect(module).toBeDefined();
});

test('errors of every stage end up in the log', () => {
  expect(compile(input(SAXPY, '-foo')).log).toBe("error: unknown argument: '-foo'\n1 error generated.\n");
  expect(compile(input('#error no')).log).toMatch(/^a\.cl:1:2: error: no\n/);
  expect(compile(input('int f( {')).log).toMatch(/^a\.cl:1:\d+: error: /);
  const { module, log } = compile(input('kernel void k(global int *p) { *p = nope; }'));
  expect(module).toBeUndefined();
  expect(log).toMatch(/^a\.cl:1:37: error: use of undeclared identifier 'nope'\n/);
});

test('-w and -Werror', () => {
  const text = `#define A 1\n#define A 2\n${SAXPY}`;
  expect(compile(input(text)).log).toMatch(/1 warning generated/);
  expect(compile(input(text, '-w')).log).toBe('');
  const { module, log } = compile(input(text, '-Werror'));
  expect(module).toBeUndefined();
  expect(log).toMatch(/error: 'A' macro redefined \[-Werror,-Wmacro-redefined\]/);
});

test('macros and headers of the caller', () => {
  const headers = new Map([['n.h', 'constant int n = N;']]);
  const text = '#include "n.h"\nkernel void k(global int *p) { *p = n; }';
  expect(compile({ ...input(text, '-DN=3'), headers }).log).toBe('');
});

test('preprocessed text compiles to the same', () => {
  const { text, log } = preprocessOnly(input(`#define T float\n${SAXPY.replaceAll('float', 'T')}`));
  expect(log).toBe('');
  expect(text).not.toContain('define');
  expect(encode(compile(input(text!)).module!)).toEqual(encode(compile(input(SAXPY)).module!));
});

const validator = spawnSync('spirv-val', ['--version']).status === 0;
const LIBRARY = join(__dirname, '../../kernels/lib');
const sources = readdirSync(LIBRARY).filter((name) => name.endsWith('.cl'));

(validator ? test.each(sources) : test.skip.each(sources))('kernels/lib/%s compiles and is valid', (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'anycl-'));
  try {
    const { module, log } = compile({
      name,
      text: readFileSync(join(LIBRARY, name)),
      options: '-cl-std=CL3.0',
      target: 'spir',
      headers: new Map(
        readdirSync(LIBRARY)
          .filter((header) => header.endsWith('.h'))
          .map((header) => [header, readFileSync(join(LIBRARY, header), 'utf8')]),
      ),
    });
    expect(log).toBe('');
    const file = join(folder, 'a.spv');
    writeFileSync(file, encode(module!));
    const result = spawnSync('spirv-val', [file], { encoding: 'utf8' });
    expect(result.stdout + result.stderr).toBe('');
    expect(result.status).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a version of SPIR-V that is too low is an error that names what needs more', () => {
  const text = `#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
kernel void k(global uint4 *p) { *p = sub_group_ballot(1); }`;
  const options = '-cl-std=CL3.0';
  const { module, log } = compile({ ...input(text, options), spirvVersion: '1.2' });
  expect(module).toBeUndefined();
  expect(log).toMatch(/^error: the program needs SPIR-V 1\.3 for OpGroupNonUniformBallot/);
  expect(compile({ ...input(text, options), spirvVersion: '1.3' }).module!.version).toBe(0x10300);
  expect(compile(input(text, options)).module!.version).toBe(0x10300);
});

test('address spaces may be given as attributes', () => {
  const text = `kernel void k(__attribute__((opencl_global)) int *o, int __attribute__((opencl_constant)) *c) { *o = *c; }`;
  expect(compile(input(text)).log).toBe('');
});

test('.hi and .odd of three components assign those that are there', () => {
  const text =
    'kernel void k(global int3 *o) { int3 a = *o; a.hi = (int2)(1, 2); a.odd = (int2)(3, 4); *o = a; }';
  expect(compile(input(text)).log).toBe('');
});

test('saturating conversions of constants are not folded as if they wrapped', () => {
  const text = 'kernel void k(global char *o) { *o = convert_char_sat(-382); }';
  const { module } = compile(input(text));
  const { annotations, functions } = module!;
  const saturated = annotations.find(({ operands }) => operands[1] === Decoration.SaturatedConversion);
  const stores = functions[0]!.blocks[0]!.instructions.filter(({ op }) => op === Op.Store);
  expect(stores.map(({ operands }) => operands[1])).toEqual([saturated!.operands[0]]);
});

test('thousands of labels may stand before one statement', () => {
  const labels = Array.from({ length: 3000 }, (_, i) => `case ${i}:`).join(' ');
  const text = `kernel void k(global int *o, int n) { switch (n) { ${labels} default: o[0] = 1; } }`;
  expect(compile(input(text)).log).toBe('');
});
