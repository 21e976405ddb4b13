// SPDX-License-Identifier: MIT
import { optimizedWithSignature } from '../../../../../tests/helpers/optimized-kernel';
import { Divergence } from '../../../analyses/divergence';
import { Uses } from '../../../analyses/uses';
import { Op } from '../../../ir/ir';
import { completeVectors } from './complete-vectors';

/** The offsets of the stores. */
function stored(body: string): number[] {
  const { func, signature } = optimizedWithSignature(
    `kernel void k(global float4 *p, global float4 *restrict q, global float4 *r, local float4 *l, volatile global float4 *v, float s, int n) {
      int i = get_global_id(0); ${body} }`,
  );
  completeVectors(func, signature, new Divergence(func), () => new Uses(func));
  const stores = func.blocks.flatMap(({ insts }) => insts.filter(({ op }) => op === Op.Store));
  return stores.map(({ facts }) => facts.offset ?? 0).sort((a, b) => a - b);
}

const whole = [0, 4, 8, 12];
const part = [0, 4, 8];

test('the component that is read and stays is stored with the others', () => {
  expect(stored('float4 w = p[i]; w.xyz *= w.w; p[i] = w;')).toEqual(whole);
  expect(stored('p[i].xyz *= p[i].w;')).toEqual(whole);
  expect(stored('float4 w = p[i]; w.xzw *= w.y; p[i] = w;')).toEqual(whole);
  expect(stored('if (n > 3) p[i].xyz *= p[i].w;')).toEqual(whole);
  expect(stored('l[i].xyz *= l[i].w;')).toEqual(whole);
  // What is stored in between is elsewhere.
  expect(stored('float4 w = p[i]; q[i].x = s; w.xyz *= w.w; p[i] = w;')).toEqual([0, ...whole]);
});

test('not what the source does not read, nor where it may have changed', () => {
  expect(stored('p[i].xyz *= s;')).toEqual(part);
  expect(stored('float4 w = p[i]; w.xyz *= s; p[i] = w;')).toEqual(part);
  expect(stored('p[i].xy *= p[i].zw;')).toEqual([0, 4]);
  expect(stored('float t = p[i].w; p[i].w = s; p[i].xyz = t;')).toEqual([0, 4, 8, 12]);
  expect(stored('float t = p[i].w; r[n].x = s; p[i].xyz = t;')).toEqual([0, ...part]);
  expect(stored('float t = p[i].w; p[i + n].x = s; p[i].xyz = t;')).toEqual([0, ...part]);
  expect(stored('float t = p[i].w; mem_fence(CLK_GLOBAL_MEM_FENCE); p[i].xyz = t;')).toEqual(part);
  // Only some work-items read it.
  expect(stored('float t = s; if (i < n) t = p[i].w; p[i].xyz = t;')).toEqual(part);
  expect(stored('float t = v[i].w; v[i].x = t; v[i].y = t; v[i].z = t;')).toEqual(part);
});
