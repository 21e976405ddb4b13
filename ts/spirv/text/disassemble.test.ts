// SPDX-License-Identifier: MIT
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testNeeding } from '../../../tests/helpers/needs';
import { hasTool, spirvAs, spirvDis } from '../../../tests/helpers/spirv-tools';
import { decode } from '../decode';
import { disassemble } from './disassemble';
import { floatText } from './numbers';

const words = (value: number, width: 32 | 64): number[] => {
  const view = new DataView(new ArrayBuffer(8));
  if (width === 32) view.setFloat32(0, value, true);
  else view.setFloat64(0, value, true);
  return [view.getUint32(0, true), view.getUint32(4, true)];
};

test.each([
  [1, '1'],
  [-0.5, '-0.5'],
  [0, '0'],
  [-0, '-0'],
  [3.14159274, '3.14159274'],
  [1e10, '1e+10'],
  [1e-7, '1.00000001e-07'],
  [123456789, '123456792'],
  [Number.POSITIVE_INFINITY, '0x1p+128'],
  [Number.NEGATIVE_INFINITY, '-0x1p+128'],
  [Number.NaN, '0x1.8p+128'],
])('float %d', (value, text) => {
  expect(floatText(32, words(value, 32))).toBe(text);
});

test('half and double', () => {
  expect(floatText(16, [0x3e00])).toBe('0x1.8p+0');
  expect(floatText(16, [0x7c00])).toBe('0x1p+16');
  expect(floatText(64, words(0.1, 64))).toBe('0.10000000000000001');
});

const SOURCE = `
float twice(float x) { return x * 2.5f; }
kernel void k(global float *restrict a, constant long *b, float3 v) {
  switch (b[0]) { case 5: a[0] = 1; break; case -1: a[1] = 2; break; default: a[2] = 0.1f; }
  a[4] = native_sin(v.x) + twice(v.y) + vload4(1, a).y;
}`;

function foreignModule(): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'anycl-'));
  try {
    const path = (name: string) => join(folder, name);
    writeFileSync(path('a.cl'), SOURCE);
    const clang = [
      '-c',
      '-x',
      'cl',
      '-target',
      'spir64',
      '-cl-std=CL2.0',
      '-Xclang',
      '-finclude-default-header',
    ];
    const done = spawnSync('clang-15', [
      ...clang,
      '-emit-llvm',
      '-O1',
      '-g',
      '-o',
      path('a.bc'),
      path('a.cl'),
    ]);
    if (done.status !== 0) throw new Error(done.stderr.toString());
    spawnSync('llvm-spirv-15', [path('a.bc'), '-o', path('a.spv')]);
    return readFileSync(path('a.spv'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const tools = testNeeding(
  'clang-15, llvm-spirv-15, spirv-dis and spirv-as',
  ['clang-15', 'llvm-spirv-15', 'spirv-dis', 'spirv-as'].every(hasTool),
);

tools('with numbers as ids the text is that of spirv-dis', () => {
  const bytes = foreignModule();
  const ours = disassemble(decode(bytes), { friendlyNames: false, header: false });
  expect(ours).toBe(spirvDis(bytes, '--raw-id', '--no-header'));
});

tools('spirv-as takes the friendly names', () => {
  const text = disassemble(decode(foreignModule()));
  expect(spirvDis(spirvAs(text, 'spv1.4'), '--no-header').split('\n').length).toBe(
    text.split('\n').length - 5,
  );
});
