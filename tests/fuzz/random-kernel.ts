// SPDX-License-Identifier: MIT
//
// Random kernels for whole ND-ranges: divergent and uniform control flow, barriers, local and private memory, structures,
// functions, images, atomics whose order does not matter. Their results do not depend on how work-items are put together.
// kernels/ has a file for each construct.
import { condition, expression } from './kernels/expressions';
import { defineHelper } from './kernels/helpers';
import { pickFormat, SAMPLERS } from './kernels/images';
import { BODY, type RandomKernel, RESULTS, type Triple, type Variable } from './kernels/model';
import { OVERLAP } from './kernels/overlaps';
import { declareArrays, hashArrays, hashOf } from './kernels/private-arrays';
import { defineRecord, fillRecord } from './kernels/records';
import { declaration, statements } from './kernels/statements';
import { defineSubGroupHelpers } from './kernels/sub-groups';
import { Writer } from './kernels/writer';

export interface KernelOptions {
  /** Only features of every OpenCL implementation, with the same results bit by bit. */
  readonly portable?: boolean;
}

export function randomKernel(seed: number, { portable = false }: KernelOptions = {}): RandomKernel {
  const w = new Writer(seed, portable, { expression, condition, statements });
  const { chance } = w;
  const parts = ['#pragma OPENCL FP_CONTRACT OFF'];
  parts.push(
    `constant uint table[8] = { ${Array.from({ length: 8 }, () => `${chance.integer(0, 0xffffffff)}u`).join(', ')} };`,
  );
  const image = chance.with(0.2) ? pickFormat(w) : undefined;
  if (image) parts.push(...SAMPLERS);
  w.subGroups = !portable && chance.with(0.2);
  if (w.subGroups) parts.push(...defineSubGroupHelpers());
  for (let i = chance.integer(1, 2); i > 0; i--) parts.push(defineRecord(w));
  for (let i = chance.pick([0, 1, 1, 2, 3, 4]); i > 0; i--) parts.push(defineHelper(w));
  w.barriers = chance.with(0.5);
  parts.push(kernel(w));
  const { global, local } = sizes(w);
  const isShifted = w.overlapStride === OVERLAP.shiftedStride;
  return { source: `${parts.join('\n')}\n`, global, local, isShifted, ...(image && { image }) };
}

function sizes({ chance, portable }: Writer): { global: Triple; local: Triple } {
  const local = chance.pick<Triple>([
    [1, 1, 1], [4, 1, 1], [8, 1, 1], [16, 1, 1], [32, 1, 1], [7, 1, 1], [13, 1, 1],
    [8, 2, 1], [8, 4, 1], [4, 4, 1], [16, 2, 1], [5, 3, 1], [11, 4, 1], [3, 8, 1],
    [4, 2, 2], [8, 4, 2], [9, 2, 2],
  ]); // biome-ignore format: a table
  const dimensions = local[2] > 1 || chance.with(0.2) ? 3 : local[1] > 1 || chance.with(0.3) ? 2 : 1;
  const most = [80, 12, 4];
  const extent = (d: number): number => {
    if (d >= dimensions) return 1;
    const size = local[d]!;
    const groups = chance.integer(1, Math.max(1, Math.min(3, Math.floor(most[d]! / size))));
    // Also groups that are not full, at the ends of rows, columns and layers.
    return portable || chance.with(0.6) ? groups * size : chance.integer(1, Math.max(size * groups, 3));
  };
  return { global: [extent(0), extent(1), extent(2)], local };
}

function kernel(w: Writer): string {
  const { chance } = w;
  w.scope = [];
  w.records = [];
  w.arrays = [];
  w.inKernel = true;
  w.result = undefined;
  let text = head(w);
  text += declareArrays(w, '  ');
  for (let i = chance.integer(1, 3); i > 0; i--) {
    const type = chance.pick(w.recordTypes);
    const name = w.fresh('r');
    text += `  ${type.name} ${name}; ${fillRecord(name, type, 'gid')}\n`;
    w.addRecord(name, type);
  }
  text += `  ${BODY}\n`;
  for (let i = 0; i < 2; i++) text += declaration(w, '  ', w.integerType(), true);
  // The variables that statements with barriers assign to always exist.
  text += declaration(w, '  ', { base: 'uint', count: 1 }, false);
  for (let i = 0; i < 4; i++) text += declaration(w, '  ', w.type(), false);
  const kept = [...w.scope];
  w.budget = 20;
  const place = { indent: '  ', loop: 'none' } as const;
  if (w.barriers) {
    // The last statements come after all barriers.
    text += w.statements(chance.integer(3, 7), { ...place, uniform: true, staying: true });
    w.budget = Math.max(w.budget, 4);
    w.barriers = false;
  }
  text += w.statements(chance.integer(3, 8), { ...place, uniform: false, staying: false });
  return `${text}${epilogue(w, kept)}}\n`;
}

function head({ chance, subGroups, image }: Writer): string {
  const size = subGroups ? chance.pick([undefined, 4, 8, 16, 32]) : undefined;
  return (
    (size ? `__attribute__((intel_reqd_sub_group_size(${size})))\n` : '') +
    'kernel void fuzz(global const uint *in, global const float *fin, global ulong *out, global uint *slots,\n' +
    '                 global uchar *bytes, global ushort *shorts, global float *floats, global uint *counters,\n' +
    `                 global uint *same, global uint *again, local uint *loc, uint n, int k${image ? ', read_only image2d_t image, write_only image2d_t target' : ''}) {\n` +
    '  const uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n' +
    '  const uint lx = get_local_id(0), ly = get_local_id(1), lz = get_local_id(2);\n' +
    '  const uint W = get_global_size(0), H = get_global_size(1), D = get_global_size(2), N = W * H * D;\n' +
    '  const uint LS = get_local_size(0) * get_local_size(1) * get_local_size(2);\n' +
    '  const uint gid = (z * H + y) * W + x;\n' +
    '  const uint lid = (lz * get_local_size(1) + ly) * get_local_size(0) + lx;\n' +
    '  loc[lid] = 0;\n'
  );
}

/** Writes all variables' values to `out`. */
function epilogue(w: Writer, kept: readonly Variable[]): string {
  const last = RESULTS.out - 1;
  let text = '';
  kept.forEach(({ name, type }, i) => {
    text += `  out[gid * ${RESULTS.out} + ${i % last}] ${i < last ? '=' : '+='} ${hashOf(name, type)};\n`;
  });
  text += `  ulong h = 0;\n${hashArrays(w, '  ')}`;
  return `${text}  out[gid * ${RESULTS.out} + ${last}] = h;\n`;
}
