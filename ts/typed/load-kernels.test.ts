// SPDX-License-Identifier: MIT
// What is made of a `.cl` file: declarations that the type checker takes, structs that agree with the compiler's layout, errors.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { declarationsFile } from './declarations';
import { loadKernels } from './load-kernels';

const root = join(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'anycl-typed-'));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const declared = (source: string): string => {
  const { module, log } = loadKernels(join(folder, 'kernels.cl'), { buildOptions: '-cl-std=CL3.0' }, source);
  expect(log).toBe('');
  return module!.declarations;
};

test.each([
  ['float a', 'a: number'],
  ['ulong a', 'a: bigint | number'],
  ['int3 a', 'a: readonly [number, number, number] | Int32Array'],
  ['global const float *restrict a', 'a: DeviceMemory<Float32Array>'],
  ['global float4 *a', 'a: DeviceMemory<Float32Array>'],
  ['global float (*a)[4]', 'a: DeviceMemory<Float32Array>'],
  ['constant half *a', 'a: DeviceMemory<Halves>'],
  ['global uchar *a', 'a: DeviceMemory<Uint8Array> | DeviceMemory<Uint8ClampedArray>'],
  ['global size_t *a', 'a: DeviceMemory<Uint32Array> | DeviceMemory<BigUint64Array>'],
  ['volatile global atomic_int *a', 'a: DeviceMemory<Int32Array>'],
  ['global void *a', 'a: DeviceMemory'],
  ['local int *a', 'a: LocalArgument'],
  ['read_only image2d_t a', 'a: Image'],
  ['sampler_t a', 'a: Sampler'],
  ['read_only pipe int a', 'a: Pipe'],
  ['queue_t a', 'a: CommandQueue'],
  ['global int *delete', 'argument0: DeviceMemory<Int32Array>'],
])('%s', (parameter, typed) => {
  expect(declared(`kernel void f(${parameter}) {}`)).toContain(`  f(${typed}): void;`);
});

test('typedefs and enums are what they stand for', () => {
  const text = declared(
    'typedef float real; enum Mode { A }; kernel void f(real a, enum Mode b, global real *c) {}',
  );
  expect(text).toContain('f(a: number, b: number, c: DeviceMemory<Float32Array>): void;');
});

test('structs have a class with their members', () => {
  const text = declared(`typedef struct { char tag; float3 at; struct { short x; } inner[2]; } Body;
    kernel void f(Body one, global Body *all) {}`);
  expect(text).toContain('f(one: Body, all: DeviceMemory<Uint8Array>): void;');
  expect(text).toContain(`/** 48 bytes. */
export interface Body extends StructView {
  tag: number;
  get at(): Float32Array;
  set at(values: ArrayLike<number>);
  get inner(): StructArray<Body_inner>;
  set inner(value: StructArray<Body_inner> | ArrayBufferView);
}`);
});

test('a struct whose layout depends on the device takes bytes', () => {
  const text =
    declared(`typedef struct { size_t n; } Sized; typedef struct { global int *p; } Pointing; typedef struct { int n; } Plain;
    kernel void f(global Sized *a, Plain b, global Pointing *c) {}`);
  expect(text).toContain('f(a: DeviceMemory<Uint8Array>, b: Plain, c: DeviceMemory<Uint8Array>): void;');
  expect(text).not.toContain('interface Sized');
});

test('a kernel with the name of a keyword is in the default export alone', () => {
  const text = declared('kernel void delete(global int *a) {}');
  expect(text).toContain('  delete(a: DeviceMemory<Int32Array>): void;');
  expect(text).not.toContain('const delete');
});

test('the text of headers is in the module, each at its place', () => {
  file('once.h', '#pragma once\n#define ONE 1\n');
  file('both.h', '#include "once.h"\n#define TWO (ONE + 1)\n');
  const source = '#include "once.h"\n#include "both.h"\nkernel void f(global int *a) { a[0] = TWO; }\n';
  const path = file('including.cl', source);
  const { module, included, log } = loadKernels(path);
  expect(log).toBe('');
  expect(included.length).toBeGreaterThan(1);
  const { source: whole } = JSON.parse(/new KernelModule\((.*)\);/.exec(module!.code)![1]!) as {
    source: string;
  };
  expect(whole).not.toContain('#include');
  expect(whole.match(/define ONE/g)).toHaveLength(1);
  expect(whole).toContain(`#line 3 ${JSON.stringify(path)}`);
  // It needs no folder any more.
  expect(loadKernels('/nowhere/else.cl', {}, whole).log).toBe('');
});

test('an error is at its place, and there is no module', () => {
  const { module, diagnostics, log } = loadKernels(file('broken.cl', 'kernel void f() {\n  x = 1;\n}\n'));
  expect(module).toBeUndefined();
  expect(diagnostics[0]).toMatchObject({
    severity: 'error',
    position: { file: join(folder, 'broken.cl'), line: 2, column: 3 },
  });
  expect(log).toContain('broken.cl:2:3: error: ');
});

test('TypeScript refuses a wrong array, and a missing kernel', () => {
  const source = file(
    'checked.cl',
    'typedef struct { float x; } P; kernel void saxpy(float a, global float *x, P p) { x[0] = a + p.x; }',
  );
  writeFileSync(declarationsFile(source), loadKernels(source).module!.declarations);
  const anycl = join(root, 'ts', 'index.ts');
  file(
    'program.mts',
    `import type { Buffer, Session } from 'anycl';
import kernels, { P, saxpy } from './checked.cl';
declare const cl: Session, floats: Buffer<Float32Array>, integers: Buffer<Int32Array>;
const p = new P();
p.x = 1;
await saxpy.run(cl, { global: 1 }, 2, floats, p);
(await kernels.build(cl)).kernels.saxpy.run({ global: 1 }, 2, floats, p);
await saxpy.run(cl, { global: 1 }, 2, integers, p);
await saxpy.run(cl, { global: 1 }, 2, floats);
p.y = 1;
kernels.kernel('daxpy');
`,
  );
  file(
    'tsconfig.json',
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        noEmit: true,
        allowArbitraryExtensions: true,
        rootDir: '/',
        typeRoots: [join(root, 'node_modules/@types')],
        types: ['node'],
        paths: { anycl: [anycl] },
      },
      files: ['program.mts', join(root, 'ts/base/webassembly.d.ts')],
      include: [],
    }),
  );
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  const errors = [...stdout.matchAll(/program\.mts\((\d+),\d+\): error TS(\d+)/g)].map(
    ([, line, code]) => `${line}: ${code}`,
  );
  expect(errors).toEqual(['8: 2345', '9: 2554', '10: 2339', '11: 2345']);
}, 120_000);

test('Node.js imports a file with anycl/register', () => {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules', 'anycl'), 'junction');
  file(
    'twice.cl',
    'enum Mode { ADD, DOUBLE }; kernel void twice(enum Mode m, global float *a) { a[get_global_id(0)] *= m == DOUBLE ? 2 : 1; }',
  );
  const program = file(
    'twice.mjs',
    `import { open } from 'anycl';
import { twice } from './twice.cl';
for (const device of ['software', ...process.argv.slice(2)]) {
  const cl = await open({ device });
  const a = cl.buffer(Float32Array.of(1, 2, 3));
  await twice.run(cl, { global: 3 }, 1, a);
  await (await twice.on(cl)).run({ global: 3 }, 0, a);
  console.log(String(await a.read()));
  cl.close();
}
`,
  );
  const run = (...args: string[]) =>
    execFileSync(process.execPath, ['--import', 'anycl/register', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  expect(run(program)).toBe('2,4,6\n');
  const broken = file('broken.mjs', "import './broken.cl';");
  expect(() => run(broken)).toThrow(/broken\.cl:2:3: error: /);
}, 120_000);
